// SPDX-License-Identifier: GPL-3.0-or-later
// Commands are undone and redone by what their events recorded: each in the run that executed it and after the session
// was opened again.
#include "core/engine/session/undo_history.h"
#include "tests/engine/dry_run.h"
#include "tests/engine/engine_driver.h"
#include "tests/test_program.h"

using namespace tilewright;
using namespace tilewright::testing;
using namespace Qt::StringLiterals;

namespace {

Marks starred()
{
    Marks marks;
    marks.starred = true;
    return marks;
}

std::vector<std::string> described(const RunState& run)
{
    std::vector<std::string> all;
    for (const UndoEntry& entry : undoHistory(run))
        if (!entry.isFinal)
            all.push_back(entry.description + (entry.blocked.empty() ? "" : " (" + entry.blocked + ")"));
    return all;
}

/// What a command can change of a run, in words.
std::string settingsOf(const RunState& run)
{
    std::string words = wordsOfBudget(run.settings.budget) + "|" + run.settings.proposer + "|"
        + std::to_string(run.settings.reviewLimit) + "|" + wordsOf(run.settings.migration);
    for (const auto& [island, hint] : run.settings.hints)
        words += hint.empty() ? "" : "|" + islandLetter(island) + ":" + hint;
    for (const Island& island : run.islands)
        words += "|" + nameOf(island.standing) + " " + wordsOfAim(island.steering) + " "
            + describe(run.settings.reviewPoliciesOf(island.id));
    for (const Candidate& candidate : run.candidates)
        words += run.marksOf(candidate.id).isBlank() ? "" : "|" + wordsOf(run.marksOf(candidate.id));
    for (const SteeringRequest& steering : run.steeringRequests)
        words += steering.isOpen() ? "|open request" : "";
    for (const Rerun& rerun : run.reruns)
        words += rerun.isOpen() ? "|open re-run" : "";
    const InsightNote* insight = run.personsInsight();
    words += insight ? "|" + insight->text.hex() : "";
    const TemplateVersion* version = run.newestTemplate({}, "exploit");
    words += version && !version->text.isNull() ? "|" + version->text.hex() : "";
    return words;
}

} // namespace

class TestUndoHistory : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();
    QTemporaryDir m_folder;
    QString m_rested; ///< a run of some candidates that rests

private Q_SLOTS:
    void initTestCase()
    {
        m_rested = m_folder.filePath(u"rested.tilewright"_s);
        EngineDriver driver({}, m_rested);
        driver.create(m_pack, 8);
        QVERIFY(driver.waitForEnd());
        QVERIFY(driver.close());
    }

    void eachCommandIsUndoneAndRedoneAlsoAfterReopening_data()
    {
        QTest::addColumn<int>("number");
        QTest::addColumn<QString>("description");
        QTest::newRow("budget") << 0 << u"Changed the budget from 8 evaluations to 50 evaluations"_s;
        QTest::newRow("proposer") << 1 << u"Changed the proposer from mutator to tuner"_s;
        QTest::newRow("hints") << 2 << u"Changed the hints for island B"_s;
        QTest::newRow("review limit") << 3 << u"Changed the review limit from 8 to 3"_s;
        QTest::newRow("review policies") << 4
                                         << u"Changed the review policy of island A, proposer tuner from automatic to "
                                            "every, of island B from automatic to risky"_s;
        QTest::newRow("marks") << 5 << u"Starred c-0002"_s;
        QTest::newRow("requests") << 6 << u"Requested 3 edits of c-0002"_s;
        QTest::newRow("pause of an island") << 7 << u"Paused island B"_s;
        QTest::newRow("migration") << 8 << u"Changed the migration plan: ring, every 6 new members → off"_s;
        QTest::newRow("insights") << 9 << u"Changed your insights"_s;
        QTest::newRow("template") << 10 << u"Saved version 1 of the template exploit for all islands"_s;
    }

    void eachCommandIsUndoneAndRedoneAlsoAfterReopening()
    {
        QFETCH(const int, number);
        QFETCH(const QString, description);
        const QString path = m_folder.filePath(u"undo%1.tilewright"_s.arg(number));
        QVERIFY(QFile::copy(m_rested, path));
        MigrationPlan off;
        off.ways = MigrationPlan::Ways::Off;
        std::string before, after;
        {
            EngineDriver driver({}, path);
            driver.engine.open(path);
            before = settingsOf(driver.run());
            PromptDraft draft = {};
            draft.name = "exploit";
            draft.text = "Mind the gap.\n" + driver.preview(draft).standing;
            Budget budget;
            budget.evaluations = 50;
            const std::vector<Command> all{commands::SetBudget{budget}, commands::SetProposer{"tuner"},
                commands::SetHints{islandB, "smaller"}, commands::SetReviewLimit{3},
                commands::SetReviewPolicies{
                    {{{1}, ReviewPolicy::Every, ProposerKind::Tuner}, {islandB, ReviewPolicy::Risky}}},
                CandidateCommand(commands::SetMarks{{2}, starred()}), CandidateCommand(commands::RequestEdits{{2}, 3}),
                IslandCommand(commands::PauseIsland{islandB}), IslandCommand(commands::PlanMigration{off}),
                commands::WriteInsights{"Keep four rows."}, commands::SaveTemplate{draft, "gap"}};
            const Receipt receipt = driver.execute(all.at(static_cast<std::size_t>(number)));
            QCOMPARE(driver.failures, QStringList());
            QCOMPARE(QString::fromStdString(receipt.description), description);
            QVERIFY(receipt.entry > 0 && receipt.entry <= receipt.sequence);
            after = settingsOf(driver.run());
            QVERIFY(after != before);
            const UndoEntry entry = undoHistory(driver.run()).front();
            const Receipt undone = driver.execute(commands::Undo{{receipt.entry}});
            QCOMPARE(undone.description, receipt.description);
            QCOMPARE(settingsOf(driver.run()), before);
            QCOMPARE(described(driver.run()), std::vector<std::string>());
            const std::string redone = driver.execute(commands::Redo{entry.events}).description;
            if (number != 10) // a template's next version has the next number
                QCOMPARE(redone, receipt.description);
            QCOMPARE(settingsOf(driver.run()), after);
            QCOMPARE(driver.failures, QStringList());
            QVERIFY(driver.close());
        }
        EngineDriver driver({}, path);
        driver.engine.open(path);
        QCOMPARE(settingsOf(driver.run()), after);
        const std::vector<UndoEntry> history = undoHistory(driver.run());
        QCOMPARE(history.size(), std::size_t(1));
        driver.execute(commands::Undo{{history.front().seq}});
        QCOMPARE(settingsOf(driver.run()), before);
        driver.execute(commands::Undo{{history.front().seq}}); // it was undone
        QCOMPARE(driver.failures, QStringList{u"undo/unknown"_s});
    }

    void decisionsOfOneCommandAreUndoneTogetherAndThoseOfTwoApart()
    {
        EngineDriver driver;
        NewSession session;
        session.path = driver.path();
        session.pack = m_pack;
        session.settings.budget.evaluations = 9;
        session.settings.review = {{IslandId{}, ReviewPolicy::Every}};
        session.settings.reviewLimit = 0;
        driver.engine.create(session);
        QVERIFY(QTest::qWaitFor([&] { return driver.engine.snapshot()->status.waitingCode == "reviews"; }, patience));
        driver.execute(commands::PauseNow{});
        std::vector<CandidateId> pending;
        for (const Review& review : driver.run().reviews)
            pending.push_back(review.candidate);
        QVERIFY(pending.size() > 4);
        driver.execute(commands::Decide{{pending[0], pending[1]}, Decision::Rejected, "slow"});
        driver.execute(commands::Decide{{pending[2]}, Decision::Approved, ""});
        driver.execute(commands::Decide{{pending[3]}, Decision::Approved, ""});
        const std::vector<std::string> expected{
            "Approved " + candidateName(pending[3]), "Approved " + candidateName(pending[2]), "Rejected 2 candidates"};
        QCOMPARE(described(driver.run()), expected);
        QVERIFY(driver.close());
        EngineDriver again({}, driver.path());
        again.engine.open(driver.path());
        QCOMPARE(described(again.run()), expected);
        const std::vector<UndoEntry> history = undoHistory(again.run());
        const std::int64_t waiting = again.run().waitingReviews;
        QCOMPARE(again.execute(commands::Undo{{history[2].seq}}).description, expected[2]);
        QCOMPARE(again.run().waitingReviews, waiting + 2);
        QCOMPARE(again.execute(commands::Redo{history[2].events}).description, expected[2]);
        QCOMPARE(again.run().waitingReviews, waiting);
        QCOMPARE(again.failures, QStringList());
        // One that is refused does not keep the others from it.
        again.execute(commands::Decide{{pending[2], pending[4]}, Decision::Approved, ""});
        QCOMPARE(again.failures, QStringList{u"review/not-waiting"_s});
        QCOMPARE(again.run().candidate(pending[4])->stage, Stage::Queued);
    }

    void anOlderChangeOfTheSameSettingIsBlocked()
    {
        EngineDriver driver({}, m_folder.filePath(u"older.tilewright"_s));
        QVERIFY(QFile::copy(m_rested, driver.path()));
        driver.engine.open(driver.path());
        Budget more;
        more.evaluations = 20;
        driver.execute(commands::SetBudget{more});
        driver.execute(commands::SetReviewLimit{2});
        more.evaluations = 30;
        driver.execute(commands::SetBudget{more});
        const std::vector<UndoEntry> history = undoHistory(driver.run());
        QCOMPARE(history.size(), std::size_t(3));
        QCOMPARE(history[2].blocked, std::string("a later change of the same setting must be undone first"));
        driver.execute(commands::Undo{{history[2].seq}});
        QCOMPARE(driver.failures, QStringList{u"undo/blocked"_s});
        driver.execute(commands::Undo{{history[0].seq}});
        driver.execute(commands::Undo{{history[2].seq}});
        QCOMPARE(driver.failures.size(), 1);
        QCOMPARE(driver.run().settings.budget.evaluations, 8);
        QCOMPARE(described(driver.run()), std::vector<std::string>{"Changed the review limit from 8 to 2"});
    }

    void whatOneCommandCannotMakeAgainIsNotRedone()
    {
        EngineDriver driver({}, m_folder.filePath(u"once.tilewright"_s));
        QVERIFY(QFile::copy(m_rested, driver.path()));
        driver.engine.open(driver.path());
        driver.execute(commands::AddIsland{"", Focus::Tune});
        const UndoEntry added = undoHistory(driver.run()).front();
        QCOMPARE(added.description, std::string("Added island E"));
        driver.execute(commands::Undo{{added.seq}});
        QCOMPARE(driver.failures, QStringList());
        driver.execute(commands::Redo{added.events});
        QCOMPARE(driver.failures, QStringList{u"undo/no-redo"_s});
        driver.execute(commands::Redo{{1'000'000}});
        QCOMPARE(driver.failures.last(), u"event/unknown-id"_s);
    }
};

TILEWRIGHT_TEST(TestUndoHistory)
#include "test_undo_history.moc"
