// SPDX-License-Identifier: GPL-3.0-or-later
// What a user is told of a GPU program that does not build: plain words for the mistakes that everybody makes. By
// recorded logs of NVRTC, and by NVRTC itself where it is.
#include "core/device/cpu.h"
#include "core/node/cuda_builder.h"
#include "core/node/cuda_plan_words.h"
#include "tests/node/node_files.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace tilewright;
using namespace tilewright::test;
namespace fs = std::filesystem;

namespace {

const fs::path binaries = TILEWRIGHT_BIN_DIR;

} // namespace

class TestCudaWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void mistakesAreToldInPlainWords_data();
    void mistakesAreToldInPlainWords();
    void recordedLogsAreReadAsNvrtcWritesThem();

private:
    QTemporaryDir m_folder;
    Sandbox m_sandbox{binaries / "tilewright-worker"};
    CudaBuilder m_builder{m_sandbox, binaries / "tilewright-cuda-worker",
        fs::path(m_folder.path().toStdString()) / "cache", {}, "secret"};
    TaskPack m_pack = *loadTaskPack(root / "kernels/gemm-fp32");
};

void TestCudaWords::mistakesAreToldInPlainWords_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, const char* body, const char* rule, const char* text) {
        QTest::newRow(name) << QByteArray(body) << QString::fromLatin1(rule) << QString::fromUtf8(text);
    };
    const char* kernel = "extern \"C\" __global__ void gemm(const __grid_constant__ Args a) { a.C[0] = 1; }\n";
    static std::vector<std::string> kept;
    const auto with = [&](const std::string& plan) { return kept.emplace_back(kernel + plan).c_str(); };
    kept.reserve(60);
    row("empty", "", "build/no-entry", "the program does not define tilewright_plan");
    row("a C program", "int main(void) { return 0; }", "build/no-entry", "the program does not define tilewright_plan");
    row("a CPU program", "extern \"C\" void tilewright_run(const Args& a) { a.C[0] = 1; }", "build/no-entry",
        "the program does not define tilewright_plan: it looks like one for the CPU, and the task is for the GPU");
    row("an unknown kernel",
        with("TW_FN Plan tilewright_plan(Dims, Device) { Plan p{}; p.add(\"gemmm\", 1, 32); return p; }"),
        "build/no-kernel", "the plan names the kernel gemmm, which is not in the program");
    row("an unknown template",
        with("TW_FN Plan tilewright_plan(Dims, Device) { Plan p{}; int n[1] = {3}; p.add_instance(\"gemmm\", n, 1, "
             "32); return p; }"),
        "build/no-kernel", "the plan names the kernel gemmm, which is not in the program");
    // Of a plan that is no constant: what it does, where, for which shape, and the compiler's own sentence.
    const auto plan = [&](const std::string& body) {
        return with("TW_FN Plan tilewright_plan(Dims d, Device) {\nPlan p{};\n" + body + "\nreturn p; }");
    };
    const auto noConstant = [](const char* why) {
        return kept.emplace_back(std::string("tilewright_plan cannot be evaluated at compile time: ") + why).c_str();
    };
    const char* pastOne
        = "NVRTC: attempt to access storage one position past an object treated as an array of one element";
    row("a plan without end", plan("for (int i = 0; d.M > 0; i ^= 1) { }"), "build/plan",
        noConstant("it does not end, or takes too many steps (an endless loop or recursion) (for 4096×2048×512); "
                   "NVRTC: expression not folded to a constant due to excessive constexpr function call complexity"));
    row("a recursion without end",
        with("TW_FN int depth(int x) { return depth(x + 1) + 1; }\n"
             "TW_FN Plan tilewright_plan(Dims d, Device) { Plan p{}; p.add(\"gemm\", depth(1), 32); return p; }"),
        "build/plan",
        noConstant(
            "it does not end, or takes too many steps (an endless loop or recursion) (for 4096×2048×512); NVRTC: "));
    row("a plan that reads a variable",
        with("__device__ int global; TW_FN Plan tilewright_plan(Dims d, Device) { Plan p{}; p.add(\"gemm\", global, "
             "32); "
             "return p; }"),
        "build/plan",
        noConstant(
            "it reads a variable that is no constant (line 3 of candidate.cu, for 4096×2048×512); NVRTC: the value "
            "of variable \"global\" (declared at line 3 of candidate.cu) cannot be used as a constant"));
    row("a plan that reads an address", plan("const int* q = nullptr; p.add(\"gemm\", *q, 32);"), "build/plan",
        noConstant("it reads or writes memory that exists only at run time (line 5 of candidate.cu, for "));
    row("nine launches", plan("for (int i = 0; i < 9; ++i)\np.add(\"gemm\", 1, 32);"), "build/plan",
        noConstant((std::string("it adds more than 8 launches (line 6 of candidate.cu, for 4096×2048×512); ") + pastOne)
                       .c_str()));
    row("nine launches of instances",
        plan("int n[1] = {3}; for (int i = 0; i < 9; ++i) p.add_instance(\"gemm\", n, 1, 32);"), "build/plan",
        noConstant("it adds more than 8 launches (line 5 of candidate.cu, for 4096×2048×512); "));
    row("nine tensor maps", plan("for (int i = 0; i < 9; ++i)\np.map2d(BUF_A, DType::F32, 4, 4, 16, 4, 4);"),
        "build/plan",
        noConstant(
            (std::string("it asks for more than 8 tensor maps (line 6 of candidate.cu, for 4096×2048×512); ") + pastOne)
                .c_str()));
    row("a name of 96 characters", plan("p.add(\"" + std::string(96, 'g') + "\", 1, 32);"), "build/plan",
        noConstant("a kernel's name, with the numbers of its instance, is longer than 95 characters (line 5 of "
                   "candidate.cu, for 4096×2048×512); NVRTC: attempt to access storage one position past the end of an "
                   "array of 96 elements"));
    row("a write past an array of the plan's own", plan("if (d.M < 64)\np.add(\"gemm\", 1, 32).user[8] = 1;"),
        "build/plan",
        noConstant("it accesses elements outside of an array (line 6 of candidate.cu, for 1×1×1); NVRTC: attempt to "
                   "access storage one position past the end of an array of 8 elements"));
    row("a function that is no constant",
        with("__device__ int f() { return 1; } TW_FN Plan tilewright_plan(Dims d, Device) { Plan p{}; p.add(\"gemm\", "
             "f(), 32); return p; }"),
        "build/plan",
        noConstant("it calls a function that is not constexpr (TW_FN makes it so) (line 3 of candidate.cu, for "));
    row("a plan of another kind", with("TW_FN int tilewright_plan(Dims d, Device) { return 1; }"), "build/plan",
        "the plan cannot be evaluated by the compiler: plan(");
    row("output",
        "#include <cuda_fp16.h>\nextern \"C\" int printf(const char*, ...);\nextern \"C\" __global__ void gemm(const "
        "__grid_constant__ Args a) { printf(\"x\"); a.C[0] = 1; }\n"
        "TW_FN Plan tilewright_plan(Dims, Device) { Plan p{}; p.add(\"gemm\", 1, 32); return p; }",
        "build/undefined-symbol",
        "a program may only call its own functions: vprintf. There is no heap and no output on the GPU: remove malloc, "
        "new and printf");
    row("a foreign header", "#include <cstdio>\n", "build/include",
        "only these headers may be included: tilewright/plan.h, cooperative_groups.h, ");
    row("an error of its own",
        with("TW_FN Plan tilewright_plan(Dims, Device) { Plan p{}; p.add(\"gemm\", 1, 32); return q; }"), "build/error",
        "candidate.cu(3): error: identifier \"q\" is undefined");
}

void TestCudaWords::mistakesAreToldInPlainWords()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, rule);
    QFETCH(QString, text);
    if (!m_builder.isAvailable())
        QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
    if (body.contains("#include <cuda_fp16.h>") && CudaToolkit::find()->include.empty())
        QSKIP("this toolkit has no headers");
    const BuildOutcome built = m_builder.buildCandidate(
        m_pack.task, "// EVOLVE-BLOCK-START\n" + body.toStdString() + "\n// EVOLVE-BLOCK-END\n", h200Facts());
    QCOMPARE(q(built.rule), rule);
    QVERIFY2(q(built.text).startsWith(text), built.text.c_str());
    // Each mistake is told once, whatever shapes the plan was asked for.
    QVERIFY2(q(built.log).count(QStringLiteral(": error:")) <= 2, built.log.c_str());
    QVERIFY(!built.evidence.is_object() || !built.evidence.contains("log"));
}

void TestCudaWords::recordedLogsAreReadAsNvrtcWritesThem()
{
    const std::string many
        = "plan(2): error: the global scope has no \"tilewright_plan\"\n  ::tilewright_plan({1}, {2}),\n"
          "    ^\n\nplan(3): error: the global scope has no \"tilewright_plan\"\n  ::tilewright_plan({3})\n"
          "\n2 errors detected in the compilation of \"candidate.cu\".\n";
    QCOMPARE(q(planComplaint(many, "").code), QStringLiteral("build/no-entry"));
    QCOMPARE(q(withoutRepeats(many)),
        QStringLiteral(
            "plan(2): error: the global scope has no \"tilewright_plan\"\n  ::tilewright_plan({1}, {2}),\n    ^\n\n"
            "and so for 1 other shape"));
    // Of a plan that is no constant, the first shape's notes count; NVRTC 12 gives them no numbers.
    QVERIFY(isOfNoConstant("plan(1): error: dynamic initialization is not supported for a __device__ variable\n"));
    const std::string noted
        = "plan(2): error: expression must have a constant value\n  static constexpr …\n      ^\n"
          "tilewright/plan.h(91): note: attempt to access storage one position past an object treated as an array of "
          "one element\n          request.buffer = static_cast<u8>(buffer);\n      ^\n"
          "candidate.cu(5): note: called from:\n   p.map2d(BUF_A, …\n      ^\n\n"
          "plan(3): error: expression must have a constant value\n  …\n"
          "candidate.cu(9): note: some other reason\n";
    const Error maps = noConstantComplaint(noted, "candidate.cu", {{1}, {2}, {3}});
    QCOMPARE(q(maps.text),
        QStringLiteral("tilewright_plan cannot be evaluated at compile time: it asks for more than 8 tensor maps (line "
                       "5 of candidate.cu, for 2); NVRTC: attempt to access storage one position past an object "
                       "treated as an array of one element"));
    QCOMPARE(maps.evidence.at("line").get<int>(), 5);
    QCOMPARE(maps.evidence.at("shape").get<Shape>(), Shape{2});
    // Where nothing is noted, or the program itself is wrong, all causes are named.
    for (const char* silent : {"", "plan(1): error: expression must have a constant value\n  static constexpr …\n",
             "candidate.cu(1): error: x\ncandidate.cu(1): note: y\n"})
        QVERIFY(noConstantComplaint(silent, "candidate.cu", {{1}})
                    .text.ends_with("compile time: it must be a constant expression that ends, without an endless "
                                    "loop, a write past an array, or a read of a non-constant"));
    const std::string own = "candidate.cu(3): error: identifier \"q\" is undefined\n";
    QCOMPARE(q(planComplaint(own, "").code), QStringLiteral("build/error"));
    QCOMPARE(withoutRepeats(own), own);
    const std::string unknown = "__nv_name_map(2): error: identifier \"gemmm\" is undefined\n";
    QCOMPARE(q(kernelsComplaint(unknown).code), QStringLiteral("build/no-kernel"));
    QCOMPARE(q(kernelsComplaint(own).code), QStringLiteral("build/error"));
    QCOMPARE(q(kernelsComplaint("candidate.cu(1): catastrophic error: could not open source file \"cuda/std/limits\" "
                                "(no directories in search list)")
                     .code),
        QStringLiteral("build/no-headers"));
}

TILEWRIGHT_TEST(TestCudaWords)
#include "test_cuda_words.moc"
