// SPDX-License-Identifier: GPL-3.0-or-later
// A user's own CUDA kernel: what is read off the file and its launch, what goes with the host's code, what is said of
// what cannot be, and the pack that is written.
#include "core/base/files.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "core/pack/cuda_source.h"
#include "core/pack/cuda_texts.h"
#include "core/pack/pack_texts.h"
#include "core/pack/pack_writer.h"
#include "tests/pack/description_change.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace tilewright;

namespace {

const std::filesystem::path examples = std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "kernels/examples/own-kernel";

/// A kernel over n, and what a file holds beside it.
std::string withKernel(const std::string& more)
{
    return "__global__ void f(const float* x, float* y, int n, int m) { y[threadIdx.x] = x[threadIdx.x]; }\n" + more;
}

QString launchInShort(const KernelLaunch& launch)
{
    return q(joined(launch.grid, ", ") + " | " + joined(launch.block, ", ")
        + (launch.shared.empty() ? "" : " | " + launch.shared));
}

KernelDescription describedScale()
{
    const auto derived = describeKernel("/home/me/scale.cu", *readFile(examples / "scale.cu"), "scale");
    if (!derived)
        return {};
    KernelDescription description = derived->description;
    description.parameters.back().value = "3.0f";
    return description;
}

} // namespace

class TestOwnCudaKernel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aKernelsSignatureIsReadAsItIsMeant_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("read");
        const auto row = [](const char* what, const char* text, const char* name, const char* read) {
            QTest::newRow(what) << QString::fromLatin1(text) << QString::fromLatin1(name) << QString::fromLatin1(read);
        };
        const char* plain = "in float, out float, size";
        row("plain", "__global__ void f(const float* x, float* y, int n) {}", "f", plain);
        row("extern C", "extern \"C\" __global__ void f(const float* x, float* y, int n) {}", "f", plain);
        row("extern C block", "extern \"C\" {\n__global__ void f(const float* x, float* y, int n) {}\n}", "f", plain);
        row("static", "static __global__ void f(const float* x, float* y, int n) {}", "f", plain);
        row("void first", "void __global__ f(const float* x, float* y, int n) {}", "f", plain);
        row("launch bounds", "__global__ void __launch_bounds__(256, 2) f(const float* x, float* y, int n) {}", "f",
            plain);
        row("launch bounds in front", "__launch_bounds__(B) __global__ void f(const float* x, float* y, int n) {}", "f",
            plain);
        row("restrict", "__global__ void f(const float* __restrict__ x, float* __restrict__ y, const int n) {}", "f",
            plain);
        row("comments", "__global__ /* a */ void f(const float* x, // in\n float* y, /* out */ int n) {}", "f", plain);
        row("sizes", "__global__ void f(float* y, unsigned a, size_t b, long long c, unsigned int d, uint32_t e) {}",
            "f", "out float, size, size, size, size, size");
        row("numbers", "__global__ void f(float* y, int n, float a, const double b) {}", "f",
            "out float, size, constant, constant");
        row("half", "__global__ void f(const __half* x, half* y, int n) {}", "f", "in __half, out half, size");
        row("bf16", "__global__ void f(const __nv_bfloat16* __restrict__ x, nv_bfloat16* y, int n) {}", "f",
            "in __nv_bfloat16, out nv_bfloat16, size");
        row("among others", "__global__ void g(float* y, int n) {}\nvoid h() {}\n__global__ void f(float* y, int n) {}",
            "f", "out float, size");
        row("in a namespace", "namespace a { __global__ void f(float* y, int n) {} }", "a::f", "out float, size");
        row("an instance of numbers", "template <int B, int T> __global__ void f(const float* x, float* y, int n) {}",
            "f<64, 4>", plain);
        row("an instance of a type", "template <typename T, int B = 2> __global__ void f(const T* x, T* y, int n) {}",
            "f<float>", plain);
        row("an instance of a 16-bit type",
            "template <class T> __global__ void f(const T* __restrict__ x, T* y, int n) {}", "f<__half>",
            "in __half, out __half, size");
    }

    void aKernelsSignatureIsReadAsItIsMeant()
    {
        QFETCH(QString, text);
        QFETCH(QString, name);
        QFETCH(QString, read);
        const auto derived = describeKernel("f.cu", text.toStdString(), name.toStdString());
        QVERIFY2(derived.has_value(), derived ? "" : derived.error().line().c_str());
        QCOMPARE(derived->description.target, Target::Cuda);
        const auto function = kernelFunctionNamed(text.toStdString(), name.toStdString());
        static const char* const words[]{"in ", "out ", "size", "constant", "?"};
        QStringList found;
        for (const KernelParameter& parameter : function->parameters)
            found << QString::fromLatin1(words[static_cast<int>(parameter.kind)])
                    + (parameter.dtype ? q(parameter.element) : QString());
        QCOMPARE(found.join(QStringLiteral(", ")), read);
    }

    void whatCannotBeAKernelIsSaid_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* what, const char* text, const char* name, const char* code, const char* says) {
            QTest::newRow(what) << QString::fromLatin1(text) << QString::fromLatin1(name) << QString::fromLatin1(code)
                                << QString::fromLatin1(says);
        };
        row("a template", "template <int B> __global__ void f(float* y, int n) {}", "f", "own/template",
            "--function 'f<B>'");
        row("too many arguments", "template <int B> __global__ void f(float* y, int n) {}", "f<1, 2>", "own/template",
            "has 1 template parameter: B");
        row("an argument is missing", "template <int B> __global__ void f(float* y, int n) {}", "f<>", "own/template",
            "not an instance");
        row("a host function", "void f(float* y, int n) {}\n__global__ void g(float* y, int n) {}", "f", "own/target",
            "lacks __global__");
        row("a device function", "__device__ void f(float* y, int n) {}", "f", "own/target", "lacks __global__");
        row("no such kernel", "__global__ void g(float* y, int n) {}", "f", "own/no-function", "it defines g");
        row("no output", "__global__ void f(const float* x, int n) {}", "f", "own/parameter", "has no output");
        row("a struct by value", "__global__ void f(Params p, float* y) {}", "f", "own/parameter", "parameter 1 'p'");
        row("vectors", "__global__ void f(const float4* x, float4* y, int n) {}", "f", "own/parameter", "unknown");
    }

    void whatCannotBeAKernelIsSaid()
    {
        QFETCH(QString, text);
        QFETCH(QString, name);
        QFETCH(QString, code);
        QFETCH(QString, says);
        const auto derived = describeKernel("f.cu", text.toStdString(), name.toStdString());
        QCOMPARE(derived ? QString() : q(derived.error().code), code);
        QVERIFY2(q(derived.error().line()).contains(says), derived.error().line().c_str());
        QVERIFY(!q(derived.error().line()).contains(u'\n'));
    }

    void theLaunchIsReadOffTheFile_data()
    {
        QTest::addColumn<QString>("host");
        QTest::addColumn<QString>("launch");
        QTest::addColumn<QString>("trouble");
        const auto row = [](const char* what, const char* host, const char* launch, const char* trouble = "") {
            QTest::newRow(what) << QString::fromLatin1(host) << QString::fromLatin1(launch)
                                << QString::fromLatin1(trouble);
        };
        row("numbers", "void g() { f<<<12, 256>>>(x, y, n, m); }", "12 | 256");
        row("the kernel's own sizes", "void g(int n) { f<<<(n + 255) / 256, 256>>>(x, y, n, m); }",
            "(n + 255) / 256 | 256");
        row("sizes by the host's names", "void g(int N) { f<<<(N + 255) / 256, 256>>>(x, y, N, 3); }",
            "(n + 255) / 256 | 256");
        row("by their place, not their name", "void g(int n, int m) { f<<<n, m>>>(x, y, m, n); }", "m | n");
        row("variables", "void g(int n) { const int t = 128; int b = (n + t - 1) / t; f<<<b, t>>>(x, y, n, m); }",
            "(n + 128 - 1) / 128 | 128");
        row("a size that the host fixes", "int main() { int n = 1 << 20; f<<<n / 4, 4>>>(x, y, n, m); }", "n / 4 | 4");
        row("dim3", "void g() { f<<<dim3(n, m), dim3(16, 16, 1)>>>(x, y, n, m); }", "n, m | 16, 16");
        row("dim3 variables",
            "void g() { dim3 block(32, 8); dim3 grid((n + block.x - 1) / block.x, m / block.y);\n"
            "f<<<grid, block>>>(x, y, n, m); }",
            "(n + 32 - 1) / 32, m / 8 | 32, 8");
        row("dim3 in braces", "void g() { dim3 grid{n, 2}, block = {64}; f<<<grid, block>>>(x, y, n, m); }",
            "n, 2 | 64");
        row("dim3 is assigned", "void g() { dim3 grid = dim3(m); f<<<grid, 1>>>(x, y, n, m); }", "m | 1");
        row("macros stay by name", "#define B 64\nvoid g() { f<<<(n + B - 1) / B, B>>>(x, y, n, m); }",
            "(n + B - 1) / B | B");
        row("constants stay by name", "constexpr int B = 4 * 16;\nvoid g() { f<<<n / B, B>>>(x, y, n, m); }",
            "n / B | B");
        row("a function for rounding up",
            "int cdiv(int a, int b) { return (a + b - 1) / b; }\n"
            "void g() { f<<<cdiv(n, 32), 32>>>(x, y, n, m); }",
            "ceil_div(n, 32) | 32");
        row("shared memory", "void g() { size_t s = 2 * m * sizeof(float); f<<<n, 32, s>>>(x, y, n, m); }",
            "n | 32 | (2 * m * sizeof(float))");
        row("no shared memory and a stream", "void g() { f<<<n, 32, 0, stream>>>(x, y, n, m); }", "n | 32");
        row("over lines, with comments", "void g() {\nf<<< n, // rows\n 32 /* warps */ >>>(x, y, n, m); }", "n | 32");
        row("the first of several", "void g() { f<<<n, 32>>>(x, y, n, m); f<<<n, 64>>>(x, y, n, m); }", "n | 32");
        row("another kernel's", "__global__ void h(float* y, int n) {}\nvoid g() { h<<<1, 1>>>(y, n); }", " | ");
        row("in a comment", "// f<<<1, 1>>>(x, y, n, m);\n", " | ");
        row("what is not known", "void g() { f<<<prop.multiProcessorCount * 4, 256>>>(x, y, n, m); }", " | 256",
            "'prop' is unknown there");
        row("a function of the host's", "void g() { f<<<grid_for(n), 256>>>(x, y, n, m); }", " | 256", "'grid_for'");
        row("a block of the caller's", "void g(int n, int size) { f<<<n, size>>>(x, y, n, m); }", "n | ", "'size'");
        row("the smaller of two", "void g() { f<<<std::min<int>(64, (n + 3) / 4), max(32, 64)>>>(x, y, n, m); }",
            "(64 < ((n + 3) / 4) ? 64 : ((n + 3) / 4)) | (32 > 64 ? 32 : 64)");
        row("constants of a namespace",
            "namespace a { constexpr int B = 32; }\nvoid g() { f<<<n, a::B>>>(x, y, n, m); }", "n | a::B");
        row("a name that is its own", "void g() { int b = b; f<<<b, 1>>>(x, y, n, m); }", " | 1", "is unknown");
        row("it says too little", "void g() { f<<<1>>>(x, y, n, m); }", " | ", "no grid and block");
        row("it does not end", "void g() { f<<<1, 1", " | ", "does not end");
    }

    void theLaunchIsReadOffTheFile()
    {
        QFETCH(QString, host);
        QFETCH(QString, launch);
        QFETCH(QString, trouble);
        const std::string text = withKernel(host.toStdString());
        const FoundLaunch found = launchOf(text, *kernelFunctionNamed(text, "f"));
        QVERIFY2(
            q(found.trouble).contains(trouble) && found.trouble.empty() == trouble.isEmpty(), found.trouble.c_str());
        QCOMPARE(launchInShort(found.launch), launch);
    }

    void instancesThatAreLaunchedMayBeChosen()
    {
        const std::string text
            = "template <int B, typename T> __global__ void f(const T* x, T* y, int n) {}\n"
              "void g() { f<64, float><<<n / 64, 64>>>(x, y, n); f<128, __half><<<n, 1>>>(x, y, n); }\n";
        const auto choices = kernelChoices("f.cu", text);
        QStringList names;
        for (const KernelFunction& function : choices)
            names << q(function.name);
        QCOMPARE(names, (QStringList{QStringLiteral("f<64, float>"), QStringLiteral("f<128, __half>")}));
        const std::string byNames
            = "template <const int B, const int T> __global__ void f(const float* x, float* y, int n) {}\n"
              "void g() { const uint B = 64; const int T = B / 8; f<B, T>\n<<<n / B, B / T>>>(x, y, n); }\n"
              "void h() { constexpr int B = 32; f<B, 4><<<n, 4>>>(x, y, n); }\n";
        QStringList resolved;
        for (const KernelFunction& function : kernelChoices("f.cu", byNames))
            resolved << q(function.name);
        QCOMPARE(resolved, (QStringList{QStringLiteral("f<64, 8>"), QStringLiteral("f<32, 4>")}));
        QCOMPARE(
            launchInShort(describeKernel("f.cu", byNames, "f<32, 4>")->description.launch), QStringLiteral("n | 4"));
        const auto derived = describeKernel("f.cu", text, "f<128, __half>");
        QVERIFY2(derived.has_value(), derived ? "" : derived.error().line().c_str());
        QCOMPARE(launchInShort(derived->description.launch), QStringLiteral("n | 1"));
        QCOMPARE(q(derived->description.name), QStringLiteral("f-128-half"));
        QVERIFY(q(seedOf(derived->description))
                    .contains(QStringLiteral("f<128, __half>(reinterpret_cast<const __half*>(args.x)")));
    }

    void theHostsCodeGoesAndTheDevicesStays_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("left");
        const auto row = [](const char* what, const char* text, const char* left) {
            QTest::newRow(what) << QString::fromLatin1(text) << QString::fromLatin1(left);
        };
        row("host functions", "static void check(int e) {}\n\nint main(int c, char** v)\n{\n    f<<<1, 1>>>();\n}\n",
            "");
        row("their comments", "// runs it\n// twice\nvoid run() { }\n", "");
        row("a comment of the file stays", "// about all\n\nvoid run() { }\n", "// about all\n\n");
        row("headers of one's own", "#include \"common.h\"\n", "");
        row("headers of the host", "#include <vector>\n#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n",
            "#include <cuda_fp16.h>\n");
        row("macros and constants", "#define B 32\nconstexpr int T = 4;\nconst int U = 5;\n",
            "#define B 32\nconstexpr int T = 4;\nconst int U = 5;\n");
        row("device functions", "__device__ inline float sq(float x) { return x * x; }\n",
            "__device__ inline float sq(float x) { return x * x; }\n");
        row("for both",
            "__host__ __device__ int up(int a) { return a + 1; }\nconstexpr int down(int a) { return a - 1; }\n",
            "__host__ __device__ int up(int a) { return a + 1; }\nconstexpr int down(int a) { return a - 1; }\n");
        row("other kernels", "__global__ void other(float* y) { }\ntemplate <int B> __global__ void third() { }\n", "");
        row("variables of the host", "float* d_x;\nstd::vector<float> h(10);\ncudaStream_t stream;\n", "");
        row("memory of the device", "__constant__ float table[4];\n", "__constant__ float table[4];\n");
        row("types", "struct Pair { float a, b; };\nusing real = float;\ntypedef int index_t;\n",
            "struct Pair { float a, b; };\nusing real = float;\ntypedef int index_t;\n");
        row("types of the host", "struct Timer { cudaEvent_t a; };\n", "");
        row("namespaces", "using namespace std;\nnamespace cg = cooperative_groups;\n",
            "namespace cg = cooperative_groups;\n");
        row("braces in words", "const char* text() { return \"}{\"; }\n#define Q '}'\n", "#define Q '}'\n");
        row("an instance asked for", "template __global__ void g<4>(float*);\n", "");
    }

    void theHostsCodeGoesAndTheDevicesStays()
    {
        QFETCH(QString, text);
        QFETCH(QString, left);
        const std::string kernel = "__global__ void f() { /* } */ }\n";
        const DevicePart part = devicePartOf(text.toStdString() + kernel, "f");
        QCOMPARE(q(part.text), left + QStringLiteral("__device__ __forceinline__ void f() { /* } */ }\n"));
    }

    void howItMayBeLaunchedGoesToWhatIsLaunched()
    {
        const DevicePart part
            = devicePartOf("extern \"C\" __global__ void __launch_bounds__(B, 2)\n    f(float* y) { }\n", "f");
        QCOMPARE(q(part.launchBounds), QStringLiteral("__launch_bounds__(B, 2)"));
        QCOMPARE(q(part.text), QStringLiteral("extern \"C\" __device__ __forceinline__ void f(float* y) { }\n"));
    }

    void namesOfTheContractBecomeOnesOwn()
    {
        const std::string text
            = "#include <cuda_bf16.h>\ntypedef __nv_bfloat16 bf16;\nusing Plan = float;\n"
              "__host__ __device__ inline int ceil_div(int a, int b) { return (a + b - 1) / b; }\n"
              "struct Args;\n"
              "__global__ void f(const bf16* x, bf16* y, int n) { Plan a = ceil_div(n, 2); Device(a); }\n"
              "void g() { f<<<ceil_div(n, 32), 32>>>(x, y, n); }\n";
        const auto derived = describeKernel("f.cu", text, "f");
        QVERIFY2(derived.has_value(), derived ? "" : derived.error().line().c_str());
        const QString seed = q(seedOf(derived->description));
        for (const char* wanted : {"typedef __nv_bfloat16 own_bf16;", "using own_Plan = float;",
                 "inline int own_ceil_div(int a", "struct own_Args;", "own_Plan a = own_ceil_div(n, 2); Device(a);",
                 "f(reinterpret_cast<const own_bf16*>(args.x)", "ceil_div(d.n, 32)",
                 "TW_FN Plan tilewright_plan(Dims d"})
            QVERIFY2(seed.contains(QString::fromLatin1(wanted)), qPrintable(seed));
        QVERIFY(
            q(referenceOf(derived->description)).contains(QStringLiteral("tilewright_found(Dims dims, const bf16* x")));
        const auto instance = describeKernel("f.cu",
            "typedef __nv_bfloat16 bf16;\n"
            "template <class T> __global__ void f(const T* x, T* y, int n) {}\nvoid g() { f<bf16><<<n, 1>>>(x, y, n); "
            "}",
            "f<bf16>");
        QVERIFY(q(seedOf(instance->description))
                    .contains(QStringLiteral("f<own_bf16>(reinterpret_cast<const own_bf16*>(args.x)")));
        QVERIFY(clashingNames("__device__ void f(Plan p, bf16 x) { bf16 y = x; }\nbf16 g();\n").empty());
    }

    void standardHeadersAreStoodInFor()
    {
        const std::string text
            = fallbacksFor("float a = FLT_MAX; uint32_t b; float c = std::max(a, std::exp(a)); // INT_MAX");
        for (const char* wanted :
            {"#define FLT_MAX", "typedef unsigned int uint32_t;", "using ::exp;", "T& max(const T& a"})
            QVERIFY2(q(text).contains(QString::fromLatin1(wanted)), text.c_str());
        QVERIFY(!q(text).contains(QStringLiteral("INT_MAX")));
        QVERIFY(fallbacksFor("float f(float x) { return expf(x); }").empty());
    }

    void whatIsSupposedIsSaid()
    {
        const auto derived = describeKernel("softmax.cu", *readFile(examples / "softmax.cu"), "softmax");
        QVERIFY2(derived.has_value(), derived ? "" : derived.error().line().c_str());
        const KernelDescription& d = derived->description;
        QCOMPARE(launchInShort(d.launch), QStringLiteral("rows | BLOCK"));
        const QString supposed = q(joined(derived->readings, "\n") + "\n" + joined(derived->suppositions, "\n"));
        for (const char* wanted :
            {"launched as in line", "softmax_plain() in line", "main() in line", "[rows,columns]"})
            QVERIFY2(supposed.contains(QString::fromLatin1(wanted)), qPrintable(supposed));
        QVERIFY2(findingsIn(d, 1).empty(), findingsIn(d, 1).empty() ? "" : findingsIn(d, 1).front().line().c_str());
    }

    void aDescriptionIsFoundFaultWith_data()
    {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* what, Change change, const char* field, const char* says) {
            QTest::newRow(what) << change << QString::fromLatin1(field) << QString::fromLatin1(says);
        };
        row(
            "no launch", [](KernelDescription& d) { d.launch = {}; }, "grid", "is not given");
        row(
            "an unknown name", [](KernelDescription& d) { d.launch.grid = {"rows"}; }, "grid", "rows");
        row(
            "nothing", [](KernelDescription& d) { d.launch.grid = {"n / 256"}; }, "grid", "is 0 at 1");
        row(
            "too many threads",
            [](KernelDescription& d) {
                d.launch.block = {"64", "32"};
            },
            "block", "2048 threads");
        row(
            "four parts",
            [](KernelDescription& d) {
                d.launch.grid = {"1", "1", "1", "1"};
            },
            "grid", "three parts");
        row(
            "shared memory", [](KernelDescription& d) { d.launch.shared = "n * width"; }, "shared", "width");
        row(
            "types that differ",
            [](KernelDescription& d) {
                d.parameters.insert(
                    d.parameters.begin(), {"w", "const __half*", ParameterKind::Input, Dtype::Fp16, {"n"}, {}});
            },
            "x.dtype", "all inputs have one type");
        row(
            "double", [](KernelDescription& d) { d.parameters[0].dtype = Dtype::Fp64; }, "x.dtype", "on a GPU");
        row(
            "a name of the arguments", [](KernelDescription& d) { d.parameters[0].name = "user"; }, "user", "reserved");
        row(
            "a reference of no launch",
            [](KernelDescription& d) {
                d.truth = TruthSource::File;
                d.referenceSource = "__global__ void plain(const float* x, float* y, int n, float a) {}";
                d.referenceFunction = "plain";
            },
            "right is", "no launch of plain");
        row(
            "a reference of other parameters",
            [](KernelDescription& d) {
                d.truth = TruthSource::File;
                d.referenceSource = "void plain(const float* x, double* y, int n) {}";
                d.referenceFunction = "plain";
            },
            "right is", "other parameters");
    }

    void aDescriptionIsFoundFaultWith()
    {
        QFETCH(Change, change);
        QFETCH(QString, field);
        QFETCH(QString, says);
        KernelDescription description = describedScale();
        QVERIFY(findingsIn(description, 1).empty());
        change(description);
        QString lines;
        bool found = false;
        for (const DescriptionFinding& finding : findingsIn(description, 1)) {
            lines += q(finding.line()) + u'\n';
            found = found || (q(finding.field) == field && q(finding.line()).contains(says));
        }
        QVERIFY2(found, qPrintable(lines));
    }

    void aPackIsWrittenThatLoads()
    {
        const QTemporaryDir folder;
        const auto path = writePack(describedScale(), folder.path().toStdString(), 0);
        QVERIFY2(path.has_value(), path ? "" : path.error().line().c_str());
        const auto pack = loadTaskPack(*path);
        QVERIFY2(pack.has_value(), pack ? "" : pack.error().line().c_str());
        QCOMPARE(pack->task.target, Target::Cuda);
        QCOMPARE(q(pack->task.name), QStringLiteral("scale"));
        const QString seed = q(pack->seed()), reference = q(pack->files.at("reference.cu"));
        for (const char* wanted : {"// EVOLVE-BLOCK-START", "__device__ __forceinline__ void scale(const float* x",
                 "extern \"C\" __global__ void tilewright_scale(const __grid_constant__ Args args)",
                 "scale(args.x, args.y, args.dims.n, 3.0f);",
                 "plan.add(\"tilewright_scale\", (d.n + 256 - 1) / 256, 256);"})
            QVERIFY2(seed.contains(QString::fromLatin1(wanted)), qPrintable(seed));
        QVERIFY(!seed.contains(QStringLiteral("scale_on_device")));
        for (const char* wanted :
            {"tilewright_found(Dims dims, const float* x, float* y)", "scale(x, y, dims.n, 3.0f);",
                "launch[0] = (dims.n + 256 - 1) / 256;", "launch[3] = 256;", "launch[6] = 0;"})
            QVERIFY2(reference.contains(QString::fromLatin1(wanted)), qPrintable(reference));
    }

    void gridsOfSeveralPartsAreWritten()
    {
        KernelDescription description = describedScale();
        description.launch = {{"ceil_div(n, 32)", "2"}, {"32", "4"}, "32 * sizeof(float)"};
        const QString seed = q(seedOf(description));
        for (const char* wanted :
            {"Launch& launch = plan.add(\"tilewright_scale\", ceil_div(d.n, 32), 32, 32 * sizeof(float));",
                "launch.grid[1] = 2;", "launch.block[1] = 4;"})
            QVERIFY2(seed.contains(QString::fromLatin1(wanted)), qPrintable(seed));
        QVERIFY(q(referenceOf(description)).contains(QStringLiteral("launch[0] = tilewright_ceil_div(dims.n, 32);")));
    }

    void aPlainReferenceStaysWithWhatItCalls()
    {
        KernelDescription description = describedScale();
        description.truth = TruthSource::File;
        description.referenceSource = "double twice(double x) { return 2 * x; }\nvoid other() { }\n"
                                      "void plain(const float* x, double* y, int n, float a)\n"
                                      "{ for (int i = 0; i < n; ++i) y[i] = twice(x[i]) * a / 2; }\n";
        description.referenceFunction = "plain";
        QVERIFY(findingsIn(description, 1).empty());
        const QString text = q(referenceOf(description));
        for (const char* wanted :
            {"double twice(", "tilewright_values(Dims dims, const float* x, double* y)", "launch[3] = 1;"})
            QVERIFY2(text.contains(QString::fromLatin1(wanted)), qPrintable(text));
        QVERIFY(!text.contains(QStringLiteral("void other")));
    }

    void aProductIsKnown()
    {
        for (const char* type : {"float", "__nv_bfloat16"}) {
            const std::string t = type;
            const auto derived = describeKernel("gemm.cu",
                "__global__ void gemm(const " + t + "* A, const " + t + "* B, " + t
                    + "* C, int M, int N, int K) {}\n"
                      "void run() { gemm<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(a, b, c, M, N, K); }",
                "gemm");
            QVERIFY2(derived.has_value(), derived ? "" : derived.error().line().c_str());
            QCOMPARE(derived->description.truth, TruthSource::Product);
            QVERIFY(q(referenceOf(derived->description))
                        .contains(QStringLiteral("void tilewright_reference(Dims dims, const ")));
            QVERIFY(q(taskJsonOf(derived->description)).contains(QStringLiteral("cublaslt")));
        }
    }

    void whatToDoIsSaidForTheLanguageAndTheRule_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* text, const char* says) {
            QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(says);
        };
        row("seed.cpp: build/error: x", "for the CPU, without exceptions");
        row("seed.cu: build/error: x", "for the GPU, by NVRTC");
        row("seed.cu: build/plan: x", "must be known at compile time");
        for (const char* file : {"seed.cpp", "seed.cu"}) {
            row((std::string(file) + ": build/limit: x").c_str(), "limits.build_s");
            row((std::string(file) + ": build/crash: x").c_str(), "crashed on this text");
            row((std::string(file) + ": build/writable-data: x").c_str(), "between two calls");
        }
        row("seed.cpp: build/undefined-symbol: x", "<cmath>");
        row("seed.cu: build/undefined-symbol: x", "There is no heap");
        row("seed.cpp: build/include: x", "not part of the compiler");
        row("seed.cu: build/include: x", "not one of CUDA's headers");
        row("seed.cu: build/instruction: x", "manipulate the clock");
        row("seed.cu: build/arguments: x", "violates a rule for GPU programs");
        row("seed.cpp: build/tls: x", "thread-local");
    }

    void whatToDoIsSaidForTheLanguageAndTheRule()
    {
        QFETCH(QString, says);
        const std::string told = plainRemedy({"task/file", QTest::currentDataTag(), "the error's own hint", nullptr});
        QVERIFY2(q(told).contains(says), told.c_str());
        const bool isOfTheCpu = QByteArray(QTest::currentDataTag()).startsWith("seed.cpp");
        QVERIFY2(isOfTheCpu || told.find("CPU") == std::string::npos, told.c_str());
        // What the machine lacks is told by what is to be installed.
        QCOMPARE(plainRemedy({"build/no-headers", "no headers", "install them", nullptr}), std::string("install them"));
    }

    void randomTextsAreReadWithoutACrash()
    {
        const std::string text = *readFile(examples / "softmax.cu");
        const auto readAll = [](const std::string& some) {
            (void)kernelChoices("f.cu", some);
            (void)devicePartOf(some, "softmax");
            (void)clashingNames(some);
            if (const auto derived = describeKernel("f.cu", some, "softmax")) {
                if (!findingsIn(derived->description, 0).empty())
                    return;
                QVERIFY(seedOf(derived->description).find("tilewright_plan") != std::string::npos);
                QVERIFY(referenceOf(derived->description).find("tilewright_") != std::string::npos);
            }
        };
        CounterRandom random(1, 2, 3);
        static constexpr std::string_view signs = "{}()<>;\"'#/*\\,=:&\n ax0";
        for (int i = 0; i < 1000; ++i) {
            std::string changed = text;
            for (int at = 0; at < 4; ++at)
                changed[random.below(changed.size())] = signs[random.below(signs.size())];
            readAll(changed);
        }
        std::string endless
            = withKernel("void g() { int a = b b b b b b b b b b, b = a a a a a a a a a a; f<<<a, b>>>(x, y, n, m); }");
        readAll(endless);
        QVERIFY(!launchOf(endless, *kernelFunctionNamed(endless, "f")).trouble.empty());
        for (std::size_t cut = 0; cut < text.size(); cut += 7) {
            const std::string part = text.substr(0, cut), rest = text.substr(cut);
            for (const std::string& some : {part, rest}) {
                (void)kernelChoices("f.cu", some);
                (void)devicePartOf(some, "softmax");
                (void)constantsOf(some);
                if (const auto derived = describeKernel("f.cu", some, "softmax"))
                    (void)findingsIn(derived->description, 0);
            }
        }
    }
};

TILEWRIGHT_TEST(TestOwnCudaKernel)
#include "test_own_cuda_kernel.moc"
