// SPDX-License-Identifier: GPL-3.0-or-later
// bench-search: the engine's strategy against random search over the same moves and tunables, with a real node, at
// equal budget. Every finished run is a line of the log, so an interrupted bench goes on where it was. Not part of
// ctest.
//   bench-search --log FILE [--task T] [--first-seed N] [--seeds N] [--evaluations N] [--shapes N] [--precision X]
//                [--proposer mutator|random] [--runs N] [--node "COMMAND"]
// --first-seed and --proposer let several machines share the runs, each with a log of its own. --shapes keeps the first
// N train and held-out shapes only, --precision is the task's timing.precision: the same search on figures that are
// measured sooner. --runs ends after N more runs.
#include "core/base/folders.h"
#include "core/engine/engine.h"

#include <QCoreApplication>
#include <QFile>
#include <QTemporaryDir>
#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

namespace {

using namespace tilewright;
using Json = nlohmann::json;

constexpr std::array<std::int64_t, 4> marks{10, 30, 100, 300};

struct Bench {
    TaskPack pack;
    QStringList node;
    std::int64_t evaluations = 300;
};

/// The task with fewer shapes and another precision (0: its own).
Result<TaskPack> measuredSooner(TaskPack pack, std::size_t mostShapes, double precision)
{
    auto json = nlohmann::ordered_json::parse(pack.json); // shapes follow the order of the dims
    for (const char* kind : {"train", "heldout"})
        while (json["shapes"][kind].size() > mostShapes)
            json["shapes"][kind].erase(json["shapes"][kind].size() - 1);
    if (precision > 0)
        json["timing"]["precision"] = precision;
    pack.json = json.dump();
    auto task = parseTask(pack.json);
    if (!task)
        return std::unexpected(task.error());
    pack.task = std::move(*task);
    return pack;
}

/// Best vs vendor (score where there is no vendor) that was confirmed by the given evaluation.
Json bestAtMarks(const RunState& run)
{
    Json best = Json::object();
    for (const std::int64_t mark : marks) {
        double score = 0;
        for (const auto& [evaluations, reached] : run.bestTrace)
            if (evaluations <= mark)
                score = std::max(score, reached);
        best[std::to_string(mark)] = score;
    }
    return best;
}

/// One run to its end; null when it did not finish.
Json runOnce(const Bench& bench, const std::string& proposer, std::uint64_t seed)
{
    QTemporaryDir folder;
    Engine engine;
    engine.setNodeCommand(bench.node);
    Json result;
    QObject::connect(&engine, &Engine::failed, &engine, [](const QString& code, const QString& text, const QString&) {
        std::fprintf(stderr, "%s: %s\n", qPrintable(code), qPrintable(text));
    });
    QObject::connect(&engine, &Engine::phaseEnded, &engine, [&](const SnapshotPtr& snapshot) {
        const RunState& run = snapshot->run;
        if (run.phase == events::Phase::Finished && run.best()) {
            const Candidate& best = *run.best();
            result = {{"proposer", proposer}, {"seed", seed}, {"evaluations", run.evaluationsStarted},
                {"wall_s", static_cast<double>(run.runNs) * 1e-9}, {"score_at", bestAtMarks(run)},
                {"score", best.score->value}, {"vs_vendor", best.vsVendor ? Json(best.vsVendor->value) : Json(nullptr)},
                {"heldout_vs_vendor", best.heldoutVsVendor ? Json(best.heldoutVsVendor->value) : Json(nullptr)},
                {"moves", best.moves}, {"tunables", best.tunables}};
        } else {
            const EngineStatus& status = snapshot->status;
            std::fprintf(stderr, "%s with seed %llu ended early: %s (%s)\n", proposer.c_str(),
                static_cast<unsigned long long>(seed), status.trouble.c_str(), status.troubleCode.c_str());
        }
        engine.close();
    });
    QObject::connect(&engine, &Engine::closed, &engine, [] { QCoreApplication::exit(0); });
    NewSession session;
    session.path = folder.filePath(QStringLiteral("bench.tilewright"));
    session.pack = bench.pack;
    session.settings.proposer = proposer;
    session.settings.seed = seed;
    session.settings.budget.evaluations = bench.evaluations;
    engine.create(session);
    QCoreApplication::exec();
    return result;
}

std::vector<Json> readLog(const QString& path)
{
    std::vector<Json> lines;
    QFile file(path);
    if (file.open(QIODevice::ReadOnly))
        while (!file.atEnd())
            if (Json line = Json::parse(file.readLine().toStdString(), nullptr, false); line.is_object())
                lines.push_back(std::move(line));
    return lines;
}

void report(const std::vector<Json>& lines)
{
    std::printf(
        "%-9s %5s %9s %9s %9s %9s %10s\n", "proposer", "seed", "at 10", "at 30", "at 100", "at 300", "vs vendor");
    for (const std::string proposer : {"mutator", "random"}) {
        std::map<std::int64_t, std::vector<double>> columns;
        for (const Json& line : lines) {
            if (line.at("proposer") != proposer)
                continue;
            std::printf("%-9s %5lld", proposer.c_str(), line.at("seed").get<long long>());
            for (const std::int64_t mark : marks) {
                columns[mark].push_back(line.at("score_at").at(std::to_string(mark)));
                std::printf(" %9.3f", columns[mark].back());
            }
            std::printf(" %10.3f\n", line.at("vs_vendor").is_number() ? line.at("vs_vendor").get<double>() : 0.0);
        }
        if (columns.empty())
            continue;
        std::printf("%-9s %5s", proposer.c_str(), "med.");
        for (auto& [mark, values] : columns) {
            std::sort(values.begin(), values.end());
            std::printf(" %9.3f", (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2);
        }
        std::printf("\n");
    }
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const auto option = [&](const char* name, const QString& otherwise) {
        const qsizetype at = arguments.indexOf(QString::fromLatin1(name));
        return at > 0 && at + 1 < arguments.size() ? arguments[at + 1] : otherwise;
    };
    const QString log = option("--log", {});
    if (log.isEmpty()) {
        std::fprintf(stderr, "bench-search needs --log FILE\n");
        return 2;
    }
    const std::size_t shapes = option("--shapes", QStringLiteral("1000")).toULongLong();
    auto pack = findTaskPack(option("--task", QStringLiteral("gemm-fp32-cpu")).toStdString());
    if (pack)
        pack = measuredSooner(std::move(*pack), std::max<std::size_t>(shapes, 1), option("--precision", {}).toDouble());
    if (!pack) {
        std::fprintf(stderr, "%s\n", pack.error().line().c_str());
        return 2;
    }
    Bench bench{*pack, {}, option("--evaluations", QStringLiteral("300")).toLongLong()};
    const QString beside = QString::fromStdString((programFolder() / "tilewright-node").string());
    bench.node = option("--node", beside).split(u' ', Qt::SkipEmptyParts);
    const auto firstSeed = option("--first-seed", QStringLiteral("1")).toULongLong();
    const auto seeds = option("--seeds", QStringLiteral("10")).toULongLong();
    const std::string only = option("--proposer", {}).toStdString();
    auto runsLeft = option("--runs", QStringLiteral("1000")).toLongLong();
    std::set<std::pair<std::string, std::uint64_t>> done;
    for (const Json& line : readLog(log))
        done.emplace(line.at("proposer").get<std::string>(), line.at("seed").get<std::uint64_t>());
    for (std::uint64_t seed = firstSeed; seed < firstSeed + seeds; ++seed)
        for (const std::string proposer : {"mutator", "random"}) {
            if (done.contains({proposer, seed}) || (!only.empty() && only != proposer) || runsLeft-- <= 0)
                continue;
            const Json result = runOnce(bench, proposer, seed);
            if (result.is_null())
                return 5;
            QFile file(log);
            if (!file.open(QIODevice::Append))
                return 6;
            file.write(QByteArray::fromStdString(result.dump() + "\n"));
        }
    report(readLog(log));
    return 0;
}
