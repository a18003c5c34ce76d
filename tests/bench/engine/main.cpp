// SPDX-License-Identifier: GPL-3.0-or-later
// bench-engine: what the search makes of a number of replies, in a simulation. A server answers prompts
// (simulated_model.py), a node invents figures from a program's text (tests/engine/landscape.h): no program is built or
// timed. run.py drives it beside OpenEvolve, which gets its figures from `bench-engine --judge`.
//   bench-engine --models FILE [--seed N] [--replies N] [--strategy NAME] [--tune N] [--recombine N] [--edits N]
//     [--repairs N]
//     [--stagnation N (candidates without a better one before an island is reset; 0: never)]
//     [--session FILE (which is kept)]
//   bench-engine --judge PROGRAM
// Prints one JSON object.
#include "core/base/json_text.h"
#include "core/engine/engine.h"
#include "core/model/spent_budget.h"
#include "core/model/tuning_record.h"
#include "core/proposer/recombiner.h"
#include "core/proposer/tuner.h"
#include "core/source/program_form.h"
#include "core/store/session_reader.h"
#include "tests/engine/dry_run.h"
#include "tests/engine/landscape.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace {

using namespace tilewright;
using Json = nlohmann::json;

/// Of a text, without the constant that the simulated model adds where it knows nothing more: nothing uses it.
std::string identityOf(const std::string& text)
{
    static const std::regex idle("constexpr int SIMULATED_\\d+ = \\d+;\n");
    return formOf(std::regex_replace(text, idle, "")).hex();
}

/// As the node judges a text: whether it builds, is right, and its speed relative to the seed.
Json judgementOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    const bool builds = text.str().find("FAKE_BUILD_ERROR") == std::string::npos;
    const bool isRight = text.str().find("FAKE_REFUSED") == std::string::npos;
    return {{"identity", identityOf(text.str())}, {"builds", builds}, {"right", isRight},
        {"speed", builds && isRight ? testing::syntheticSpeed(text.str()) : 0.0}};
}

/// Best speed after a number of replies, by the landscape itself; a version counts with the reply of its program.
Json bestAt(const RunState& run, const std::map<std::int64_t, double>& speedByReply)
{
    Json best = Json::object();
    for (const std::int64_t replies : {30, 60, 120}) {
        double most = 1;
        for (const auto& [reply, speed] : speedByReply)
            if (reply <= replies)
                most = std::max(most, speed);
        best[std::to_string(replies)] = most;
    }
    best["end"] = run.best() && run.best()->score ? run.best()->score->value : 0.0;
    return best;
}

Json resultOf(const RunState& run, const std::string& path)
{
    auto reader = SessionReader::open(path);
    std::set<std::string> useful; // programs that rank, all versions of one together
    std::set<Hash> structures; // of all programs that replies wrote: tunables masked
    std::vector<std::string> recombined; // programs of edits that were tried on other programs
    std::int64_t newestReply = 0;
    std::map<std::int64_t, double> speedByReply;
    std::int64_t versions = 0;
    for (const Candidate& candidate : run.candidates) {
        if (candidate.migrated || !candidate.isRanked() || candidate.parents.empty())
            continue;
        const Candidate& base = *run.candidate(tuningBase(run, candidate.id));
        const Proposal* proposal = run.proposal(base.proposal);
        newestReply = std::max(newestReply, proposal ? proposal->modelRequest.value : 0);
        const bool isRecombined = proposal && proposal->proposer == recombinerName;
        const std::int64_t reply = isRecombined ? newestReply : proposal ? proposal->modelRequest.value : 0;
        versions += candidate.id != base.id;
        const auto program = reader ? (*reader)->text(base.source) : Result<std::string>();
        if (program && isRecombined) {
            recombined.push_back(*program);
        } else if (program && reply > 0) {
            useful.insert(identityOf(*program));
            structures.insert(structureOf(*program));
        }
        if (const auto text = reader ? (*reader)->text(candidate.source) : Result<std::string>(); text)
            speedByReply[reply] = std::max(speedByReply[reply], testing::syntheticSpeed(*text));
    }
    const std::size_t written = useful.size();
    for (const std::string& program : recombined)
        if (structures.insert(structureOf(program)).second)
            useful.insert(identityOf(program));
    std::map<std::string, std::int64_t> outcomes;
    for (const Proposal& proposal : run.proposals)
        if (proposal.modelRequest)
            ++outcomes[nameOf(proposal.state) + (proposal.repairOf ? " (repair)" : "")];
    const auto resets = std::ranges::count(run.islandChanges, IslandChangeKind::Reset, &IslandChange::kind);
    return {{"replies", repliesSpent(run)}, {"resets", resets}, {"useful", useful.size()},
        {"recombined", useful.size() - written}, {"versions", versions}, {"evaluations", run.evaluationsStarted},
        {"tokens", run.tokensSpent}, {"best_at", bestAt(run, speedByReply)}, {"proposals", outcomes},
        {"phase", run.phaseReason}};
}

QString option(const QString& name, const QString& otherwise = {})
{
    const QStringList arguments = QCoreApplication::arguments();
    const qsizetype at = arguments.indexOf(name);
    return at > 0 && at + 1 < arguments.size() ? arguments[at + 1] : otherwise;
}

Json runOnce()
{
    QTemporaryDir folder;
    NewSession session;
    session.path = option(QStringLiteral("--session"), folder.filePath(QStringLiteral("bench.tilewright")));
    session.pack = testing::gemmPack();
    session.settings.proposer = "model:" + option(QStringLiteral("--models")).toStdString();
    session.settings.seed = option(QStringLiteral("--seed"), QStringLiteral("1")).toULongLong();
    session.settings.budget.replies = option(QStringLiteral("--replies"), QStringLiteral("120")).toLongLong();
    session.settings.tuning = option(QStringLiteral("--tune"), QStringLiteral("24")).toInt();
    session.settings.recombinations = option(QStringLiteral("--recombine"), QStringLiteral("8")).toInt();
    session.settings.edits = option(QStringLiteral("--edits"), QStringLiteral("0")).toInt();
    const std::string strategy = option(QStringLiteral("--strategy"), QStringLiteral("evolve")).toStdString();
    session.settings.strategies.assign(static_cast<std::size_t>(session.settings.islands), strategy);
    for (const SteeredCount& count : steeredCounts) {
        const QString given = option(QStringLiteral("--") + QString::fromLatin1(count.word));
        for (std::int64_t island = 1; strategy == "evolve" && !given.isEmpty() && island <= session.settings.islands;
             ++island)
            session.steering[{island}].*count.member = given.toInt();
    }
    Engine engine;
    engine.setNodeCommand({QStringLiteral(TILEWRIGHT_FAKE_NODE)});
    Json result;
    QObject::connect(&engine, &Engine::failed, &engine, [](const QString& code, const QString& text, const QString&) {
        std::fprintf(stderr, "%s: %s\n", qPrintable(code), qPrintable(text));
    });
    QObject::connect(&engine, &Engine::phaseEnded, &engine, [&](const SnapshotPtr& snapshot) {
        result = resultOf(snapshot->run, session.path.toStdString());
        engine.close();
    });
    QObject::connect(&engine, &Engine::closed, &engine, [] { QCoreApplication::exit(0); });
    engine.create(session);
    QCoreApplication::exec();
    return result;
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    const std::string judged = option(QStringLiteral("--judge")).toStdString();
    if (judged.empty() && option(QStringLiteral("--models")).isEmpty()) {
        std::fprintf(stderr, "bench-engine needs --models FILE or --judge PROGRAM\n");
        return 2;
    }
    const Json result = judged.empty() ? runOnce() : judgementOf(judged);
    std::printf("%s\n", dumped(result).c_str());
    return result.is_null() ? 5 : 0;
}
