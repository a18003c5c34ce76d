// SPDX-License-Identifier: GPL-3.0-or-later
// A version of one's own, written in the window: checked, compared, built, then sent as a candidate.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/steering_stage.h"
#include "ui/evolve/candidate_inspector.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/numbered_editor.h"
#include "ui/widgets/segments.h"

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

class TestOwnVersion : public QObject
{
    Q_OBJECT

private Q_SLOTS:

    void aVersionOfOnesOwnIsWrittenSentAndShown()
    {
        SteeringStage stage;
        stage.action(u"candidate.inject"_s).trigger();
        auto* text = stage.find<QPlainTextEdit>(u"injectedText"_s);
        QVERIFY(text);
        QTRY_VERIFY(!text->toPlainText().isEmpty());
        const QString before = text->toPlainText();
        text->setPlainText(before + u"// mine\n"_s);
        stage.find<QLineEdit>(u"injectedWhy"_s)->setText(u"worth a try"_s);
        auto* send = stage.find<QPushButton>(u"sendInjection"_s);
        QVERIFY(send->isEnabled());
        QTest::mouseClick(send, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!stage.client.candidateCommands.empty(), patience); // once it is known to build
        const auto sent = stage.last<commands::Inject>();
        QCOMPARE(sent.parent, stage.shown);
        QCOMPARE(sent.text, (before + u"// mine\n"_s).toStdString());
        QCOMPARE(sent.why, std::string("worth a try"));
        Q_EMIT stage.client.failed(u"patch/outside"_s, u"it stands outside"_s, u"look at the markers"_s);
        auto* said = stage.find<QLabel>(u"injectionSaid"_s);
        QVERIFY(said->isVisible() && said->text().contains(u"outside"_s));
        QVERIFY(send->isEnabled());
        const auto* bar = stage.find<MessageBar>(u"messageBar"_s);
        QVERIFY2(bar->text().contains(u"It stands outside"_s), qPrintable(bar->text()));
        // Once it is taken it is said, and taken back from there.
        QTest::mouseClick(send, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(stage.client.candidateCommands.size(), std::size_t(2), patience);
        const RunState& run = stage.run.state();
        Proposal proposal;
        proposal.id = {static_cast<std::int64_t>(run.proposals.size()) + 1};
        proposal.island = {1};
        proposal.proposer = "person";
        proposal.parents = {stage.shown};
        stage.run.record(events::Proposed{proposal});
        Candidate written;
        written.id = {static_cast<std::int64_t>(run.candidates.size()) + 1};
        written.proposal = proposal.id;
        written.island = {1};
        written.parents = {stage.shown};
        written.source = written.program = stage.run.store("int mine;\n");
        stage.run.record(events::CandidateMade{written});
        stage.open();
        QCOMPARE(bar->text(),
            u"Added your version %1. It is built, checked and measured next."_s.arg(nameOfCandidate(written.id)));
        QTest::mouseClick(stage.find<QPushButton>(u"messageOffer"_s), Qt::LeftButton);
        QVERIFY(stage.last<commands::Withdraw>() == commands::Withdraw{written.id});
    }

    void aVersionOfOnesOwnIsCheckedAndCompared()
    {
        SteeringStage stage;
        stage.client.checksAtOnce = false;
        stage.action(u"candidate.inject"_s).trigger();
        auto* text = stage.find<NumberedEditor>(u"injectedText"_s);
        auto* said = stage.find<QLabel>(u"injectionSaid"_s);
        auto* send = stage.find<QPushButton>(u"sendInjection"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!text->lines().empty(), patience);
        QVERIFY(stage.client.editChecks.empty());
        const int at
            = static_cast<int>(std::ranges::find(text->lines(), false, &EditedLine::isLocked) - text->lines().begin());
        QVERIFY(at < text->blockCount()); // what may change is not shaded
        text->goToLine(at + 1);
        text->insertPlainText(u"int mine\n"_s);
        QTRY_COMPARE_WITH_TIMEOUT(std::ranges::count(text->lines(), true, &EditedLine::isChanged), 1, patience);
        QVERIFY(stage.find<QLabel>(u"injectionChanged"_s)->text().startsWith(u"−0 +1"_s));
        QTRY_COMPARE_WITH_TIMEOUT(stage.client.editChecks.size(), std::size_t(1), patience);
        const auto asked = stage.client.editChecks[0];
        QCOMPARE(asked.candidate, stage.shown);
        QCOMPARE(asked.text, text->toPlainText());
        QCOMPARE(asked.as, EditAs::Child);
        stage.client.tellCheck(asked.tag,
            {EditCheckEnd::Broken, {"build/error", "candidate.cpp:9:9: error: expected ';'", "", nullptr}, 9, {}});
        QVERIFY(said->isVisible() && said->text().contains(u"candidate.cpp:9:9: error: expected ';'"_s));
        QVERIFY(!send->isEnabled());
        text->setPlainText(text->toPlainText().replace(u"int mine"_s, u"int mine;"_s));
        QVERIFY(send->isEnabled());
        QTRY_COMPARE_WITH_TIMEOUT(stage.client.editChecks.size(), std::size_t(2), patience);
        stage.client.tellCheck(stage.client.editChecks[1].tag, {});
        QCOMPARE(said->text(), u"Your text builds."_s);

        auto* dialog = stage.find<QWidget>(u"injectionEditor"_s);
        auto* parent = dialog->findChild<CodeView*>(u"writtenBefore"_s);
        QVERIFY(!parent->isVisible());
        auto* views = dialog->findChild<Segments*>(u"injectionViews"_s);
        views->findChildren<QAbstractButton*>().at(1)->click();
        QVERIFY(parent->isVisible());
        QCOMPARE(static_cast<int>(parent->lines().size()), text->blockCount()); // a filler line beside the new one
    }

    /// With the keys that Review has while one writes there.
    void keysLeadFromChangeToChangeOfAVersionOfOnesOwn()
    {
        SteeringStage stage;
        stage.action(u"candidate.inject"_s).trigger();
        auto* text = stage.find<NumberedEditor>(u"injectedText"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!text->lines().empty(), patience);
        const auto* next = stage.find<QPushButton>(u"nextOwnChange"_s);
        QVERIFY(!next->isEnabled() && next->text().endsWith(u"F8"_s)); // nothing is changed yet
        const int at
            = static_cast<int>(std::ranges::find(text->lines(), false, &EditedLine::isLocked) - text->lines().begin());
        for (const int line : {at, at + 2}) {
            text->goToLine(line + 1);
            QTest::keyClicks(text, u"int mine;"_s);
            QTest::keyClick(text, Qt::Key_Return);
        }
        QTRY_COMPARE_WITH_TIMEOUT(std::ranges::count(text->lines(), true, &EditedLine::isChanged), 2, patience);
        QVERIFY(next->isEnabled());
        auto* dialog = stage.find<QWidget>(u"injectionEditor"_s);
        dialog->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(dialog, patience));
        const auto line = [text] { return text->textCursor().blockNumber(); };
        text->moveCursor(QTextCursor::Start);
        for (const auto& [key, wanted] :
            {std::pair(Qt::Key_F8, at), {Qt::Key_F8, at + 2}, {Qt::Key_F8, at}, {Qt::Key_F7, at + 2}}) {
            QTest::keyClick(text, key);
            QTRY_COMPARE_WITH_TIMEOUT(line(), wanted, patience);
        }
        stage.find<QPushButton>(u"previousOwnChange"_s)->click();
        QCOMPARE(line(), at);
        QVERIFY(text->hasFocus()); // to write there
    }

    void aVersionOfOnesOwnIsBuiltBeforeItIsQueued()
    {
        SteeringStage stage;
        stage.client.checksAtOnce = false;
        stage.action(u"candidate.inject"_s).trigger();
        auto* text = stage.find<NumberedEditor>(u"injectedText"_s);
        auto* said = stage.find<QLabel>(u"injectionSaid"_s);
        auto* send = stage.find<QPushButton>(u"sendInjection"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!text->lines().empty(), patience);
        QVERIFY(!send->isEnabled()); // nothing is changed yet
        const QString before = text->toPlainText();
        text->goToLine(1); // above the block
        QTest::keyClicks(text, u"x"_s);
        QCOMPARE(text->toPlainText(), before);
        QVERIFY2(said->isVisible() && said->text().contains(u"EVOLVE-BLOCK"_s), qPrintable(said->text()));
        const int at
            = static_cast<int>(std::ranges::find(text->lines(), false, &EditedLine::isLocked) - text->lines().begin());
        text->goToLine(at + 1);
        QTest::keyClicks(text, u"int mine"_s);
        QTest::mouseClick(send, Qt::LeftButton); // before it was checked
        QCOMPARE(stage.client.editChecks.size(), std::size_t(1));
        QVERIFY(stage.client.candidateCommands.empty());
        QCOMPARE(said->text(), u"It is queued once it builds."_s);
        stage.client.tellCheck(stage.client.editChecks[0].tag,
            {EditCheckEnd::Broken, {"build/error", "candidate.cpp:9:9: error: expected ';'", "", nullptr}, 9, {}});
        QVERIFY(stage.client.candidateCommands.empty());
        QVERIFY2(said->text().contains(u"expected ';'"_s), qPrintable(said->text()));
        QVERIFY(!send->isEnabled());
        QTest::keyClicks(text, u";"_s);
        QTest::mouseClick(send, Qt::LeftButton);
        stage.client.tellCheck(stage.client.editChecks[1].tag, {});
        QCOMPARE(stage.last<commands::Inject>().text, text->toPlainText().toStdString());
    }
};

TILEWRIGHT_TEST(TestOwnVersion)

#include "test_own_version.moc"
