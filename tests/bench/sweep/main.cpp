// SPDX-License-Identifier: GPL-3.0-or-later
// Does a confirmation find what is wrong on some sizes only? Confirms, as a run would,
//   - programs that are wrong on known sizes, several times each (all should be refused),
//   - programs that are wrong on sizes drawn at random (dimension, modulus up to 128, residue, threshold up to the
//     task's largest size; a third of them over two dimensions),
//   - honest programs that branch on their dimensions (all should rank).
//   bench-sweep [--task gemm-fp32-cpu|gemm-fp32|FOLDER] [--times N] [--random N] [--honest N] [--seed S]
//               [--program FILE], an honest one beside those of --honest
#include "core/base/files.h"
#include "core/base/folders.h"
#include "core/node/cpu_device.h"
#include "core/node/cuda_device.h"
#include "core/node/lasting_thread.h"
#include "tests/bench/sweep/programs.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>

using namespace tilewright;

namespace {

std::filesystem::path programNamed(const char* name) { return programFolder().parent_path() / "bin" / name; }

std::string secret() { return std::to_string(std::random_device()()) + std::to_string(std::random_device()()); }

[[noreturn]] void stop(int code, const std::string& why)
{
    std::fprintf(stderr, "bench-sweep: %s\n", why.c_str());
    std::exit(code);
}

struct Bench {
    TaskPack pack;
    Hash task;
    Sandbox sandbox{programNamed("tilewright-worker")};
    Builder cpuBuilder{sandbox, cacheFolder() / "build", splitCores().builders};
    CudaBuilder cudaBuilder{
        sandbox, programNamed("tilewright-cuda-worker"), cacheFolder() / "build", splitCores().builders, secret()};
    CudaFacts facts;
    std::unique_ptr<Device> device;
    Hash seed;
    int serial = 0;
    std::vector<std::unique_ptr<LastingThread>> builders;

    explicit Bench(TaskPack of)
        : pack(std::move(of))
        , task(sha256(pack.blob()))
    {
        if (pack.task.target == Target::Cuda) {
            GpuListing listing = listGpus(sandbox, programNamed("tilewright-cuda-worker"));
            if (listing.gpus.empty())
                stop(6, listing.whyNone.text);
            facts = listing.gpus.front();
            device = std::make_unique<CudaDevice>(
                sandbox, cudaBuilder, programNamed("tilewright-cuda-worker"), secret(), facts);
        } else {
            device = std::make_unique<CpuDevice>(sandbox, cpuBuilder, programNamed("tilewright-worker"), secret());
        }
        device->acquire();
        seed = build(pack.seed());
    }

    Hash build(const std::string& source)
    {
        const BuildOutcome outcome = pack.task.target == Target::Cuda
            ? cudaBuilder.buildCandidate(pack.task, source, facts)
            : cpuBuilder.buildCandidate(pack.task, source);
        if (!outcome.ok)
            stop(5, outcome.text + "\n" + outcome.log);
        return outcome.artifact;
    }

    /// By as many threads as there are cores for it.
    std::vector<Hash> build(const std::vector<std::string>& sources)
    {
        std::vector<Hash> built(sources.size());
        while (builders.size() < std::max<std::size_t>(1, splitCores().builders.size()))
            builders.push_back(std::make_unique<LastingThread>());
        std::vector<std::future<void>> all;
        for (std::size_t i = 0; i < sources.size(); ++i)
            all.push_back(builders[i % builders.size()]->run([&, i] { built[i] = build(sources[i]); }));
        for (const std::future<void>& each : all)
            each.wait();
        return built;
    }

    EvaluationResult confirm(const Hash& candidate)
    {
        for (;;) {
            TimeRequest request;
            request.task = task;
            request.candidate = candidate;
            request.incumbent = request.baseline = seed;
            request.purpose = Purpose::Confirm;
            request.vendor = true;
            request.evaluation = "bench " + std::to_string(++serial);
            if (auto timed = device->time(request, pack, {}))
                return judged(std::move(*timed)).result;
            else
                std::fprintf(stderr, "%s\n", timed.error().text.c_str());
        }
    }
};

std::string describe(const EvaluationResult& result)
{
    return nameOf(result.outcome) + (result.rule.empty() ? "" : " " + result.rule) + " " + result.text;
}

void known(Bench& bench, int times)
{
    const std::vector<Condition> conditions = knownConditions(bench.pack.task.target);
    for (std::size_t which = 0; which < conditions.size() && times > 0; ++which) {
        const Hash program
            = bench.build(programOf(bench.pack, {"", "M > 4 * N"}, conditions[which], which % faultCount));
        int refused = 0;
        std::string other;
        for (int i = 0; i < times; ++i) {
            const EvaluationResult result = bench.confirm(program);
            const bool isRefused = result.outcome == Outcome::Refused && result.rule.starts_with("verify/");
            refused += isRefused;
            if (!isRefused)
                other = describe(result);
        }
        std::printf("%-32s refused in %d of %d confirmations %s\n", conditions[which].name.c_str(), refused, times,
            other.c_str());
        std::fflush(stdout);
    }
}

void drawn(Bench& bench, int count, CounterRandom& random)
{
    std::vector<Condition> conditions;
    std::vector<std::string> sources;
    for (int i = 0; i < count; ++i) {
        conditions.push_back(drawnCondition(bench.pack.task, random, i % 3 == 2));
        sources.push_back(programOf(bench.pack, {"", "K > 500"}, conditions.back(), random.below(faultCount)));
    }
    const std::vector<Hash> programs = bench.build(sources);
    int refused[2] = {}, all[2] = {};
    for (int i = 0; i < count; ++i) {
        const bool two = i % 3 == 2;
        const EvaluationResult result = bench.confirm(programs[static_cast<std::size_t>(i)]);
        ++all[two];
        const bool isRefused = result.outcome == Outcome::Refused;
        refused[two] += isRefused;
        if (!isRefused)
            std::printf("not refused: %s: %s\n", conditions[static_cast<std::size_t>(i)].text.c_str(),
                describe(result).c_str());
        if ((i + 1) % 20 == 0 && i + 1 < count)
            std::printf("%d of %d confirmed\n", i + 1, count);
        std::fflush(stdout);
    }
    std::printf("drawn at random: %d of %d over one dimension and %d of %d over two refused\n", refused[0], all[0],
        refused[1], all[1]);
    std::fflush(stdout);
}

void honest(Bench& bench, int count, CounterRandom& random, const std::vector<std::string>& files)
{
    std::vector<std::string> sources;
    std::vector<Condition> branches;
    for (const std::string& file : files) {
        const auto text = readFile(file);
        if (!text)
            stop(2, text.error().text);
        sources.push_back(*text);
        branches.push_back({"", file});
        ++count;
    }
    while (static_cast<int>(sources.size()) < count) {
        const int i = static_cast<int>(sources.size());
        branches.push_back(drawnCondition(bench.pack.task, random, i % 2 == 0));
        sources.push_back(programOf(bench.pack, branches.back(), {}, 0));
    }
    const std::vector<Hash> programs = bench.build(sources);
    int ranked = 0;
    double share = 0, most = 0, seconds = 0, launches = 0;
    for (int i = 0; i < count; ++i) {
        const EvaluationResult result = bench.confirm(programs[static_cast<std::size_t>(i)]);
        if (result.outcome != Outcome::Ranked) {
            std::printf("honest, not ranked: %s: %s\n", branches[static_cast<std::size_t>(i)].text.c_str(),
                describe(result).c_str());
            continue;
        }
        ++ranked;
        const nlohmann::json& sweep = result.environment.at("size_sweep");
        const double spent = sweep.at("ns").get<double>();
        const double added = spent / (static_cast<double>(result.wallNs) - spent);
        share += added;
        most = std::max(most, added);
        seconds += static_cast<double>(result.wallNs) / 1e9;
        if (i == 0)
            std::printf("%s %s\n", sweep.dump().c_str(),
                result.environment.value("timing_spent_ns", nlohmann::json()).dump().c_str());
        launches += sweep.at("residues").get<double>() + sweep.at("suggested").get<double>()
            + sweep.at("large").get<double>() + sweep.at("pairs").get<double>();
    }
    const double of = std::max(1, ranked);
    std::printf(
        "honest programs that branch on their sizes: %d of %d ranked; the sweep added %.1f %% of a confirmation "
        "(%.1f %% at most), of %.1f s, with %.0f launches\n",
        ranked, count, share / of * 100, most * 100, seconds / of, launches / of);
}

} // namespace

int main(int argc, char** argv)
{
    int times = 20, random = 200, branching = 50;
    std::uint64_t seed = 1;
    std::string task = "gemm-fp32-cpu";
    std::vector<std::string> files;
    if (argc % 2 == 0)
        stop(2,
            "bench-sweep [--task T] [--times N] [--random N] [--honest N] [--seed S] [--program FILE]: how many of the "
            "known wrong programs (N times each), of random ones and of honest ones are refused");
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::strcmp(argv[i], "--task") == 0)
            task = argv[i + 1];
        else if (std::strcmp(argv[i], "--times") == 0)
            times = std::atoi(argv[i + 1]);
        else if (std::strcmp(argv[i], "--random") == 0)
            random = std::atoi(argv[i + 1]);
        else if (std::strcmp(argv[i], "--honest") == 0)
            branching = std::atoi(argv[i + 1]);
        else if (std::strcmp(argv[i], "--program") == 0)
            files.emplace_back(argv[i + 1]);
        else if (std::strcmp(argv[i], "--seed") == 0)
            seed = std::strtoull(argv[i + 1], nullptr, 10);
        else
            stop(2, std::string("unknown option ") + argv[i]);
    }
    auto pack = findTaskPack(task);
    if (!pack)
        stop(2, pack.error().text);
    Bench bench(std::move(*pack));
    std::printf("task %s, device %s\n", bench.pack.task.name.c_str(), bench.device->describe().name.c_str());
    CounterRandom draws(seed, 1, 0);
    known(bench, times);
    drawn(bench, random, draws);
    honest(bench, branching, draws, files);
    return 0;
}
