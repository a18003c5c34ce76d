// SPDX-License-Identifier: GPL-3.0-or-later
// What waits for a person, beside the run: approved there, or opened in Review to be written in or rejected.
#include "tests/patience.h"
#include "tests/ui/review_stage.h"
#include "ui/evolve/evolve_page.h"
#include "ui/evolve/records_panel.h"
#include "ui/review/review_page.h"
#include "ui/review/waiting_table.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int queueTab = 4;

struct QueueStage : ReviewStage {
    explicit QueueStage(int reviews = 3)
        : ReviewStage(reviews)
    {
        window->showMode(Mode::Evolve);
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
        QueueStage stage;
        QCOMPARE(stage.tab(), u"Review queue  3"_s);
        QCOMPARE(stage.table().model()->rowCount(), 3);
        QCOMPARE(stage.cell(0, WaitingModel::Column::Candidate), stage.name(0));
        QCOMPARE(stage.cell(0, WaitingModel::Column::Risks), u"none found"_s);
        QCOMPARE(stage.cell(1, WaitingModel::Column::Risks), u"2 risks"_s);
        QVERIFY(!stage.cell(0, WaitingModel::Column::Change).isEmpty());
        stage.table().setCurrentIndex(stage.table().model()->index(1, 0));
        QCOMPARE(stage.window->selection().current(), stage.waiting[1]);
    }

    void oneIsApprovedBesideTheRun()
    {
        QueueStage stage;
        stage.button(1, u"approveWaiting"_s).click();
        QCOMPARE(stage.door.calls, QStringList{u"approved "_s + stage.name(1)});
        stage.decided(stage.waiting[1], Decision::Approved);
        QTRY_COMPARE_WITH_TIMEOUT(stage.table().model()->rowCount(), 2, patience);
        QTRY_COMPARE_WITH_TIMEOUT(stage.tab(), u"Review queue  2"_s, patience);
        QCOMPARE(stage.cell(1, WaitingModel::Column::Candidate), stage.name(2));
        stage.button(1, u"approveWaiting"_s).click(); // the buttons are of the rows as they stand now
        QCOMPARE(stage.door.calls.last(), u"approved "_s + stage.name(2));
    }

    void whatIsToBeWrittenInOpensInReview()
    {
        QueueStage stage;
        stage.button(2, u"editWaiting"_s).click();
        QCOMPARE(stage.page().chosen(), stage.waiting[2]);
        auto* editor = stage.find<QPlainTextEdit>(u"reviewEditor"_s);
        QTRY_VERIFY_WITH_TIMEOUT(editor->isVisible() && editor->toPlainText().contains(u"constexpr"_s), patience);
    }

    void aRejectionIsGivenItsReasonInReview()
    {
        QueueStage stage;
        stage.button(1, u"rejectWaiting"_s).click();
        QVERIFY(stage.door.calls.isEmpty());
        QCOMPARE(stage.page().chosen(), stage.waiting[1]);
        auto* reason = stage.find<QLineEdit>(u"rejectReason"_s);
        QTRY_VERIFY_WITH_TIMEOUT(reason->isVisible() && reason->hasFocus(), patience);
        QTest::keyClicks(reason, u"too clever"_s);
        QTest::keyClick(reason, Qt::Key_Return);
        QCOMPARE(stage.door.calls, QStringList{u"rejected "_s + stage.name(1) + u" too clever"_s});
    }

    void whereNothingWaitsItSaysSo()
    {
        QueueStage stage(0);
        QCOMPARE(stage.tab(), u"Review queue"_s);
        QVERIFY(stage.table().nothing().contains(u"Nothing waits for you"_s));
    }
};

QTEST_MAIN(TestWaitingTable)
#include "test_waiting_table.moc"
