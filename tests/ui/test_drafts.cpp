// SPDX-License-Identifier: GPL-3.0-or-later
// What a user has begun and not saved: it is there again when the session is closed and opened, or the window is.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/theatre.h"
#include "ui/diff/split_diff.h"
#include "ui/prompts/prompts_page.h"
#include "ui/prompts/template_editor.h"
#include "ui/prompts/templates_page.h"
#include "ui/review/review_page.h"
#include "ui/widgets/message_bar.h"

#include <QDir>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

struct DraftStage : test::Theatre {
    CandidateId waiting;

    DraftStage()
        : Theatre(20)
    {
        waiting = run.awaitReview({});
        open();
    }
    TemplateEditor* templates() const { return find<TemplateEditor>(u"templateEditor"_s); }
    QPlainTextEdit* edit() const { return find<QPlainTextEdit>(u"reviewEditor"_s); }
    QString said() const { return find<MessageBar>(u"messageBar"_s)->text(); }
    bool showTemplates()
    {
        window->showScreen(u"prompts"_s);
        window->prompts().show(PromptsPage::Templates);
        return QTest::qWaitFor([this] { return !templates()->toPlainText().isEmpty(); }, int(patience));
    }
    bool beginEdit()
    {
        window->showScreen(u"review"_s);
        if (!QTest::qWaitFor([this] { return find<SplitDiff>(u"reviewDiff"_s)->changes() > 0; }, int(patience)))
            return false;
        window->actions()[u"review.edit"_s].trigger();
        return edit()->isVisible();
    }
    bool trigger(const QString& action)
    {
        window->actions()[action].trigger();
        return QTest::qWaitFor([this] { return !window->session().isOpen(); }, int(patience));
    }
    /// Leaves as a user does, and starts anew.
    bool restart()
    {
        if (!trigger(u"file.quit"_s) || !QTest::qWaitFor([this] { return !window->isVisible(); }, int(patience)))
            return false;
        window.reset();
        window = std::make_unique<MainWindow>(client, settings);
        window->resize(1680, 1050);
        window->show();
        open();
        return true;
    }
};

} // namespace

class TestDrafts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aTemplateThatIsNotSavedOutlivesTheWindow()
    {
        DraftStage stage;
        QVERIFY(stage.showTemplates());
        const QString before = stage.templates()->toPlainText();
        stage.templates()->moveCursor(QTextCursor::End);
        QTest::keyClicks(stage.templates(), u"Mind the edges."_s);
        QVERIFY(stage.restart());
        QVERIFY(stage.said().contains(u"exploit"_s));
        QVERIFY(stage.showTemplates());
        QCOMPARE(stage.templates()->toPlainText(), before + u"Mind the edges."_s);
        QTRY_VERIFY_WITH_TIMEOUT(stage.find<QPushButton>(u"saveTemplate"_s)->isEnabled(), patience);
        stage.find<QPushButton>(u"revertTemplate"_s)->click();
        QVERIFY(stage.restart());
        QVERIFY(stage.said().isEmpty());
        QVERIFY(stage.showTemplates());
        QCOMPARE(stage.templates()->toPlainText(), before);
    }

    void aTemplateThatIsNotSavedOutlivesTheSession()
    {
        DraftStage stage;
        QVERIFY(stage.showTemplates());
        const QString before = stage.templates()->toPlainText();
        stage.templates()->moveCursor(QTextCursor::End);
        QTest::keyClicks(stage.templates(), u"Mind the edges."_s);
        QVERIFY(stage.trigger(u"file.close"_s));
        stage.open();
        QVERIFY(stage.showTemplates());
        QCOMPARE(stage.templates()->toPlainText(), before + u"Mind the edges."_s);
    }

    void anEditOfAReviewOutlivesTheWindowUntilItIsDiscarded()
    {
        DraftStage stage;
        QVERIFY(stage.beginEdit());
        const QString before = stage.edit()->toPlainText();
        QTest::keyClicks(stage.edit(), u"// mine"_s);
        const QString typed = stage.edit()->toPlainText();
        QVERIFY(typed != before);
        QVERIFY(stage.restart());
        QVERIFY(stage.said().contains(QString::fromStdString(candidateName(stage.waiting))));
        QVERIFY(stage.beginEdit());
        QCOMPARE(stage.edit()->toPlainText(), typed);
        stage.find<QPushButton>(u"cancelEdit"_s)->click();
        QVERIFY(stage.beginEdit());
        QCOMPARE(stage.edit()->toPlainText(), before);
    }

    void aReasonThatWasNotSaidOutlivesTheWindow()
    {
        DraftStage stage;
        const auto reason = [&stage] { return stage.find<QLineEdit>(u"rejectReason"_s); };
        stage.window->showScreen(u"review"_s);
        QTest::keyClicks(reason(), u"sums in half"_s);
        QVERIFY(stage.restart());
        QVERIFY2(
            stage.said().contains(u"your reason for %1"_s.arg(QString::fromStdString(candidateName(stage.waiting)))),
            qPrintable(stage.said()));
        stage.window->showScreen(u"review"_s);
        QCOMPARE(reason()->text(), u"sums in half"_s);
    }

    void aVersionOfOnesOwnOutlivesItsWindow()
    {
        DraftStage stage;
        const auto text = [&stage] { return stage.find<QPlainTextEdit>(u"injectedText"_s); };
        const auto begin = [&] {
            stage.window->selection().select(CandidateId{1});
            stage.window->actions()[u"candidate.inject"_s].trigger();
            return QTest::qWaitFor([&] { return text() && !text()->toPlainText().isEmpty(); }, int(patience));
        };
        QVERIFY(begin());
        const QString before = text()->toPlainText();
        QTest::keyClicks(text(), u"// mine"_s); // where the program may change
        const QString typed = text()->toPlainText();
        QVERIFY(typed.contains(u"\n// mine"_s) && typed != before);
        QTest::keyClick(text(), Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!text(), patience);
        QVERIFY(begin());
        QCOMPARE(text()->toPlainText(), typed);
        QVERIFY(stage.restart());
        QVERIFY(begin());
        QCOMPARE(text()->toPlainText(), typed);
        stage.find<QPushButton>(u"startOver"_s)->click();
        QCOMPARE(text()->toPlainText(), before);
    }

    void anEditThatWasDiscardedComesBack()
    {
        DraftStage stage;
        QVERIFY(stage.beginEdit());
        const auto typed = [&] { return stage.edit()->toPlainText(); };
        const QString before = typed();
        QTest::keyClicks(stage.edit(), u"// mine"_s); // where the program may change
        const QString mine = typed();
        QVERIFY(mine != before);
        stage.find<QPushButton>(u"cancelEdit"_s)->click();
        QVERIFY(!stage.edit()->isVisible());
        QVERIFY2(stage.said().contains(u"your edit of "_s), qPrintable(stage.said()));
        stage.find<QPushButton>(u"messageOffer"_s)->click();
        QTRY_VERIFY_WITH_TIMEOUT(stage.edit()->isVisible(), patience);
        QCOMPARE(typed(), mine);
    }

    void aTemplateTextThatWasDiscardedComesBackByTheEditorsOwnUndo()
    {
        DraftStage stage;
        QVERIFY(stage.showTemplates());
        const QString before = stage.templates()->toPlainText();
        stage.templates()->insertPlainText(u"Mind."_s);
        const QString mine = stage.templates()->toPlainText();
        stage.find<QPushButton>(u"revertTemplate"_s)->click();
        QCOMPARE(stage.templates()->toPlainText(), before);
        QTest::keyClick(stage.templates(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(stage.templates()->toPlainText(), mine);
        QVERIFY(stage.restart());
        QVERIFY(stage.showTemplates());
        QCOMPARE(stage.templates()->toPlainText(), mine);
    }

    void hintsThatWereNotAppliedAreStillThere()
    {
        DraftStage stage;
        const auto text = [&] {
            stage.window->actions()[u"run.hints"_s].trigger();
            return stage.find<QPlainTextEdit>(u"hintText"_s);
        };
        QPointer<QPlainTextEdit> field = text();
        QTest::keyClicks(field, u"wider tiles"_s);
        QTest::keyClick(field, Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!field, patience);
        QVERIFY(stage.client.hints.empty());
        field = text();
        QCOMPARE(field->toPlainText(), u"wider tiles"_s);
        QTest::keyClick(field, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(stage.client.hints.size(), std::size_t(1));
        QTRY_VERIFY_WITH_TIMEOUT(!field, patience);
        QCOMPARE(text()->toPlainText(), QString()); // as the run has it
    }

    void aNoteIsKeptWhenTheSessionIsClosedWhileItIsTyped()
    {
        DraftStage stage;
        stage.window->selection().select(CandidateId{1});
        stage.find<QPlainTextEdit>(u"candidateNote"_s)->setPlainText(u"look here"_s);
        QVERIFY(stage.trigger(u"file.close"_s));
        QCOMPARE(stage.client.candidateCommands.size(), std::size_t(1));
        QCOMPARE(
            std::get<commands::SetMarks>(stage.client.candidateCommands.front()).marks.note, std::string("look here"));
    }

    void whatTheRunHasLearnedByHandIsNotLostEither()
    {
        DraftStage stage;
        auto* own = stage.find<QPlainTextEdit>(u"insightsOwn"_s);
        own->setPlainText(u"Half the tiles."_s);
        QVERIFY(stage.restart());
        QCOMPARE(stage.find<QPlainTextEdit>(u"insightsOwn"_s)->toPlainText(), u"Half the tiles."_s);
    }

    void aFolderThatCannotBeWrittenIsSaid()
    {
        DraftStage stage;
        QFile inTheWay(stage.settings.draftsFolder());
        QVERIFY(inTheWay.open(QIODevice::WriteOnly)); // a file where the folder should be
        QVERIFY(stage.showTemplates());
        stage.templates()->insertPlainText(u"Mind."_s);
        QTRY_VERIFY_WITH_TIMEOUT(stage.said().contains(u"cannot be stored"_s), patience);
    }
};

TILEWRIGHT_TEST(TestDrafts)
#include "test_drafts.moc"
