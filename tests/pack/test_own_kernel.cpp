// SPDX-License-Identifier: GPL-3.0-or-later
// A user's own kernel: what is read off its file, what is said of what cannot be, and the pack that is written.
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/pack/double_text.h"
#include "core/pack/pack_texts.h"
#include "core/pack/pack_writer.h"
#include "core/pack/sums.h"
#include "tests/pack/description_change.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace tilewright;

namespace {

const char* const softmax = R"(#include <cmath>
// void commented_out(const float* x, float* y, int n) { }
namespace {
float top(const float* row, int n) { float m = row[0]; for (int i = 1; i < n; ++i) m = row[i] > m ? row[i] : m; return m; }
}
void softmax(const float* __restrict__ x, float* __restrict__ y, int rows, int columns)
{
    for (int r = 0; r < rows; ++r) { const float m = top(x + r * columns, columns); float s = 0;
        for (int c = 0; c < columns; ++c) s += y[r * columns + c] = std::exp(x[r * columns + c] - m);
        for (int c = 0; c < columns; ++c) y[r * columns + c] /= s; }
}
)";

QString readAs(const KernelFunction& function)
{
    static const char* const words[]{"in", "out", "size", "constant", "?"};
    QString text;
    for (const KernelParameter& parameter : function.parameters)
        text += QStringLiteral("%1:%2%3 ")
                    .arg(q(parameter.name), QString::fromLatin1(words[static_cast<int>(parameter.kind)]),
                        parameter.dtype ? q(nameOf(*parameter.dtype)) : QString());
    return text.trimmed();
}

KernelDescription described()
{
    const auto derived = describeKernel("/home/me/softmax.cpp", softmax, "softmax");
    return derived ? derived->description : KernelDescription{};
}

QStringList fieldsOf(const std::vector<DescriptionFinding>& findings)
{
    QStringList fields;
    for (const DescriptionFinding& finding : findings)
        fields << q(finding.field);
    return fields;
}

} // namespace

class TestOwnKernel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatAPersonSaidOutlivesAChangeOfTheFile()
    {
        const KernelDescription before = described();
        KernelDescription byHand = before;
        byHand.title = "Rows";
        byHand.train = {{7, 9}};
        byHand.inputs = {InputKind::Normal};
        std::string text = softmax;
        text.insert(text.find("void softmax("), "/* mended */ ");
        const auto now = describeKernel("/home/me/softmax.cpp", text, "softmax");
        QVERIFY(now);
        const auto merged = reread(before, byHand, now->description);
        QVERIFY(merged);
        QCOMPARE(merged->source, now->description.source);
        QVERIFY(merged->source != before.source);
        QCOMPARE(merged->title, std::string("Rows"));
        QVERIFY(merged->train == byHand.train && merged->inputs == byHand.inputs);
        QVERIFY(merged->tolerance == now->description.tolerance); // not said by hand: as the file tells it now
        const auto untouched = reread(before, before, now->description);
        QVERIFY(untouched && *untouched == now->description);

        text.replace(text.find("int rows, int columns)\n"), 9, "long rows,");
        const auto other = describeKernel("/home/me/softmax.cpp", text, "softmax");
        QVERIFY(other && !reread(before, byHand, other->description));
    }

    void aSignatureIsReadAsItIsMeant_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("read");
        const auto row = [](const char* what, const char* text, const char* name, const char* read) {
            QTest::newRow(what) << QString::fromLatin1(text) << QString::fromLatin1(name) << QString::fromLatin1(read);
        };
        row("const is input", "void f(const float* x, float* y, int n) {}", "f", "x:infp32 y:outfp32 n:size");
        row("const behind", "void f(float const *x, float *y, long n) {}", "f", "x:infp32 y:outfp32 n:size");
        row("a constant pointer is an output", "void f(float* const y, int n) {}", "f", "y:outfp32 n:size");
        row("restrict", "void f(const float *__restrict x, float *__restrict__ y, std::size_t n) {}", "f",
            "x:infp32 y:outfp32 n:size");
        row("arrays", "void f(const float x[], float y[16], unsigned int n) {}", "f", "x:infp32 y:outfp32 n:size");
        row("numbers", "void f(float* y, int n, float alpha, bool fast) {}", "f",
            "y:outfp32 n:size alpha:constant fast:constant");
        row("other types", "void f(const double* a, const int* b, const signed char* c, int8_t* d, int n) {}", "f",
            "a:infp64 b:inint32 c:inint8 d:outint8 n:size");
        row("extern C", "extern \"C\" void f(const float* x, float* y, int n) {}", "f", "x:infp32 y:outfp32 n:size");
        row("extern C block", "extern \"C\" {\nvoid f(float* y, int n) {}\n}", "f", "y:outfp32 n:size");
        row("in a namespace", "namespace a::b { static inline void f(float* y, int n) {} }", "a::b::f",
            "y:outfp32 n:size");
        row("found without its namespace", "namespace a { void f(float* y, int n) {} }", "f", "y:outfp32 n:size");
        row("defined outside of it", "namespace a { void f(float*, int); }\nvoid a::f(float* y, int n) {}", "a::f",
            "y:outfp32 n:size");
        row("attributes", "[[gnu::noinline]] __attribute__((hot)) void f(float* y, int n) noexcept {}", "f",
            "y:outfp32 n:size");
        row("default value", "void f(float* y, int n = (1, 2)) {}", "f", "y:outfp32 n:size");
        row("comments and strings",
            "// void f(int) {\n/* void f() { */ const char* s = \"void f() {\";\nvoid f(float* y, int n) {}", "f",
            "y:outfp32 n:size");
        row("behind macros and types",
            "#define F(x) { x }\nstruct S { void f() {} };\nint g[] = {1, 2};\nvoid f(float* y, int n) {}", "f",
            "y:outfp32 n:size");
        row("without names", "void f(const float*, float*, int) {}", "f", ":infp32 :outfp32 :size");
    }

    void aSignatureIsReadAsItIsMeant()
    {
        QFETCH(QString, text);
        QFETCH(QString, name);
        QFETCH(QString, read);
        const auto function = kernelFunctionNamed(text.toStdString(), name.toStdString());
        QVERIFY2(function.has_value(), function ? "" : function.error().line().c_str());
        QCOMPARE(readAs(*function), read);
    }

    void whatCannotBeAKernelIsSaid_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* what, const char* text, const char* code, const char* says) {
            QTest::newRow(what) << QString::fromLatin1(text) << QString::fromLatin1(code) << QString::fromLatin1(says);
        };
        row("no such function", "void g(float* y, int n) {}", "own/no-function", "it defines g");
        row("nothing at all", "int x = 3;", "own/no-function", "no function in the file");
        row("only declared", "void f(float* y, int n);", "own/no-function", "");
        row("a template", "template <int N> void f(float* y, int n) {}", "own/template", "in line 1");
        row("overloaded", "void f(float* y, int n) {}\nvoid f(double* y, int n) {}", "own/overloaded", "in lines 1, 2");
        row("it returns something", "float f(const float* x, float* y, int n) { return 0; }", "own/result", "'float'");
        row("a reference", "void f(float& y, int n) {}", "own/parameter", "parameter 1 'y'");
        row("a vector", "void f(const std::vector<float>& x, float* y) {}", "own/parameter", "parameter 1");
        row("pointers to pointers", "void f(float** y, int n) {}", "own/parameter", "cannot be passed");
        row("an unknown type", "void f(complex* y, int n) {}", "own/parameter", "points to an unknown type");
        row("no output", "void f(const float* x, int n) {}", "own/parameter", "has no output");
        row("a text that ends in the middle", "void f(float* y, int n", "own/no-function", "");
        row("a template without parameters", "template void g(float* y) {}\nvoid f(float* y, int n", "own/no-function",
            "");
        row("a body without an end", "void f(float* y, int n) { if (", "", "");
    }

    void whatCannotBeAKernelIsSaid()
    {
        QFETCH(QString, text);
        QFETCH(QString, code);
        QFETCH(QString, says);
        const auto function = kernelFunctionNamed(text.toStdString(), "f");
        QCOMPARE(function ? QString() : q(function.error().code), code);
        if (!function)
            QVERIFY2(q(function.error().line()).contains(says), function.error().line().c_str());
    }

    void whatIsSupposedIsTold()
    {
        const auto derived = describeKernel("/home/me/softmax.cpp", softmax, "softmax");
        QVERIFY(derived.has_value());
        QCOMPARE(q(derived->description.name), QStringLiteral("softmax"));
        QCOMPARE(derived->description.parameters[0].shape, (std::vector<std::string>{"rows", "columns"}));
        QVERIFY(derived->suppositions.size() >= 3);
        QVERIFY(findingsIn(derived->description, 0).empty());
        const auto product = describeKernel(
            "mm.cpp", "void mm(int M, int N, int K, const float* a, const float* b, float* c) {}", "mm");
        QVERIFY(product.has_value());
        QCOMPARE(product->description.truth, TruthSource::Product);
        QCOMPARE(q(product->description.flops), QStringLiteral("2*M*N*K"));
        const auto three = describeKernel("f.cpp", "void f(const float* x, float* y, int a, int b, int c) {}", "f");
        QVERIFY(three.has_value()); // nothing tells which tensor has which of three dimensions
        QVERIFY(fieldsOf(findingsIn(three->description, 0)).contains(QStringLiteral("x.shape")));
        const auto gpu = describeKernel("f.cu", "__global__ void f(const float* x, float* y, int n) {}", "f");
        QVERIFY(gpu.has_value()); // test_own_cuda_kernel.cpp looks at those
        QCOMPARE(gpu->description.target, Target::Cuda);
    }

    void aSumIsFoundWithItsDimension_data()
    {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("dim"); // "-": none, "?": of a dimension that cannot be told
        const auto row = [](const char* what, const char* body, const char* dim) {
            QTest::newRow(what) << QString::fromLatin1(body) << QString::fromLatin1(dim);
        };
        const char* rows = "for (int r = 0; r < n; ++r) { ";
        row("of a row",
            (std::string(rows) + "float s = 0; for (int c = 0; c < d; ++c) s += x[r * d + c]; y[r] = s; }").c_str(),
            "d");
        row("of a column",
            "for (int c = 0; c < d; ++c) { float s = 0; for (int r = 0; r < n; ++r) s = s + x[r * d + c]; y[c] = s; }",
            "n");
        row("in lanes",
            (std::string(rows)
                + "float p[4] = {}; for (int c = 0; c + 4 <= d; c += 4) for (int k = 0; k < 4; ++k) p[k] += x[c + k]; "
                  "}")
                .c_str(),
            "d");
        row("under another name", "const int all = n; float s = 0; for (int i = 0; i < all; ++i) s += x[i]; y[0] = s;",
            "n");
        row("of a library", "y[0] = std::accumulate(x, x + n, 0.0f);", "?");
        row("of each element alone", "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += x[i]; }", "-");
        row("of whole numbers", "int at = 0; for (int i = 0; i < n; ++i) at += d;", "-");
        row("of a pointer", "float* to = y; for (int i = 0; i < n; ++i, to += d) to[0] = x[i];", "-");
        row("made anew in each turn", "for (int i = 0; i < n; ++i) { float s = x[i]; s += 1; y[i] = s; }", "-");
    }

    void aSumIsFoundWithItsDimension()
    {
        QFETCH(QString, body);
        QFETCH(QString, dim);
        const std::string text = "void f(const float* x, float* y, int n, int d)\n{\n" + body.toStdString() + "\n}\n";
        const auto sum = sumIn(text, "f", {"n", "d"});
        QCOMPARE(!sum ? QStringLiteral("-") : sum->dim.empty() ? QStringLiteral("?") : q(sum->dim), dim);
        QVERIFY(!sum || sum->line == 3);
    }

    void theLongestSumMakesTheTolerance()
    {
        KernelDescription d = described();
        QCOMPARE(d.tolerance, Tolerance::Sum);
        QCOMPARE(q(d.reduction), QStringLiteral("columns"));
        d.train = d.heldout = d.verify = {{64, 65536}};
        QVERIFY(d.relativeTolerance() > 4e-5 && d.relativeTolerance() < 5e-5);
        d.train = d.heldout = d.verify = {{8191, 8191}};
        QCOMPARE(d.relativeTolerance(), 2e-5);
        // What a user said is not taken back by what the text tells, and every guess is told.
        d.tolerance = Tolerance::Rounding;
        d.toleranceSaid = true;
        QVERIFY(joined(supposeTheRest(d), "\n").find("tolerance: ") == std::string::npos);
        QCOMPARE(d.tolerance, Tolerance::Rounding);
        d.toleranceSaid = false;
        QVERIFY(joined(supposeTheRest(d), "\n").find("tolerance: the roundings of a sum over columns")
            != std::string::npos);
        QCOMPARE(d.tolerance, Tolerance::Sum);
    }

    void aTextIsTurnedIntoDouble_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("wide"); // empty: not possible
        const auto row = [](const char* what, const char* text, const char* wide) {
            QTest::newRow(what) << QString::fromLatin1(text) << QString::fromLatin1(wide);
        };
        row("types and literals", "float s = 1.5f + .5F; const float* p;",
            "double s = double(1.5f) + double(.5F); const double* p;");
        row("functions", "s = sqrtf(x) + std::expf(y) + std::max(s, FLT_MIN);",
            "s = sqrt(x) + std::exp(y) + std::max(s, double(FLT_MIN));");
        row("what is no float", "int f = 0xF, i = 7; long double d = 1.0; float_x y; \"float\"; // 1.0f",
            "int f = 0xF, i = 7; long double d = 1.0; float_x y; \"float\"; // 1.0f");
        row("files", "#include <float.h>\nfloat x;", "#include <float.h>\ndouble x;");
        row("intrinsics", "__m256 v;", "");
        row("its bits", "int i = *(int*)&x;", "");
        row("its bits copied", "memcpy(&i, &x, 4);", "");
        row("it jumps", "y = floorf(x);", "");
        row("narrower on purpose", "_Float16 h = x;", "");
    }

    void aTextIsTurnedIntoDouble()
    {
        QFETCH(QString, text);
        QFETCH(QString, wide);
        const DoubleText found = inDouble(text.toStdString());
        QCOMPARE(q(found.text), wide);
        QCOMPARE(found.obstacle.empty(), !wide.isEmpty());
        QVERIFY(found.obstacle.empty() || found.obstacle.find("in line 1") != std::string::npos);
    }

    void aTensorOfOneDimensionIsReadOffItsIndices()
    {
        const auto supposedOf = [](const char* text) {
            const auto derived = describeKernel("f.cpp", text, "f");
            return derived ? joined(derived->suppositions, "\n") : derived.error().text;
        };
        const char* sums = "void f(const float* x, float* out, int rows, int cols) {\n"
                           "  for (int r = 0; r < rows; ++r) { float s = 0;\n"
                           "    for (int c = 0; c < cols; ++c) s += x[r * cols + c];\n"
                           "    out[r] = s; } }";
        const auto derived = describeKernel("f.cpp", sums, "f");
        QVERIFY(derived.has_value());
        QCOMPARE(derived->description.parameters[0].shape, (std::vector<std::string>{"rows", "cols"}));
        QCOMPARE(derived->description.parameters[1].shape, (std::vector<std::string>{"rows"}));
        QVERIFY2(supposedOf(sums).find("out has the shape [rows], as it is used at out[r] with r below rows; every "
                                       "other tensor has the shape [rows,cols], row by row")
                != std::string::npos,
            supposedOf(sums).c_str());
        // A pointer that moves, and an index that nothing bounds by a size, tell nothing.
        for (const char* other :
            {"void f(const float* x, float* out, int rows, int cols) { for (int r = 0; r < rows; ++r, out += cols) "
             "for (int c = 0; c < cols; ++c) out[c] = x[r * cols + c]; }",
                "void f(const float* x, float* out, int rows, int cols) { const int n = rows * cols; "
                "for (int i = 0; i < n; ++i) out[i] = x[i]; }",
                "void f(const float* x, float* out, int rows, int cols) { for (int i = 0; i < rows * cols; ++i) "
                "out[i] = x[i]; }"})
            QVERIFY2(supposedOf(other).find("every tensor has the shape [rows,cols]") != std::string::npos, other);
    }

    void anOutputThatIsChangedInPlaceIsNoticed()
    {
        const auto noticed = [](const char* body, const char* file = "f.cpp") {
            const std::string text = std::string(file == std::string("f.cu") ? "__global__ " : "")
                + "void f(const float* x, float* y, int n)\n{\n" + body + "\n}\n";
            const auto derived = describeKernel(file, text, "f");
            const std::string all = derived ? joined(derived->suppositions, "\n") : derived.error().text;
            return all.find("y is assumed to be only written") == std::string::npos ? std::string() : all;
        };
        const std::string axpy = noticed("for (int i = 0; i < n; ++i)\n  y[i] += 2 * x[i];");
        QVERIFY2(axpy.find("('y[i] +=' in line 4)") != std::string::npos
                && axpy.find("const float* y_before") != std::string::npos,
            axpy.c_str());
        QVERIFY(!noticed("*y += x[n - 1];").empty());
        QVERIFY(noticed("for (int i = 0; i < n; ++i) y[i] = x[i] + 2 * y[ i ];").find("('y[i] = … y' in line 3)")
            != std::string::npos);
        QVERIFY(!noticed("int i = threadIdx.x; if (i < n) atomicAdd(&y[0], x[i]);", "f.cu").empty());
        // It is set first, under whatever name, or is not changed at all.
        QVERIFY(noticed("for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += x[i]; }").empty());
        QVERIFY(noticed("for (int i = 0; i < n; ++i) { y[i] = 0; y[i] = y[i] + x[i]; }").empty());
        QVERIFY(noticed("float* to = y; for (int i = 0; i < n; ++i) y[i] += to[i];").empty());
        QVERIFY(noticed("for (int i = 0; i < n; ++i) y[i] = y[i] == x[i] ? 1 : 2; // y[i] += 1").empty());
    }

    void aDescriptionIsFoundFaultWith_data()
    {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("field");
        const auto row = [](const char* what, Change change, const char* field) {
            QTest::newRow(what) << change << QString::fromLatin1(field);
        };
        row(
            "a name that is no task's", [](KernelDescription& d) { d.name = "My Task"; }, "name");
        row(
            "no name", [](KernelDescription& d) { d.name.clear(); }, "name");
        row(
            "two of one name", [](KernelDescription& d) { d.parameters[1].name = "x"; }, "x");
        row(
            "a tensor called as a dimension", [](KernelDescription& d) { d.parameters[1].name = "rows"; }, "rows");
        row(
            "a word of the language", [](KernelDescription& d) { d.parameters[1].name = "float"; }, "float");
        row(
            "a name that is taken", [](KernelDescription& d) { d.parameters[1].name = "workspace"; }, "workspace");
        row(
            "a name that is code", [](KernelDescription& d) { d.parameters[1].name = "y; evil()"; }, "y; evil()");
        row(
            "not a shape", [](KernelDescription& d) { d.parameters[0].shape.clear(); }, "x.shape");
        row(
            "an unknown dimension", [](KernelDescription& d) { d.parameters[0].shape = {"depth"}; }, "x.shape");
        row(
            "doubles", [](KernelDescription& d) { d.parameters[0].dtype = Dtype::Fp64; }, "x.dtype");
        row(
            "an input that is written", [](KernelDescription& d) { d.parameters[1].kind = ParameterKind::Input; }, "y");
        row(
            "an output that is const", [](KernelDescription& d) { d.parameters[0].kind = ParameterKind::Output; }, "x");
        row(
            "a size of zero",
            [](KernelDescription& d) {
                d.train = {{0, 5}};
            },
            "train");
        row(
            "a size below zero",
            [](KernelDescription& d) {
                d.verify = {{-1, 5}};
            },
            "verify");
        row(
            "a size beyond all",
            [](KernelDescription& d) {
                d.train = {{1 << 21, 5}};
            },
            "train");
        row(
            "a size too few", [](KernelDescription& d) { d.train = {{5}}; }, "train");
        row(
            "not a multiple", [](KernelDescription& d) { d.dims[1].multiple = 16; }, "train");
        row(
            "a multiple of nothing", [](KernelDescription& d) { d.dims[1].multiple = 0; }, "columns");
        row(
            "twice",
            [](KernelDescription& d) {
                d.train = {{64, 64}, {64, 64}};
            },
            "train");
        row(
            "held-out and train", [](KernelDescription& d) { d.heldout = d.train; }, "held-out");
        row(
            "nothing to time", [](KernelDescription& d) { d.train.clear(); }, "train");
        row(
            "more than the memory",
            [](KernelDescription& d) {
                d.train = {{1 << 20, 1 << 14}};
            },
            "sizes");
        row(
            "a sum over nothing",
            [](KernelDescription& d) {
                d.tolerance = Tolerance::Sum;
                d.reduction.clear();
            },
            "tolerance");
        row(
            "no product", [](KernelDescription& d) { d.truth = TruthSource::Product; }, "right is");
        row(
            "no reference", [](KernelDescription& d) { d.truth = TruthSource::File; }, "right is");
        row(
            "a reference of other parameters",
            [](KernelDescription& d) {
                d.truth = TruthSource::File;
                d.referenceSource = "void f(const float* x, int n) {}\nvoid g(const float* x, float* y, int n) {}";
                d.referenceFunction = "g";
            },
            "right is");
        row(
            "no normal inputs", [](KernelDescription& d) { d.inputs = {InputKind::Integer}; }, "inputs");
        row(
            "work that is no expression", [](KernelDescription& d) { d.flops = "rows times columns"; }, "operations");
        row(
            "a constant without a value",
            [](KernelDescription& d) {
                d.parameters.push_back({"alpha", "float", ParameterKind::Constant, {}, {}, {}});
            },
            "alpha");
        row(
            "a constant that is code",
            [](KernelDescription& d) {
                d.parameters.push_back({"alpha", "float", ParameterKind::Constant, {}, {}, "evil()"});
            },
            "alpha");
        row(
            "a file of one's own", [](KernelDescription& d) { d.source += "#include \"mine.h\"\n"; }, "file");
        row(
            "a name of ours", [](KernelDescription& d) { d.source += "void tilewright_run(int) { }\n"; }, "file");
    }

    void aDescriptionIsFoundFaultWith()
    {
        QFETCH(Change, change);
        QFETCH(QString, field);
        KernelDescription description = described();
        QVERIFY(findingsIn(description, std::int64_t(8) << 30).empty());
        change(description);
        const auto findings = findingsIn(description, std::int64_t(8) << 30);
        QVERIFY2(fieldsOf(findings).contains(field), qPrintable(fieldsOf(findings).join(u' ')));
    }

    void sizesAreReadAsTheyAreWritten()
    {
        QCOMPARE(*parsedShapes("512x1000, 64×64", 2), (std::vector<Shape>{{512, 1000}, {64, 64}}));
        QCOMPARE(*parsedShapes("7", 1), (std::vector<Shape>{{7}}));
        QVERIFY(parsedShapes("", 2)->empty());
        QCOMPARE(*parsedShapes(writtenShapes({{3, 4}, {5, 6}}), 2), (std::vector<Shape>{{3, 4}, {5, 6}}));
        for (const char* bad : {"512", "512x", "x5", "5x5x5", "a", "5x5 5x5", "99999999999999999999x1", "5x-"})
            QVERIFY2(!parsedShapes(bad, 2), bad);
        QVERIFY(q(parsedShapes("5*rows*cols, 4x4", 2).error().text).contains(QStringLiteral(": 'rows*cols' is not")));
        QVERIFY(q(parsedShapes("abc, 1x-3", 2).error().text).contains(QStringLiteral(": 'abc' is not a whole number")));
    }

    void aPackIsWrittenThatLoads()
    {
        const QTemporaryDir folder;
        const auto path = writePack(described(), folder.path().toStdString(), 0);
        QVERIFY2(path.has_value(), path ? "" : path.error().line().c_str());
        const auto pack = loadTaskPack(*path);
        QVERIFY2(pack.has_value(), pack ? "" : pack.error().line().c_str());
        QCOMPARE(q(pack->task.name), QStringLiteral("softmax"));
        QCOMPARE(pack->task.dims.size(), std::size_t(2));
        QCOMPARE(q(pack->task.dims[0].name), QStringLiteral("rows"));
        QVERIFY(
            q(pack->seed()).contains(QStringLiteral("softmax(args.x, args.y, args.dims.rows, args.dims.columns);")));
        QVERIFY(q(pack->seed()).contains(q(softmax)));
        QVERIFY(q(pack->files.at("reference.cpp")).contains(QStringLiteral("whether that is right is not checked")));
        QVERIFY(isPackUnchecked(*path));
        markPackChecked(*path);
        QVERIFY(!isPackUnchecked(*path));
        // What was written here may be written over, and only that.
        QVERIFY(writePack(described(), folder.path().toStdString(), 0).has_value());
        QVERIFY(isPackUnchecked(*path));
        QVERIFY(std::filesystem::remove(*path / "README.md"));
        const auto again = writePack(described(), folder.path().toStdString(), 0);
        QCOMPARE(again ? QString() : q(again.error().code), QStringLiteral("own/taken"));
    }

    void onlyAFailedTryThatNobodyTouchedMayBeTriedAgain()
    {
        const QTemporaryDir folder;
        const auto path = writePack(described(), folder.path().toStdString(), 0);
        QVERIFY(path.has_value());
        QVERIFY(!isFailedTry(*path)); // nobody has looked at it yet
        markPackUnchecked(*path, "It is wrong.");
        QVERIFY(isFailedTry(*path));
        std::ofstream(*path / "seed.cpp", std::ios::app) << "// mine\n";
        QVERIFY(!isFailedTry(*path));
        markPackUnchecked(*path, "It is wrong yet.");
        QVERIFY(!isFailedTry(*path));
        markPackChecked(*path);
        QVERIFY(!isFailedTry(*path));
    }

    void writingThatWasCutOffDoesNotBlockTheName()
    {
        const QTemporaryDir folder;
        const std::filesystem::path there = std::filesystem::path(folder.path().toStdString()) / "softmax";
        std::filesystem::create_directory(there);
        markPackUnchecked(there, "It was written and not checked yet."); // all that the disk took
        QVERIFY(writePack(described(), folder.path().toStdString(), 0).has_value());
    }

    void complaintsNameTheLinesOfThePersonsFile()
    {
        KernelDescription description = described();
        const std::string seed = seedOf(description);
        const auto before = std::ranges::count(seed.substr(0, seed.find(softmax)), '\n');
        const std::string fifth = "candidate.cpp:" + std::to_string(before + 5) + ":7: error: no";
        QCOMPARE(q(inOwnLines(description, "seed.cpp: build/error: " + fifth)),
            QStringLiteral("seed.cpp: build/error: softmax.cpp:5:7: error: no"));
        QCOMPARE(q(inOwnLines(description, "candidate.cpp:1: error")), QStringLiteral("candidate.cpp:1: error"));
        QCOMPARE(q(inOwnLines(description, "candidate.cpp:999: error")), QStringLiteral("candidate.cpp:999: error"));
        // C's word takes a line more, and none where it is not used.
        QVERIFY(!seed.contains("#define restrict"));
        description.source = std::string("// unrestricted, restrict\n") + softmax;
        QVERIFY(!seedOf(description).contains("#define restrict"));
        description.source = std::string("static void f(float *restrict p) { *p = 0; }\n") + softmax;
        QVERIFY(seedOf(description)
                    .starts_with("// softmax: softmax.cpp as it was, and the entry behind it.\n"
                                 "#define restrict __restrict\n// EVOLVE-BLOCK-START\nstatic"));
        QVERIFY(referenceOf(description).contains("#define restrict __restrict\n"));
        QCOMPARE(q(inOwnLines(description, "candidate.cpp:4:1")), QStringLiteral("softmax.cpp:1:1"));
    }

    void aPackOfOursIsNotHiddenByAnotherOfItsName()
    {
        KernelDescription description = described();
        description.name = "gemm-fp32-cpu";
        const QTemporaryDir folder;
        const auto path = writePack(description, folder.path().toStdString(), 0);
        QCOMPARE(path ? QString() : q(path.error().code), QStringLiteral("own/taken"));
    }

    void whereNothingCanBeWrittenIsSaid()
    {
        const auto path = writePack(described(), "/proc/nowhere", 0);
        QCOMPARE(path ? QString() : q(path.error().code), QStringLiteral("file/unwritable"));
    }

    void marksOfThePersonSayWhatMayChange()
    {
        KernelDescription description = described();
        description.source = "// EVOLVE-BLOCK-START\n" + description.source + "// EVOLVE-BLOCK-END\n";
        QCOMPARE(q(seedOf(description)).count(QStringLiteral("EVOLVE-BLOCK-START")), 1);
    }

    void filesThatAreNoTextAreRefused()
    {
        const QTemporaryDir folder;
        const std::filesystem::path base = folder.path().toStdString();
        const auto codeFor = [](const std::filesystem::path& path) {
            const auto text = readKernelFile(path);
            return text ? QString() : q(text.error().code);
        };
        QCOMPARE(codeFor(base / "nothing.cpp"), QStringLiteral("file/missing"));
        QCOMPARE(codeFor(base), QStringLiteral("file/unreadable"));
        std::ofstream(base / "zero.cpp") << std::string("void f\0()", 9);
        QCOMPARE(codeFor(base / "zero.cpp"), QStringLiteral("file/not-text"));
        std::ofstream(base / "huge.cpp") << "";
        std::filesystem::resize_file(base / "huge.cpp", std::uintmax_t(2) << 30); // takes no room on the disk
        QCOMPARE(codeFor(base / "huge.cpp"), QStringLiteral("file/too-large"));
        std::ofstream(base / "windows.cpp") << "a\r\nb";
        QCOMPARE(q(*readKernelFile(base / "windows.cpp")), QStringLiteral("a\nb"));
    }
};

TILEWRIGHT_TEST(TestOwnKernel)
#include "test_own_kernel.moc"
