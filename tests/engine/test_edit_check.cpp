// SPDX-License-Identifier: GPL-3.0-or-later
// A user's text is checked from the patch on, and built, before it takes a candidate's place; nothing of that is
// recorded.
#include "core/engine/query.h"
#include "tests/engine/dry_run.h"
#include "tests/engine/engine_driver.h"
#include "tests/test_program.h"

using namespace tilewright;
using namespace tilewright::testing;
using namespace Qt::StringLiterals;

namespace {

/// What an engine says of a text.
std::optional<EditCheck> checked(
    EngineDriver& driver, CandidateId candidate, const std::string& text, EditAs as = EditAs::Replacement)
{
    std::optional<EditCheck> said;
    driver.engine.ask(queries::CheckEdit{candidate, text, as},
        [&](const QueryAnswer& answer) { said = std::get<EditCheck>(answer); });
    if (said) // never before the question has returned
        qFatal("the answer came too early");
    (void)QTest::qWaitFor([&] { return said.has_value(); }, patience);
    return said;
}

} // namespace

class TestEditCheck : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();

    /// A run that waits for a user, and the first that waits.
    CandidateId begin(EngineDriver& driver)
    {
        NewSession session;
        session.path = driver.path();
        session.pack = m_pack;
        session.settings.budget.evaluations = 3;
        session.settings.review = {{IslandId{}, ReviewPolicy::Every}};
        driver.engine.create(session);
        // Nothing happens any more until a user says a word; that it waits for one is the last that is recorded.
        const auto rests = [&driver] {
            const RunState& now = driver.run();
            return now.waitingReviews > 0
                && (now.phaseReason.starts_with("waits for a user") || now.phase != events::Phase::Running);
        };
        if (!QTest::qWaitFor(rests, patience))
            return {};
        for (const Review& review : driver.run().reviews)
            if (review.isWaiting())
                return review.candidate;
        return {};
    }

private Q_SLOTS:
    void complaintsNameTheirLine()
    {
        QCOMPARE(lineOfComplaint("candidate.cpp:41:9: error: expected ';'"), 41);
        QCOMPARE(lineOfComplaint("candidate.cu(17): error: identifier \"x\" is undefined"), 17);
        QCOMPARE(lineOfComplaint("candidate.cpp:1: error: synthetic"), 1);
        QCOMPARE(lineOfComplaint("tilewright_plan cannot be evaluated at compile time: it adds more than 8 launches "
                                 "(line 5 of candidate.cu, for 64×64×64); NVRTC: attempt to access storage"),
            5);
        QCOMPARE(lineOfComplaint("a line 5 of another text"), 0);
        QCOMPARE(lineOfComplaint("the compiler needed more time than the task allows"), 0);
        QCOMPARE(lineOfComplaint("f(3, 4): at 10:30 nothing"), 0);
        QCOMPARE(lineOfComplaint(""), 0);
    }

    void aTextThatBuildsIsGoodAndLeavesNoTrace()
    {
        EngineDriver driver;
        const CandidateId id = begin(driver);
        QVERIFY(id);
        const std::string text = withLine(driver.text(driver.run().candidate(id)->source), "static int by_hand = 1;");
        const std::int64_t events = driver.run().lastSeq;
        const auto check = checked(driver, id, text);
        QVERIFY(check);
        QCOMPARE(check->end, EditCheckEnd::Builds);
        QCOMPARE(check->why.code, std::string());
        QCOMPARE(driver.run().lastSeq, events);
        QCOMPARE(driver.run().candidate(id)->stage, Stage::Review);
        driver.execute(commands::ApproveEdited{id, text, ""});
        QVERIFY2(driver.failures.isEmpty(), qPrintable(driver.failures.join(u' ')));
        QCOMPARE(driver.run().candidate(id)->stage, Stage::Rejected);
    }

    void aTextThatDoesNotBuildIsToldWithItsLine()
    {
        EngineDriver driver;
        const CandidateId id = begin(driver);
        QVERIFY(id);
        const std::string text = withLine(driver.text(driver.run().candidate(id)->source), "int FAKE_BUILD_ERROR = 1;");
        const std::int64_t events = driver.run().lastSeq;
        const auto check = checked(driver, id, text);
        QVERIFY(check);
        QCOMPARE(check->end, EditCheckEnd::Broken);
        QCOMPARE(check->why.code, std::string("build/error"));
        QCOMPARE(check->why.text, std::string("candidate.cpp:1: error: synthetic"));
        QCOMPARE(check->line, 1);
        QVERIFY(!check->isGood());
        QCOMPARE(driver.run().lastSeq, events);
    }

    void aTextThatDoesNotApplyIsRefusedAsAnApprovalWouldBe()
    {
        EngineDriver driver;
        const CandidateId id = begin(driver);
        QVERIFY(id);
        const std::string own = driver.text(driver.run().candidate(id)->source);
        const std::int64_t events = driver.run().lastSeq;
        const auto same = checked(driver, id, own);
        QCOMPARE(same->end, EditCheckEnd::Refused);
        QCOMPARE(same->why.code, std::string("review/no-change"));
        const auto outside = checked(driver, id, "int outside;\n" + own);
        QCOMPARE(outside->end, EditCheckEnd::Refused);
        QVERIFY2(outside->why.code.starts_with("patch/"), outside->why.code.c_str());
        QVERIFY(!outside->why.hint.empty());
        const auto nobody = checked(driver, CandidateId{1}, withLine(own, "int x;"));
        QCOMPARE(nobody->why.code, std::string("review/not-waiting"));
        QCOMPARE(driver.run().lastSeq, events);
        QVERIFY(driver.failures.isEmpty());
    }

    void aTextThatIsToBeInjectedIsCheckedAsTheCommandWouldTakeIt()
    {
        EngineDriver driver;
        QVERIFY(begin(driver));
        const CandidateId seed{1}; // it is over: nobody waits for a word on it
        const std::string own = driver.text(driver.run().candidate(seed)->source);
        const std::int64_t events = driver.run().lastSeq;
        const std::string mine = withLine(own, "static int by_hand = 1;");
        QCOMPARE(checked(driver, seed, mine, EditAs::Child)->end, EditCheckEnd::Builds);
        const auto broken = checked(driver, seed, withLine(own, "int FAKE_BUILD_ERROR = 1;"), EditAs::Child);
        QCOMPARE(broken->end, EditCheckEnd::Broken);
        QCOMPARE(broken->line, 1);
        QCOMPARE(checked(driver, seed, own, EditAs::Child)->why.code, std::string("inject/no-change"));
        const auto outside = checked(driver, seed, "int outside;\n" + own, EditAs::Child);
        QCOMPARE(outside->end, EditCheckEnd::Refused);
        QVERIFY2(outside->why.code.starts_with("patch/"), outside->why.code.c_str());
        QCOMPARE(checked(driver, {88}, mine, EditAs::Child)->why.code, std::string("candidate/unknown"));
        QCOMPARE(driver.run().lastSeq, events);
        QVERIFY(driver.failures.isEmpty());
        driver.execute(commands::Inject{seed, {}, mine, {}});
        QVERIFY2(driver.failures.isEmpty(), qPrintable(driver.failures.join(u' ')));
    }

    void whereTheMachineIsAtFaultTheTextIsUntriedAndGood()
    {
        EngineDriver driver({u"--machine-fault"_s, u"3"_s}); // seed and two edits are built before
        const CandidateId id = begin(driver);
        QVERIFY(id);
        const auto check
            = checked(driver, id, withLine(driver.text(driver.run().candidate(id)->source), "static int mine = 1;"));
        QVERIFY(check);
        QCOMPARE(check->end, EditCheckEnd::Untried);
        QCOMPARE(check->why.code, std::string("machine/no-room"));
        QVERIFY(check->isGood());
        QVERIFY(driver.failures.isEmpty());
    }

    void anAnswerThatIsNotWantedAnyMoreDoesNotCome()
    {
        EngineDriver driver({u"--delay-ms"_s, u"30"_s});
        const CandidateId id = begin(driver);
        QVERIFY(id);
        const std::string text = driver.text(driver.run().candidate(id)->source);
        QSignalSpy said(&driver.engine, &Engine::answered);
        driver.engine.ask(1, queries::CheckEdit{id, withLine(text, "static int first = 1;")});
        driver.engine.ask(2, queries::CheckEdit{id, withLine(text, "static int second = 1;")});
        driver.engine.drop(1);
        QTRY_COMPARE_WITH_TIMEOUT(said.size(), 1, patience);
        QCOMPARE(said.front().front().value<quint64>(), quint64(2));
        QVERIFY(checked(driver, id, withLine(text, "static int third = 1;"))); // and the first did not come before it
        QCOMPARE(said.size(), 1);
    }
};

TILEWRIGHT_TEST(TestEditCheck)
#include "test_edit_check.moc"
