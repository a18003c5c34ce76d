// SPDX-License-Identifier: GPL-3.0-or-later
// A user's text in the place of a candidate: what is checked of it while it is written, what is told, and what stays
// marked.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/editing_stage.h"
#include "ui/evolve/evolve_page.h"
#include "ui/evolve/inspector_header.h"
#include "ui/evolve/records_panel.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/review/proposal_editor.h"
#include "ui/widgets/find_box.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/numbered_editor.h"
#include "ui/widgets/table.h"

#include <QApplication>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QTest>
#include <QTextDocumentFragment>
#include <algorithm>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

EditCheck broken()
{
    return {EditCheckEnd::Broken, {"build/error", "candidate.cpp:41:9: error: expected ';'", "", nullptr}, 41, {}};
}

} // namespace

class TestReviewEditing : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatWasEditedLeadsToWhatCameOfItAndBack()
    {
        ReviewStage stage;
        const CandidateId edited = stage.waiting[0], made = stage.waiting[1];
        const QString old = stage.name(0), fresh = stage.name(1);
        stage.decided(edited, Decision::Edited, {}, made);
        const RunState& run = stage.run.state();
        QCOMPARE(stateWords(run, *run.candidate(edited)), u"edited: "_s + fresh);
        QCOMPARE(stage.find<QListView>(u"reviewDecided"_s)->model()->index(0, 0).data().toString(),
            u"%1 · edited → %2"_s.arg(old, fresh));
        InspectorHeader header;
        CandidateId gone;
        connect(&header, &InspectorHeader::chosen, &header, [&](CandidateId id) { gone = id; });
        auto* link = header.findChild<QLabel*>(u"candidateEdited"_s);
        const auto words = [link] { return QTextDocumentFragment::fromHtml(link->text()).toPlainText(); };
        header.show(run, *run.candidate(edited));
        QCOMPARE(words(), u"edited: "_s + fresh);
        Q_EMIT link->linkActivated(fresh);
        QCOMPARE(gone, made);
        header.show(run, *run.candidate(made));
        QCOMPARE(words(), u"edited from "_s + old);
        QVERIFY(link->text().contains(u"href=\"%1\""_s.arg(old)));
        header.show(run, *run.candidate(CandidateId{1}));
        QVERIFY(link->isHidden());
    }

    /// It is checked from the patch on: what the proposal in whose place it stands passed, says nothing of it.
    void whatAPersonWroteInAnothersPlaceHasNoneOfItsFacts()
    {
        ReviewStage stage;
        const CandidateId edited = stage.waiting[1];
        const CandidateId made = stage.writtenFor(edited);
        stage.decided(edited, Decision::Edited, {}, made);
        stage.decided(stage.waiting[0], Decision::Approved);
        stage.decided(stage.waiting[2], Decision::Approved);
        const auto lookAt = [&](CandidateId id) {
            stage.window->selection().select(id);
            stage.page().choose(id);
            QCOMPARE(stage.page().chosen(), id);
        };
        auto* bars = stage.find<QWidget>(u"resourceBars"_s);
        lookAt(edited);
        QTRY_VERIFY_WITH_TIMEOUT(stage.checksSaid().contains(u"2 rules passed"_s), patience);
        QVERIFY(bars->accessibleDescription().contains(u"Machine code"_s));
        lookAt(made);
        QTRY_COMPARE_WITH_TIMEOUT(stage.checksSaid().count(u"not checked yet"_s), 2, patience);
        const QStringList said = stage.checksSaid();
        for (const QString& each : said)
            QVERIFY2(!each.contains(u"passed"_s) && !each.startsWith(u"Risk"_s), qPrintable(each));
        QCOMPARE(bars->accessibleDescription(), u"Not built yet."_s);
        // Its own checks are told as they come.
        stage.run.record(events::StageReached{made, Stage::Screening});
        WorkSpan build;
        build.candidate = made;
        build.work = Work::Build;
        build.endedNs = 3'000'000'000;
        stage.run.record(events::WorkDone{build});
        stage.open();
        QTRY_COMPARE_WITH_TIMEOUT(stage.checksSaid().count(u"not checked yet"_s), 1, patience);
        QVERIFY(stage.checksSaid().contains(u"3 s"_s));
    }

    void lettersAreNoOrdersWhileATextIsEdited()
    {
        EditingStage stage;
        const auto* letters = stage.find<QLabel>(u"letterWords"_s);
        QVERIFY(letters->isVisible());
        QVERIFY2(letters->text().startsWith(u"Single keys type text while"_s), qPrintable(letters->text()));
        stage.find<QPushButton>(u"cancelEdit"_s)->click();
        QVERIFY2(letters->text().startsWith(u"Single keys are shortcuts here"_s), qPrintable(letters->text()));
    }

    void aTextIsCheckedWheneverThePersonRests()
    {
        EditingStage stage;
        QTRY_COMPARE_WITH_TIMEOUT(stage.checks(), (QStringList{u"no changes yet"_s, u"no changes yet"_s}), patience);
        QVERIFY(stage.client.editChecks.empty());
        QTest::keyClicks(stage.editor, u"int x"_s);
        QTRY_COMPARE_WITH_TIMEOUT(stage.client.editChecks.size(), std::size_t(1), patience);
        QCOMPARE(stage.client.editChecks[0].candidate, stage.waiting.front());
        QCOMPARE(stage.client.editChecks[0].text, stage.editor->toPlainText());
        QTest::keyClicks(stage.editor, u";"_s);
        QCOMPARE(stage.client.dropped, (std::vector<quint64>{stage.client.editChecks[0].tag}));
        QTRY_COMPARE_WITH_TIMEOUT(stage.client.editChecks.size(), std::size_t(2), patience);
        stage.client.tellCheck(stage.client.editChecks[0].tag, broken()); // of the text before
        QVERIFY(!stage.refused->isVisible());
        stage.client.tellCheck(stage.client.editChecks[1].tag, {EditCheckEnd::Builds, {}, 0, {"static/unused"}});
        QTRY_VERIFY_WITH_TIMEOUT(stage.checks().contains(u"1 warning"_s), patience);
        QCOMPARE(
            stage.find<QLabel>(u"decisionWord"_s)->text(), u"Your text builds. Approving queues its measurement."_s);
        stage.find<QPushButton>(u"acceptEdit"_s)->click();
        QCOMPARE(stage.client.calls.size(), 1); // it is known: nothing is waited for
    }

    void aTextThatDoesNotBuildIsToldAndNotApproved()
    {
        EditingStage stage;
        QTest::keyClicks(stage.editor, u"int x"_s);
        stage.find<QPushButton>(u"acceptEdit"_s)->click(); // before it was checked
        QCOMPARE(stage.client.editChecks.size(), std::size_t(1));
        QVERIFY(!stage.find<QPushButton>(u"acceptEdit"_s)->isEnabled());
        QVERIFY(stage.find<QPushButton>(u"cancelEdit"_s)->isEnabled()); // a build can take long
        stage.client.tellCheck(stage.client.editChecks[0].tag, broken());
        QVERIFY(stage.client.calls.isEmpty());
        QVERIFY(stage.refused->isVisible());
        QVERIFY(stage.refused->text().contains(u"candidate.cpp:41:9: error: expected ';'"_s));
        QTRY_VERIFY_WITH_TIMEOUT(stage.checks().contains(u"no: line 41"_s), patience);
        QTRY_VERIFY_WITH_TIMEOUT(stage.checks().contains(u"candidate.cpp:41:9: error: expected ';'"_s), patience);
        stage.find<QPushButton>(u"acceptEdit"_s)->click();
        QVERIFY(stage.client.calls.isEmpty());
        QTest::keyClicks(stage.editor, u";"_s); // mended
        QVERIFY(!stage.refused->isVisible());
        stage.find<QPushButton>(u"acceptEdit"_s)->click();
        QCOMPARE(stage.client.editChecks.size(), std::size_t(2));
        stage.client.tellCheck(stage.client.editChecks[1].tag, {});
        QCOMPARE(stage.client.calls.size(), 1);
    }

    void whereNobodyCanBuildItATextIsApprovedAllTheSame()
    {
        EditingStage stage;
        QTest::keyClicks(stage.editor, u"// mine"_s);
        stage.find<QPushButton>(u"acceptEdit"_s)->click();
        stage.client.tellCheck(stage.client.editChecks[0].tag,
            {EditCheckEnd::Untried, {"node/missing", "the node cannot be started", "", nullptr}, 0, {}});
        QCOMPARE(stage.client.calls.size(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(stage.checks().contains(u"the node cannot be started"_s), patience);
    }

    void theKeyboardStaysInReviewWhenAnEditIsApproved_data()
    {
        QTest::addColumn<bool>("byKey");
        QTest::newRow("Ctrl+Return") << true;
        QTest::newRow("a click") << false;
    }

    void theKeyboardStaysInReviewWhenAnEditIsApproved()
    {
        QFETCH(bool, byKey);
        EditingStage stage;
        QTest::keyClicks(stage.editor, u"// mine"_s);
        if (byKey)
            QTest::keyClick(stage.editor, Qt::Key_Return, Qt::ControlModifier);
        else
            QTest::mouseClick(stage.find<QPushButton>(u"acceptEdit"_s), Qt::LeftButton);
        const auto isInReview = [&] { return stage.page().isAncestorOf(QApplication::focusWidget()); };
        QVERIFY(isInReview()); // while it is built
        stage.client.tellCheck(stage.client.editChecks.back().tag, {});
        QVERIFY(isInReview());
        stage.decided(stage.waiting[0], Decision::Edited, {}, CandidateId{2});
        QVERIFY(!stage.editor->isVisible());
        QVERIFY(stage.find<QListView>(u"reviewQueue"_s)->hasFocus());
        QCOMPARE(stage.page().chosen(), stage.waiting[1]); // the next of the queue
    }

    void anApprovalWithAnEditIsOrderedOnceMoreWithItsText()
    {
        ReviewStage stage;
        const CandidateId edited = stage.waiting[0], made = stage.writtenFor(edited);
        stage.decided(edited, Decision::Edited, "my way", made);
        stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        stage.window->centralWidget()->setFocus();
        QTest::keyClick(stage.window.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY2(stage.find<MessageBar>(u"messageBar"_s)->text().startsWith(u"Undone: Replaced "_s),
            qPrintable(stage.find<MessageBar>(u"messageBar"_s)->text()));
        stage.window->actions()[u"review.redo"_s].trigger();
        const QString order = u"edited "_s + nameOfCandidate(edited);
        QTRY_VERIFY_WITH_TIMEOUT(
            !stage.client.calls.isEmpty() && stage.client.calls.last().startsWith(order), patience);
        QVERIFY(stage.client.calls.last().endsWith(u"my way"_s));
    }

    void oneWhoseEditIsBegunWaitsOn_data()
    {
        QTest::addColumn<QStringList>("orders");
        QTest::newRow("all that wait are approved") << QStringList{u"review.approve-all"_s};
        QTest::newRow("all are chosen, and approved") << QStringList{u"review.choose-all"_s, u"review.approve"_s};
    }
    void oneWhoseEditIsBegunWaitsOn()
    {
        QFETCH(const QStringList, orders);
        ReviewStage stage;
        const CandidateId begun = stage.waiting[1];
        stage.window->drafts().keep(Drafts::placeOf(u"edit"_s, *stage.run.state().candidate(begun)), u"// mine"_s);
        for (const QString& order : orders)
            stage.window->actions()[order].trigger();
        QCOMPARE(stage.client.calls,
            (QStringList{u"approved "_s + nameOfCandidate(stage.waiting[0]),
                u"approved "_s + nameOfCandidate(stage.waiting[2])}));
        const QString said = stage.find<MessageBar>(u"messageBar"_s)->text();
        QVERIFY2(
            said.startsWith(u"Your unfinished edit of %1 is kept."_s.arg(nameOfCandidate(begun))), qPrintable(said));
    }

    void whoWasWritingGoesOnAfterALookElsewhere()
    {
        EditingStage stage;
        stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        stage.editor->setFocus();
        stage.window->showScreen(u"prompts"_s);
        QVERIFY(!stage.editor->hasFocus());
        stage.window->showScreen(u"review"_s);
        QVERIFY(stage.editor->hasFocus());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(!stage.page().isEditing());
    }

    void oneAloneIsApprovedAsItIsWhenThatIsWantedAgain()
    {
        ReviewStage stage;
        const CandidateId begun = stage.waiting[0];
        stage.window->drafts().keep(Drafts::placeOf(u"edit"_s, *stage.run.state().candidate(begun)), u"// mine"_s);
        stage.window->actions()[u"review.approve"_s].trigger();
        QVERIFY2(stage.client.calls.isEmpty(), qPrintable(stage.client.calls.join(u' ')));
        const QString said = stage.find<MessageBar>(u"messageBar"_s)->text();
        QVERIFY2(said.contains(u"unfinished edit of %1"_s.arg(nameOfCandidate(begun))), qPrintable(said));
        stage.window->actions()[u"review.approve"_s].trigger();
        QCOMPARE(stage.client.calls, QStringList{u"approved "_s + nameOfCandidate(begun)});
    }

    void theUsualKeyBringsBackWhatWasDiscardedAndLeavesAnEarlierWord()
    {
        EditingStage stage;
        stage.decided(stage.waiting[1], Decision::Approved); // before
        QTest::keyClicks(stage.editor, u"// mine"_s);
        const QString typed = stage.editor->toPlainText();
        stage.find<QPushButton>(u"cancelEdit"_s)->click();
        QVERIFY(!stage.page().isEditing());
        const auto* said = stage.find<MessageBar>(u"messageBar"_s);
        QVERIFY2(said->text().contains(u"discarded"_s) && said->text().contains(u"— Ctrl+Z undoes it"_s),
            qPrintable(said->text()));
        stage.client.calls.clear();
        stage.press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY2(stage.client.calls.isEmpty(), qPrintable(stage.client.calls.join(u'|'))); // the approval stands
        QVERIFY(stage.page().isEditing());
        QCOMPARE(stage.editor->toPlainText(), typed);
        QVERIFY2(said->text().startsWith(u"Undone: Discarded your edit of %1"_s.arg(stage.name(0))),
            qPrintable(said->text()));
    }

    void aTextThatWasApprovedStandsAgainUntilItIsMeasured()
    {
        EditingStage stage;
        const CandidateId edited = stage.waiting[0];
        const auto* page = stage.find<ProposalEditor>(u"proposalEditor"_s);
        const auto isKept = [&] { return page->hasDraft(*stage.run.state().candidate(edited)); };
        QTest::keyClicks(stage.editor, u"// mine"_s);
        const QString typed = stage.editor->toPlainText();
        stage.find<QPushButton>(u"acceptEdit"_s)->click();
        stage.client.tellCheck(stage.client.editChecks.back().tag, {});
        stage.decided(edited, Decision::Edited, {}, stage.writtenFor(edited));
        stage.window->actions()[u"review.undo"_s].trigger();
        QCOMPARE(stage.client.calls.back(), u"undo "_s + stage.name(0));
        stage.takenBack(edited);
        QTRY_VERIFY_WITH_TIMEOUT(stage.find<SplitDiff>(u"reviewDiff"_s)->changes() > 0, patience);
        QVERIFY(stage.page().canEdit());
        stage.press(Qt::Key_E);
        QTRY_VERIFY_WITH_TIMEOUT(stage.editor->isVisible(), patience);
        QCOMPARE(stage.editor->toPlainText(), typed);
        QVERIFY(isKept());
        const CandidateId again = stage.writtenFor(edited);
        stage.decided(edited, Decision::Edited, {}, again);
        QVERIFY(isKept());
        stage.run.record(events::StageReached{again, Stage::Screening});
        stage.open();
        QVERIFY(!isKept()); // the word stands
    }

    void whatDiffersStaysMarkedWhileATextIsWritten()
    {
        EditingStage stage;
        const auto changed = [&] { return std::ranges::count(stage.editor->lines(), true, &EditedLine::isChanged); };
        QTRY_VERIFY_WITH_TIMEOUT(changed() > 0, patience);
        const auto before = changed();
        QVERIFY(std::ranges::any_of(stage.editor->lines(), &EditedLine::isLocked));
        const auto* parent = stage.find<CodeView>(u"writtenBefore"_s);
        QVERIFY(parent->isVisible());
        const auto removed = std::ranges::find(parent->lines(), CodeLine::Mark::Removed, &CodeLine::mark);
        QVERIFY(removed != parent->lines().end());
        const auto row = static_cast<int>(removed - parent->lines().begin());
        const auto hasColours = [parent, row] { // of its language, as any other line
            return std::ranges::any_of(parent->document()->findBlockByNumber(row).layout()->formats(),
                [](const QTextLayout::FormatRange& range) { return range.format.foreground().style() != Qt::NoBrush; });
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasColours(), patience);
        QTextCursor cursor = stage.editor->textCursor();
        cursor.movePosition(QTextCursor::StartOfBlock);
        cursor.insertText(u"int mine = 1;\nint yours = 2;\n"_s);
        QTRY_COMPARE_WITH_TIMEOUT(changed(), before + 2, patience);
    }

    void longLinesThatAreWrittenGoOnInTheNextRowBesideTheirParents()
    {
        EditingStage stage;
        auto* wraps = stage.find<QPushButton>(u"diffWraps"_s);
        QVERIFY(wraps->isVisible() && wraps->isChecked()); // the diff's own switch
        auto* parent = stage.find<CodeView>(u"writtenBefore"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!parent->folds().empty(), patience);
        QCOMPARE(stage.editor->lineWrapMode(), QPlainTextEdit::WidgetWidth);
        QTextCursor cursor = stage.editor->textCursor();
        cursor.movePosition(QTextCursor::StartOfBlock);
        cursor.insertText(
            u"// "_s + u"a line that is too long for half of a window "_s.repeated(8) + u"\nint mine = 1;\n"_s);
        const int written = cursor.blockNumber(); // what comes next stood there before
        const auto fillers
            = [parent] { return std::ranges::count(parent->lines(), CodeLine::Mark::Filler, &CodeLine::mark); };
        QTRY_VERIFY_WITH_TIMEOUT(fillers() >= 2, patience);
        const auto topOf = [](QPlainTextEdit& side, int row) {
            return side.cursorRect(QTextCursor(side.document()->findBlockByNumber(row))).top();
        };
        int same = written; // the first line after them that differs in nothing
        while (stage.editor->lines().at(static_cast<std::size_t>(same)).isChanged)
            ++same;
        QVERIFY(stage.editor->heights()[static_cast<std::size_t>(written) - 2] > 2);
        const int row = same; // filler lines have rows of their own, and nothing was removed above
        QCOMPARE(parent->document()->findBlockByNumber(row).text(),
            stage.editor->document()->findBlockByNumber(same).text());
        QTRY_COMPARE_WITH_TIMEOUT(topOf(*parent, row), topOf(*stage.editor, same), patience);
        wraps->click();
        QCOMPARE(stage.editor->lineWrapMode(), QPlainTextEdit::NoWrap);
        QCOMPARE(stage.editor->heights()[static_cast<std::size_t>(written) - 2], 1);
        QTRY_COMPARE_WITH_TIMEOUT(topOf(*parent, row), topOf(*stage.editor, same), patience);
    }

    void aFoldIsOneLineHighHoweverLongItsFirstLineIs()
    {
        FoldingEdit edit;
        edit.resize(300, 400);
        edit.setPlainText(
            u"words that take more rows than one where the view is as narrow as this one is here\nb\nc\nd"_s);
        edit.show();
        QVERIFY(edit.heights()[0] > 1);
        const auto topOf
            = [&edit](int row) { return edit.cursorRect(QTextCursor(edit.document()->findBlockByNumber(row))).top(); };
        const std::vector<int> open = edit.heights(), folded{1, 0, 0, 1};
        const int line = edit.fontMetrics().lineSpacing();
        QVERIFY(topOf(1) - topOf(0) > line * 3 / 2);
        edit.setFolds({{0, 3, 3}});
        QCOMPARE(edit.heights(), folded);
        QCOMPARE(edit.document()->lineCount(), 2);
        QVERIFY(topOf(3) - topOf(0) < line * 3 / 2); // what comes next stands right below
        edit.resize(200, 400);
        QCOMPARE(edit.heights(), folded); // at any width
        edit.resize(300, 400);
        edit.unfold(1);
        QCOMPARE(edit.heights(), open);
        QVERIFY(topOf(1) - topOf(0) > line * 3 / 2);
        edit.setFolds({{0, 3, 3}});
        edit.setFolds({});
        QCOMPARE(edit.heights(), open);
        edit.setLineWrapMode(QPlainTextEdit::NoWrap);
        QCOMPARE(edit.heights(), (std::vector<int>{1, 1, 1, 1}));
    }

    /// Among the jobs, while it runs: nothing is approved then, and the text stays.
    void theCheckOfATextIsCancelledAmongTheJobs()
    {
        EditingStage stage;
        QTest::keyClicks(stage.editor, u"int x;"_s);
        const QString text = stage.editor->toPlainText();
        stage.find<QPushButton>(u"acceptEdit"_s)->click(); // once it builds
        QCOMPARE(stage.client.editChecks.size(), std::size_t(1));
        auto* table = stage.find<Table>(u"jobsTable"_s);
        const auto row = [table] {
            for (int at = 0; at < table->model()->rowCount(); ++at)
                if (table->model()->index(at, 1).data().toString() == u"checking your edit"_s)
                    return at;
            return -1;
        };
        QVERIFY(row() >= 0);
        QCOMPARE(table->model()->index(row(), 0).data().toString(), stage.name(0));
        stage.window->showScreen(u"evolve"_s);
        stage.window->evolve().records().showTab(5);
        stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        table->setFocus();
        table->setCurrentIndex(table->model()->index(row(), 0));
        QTest::keyClick(table, Qt::Key_Delete);
        QCOMPARE(stage.client.dropped, std::vector<quint64>{stage.client.editChecks[0].tag});
        QCOMPARE(row(), -1);
        QCOMPARE(stage.find<MessageBar>(u"messageBar"_s)->text(),
            u"The check of your edit of %1 was cancelled. Your text stays in the editor."_s.arg(stage.name(0)));
        stage.window->showScreen(u"review"_s);
        QVERIFY(stage.page().isEditing());
        QCOMPARE(stage.editor->toPlainText(), text);
        QVERIFY2(stage.find<QLabel>(u"decisionWord"_s)->text().startsWith(u"The check was cancelled"_s),
            qPrintable(stage.find<QLabel>(u"decisionWord"_s)->text()));
        QVERIFY(stage.checks().contains(u"cancelled"_s));
        stage.client.tellCheck(stage.client.editChecks[0].tag, {}); // an answer that was on its way
        QVERIFY(stage.client.calls.isEmpty());
        stage.find<QPushButton>(u"acceptEdit"_s)->click(); // it is checked after all, and then sent
        QCOMPARE(stage.client.editChecks.size(), std::size_t(2));
        QVERIFY(row() >= 0);
        stage.client.tellCheck(stage.client.editChecks[1].tag, {});
        QCOMPARE(stage.client.calls.size(), 1);
        QCOMPARE(row(), -1);
    }

    void whatIsWrittenStandsBesideItsParentLineForLine()
    {
        EditingStage stage;
        auto* parent = stage.find<CodeView>(u"writtenBefore"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!parent->folds().empty(), patience); // equal lines are folded on both sides
        QVERIFY(!stage.editor->folds().empty());
        stage.find<QPushButton>(u"diffWraps"_s)->click(); // a row for each line
        stage.find<QPushButton>(u"diffFolds"_s)->click();
        QVERIFY(parent->folds().empty() && stage.editor->folds().empty());
        // Two lines more: filler lines at the left. One less: room at the right.
        QTextCursor cursor = stage.editor->textCursor();
        cursor.movePosition(QTextCursor::StartOfBlock);
        cursor.insertText(u"int mine = 1;\nint yours = 2;\n"_s);
        const auto fillers
            = [parent] { return std::ranges::count(parent->lines(), CodeLine::Mark::Filler, &CodeLine::mark); };
        QTRY_VERIFY_WITH_TIMEOUT(fillers() >= 2, patience);
        const int line = stage.editor->document()->lineCount() - 6;
        cursor.setPosition(stage.editor->document()->findBlockByNumber(line).position());
        cursor.movePosition(QTextCursor::NextBlock, QTextCursor::KeepAnchor);
        cursor.removeSelectedText();
        QTRY_COMPARE_WITH_TIMEOUT(stage.editor->roomBelow(line - 1), 1, patience);
        int rows = stage.editor->blockCount();
        for (int i = 0; i < stage.editor->blockCount(); ++i)
            rows += stage.editor->roomBelow(i);
        QCOMPARE(rows, static_cast<int>(parent->lines().size()));
    }

    void theParentsSideGoesAlongWithWhatIsFound()
    {
        EditingStage stage;
        const auto* parent = stage.find<CodeView>(u"writtenBefore"_s);
        stage.window->resize(1280, 800);
        QTRY_VERIFY_WITH_TIMEOUT(!stage.editor->folds().empty(), patience);
        stage.find<QPushButton>(u"diffFolds"_s)->click(); // a long text, nothing of it folded
        QTest::keyClick(stage.editor, Qt::Key_Home, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(stage.editor->topRow(), 0, patience);
        QCOMPARE(parent->topRow(), 0);
        QTest::keyClick(stage.editor, Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(FindLine::of(*stage.editor)->findChild<FindBox*>(), u"EVOLVE-BLOCK-END"_s);
        QVERIFY(stage.editor->topRow() > 0);
        QVERIFY(parent->topRow() >= stage.editor->topRow()); // with filler lines
    }

    void whichPlaceOfHowManyIsFoundIsSaid()
    {
        EditingStage stage;
        stage.editor->setPlainText(u"one Two\nthree\ntwo two\n"_s);
        QTest::keyClick(stage.editor, Qt::Key_Home, Qt::ControlModifier);
        QTest::keyClick(stage.editor, Qt::Key_F, Qt::ControlModifier);
        auto* box = FindLine::of(*stage.editor)->findChild<FindBox*>();
        QTest::keyClicks(box, u"two"_s);
        QCOMPARE(box->placeWords(), u"1 of 3"_s);
        QVERIFY(box->accessibleDescription().startsWith(u"1 of 3"_s));
        QVERIFY(box->textMargins().right() > 0); // the words make room for it
        QTest::keyClick(box, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(box->placeWords(), u"3 of 3"_s);
        stage.editor->appendPlainText(u"two"_s); // while it is looked for
        QCOMPARE(box->placeWords(), u"3 of 4"_s);
        stage.editor->moveCursor(QTextCursor::End);
        QCOMPARE(box->placeWords(), u"4 matches"_s);
        QTest::keyClicks(box, u" nowhere"_s);
        QCOMPARE(box->placeWords(), QString());
    }

    void whatSpeaksAgainstATextDoesNotCoverTheLineThatIsWritten()
    {
        EditingStage stage;
        stage.find<QPushButton>(u"diffFolds"_s)->click();
        stage.editor->moveCursor(QTextCursor::Start);
        const auto isSeen = [&] { return stage.editor->viewport()->rect().contains(stage.editor->cursorRect()); };
        while (stage.editor->cursorRect().bottom() + stage.editor->cursorRect().height()
                < stage.editor->viewport()->height()
            && stage.editor->textCursor().blockNumber() + 1 < stage.editor->blockCount())
            stage.editor->moveCursor(QTextCursor::Down); // the last line that is seen
        QTest::keyClicks(stage.editor, u"int x"_s);
        QVERIFY(isSeen());
        const int height = stage.editor->viewport()->height();
        QTRY_VERIFY_WITH_TIMEOUT(!stage.client.editChecks.empty(), patience);
        stage.client.tellCheck(stage.client.editChecks.back().tag, broken());
        QTRY_VERIFY_WITH_TIMEOUT(stage.editor->viewport()->height() < height, patience);
        QVERIFY(isSeen());
    }

    void anotherRowThatIsWantedMeanwhileIsAskedAbout()
    {
        EditingStage stage;
        auto* list = stage.find<QListView>(u"reviewQueue"_s);
        auto* note = stage.find<QWidget>(u"openEditNote"_s);
        const auto press = [&](int row) {
            QTest::mouseClick(
                list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(row, 0)).center());
        };
        const auto reading = [&] { return stage.page().chosen(); };
        QTest::keyClicks(stage.editor, u"// mine"_s);
        press(1);
        QVERIFY(note->isVisible());
        const QString said = stage.find<QLabel>(u"openEditWords"_s)->text();
        QVERIFY2(said.contains(stage.name(0)) && said.contains(stage.name(1)), qPrintable(said));
        QCOMPARE(reading(), stage.waiting[0]);
        stage.find<QPushButton>(u"keepOpenEdit"_s)->click();
        QCOMPARE(reading(), stage.waiting[1]);
        QVERIFY(!note->isVisible() && !stage.page().isEditing());
        const auto* page = stage.find<ProposalEditor>(u"proposalEditor"_s);
        const auto isKept = [&] { return page->hasDraft(*stage.run.state().candidate(stage.waiting[0])); };
        QVERIFY(isKept());
        stage.page().choose(stage.waiting[0]);
        QTRY_VERIFY_WITH_TIMEOUT(stage.find<SplitDiff>(u"reviewDiff"_s)->changes() > 0, patience);
        stage.page().edit();
        press(2);
        QVERIFY(note->isVisible());
        stage.find<QPushButton>(u"discardOpenEdit"_s)->click();
        QCOMPARE(reading(), stage.waiting[2]);
        QVERIFY(!isKept());
        // Where nothing was written there is nothing to ask about.
        QTRY_VERIFY_WITH_TIMEOUT(stage.find<SplitDiff>(u"reviewDiff"_s)->changes() > 0, patience);
        stage.page().edit();
        QVERIFY(stage.page().isEditing());
        press(1);
        QVERIFY(!note->isVisible());
        QCOMPARE(reading(), stage.waiting[1]);
    }

    void linesThatMustStayRefuseWhatIsTyped()
    {
        EditingStage stage;
        const QString before = stage.editor->toPlainText();
        stage.editor->goToLine(1); // above the block
        QTest::keyClicks(stage.editor, u"int x;"_s);
        QCOMPARE(stage.editor->toPlainText(), before);
        QVERIFY(stage.refused->isVisible());
        QVERIFY2(stage.refused->text().contains(u"EVOLVE-BLOCK"_s), qPrintable(stage.refused->text()));
        stage.editor->selectAll();
        QTest::keyClick(stage.editor, Qt::Key_Delete);
        QCOMPARE(stage.editor->toPlainText(), before);
        stage.editor->moveCursor(QTextCursor::End);
        stage.editor->paste();
        QTest::keyClick(stage.editor, Qt::Key_Return);
        QCOMPARE(stage.editor->toPlainText(), before);
        // What may change is typed as ever, and taken back by the key.
        const QStringList lines = before.split(u'\n');
        const auto marker
            = std::ranges::find_if(lines, [](const QString& line) { return line.contains(u"EVOLVE-BLOCK-START"_s); });
        const int block = static_cast<int>(marker - lines.begin()) + 2;
        stage.editor->goToLine(block);
        QTest::keyClicks(stage.editor, u"int x;"_s);
        QCOMPARE(stage.editor->toPlainText().split(u'\n').at(block - 1), u"int x;"_s + lines.at(block - 1));
        QVERIFY(!stage.refused->isVisible());
        stage.editor->moveCursor(QTextCursor::StartOfLine);
        QTest::keyClick(stage.editor, Qt::Key_Backspace); // would join it with the marker
        QVERIFY(stage.refused->isVisible());
        QCOMPARE(stage.editor->toPlainText().split(u'\n').at(block - 1), u"int x;"_s + lines.at(block - 1));
        QTest::keyClick(stage.editor, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(stage.editor->toPlainText(), before);
    }

    void editsThatCannotBeApprovedSayWhy()
    {
        EditingStage stage;
        auto* accept = stage.find<QPushButton>(u"acceptEdit"_s);
        const auto word = [&] { return stage.find<QLabel>(u"decisionWord"_s)->text(); };
        QVERIFY(!accept->isEnabled()); // nothing is changed yet
        QVERIFY2(accept->toolTip().startsWith(u"No changes yet."_s), qPrintable(accept->toolTip()));
        QCOMPARE(accept->accessibleDescription(), accept->toolTip());
        QVERIFY2(word().startsWith(u"No changes yet."_s), qPrintable(word()));
        QTest::keyClick(stage.editor, Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(stage.client.editChecks.empty() && stage.client.calls.isEmpty());
        QTest::keyClicks(stage.editor, u"int x"_s);
        QVERIFY(accept->isEnabled() && accept->toolTip().isEmpty()); // nothing is known against it
        accept->setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(!stage.client.editChecks.empty(), patience);
        stage.client.tellCheck(stage.client.editChecks.back().tag, broken());
        QVERIFY(!accept->isEnabled());
        QVERIFY2(accept->toolTip().contains(u"expected ';'"_s), qPrintable(accept->toolTip()));
        QCOMPARE(word(), u"Your text cannot be approved yet: see its checks."_s);
        QVERIFY(stage.editor->hasFocus()); // and not the button that discards them
        QTest::keyClicks(stage.editor, u";"_s);
        QVERIFY(accept->isEnabled() && accept->toolTip().isEmpty());
    }

    void wordsAreFoundInWhatIsWritten()
    {
        EditingStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(!stage.editor->folds().empty(), patience);
        const QString hidden
            = stage.editor->document()->findBlockByNumber(stage.editor->folds().back().first + 1).text().trimmed();
        QVERIFY(hidden.size() > 3);
        const std::size_t folds = stage.editor->folds().size();
        const QString text = stage.editor->toPlainText();
        QTest::keyClick(stage.editor, Qt::Key_F, Qt::ControlModifier);
        auto* box = FindLine::of(*stage.editor)->findChild<FindBox*>();
        QVERIFY(box->isVisible() && box->hasFocus());
        QTest::keyClicks(box, hidden);
        QCOMPARE(stage.editor->textCursor().selectedText(), hidden);
        QVERIFY(stage.editor->textCursor().block().isVisible());
        QCOMPARE(stage.editor->folds().size(), folds - 1);
        QCOMPARE(stage.find<CodeView>(u"writtenBefore"_s)->folds().size(), folds - 1);
        QTest::keyClick(box, Qt::Key_Escape);
        QVERIFY(stage.editor->hasFocus() && stage.editor->isVisible()); // it is still written
        QCOMPARE(stage.editor->toPlainText(), text);
        stage.window->actions()[u"view.find"_s].trigger();
        QVERIFY(box->isVisible());
    }
};

TILEWRIGHT_TEST(TestReviewEditing)
#include "test_review_editing.moc"
