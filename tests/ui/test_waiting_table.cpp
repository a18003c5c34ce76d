// SPDX-License-Identifier: GPL-3.0-or-later
// What waits for a user, beside the run: approved there, or opened in Review to be written in or rejected.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/review_stage.h"
#include "ui/evolve/candidate_delegate.h"
#include "ui/evolve/evolve_page.h"
#include "ui/evolve/records_panel.h"
#include "ui/models/candidate_model.h"
#include "ui/models/display_text.h"
#include "ui/review/review_page.h"
#include "ui/review/waiting_table.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTest>
#include <cstdlib>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int queueTab = 4;

struct WaitingStage : ReviewStage {
    explicit WaitingStage(int reviews = 3)
        : ReviewStage(reviews)
    {
        window->showScreen(u"evolve"_s);
        window->evolve().records().showTab(queueTab);
    }
    Table& table() const { return *find<Table>(u"waitingTable"_s); }
    QString cell(int row, WaitingModel::Column column) const
    {
        return table().model()->index(row, static_cast<int>(column)).data().toString();
    }
    QString tab() const { return find<QTabBar>(u"recordTabs"_s)->tabText(queueTab); }
    QPushButton& button(int row, const QString& name) const
    {
        const QModelIndex at = table().model()->index(row, static_cast<int>(WaitingModel::Column::Decide));
        return *table().indexWidget(at)->findChild<QPushButton*>(name);
    }
};

} // namespace

class TestWaitingTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatWaitsIsToldInARow()
    {
        WaitingStage stage;
        QCOMPARE(stage.tab(), u"Review queue  3"_s);
        QCOMPARE(stage.table().model()->rowCount(), 3);
        QCOMPARE(stage.cell(0, WaitingModel::Column::Candidate), stage.name(0));
        QCOMPARE(stage.cell(0, WaitingModel::Column::Risks), u"none found"_s);
        QCOMPARE(stage.cell(1, WaitingModel::Column::Risks), u"2 risks"_s);
        QVERIFY(!stage.cell(0, WaitingModel::Column::Change).isEmpty());
        stage.table().setCurrentIndex(stage.table().model()->index(1, 0));
        QCOMPARE(stage.window->selection().current(), stage.waiting[1]);
    }

    void aRiskIsSeenWhereItsColumnHasNoRoom()
    {
        WaitingStage stage;
        const auto isLike = [](const QColor& one, const QColor& other) { // edges are blended with the ground
            return std::abs(one.red() - other.red()) + std::abs(one.green() - other.green())
                + std::abs(one.blue() - other.blue())
                < 90;
        };
        const auto candidateAt = [&stage, isLike](int row) {
            const QRect cell = stage.table().visualRect(stage.table().model()->index(row, 0));
            const QImage picture = stage.table().viewport()->grab(cell).toImage();
            int warnings = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    warnings += isLike(picture.pixelColor(x, y), tokens().warning) ? 1 : 0;
            return warnings;
        };
        QCOMPARE(candidateAt(1), 0);
        stage.table().setFixedWidth(stage.table().width() / 2);
        QTRY_VERIFY(stage.table().isColumnHidden(static_cast<int>(WaitingModel::Column::Risks)));
        QVERIFY(candidateAt(1) > 0); // it has two
        QCOMPARE(candidateAt(0), 0);
    }

    void oneIsApprovedBesideTheRun()
    {
        WaitingStage stage;
        stage.button(1, u"approveWaiting"_s).click();
        QCOMPARE(stage.client.calls, QStringList{u"approved "_s + stage.name(1)});
        stage.decided(stage.waiting[1], Decision::Approved);
        QTRY_COMPARE_WITH_TIMEOUT(stage.table().model()->rowCount(), 2, patience);
        QTRY_COMPARE_WITH_TIMEOUT(stage.tab(), u"Review queue  2"_s, patience);
        QCOMPARE(stage.cell(1, WaitingModel::Column::Candidate), stage.name(2));
        stage.button(1, u"approveWaiting"_s).click(); // the buttons are of the rows as they stand now
        QCOMPARE(stage.client.calls.last(), u"approved "_s + stage.name(2));
    }

    void whatIsToBeWrittenInOpensInReview()
    {
        WaitingStage stage;
        stage.button(2, u"editWaiting"_s).click();
        QCOMPARE(stage.page().chosen(), stage.waiting[2]);
        auto* editor = stage.find<QPlainTextEdit>(u"reviewEditor"_s);
        QTRY_VERIFY_WITH_TIMEOUT(editor->isVisible() && editor->toPlainText().contains(u"constexpr"_s), patience);
    }

    void aRejectionIsGivenItsReasonInReview()
    {
        WaitingStage stage;
        stage.button(1, u"rejectWaiting"_s).click();
        QVERIFY(stage.client.calls.isEmpty());
        QCOMPARE(stage.page().chosen(), stage.waiting[1]);
        auto* reason = stage.find<QLineEdit>(u"rejectReason"_s);
        QTRY_VERIFY_WITH_TIMEOUT(reason->isVisible() && reason->hasFocus(), patience);
        QTest::keyClicks(reason, u"too clever"_s);
        QTest::keyClick(reason, Qt::Key_Return);
        QCOMPARE(stage.client.calls, QStringList{u"rejected "_s + stage.name(1) + u" too clever"_s});
    }

    void whatWasRejectedHasItsSignAndTheReasonInTheTableOfCandidates()
    {
        WaitingStage stage;
        stage.decided(stage.waiting[0], Decision::Rejected, "too clever by half");
        const auto* rejected = stage.run.state().candidate(stage.waiting[0]);
        const auto* waits = stage.run.state().candidate(stage.waiting[1]);
        QVERIFY(stateSignOf(*rejected).icon != stateSignOf(*waits).icon);
        QCOMPARE(stateSignOf(*rejected).icon, u"x"_s);
        QCOMPARE(stateSignOf(*rejected).ink, tokens().bad);
        stage.window->evolve().records().showTab(0);
        stage.window->selection().select(rejected->id);
        const auto* table = stage.find<Table>(u"candidateTable"_s);
        const auto cell = [table](CandidateModel::Column column) {
            return table->currentIndex().siblingAtColumn(static_cast<int>(column));
        };
        QTRY_COMPARE_WITH_TIMEOUT(
            cell(CandidateModel::Column::Name).data().toString(), nameOfCandidate(rejected->id), patience);
        QCOMPARE(cell(CandidateModel::Column::State).data().toString(), u"rejected"_s);
        QCOMPARE(cell(CandidateModel::Column::Change).data().toString(), u"too clever by half"_s);
        // Where the state is painted it is in the ink of rejection; the reason is words, not the red name of a rule.
        const QImage picture = table->viewport()->grab().toImage();
        const auto isInk = [&](CandidateModel::Column column) {
            const QRect place = table->visualRect(cell(column)) & picture.rect();
            for (int y = place.top(); y <= place.bottom(); ++y)
                for (int x = place.left(); x <= place.right(); ++x)
                    if (picture.pixelColor(x, y) == tokens().bad)
                        return true;
            return false;
        };
        QVERIFY(isInk(CandidateModel::Column::State));
        QVERIFY(!isInk(CandidateModel::Column::Change));
        for (const QModelIndex& at : {cell(CandidateModel::Column::State), cell(CandidateModel::Column::Change)})
            QVERIFY(!at.data(Qt::ToolTipRole).toString().contains(u"review/"_s));
        QVERIFY(stage.find<QLabel>(u"outcomeRule"_s)->text().isEmpty()); // and so says its card
        QCOMPARE(stage.find<QLabel>(u"outcomeText"_s)->text(), u"too clever by half"_s);
    }

    void whatWasEditedIsNoneThatFailed()
    {
        WaitingStage stage;
        stage.decided(stage.waiting[0], Decision::Edited, {}, stage.waiting[1]);
        QCOMPARE(stateSignOf(*stage.run.state().candidate(stage.waiting[0])).icon, u"edit"_s);
    }

    void whereNothingWaitsItSaysSo()
    {
        WaitingStage stage(0);
        QCOMPARE(stage.tab(), u"Review queue"_s);
        QVERIFY(stage.table().nothing().contains(u"No pending reviews"_s));
    }
};

TILEWRIGHT_TEST(TestWaitingTable)
#include "test_waiting_table.moc"
