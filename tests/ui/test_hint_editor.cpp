// SPDX-License-Identifier: GPL-3.0-or-later
// Hints to whoever proposes: for one island or for all, and who reads none.
#include "tests/test_program.h"
#include "tests/ui/undo_stage.h"
#include "ui/evolve/hint_editor.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

class TestHintEditor : public QObject
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
        QCOMPARE(stage.client.hints.size(), std::size_t(1));
        QVERIFY(stage.client.hints.back().first == IslandId{2});
        QCOMPARE(stage.client.hints.back().second, u"wider tiles\nno atomics"_s);
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
};

TILEWRIGHT_TEST(TestHintEditor)
#include "test_hint_editor.moc"
