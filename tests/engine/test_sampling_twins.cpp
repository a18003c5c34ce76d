// SPDX-License-Identifier: GPL-3.0-or-later
// An island's sampling temperature beside an untouched twin: what models are sent next, to the byte. moc 6.4 stumbles
// over g++ 12's <concepts>, which some of these lead to.
#ifndef Q_MOC_RUN
#include "tests/engine/twins.h"
#include "tests/llm/fake_server.h"
#include "tests/llm/model_stage.h"
#endif

using namespace tilewright;
using namespace tilewright::testing;
using namespace Qt::StringLiterals;

namespace {

/// A run whose models are asked and keep it waiting.
class HeldModels
{
public:
    explicit HeldModels(EngineDriver& driver)
        : m_driver(driver)
    {
        m_server.start();
        m_server.setHandler([](const SeenRequest&) { return Script{hold()}; });
        const QString file = driver.m_folder.filePath(u"models.json"_s);
        writeModelsFile(file, m_server.serverPort(), "\"limits\": {\"in_flight\": 4},\n");
        driver.engine.setProposer(u"model:"_s + file);
    }

    /// What they are sent next from where the run stands, each island once.
    std::map<IslandId, nlohmann::json> ask()
    {
        m_driver.engine.setBudget({});
        m_driver.engine.run();
        if (!QTest::qWaitFor([&] { return m_server.seen().size() >= 4; }, twinPatienceMs))
            qFatal("no model is asked");
        m_driver.engine.stop();
        if (!m_driver.waitForEnd(twinPatienceMs))
            qFatal("the run did not end");
        std::map<IslandId, nlohmann::json> sent;
        const RunState state = m_driver.run();
        for (const Inquiry& inquiry : state.inquiries) {
            const std::string prompt = nlohmann::json(m_driver.text(inquiry.prompt)).dump();
            for (const SeenRequest& request : m_server.seen())
                if (request.json.dump().find(prompt) != std::string::npos)
                    sent[inquiry.island] = request.json;
        }
        return sent;
    }

private:
    EngineDriver& m_driver;
    FakeServer m_server;
};

} // namespace

class TestSamplingTwins : public QObject
{
    Q_OBJECT

    std::optional<TwinRecord> m_begun;

private Q_SLOTS:
    void initTestCase()
    {
        qputenv(qUtf8Printable(canaryVariable), canaryKey);
        m_begun.emplace(gemmPack(), TwinBeginning{});
    }

    void anIslandsTemperatureIsInItsNextRequestAndAllElseIsAsOfTheTwin()
    {
        for (const bool takenBack : {false, true}) {
            Twins twins(*m_begun);
            QVERIFY(twins.ready);
            HeldModels ofSteered(twins.steered), ofTwin(*twins.untouched);
            orders::SteerIsland warm{{2}, {}};
            warm.steering.sampling = 0.25;
            twins.steered.engine.orderIslands(warm);
            if (takenBack)
                twins.steered.engine.orderIslands(orders::UndoOrder{});
            QVERIFY2(twins.steered.failures.isEmpty(), qPrintable(twins.steered.failures.join(u' ')));
            auto steered = ofSteered.ask();
            const auto twin = ofTwin.ask();
            QVERIFY(twins.beganAlike());
            QCOMPARE(twin.size(), std::size_t(4));
            for (const auto& [island, request] : twin)
                QVERIFY(!request.contains("temperature"));
            if (!takenBack) {
                QCOMPARE(steered.at({2}).value("temperature", 0.0), 0.25);
                steered.at({2}).erase("temperature");
            }
            QVERIFY(steered == twin);
        }
    }
};

QTEST_GUILESS_MAIN(TestSamplingTwins)
#include "test_sampling_twins.moc"
