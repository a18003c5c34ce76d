// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/code.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/tensor/additions.h"
#include "core/tensor/transforms.h"
#include "core/tensor/verification.h"

#include <algorithm>
#include <bit>

namespace tilewright::tensor {
namespace {

constexpr const char* plainLeaf = R"(// The product below the cut-off.
extern "C" unsigned long leaf_workspace(const Dims&) { return 0; }

extern "C" void leaf_run(const Args& args)
{
    const long N = args.dims.N, K = args.dims.K;
    for (int i = 0; i < args.dims.M; ++i) {
        float* const c = args.C + i * N;
        for (long j = 0; j < N; ++j)
            c[j] = 0.0f;
        for (long k = 0; k < K; ++k) {
            const float a = args.A[i * K + k];
            const float* const b = args.B + k * N;
            for (long j = 0; j < N; ++j)
                c[j] += a * b[j];
        }
    }
}
)";

// What does not depend on the scheme, in front of its level and behind it. BLOCKS_N, BLOCKS_M and BLOCKS_P are its
// format.

constexpr const char* beforeLevel = R"(
/// A block, and what it is multiplied by in a sum.
struct Term {
    const float* data;
    long pitch; // from one row to the next
    float factor;
};

/// The sum of blocks, or, with ADDS, what stands there and the sum.
template <bool ADDS, int COUNT>
inline void combine(float* to, long pitch, long rows, long columns, const Term (&terms)[COUNT])
{
    for (long i = 0; i < rows; ++i) {
        float* const row = to + i * pitch;
#pragma GCC ivdep
        for (long j = 0; j < columns; ++j) {
            float sum = ADDS ? row[j] : 0.0f;
#pragma GCC unroll 8
            for (int t = 0; t < COUNT; ++t)
                sum += terms[t].factor * terms[t].data[i * terms[t].pitch + j];
            row[j] = sum;
        }
    }
}

/// So many floats that the next buffer begins at a multiple of 64 bytes.
inline long aligned(long count) { return (count + 15) / 16 * 16; }

inline bool takes_level(long M, long N, long K, int level)
{
    const long smallest = M < N ? (M < K ? M : K) : (N < K ? N : K);
    return level < LEVELS && smallest >= CUTOFF && M >= BLOCKS_N && K >= BLOCKS_M && N >= BLOCKS_P;
}

inline long rounded_up(long value, long multiple) { return (value + multiple - 1) / multiple * multiple; }

/// Floats of workspace.
long workspace_of(long M, long N, long K, int level)
{
    if (!takes_level(M, N, K, level)) {
        const Dims dims = {int(M), int(N), int(K)};
        return aligned(long(leaf_workspace(dims) + 3) / 4);
    }
    const long m = rounded_up(M, BLOCKS_N), k = rounded_up(K, BLOCKS_M), n = rounded_up(N, BLOCKS_P);
    const bool pads = m != M || k != K || n != N;
    const long bm = m / BLOCKS_N, bk = k / BLOCKS_M, bn = n / BLOCKS_P;
    return (pads ? aligned(m * k) + aligned(k * n) + aligned(m * n) : 0) + BUFFERS_A * aligned(bm * bk)
        + BUFFERS_B * aligned(bk * bn) + BUFFERS_C * aligned(bm * bn) + workspace_of(bm, bn, bk, level + 1);
}

/// Copies a matrix into the corner of a larger one, the rest of which becomes zero.
void pad(const float* from, long rows, long columns, float* to, long to_rows, long to_columns)
{
    for (long i = 0; i < to_rows; ++i)
        for (long j = 0; j < to_columns; ++j)
            to[i * to_columns + j] = i < rows && j < columns ? from[i * columns + j] : 0.0f;
}

void multiply(const float* A, const float* B, float* C, long M, long N, long K, int level, float* work);
)";

constexpr const char* behindLevel = R"(
/// C = A B, all three contiguous.
void multiply(const float* A, const float* B, float* C, long M, long N, long K, int level, float* work)
{
    if (!takes_level(M, N, K, level)) {
        const Dims dims = {int(M), int(N), int(K)};
        const Args args = {dims, A, B, C, work, leaf_workspace(dims)};
        leaf_run(args);
        return;
    }
    const long m = rounded_up(M, BLOCKS_N), k = rounded_up(K, BLOCKS_M), n = rounded_up(N, BLOCKS_P);
    if (m == M && k == K && n == N) {
        multiply_level(A, B, C, M, N, K, level, work);
        return;
    }
    float* const padded_a = work;
    float* const padded_b = padded_a + aligned(m * k);
    float* const padded_c = padded_b + aligned(k * n);
    pad(A, M, K, padded_a, m, k);
    pad(B, K, N, padded_b, k, n);
    multiply_level(padded_a, padded_b, padded_c, m, n, k, level, padded_c + aligned(m * n));
    for (long i = 0; i < M; ++i)
        for (long j = 0; j < N; ++j)
            C[i * N + j] = padded_c[i * n + j];
}

} // namespace by_blocks
} // namespace

extern "C" unsigned long tilewright_workspace(const Dims& dims)
{
    return 4ul * (unsigned long)by_blocks::workspace_of(dims.M, dims.N, dims.K, 0);
}

extern "C" void tilewright_run(const Args& args)
{
    by_blocks::multiply(
        args.A, args.B, args.C, args.dims.M, args.dims.N, args.dims.K, 0, static_cast<float*>(args.workspace));
}
// EVOLVE-BLOCK-END
)";

constexpr const char* testBefore
    = R"(// Runs the program below on matrices of -1, 0 and 1 and compares with integers. Compile it by itself: g++ -O2 FILE
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct Dims { int M, N, K; };
struct Args { Dims dims; const float *A, *B; float *C; void *workspace; unsigned long workspace_bytes; };

)";

constexpr const char* testBehind = R"(
namespace {

struct Free {
    float* data;
    ~Free() { std::free(data); }
};

float* buffer(unsigned long bytes)
{
    void* const data = std::aligned_alloc(64, (bytes / 64 + 1) * 64);
    if (data)
        std::memset(data, 0xff, bytes); // not a number, wherever nothing was written
    return static_cast<float*>(data);
}

bool is_exact(int M, int N, int K)
{
    const Dims dims = {M, N, K};
    const Free a{buffer(4ul * M * K)}, b{buffer(4ul * K * N)}, c{buffer(4ul * M * N)};
    const unsigned long bytes = tilewright_workspace(dims);
    const Free work{buffer(bytes)};
    std::uint64_t state = 88172645463325252u + 1000003u * M + 1009u * N + K;
    const auto next = [&] { // xorshift (Marsaglia 2003)
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return float(int(state >> 33) % 3 - 1);
    };
    for (long i = 0; i < long(M) * K; ++i)
        a.data[i] = next();
    for (long i = 0; i < long(K) * N; ++i)
        b.data[i] = next();
    tilewright_run({dims, a.data, b.data, c.data, work.data, bytes});
    for (long i = 0; i < M; ++i)
        for (long j = 0; j < N; ++j) {
            std::int64_t sum = 0;
            for (long k = 0; k < K; ++k)
                sum += std::int64_t(a.data[i * K + k]) * std::int64_t(b.data[k * N + j]);
            if (c.data[i * N + j] != float(sum)) {
                std::printf("M=%d N=%d K=%d: element %ld, %ld is not %lld\n", M, N, K, i, j, (long long)sum);
                return false;
            }
        }
    return true;
}

} // namespace

int main()
{
    const int sizes[][3] = {{1, 1, 1}, {1, 97, 2}, {8, 8, 8}, {17, 31, 13}, {33, 9, 40}, {60, 60, 60}, {61, 67, 71},
        {100, 64, 99}, {128, 120, 144}};
    for (const auto& size : sizes)
        if (!is_exact(size[0], size[1], size[2]))
            return 1;
    std::printf("exact\n");
    return 0;
}
)";

/// A coefficient as a float of the same value; none where there is none.
std::optional<std::string> literalOf(const Coefficient& value)
{
    if (!value.isReal() || !std::has_single_bit(static_cast<std::uint64_t>(value.den)))
        return std::nullopt;
    std::string text = generalText(static_cast<double>(value.re) / static_cast<double>(value.den), 17);
    if (text.find_first_of(".e") == std::string::npos)
        text += ".0";
    return text + "f";
}

/// How the variables of a linear program are called in the program's text.
class VariableNames
{
public:
    VariableNames(char input, int inputs, std::string pitch, char step, std::string stepPitch)
        : m_input(input)
        , m_inputs(inputs)
        , m_pitch(std::move(pitch))
        , m_step(step)
        , m_stepPitch(std::move(stepPitch))
    {
    }

    std::string nameOf(int variable) const
    {
        return variable < m_inputs ? std::string(1, m_input) + std::to_string(variable)
                                   : std::string(1, m_step) + std::to_string(variable - m_inputs);
    }
    std::string termOf(const LinearTerm& term) const
    {
        return "{" + nameOf(term.variable) + ", " + (term.variable < m_inputs ? m_pitch : m_stepPitch) + ", "
            + literalOf(term.coefficient).value_or("0.0f") + "}";
    }
    bool isStep(int variable) const { return variable >= m_inputs; }

private:
    char m_input;
    int m_inputs;
    std::string m_pitch;
    char m_step;
    std::string m_stepPitch;
};

/// The statements that put a sum into a buffer, so many blocks in one pass.
std::string combineText(const std::string& to, const std::string& pitch, const std::string& size,
    const LinearForm& form, const VariableNames& names)
{
    constexpr std::size_t inOnePass = 8;
    std::string text;
    for (std::size_t first = 0; first < form.size(); first += inOnePass) {
        std::string terms;
        for (std::size_t i = first; i < std::min(first + inOnePass, form.size()); ++i)
            terms += (i == first ? "" : ", ") + names.termOf(form[i]);
        text += std::string("    combine<") + (first == 0 ? "false" : "true") + ">(" + to + ", " + pitch + ", " + size
            + ", {" + terms + "});\n";
    }
    return text;
}

std::string blocksText(char letter, const char* matrix, int rows, int columns, const char* rowSize,
    const char* columnSize, const char* pitch, const char* type)
{
    std::string text;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            text += std::string("    ") + type + "* const " + letter + std::to_string(i * columns + j) + " = " + matrix
                + " + " + std::to_string(i) + " * " + rowSize + " * " + pitch + " + " + std::to_string(j) + " * "
                + columnSize + ";\n";
    return text;
}

std::string buffersText(char letter, std::size_t count, const char* size)
{
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
        text += std::string("    float* const ") + letter + std::to_string(i) + " = work;\n    work += aligned(" + size
            + ");\n";
    return text;
}

std::string stepsText(
    const LinearProgram& program, char letter, const char* pitch, const char* size, const VariableNames& names)
{
    std::string text;
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
        const LinearStep& step = program.steps[i];
        text += combineText(
            letter + std::to_string(i), pitch, size, {{step.left, Coefficient{1}}, {step.right, step.ratio}}, names);
    }
    return text;
}

/// One level: blocks, sums, products, results.
std::string levelText(const Scheme& scheme, const SchemePrograms& programs)
{
    const Format& format = scheme.format;
    const VariableNames a('a', programs.a.inputs, "K", 's', "bk"), b('b', programs.b.inputs, "N", 't', "bn");
    const VariableNames c('m', programs.c.inputs, "bn", 'x', "bn");
    std::string text
        = "\nvoid multiply_level(const float* A, const float* B, float* C, long M, long N, long K, int level, "
          "float* work)\n{\n    const long bm = M / BLOCKS_N, bk = K / BLOCKS_M, bn = N / BLOCKS_P;\n";
    text += blocksText('a', "A", format.n, format.m, "bm", "bk", "K", "const float")
        + blocksText('b', "B", format.m, format.p, "bk", "bn", "N", "const float")
        + blocksText('c', "C", format.n, format.p, "bm", "bn", "N", "float")
        + buffersText('s', programs.a.steps.size(), "bm * bk") + buffersText('t', programs.b.steps.size(), "bk * bn")
        + buffersText('m', programs.a.outputs.size(), "bm * bn") + buffersText('x', programs.c.steps.size(), "bm * bn")
        + "    float* const left = work;\n    work += aligned(bm * bk);\n"
          "    float* const right = work;\n    work += aligned(bk * bn);\n\n"
        + stepsText(programs.a, 's', "bk", "bm, bk", a) + stepsText(programs.b, 't', "bn", "bk, bn", b);
    // A factor that is a sum computed before needs no pass of its own.
    const auto factor = [&](const LinearForm& form, const VariableNames& names, const char* buffer, const char* pitch,
                            const char* size) {
        if (form.size() == 1 && form[0].coefficient == Coefficient{1} && names.isStep(form[0].variable))
            return names.nameOf(form[0].variable);
        text += combineText(buffer, pitch, size, form, names);
        return std::string(buffer);
    };
    for (std::size_t r = 0; r < programs.a.outputs.size(); ++r) {
        const std::string left = factor(programs.a.outputs[r], a, "left", "bk", "bm, bk");
        const std::string right = factor(programs.b.outputs[r], b, "right", "bn", "bk, bn");
        text += "    multiply(" + left + ", " + right + ", m" + std::to_string(r) + ", bm, bn, bk, level + 1, work);\n";
    }
    text += stepsText(programs.c, 'x', "bn", "bm, bn", c);
    for (std::size_t k = 0; k < programs.c.outputs.size(); ++k)
        text += combineText("c" + std::to_string(k), "N", "bm, bn", programs.c.outputs[k], c);
    return text + "}\n";
}

bool isWordByte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// How often the word was replaced.
int replaceWord(std::string& text, const std::string& word, const std::string& by)
{
    int count = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
        const std::size_t end = at + word.size();
        const bool isWhole = (at == 0 || !isWordByte(text[at - 1])) && (end == text.size() || !isWordByte(text[end]));
        if (!isWhole) {
            at = end;
            continue;
        }
        text.replace(at, word.size(), by);
        at += by.size();
        ++count;
    }
    return count;
}

Result<std::string> leafText(const CodeOptions& options)
{
    if (options.leaf.empty())
        return "// EVOLVE-BLOCK-START leaf\n" + std::string(plainLeaf) + "// EVOLVE-BLOCK-END\n";
    std::string text = options.leaf;
    if (replaceWord(text, "tilewright_run", "leaf_run") == 0)
        return fail(
            "tensor/leaf", "the leaf program has no tilewright_run", "give a program of a GEMM task for the CPU");
    const bool hasWorkspace = replaceWord(text, "tilewright_workspace", "leaf_workspace") > 0;
    const bool hasMarkers = text.find("EVOLVE-BLOCK-START") != std::string::npos;
    if (!text.ends_with('\n'))
        text += '\n';
    if (!hasMarkers)
        text = "// EVOLVE-BLOCK-START leaf\n" + text + "// EVOLVE-BLOCK-END\n";
    return text + (hasWorkspace ? "" : "\nextern \"C\" unsigned long leaf_workspace(const Dims&) { return 0; }\n");
}

Result<void> checkCode(const Scheme& scheme, const CodeOptions& options)
{
    if (const auto checked = checkScheme(scheme); !checked)
        return checked;
    if (const auto real = checkRingOfCode(scheme.ring); !real)
        return real;
    if (const Verification verification = verified(scheme); !verification.isExact())
        return fail("tensor/wrong", "the scheme is wrong: " + textOf(scheme.format, *verification.first));
    for (const Factor* factor : {&scheme.u, &scheme.v, &scheme.w})
        for (const Coefficient& value : factor->values())
            if (!literalOf(value))
                return fail(
                    "tensor/fraction", "the coefficient " + textOf(value) + " is no binary floating-point number");
    if (options.levels < 1 || options.levels > 4 || options.cutoff < 1 || options.cutoff > 65536)
        return fail("tensor/code", "levels must be from 1 to 4, and the cut-off from 1 to 65536");
    return {};
}

/// Values to try, the chosen one among them, in order.
std::string tuneText(std::vector<int> values, int chosen)
{
    if (std::ranges::find(values, chosen) == values.end())
        values.push_back(chosen);
    std::ranges::sort(values);
    std::string text;
    for (const int value : values)
        text += " " + std::to_string(value);
    return text;
}

/// 1, 2, … up to mostLevels, and the chosen one.
std::string levelsText(const CodeOptions& options)
{
    std::vector<int> levels;
    for (int level = 1; level <= options.mostLevels; ++level)
        levels.push_back(level);
    return tuneText(std::move(levels), options.levels);
}

/// Buffers of one level, each of the size of a block.
struct LevelBuffers {
    std::size_t a, b, c;
};
LevelBuffers buffersOf(const SchemePrograms& programs)
{
    return {
        programs.a.steps.size() + 1, programs.b.steps.size() + 1, programs.a.outputs.size() + programs.c.steps.size()};
}

/// The reduced programs of a scheme, or the plain ones where a ratio is no float.
SchemePrograms exactPrograms(const Scheme& scheme)
{
    SchemePrograms programs = reducedPrograms(scheme);
    for (const LinearProgram* program : {&programs.a, &programs.b, &programs.c}) {
        for (const LinearStep& step : program->steps)
            if (!literalOf(step.ratio))
                return plainPrograms(scheme);
        for (const LinearForm& form : program->outputs)
            for (const LinearTerm& term : form)
                if (!literalOf(term.coefficient))
                    return plainPrograms(scheme);
    }
    return programs;
}

} // namespace

Result<void> checkRingOfCode(Ring ring)
{
    if (ring == Ring::Mod2)
        return fail("tensor/mod2", "the scheme is valid modulo 2 only: in floating point its program would be wrong",
            "'tensor lift' finds a scheme over Z, or proves that this one has none");
    if (ring == Ring::Gaussian)
        return fail(
            "tensor/complex", "the scheme has complex coefficients: no program for real matrices follows from it");
    return {};
}

Result<std::string> programOf(const Scheme& given, const CodeOptions& options)
{
    if (const auto checked = checkCode(given, options); !checked)
        return std::unexpected(checked.error());
    const Scheme scheme = withoutEmptyProducts(given);
    const auto leaf = leafText(options);
    if (!leaf)
        return leaf;
    const SchemePrograms programs = exactPrograms(scheme);
    const LevelBuffers buffers = buffersOf(programs);
    const Format& format = scheme.format;
    const auto constant = [](const char* name, std::size_t value) {
        return "constexpr long " + std::string(name) + " = " + std::to_string(value) + ";\n";
    };
    std::string text = "// C = A B by a scheme of " + textOf(format) + " with " + std::to_string(scheme.rank())
        + " products" + (scheme.name.empty() ? "" : " (" + oneLine(scheme.name, 80) + ")") + ": "
        + std::to_string(programs.additions()) + " additions of blocks a level.\n// Below the cut-off: "
        + (options.leaf.empty() ? "a plain product"
                                : oneLine(options.leafName.empty() ? "another program" : options.leafName, 80))
        + ". Such a scheme rounds more than the definition: its task needs the error \"normwise\".\n" + *leaf
        + "\n// EVOLVE-BLOCK-START scheme\nnamespace {\nnamespace by_blocks {\n\n"
          "// Levels of the scheme, and the smallest of M, N and K for which another one is used.\nconstexpr int "
          "LEVELS = "
        + std::to_string(options.levels) + "; // tune:" + levelsText(options) + "\n\nconstexpr int CUTOFF = "
        + std::to_string(options.cutoff) + "; // tune:" + tuneText({128, 256, 384, 512, 768, 1024}, options.cutoff)
        + "\n\n// A has BLOCKS_N x BLOCKS_M blocks, B BLOCKS_M x BLOCKS_P.\n"
        + constant("BLOCKS_N", static_cast<std::size_t>(format.n))
        + constant("BLOCKS_M", static_cast<std::size_t>(format.m))
        + constant("BLOCKS_P", static_cast<std::size_t>(format.p)) + "// Buffers of the size of a block, for a level.\n"
        + constant("BUFFERS_A", buffers.a) + constant("BUFFERS_B", buffers.b) + constant("BUFFERS_C", buffers.c);
    return text + beforeLevel + levelText(scheme, programs) + behindLevel;
}

std::int64_t workspaceBytesOf(
    const Scheme& given, const CodeOptions& options, std::int64_t rows, std::int64_t columns, std::int64_t depth)
{
    // As workspace_of() in the program's text.
    const Scheme scheme = withoutEmptyProducts(given);
    const LevelBuffers buffers = buffersOf(exactPrograms(scheme));
    const Format& format = scheme.format;
    const auto aligned = [](std::int64_t count) { return (count + 15) / 16 * 16; };
    const auto blocks = [](std::int64_t size, int count) { return (size + count - 1) / count; };
    std::int64_t floats = 0, m = rows, n = columns, k = depth;
    for (int level = 0; level < options.levels && std::min({m, n, k}) >= options.cutoff && m >= format.n
         && k >= format.m && n >= format.p;
         ++level) {
        const std::int64_t bm = blocks(m, format.n), bk = blocks(k, format.m), bn = blocks(n, format.p);
        const std::int64_t wholeM = bm * format.n, wholeK = bk * format.m, wholeN = bn * format.p;
        if (wholeM != m || wholeK != k || wholeN != n)
            floats += aligned(wholeM * wholeK) + aligned(wholeK * wholeN) + aligned(wholeM * wholeN);
        floats += static_cast<std::int64_t>(buffers.a) * aligned(bm * bk)
            + static_cast<std::int64_t>(buffers.b) * aligned(bk * bn)
            + static_cast<std::int64_t>(buffers.c) * aligned(bm * bn);
        m = bm, n = bn, k = bk;
    }
    return 4 * floats;
}

Result<std::string> selfTestOf(const Scheme& scheme, const CodeOptions& options)
{
    constexpr int smallCutoff = 8;
    CodeOptions small = options;
    small.cutoff = smallCutoff;
    const auto program = programOf(scheme, small);
    return program ? testBefore + *program + testBehind : program;
}

} // namespace tilewright::tensor
