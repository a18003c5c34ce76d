// SPDX-License-Identifier: GPL-3.0-or-later
// Where launches go round sets of buffers: so many that the cache holds none of them any more, and room for all.
#include "core/device/cpu.h"
#include "core/model/task/task.h"
#include "core/node/block_field.h"
#include "core/node/gpu_gates.h"
#include "core/node/gpu_tools.h"
#include "core/node/problem.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

class TestHotRing : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        auto pack = loadTaskPack(std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "kernels" / "gemm-fp32");
        QVERIFY2(pack, pack ? "" : pack.error().line().c_str());
        m_task = std::move(pack->task);
        m_l2 = h200Facts().l2Bytes;
    }

    void onlyProgramsForAGpuAreTimedSo()
    {
        for (const auto& [pack, mode, isTaken] : {std::tuple{"gemm-fp32", "hot-rotating", true},
                 std::tuple{"gemm-bf16", "graph", true}, std::tuple{"gemm-fp32-cpu", "graph", false}}) {
            auto known = loadTaskPack(std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "kernels" / pack);
            QVERIFY(known);
            auto json = nlohmann::json::parse(known->json);
            json["timing"]["mode"] = mode;
            json["timing"]["threads"] = 1;
            const auto task = parseTask(json.dump());
            QCOMPARE(task.has_value(), isTaken);
            if (task)
                QCOMPARE(task->timingMode, std::string(mode));
        }
    }

    void aColdSampleIsOneLaunch()
    {
        QCOMPARE(m_task.timingMode, std::string("cold"));
        const HotRing one = ringOf(m_task, {64, 64, 64}, m_l2);
        QCOMPARE(one.launches, 1);
        QCOMPARE(one.held, 0);
        QVERIFY(checkRings(m_task, m_l2));
        const GpuProcessSetup before = setup(), after = grown();
        QCOMPARE(after.bufferBytes, before.bufferBytes);
    }

    void betweenTwoUsesOfASetThreeCachesAreTouched_data()
    {
        QTest::addColumn<QString>("mode");
        QTest::newRow("one by one") << QStringLiteral("hot-rotating");
        QTest::newRow("as a graph") << QStringLiteral("graph");
    }

    void betweenTwoUsesOfASetThreeCachesAreTouched()
    {
        QFETCH(QString, mode);
        m_task.timingMode = mode.toStdString();
        QVERIFY(checkRings(m_task, m_l2));
        for (const auto* list : {&m_task.train, &m_task.heldout})
            for (const Shape& shape : *list) {
                const HotRing both = ringOf(m_task, shape, m_l2);
                const auto ring = static_cast<std::uint64_t>(both.launches),
                           sets = ring + static_cast<std::uint64_t>(both.held);
                QVERIFY(both.held > 0 && 2 * both.held >= both.launches); // nobody knows which of them comes next
                const ProductShape product = productShape(m_task, shape);
                const auto bytes
                    = static_cast<std::uint64_t>(4 * (product.sizeA() + product.sizeB() + product.sizeC()));
                QVERIFY((ring - 1) * bytes >= 3 * m_l2);
                QVERIFY(ring == 2 || (ring - 2) * bytes < 3 * m_l2); // and no more than that
                const GpuProcessSetup room = grown();
                QVERIFY(allocationOf(room.bufferBytes[0])
                    >= sets * roomOf(static_cast<std::uint64_t>(4 * product.sizeA())));
                QCOMPARE(room.bufferBytes[3], setup().bufferBytes[3]); // wiped behind each launch
            }
        m_task.timingMode = "cold";
    }

    void dataThatTheCacheHoldsAllTheTimeAreRefused()
    {
        Task task = m_task;
        task.timingMode = "hot-rotating";
        task.heldout = {{64, 64, 64}};
        const auto refused = checkRings(task, m_l2);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("task/ring"));
        QVERIFY2(refused.error().text.find("64×64×64") != std::string::npos, refused.error().text.c_str());
        const HotRing most = ringOf(task, {64, 64, 64}, m_l2);
        QVERIFY(most.launches + most.held <= static_cast<int>(mostRing));
    }

    void launchesThatDoTheWorkOfOthersAreSeen_data()
    {
        QTest::addColumn<std::vector<double>>("us");
        QTest::addColumn<bool>("even");
        QTest::newRow("a cold launch") << std::vector<double>{12} << true;
        QTest::newRow("alike") << std::vector<double>{14, 12, 12.5, 11.5, 12} << true;
        QTest::newRow("disturbed as some are") << std::vector<double>{12, 13.5, 10.2, 12, 11.5} << true;
        QTest::newRow("the spared wait a little") << std::vector<double>{12, 12, 12, 8, 8} << false;
        QTest::newRow("one is much longer") << std::vector<double>{12, 12, 12, 30, 12} << false;
        QTest::newRow("the first does it all") << std::vector<double>{60, 2, 2, 2, 2} << false;
        QTest::newRow("one does that of two") << std::vector<double>{24, 2, 24, 2, 24, 2} << false;
        QTest::newRow("one of two") << std::vector<double>{24, 2} << false;
        QTest::newRow("one is spared") << std::vector<double>{13, 13, 13, 13, 2} << false;
    }

    void launchesThatDoTheWorkOfOthersAreSeen()
    {
        QFETCH(std::vector<double>, us);
        QFETCH(bool, even);
        for (double& time : us)
            time *= 1e3;
        QCOMPARE(!launchSpread(us).isUneven(), even);
    }

    /// A sample's seeds and sets are drawn; who writes to one that no launch is on was ahead of its time.
    void whatIsWrittenToASetThatIsHeldBackIsOutOfBounds()
    {
        VerifyReply right;
        right.referenceSquares = 1;
        BlockSample operation, product{"candidate", 1000, 0, 0, 1};
        operation.outputs.assign(1, right);
        QVERIFY(checkTimedOperation(operation, m_task, {512, 512, 512}));
        QVERIFY(checkTimed(product, m_task, productShape(m_task, {512, 512, 512})));
        operation.heldChanged = product.heldChanged = 4;
        const BlockReply travelled = blockReplyFrom(toJson(BlockReply{{product}, 0, 0, {}, -1, 130100}));
        QCOMPARE(travelled.vendorVersion, 130100);
        QCOMPARE(checkTimedOperation(operation, m_task, {512, 512, 512}).error().code,
            std::string("verify/out-of-bounds-write"));
        QCOMPARE(checkTimed(travelled.samples.at(0), m_task, productShape(m_task, {512, 512, 512})).error().code,
            std::string("verify/out-of-bounds-write"));
    }

    /// Of several launches of one sample a single wrong one is enough.
    void oneWrongLaunchOfAnOperationIsSeen()
    {
        VerifyReply right;
        right.referenceSquares = 1;
        BlockSample sample;
        sample.launches = 3;
        sample.outputs.assign(3, right);
        QVERIFY(checkTimedOperation(sample, m_task, {512, 512, 512}));
        sample.outputs[2].differenceSquares = 1;
        const auto wrong = checkTimedOperation(sample, m_task, {512, 512, 512});
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().code, std::string("verify/timed"));
        sample.launches = 2;
        QCOMPARE(checkTimedOperation(sample, m_task, {512, 512, 512}).error().code, std::string("run/nonsense"));
    }

private:
    GpuProcessSetup setup() const
    {
        GpuProcessSetup setup;
        setup.facts = h200Facts();
        setup.formats = gpuFormatsOf(m_task);
        setBuffers(setup, m_task);
        return setup;
    }

    GpuProcessSetup grown() const
    {
        GpuProcessSetup grown = setup();
        growForRings(grown, m_task);
        return grown;
    }

    Task m_task;
    std::uint64_t m_l2 = 0;
};

TILEWRIGHT_TEST(TestHotRing)
#include "test_hot_ring.moc"
