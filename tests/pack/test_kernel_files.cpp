// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel files as people write them: types and sizes under other names, branches that are not compiled, tensors of a
// fixed size, inputs that are not const, code of the host beside the kernel.
#include "core/base/text.h"
#include "core/pack/cuda_source.h"
#include "core/pack/host_part.h"
#include "core/pack/kernel_description.h"
#include "core/pack/pack_texts.h"
#include "core/pack/tensor_use.h"
#include "tests/test_program.h"

#include <QTest>
#include <algorithm>

using namespace tilewright;

namespace {

/// "x:in[n] y:out[n] n:size", as the file alone tells it.
QString readAs(const DerivedDescription& derived)
{
    static const char* const words[]{"in", "out", "size", "constant", "?"};
    QStringList parts;
    for (const DescribedParameter& parameter : derived.description.parameters) {
        QString text = q(parameter.name) + u':' + QString::fromLatin1(words[static_cast<int>(parameter.kind)]);
        if (parameter.isTensor())
            text += (parameter.dtype == Dtype::Fp32 ? QString() : u' ' + q(nameOf(parameter.dtype))) + u'['
                + q(joined(parameter.shape, ",")) + u']';
        parts << text;
    }
    return parts.join(u' ');
}

QString findingsOf(const KernelDescription& description)
{
    QStringList lines;
    for (const DescriptionFinding& finding : findingsIn(description, 0))
        lines << q(finding.line());
    return lines.join(u'\n');
}

Macros with(const char* defines)
{
    Macros macros = macrosOf(defines);
    const Macros& builtIn = builtinMacros(false);
    macros.insert(builtIn.begin(), builtIn.end());
    return macros;
}

constexpr const char* copies = "{ for (int i = 0; i < n; ++i) y[i] = x[i]; }\n";

} // namespace

class TestKernelFiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesOfTypesAreFollowed_data()
    {
        QTest::addColumn<QString>("head"); // the function's body is added
        QTest::addColumn<QString>("read");
        const auto row = [](const char* what, const char* head, const char* read) {
            QTest::newRow(what) << QString::fromLatin1(head) << QString::fromLatin1(read);
        };
        const char* plain = "x:in[n] y:out[n] n:size";
        row("typedef", "typedef float real;\nvoid f(const real* x, real* y, int n)", plain);
        row("using", "using real = float;\nvoid f(const real* x, real* y, int n)", plain);
        row("define", "#define REAL float\nvoid f(const REAL* x, REAL* y, int n)", plain);
        row("chained",
            "#define REAL real\ntypedef float base;\nusing real = base;\nvoid f(const REAL* x, REAL* y, int n)", plain);
        row("in a namespace", "namespace t { using real = float; }\nvoid f(const t::real* x, t::real* y, int n)",
            plain);
        row("behind the type", "typedef float real;\nvoid f(real const* x, real* y, int n)", plain);
        row("of sizes",
            "typedef unsigned int uint32;\nusing index = long long;\nvoid f(const float* x, float* y, index n)", plain);
        row("of pointers", "typedef const float* in_t;\ntypedef float* out_t;\nvoid f(in_t x, out_t y, int n)", plain);
        row("a const pointer type is written to", "typedef float* ptr;\nvoid f(const float* x, const ptr y, int n)",
            plain);
        row("a restrict macro",
            "#define RESTRICT __restrict__\nvoid f(const float* RESTRICT x, float* RESTRICT y, int n)", plain);
        row("one of another name",
            "#define NOALIAS __restrict\nvoid f(const float* NOALIAS x, float* NOALIAS y, int n)", plain);
        row("an empty one", "#define R\nvoid f(const float* R x, float* R y, int n)", plain);
        row("one that a header defines", "void f(const float* TW_RESTRICT x, float* TW_RESTRICT y, int n)", plain);
        row("a macro with arguments", "#define PTR(T) T* __restrict\nvoid f(PTR(const float) x, PTR(float) y, int n)",
            plain);
        row("a head made by a macro", "#define KERNEL(name) void name##f\nKERNEL()(const float* x, float* y, int n)",
            plain);
        row("in front of the function",
            "#define EXPORT extern \"C\" __attribute__((visibility(\"default\")))\n"
            "EXPORT void f(const float* x, float* y, int n)",
            plain);
        row("a size by reference", "void f(const float* x, float* y, const int& n)", plain);
        row("a result behind the head", "auto f(const float* x, float* y, int n) noexcept -> void", plain);
        row("a raw string before it",
            "static const char* const help = R\"x(\nvoid g(const float* x, float* y, int n) { } \"\n)x\";\n"
            "void f(const float* x, float* y, int n)",
            plain);
        row("a raw string of another kind", "#define S u8R\"(void h() {)\"\nvoid f(const float* x, float* y, int n)",
            plain);
        row("double", "typedef double real;\nvoid f(const real* x, real* y, int n)",
            "x:in fp64[n] y:out fp64[n] n:size");
    }

    void namesOfTypesAreFollowed()
    {
        QFETCH(QString, head);
        QFETCH(QString, read);
        const auto derived = describeKernel("f.cpp", head.toStdString() + "\n" + copies, "f");
        QVERIFY2(derived.has_value(), derived ? "" : derived.error().line().c_str());
        QCOMPARE(readAs(*derived), read);
    }

    void aTypeOfVectorsIsNoFloat()
    {
        const auto derived = describeKernel("f.cpp",
            "typedef float wide __attribute__((vector_size(32)));\nvoid f(const wide* x, float* y, int n) {}\n", "f");
        QCOMPARE(derived ? QString() : q(derived.error().code), QStringLiteral("own/parameter"));
    }

    void theBranchThatIsCompiledIsRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("defines");
        QTest::addColumn<QString>("functions"); // with their lines
        const auto row = [](const char* what, const char* text, const char* defines, const char* functions) {
            QTest::newRow(what) << QString::fromLatin1(text) << QString::fromLatin1(defines)
                                << QString::fromLatin1(functions);
        };
        const char* twoHeads = "#ifdef A\nvoid f(float* y, int n) {\n#else\nvoid g(float* y, int n) {\n#endif\n"
                               "y[n] = 1; }\nvoid h(float* y, int n) {}\n";
        row("ifdef", twoHeads, "", "g 4, h 7");
        row("ifdef of an option", twoHeads, "-DA", "f 2, h 7");
        row("ifdef of the file", (std::string("#define A\n") + twoHeads).c_str(), "", "f 3, h 8");
        row("undef", (std::string("#undef A\n") + twoHeads).c_str(), "-DA", "g 5, h 8");
        row("ifndef", "#ifndef A\nvoid f(float* y) {}\n#endif\n", "-DA", "");
        row("if with a comparison",
            "#if B > 2 && defined(A)\nvoid f(float* y) {}\n#else\nvoid g(float* y) {}\n#endif\n", "-DA\n-DB=3", "f 2");
        row("if with numbers",
            "#define B 0x10\n#if B >= 16 && !(B % 3 == 0) && 1 << 4 == B\nvoid f(float* y) {}\n#endif\n", "", "f 3");
        row("elif",
            "#if 0\nvoid a(float* y) {}\n#elif 1\nvoid b(float* y) {}\n#elif 1\nvoid c(float* y) {}\n#else\n"
            "void d(float* y) {}\n#endif\n",
            "", "b 4");
        row("elifdef", "#ifdef X\nvoid a(float* y) {}\n#elifdef A\nvoid b(float* y) {}\n#endif\n", "-DA", "b 4");
        row("nested",
            "#if 1\n#if 0\nvoid a(float* y) {}\n#else\nvoid b(float* y) {}\n#endif\n#else\n#if 1\n"
            "void c(float* y) {}\n#endif\n#endif\n",
            "", "b 5");
        row("a name that nothing defines is 0",
            "#if UNKNOWN\nvoid a(float* y) {}\n#else\nvoid b(float* y) {}\n#endif\n", "", "b 4");
        row("the language",
            "#if __cplusplus >= 201703L\nvoid a(float* y) {}\n#endif\n#ifdef __CUDACC__\n"
            "void b(float* y) {}\n#endif\n",
            "", "a 2");
        row("a condition over several lines", "#if 1 && \\\n    1\nvoid a(float* y) {}\n#endif\n", "", "a 3");
        row("extern C for C++",
            "#ifdef __cplusplus\nextern \"C\" {\n#endif\nvoid a(float* y) {}\n#ifdef __cplusplus\n}\n#endif\n", "",
            "a 4");
        row("a condition in a comment", "/*\n#if 0\n*/\nvoid a(float* y) {}\n", "", "a 4");
        row("quotes in what is not compiled", "#if 0\nwho's there\n#endif\nvoid a(float* y) {}\n", "", "a 4");
    }

    void theBranchThatIsCompiledIsRead()
    {
        QFETCH(QString, text);
        QFETCH(QString, defines);
        QFETCH(QString, functions);
        QStringList found;
        for (const KernelFunction& function :
            kernelFunctionsOf(text.toStdString(), with(defines.toLatin1().constData())))
            found << QStringLiteral("%1 %2").arg(q(function.name)).arg(function.line);
        QCOMPARE(found.join(QStringLiteral(", ")), functions);
    }

    void aConditionThatCannotBeReadIsTold()
    {
        const auto derived = describeKernel(
            "f.cpp", std::string("#if (3 & 1)\n#endif\nvoid f(const float* x, float* y, int n)\n") + copies, "f");
        QVERIFY(derived && joined(derived->readings, "\n").find("'#if (3 & 1)' in line 1") != std::string::npos);
    }

    void theCompilerItselfSaysWhatItDefines()
    {
        const Macros macros = compilerMacros("f.cpp", "#include <float.h>\n#if 1\n#endif\n");
        QVERIFY(macros.contains("__cplusplus") && macros.contains("FLT_MAX") && macros.contains("__GNUC__"));
        QVERIFY(!macros.contains("__CUDACC__") && !macros.contains("__EXCEPTIONS")); // as a program is compiled
        QCOMPARE(macros.contains("__AVX2__"), bool(__builtin_cpu_supports("avx2")));
        QVERIFY(compilerMacros("f.cu", "#if 1\n#endif\n").contains("__CUDACC__"));
    }

    void macrosWithoutEndEnd()
    {
        std::string text = "#define A A B\n#define B A A\n#define F(x) F(x) x x\n";
        for (char c = 'a'; c < 'z'; ++c)
            text += std::string("#define m") + c + " m" + char(c + 1) + " m" + char(c + 1) + "\n";
        text += "void f(float* y, int n) { A B F(F(1)) ma ma; }\n";
        QVERIFY(asCompiled(text, {}).tokens.size() < 1000000);
    }

    void tensorsOfAFixedSizeAreRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("read");
        const auto row = [](const char* what, const std::string& text, const char* read) {
            QTest::newRow(what) << q(text) << QString::fromLatin1(read);
        };
        const std::string uses = ", float* y, int n) { for (int i = 0; i < n; ++i) y[i] = w[0]; }\n";
        row("a number", "void f(const float w[9]" + uses, "w:in[9] y:out[n] n:size");
        row("constexpr", "constexpr int KH = 3, KW = 5;\nvoid f(const float w[KH * KW]" + uses,
            "w:in[15] y:out[n] n:size");
        row("define", "#define K (2 * 2 + 1)\nvoid f(const float w[K * K]" + uses, "w:in[25] y:out[n] n:size");
        row("enum", "enum { KH = 3, KW };\nvoid f(const float w[KH * KW]" + uses, "w:in[12] y:out[n] n:size");
        row("const", "static const unsigned K = 1 << 3;\nvoid f(const float w[K]" + uses, "w:in[8] y:out[n] n:size");
        row("rows and columns", "constexpr int K = 3;\nvoid f(const float w[K][K]" + uses, "w:in[3,3] y:out[n] n:size");
        row("a reference", "void f(const float (&w)[9]" + uses, "w:in[9] y:out[n] n:size");
        row("no size", "void f(const float w[]" + uses, "w:in[1] y:out[n] n:size");
        row("rows of a fixed size",
            "void f(const float (*w)[4], float* y, int n) { for (int i = 0; i < n; ++i) "
            "y[i] = w[i][3]; }\n",
            "w:in[n,4] y:out[n] n:size");
        row("what loops say",
            "#define TAPS 7\nvoid f(const float* x, const float* w, float* y, int n)\n{\n"
            "for (int i = 0; i < n; ++i) { float s = 0; for (int t = 0; t < TAPS; ++t) "
            "s += x[i] * w[t]; y[i] = s; } }\n",
            "x:in[n] w:in[7] y:out[n] n:size");
        row("rows that loops count",
            "void f(const float* x, float* y, const float (*w)[3], int n)\n{\n"
            "for (int i = 0; i < n; ++i) { float s = 0; for (int j = 0; j < 3; ++j) "
            "for (int k = 0; k < 3; ++k) s += x[i] * w[j][k]; y[i] = s; } }\n",
            "x:in[n] y:out[n] w:in[3,3] n:size");
        row("what loops say of a square",
            "constexpr int R = 1, W = 2 * R + 1;\n"
            "void f(const float* x, const float* w, float* y, int n)\n{\n"
            "for (int i = 0; i < n; ++i) { float s = 0; for (int j = -R; j <= R; ++j) "
            "for (int k = -R; k <= R; ++k) s += x[i] * w[(j + R) * W + k + R]; y[i] = s; } }\n",
            "x:in[n] w:in[9] y:out[n] n:size");
        row("a result of one number",
            "void f(const float* x, float* y, int n) { float s = 0; "
            "for (int i = 0; i < n; ++i) s += x[i]; *y = 0; y[0] = s; }\n",
            "x:in[n] y:out[n] n:size"); // "*y" is more than an index
    }

    void tensorsOfAFixedSizeAreRead()
    {
        QFETCH(QString, text);
        QFETCH(QString, read);
        const auto derived = describeKernel("f.cpp", text.toStdString(), "f");
        QVERIFY2(derived.has_value(), derived ? "" : derived.error().line().c_str());
        QCOMPARE(readAs(*derived), read);
        QCOMPARE(findingsOf(derived->description), QString());
        const auto task = parseTask(taskJsonOf(derived->description));
        QVERIFY2(task.has_value(), task ? "" : task.error().line().c_str());
    }

    void whatIsWrittenThroughAMacroIsNoInput_data()
    {
        QTest::addColumn<QString>("statement");
        QTest::addColumn<bool>("isWritten");
        const auto row = [](const char* statement, bool isWritten) {
            QTest::newRow(statement) << QString::fromLatin1(statement) << isWritten;
        };
        row("FLOAT4(y[i]) = FLOAT4(x[i]);", true);
        row("(y[i]) = x[i];", true);
        row("(reinterpret_cast<float4*>(&(y[i]))[0]) = v;", true);
        row("atomicAdd(&(y[i]), x[i]);", true);
        row("LANES(HALF2(y[i]))[0] += x[i];", true);
        row("z[i] = expf(y[i]);", false);
        row("z[i] = FLOAT4(y[i]) == x[i];", false);
    }

    void whatIsWrittenThroughAMacroIsNoInput()
    {
        QFETCH(QString, statement);
        QFETCH(bool, isWritten);
        const TensorUse use = useOf("void f(float* x, float* y, float* z, int n) { for (int i = 0; i < n; ++i) { "
                + statement.toStdString() + " } }\n",
            "f", "y");
        QCOMPARE(use.isOnlyRead(), !isWritten);
    }

    void aSumOfTheFilesOwnTypeIsASum_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("reduction"); // empty: no sum
        const auto row = [](const char* what, const std::string& head, const std::string& type, const char* reduction) {
            QTest::newRow(what) << q(head
                + "void f(const float* x, float* y, int rows, int n) { for (int r = 0; r < "
                  "rows; ++r) { "
                + type + " s = 0; for (int i = 0; i < n; ++i) s += x[r * n + i]; y[r] = s; } }\n")
                                << QString::fromLatin1(reduction);
        };
        row("float", "", "float", "n");
        row("typedef", "typedef float real;\n", "real", "n");
        row("using", "using real = float;\n", "real", "n");
        row("define", "#define DTYPE float\n", "DTYPE", "n");
        row("one of another", "typedef double wide;\nusing acc_t = wide;\n", "acc_t", "n");
        row("a whole number", "typedef long index;\n", "index", "");
    }

    void aSumOfTheFilesOwnTypeIsASum()
    {
        QFETCH(QString, text);
        QFETCH(QString, reduction);
        const auto derived = describeKernel("f.cpp", text.toStdString(), "f");
        QVERIFY(derived.has_value());
        QCOMPARE(derived->description.tolerance, reduction.isEmpty() ? Tolerance::Rounding : Tolerance::Sum);
        QCOMPARE(q(derived->description.reduction), reduction);
    }

    void aSumOverAFixedSizeHasADimensionForItsTolerance()
    {
        const auto derived = describeKernel("f.cpp",
            "enum { D = 64 };\nvoid f(const float q[][D], const float k[][D], float s[], int n) { for (int i = 0; i < "
            "n; "
            "++i) { float sum = 0; for (int d = 0; d < D; ++d) sum += q[i][d] * k[i][d]; s[i] = sum; } }\n",
            "f");
        QVERIFY(derived.has_value());
        QCOMPARE(q(derived->description.reduction), QStringLiteral("n"));
        QCOMPARE(findingsOf(derived->description), QString());
    }

    void numbersOfOneByteAreConstants()
    {
        auto derived = describeKernel("f.cpp",
            std::string("void f(const float* x, float* y, int n, char mode, unsigned char k)\n") + copies, "f");
        QVERIFY2(derived.has_value(), derived ? "" : derived.error().line().c_str());
        QCOMPARE(readAs(*derived), QStringLiteral("x:in[n] y:out[n] n:size mode:constant k:constant"));
        derived->description.parameters[3].value = "'N'";
        derived->description.parameters[4].value = "7";
        QCOMPARE(findingsOf(derived->description), QString());
    }

    void aBodyThatDoesNotEndIsNamed()
    {
        const auto derived = describeKernel("f.cpp",
            "void g(float* y, int n) {}\nvoid f(const float* x, float* y, int n) { for (;;) { y[0] = x[0];\n", "f");
        QVERIFY(derived.has_value());
        QCOMPARE(findingsOf(derived->description),
            QStringLiteral("file: f.cpp, line 2: the body of f() does not end: a '{' has no '}' — close it"));
    }

    /// Each of them once took minutes, as work grew with the square of the text.
    void longTextsAreReadInTime_data()
    {
        QTest::addColumn<QString>("text");
        const auto row = [](const char* what, const std::string& text) { QTest::newRow(what) << q(text); };
        const auto times = [](int count, auto&& piece) {
            std::string text;
            for (int i = 0; i < count; ++i)
                text += piece(i);
            return text;
        };
        const std::string head = "void f(const float* x, float* y, int rows, int n) { ";
        row("additions", head + times(60000, [](int) { return "y[0] += x[0]; "; }) + "}\n");
        row("names", head + times(40000, [](int i) { return "float a" + std::to_string(i) + " = x[n]; "; }) + "}\n");
        row("loops", head + times(20000, [](int) { return "for (int i = 0; i < n; ++i) y[i] += x[i]; "; }) + "}\n");
        row("lines", std::string(300000, '\n') + head + "y[0] = x[0]; }\n");
        row("loops within loops",
            head + times(30000, [](int) { return "for (int i = 0; i < n; ++i) "; }) + "y[n] += x[n]; }\n");
        row("functions",
            times(10000,
                [](int i) {
                    const std::string at = std::to_string(i), next = std::to_string(i + 1);
                    return "float g" + next + "(float v);\nfloat g" + at + "(float v) { return g" + next + "(v); }\n";
                })
                + head + "y[0] = g0(x[0]); }\nvoid h() { printf(\"\"); }\nint main() { h(); }\n");
    }

    void longTextsAreReadInTime()
    {
        QFETCH(QString, text);
        const auto derived = describeKernel("f.cpp", text.toStdString(), "f");
        QVERIFY(derived.has_value());
        QVERIFY(!derived->suppositions.empty());
    }

    void anArrayOfArraysIsHandedOverAsOne()
    {
        const auto derived = describeKernel("f.cpp",
            "constexpr int K = 3;\nvoid f(const float w[K][K], float (*y)[4], int n) { for (int i = 0; i < n; ++i) "
            "y[i][0] = w[0][0]; }\n",
            "f");
        QVERIFY(derived.has_value());
        QVERIFY(seedOf(derived->description).find("f((const float(*)[3])(args.w), (float(*)[4])(args.y), args.dims.n);")
            != std::string::npos);
    }

    void aSizeThatCannotBeReadIsAskedFor()
    {
        const auto derived = describeKernel("f.cpp",
            "void f(const float w[SIZE], const float* x, float* y, int a, int b, int c) { y[a] = x[b] * w[c]; }\n",
            "f");
        QVERIFY(derived.has_value());
        QVERIFY2(findingsOf(derived->description)
                     .contains(QStringLiteral("w.shape: is not given — enter its dimensions and sizes, outermost "
                                              "first, for example --shape w=a")),
            qPrintable(findingsOf(derived->description)));
    }

    void aNumberIsAShape()
    {
        auto derived = describeKernel("f.cpp",
            "constexpr int KH = 3, KW = 5;\nvoid f(const float* x, const float* w, float* y, int n) { for (int i = 0; "
            "i < n; ++i) "
            "y[i] = x[i] + w[i % 15]; }\n",
            "f");
        QVERIFY(derived.has_value());
        KernelDescription& description = derived->description;
        const auto shape = [&](const char* written) { return resolvedExtents(description, parsedNames(written)); };
        QCOMPARE(shape("9"), (std::vector<std::string>{"9"}));
        QCOMPARE(shape("3x3"), (std::vector<std::string>{"3", "3"}));
        QCOMPARE(shape("KH, KW"), (std::vector<std::string>{"3", "5"}));
        QCOMPARE(shape("n,4"), (std::vector<std::string>{"n", "4"}));
        QCOMPARE(shape("max, x"), (std::vector<std::string>{"max", "x"})); // names with an x stay whole
        description.parameters[1].shape = {"15"};
        QCOMPARE(findingsOf(description), QString());
        QVERIFY(taskJsonOf(description).find("[\n        15\n      ]") != std::string::npos);
        description.parameters[1].shape = {"0"};
        QVERIFY(findingsOf(description).contains(QStringLiteral("'0' is neither a dimension nor a size")));
        description.parameters[1].shape = {"9000000"};
        QVERIFY(findingsOf(description).contains(QStringLiteral("'9000000' is neither")));
    }

    void anInputThatIsNotConstIsAskedFor()
    {
        auto derived = describeKernel("f.cpp", std::string("void f(float* x, float* y, int n)\n") + copies, "f");
        QVERIFY(derived.has_value());
        KernelDescription& description = derived->description;
        QVERIFY2(findingsOf(description)
                     .startsWith(QStringLiteral("x: is only read, but its type 'float*' allows writes — make it const, "
                                                "or declare it as an input (on the command line: --role x=input)")),
            qPrintable(findingsOf(description)));
        description.parameters[0].kind = ParameterKind::Input;
        description.parameters[0].roleSaid = true;
        QCOMPARE(findingsOf(description), QString());
        QVERIFY(seedOf(description).find("f((float*)(args.x), args.y, args.dims.n);") != std::string::npos);
        // What the text writes to stays an output, whatever is said.
        description.parameters[1].kind = ParameterKind::Input;
        QVERIFY(findingsOf(description)
                    .contains(QStringLiteral("y: is declared as an input, but the function writes to it")));
        for (const char* body :
            {"{ y[n] = x[0]; x[1] = 0; }", "{ y[n] = x[0]; x[1] += 2; }", "{ y[n] = x[0]; x[1]++; }",
                "{ y[n] = x[0]; *x = 0; }", "{ g(x, y); }", "{ swap(x[0], x[1]); y[n] = x[0]; }"}) {
            const auto other = describeKernel("f.cpp", std::string("void f(float* x, float* y, int n) ") + body, "f");
            QVERIFY2(other && !findingsOf(other->description).contains(QStringLiteral("is only read")), body);
        }
    }

    void sizesThatTilewrightChoosesKeepTheMultiple()
    {
        auto derived = describeKernel("f.cpp", std::string("void f(const float* x, float* y, int n)\n") + copies, "f");
        QVERIFY(derived.has_value());
        KernelDescription& description = derived->description;
        description.dims[0].min = description.dims[0].multiple = 8;
        description.train.clear();
        (void)supposeTheRest(description);
        QCOMPARE(findingsOf(description), QString());
        for (const auto* shapes : {&description.train, &description.heldout, &description.verify})
            for (const Shape& shape : *shapes)
                QVERIFY(shape[0] >= 8 && shape[0] % 8 == 0);
    }

    void codeOfTheHostIsLeftOutOfAFileForTheCpu()
    {
        const std::string file = "#include <iostream>\n#include <cmath>\n\n// how long it takes\n"
                                 "static double seconds() { return std::chrono::now(); }\n\n"
                                 "static float half(float v) { return v / 2; }\nfloat buffer[100];\n"
                                 "static const float table[2] = {1, 2};\n\n"
                                 "void f(const float* x, float* y, int n)\n{\n"
                                 "    for (int i = 0; i < n; ++i)\n        y[i] = half(x[i]) * table[1];\n}\n\n"
                                 "static float plain(float v) { return v; }\n\n"
                                 "int main()\n{\n    buffer[0] = 1;\n    f(buffer, buffer, 100);\n"
                                 "    std::cout << seconds() << '\\n';\n}\n";
        const HostPart part = hostPartOf(file, "f", builtinMacros(false));
        QCOMPARE(q(joined(part.leftOut, ", ")),
            QStringLiteral("seconds() in line 5, main() in line 19, <iostream> in line 1, a variable in line 8"));
        QCOMPARE(q(part.text),
            QStringLiteral("#include <cmath>\n\nstatic float half(float v) { return v / 2; }\n"
                           "static const float table[2] = {1, 2};\n\nvoid f(const float* x, float* y, int n)\n{\n"
                           "    for (int i = 0; i < n; ++i)\n        y[i] = half(x[i]) * table[1];\n}\n\n"
                           "static float plain(float v) { return v; }\n"));
        QCOMPARE(part.lines, (std::vector<int>{2, 3, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17}));
        const auto derived = describeKernel("f.cpp", file, "f");
        QVERIFY(derived.has_value());
        QCOMPARE(findingsOf(derived->description), QString());
        QVERIFY(joined(derived->readings, "\n").find("main() in line 19") != std::string::npos);
        QVERIFY(seedOf(derived->description).find("main") == std::string::npos);
        QVERIFY(referenceOf(derived->description).find("main") == std::string::npos);
        // A complaint about the seed names the line of the file.
        const std::string seed = seedOf(derived->description);
        const auto line
            = 1 + std::count(seed.begin(), seed.begin() + static_cast<std::ptrdiff_t>(seed.find("void f(")), '\n');
        QCOMPARE(q(inOwnLines(derived->description, "candidate.cpp:" + std::to_string(line) + ":1: error")),
            QStringLiteral("f.cpp:11:1: error"));
    }

    void whatTheKernelCallsStaysWhateverItUses()
    {
        const std::string file
            = "float* room(int n) { return (float*)malloc(n); }\n"
              "void f(const float* x, float* y, int n) { float* t = room(n); y[0] = t[0] + x[0]; }\n";
        QVERIFY(hostPartOf(file, "f", {}).leftOut.empty());
        QCOMPARE(hostPartOf(file, "f", {}).text, file);
        QCOMPARE(
            q(joined(hostPartOf(file + "void test() { puts(\"a\"); }\nvoid all() { test(); }\nint main() { all(); }\n",
                         "f", {})
                         .leftOut,
                ", ")),
            QStringLiteral(
                "test() in line 3, all() in line 4, main() in line 5")); // what calls such a function goes with it
    }

    void memoryThatOnlyTheHostSetsIsRefused_data()
    {
        QTest::addColumn<QString>("declaration");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* what, const char* declaration, const char* says) {
            QTest::newRow(what) << QString::fromLatin1(declaration) << QString::fromLatin1(says);
        };
        row("constant", "__constant__ float w[9];", "line 1: the __constant__ variable w is not set here");
        row("constant of rows", "static __constant__ float w[3][3];", "the __constant__ variable w");
        row("the second of two", "__constant__ float v, w[9];", "the __constant__ variable w");
        row("device", "__device__ float w[9]; void s(float* h) { cudaMemcpyToSymbol(w, h, 36); }",
            "the __device__ variable w");
        row("device that nobody sets", "__device__ float w[9];", "the __device__ variable w");
        row("device that the device sets", "__device__ float w[9]; __device__ void s(int i) { w[i] = 1; }", "");
        row("with its values", "__constant__ float w[2] = {1, 2};", "");
        row("in braces", "__constant__ float w[2]{1, 2};", "");
        row("one that the kernel does not use", "__constant__ float other[2]; __device__ const float w[1] = {1};", "");
    }

    void memoryThatOnlyTheHostSetsIsRefused()
    {
        QFETCH(QString, declaration);
        QFETCH(QString, says);
        const auto derived = describeKernel("f.cu",
            declaration.toStdString()
                + "\n__global__ void f(const float* x, float* y, int n) { int i = threadIdx.x; if (i < n) y[i] = x[i] "
                  "* w[0]; }\n"
                  "void run(float* x, float* y, int n) { f<<<n, 32>>>(x, y, n); }\n",
            "f");
        QVERIFY(derived.has_value());
        const QString findings = findingsOf(derived->description);
        QCOMPARE(findings.contains(QStringLiteral("is not set here")), !says.isEmpty());
        QVERIFY2(findings.contains(says), qPrintable(findings));
        QVERIFY(says.isEmpty() || findings.contains(QStringLiteral("make it a parameter of the kernel")));
    }

    void macrosThatMarkDeviceFunctionsAreKnown()
    {
        const std::string file = "#define HD __device__ __forceinline__\n#define KERNEL extern \"C\" __global__\n"
                                 "HD float half_of(float v) { return v / 2; }\n"
                                 "KERNEL void f(const float* x, float* y, int n) { int i = threadIdx.x; if (i < n) "
                                 "y[i] = half_of(x[i]); }\n"
                                 "void run(float* x, float* y, int n) { f<<<1, 32>>>(x, y, n); }\n";
        const DevicePart part = devicePartOf(file, "f");
        QVERIFY2(part.text.find("half_of(float v)") != std::string::npos, part.text.c_str());
        QVERIFY2(part.text.find("__device__ __forceinline__ void f(") != std::string::npos, part.text.c_str());
        QCOMPARE(q(joined(part.leftOut, ", ")), QStringLiteral("run() in line 5"));
        QCOMPARE(kernelChoices("f.cu", file).size(), std::size_t(1));
    }
};

TILEWRIGHT_TEST(TestKernelFiles)
#include "test_kernel_files.moc"
