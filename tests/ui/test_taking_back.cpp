// SPDX-License-Identifier: GPL-3.0-or-later
// Hints to whoever proposes, changes of a run's settings that are taken back, and what the window said so far.
#include "tests/ui/theatre.h"
#include "ui/evolve/hint_editor.h"
#include "ui/session/setting_undo.h"
#include "ui/shell/message_log.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

struct UndoStage : Theatre {
    UndoStage()
        : Theatre(20)
    {
        open();
    }
    QAction& action(const QString& id) const { return window->actions()[id]; }
    void happen(EventBody body)
    {
        run.record(std::move(body));
        open();
    }
};

} // namespace

class TestTakingBack : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void aHintIsGivenToOneIslandOrToAll()
    {
        UndoStage stage;
        stage.happen(events::HintsChanged{{}, "mind the edges"});
        stage.action(u"run.hints"_s).trigger();
        auto* editor = stage.window->findChild<HintEditor*>();
        QVERIFY(editor);
        auto* field = editor->findChild<QPlainTextEdit*>(u"hintText"_s);
        auto* apply = editor->findChild<QPushButton*>(u"applyHints"_s);
        QCOMPARE(field->toPlainText(), u"mind the edges"_s);
        QVERIFY(!apply->isEnabled()); // nothing has changed
        auto* island = editor->findChild<QComboBox*>(u"hintIsland"_s);
        island->setCurrentIndex(2);
        QCOMPARE(field->toPlainText(), QString());
        QTest::keyClicks(field, u"wider tiles"_s);
        QTest::keyClick(field, Qt::Key_Return);
        QTest::keyClicks(field, u"no atomics"_s);
        QTest::keyClick(field, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(stage.door.hints.size(), std::size_t(1));
        QVERIFY(stage.door.hints.back().first == IslandId{2});
        QCOMPARE(stage.door.hints.back().second, u"wider tiles\nno atomics"_s);
    }

    void whereNobodyReadsHintsItSaysSo()
    {
        UndoStage stage;
        QCOMPARE(stage.run.state().settings.proposer, std::string("mutator"));
        stage.action(u"run.hints"_s).trigger();
        auto* note = stage.window->findChild<QLabel*>(u"hintNote"_s);
        QVERIFY2(note->text().contains(u"mutator"_s), qPrintable(note->text()));
        stage.happen(events::ProposerChanged{"manual"});
        delete stage.window->findChild<HintEditor*>();
        stage.action(u"run.hints"_s).trigger();
        note = stage.window->findChild<QLabel*>(u"hintNote"_s);
        QVERIFY2(!note->text().contains(u"mutator"_s), qPrintable(note->text()));
    }

    void changesOfSettingsAreTakenBackNewestFirst()
    {
        UndoStage stage;
        const RunSettings before = stage.run.state().settings;
        QVERIFY(!stage.action(u"run.undo"_s).isEnabled());
        stage.happen(events::BudgetChanged{{777, 60, 0, 0, 0}});
        stage.happen(events::HintsChanged{{3}, "smaller"});
        QCOMPARE(stage.action(u"run.undo"_s).text(), u"Undo: hints were changed"_s);
        stage.action(u"run.undo"_s).trigger();
        QCOMPARE(stage.door.hints.size(), std::size_t(1));
        QVERIFY(stage.door.hints.back().first == IslandId{3});
        QCOMPARE(stage.door.hints.back().second, QString());
        stage.happen(events::HintsChanged{{3}, ""}); // as the engine does it
        QCOMPARE(stage.action(u"run.undo"_s).text(), u"Undo: the budget was changed"_s);
        stage.action(u"run.undo"_s).trigger();
        QVERIFY(stage.door.budget == before.budget);
        stage.happen(events::BudgetChanged{before.budget});
        QVERIFY(!stage.action(u"run.undo"_s).isEnabled()); // taking back is no change of its own
    }

    void anotherSessionForgetsWhatWasChanged()
    {
        UndoStage stage;
        stage.happen(events::ProposerChanged{"tuner"});
        QVERIFY(stage.action(u"run.undo"_s).isEnabled());
        FixtureRun other;
        other.grow(5);
        auto snapshot = std::make_shared<Snapshot>(*other.snapshot());
        snapshot->status.sessionPath = "/elsewhere/other.tilewright";
        stage.door.publish(snapshot);
        QVERIFY(!stage.action(u"run.undo"_s).isEnabled());
    }

    void theReviewPolicyComesBackForAllAndForOne()
    {
        UndoStage stage;
        stage.happen(events::ReviewPolicyChanged{{2}, ReviewPolicy::Every});
        QCOMPARE(stage.action(u"run.undo"_s).text(), u"Undo: the review policy was changed"_s);
        stage.action(u"run.undo"_s).trigger();
        const QString last = stage.door.calls.isEmpty() ? QString() : stage.door.calls.last();
        QVERIFY2(last.contains(u"policy"_s), qPrintable(stage.door.calls.join(u'|')));
    }

    void whatWasSaidCanBeReadLater()
    {
        UndoStage stage;
        Q_EMIT stage.door.failed(u"x/one"_s, u"the first thing went wrong"_s, u"do this"_s);
        Q_EMIT stage.door.failed(u"x/two"_s, u"the second thing went wrong"_s, {});
        Q_EMIT stage.door.failed(u"x/two"_s, u"the second thing went wrong"_s, {});
        auto* button = stage.find<QToolButton>(u"statusMessages"_s);
        QCOMPARE(button->text(), u"3"_s);
        stage.action(u"help.messages"_s).trigger();
        QCOMPARE(button->text(), QString()); // seen
        auto* table = stage.find<Table>(u"messageTable"_s);
        QVERIFY(table);
        QCOMPARE(table->model()->rowCount(), 2);
        const auto said = [&](int row) {
            return table->model()->index(row, static_cast<int>(MessageLog::Column::Text)).data().toString();
        };
        QCOMPARE(said(0), u"The second thing went wrong (2 times)"_s);
        QCOMPARE(said(1), u"The first thing went wrong — do this"_s);
        table->selectRow(1);
        QCOMPARE(stage.find<QLabel>(u"messageWhole"_s)->text(), u"Error: The first thing went wrong — do this"_s);
        QTest::mouseClick(stage.find<QPushButton>(u"copyMessages"_s), Qt::LeftButton);
        QVERIFY(QGuiApplication::clipboard()->text().contains(u"The second thing went wrong"_s));
        Q_EMIT stage.door.failed(u"x/three"_s, u"the third"_s, {});
        QCOMPARE(button->text(), QString()); // the page is open
        QCOMPARE(table->model()->rowCount(), 3);
    }
};

QTEST_MAIN(TestTakingBack)
#include "test_taking_back.moc"
