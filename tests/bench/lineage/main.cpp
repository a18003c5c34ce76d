// SPDX-License-Identifier: GPL-3.0-or-later
// bench-lineage: how long the git view of a long session takes, and how much room. The session is made: programs are
// that of the best of the shipped GPU demo with one to four lines changed in each generation, a tenth are crossovers, a
// tenth do not build, bests are confirmed. Not part of ctest.
//   bench-lineage [CANDIDATES] [--keep FILE]
// Exit code 1 where a limit is missed.
#include "core/base/random.h"
#include "core/base/text.h"
#include "core/lineage/line_origins.h"
#include "core/lineage/lineage_repository.h"
#include "core/store/packed_session.h"
#include "core/store/session_reader.h"
#include "core/store/session_writer.h"
#include "tests/lineage/made_run.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sys/stat.h>
#include <type_traits>

namespace {

using namespace tilewright;
using Clock = std::chrono::steady_clock;

constexpr double mostSeconds = 20, mostMegabytes = 150; ///< for 10 000 candidates
constexpr std::size_t steps = 100;

template <typename T> T orGiveUp(Result<T> result)
{
    if (!result) {
        std::fprintf(stderr, "bench-lineage: %s\n", result.error().line().c_str());
        std::exit(2);
    }
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string demoProgram(const std::string& folder)
{
    const std::string file = folder + "/demo.tilewright";
    orGiveUp(unpackSession(shippedDemo("gemm-h200"), file));
    const auto reader = orGiveUp(SessionReader::open(file));
    const RunState state = orGiveUp(reader->load());
    return orGiveUp(reader->text(state.best()->source));
}

/// One to four lines of it are others.
std::string changed(const std::string& text, CounterRandom& random)
{
    const std::vector<std::string_view> lines = splitLines(text);
    std::set<std::size_t> others;
    for (std::uint64_t i = 0, count = 1 + random.below(4); i < count; ++i)
        others.insert(random.below(lines.size()));
    std::string changed;
    for (std::size_t i = 0; i < lines.size(); ++i)
        changed += (others.contains(i) ? "    const int v" + std::to_string(random.below(1'000'000)) + " = "
                               + std::to_string(random.below(1'000'000)) + " * stride;"
                                       : std::string(lines[i]))
            + "\n";
    return changed;
}

test::MadeRun madeRun(const std::string& seed, std::int64_t candidates)
{
    test::MadeRun run(seed);
    constexpr std::size_t living = 24;
    std::vector<CandidateId> members{{1}};
    double best = 1;
    for (std::int64_t number = 2; number <= candidates; ++number) {
        CounterRandom random(1, 3, static_cast<std::uint64_t>(number));
        const CandidateId parent = members[random.below(members.size())], other = members[random.below(members.size())];
        test::MadeRun::Edit edit;
        edit.parents = {parent};
        if (other != parent && random.uniform() < 0.1)
            edit.parents.push_back(other);
        edit.text = changed(run.text(parent), random);
        edit.score = random.uniform() < 0.1
            ? 0
            : run.state().candidate(parent)->score->value * (0.97 + 0.07 * random.uniform());
        edit.title = "Change " + std::to_string(number);
        edit.reasoning = "What stands there costs a load in each turn of the loop; it is computed before it now.";
        edit.island = {1 + static_cast<std::int64_t>(random.below(2))};
        if (random.uniform() < 0.5) {
            edit.proposer = "model";
            edit.model = "model-" + std::to_string(random.below(3));
        }
        const CandidateId made = run.add(edit);
        if (edit.score <= 0)
            continue;
        if (edit.score > best && random.uniform() < 0.2) {
            best = edit.score;
            run.confirm(made, best);
        }
        if (members.size() < living)
            members.push_back(made);
        else
            members[random.below(living)] = made;
    }
    return run;
}

void writeSession(const std::string& path, const test::MadeRun& run)
{
    const TaskPack pack = orGiveUp(TaskPack::fromBlob(run.texts().at(run.state().settings.task)));
    const auto writer = orGiveUp(SessionWriter::create(path, pack, run.events().front()));
    for (const auto& [hash, text] : run.texts())
        writer->putText(text);
    RunState state;
    orGiveUp(apply(state, run.events().front()));
    for (std::size_t i = 1; i < run.events().size(); ++i) {
        orGiveUp(apply(state, run.events()[i]));
        writer->append(run.events()[i], state);
    }
    orGiveUp(writer->commit(state));
}

/// What `du` counts: blocks, not bytes.
double megabytesOf(const std::filesystem::path& folder)
{
    constexpr double blockBytes = 512;
    double blocks = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
        struct stat status {
        };
        if (::lstat(file.path().c_str(), &status) == 0)
            blocks += static_cast<double>(status.st_blocks);
    }
    return blocks * blockBytes * 1e-6;
}

bool isWithin(const char* what, double value, const char* unit, double limit)
{
    std::printf("%-34s %8.2f %s (limit %g: %s)\n", what, value, unit, limit, value <= limit ? "met" : "missed");
    return value <= limit;
}

bool measureAtOnce(const std::string& session, const std::string& folder)
{
    const auto start = Clock::now();
    const auto reader = orGiveUp(SessionReader::open(session));
    const auto lineage = orGiveUp(LineageRepository::open(folder));
    RunState state;
    orGiveUp(reader->follow(state, [&](const Event& event, const RunState& after) { lineage->take(event, after); }));
    const double read = secondsSince(start);
    const auto report = orGiveUp(lineage->write(state, [&](const Hash& hash) { return reader->text(hash); }));
    const double all = secondsSince(start);
    std::printf("%lld commits of admitted candidates, %lld of others; events read after %.2f s\n",
        static_cast<long long>(report.admitted), static_cast<long long>(report.kept), read);
    const bool isFast = isWithin("at once, from the session file", all, "s", mostSeconds);
    return isWithin("room", megabytesOf(folder), "MB", mostMegabytes) && isFast;
}

bool measureInSteps(const test::MadeRun& run, const std::string& folder)
{
    const auto lineage = orGiveUp(LineageRepository::open(folder));
    RunState state;
    double sum = 0, longest = 0;
    for (std::size_t i = 0; i < run.events().size(); ++i) {
        orGiveUp(apply(state, run.events()[i]));
        lineage->take(run.events()[i], state);
        if ((i + 1) % (run.events().size() / steps) != 0 && i + 1 != run.events().size())
            continue;
        const auto start = Clock::now();
        orGiveUp(lineage->write(state, run.textOf()));
        const double took = secondsSince(start);
        sum += took;
        longest = std::max(longest, took);
    }
    std::printf("in %zu steps: %.2f s, the longest %.2f s\n", steps, sum, longest);
    return isWithin("room after that", megabytesOf(folder), "MB", mostMegabytes);
}

void measureBlame(const std::string& session)
{
    const auto reader = orGiveUp(SessionReader::open(session));
    const RunState state = orGiveUp(reader->load());
    const Candidate* deepest = &state.candidates[0];
    for (const Candidate& candidate : state.candidates)
        if (candidate.generation > deepest->generation)
            deepest = &candidate;
    const auto start = Clock::now();
    const auto origins
        = orGiveUp(lineOriginsOf(state, deepest->id, [&](const Hash& hash) { return reader->text(hash); }));
    std::printf("blame of %s, %d generations, %zu lines: %.2f s\n", candidateName(deepest->id).c_str(),
        deepest->generation, origins.lines.size(), secondsSince(start));
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const qsizetype kept = arguments.indexOf(QStringLiteral("--keep"));
    const std::int64_t candidates = arguments.size() > 1 ? arguments[1].toLongLong() : 10'000;
    if (candidates < 100 || (kept >= 0 && kept + 1 >= arguments.size())) {
        std::fprintf(stderr, "bench-lineage [CANDIDATES] [--keep FILE]\n");
        return 2;
    }
    const QTemporaryDir temporary;
    const std::string folder = temporary.path().toStdString();
    const std::string session = kept >= 0 ? arguments[kept + 1].toStdString() : folder + "/long.tilewright";
    const std::string seed = demoProgram(folder);
    const test::MadeRun run = madeRun(seed, candidates);
    writeSession(session, run);
    std::printf("%lld candidates, %zu events, programs of %zu bytes\n", static_cast<long long>(candidates),
        run.events().size(), seed.size());
    const bool isGoodAtOnce = measureAtOnce(session, folder + "/once.git");
    const bool isGoodInSteps = measureInSteps(run, folder + "/steps.git");
    measureBlame(session);
    return isGoodAtOnce && isGoodInSteps ? 0 : 1;
}
