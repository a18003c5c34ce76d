// SPDX-License-Identifier: GPL-3.0-or-later
// Listings asked of an engine whose run goes on, has ended, is another program's, or whose node dies meanwhile; and of
// a real node, which lets all builds go first.
#include "core/base/files.h"
#include "core/engine/measuring/listings.h"
#include "tests/engine/dry_run.h"
#include "tests/engine/engine_driver.h"
#include "tests/test_program.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::testing;
using namespace Qt::StringLiterals;

namespace {

/// What an engine says to one question.
std::optional<ListingAnswer> askedOf(
    EngineDriver& driver, CandidateId candidate, std::optional<ListingForm> form = std::nullopt)
{
    std::optional<ListingAnswer> said;
    driver.engine.ask(queries::ListingOf{candidate, form},
        [&](const QueryAnswer& answer) { said = std::get<ListingAnswer>(answer); });
    if (said) // never before the question has returned
        qFatal("the answer came too early");
    (void)QTest::qWaitFor([&] { return said.has_value(); }, patience);
    return said;
}

std::string codeOf(const std::optional<ListingAnswer>& said) { return said ? said->error.code : "no answer"; }

CandidateId firstWith(const RunState& run, Outcome outcome)
{
    for (const Candidate& candidate : run.candidates)
        if (candidate.outcome == outcome && candidate.id != CandidateId{1})
            return candidate.id;
    return {};
}

/// A record of one GPU program.
RunState gpuRecord(const nlohmann::json& resources)
{
    RunState state;
    Candidate candidate;
    candidate.id = CandidateId{1};
    candidate.source = sha256("source");
    candidate.latest = EvaluationId{1};
    state.candidates.push_back(candidate);
    Evaluation evaluation;
    evaluation.id = EvaluationId{1};
    evaluation.candidate = candidate.id;
    evaluation.result.artifact = sha256("artefact");
    evaluation.result.resources = resources;
    evaluation.result.environment = {{"class", "sm_90a"}, {"compiler", "NVRTC 13.0"}, {"device", "NVIDIA H200"}};
    state.evaluations.push_back(evaluation);
    return state;
}

} // namespace

class TestListings : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();

private Q_SLOTS:
    void theRecordTellsWhatIsAskedForOfAGpuProgram()
    {
        TaskPack pack = m_pack;
        pack.task.target = Target::Cuda;
        const Hash ptx = sha256("ptx");
        const RunState state = gpuRecord({{"ptx_sha256", ptx.hex()},
            {"kernels", {{{"kernel", "gemm<1>"}}, {{"kernel", "plain"}}, {{"kernel", "gemm<1>"}}}}});
        const auto request = listingRequestFor(state, pack.task, CandidateId{1}, std::nullopt);
        QVERIFY(request.has_value());
        QVERIFY(request->form == ListingForm::Ptx);
        QVERIFY(request->artifact == sha256("artefact") && request->ptx == ptx && request->cubin.isNull());
        QCOMPARE(request->architecture, std::string("sm_90a"));
        QCOMPARE(request->builtBy, std::string("NVRTC 13.0 on NVIDIA H200"));
        QCOMPARE(request->kernels, (std::vector<std::string>{"gemm<1>", "plain"}));
        const auto wrong = listingRequestFor(state, pack.task, CandidateId{1}, ListingForm::Assembly);
        QCOMPARE(wrong.error().code, std::string("listing/form"));
        QVERIFY(wrong.error().hint.find("ptx or sass") != std::string::npos);
        // A damaged or older record asks for less, and breaks nothing.
        for (const nlohmann::json& resources : {nlohmann::json(), nlohmann::json(7), nlohmann::json{{"kernels", 3}},
                 nlohmann::json{{"kernels", {1, {{"kernel", 2}}}}, {"ptx_sha256", 5}}}) {
            const auto less = listingRequestFor(gpuRecord(resources), pack.task, CandidateId{1}, std::nullopt);
            QVERIFY(less.has_value() && less->kernels.empty() && less->ptx.isNull());
        }
        pack.task.target = Target::Outside;
        QCOMPARE(listingRequestFor(state, pack.task, CandidateId{1}, std::nullopt).error().code,
            std::string("listing/form"));
    }

    void aListingComesWhileTheRunGoesOnAndLeavesNoTrace()
    {
        EngineDriver driver({u"--delay-ms"_s, u"10"_s});
        driver.create(m_pack, 12);
        QVERIFY(QTest::qWaitFor([&] { return driver.run().evaluationsDone >= 3; }, patience));
        const auto said = askedOf(driver, CandidateId{1});
        QVERIFY(said && said->error.code.empty());
        QVERIFY(said->listing.code == ListedCode::AsBuilt);
        QVERIFY(said->listing.form == ListingForm::Assembly);
        QVERIFY(!said->listing.instructions.empty());
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.run().evaluationsDone, 12);
        // Its text is nobody's record.
        const std::int64_t events = driver.run().lastSeq;
        QVERIFY(askedOf(driver, CandidateId{2}));
        QCOMPARE(driver.run().lastSeq, events);
        QCOMPARE(driver.text(sha256(said->listing.text)), std::string());
    }

    void aRunThatRestsIsAskedAsWellAndTheSameQuestionIsAnsweredFromMemory()
    {
        EngineDriver driver;
        driver.create(m_pack, 6);
        QVERIFY(driver.waitForEnd());
        const auto first = askedOf(driver, CandidateId{2}), again = askedOf(driver, CandidateId{2});
        QVERIFY(first && again && first->error.code.empty());
        QVERIFY(first->listing == again->listing); // the node for tests numbers what it makes
        const auto other = askedOf(driver, CandidateId{3});
        QVERIFY(other && other->listing.text != first->listing.text);
        QCOMPARE(codeOf(askedOf(driver, CandidateId{99})), std::string("candidate/unknown"));
        QCOMPARE(codeOf(askedOf(driver, CandidateId{2}, ListingForm::Sass)), std::string("listing/form"));
    }

    void whatNeverBuiltTellsWhy()
    {
        EngineDriver driver({u"--build-error"_s, u"3"_s, u"--refuse"_s, u"5"_s});
        driver.create(m_pack, 40);
        QVERIFY(driver.waitForEnd());
        const auto unbuilt = askedOf(driver, firstWith(driver.run(), Outcome::BuildFailed));
        QCOMPARE(codeOf(unbuilt), std::string("listing/unbuilt"));
        QVERIFY2(unbuilt->error.text.find("never built: build/error, candidate.cpp:1: error: synthetic")
                != std::string::npos,
            unbuilt->error.text.c_str());
        // What was refused for its results was built, and can be looked at.
        QCOMPARE(codeOf(askedOf(driver, firstWith(driver.run(), Outcome::Refused))), std::string());
    }

    void aNodeThatDiesMeanwhileCostsTheListingAndNoCandidate()
    {
        EngineDriver driver({u"--crash-at-listing"_s, u"--delay-ms"_s, u"10"_s});
        driver.create(m_pack, 10);
        QVERIFY(QTest::qWaitFor([&] { return driver.run().evaluationsDone >= 3; }, patience));
        const auto said = askedOf(driver, CandidateId{1});
        QCOMPARE(codeOf(said), std::string("node/crash"));
        QVERIFY(!said->error.hint.empty());
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.run().evaluationsDone, 10);
        for (const Candidate& candidate : driver.run().candidates)
            QVERIFY2(candidate.rule.find("node/") == std::string::npos, candidate.text.c_str());
    }

    void withoutANodeOrADisassemblerTheReasonIsTold()
    {
        EngineDriver driver({u"--no-disassembler"_s});
        driver.create(m_pack, 4);
        QVERIFY(driver.waitForEnd());
        const auto missing = askedOf(driver, CandidateId{1});
        QCOMPARE(codeOf(missing), std::string("tool/missing"));
        QVERIFY(missing->error.hint.find("binutils") != std::string::npos);
        QVERIFY(driver.close());
        Engine alone;
        alone.setNodeCommand({u"/nowhere/tilewright-node"_s});
        alone.open(driver.path());
        std::optional<ListingAnswer> said;
        for (int i = 0; i < 2; ++i) { // it is tried again each time
            said.reset();
            alone.ask(queries::ListingOf{CandidateId{1}, std::nullopt},
                [&](const QueryAnswer& answer) { said = std::get<ListingAnswer>(answer); });
            QVERIFY(QTest::qWaitFor([&] { return said.has_value(); }, patience));
            QCOMPARE(said->error.code, std::string("node/missing"));
        }
    }

    void aSessionThatIsReadOnlyIsListedByANodeOfItsOwn()
    {
        EngineDriver owner;
        owner.create(m_pack, 5);
        QVERIFY(owner.waitForEnd());
        EngineDriver onlooker({}, owner.path());
        onlooker.engine.open(owner.path());
        QVERIFY(onlooker.engine.snapshot()->status.readOnly);
        const auto mine = askedOf(owner, CandidateId{2}), theirs = askedOf(onlooker, CandidateId{2});
        QVERIFY(mine && theirs);
        QVERIFY(theirs->error.code.empty());
        QVERIFY(theirs->listing.code == ListedCode::AsBuilt);
        QVERIFY(onlooker.close());
        QVERIFY(owner.close());
    }

    void whatIsDroppedIsNotAnswered()
    {
        EngineDriver driver({u"--delay-ms"_s, u"200"_s});
        driver.create(m_pack, 2);
        QVERIFY(driver.waitForEnd());
        QSignalSpy answers(&driver.engine, &Engine::answered);
        driver.engine.ask(1, queries::ListingOf{CandidateId{1}, std::nullopt});
        driver.engine.ask(2, queries::ListingOf{CandidateId{2}, std::nullopt});
        driver.engine.ask(3, queries::ListingOf{CandidateId{99}, std::nullopt}); // refused, and not told either
        driver.engine.drop(1);
        driver.engine.drop(3);
        driver.engine.ask(2, queries::ListingOf{CandidateId{1}, std::nullopt}); // a newer question under the same tag
        QVERIFY(QTest::qWaitFor([&] { return !answers.isEmpty(); }, patience));
        driver.engine.ask(5, queries::ListingOf{CandidateId{2}, std::nullopt}); // behind all that was asked before
        QVERIFY(QTest::qWaitFor([&] { return answers.last().at(0).toULongLong() == 5; }, patience));
        QCOMPARE(answers.size(), 2);
        QCOMPARE(answers.first().at(0).toULongLong(), 2u);
        QVERIFY(driver.close()); // with nothing under way
        driver.engine.ask(4, queries::ListingOf{CandidateId{1}, std::nullopt});
        QCOMPARE(answers.last().at(0).toULongLong(), 4u);
        QCOMPARE(
            std::get<ListingAnswer>(answers.last().at(1).value<QueryAnswer>()).error.code, std::string("session/none"));
    }

    void aRealNodeLetsItsBuildsGoFirst()
    {
        const QTemporaryDir cache;
        qputenv("XDG_CACHE_HOME", cache.path().toUtf8());
        NodeConnection node;
        std::map<Hash, std::string> blobs;
        const auto keep = [&](const std::string& text) {
            blobs[sha256(text)] = text;
            return sha256(text);
        };
        node.setCommand({QStringLiteral(TILEWRIGHT_BIN_DIR "/tilewright-node")});
        node.setBlobSource([&](const Hash& hash) { return blobs.at(hash); });
        QSignalSpy ready(&node, &NodeConnection::ready);
        node.start();
        QVERIFY(ready.wait(patience));
        const Hash task = keep(m_pack.blob()), seed = keep(m_pack.seed());
        std::optional<BuildReply> built;
        node.ask(BuildRequest{0, task, seed}, {task, seed},
            [&](const Result<Reply>& reply) { built = std::get<BuildReply>(reply.value()); });
        QVERIFY(QTest::qWaitFor([&] { return built.has_value(); }, patience));
        QVERIFY2(built->ok, built->text.c_str());
        // More programs than can be built at a time, then a listing.
        int done = 0, doneAtListing = -1;
        const int programs = node.hello().builders + 2;
        for (int i = 0; i < programs; ++i) {
            const Hash program = keep(m_pack.seed() + "\n// program " + std::to_string(i) + "\n");
            node.ask(BuildRequest{0, task, program}, {task, program}, [&](const Result<Reply>& reply) {
                QVERIFY(reply.has_value());
                ++done;
            });
        }
        Listings listings(node);
        ListingRequest request;
        request.task = task;
        request.program = seed;
        request.artifact = built->artifact;
        std::optional<Result<Listing>> listed;
        listings.ask(request, [&](const Result<Listing>& listing) {
            listed = listing;
            doneAtListing = done;
        });
        QVERIFY(QTest::qWaitFor([&] { return listed.has_value() && done == programs; }, patience));
        QVERIFY2(listed->has_value(), listed->has_value() ? "" : listed->error().line().c_str());
        QVERIFY2(doneAtListing > programs - node.hello().builders, qPrintable(QString::number(doneAtListing)));
        QVERIFY((*listed)->code == ListedCode::AsBuilt);
        QVERIFY((*listed)->text.find("<tilewright_run>") != std::string::npos);
        // Of a program that this node has never seen, given up at once: the next is answered all the same.
        request.program = keep(m_pack.seed() + "\n// nobody waits for this one\n");
        request.artifact = {}; // else the object that was built is shown at once
        const quint64 dropped = listings.ask(request, [](const Result<Listing>&) { QFAIL("it was dropped"); });
        QTest::qWait(50);
        listings.drop(dropped);
        request.program = seed;
        request.form = ListingForm::Ptx;
        listed.reset();
        listings.ask(request, [&](const Result<Listing>& listing) { listed = listing; });
        QVERIFY(QTest::qWaitFor([&] { return listed.has_value(); }, patience));
        QCOMPARE(listed->error().code, std::string("listing/form"));
        QSignalSpy stopped(&node, &NodeConnection::stopped);
        node.stop();
        QVERIFY(stopped.wait(patience));
    }
};

TILEWRIGHT_TEST(TestListings)
#include "test_listings.moc"
