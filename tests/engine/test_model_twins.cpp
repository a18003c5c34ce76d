// SPDX-License-Identifier: GPL-3.0-or-later
// Steering commands that models feel, each beside an untouched twin: what they are sent next, to the byte, and what is
// booked of them. moc 6.4 stumbles over g++ 12's <concepts>, which some of these lead to.
#ifndef Q_MOC_RUN
#include "tests/engine/twins.h"
#include "tests/llm/fake_server.h"
#include "tests/llm/fixtures.h"
#include "tests/llm/model_stage.h"
#endif
#include "tests/test_program.h"

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
        driver.execute(commands::SetProposer{(u"model:"_s + file).toStdString()});
    }

    /// What they are sent next from where the run stands, each island once.
    std::map<IslandId, nlohmann::json> ask()
    {
        m_driver.execute(commands::SetBudget{{}});
        m_driver.execute(commands::Run{});
        if (!QTest::qWaitFor([&] { return m_server.seen().size() >= 4; }, twinPatienceMs))
            qFatal("no model is asked");
        m_driver.execute(commands::Stop{});
        if (!m_driver.waitForEnd(twinPatienceMs))
            qFatal("the run did not end");
        std::map<IslandId, nlohmann::json> sent;
        const RunState state = m_driver.run();
        for (const ModelRequest& modelRequest : state.modelRequests) {
            const std::string prompt = nlohmann::json(m_driver.text(modelRequest.prompt)).dump();
            for (const SeenRequest& request : m_server.seen())
                if (request.json.dump().find(prompt) != std::string::npos)
                    sent[modelRequest.island] = request.json;
        }
        return sent;
    }

private:
    EngineDriver& m_driver;
    FakeServer m_server;
};

/// A run whose models answer at once, each time with another line.
class ReadyModels
{
public:
    explicit ReadyModels(EngineDriver& driver)
    {
        m_server.start();
        m_server.setHandler([this](const SeenRequest& request) {
            Said said;
            said.pieces = {scriptedReply(++m_number).toStdString()};
            const bool anthropic = request.target.ends_with("/messages");
            return stream(eventsOf(anthropic ? ModelProtocol::Anthropic : ModelProtocol::OpenAiChat, said));
        });
        const QString file = driver.m_folder.filePath(u"models.json"_s);
        writeModelsFile(file, m_server.serverPort());
        driver.execute(commands::SetProposer{(u"model:"_s + file).toStdString()});
    }

private:
    FakeServer m_server;
    int m_number = 0;
};

/// What each island asked first, by its place in the search: ordinal, focus, parents.
std::map<IslandId, std::tuple<std::int64_t, Focus, std::vector<CandidateId>>> firstOfEach(const RunState& state)
{
    std::map<IslandId, std::tuple<std::int64_t, Focus, std::vector<CandidateId>>> first;
    for (const ModelRequest& modelRequest : state.modelRequests)
        first.try_emplace(modelRequest.island, modelRequest.ordinal, modelRequest.focus, modelRequest.parents);
    return first;
}

CandidateId waitingIn(const RunState& state)
{
    for (const Candidate& each : state.candidates)
        if (each.stage == Stage::Review)
            return each.id;
    return {};
}

/// What a run knows of its models; each twin asks a server of its own, so that the address differs.
ModelStatisticsMap booksOf(const RunState& state)
{
    ModelStatisticsMap books = state.statisticsByModel;
    for (auto& [name, statistics] : books)
        statistics.address.clear();
    return books;
}

std::int64_t outcomesBooked(const RunState& state)
{
    std::int64_t booked = 0;
    for (const auto& [name, statistics] : state.statisticsByModel)
        booked += statistics.asked;
    return booked;
}

} // namespace

class TestModelTwins : public QObject
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
            commands::SteerIsland warm{{2}, {}};
            warm.steering.sampling = 0.25;
            twins.steered.execute(warm);
            if (takenBack)
                twins.steered.execute(commands::UndoIslandCommand{});
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

    void anIslandWhoseMixIsTheMutatorAsksNoModelAndAllOthersAskAsTheTwin()
    {
        for (const bool takenBack : {false, true}) {
            Twins twins(*m_begun);
            QVERIFY(twins.ready);
            HeldModels ofSteered(twins.steered), ofTwin(*twins.untouched);
            commands::SteerIsland mixed{{2}, {}};
            mixed.steering.proposers = {{"mutator", 1}, {"model:swift", 0}};
            twins.steered.execute(mixed);
            if (takenBack)
                twins.steered.execute(commands::UndoIslandCommand{});
            QVERIFY2(twins.steered.failures.isEmpty(), qPrintable(twins.steered.failures.join(u' ')));
            const auto twin = ofTwin.ask();
            QCOMPARE(twin.size(), std::size_t(4));
            if (takenBack) {
                QVERIFY(ofSteered.ask() == twin);
                continue;
            }
            QVERIFY(!ofSteered.ask().contains({2}));
            const auto asked = firstOfEach(twins.state(twins.steered)),
                       ofTheTwin = firstOfEach(twins.state(*twins.untouched));
            for (const std::int64_t island : {1, 3, 4}) // what they know of B's new edit stands in the prompt alone
                QVERIFY(asked.at({island}) == ofTheTwin.at({island}));
            const RunState state = twins.state(twins.steered);
            const auto next = std::ranges::find_if(state.proposals, [&](const Proposal& proposal) {
                return proposal.id.value > static_cast<std::int64_t>(twins.known) && proposal.island == IslandId{2};
            });
            QVERIFY(next != state.proposals.end());
            QCOMPARE(next->proposer, std::string("mutator"));
            QVERIFY(twins.beganAlike());
        }
    }

    void aMixOfOneModelSendsTheIslandsNextRequestToIt()
    {
        for (const std::string model : {"swift", "wise"}) {
            Twins twins(*m_begun);
            QVERIFY(twins.ready);
            HeldModels ofSteered(twins.steered);
            commands::SteerIsland mixed{{3}, {}};
            mixed.steering.proposers = {{"model:" + model, 2}};
            twins.steered.execute(mixed);
            (void)ofSteered.ask();
            const RunState state = twins.state(twins.steered);
            int asked = 0;
            for (const ModelRequest& modelRequest : state.modelRequests)
                if (modelRequest.island == IslandId{3}) {
                    ++asked;
                    QCOMPARE(modelRequest.model, model);
                }
            QVERIFY(asked > 0);
            QVERIFY2(twins.steered.failures.isEmpty(), qPrintable(twins.steered.failures.join(u' ')));
        }
    }

    void whoCannotBeAskedGetsNoWeight()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const auto give = [&](const ProposerMix& mix) {
            commands::SteerIsland order{{2}, {}};
            order.steering.proposers = mix;
            twins.steered.execute(order);
        };
        give({{"model:swift", 1}}); // the mutator's session asks no models
        give({{"manual", 1}});
        HeldModels models(twins.steered);
        give({{"model:slow", 1}});
        qunsetenv(qUtf8Printable(canaryVariable));
        give({{"model:swift", 1}});
        give({{"model:swift", 0}, {"tuner", 1}}); // without a weight it needs no key
        qputenv(qUtf8Printable(canaryVariable), canaryKey);
        give({{"model:swift", 1}});
        QCOMPARE(twins.steered.failures,
            (QStringList{u"island/no-models"_s, u"island/value"_s, u"island/value"_s, u"llm/key-missing"_s}));
        QVERIFY((twins.state(twins.steered).islands[1].steering.proposers == ProposerMix{{"model:swift", 1}}));
    }

    void mutatorAndModelsOfOneIslandShareItsEditsAndTheRecordRebuilds()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        ReadyModels models(twins.steered);
        for (std::int64_t island = 1; island <= 4; ++island) {
            commands::SteerIsland mixed{{island}, {}};
            mixed.steering.proposers = {{"mutator", 1}, {"tuner", 1}, {"model:swift", 1}, {"model:wise", 1}};
            twins.steered.execute(mixed);
        }
        const RunState before = twins.state(twins.steered);
        twins.steered.execute(commands::SetBudget{{before.evaluationsStarted + 30, 0, 0, 0}});
        twins.steered.execute(commands::Run{});
        QVERIFY(twins.steered.waitForEnd(twinPatienceMs));
        const RunState run = twins.state(twins.steered);
        QCOMPARE(run.evaluationsDone, before.evaluationsStarted + 30);
        std::map<std::string, int> offered;
        for (std::size_t i = before.proposals.size(); i < run.proposals.size(); ++i)
            ++offered[run.proposals[i].proposer];
        QCOMPARE(offered.size(), std::size_t(3));
        for (const auto& [proposer, times] : offered)
            QVERIFY2(times >= 3, proposer.c_str());
        QVERIFY(twins.steered.failures.isEmpty());
        QVERIFY(twins.steered.close());
        QVERIFY(rebuildsAlike(twins.steered.path()));
    }

    void aRejectionIsBookedOfTheModelOnceAndWhatIsTakenBackIsNot()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        ReadyModels ofSteered(twins.steered), ofTwin(*twins.untouched);
        for (EngineDriver* twin : {&twins.steered, twins.untouched.get()}) {
            twin->engine.execute(commands::SetReviewPolicies{{{{}, ReviewPolicy::Every}}});
            twins.step(*twin);
        }
        const RunState before = twins.state(*twins.untouched);
        const CandidateId id = waitingIn(before);
        QVERIFY(id && id == waitingIn(twins.state(twins.steered)));
        QVERIFY(booksOf(twins.state(twins.steered)) == booksOf(before));
        QCOMPARE(outcomesBooked(before), 0);
        twins.steered.execute(commands::Decide{{id}, Decision::Rejected, "no"});
        QCOMPARE(outcomesBooked(twins.state(twins.steered)), 1);
        twins.steered.execute(commands::UndoReview{{id}});
        QVERIFY(booksOf(twins.state(twins.steered)) == booksOf(before));
        // So it is where nobody was asked yet since the session was opened.
        const QString copy = twins.steered.m_folder.filePath(u"again.tilewright"_s);
        twins.steered.execute(commands::SaveCopy{copy.toStdString()});
        EngineDriver again({}, copy);
        again.engine.open(copy);
        again.execute(commands::Decide{{id}, Decision::Rejected, "no"});
        QCOMPARE(outcomesBooked(again.run()), 1);
        again.execute(commands::UndoReview{{id}});
        QVERIFY(booksOf(again.run()) == booksOf(before));
        for (EngineDriver* twin : {&twins.steered, twins.untouched.get()}) {
            twin->engine.execute(commands::Decide{{id}, Decision::Approved, ""});
            twins.settle(*twin);
        }
        QCOMPARE(outcomesBooked(twins.state(*twins.untouched)), 1);
        QVERIFY(booksOf(twins.state(twins.steered)) == booksOf(twins.state(*twins.untouched)));
        QVERIFY(twins.steered.failures.isEmpty() && again.failures.isEmpty());
    }
};

TILEWRIGHT_TEST(TestModelTwins)
#include "test_model_twins.moc"
