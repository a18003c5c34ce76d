// SPDX-License-Identifier: GPL-3.0-or-later
// The event log: which of its lines are shown, by words and by kind.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/fits.h"
#include "ui/evolve/evolve_page.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

struct LogStage : Theatre {
    LogStage()
        : Theatre(30)
    {
        run.note("warning", "the fan of cpu0 sings");
        run.note("error", "the fan of cpu1 is silent");
        run.grow(10);
        open();
        window->showScreen(u"evolve"_s);
        find<QTabBar>(u"recordTabs"_s)->setCurrentIndex(1);
        window->activateWindow();
    }
    Table& table() const { return *find<Table>(u"logTable"_s); }
    QLineEdit& words() const { return *find<QLineEdit>(u"logFilter"_s); }
    int shown() const { return table().model()->rowCount(); }
    int all() const { return static_cast<int>(run.state().log.size()); }
    QString line(int row) const { return table().model()->index(row, 2).data(Qt::ToolTipRole).toString(); }
};

} // namespace

class TestLogPanel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void wordsAndKindsNarrowItAndAreCounted()
    {
        LogStage stage;
        QCOMPARE(stage.shown(), stage.all());
        QVERIFY(!stage.find<QPushButton>(u"logShowAll"_s)->isVisible());
        stage.words().setText(u"SINGS fan"_s);
        QCOMPARE(stage.shown(), 1);
        QCOMPARE(stage.line(0), u"the fan of cpu0 sings"_s);
        const QString count = u"1 of %1"_s.arg(stage.all());
        QCOMPARE(stage.find<QLabel>(u"logCount"_s)->text(), count);
        QCOMPARE(stage.find<QTabBar>(u"recordTabs"_s)->tabText(1), u"Event log  "_s + count);
        stage.words().setText(u"fan"_s);
        QCOMPARE(stage.shown(), 2);
        stage.run.note("warning", "another fan"); // what comes is looked at as well
        stage.run.note("warning", "something else");
        stage.open();
        QTRY_COMPARE_WITH_TIMEOUT(stage.shown(), 3, patience);
        stage.find<QPushButton>(u"logShowAll"_s)->click();
        QCOMPARE(stage.shown(), stage.all());
        QVERIFY(stage.words().text().isEmpty());
        auto* kind = stage.find<QComboBox>(u"logKind"_s);
        kind->setCurrentIndex(kind->findText(u"Warnings and errors"_s));
        QVERIFY(stage.shown() >= 4 && stage.shown() < stage.all());
        stage.words().setText(u"no such thing"_s);
        QCOMPARE(stage.shown(), 0);
    }

    void theRowThatIsChosenIsTheOneThatIsSeen()
    {
        LogStage stage;
        const CandidateId id = stage.run.state().candidates[20].id;
        stage.words().setText(nameOfCandidate(id));
        QVERIFY(stage.shown() > 0 && stage.shown() < stage.all());
        Q_EMIT stage.table().clicked(stage.table().model()->index(0, 0));
        QCOMPARE(stage.window->selection().current(), id);
        // Whoever is led to a line that is hidden sees it.
        stage.window->evolve().showEventLine(0);
        QCOMPARE(stage.shown(), stage.all());
        QCOMPARE(stage.table().currentIndex().row(), 0);
    }

    void theKeyboardComesAndGoes()
    {
        LogStage stage;
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        stage.table().setFocus();
        QTest::keyClick(&stage.table(), Qt::Key_F, Qt::ControlModifier);
        QVERIFY(stage.words().hasFocus());
        QTest::keyClicks(&stage.words(), u"fan"_s);
        QCOMPARE(stage.shown(), 2);
        QTest::keyClick(&stage.words(), Qt::Key_Return);
        QVERIFY(stage.table().hasFocus());
        QTest::keyClick(&stage.table(), Qt::Key_F, Qt::ControlModifier);
        QTest::keyClick(&stage.words(), Qt::Key_Escape);
        QCOMPARE(stage.shown(), stage.all());
        QTest::keyClick(&stage.words(), Qt::Key_Escape);
        QVERIFY(stage.table().hasFocus());
    }

    void aClickOnItsTabMakesTheKeysItsOwn()
    {
        LogStage stage;
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        auto* tabs = stage.find<QTabBar>(u"recordTabs"_s);
        tabs->setCurrentIndex(0);
        stage.find<QWidget>(u"candidateTable"_s)->setFocus();
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
        QTRY_VERIFY_WITH_TIMEOUT(stage.table().hasFocus(), patience);
        QTest::keyClick(&stage.table(), Qt::Key_F, Qt::ControlModifier);
        QVERIFY(stage.words().hasFocus());
    }

    void itIsKeptBetweenStartsForTheSessionAlone()
    {
        LogStage stage;
        stage.words().setText(u"fan"_s);
        stage.find<QComboBox>(u"logKind"_s)->setCurrentIndex(2);
        MainWindow again(stage.client, stage.settings);
        stage.client.publish(stage.run.snapshot());
        QTRY_COMPARE_WITH_TIMEOUT(again.findChild<QLineEdit*>(u"logFilter"_s)->text(), u"fan"_s, patience);
        QCOMPARE(again.findChild<QComboBox*>(u"logKind"_s)->currentIndex(), 2);
        QTRY_COMPARE_WITH_TIMEOUT(again.findChild<Table*>(u"logTable"_s)->model()->rowCount(), 2, patience);
        // Another session's events are all shown; the filter waits for its own.
        auto other = std::make_shared<Snapshot>(*stage.run.snapshot());
        other->status.sessionPath = "/home/ada/tilewright/another.tilewright";
        other->run.run = {};
        stage.client.publish(other);
        QTRY_VERIFY_WITH_TIMEOUT(again.findChild<QLineEdit*>(u"logFilter"_s)->text().isEmpty(), patience);
        QTRY_COMPARE_WITH_TIMEOUT(again.findChild<Table*>(u"logTable"_s)->model()->rowCount(), stage.all(), patience);
        stage.client.publish(stage.run.snapshot());
        QTRY_COMPARE_WITH_TIMEOUT(again.findChild<QLineEdit*>(u"logFilter"_s)->text(), u"fan"_s, patience);
    }
};

TILEWRIGHT_TEST(TestLogPanel)
#include "test_log_panel.moc"
