// SPDX-License-Identifier: GPL-3.0-or-later
// How often are verdicts right? One program against itself N times (none should be better), and against a copy of
// itself that a planted loop makes 3 % slower (all should be worse), through the same screening as in a run.
//   bench-noise SOURCE [--same N] [--slower N] [--percent P]
#include "core/base/files.h"
#include "core/base/folders.h"
#include "core/node/cpu_device.h"
#include "core/source/program_text.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace tilewright;

namespace {

constexpr int calibrations = 6;
constexpr double calibratedSlowdown = 0.2;

struct Bench {
    TaskPack pack;
    Hash task;
    Sandbox sandbox{programFolder().parent_path() / "bin/tilewright-worker"};
    Builder builder{sandbox, cacheFolder() / "build", splitCores().builders};
    CpuDevice device{sandbox, builder, programFolder().parent_path() / "bin/tilewright-worker", "bench"};
    int serial = 0;

    Hash build(const std::string& source)
    {
        const BuildOutcome outcome = builder.buildCandidate(pack.task, source);
        if (!outcome.ok) {
            std::fprintf(stderr, "bench-noise: %s\n%s\n", outcome.text.c_str(), outcome.log.c_str());
            std::exit(5);
        }
        return outcome.artifact;
    }

    /// The verdict of one screening; repeats while the machine is too busy.
    EvaluationResult screen(const Hash& candidate, const Hash& incumbent)
    {
        for (;;) {
            TimeRequest request;
            request.task = task;
            request.candidate = candidate;
            request.incumbent = request.baseline = incumbent;
            request.evaluation = "bench " + std::to_string(++serial);
            request.incumbentScore = Interval{1, 1, 1};
            if (auto timed = device.time(request, pack, {})) {
                device.measureNoise(request, pack, {});
                return judged(std::move(*timed)).result;
            } else {
                std::fprintf(stderr, "%s\n", timed.error().text.c_str());
            }
        }
    }
};

/// The program with a loop in front of its work that takes this share of each shape's time: `extra` nanoseconds for
/// each million of operations, as a chain of dependent multiplications that no compiler folds.
std::string slowed(const std::string& source, double imulPerMegaflop)
{
    std::string text = source;
    const std::string entry = "extern \"C\" void tilewright_run(const Args& ";
    const std::size_t at = text.find(entry);
    const std::size_t brace = text.find('{', at);
    if (at == std::string::npos || brace == std::string::npos)
        return {};
    const std::size_t nameAt = at + entry.size();
    const std::string name = text.substr(nameAt, text.find(')', nameAt) - nameAt);
    char loop[512];
    std::snprintf(loop, sizeof loop,
        "\n    unsigned long planted = 3;\n    for (long i = long(2e-6 * %s.dims.M * %s.dims.N * %s.dims.K * %.3f); i "
        "> 0; --i)\n"
        "        asm volatile(\"imul %%0, %%0\" : \"+r\"(planted));\n",
        name.c_str(), name.c_str(), name.c_str(), imulPerMegaflop);
    return text.insert(brace + 1, loop);
}

} // namespace

int main(int argc, char** argv)
{
    constexpr const char* usage = "bench-noise SOURCE [--same N] [--slower N] [--percent P]";
    if (argc < 2 || argv[1][0] == '-') {
        std::fprintf(stderr, "%s\n", usage);
        return 2;
    }
    int same = 400, slower = 100;
    double percent = 3;
    for (int i = 2; i + 1 < argc; i += 2) {
        if (std::strcmp(argv[i], "--same") == 0)
            same = std::atoi(argv[i + 1]);
        else if (std::strcmp(argv[i], "--slower") == 0)
            slower = std::atoi(argv[i + 1]);
        else if (std::strcmp(argv[i], "--percent") == 0)
            percent = std::atof(argv[i + 1]);
    }
    auto pack = findTaskPack("gemm-fp32-cpu");
    const auto source = readFile(argv[1]);
    if (!pack || !source) {
        std::fprintf(stderr, "%s\n", (pack ? source.error() : pack.error()).text.c_str());
        return 2;
    }
    Bench bench;
    bench.pack = std::move(*pack);
    bench.task = sha256(bench.pack.blob());
    bench.device.acquire();
    const Hash program = bench.build(*source);
    for (int i = 0; i < 10; ++i) // the rolling noise floor is known before anything counts
        bench.screen(program, program);

    // Calibrate the planted loop: its cost grows with its length, and a large one is measured best.
    double dose = 100, measured = 0;
    for (int step = 0; step < (slower > 0 ? 3 : 0); ++step) {
        double sum = 0;
        const Hash calibrated = bench.build(slowed(*source, dose));
        for (int i = 0; i < calibrations; ++i)
            sum += std::log(bench.screen(calibrated, program).versusIncumbent->value) / calibrations;
        measured = 1 / std::exp(sum) - 1;
        dose *= step < 2 ? calibratedSlowdown / std::max(measured, 0.01) : percent / 100 / measured;
    }
    const Hash slow = bench.build(slowed(*source, dose));

    int better = 0, worse = 0;
    double wall = 0;
    std::vector<double> spread, widths;
    for (int i = 0; i < same; ++i) {
        const EvaluationResult result = bench.screen(program, program);
        better += result.verdict == Verdict::Better;
        worse += result.verdict == Verdict::Worse;
        wall += static_cast<double>(result.wallNs) / 1e9;
        spread.push_back(std::abs(std::log(result.versusIncumbent->value)));
        widths.push_back((result.versusIncumbent->hi - result.versusIncumbent->lo) / 2);
    }
    std::printf("same against itself: %d of %d better, %d worse; noise floor %.2f %%; %.2f s each\n", better, same,
        worse, bench.device.telemetry().noiseFloor * 100, same ? wall / same : 0);
    std::printf("  ratio off by %.2f %% (median), %.2f %% (95th percentile); interval half width %.2f %% (median)\n",
        median(spread) * 100, quantile(spread, 0.95) * 100, median(widths) * 100);
    std::fflush(stdout);
    int told = 0;
    double sum = 0;
    for (int i = 0; i < slower; ++i) {
        const EvaluationResult result = bench.screen(slow, program);
        told += result.verdict == Verdict::Worse;
        sum += std::log(result.versusIncumbent->value);
    }
    std::printf("planted loop, measured %.2f %% slower: %d of %d worse; noise floor %.2f %%\n",
        slower ? (1 / std::exp(sum / slower) - 1) * 100 : 0, told, slower, bench.device.telemetry().noiseFloor * 100);
    return 0;
}
