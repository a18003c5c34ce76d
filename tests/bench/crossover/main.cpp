// SPDX-License-Identifier: GPL-3.0-or-later
// From which size on is one level of Strassen's scheme, and of Winograd's variant, faster than the program that it is
// made of? For each, a derived task with square sizes is written, the scheme's program is checked by all gates of the
// task and timed in turns with its leaf, by the evaluator of every run.
//   bench-crossover LEAF [--sizes 256,384,512,768,1024] [--levels N] [--scheme NAME]
// LEAF is a program of gemm-fp32-cpu: 'tilewright-cli save SESSION ID --out FILE' writes one.
#include "core/base/files.h"
#include "core/base/folders.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/compare/crossover.h"
#include "core/node/cpu_device.h"
#include "core/pack/scheme_task.h"
#include "core/tensor/known_schemes.h"
#include "tests/bench/crossover/leaf_file.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>

using namespace tilewright;

namespace {

[[noreturn]] void stop(const Error& error, int code)
{
    std::fprintf(stderr, "bench-crossover: %s\n", error.text.c_str());
    std::exit(code);
}

template <typename Value> Value wanted(Result<Value> result)
{
    if (!result)
        stop(result.error(), 2);
    return std::move(*result);
}

struct Order {
    std::string leaf;
    std::vector<std::int64_t> sizes{256, 384, 512, 768, 1024};
    std::vector<std::string> schemes{"strassen", "winograd"};
    int levels = 1;
};

std::optional<std::int64_t> numberIn(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    return problem == std::errc{} && end == text.data() + text.size() && number > 0 && number <= 8192
        ? std::optional(number)
        : std::nullopt;
}

std::optional<Order> orderOf(int argc, char** argv)
{
    if (argc < 2 || argc % 2 != 0)
        return std::nullopt;
    Order order;
    order.leaf = argv[1];
    for (int i = 2; i + 1 < argc; i += 2) {
        const std::string_view option = argv[i], value = argv[i + 1];
        if (option == "--sizes") {
            order.sizes.clear();
            for (std::size_t from = 0; from <= value.size();) {
                const std::size_t comma = std::min(value.find(',', from), value.size());
                const auto size = numberIn(value.substr(from, comma - from));
                if (!size)
                    return std::nullopt;
                order.sizes.push_back(*size);
                from = comma + 1;
            }
            std::ranges::sort(order.sizes);
        } else if (option == "--levels") {
            const auto levels = numberIn(value);
            if (!levels)
                return std::nullopt;
            order.levels = static_cast<int>(*levels);
        } else if (option == "--scheme") {
            order.schemes = {std::string(value)};
        } else {
            return std::nullopt;
        }
    }
    return order;
}

class Bench
{
public:
    Bench() { m_device.acquire(); }

    /// The program beside its leaf at each size.
    std::vector<CrossoverPoint> measure(const TaskPack& pack, const std::string& leaf)
    {
        const Hash task = sha256(pack.blob()), program = build(pack, pack.seed()), itsLeaf = build(pack, leaf);
        for (const Hash& artifact : {program, itsLeaf}) {
            CheckRequest request;
            request.task = task;
            request.artifact = artifact;
            request.evaluation = "crossover check " + std::to_string(++m_serial);
            request.all = true;
            if (const CheckReply reply = m_device.check(request, pack, {}); !reply.ok)
                stop({reply.rule, reply.rule + ": " + reply.text, {}, nullptr}, 4);
        }
        TimeRequest request;
        request.task = task;
        request.candidate = program;
        request.incumbent = request.baseline = itsLeaf;
        request.incumbentScore = Interval{1, 1, 1};
        request.evaluation = "crossover " + std::to_string(++m_serial);
        auto timed = m_device.time(request, pack, {});
        if (!timed)
            stop(timed.error(), 6);
        const EvaluationResult result = judged(std::move(*timed)).result;
        if (result.outcome != Outcome::Ranked)
            stop({result.rule, pack.task.name + " was not ranked: " + result.rule + " " + result.evidence.dump(), {},
                     nullptr},
                4);
        std::vector<CrossoverPoint> points;
        for (const ShapeResult& shape : result.shapes)
            if (shape.versusIncumbent) {
                const Interval& ratio = *shape.versusIncumbent;
                points.push_back({shape.shape[0], ratio});
                const double gigaflops = pack.task.flopsOf(shape.shape) / shape.candidateNs;
                std::printf("  %5lld  %9.3f ms  %6.1f GFLOP/s of the definition  %.4fx the leaf [%.4f, %.4f]\n",
                    static_cast<long long>(shape.shape[0]), shape.candidateNs / 1e6, gigaflops, ratio.value, ratio.lo,
                    ratio.hi);
            }
        std::fflush(stdout);
        return points;
    }

private:
    Hash build(const TaskPack& pack, const std::string& source)
    {
        const BuildOutcome outcome = m_builder.buildCandidate(pack.task, source);
        if (!outcome.ok)
            stop({"build/error", outcome.text + "\n" + outcome.log, {}, nullptr}, 5);
        return outcome.artifact;
    }

    std::filesystem::path m_worker = programFolder().parent_path() / "bin/tilewright-worker";
    Sandbox m_sandbox{m_worker};
    Builder m_builder{m_sandbox, cacheFolder() / "build", splitCores().builders};
    CpuDevice m_device{m_sandbox, m_builder, m_worker, "bench"};
    int m_serial = 0;
};

} // namespace

int main(int argc, char** argv)
{
    const auto order = orderOf(argc, argv);
    if (!order) {
        std::fprintf(
            stderr, "bench-crossover LEAF [--sizes 256,384,512,768,1024] [--levels N] [--scheme strassen|winograd]\n");
        return 2;
    }
    const TaskPack from = wanted(findTaskPack("gemm-fp32-cpu"));
    const std::string leaf = wanted(bench::leafIn(order->leaf));
    Bench bench;
    for (const std::string& name : order->schemes) {
        const tensor::Scheme scheme = wanted(tensor::knownScheme(name));
        SchemeTaskOptions options{"crossover-" + name, {}, {}};
        options.code.levels = order->levels;
        options.code.cutoff = 64; // the sizes decide, not the cut-off
        options.code.leaf = leaf;
        options.code.leafName = "its leaf";
        for (const std::int64_t size : order->sizes)
            options.train.push_back({size, size, size});
        const TaskPack pack = wanted(schemeTask(scheme, from, options));
        std::printf("%s, %d level%s\n", name.c_str(), order->levels, order->levels == 1 ? "" : "s");
        std::printf("  crossover: %s\n", crossoverText(bench.measure(pack, leaf)).c_str());
        std::fflush(stdout);
    }
    return 0;
}
