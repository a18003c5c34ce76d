// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/sweep/programs.h"

#include <algorithm>
#include <stdexcept>

namespace tilewright {
namespace {

/// The last depth is dropped, the last column zero, the last row a hundredth too large, the last element off.
const char* const faultsOnCpu[faultCount] = {
    "for (int i = 0; i < M; ++i) for (int j = 0; j < N; ++j) C[long(i) * N + j] -= A[long(i) * K + K - 1] * B[long(K - "
    "1) * N + j];",
    "for (int i = 0; i < M; ++i) C[long(i) * N + N - 1] = 0;",
    "for (int j = 0; j < N; ++j) C[long(M - 1) * N + j] *= 1.01f;",
    "C[long(M) * N - 1] += 0.5f;",
};

/// The same for the element of one thread.
const char* const faultsOnGpu[faultCount] = {
    "C[row * N + column] -= A[row * K + K - 1] * B[(K - 1) * N + column];",
    "if (column == N - 1) C[row * N + column] = 0;",
    "if (row == M - 1) C[row * N + column] *= 1.01f;",
    "if (row == M - 1 && column == N - 1) C[row * N + column] += 0.5f;",
};

std::string programOnCpu(const Condition& branch, const Condition& wrong, std::size_t fault)
{
    return "// EVOLVE-BLOCK-START\nextern \"C\" void tilewright_run(const Args& args)\n{\n"
           "    const int M = args.dims.M, N = args.dims.N, K = args.dims.K;\n"
           "    const float* __restrict A = args.A; const float* __restrict B = args.B; float* __restrict C = args.C;\n"
           "    const int tile = ("
        + branch.text
        + ") ? 256 : 64;\n"
          "    for (int i = 0; i < M; ++i) for (int j = 0; j < N; ++j) C[long(i) * N + j] = 0;\n"
          "    for (int k0 = 0; k0 < K; k0 += tile)\n"
          "        for (int i = 0; i < M; ++i)\n"
          "            for (int k = k0; k < (k0 + tile < K ? k0 + tile : K); ++k) {\n"
          "                const float a = A[long(i) * K + k];\n"
          "                for (int j = 0; j < N; ++j) C[long(i) * N + j] += a * B[long(k) * N + j];\n"
          "            }\n"
        + (wrong.text.empty() ? std::string() : "    if (" + wrong.text + ") { " + faultsOnCpu[fault] + " }\n")
        + "}\n// EVOLVE-BLOCK-END\n";
}

void replaceOnce(std::string& text, const std::string& what, const std::string& by)
{
    const std::size_t at = text.find(what);
    if (at == std::string::npos)
        throw std::runtime_error("the seed no longer has '" + what + "'");
    text.replace(at, what.size(), by);
}

/// The seed with two tiles to choose from. The tile of the branch has an instance of its own, which is built only where
/// a plan asks for it.
std::string programOnGpu(const std::string& seed, const Condition& branch, const Condition& wrong, std::size_t fault)
{
    std::string text = seed;
    replaceOnce(text, "Product<TX, TY, TM, TN, BK>::run(a);",
        "using P = Product<TX, TY, TM, TN, BK>;\n    P::run(a);\n"
            + (wrong.text.empty() ? std::string()
                                  : "    const long long M = a.dims.M, N = a.dims.N, K = a.dims.K;\n"
                                    "    const long long row = P::first_row() + P::own_row(), column = "
                                    "P::first_column() + P::own_column();\n"
                                    "    const float* A = a.A; const float* B = a.B; float* C = a.C;\n"
                                    "    if (row < M && column < N && ("
                        + wrong.text + ")) { " + faultsOnGpu[fault] + " }\n"));
    replaceOnce(text, "TW_FN Launch& add_product(Plan& plan, Dims d, Device device) { return Large::add(plan, d); }",
        "using Other = Product<TX / 2, TY * 2, TM, TN, BK>;\n"
        "TW_FN Launch& add_product(Plan& plan, Dims d, Device device)\n{\n"
        "    const int M = d.M, N = d.N, K = d.K;\n"
        "    return ("
            + branch.text + ") ? Other::add(plan, d) : Large::add(plan, d);\n}");
    return text;
}

} // namespace

std::vector<Condition> knownConditions(Target target)
{
    std::vector<Condition> known{{"odd K above 2 000", "K % 2 == 1 && K > 2000"},
        {"N = 32 n + 17 above 300", "N % 32 == 17 && N > 300"}, {"modulus 96 of M", "M % 96 == 41"},
        {"modulus 100 of K", "K % 100 == 77"}, {"M and N have the same residue", "M % 96 == N % 96 && M > 200"},
        {"beyond the largest N", target == Target::Cuda ? "N > 8192" : "N > 1024"},
        {"modulus 127 of N above 1 000", "N % 127 == 5 && N > 1000"}};
    return known;
}

Condition drawnCondition(const Task& task, CounterRandom& random, bool two)
{
    const auto largest = [&](std::size_t d) {
        std::int64_t size = 0;
        for (const auto* list : {&task.train, &task.heldout})
            for (const Shape& shape : *list)
                size = std::max(size, shape[d]);
        return size;
    };
    const std::size_t d = random.below(3), e = (d + 1 + random.below(2)) % 3;
    const std::uint64_t modulus = 2 + random.below(127);
    const std::string first = task.dims[d].name, second = task.dims[e].name, m = std::to_string(modulus),
                      residue = std::to_string(random.below(modulus)),
                      beyond = first + " > " + std::to_string(random.below(static_cast<std::uint64_t>(largest(d))));
    if (!two)
        return {first, first + " % " + m + " == " + residue + " && " + beyond};
    switch (random.below(3)) {
    case 0: // both have the same residue
        return {first + "=" + second, first + " % " + m + " == " + second + " % " + m + " && " + beyond};
    case 1: // one residue of their sum
        return {first + "+" + second, "(" + first + " + " + second + ") % " + m + " == " + residue + " && " + beyond};
    default: { // a residue of each
        const std::uint64_t other = 2 + random.below(127);
        return {first + "," + second,
            first + " % " + m + " == " + residue + " && " + second + " % " + std::to_string(other)
                + " == " + std::to_string(random.below(other)) + " && " + beyond};
    }
    }
}

std::string programOf(const TaskPack& pack, const Condition& branch, const Condition& wrong, std::size_t fault)
{
    return pack.task.target == Target::Cuda ? programOnGpu(pack.seed(), branch, wrong, fault)
                                            : programOnCpu(branch, wrong, fault);
}

} // namespace tilewright
