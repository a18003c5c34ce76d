// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+F: words are found in the text that is shown, by a line beside it that covers none.
#include "tests/test_program.h"
#include "tests/ui/fits.h"
#include "tests/ui/review_stage.h"
#include "ui/conversation/conversation_view.h"
#include "ui/evolve/candidate_inspector.h"
#include "ui/evolve/evolve_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/find_box.h"
#include "ui/widgets/numbered_editor.h"

#include <QLabel>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

class TestFindInText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void theInspectorsCodeIsSearched()
    {
        Theatre stage(20);
        stage.open();
        stage.window->showScreen(u"evolve"_s);
        stage.window->evolve().inspector().setTab(TextTabs::Code);
        auto* code = stage.find<CodeView>(u"codeView"_s);
        QTRY_VERIFY_WITH_TIMEOUT(code->lines().size() > 10, patience);
        QCOMPARE(code->accessibleName(), u"Code"_s);
        const FindLine* overlay = FindLine::of(*code);
        QVERIFY(!overlay->isVisible());
        stage.window->actions()[u"view.find"_s].trigger();
        QVERIFY(overlay->isVisible());
        auto* box = overlay->findChild<FindBox*>();
        QTest::keyClicks(box, u"EVOLVE-BLOCK"_s);
        QCOMPARE(code->textCursor().selectedText(), u"EVOLVE-BLOCK"_s);
        const int first = code->textCursor().blockNumber();
        QTest::keyClick(box, Qt::Key_Return);
        QVERIFY(code->textCursor().blockNumber() > first); // START, then END
        QTest::keyClick(box, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(code->textCursor().blockNumber(), first);
        QTest::keyClicks(box, u" nowhere"_s);
        const auto* trouble = overlay->findChild<QLabel*>();
        QVERIFY(trouble->isVisible());
        QCOMPARE(trouble->text(), u"Not found."_s);
        QTest::keyClick(box, Qt::Key_Escape);
        QVERIFY(!overlay->isVisible());
    }

    void whatFindsInATextHasAPlaceOfItsOwn_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("tab");
        QTest::newRow("diff") << u"diffView"_s << int(TextTabs::Diff);
        QTest::newRow("code") << u"codeView"_s << int(TextTabs::Code);
        QTest::newRow("build log") << u"buildLogView"_s << int(TextTabs::BuildLog);
        QTest::newRow("prompt") << u"candidatePrompt"_s << int(TextTabs::Prompt);
        QTest::newRow("reply") << u"candidateReply"_s << int(TextTabs::Reply);
        QTest::newRow("template") << u"templateEditor"_s << -1;
        QTest::newRow("preview") << u"promptPreview"_s << -1;
        QTest::newRow("window of a conversation") << u"candidatePrompt"_s << -2;
    }

    void whatFindsInATextHasAPlaceOfItsOwn()
    {
        QFETCH(QString, name);
        QFETCH(int, tab);
        Theatre stage(20);
        stage.open();
        QWidget* window = stage.window.get();
        stage.window->showScreen(tab == -1 ? u"prompts"_s : u"evolve"_s);
        if (tab >= 0) {
            stage.window->evolve().inspector().setTab(static_cast<TextTabs::Tab>(tab));
        } else if (tab == -2) {
            auto* reader = new ConversationWindow(stage.window->context(), ProposalId{1}, window);
            reader->present(ConversationView::Side::Prompt);
            window = reader;
        }
        settle(*window);
        auto* view = window->findChild<QPlainTextEdit*>(name);
        QVERIFY(view && view->isVisible());
        view->setFocus();
        const auto placeOf = [&](const QWidget& part) { return QRect(part.mapTo(window, QPoint()), part.size()); };
        const QRect was = placeOf(*view);
        QTest::keyClick(view, Qt::Key_F, Qt::ControlModifier);
        settle(*window);
        const FindLine* line = FindLine::of(*view);
        QVERIFY(line->isVisible());
        auto* box = line->findChild<FindBox*>();
        QCOMPARE(box->accessibleName(), u"Find in the text"_s);
        QTest::keyClicks(box, u"certainly not there"_s);
        settle(*window);
        QVERIFY(!placeOf(*line).intersects(placeOf(*view)));
        QCOMPARE(placeOf(*view), was.adjusted(0, line->height(), 0, 0)); // the text made room, and as wide as before
        QTest::keyClick(box, Qt::Key_Escape);
        settle(*window);
        QVERIFY(!line->isVisible());
        QCOMPARE(placeOf(*view), was);
    }

    /// Beside the text and its neighbour, over neither.
    void whatFindsInTheDiffHasAPlaceOfItsOwn_data()
    {
        QTest::addColumn<bool>("isWritten");
        QTest::newRow("read") << false;
        QTest::newRow("written") << true;
    }

    void whatFindsInTheDiffHasAPlaceOfItsOwn()
    {
        QFETCH(bool, isWritten);
        ReviewStage stage;
        CodeView* before = stage.column(u"diffBefore"_s);
        QTRY_VERIFY_WITH_TIMEOUT(stage.find<SplitDiff>(u"reviewDiff"_s)->changes() > 0, patience);
        QPlainTextEdit* after = stage.column(u"diffAfter"_s);
        if (isWritten) {
            stage.press(Qt::Key_E);
            before = stage.find<CodeView>(u"writtenBefore"_s);
            after = stage.find<NumberedEditor>(u"reviewEditor"_s);
        }
        QTRY_VERIFY_WITH_TIMEOUT(before->isVisible() && after->isVisible(), patience);
        settle(*stage.window);
        const auto placeOf
            = [&](const QWidget& part) { return QRect(part.mapTo(stage.window.get(), QPoint()), part.size()); };
        const QRect was = placeOf(*after);
        stage.window->actions()[u"view.find"_s].trigger();
        const FindLine* line = FindLine::of(*after);
        settle(*stage.window);
        QVERIFY(line->isVisible());
        for (const QWidget* text : std::initializer_list<const QWidget*>{before, after})
            QVERIFY(!placeOf(*line).intersects(placeOf(*text)));
        QCOMPARE(placeOf(*after).top(), was.top() + line->height()); // the text made room
        QCOMPARE(placeOf(*after).width(), was.width());
        QCOMPARE(placeOf(*before).top(), placeOf(*after).top()); // line beside line
        QTest::keyClick(line->findChild<FindBox*>(), Qt::Key_Escape);
        settle(*stage.window);
        QCOMPARE(placeOf(*after), was);
    }

    void theDiffOfReviewIsSearchedInTheColumnThatIsRead()
    {
        ReviewStage stage;
        CodeView* after = stage.column(u"diffAfter"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!after->lines().empty() && after->lines().size() > 3, patience);
        stage.window->actions()[u"view.find"_s].trigger();
        const FindLine* overlay = FindLine::of(*after);
        QVERIFY(overlay->isVisible());
        auto* box = overlay->findChild<FindBox*>();
        QTest::keyClicks(box, u"certainly not there"_s);
        QCOMPARE(overlay->findChild<QLabel*>()->text(), u"Not found."_s);
        // What is found in a fold opens it, on both sides.
        const std::vector<Fold> folds = after->folds();
        QVERIFY(!folds.empty());
        const QString hidden = after->document()->findBlockByNumber(folds.back().first + 1).text().trimmed();
        QVERIFY(hidden.size() > 3);
        box->selectAll();
        QTest::keyClicks(box, hidden);
        QCOMPARE(after->textCursor().selectedText(), hidden);
        QVERIFY(after->textCursor().block().isVisible());
        QVERIFY(after->viewport()->rect().contains(after->cursorRect().center()));
        const QRect place = after->cursorRect();
        QVERIFY(place.bottom() + 2 * place.height() < after->viewport()->height()); // with lines around it
        for (const auto group : {QPalette::Active, QPalette::Inactive}) // the keyboard is in the box
            QCOMPARE(after->palette().color(group, QPalette::Highlight), tokens().button);
        QVERIFY(after->folds().size() < folds.size());
        QCOMPARE(stage.column(u"diffBefore"_s)->folds(), after->folds());
        QCOMPARE(stage.column(u"diffBefore"_s)->topRow(), after->topRow()); // which goes along
        QVERIFY2(box->placeWords().contains(u" of "_s), qPrintable(box->placeWords()));
        // All places are seen, the chosen one as chosen.
        box->selectAll();
        QTest::keyClicks(box, u"int "_s);
        const auto all = box->placeWords().section(u" of "_s, 1).toInt();
        QVERIFY2(all > 2, qPrintable(box->placeWords()));
        QCOMPARE(after->extraSelections().size(), all - 1);
        for (const QTextEdit::ExtraSelection& mark : after->extraSelections()) {
            QCOMPARE(mark.cursor.selectedText().replace(QChar::Nbsp, u' '), u"int "_s);
            QVERIFY(mark.cursor.selectionStart() != after->textCursor().selectionStart());
        }
        QTest::keyClick(box, Qt::Key_Escape);
        QVERIFY(after->extraSelections().isEmpty());
        CodeView* before = stage.column(u"diffBefore"_s);
        before->setFocus();
        QTest::keyClick(before, Qt::Key_F, Qt::ControlModifier);
        QVERIFY(FindLine::of(*before)->isVisible());
        QVERIFY(!overlay->isVisible());
    }
};

TILEWRIGHT_TEST(TestFindInText)
#include "test_find_in_text.moc"
