// SPDX-License-Identifier: GPL-3.0-or-later
// What a GPU worker reports of timed blocks, and the verdict that comes of it, without a GPU: a worker that replays a
// transcript. It has the form in which blocks are told and the order in which a first, second and third round of
// screening want them. Its figures are those of an H200: 4096×2048×512 in fp32 in 332.6 µs ("one tile, fetched by
// fours") against 283.2 µs ("two tiles, cp.async"), a quarter of a millisecond around each launch and 1965 to 1972 MHz
// (docs/measurements.md); the errors of Freivalds' test are those of sums of 512 rounded products. Each test
// breaks one thing of it.
#include "core/base/files.h"
#include "core/device/cpu.h"
#include "core/node/cuda_timing.h"
#include "tests/node/node_files.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <dlfcn.h>

using namespace tilewright;
using namespace tilewright::test;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr double margin = 0.005;

json recorded() { return json::parse(*readFile(root / "tests/node/fixtures/screened_blocks.json")); }

/// Of each sample of the candidate, in all blocks.
template <typename Change> json changed(Change change, json blocks = recorded())
{
    for (json& block : blocks)
        for (json& sample : block["reply"]["samples"])
            if (sample["slot"] == "candidate")
                change(sample);
    return blocks;
}

/// Slept through by the worker's own account, as long as its launches claim to have taken and more.
json slower(json blocks, std::int64_t wallNs)
{
    for (json& block : blocks)
        block["wall_ns"] = wallNs;
    return blocks;
}

/// The same launches as rings of so many: a mode in which a sample has several.
json inRings(json blocks, const std::vector<double>& candidateShares)
{
    for (json& block : blocks) {
        block["wall_ns"] = candidateShares.size() * block["wall_ns"].get<std::int64_t>();
        for (json& sample : block["reply"]["samples"]) {
            sample["launches"] = candidateShares.size();
            for (const double share : candidateShares)
                sample["launch_ns"].push_back(sample["ns"].get<double>() * (sample["slot"] == "candidate" ? share : 1));
        }
    }
    return blocks;
}

} // namespace

class TestCudaTiming : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void anHonestCandidateIsRanked();
    void whatIsBrokenGivesItsRule_data();
    void whatIsBrokenGivesItsRule();
    void launchesOfARingAreToBeEven_data();
    void launchesOfARingAreToBeEven();
    void whatWasTakenWhileTheGpuWasSlowedDownIsVoid();
    void aGpuThatStaysSlowedDownGivesNoVerdict();
    void whereNothingTellsOfTheClocksThatIsSaid();

private:
    /// A candidate that is screened on one shape by a worker that replays this.
    EvaluationResult screened(const json& transcript, const std::function<void(const std::string&)>& progress = {});

    QTemporaryDir m_folder;
    TaskPack m_pack;
    CudaArtifact m_program;
    std::unique_ptr<Sandbox> m_sandbox;
    std::unique_ptr<CudaBuilder> m_builder;
    std::unique_ptr<Nvml> m_nvml;
    void (*m_reasons)(unsigned long long) = nullptr; ///< of the clocks, from now on
    json m_blocks; ///< as they were told last
    std::string m_text; ///< of the last error
};

void TestCudaTiming::initTestCase()
{
    m_pack = *loadTaskPack(root / "kernels/gemm-fp32");
    m_pack.task.train = {{4096, 2048, 512}};
    qputenv("TILEWRIGHT_ISOLATION", "reduced");
    m_sandbox = std::make_unique<Sandbox>(fs::path(TILEWRIGHT_BIN_DIR) / "tilewright-worker");
    qunsetenv("TILEWRIGHT_ISOLATION");
    m_builder = std::make_unique<CudaBuilder>(
        *m_sandbox, "none", fs::path(m_folder.path().toStdString()) / "cache", std::vector<int>{}, "secret");
    m_program.plans.push_back({m_pack.task.train.front(), false, {}});
    const std::string library = TILEWRIGHT_FAKE_NVML;
    void* fake = dlopen(library.c_str(), RTLD_NOW);
    QVERIFY2(fake, dlerror());
    m_reasons = reinterpret_cast<void (*)(unsigned long long)>(dlsym(fake, "fakeReasons"));
}

void TestCudaTiming::init()
{
    m_reasons(0);
    m_nvml = Nvml::open("GPU-fake", TILEWRIGHT_FAKE_NVML); // it remembers what it has read
    QVERIFY(m_nvml);
}

EvaluationResult TestCudaTiming::screened(
    const json& transcript, const std::function<void(const std::string&)>& progress)
{
    m_blocks = nullptr;
    GpuProcessSetup setup;
    setup.worker = TILEWRIGHT_FAKE_GPU_WORKER;
    setup.facts = h200Facts();
    setup.kernels = transcript.dump();
    EvaluationResult result;
    const auto process = GpuProcess::start(*m_sandbox, setup);
    if (!process) {
        result.rule = process.error().line();
        return result;
    }
    TimeRequest request;
    std::map<std::string, std::shared_ptr<const CudaArtifact>> programs;
    for (const auto& [slot, hash] :
        {std::pair{"candidate", &request.candidate}, std::pair{"incumbent", &request.incumbent}}) {
        CudaArtifact program = m_program;
        program.cubin = slot;
        *hash = program.cubinHash = sha256(program.cubin);
        programs[slot] = std::make_shared<const CudaArtifact>(std::move(program));
    }
    request.incumbentScore = Interval{1, 1, 1};
    DeviceJob job;
    if (progress)
        job.progress = [&](const std::string& stage, double, double) { progress(stage); };
    std::map<Shape, int> choices;
    CudaDevice::Timing timing(request, m_pack, job, "seeds", choices, setup.facts.l2Bytes);
    timing.programs = programs;
    const auto measured = timing.screenIn(**process, *m_builder, m_nvml.get(), [] { return GpuProcess::Canary{7, 7}; });
    m_blocks = timing.blocks;
    m_text = measured ? std::string() : measured.error().line();
    if (measured)
        timing.judge(result, margin, [&](const Shape& shape) { return floorNs(setup.facts, m_pack.task, shape); });
    else if (!refuse(result, measured.error())) // nobody's: the node's own
        result.rule = measured.error().code;
    timing.tellTools(result.environment);
    return result;
}

void TestCudaTiming::anHonestCandidateIsRanked()
{
    const EvaluationResult result = screened(recorded());
    QCOMPARE(q(result.rule), QString());
    QCOMPARE(result.outcome, Outcome::Ranked);
    QCOMPARE(result.verdict, Verdict::Better);
    QVERIFY2(std::abs(result.versusIncumbent->value / (332.6 / 283.2) - 1) < 0.01,
        result.versusIncumbent->json().dump().c_str());
    QVERIFY(result.versusIncumbent->lo > 1.15 && result.versusIncumbent->hi < 1.2);
    QCOMPARE(result.score->value, result.versusIncumbent->value);
    QCOMPARE(result.shapes.size(), std::size_t(1));
    QVERIFY(std::abs(result.shapes[0].candidateNs - 283.2e3) < 1e3);
    QVERIFY(result.shapes[0].samples >= 8 && result.shapes[0].voidBlocks == 0);
    for (const json& block : m_blocks) {
        QVERIFY(block.at("void").is_null());
        QVERIFY(block.at("mhz") == json({1972, 1965}));
    }
}

void TestCudaTiming::whatIsBrokenGivesItsRule_data()
{
    QTest::addColumn<QByteArray>("transcript");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<int>("outcome");
    const auto row = [](const char* name, const json& transcript, const char* rule, Outcome outcome) {
        QTest::newRow(name) << QByteArray::fromStdString(transcript.dump()) << QString::fromLatin1(rule)
                            << static_cast<int>(outcome);
    };
    const auto set
        = [](const char* field, const json& value) { return changed([=](json& sample) { sample[field] = value; }); };
    // A thousand times the time that its launches really took: the node has seen less pass, however busy it was.
    row("times beyond the wall clock", changed([](json& sample) { sample["ns"] = 1000 * sample["ns"].get<double>(); }),
        "time/clock", Outcome::Refused);
    row("no time at all", set("ns", 0), "time/events", Outcome::Refused);
    row("negative time", set("ns", -5), "time/events", Outcome::Refused);
    row("no number for a time", set("ns", nullptr), "time/events", Outcome::Refused);
    // 4096×2048×512 needs 128 µs at the peak of an H200 in fp32; nine tenths of that can be believed.
    row("below the roofline", set("ns", 100'000), "time/roofline", Outcome::Refused);
    row("not below the roofline", set("ns", 130'000), "", Outcome::Ranked);
    row("an input changed", set("inputs_changed", 1), "verify/input-write", Outcome::Refused);
    row("memory around its buffers changed", set("zones_changed", 1), "verify/out-of-bounds-write", Outcome::Refused);
    row("one row wrong", set("worst", 1e-5), "verify/timed", Outcome::Refused);
    row("all rows a little wrong",
        changed([](json& sample) { sample["differences"] = 100 * sample["differences"].get<double>(); }),
        "verify/timed", Outcome::Refused);
    row("no number for its error", set("worst", nullptr), "verify/timed", Outcome::Refused);
    row("not finite", set("not_finite", 1), "verify/timed", Outcome::Refused);
    json once = recorded();
    once[1]["reply"]["samples"][2]["worst"] = 1e-5;
    row("one launch wrong, once", once, "verify/timed", Outcome::Refused);
    json unasked = recorded();
    unasked[0]["reply"]["samples"][0]["launches"] = 5;
    row("more launches than it was asked for", unasked, "run/nonsense", Outcome::RunFailed);
    row("no tensor map",
        json{{{"wall_ns", 1000},
            {"reply",
                failedJson({"run/tensor-map", "a tensor map cannot be encoded", "", {{"cuda_error", 1}}}, false)}}},
        "run/tensor-map", Outcome::RunFailed);
}

void TestCudaTiming::whatIsBrokenGivesItsRule()
{
    QFETCH(QByteArray, transcript);
    const EvaluationResult result = screened(json::parse(transcript.toStdString()));
    QTEST(q(result.rule), "rule");
    QTEST(static_cast<int>(result.outcome), "outcome");
    if (result.outcome == Outcome::Refused)
        QVERIFY(result.evidence.at("shape") == json(m_pack.task.train.front()));
}

void TestCudaTiming::launchesOfARingAreToBeEven_data()
{
    QTest::addColumn<QList<double>>("shares");
    QTest::addColumn<QString>("rule");
    QTest::newRow("honest") << QList<double>{1.03, 0.99, 0.98, 1.01, 0.99, 1.0} << QString();
    QTest::newRow("one does the work of another")
        << QList<double>{1.9, 0.1, 1.0, 1.0, 1.0, 1.0} << QStringLiteral("time/uneven");
    QTest::newRow("the first does the work of all")
        << QList<double>{5.5, 0.1, 0.1, 0.1, 0.1, 0.1} << QStringLiteral("time/uneven");
}

void TestCudaTiming::launchesOfARingAreToBeEven()
{
    QFETCH(QList<double>, shares);
    const std::string usual = std::exchange(m_pack.task.timingMode, "hot-rotating");
    const EvaluationResult result = screened(inRings(recorded(), {shares.begin(), shares.end()}));
    m_pack.task.timingMode = usual;
    QTEST(q(result.rule), "rule");
    QCOMPARE(result.outcome, result.rule.empty() ? Outcome::Ranked : Outcome::Refused);
    if (!result.rule.empty()) // not for what may have been a disturbance: those blocks do not count, and are told
        for (const json& block : m_blocks)
            QVERIFY2(block.at("void").is_string(), block.dump().c_str());
}

void TestCudaTiming::whatWasTakenWhileTheGpuWasSlowedDownIsVoid()
{
    m_reasons(0x20); // software thermal slowdown
    int told = 0;
    const EvaluationResult result = screened(slower(recorded(), 120'000'000), [&](const std::string& stage) {
        if (stage.starts_with("disturbed: ")) {
            QVERIFY2(stage.find("thermal slowdown") != std::string::npos, stage.c_str());
            ++told;
            m_reasons(0);
        }
    });
    QCOMPARE(q(result.rule), QString());
    QCOMPARE(result.outcome, Outcome::Ranked);
    QVERIFY(told > 0);
    QCOMPARE(result.shapes[0].voidBlocks, told);
    QVERIFY(m_blocks.front().at("reasons") == 0x20);
    QVERIFY(m_blocks.front().at("void").is_string() && m_blocks.back().at("void").is_null());
    // Nothing of them counts: the candidate has four launches in each of the others, and in those alone.
    QCOMPARE(result.shapes[0].samples, 4 * (static_cast<int>(m_blocks.size()) - told));
}

void TestCudaTiming::aGpuThatStaysSlowedDownGivesNoVerdict()
{
    m_reasons(0x08);
    const EvaluationResult result = screened(recorded());
    QCOMPARE(q(result.rule), QStringLiteral("time/unstable"));
    QCOMPARE(result.outcome, Outcome::None); // it is nobody's fault
    QVERIFY2(m_text.find("hardware slowdown") != std::string::npos, m_text.c_str());
}

void TestCudaTiming::whereNothingTellsOfTheClocksThatIsSaid()
{
    QVERIFY(!screened(recorded()).environment.contains("not_checked"));
    m_nvml.reset();
    const EvaluationResult result = screened(recorded());
    QCOMPARE(result.outcome, Outcome::Ranked);
    QVERIFY(m_blocks.front().at("reasons").is_null());
    const std::string told = result.environment.at("not_checked").at(0);
    const std::string count = std::to_string(m_blocks.size());
    QVERIFY2(told.find("in " + count + " of " + count + " blocks") != std::string::npos, told.c_str());
}

TILEWRIGHT_TEST(TestCudaTiming)
#include "test_cuda_timing.moc"
