// SPDX-License-Identifier: GPL-3.0-or-later
// The changes of a text that is written in Review, as those of one that is read: a bar of them, steps from one to the
// next, blanks that do not count, and long lines that hang.
#include "tests/test_program.h"
#include "tests/ui/editing_stage.h"
#include "ui/diff/written_lines.h"
#include "ui/review/proposal_editor.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/pane.h"

#include <QPushButton>
#include <QTextBlock>
#include <QTextLayout>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

/// All lines are seen, a row each.
struct WritingStage : EditingStage {
    CodeView* parent = find<CodeView>(QStringLiteral("writtenBefore"));
    ProposalEditor* page = find<ProposalEditor>(QStringLiteral("proposalEditor"));
    ChangeOverview* bar = page->findChild<ChangeOverview*>();

    WritingStage()
    {
        [&] { QTRY_VERIFY_WITH_TIMEOUT(page->changes() > 0, patience); }();
        button(u"diffFolds"_s).click();
        button(u"diffWraps"_s).click();
    }
    QPushButton& button(const QString& name) const { return *find<QPushButton>(name); }
    int line() const { return editor->textCursor().blockNumber(); }
    /// Where the text may change, and is equal.
    int firstEqual() const
    {
        for (std::size_t i = 0; i + 1 < editor->lines().size(); ++i)
            if (const EditedLine& each = editor->lines()[i]; !each.isLocked && !each.isChanged)
                return static_cast<int>(i);
        return -1;
    }
    QString counts() const
    {
        for (const QWidget* above = button(u"nextChange"_s).parentWidget(); above; above = above->parentWidget())
            if (const auto* title = qobject_cast<const DockTitle*>(above))
                return title->findChild<ElidedLabel*>()->text();
        return {};
    }
};

} // namespace

class TestReviewWriting : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void eachRunOfChangedLinesIsAChange()
    {
        const WrittenLines lines = writtenLines("a\nb\nc\nd\ne\nf\n", "a\nB\nnew\nc\ne\nf\n");
        QCOMPARE(lines.changes, (std::vector<int>{1, 4})); // “d” is gone above “e”
        QCOMPARE(writtenMarks(lines),
            (std::vector<CodeLine::Mark>{CodeLine::Mark::Plain, CodeLine::Mark::Added, CodeLine::Mark::Added,
                CodeLine::Mark::Plain, CodeLine::Mark::Plain, CodeLine::Mark::Plain, CodeLine::Mark::Plain}));
        QCOMPARE(writtenLines("a\nb\n", "a\n").changes, std::vector<int>{1}); // behind the last
        const std::string before = "if (x)\n  y = 1;\nz;\n", after = "if (x)\n\ty  =  1;\nw;\n";
        QCOMPARE(writtenLines(before, after).removed, 2);
        QCOMPARE(writtenLines(before, after, Whitespace::Ignored).changes, std::vector<int>{2});
    }

    void theChangesOfWhatIsWrittenLieInABarBesideIt()
    {
        WritingStage stage;
        QVERIFY(stage.bar && stage.bar->isVisible());
        QVERIFY(stage.bar->geometry().left() >= stage.editor->geometry().right());
        const QImage before = stage.bar->grab().toImage();
        const int changes = stage.page->changes();
        stage.editor->goToLine(stage.firstEqual() + 1);
        QTest::keyClicks(stage.editor, u"int mine = 1;"_s);
        QTest::keyClick(stage.editor, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(stage.page->changes() != changes || stage.bar->grab().toImage() != before, patience);
        stage.window->resize(1280, 620);
        QTest::mouseClick(stage.bar, Qt::LeftButton, {}, QPoint(8, 2));
        QTRY_COMPARE_WITH_TIMEOUT(stage.editor->topRow(), 0, patience);
        QTest::mouseClick(stage.bar, Qt::LeftButton, {}, QPoint(8, stage.bar->height() * 2 / 3));
        QTRY_VERIFY_WITH_TIMEOUT(stage.editor->topRow() > 0, patience);
        QVERIFY(stage.parent->topRow() >= stage.editor->topRow()); // with filler lines
        // What is folded takes no room there.
        const QImage whole = stage.bar->grab().toImage();
        stage.button(u"diffFolds"_s).click();
        QTRY_VERIFY_WITH_TIMEOUT(stage.bar->grab().toImage() != whole, patience);
    }

    void keysLeadFromChangeToChangeWhileOneWrites()
    {
        WritingStage stage;
        const int changes = stage.page->changes();
        QVERIFY(changes > 1);
        QVERIFY(stage.button(u"nextChange"_s).isVisible());
        QVERIFY2(stage.button(u"nextChange"_s).accessibleName().endsWith(u"F8"_s),
            qPrintable(stage.button(u"nextChange"_s).accessibleName()));
        stage.editor->moveCursor(QTextCursor::Start);
        QCOMPARE(stage.page->current(), -1);
        QVERIFY2(stage.counts().contains(u"%1 changes"_s.arg(changes)), qPrintable(stage.counts()));
        std::vector<int> lines;
        for (int i = 0; i < changes; ++i) {
            QTest::keyClick(stage.editor, Qt::Key_F8);
            QTRY_COMPARE_WITH_TIMEOUT(stage.page->current(), i, patience);
            lines.push_back(stage.line());
            QVERIFY2(stage.counts().contains(u"%1 of %2"_s.arg(i + 1).arg(changes)), qPrintable(stage.counts()));
            QVERIFY(stage.editor->viewport()->rect().contains(stage.editor->cursorRect()));
        }
        QVERIFY(std::ranges::is_sorted(lines));
        QTest::keyClick(stage.editor, Qt::Key_F8); // around
        QCOMPARE(stage.line(), lines.front());
        QTest::keyClick(stage.editor, Qt::Key_F7);
        QCOMPARE(stage.line(), lines.back());
        QTest::keyClick(stage.editor, Qt::Key_F7);
        QCOMPARE(stage.line(), lines[lines.size() - 2]);
        stage.button(u"nextChange"_s).click();
        QCOMPARE(stage.line(), lines.back());
        QVERIFY(stage.editor->hasFocus()); // to write there
        QTest::keyClick(stage.editor, Qt::Key_Escape);
        QVERIFY2(stage.button(u"nextChange"_s).accessibleName().endsWith(u"N"_s),
            qPrintable(stage.button(u"nextChange"_s).accessibleName()));
    }

    /// Typed and stepped at once: the step is among the changes that there are then.
    void aStepIsAmongTheChangesOfWhatIsWrittenNow()
    {
        WritingStage stage;
        const int first = stage.firstEqual();
        stage.editor->goToLine(first + 1);
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(stage.editor, Qt::Key_Return);
        QTest::keyClick(stage.editor, Qt::Key_F7);
        QTRY_COMPARE_WITH_TIMEOUT(stage.line(), first, patience); // its own, which nobody knew of before
    }

    void blanksDoNotCountInWhatIsWrittenEither()
    {
        WritingStage stage;
        QVERIFY(stage.button(u"diffBlanks"_s).isVisible());
        const int removed = stage.page->removed();
        stage.editor->goToLine(stage.firstEqual() + 1);
        QTest::keyClicks(stage.editor, u"  "_s);
        QTRY_COMPARE_WITH_TIMEOUT(stage.page->removed(), removed + 1, patience);
        stage.button(u"diffBlanks"_s).click();
        QTRY_COMPARE_WITH_TIMEOUT(stage.page->removed(), removed, patience);
        stage.button(u"diffBlanks"_s).click();
        QTRY_COMPARE_WITH_TIMEOUT(stage.page->removed(), removed + 1, patience);
    }

    void longLinesThatAreWrittenHangOnBothSides()
    {
        WritingStage stage;
        stage.button(u"diffWraps"_s).click();
        const auto hangs = [](QPlainTextEdit& side, int row) {
            const QTextBlock block = side.document()->findBlockByNumber(row);
            side.cursorRect(QTextCursor(block)); // laid out
            const QTextLayout& layout = *block.layout();
            const qreal blank = QFontMetricsF(side.font()).horizontalAdvance(u' ');
            const auto text = block.text();
            const auto indent = std::ranges::find_if(text, [](QChar c) { return c != u' '; }) - text.begin();
            for (int i = 1; i < layout.lineCount(); ++i)
                if (std::abs(layout.lineAt(i).x() - layout.lineAt(0).x() - blank * (qreal(indent) + 2)) > 1.5
                    || layout.lineAt(i).naturalTextRect().right() > side.viewport()->width())
                    return false;
            return layout.lineCount() > 1;
        };
        const int line = stage.firstEqual();
        stage.editor->goToLine(line + 1);
        QTest::keyClicks(stage.editor, u"    int mine = a_function_of("_s + u"much, "_s.repeated(30));
        QVERIFY(hangs(*stage.editor, line)); // while it is typed
        QTest::keyClick(stage.editor, Qt::Key_Return);
        QVERIFY(hangs(*stage.editor, line));
        QTRY_VERIFY_WITH_TIMEOUT(stage.editor->lines().at(static_cast<std::size_t>(line)).isChanged, patience);
        QVERIFY(hangs(*stage.editor, line)); // in its colours
        stage.window->resize(1500, 800);
        QVERIFY(hangs(*stage.editor, line));
        // The parent's lines do as well, and what faces each other begins at one height.
        int wrapped = 0;
        const std::vector<int> heights = stage.parent->heights();
        for (std::size_t row = 0; row < heights.size(); ++row)
            if (heights[row] > 1) {
                QVERIFY2(hangs(*stage.parent, static_cast<int>(row)), qPrintable(QString::number(row)));
                ++wrapped;
            }
        QVERIFY(wrapped > 0);
        const auto bottomOf
            = [](QPlainTextEdit& side) { return side.cursorRect(QTextCursor(side.document()->lastBlock())).top(); };
        QTRY_COMPARE_WITH_TIMEOUT(bottomOf(*stage.parent), bottomOf(*stage.editor), patience);
    }
};

TILEWRIGHT_TEST(TestReviewWriting)
#include "test_review_writing.moc"
