// SPDX-License-Identifier: GPL-3.0-or-later
// Operations on a GPU that are no product, without a GPU: which tasks can be evaluated, the gates on what a worker
// tells of each output, the bounds against the built-in cheats; and, where NVRTC is, the packs that are made of a
// user's kernels.
#include "core/base/files.h"
#include "core/device/cpu.h"
#include "core/node/cubin.h"
#include "core/node/cuda_builder.h"
#include "core/node/gpu_gates.h"
#include "core/node/gpu_process.h"
#include "core/node/gpu_tools.h"
#include "core/node/output_gates.h"
#include "core/pack/generic_moves.h"
#include "core/pack/kernel_description.h"
#include "core/pack/pack_writer.h"
#include "core/protocol/gpu_canary.h"
#include "core/protocol/gpu_kernels.h"
#include "tests/node/node_files.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>

using namespace tilewright;
using namespace tilewright::test;
namespace fs = std::filesystem;

using ChangeOfTask = void (*)(Task&);
using ChangeOfReply = void (*)(VerifyReply&);
Q_DECLARE_METATYPE(ChangeOfTask)
Q_DECLARE_METATYPE(ChangeOfReply)

namespace {

const fs::path examples = fs::path(TILEWRIGHT_SOURCE_DIR) / "kernels/examples/own-kernel";

/// y and z out of x, on a GPU.
Task operation(Dtype type = Dtype::Fp32)
{
    Task task;
    task.name = "operation";
    task.target = Target::Cuda;
    task.dims = {{"n", 1, 1}};
    task.tensors = {{"x", TensorRole::Input, type, {"n"}}, {"y", TensorRole::Output, type, {"n"}},
        {"z", TensorRole::Output, type, {"n"}}};
    task.numeric.bound = NumericBound::Ulp;
    task.numeric.tau = type == Dtype::Bf16 ? 4e-3 : type == Dtype::Fp16 ? 4e-4 : 2e-5;
    task.flops = "n";
    task.bytes = "12*n";
    task.inputs = {InputKind::Normal};
    task.train = {{1000}, {4096}};
    task.reference = "reference.cu";
    return task;
}

/// A product beside cuBLAS, of this type.
Task productOf(Dtype type)
{
    Task task = loadTaskPack(fs::path(TILEWRIGHT_SOURCE_DIR) / "kernels/gemm-bf16")->task;
    for (Tensor& tensor : task.tensors)
        tensor.dtype = type;
    return task;
}

VerifyReply rightReply()
{
    VerifyReply reply;
    reply.differenceSquares = 1e-14;
    reply.referenceSquares = 1;
    reply.worstExcess = 0.5;
    reply.worstIndex = 0;
    reply.more = {reply};
    return reply;
}

Result<TaskPack> packOf(
    const char* file, const std::string& function, const QString& folder,
    const std::function<void(KernelDescription&)>& say = [](KernelDescription&) {})
{
    auto derived = describeKernel((examples / file).string(), *readFile(examples / file), function);
    if (!derived)
        return std::unexpected(derived.error());
    say(derived->description);
    (void)supposeTheRest(derived->description);
    const auto written = writePack(derived->description, folder.toStdString(), 0);
    return written ? loadTaskPack(*written) : std::unexpected(written.error());
}

} // namespace

class TestGpuOperations : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whichOperationsCanBeEvaluatedIsSaid_data()
    {
        QTest::addColumn<ChangeOfTask>("change");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* what, ChangeOfTask change, const char* says) {
            QTest::newRow(what) << change << QString::fromLatin1(says);
        };
        row(
            "fp32", [](Task&) {}, "");
        row(
            "fp16", [](Task& t) { t = operation(Dtype::Fp16); }, "");
        row(
            "bf16 in, fp32 out", [](Task& t) { t.tensors[0].dtype = Dtype::Bf16; }, "");
        row(
            "no input", [](Task& t) { t.tensors.erase(t.tensors.begin()); }, "");
        row(
            "double", [](Task& t) { t.tensors[0].dtype = Dtype::Fp64; }, "x is fp64");
        row(
            "outputs of two types", [](Task& t) { t.tensors[2].dtype = Dtype::Bf16; }, "outputs have one type");
        row(
            "an input behind", [](Task& t) { std::swap(t.tensors[0], t.tensors[2]); }, "follows an output");
        row(
            "eight tensors", [](Task& t) { t.tensors.resize(8, t.tensors.back()); }, "8 tensors");
        row(
            "a vendor", [](Task& t) { t.vendor = "cublaslt"; }, "with products; vendor must be null");
        row(
            "a product of fp16 beside a vendor", [](Task& t) { t = productOf(Dtype::Fp16); },
            "'cublaslt' is compared with products of fp32 or bf16 only, and A is fp16: change the types of its "
            "tensors, "
            "or set vendor to null");
        row(
            "a product of fp16 without a vendor",
            [](Task& t) {
                t = productOf(Dtype::Fp16);
                t.vendor.clear();
            },
            "");
        row(
            "a product of 8 bits", [](Task& t) { t = productOf(Dtype::E4m3); },
            "A is e4m3: on a GPU tensors are fp32, bf16 or fp16, and for a product with a vendor library fp32 or bf16");
        row(
            "TF32", [](Task& t) { t.numeric.allowTf32 = true; }, "TF32");
        row(
            "sums in fp64", [](Task& t) { t.numeric.accumulate = Dtype::Fp64; }, "accumulate");
    }

    void whichOperationsCanBeEvaluatedIsSaid()
    {
        QFETCH(ChangeOfTask, change);
        QFETCH(QString, says);
        Task task = operation();
        change(task);
        const auto possible = checkCanBeEvaluated(task);
        QCOMPARE(codeOf(possible), says.isEmpty() ? QStringLiteral("fine") : QStringLiteral("task/unsupported"));
        if (!possible)
            QVERIFY2(q(possible.error().text).contains(says), possible.error().text.c_str());
    }

    void everyOutputIsJudged_data()
    {
        QTest::addColumn<ChangeOfReply>("change");
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QString>("timed");
        const auto row = [](const char* what, ChangeOfReply change, const char* rule, const char* timed) {
            QTest::newRow(what) << change << QString::fromLatin1(rule) << QString::fromLatin1(timed);
        };
        row(
            "right", [](VerifyReply&) {}, "fine", "fine");
        row(
            "not written", [](VerifyReply& r) { r.unwritten = 1; }, "verify/poison", "verify/poison");
        row(
            "not written behind", [](VerifyReply& r) { r.more[0].unwritten = 1; }, "verify/poison", "verify/poison");
        row(
            "not finite", [](VerifyReply& r) { r.more[0].notFinite = 1; }, "verify/nan", "verify/timed");
        row(
            "off as a whole", [](VerifyReply& r) { r.differenceSquares = 1e-8; }, "verify/norm", "verify/timed");
        row(
            "off behind", [](VerifyReply& r) { r.more[0].differenceSquares = 1e-8; }, "verify/norm", "verify/timed");
        row(
            "not a number", [](VerifyReply& r) { r.differenceSquares = std::nan(""); }, "verify/norm", "verify/timed");
        row(
            "one element", [](VerifyReply& r) { r.more[0].worstExcess = 1.5; }, "verify/elementwise", "verify/timed");
        row(
            "one that is not a number", [](VerifyReply& r) { r.worstExcess = std::nan(""); }, "verify/elementwise",
            "verify/timed");
        row(
            "a reference without a number", [](VerifyReply& r) { r.want = std::nan(""); }, "task/reference",
            "task/reference");
        row(
            "two runs", [](VerifyReply& r) { r.more[0].differing = 1; }, "verify/determinism", "verify/determinism");
        row(
            "an input", [](VerifyReply& r) { r.inputsChanged = 1; }, "verify/input-write", "verify/input-write");
        row(
            "around", [](VerifyReply& r) { r.zonesChanged = 1; }, "verify/out-of-bounds-write",
            "verify/out-of-bounds-write");
        row(
            "an output is missing", [](VerifyReply& r) { r.more.clear(); }, "run/nonsense", "run/nonsense");
    }

    void everyOutputIsJudged()
    {
        QFETCH(ChangeOfReply, change);
        QFETCH(QString, rule);
        QFETCH(QString, timed);
        VerifyReply reply = rightReply();
        change(reply);
        const auto verdict = checkOperation(reply, operation(), {1000});
        QCOMPARE(codeOf(verdict), rule);
        if (verdict)
            QVERIFY(verdict->find("norm") && verdict->find("norm")->measured <= verdict->find("norm")->limit);
        BlockSample sample;
        sample.outputs = {reply};
        sample.outputs.insert(sample.outputs.end(), reply.more.begin(), reply.more.end());
        sample.outputs.front().more.clear();
        QCOMPARE(codeOf(checkTimedOperation(sample, operation(), {1000})), timed);
    }

    void everyBitCountsWhereTheTaskWantsIt()
    {
        Task task = operation();
        task.numeric.bound = NumericBound::Exact;
        VerifyReply reply = rightReply();
        reply.worstExcess = 100;
        QCOMPARE(codeOf(checkOperation(reply, task, {1000})), QStringLiteral("fine"));
        reply.differing = 1; // the second run on the same inputs
        QCOMPARE(codeOf(checkOperation(reply, task, {1000})), QStringLiteral("verify/determinism"));
        reply.differing = 0;
        reply.more[0].inexact = 1;
        QCOMPARE(codeOf(checkOperation(reply, task, {1000})), QStringLiteral("verify/exact"));
    }

    void messagesTellOfOperations()
    {
        VerifyRequest request;
        request.slot = "candidate";
        request.elements = {10, 20};
        QCOMPARE(verifyRequestFrom(toJson(request)).elements, request.elements);
        VerifyReply reply = rightReply();
        reply.more[0].worstExcess = std::nan("");
        QVERIFY(std::isnan(verifyReplyFrom(toJson(reply)).more.at(0).worstExcess));
        BlockRequest block;
        block.elements = {7};
        QCOMPARE(blockRequestFrom(toJson(block)).elements, block.elements);
        BlockReply taken;
        taken.samples.resize(1);
        taken.samples[0].outputs = {reply};
        QCOMPARE(blockReplyFrom(toJson(taken)).samples.at(0).outputs.at(0).more.size(), std::size_t(1));
        const GpuFormats formats{GpuElement::Fp16, GpuElement::Bf16, 3, 2, false};
        QVERIFY(gpuFormatsFrom(toJson(formats)) == formats);
        const ProducedReply produced{reply, {sha256("c"), sha256("d")}, {LentMemory{1, 255}}};
        QVERIFY(producedReplyFrom(toJson(produced)).lent == produced.lent);
        QVERIFY(producedReplyFrom(toJson(produced)).outputs == produced.outputs);
        QCOMPARE(producedReplyFrom(toJson(produced)).around.more.size(), reply.more.size());
        const JudgeRequest judged = judgeRequestFrom(toJson(JudgeRequest{request, produced.outputs, produced.lent}));
        QVERIFY(judged.lent == produced.lent);
        QVERIFY(judged.outputs == produced.outputs && judged.launch.seed == request.seed);
        QCOMPARE(judged.launch.elements, request.elements);
        QCOMPARE(produceJson(request, true).at("op").get<std::string>(), std::string("produce"));
        QVERIFY(produceJson(request, true).at("lend") == true && produceJson(request, false).at("lend") == false);
        const TruthRequest truth{{4}, {4, 4}, {sha256("a")}};
        QVERIFY(truthRequestFrom(toJson(truth)).inputs == truth.inputs);
        QVERIFY(truthReplyFrom(toJson(TruthReply{{sha256("b")}})).outputs.front() == sha256("b"));
    }

    void elementsAreLaidOutAsTheGpuReadsThem_data()
    {
        QTest::addColumn<float>("value");
        QTest::addColumn<int>("half");
        QTest::addColumn<int>("upper");
        QTest::newRow("one") << 1.0f << 0x3c00 << 0x3f80;
        QTest::newRow("minus two") << -2.0f << 0xc000 << 0xc000;
        QTest::newRow("nothing") << 0.0f << 0x0000 << 0x0000;
        QTest::newRow("a third, rounded") << 0.333251953125f << 0x3555 << 0x3eaa;
        QTest::newRow("the largest half") << 65504.0f << 0x7bff << 0x477f;
        QTest::newRow("too large") << 1e6f << 0x7c00 << 0x4974;
        QTest::newRow("the smallest normal half") << 0x1p-14f << 0x0400 << 0x3880;
        QTest::newRow("the smallest half") << 0x1p-24f << 0x0001 << 0x3380;
        QTest::newRow("one and a step") << 1.0009765625f << 0x3c01 << 0x3f80;
        QTest::newRow("over the digits' end") << 1.99999f << 0x4000 << 0x3fff;
    }

    void elementsAreLaidOutAsTheGpuReadsThem()
    {
        QFETCH(float, value);
        const auto read = [&](Dtype type) {
            std::string bytes;
            appendElement(bytes, value, type);
            int bits = 0;
            for (std::size_t i = 0; i < bytes.size(); ++i)
                bits |= static_cast<unsigned char>(bytes[i]) << (8 * i);
            return bits;
        };
        QTEST(read(Dtype::Fp16), "half");
        QTEST(read(Dtype::Bf16), "upper");
        std::string bytes;
        appendElement(bytes, value, Dtype::Fp32);
        QCOMPARE(bytes, std::string(reinterpret_cast<const char*>(&value), 4));
    }

    void cheatsAreRefusedByTheBoundsOfEveryType_data()
    {
        QTest::addColumn<Dtype>("type");
        QTest::newRow("fp32") << Dtype::Fp32;
        QTest::newRow("fp16") << Dtype::Fp16;
        QTest::newRow("bf16") << Dtype::Bf16;
    }

    void cheatsAreRefusedByTheBoundsOfEveryType()
    {
        QFETCH(Dtype, type);
        Task task = operation(type);
        const TruthOn truthOn
            = [](const Shape&, const std::vector<std::vector<float>>& inputs) -> Result<std::vector<ReferenceProduct>> {
            std::vector<ReferenceProduct> outputs(2);
            for (const float x : inputs.at(0))
                for (std::size_t i = 0; i < 2; ++i) {
                    const double value = i == 0 ? std::exp(double(x)) : std::tanh(double(x)) + 2;
                    outputs[i].values.push_back(value);
                    outputs[i].magnitudes.push_back(2 * std::abs(value));
                }
            return outputs;
        };
        const auto strict = calibrateOutputs(task, truthOn);
        QVERIFY2(strict.has_value(), strict ? "" : strict.error().line().c_str());
        task.numeric.error = ErrorMeasure::Normwise;
        task.numeric.tau = 0.5;
        QCOMPARE(codeOf(calibrateOutputs(task, truthOn)), QStringLiteral("task/loose"));
        QCOMPARE(codeOf(calibrateOutputs(task,
                     [](const Shape&, const auto&) -> Result<std::vector<ReferenceProduct>> {
                         return fail("run/exit", "gone");
                     })),
            QStringLiteral("run/exit"));
    }

    void memoryIsAskedForWhatAnOperationTakes()
    {
        GpuProcessSetup setup;
        Task task = operation(Dtype::Bf16);
        task.train = {{1 << 20}};
        setBuffers(setup, task);
        QCOMPARE(setup.bufferBytes.size(), std::size_t(4));
        QVERIFY(setup.bufferBytes[0] >= 2 << 20);
        QVERIFY(setup.bufferBytes[0] <= (2 << 20) + 2 * 1024); // and for sizes somewhat beyond the largest
        QCOMPARE(setup.bufferBytes[3], std::uint64_t(task.limits.workspaceBytes));
        QVERIFY(setup.hiddenBytes >= 2 * (8 + 8 + 2 + 2) * (std::uint64_t(1) << 20));
        task.train = {{4}}; // shapes that nobody announced are larger
        setBuffers(setup, task);
        QVERIFY(setup.bufferBytes[0] >= 2 * 101);
    }

    void packsOfOwnKernelsBuild_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("function");
        QTest::addColumn<QString>("truth"); // a function of the same file, or the kernel itself
        QTest::newRow("scale") << QStringLiteral("scale.cu") << QStringLiteral("scale") << QString();
        QTest::newRow("softmax") << QStringLiteral("softmax.cu") << QStringLiteral("softmax") << QString();
        QTest::newRow("softmax by its plain twin")
            << QStringLiteral("softmax.cu") << QStringLiteral("softmax") << QStringLiteral("softmax_plain");
        QTest::newRow("a template of bf16")
            << QStringLiteral("gelu_bf16.cu") << QStringLiteral("bias_gelu<128>") << QString();
    }

    void packsOfOwnKernelsBuild()
    {
        QFETCH(QString, file);
        QFETCH(QString, function);
        QFETCH(QString, truth);
        const QTemporaryDir folder;
        const auto pack = packOf(qPrintable(file), function.toStdString(), folder.path(), [&](KernelDescription& d) {
            for (DescribedParameter& parameter : d.parameters) {
                if (parameter.kind == ParameterKind::Constant)
                    parameter.value = "3.0f";
                if (parameter.name == "bias")
                    parameter.shape = {"columns"};
            }
            if (truth.isEmpty())
                return;
            d.truth = TruthSource::File;
            d.referenceFileName = d.fileName;
            d.referenceSource = d.source;
            d.referenceFunction = truth.toStdString();
        });
        QVERIFY2(pack.has_value(), pack ? "" : pack.error().line().c_str());
        QCOMPARE(codeOf(checkCanBeEvaluated(pack->task)), QStringLiteral("fine"));
        const Sandbox sandbox(fs::path(TILEWRIGHT_BIN_DIR) / "tilewright-worker");
        CudaBuilder builder(sandbox, fs::path(TILEWRIGHT_BIN_DIR) / "tilewright-cuda-worker",
            fs::path(folder.path().toStdString()) / "cache", {}, "secret");
        if (!builder.isAvailable())
            QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
        if (builder.headers().empty() && file.contains(QStringLiteral("bf16")))
            QSKIP("no CUDA headers on this machine");
        const BuildOutcome seed = builder.buildCandidate(pack->task, pack->seed(), h200Facts());
        QVERIFY2(seed.ok, (seed.rule + ": " + seed.text + "\n" + pack->seed()).c_str());
        const auto reference = buildGpuReference(builder, *pack, h200Facts());
        QVERIFY2(reference.has_value(),
            reference ? "" : (reference.error().line() + "\n" + pack->files.at("reference.cu")).c_str());
        const auto artifact = builder.artifact(seed.artifact);
        const GpuPlan* plan = (*artifact)->planFor(pack->task.train.front());
        QVERIFY(plan && plan->launches.size() == 1);
        TaskPack without = *pack;
        without.files["reference.cu"] = "extern \"C\" __global__ void tilewright_found(Dims d) {}\n";
        QCOMPARE(codeOf(buildGpuReference(builder, without, h200Facts())), QStringLiteral("task/reference"));
    }

    /// packaging/gpu-test runs them where there is a GPU; they are what task-from writes today.
    void packsForTheGpuTestAreThoseThatAreWritten_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("function");
        QTest::addColumn<QString>("name");
        QTest::newRow("softmax") << QStringLiteral("softmax.cu") << QStringLiteral("softmax")
                                 << QStringLiteral("softmax");
        QTest::newRow("gelu") << QStringLiteral("gelu_bf16.cu") << QStringLiteral("bias_gelu<128>")
                              << QStringLiteral("gelu-bf16");
    }

    void packsForTheGpuTestAreThoseThatAreWritten()
    {
        QFETCH(QString, file);
        QFETCH(QString, function);
        QFETCH(QString, name);
        const QTemporaryDir folder;
        const auto pack = packOf(qPrintable(file), function.toStdString(), folder.path(), [&](KernelDescription& d) {
            d.name = name.toStdString();
            d.train = {{4096, 1024}, {1000, 8191}};
            d.heldout = {{3001, 1021}};
            d.verify = {{1, 1}, {17, 31}, {3, 257}, {97, 1}};
            for (DescribedParameter& parameter : d.parameters)
                if (parameter.name == "bias")
                    parameter.shape = {"columns"};
            d.flops.clear();
            d.bytes.clear();
        });
        QVERIFY2(pack.has_value(), pack ? "" : pack.error().line().c_str());
        const fs::path kept = fs::path(TILEWRIGHT_SOURCE_DIR) / "tests/gpu/own" / name.toStdString();
        if (qEnvironmentVariableIsSet("TILEWRIGHT_WRITE_EXAMPLES")) { // what the pack has become
            std::ofstream(kept / "task.json") << pack->json;
            for (const auto& [text, content] : pack->files)
                std::ofstream(kept / text) << content;
            fs::create_directories(kept / "moves");
            for (const Move& move : pack->moves)
                std::ofstream(kept / "moves" / (move.name + ".patch")) << moveFileOf(move);
        }
        QCOMPARE(q(*readFile(kept / "task.json")), q(pack->json));
        for (const auto& [text, content] : pack->files)
            QCOMPARE(q(*readFile(kept / text)), q(content));
        const auto whole = loadTaskPack(kept);
        QVERIFY2(whole, whole ? "" : whole.error().line().c_str());
        QVERIFY(!whole->moves.empty() && whole->moves == pack->moves);
        const Sandbox sandbox(fs::path(TILEWRIGHT_BIN_DIR) / "tilewright-worker");
        CudaBuilder builder(sandbox, fs::path(TILEWRIGHT_BIN_DIR) / "tilewright-cuda-worker",
            fs::path(folder.path().toStdString()) / "cache", {}, "secret");
        if (!builder.isAvailable())
            QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
        // What is to be refused on the GPU gets that far.
        for (const fs::directory_entry& program : fs::recursive_directory_iterator(kept)) {
            const std::string which = program.path().parent_path().filename().string();
            if (which != "wrong" && which != "right")
                continue;
            const BuildOutcome built = builder.buildCandidate(pack->task, *readFile(program.path()), h200Facts());
            QVERIFY2(built.ok, (program.path().filename().string() + ": " + built.text).c_str());
        }
    }

    void theOwnKernelsBuildForEveryType()
    {
        const QTemporaryDir folder;
        const Sandbox sandbox(fs::path(TILEWRIGHT_BIN_DIR) / "tilewright-worker");
        CudaBuilder builder(sandbox, fs::path(TILEWRIGHT_BIN_DIR) / "tilewright-cuda-worker",
            fs::path(folder.path().toStdString()) / "cache", {}, "secret");
        if (!builder.isAvailable())
            QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
        for (const GpuElement in : {GpuElement::Fp32, GpuElement::Bf16, GpuElement::Fp16})
            for (const GpuElement out : {GpuElement::Fp32, GpuElement::Fp16}) {
                const auto kernels = builder.buildTrusted(
                    gpuKernels({in, out, 3, 2, false}) + gpuCanaryText, "kernels.cu", h200Facts());
                QVERIFY2(kernels, kernels ? "" : kernels.error().text.c_str());
                for (const char* name : {"tw_truth_found", "tw_truth_values", "tw_squares_found", "tw_squares_values"})
                    QVERIFY2(Cubin::parse(*kernels)->kernel(name), name);
            }
    }
};

TILEWRIGHT_TEST(TestGpuOperations)
#include "test_gpu_operations.moc"
