// SPDX-License-Identifier: GPL-3.0-or-later
// An edit beside its parent: how two texts are laid out, and what both were compiled to.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/review_stage.h"
#include "ui/diff/aligned_texts.h"
#include "ui/diff/diff_lines.h"
#include "ui/diff/split_diff.h"
#include "ui/diff/written_lines.h"
#include "ui/models/display_text.h"
#include "ui/review/review_page.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/elided_label.h"

#include <QPushButton>
#include <QScrollBar>
#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

QStringList textsOf(const std::vector<CodeLine>& lines)
{
    QStringList texts;
    for (const CodeLine& line : lines)
        texts << line.text;
    return texts;
}

/// The window at Review, with programs that were all built, and their assembly to give.
struct CompiledStage : ReviewStage {
    SplitDiff& diff() const { return *find<SplitDiff>(u"reviewDiff"_s); }
    QPushButton& compiled() const { return *find<QPushButton>(u"diffCompiled"_s); }
    void answer(const ListingAnswer& parent, const ListingAnswer& child)
    {
        QVERIFY(QTest::qWaitFor([this] { return client.listings.size() == 2; }, patience));
        const CandidateId id = page().chosen(), from = run.state().candidate(id)->parents.front();
        QCOMPARE(client.listings[0].candidate, from);
        QCOMPARE(client.listings[1].candidate, id);
        for (const auto& asked : client.listings)
            QVERIFY(asked.form == ListingForm::Assembly);
        client.tellListing(client.listings[1].tag, child); // in whatever order
        client.tellListing(client.listings[0].tag, parent);
    }
    QStringList titles() const
    {
        QStringList all;
        for (const ElidedLabel* label : diff().findChildren<ElidedLabel*>())
            all << label->text();
        return all;
    }
};

ListingAnswer assembly(const std::string& code, ListedCode measured = ListedCode::AsBuilt)
{
    ListingAnswer answer;
    answer.listing.form = ListingForm::Assembly;
    answer.listing.code = measured;
    answer.listing.text = "; What was measured.\n\n" + code;
    return answer;
}

} // namespace

class TestReviewDiff : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aWrittenTextIsMarkedBesideItsParent()
    {
        const WrittenLines lines = writtenLines("head\n// EVOLVE-BLOCK-START\na = 1;\nb\nc\n// EVOLVE-BLOCK-END\n",
            "head\n// EVOLVE-BLOCK-START\na = 2;\nnew\nc\nmore\n// EVOLVE-BLOCK-END\n");
        QCOMPARE(lines.removed, 2);
        QCOMPARE(lines.added, 3);
        QCOMPARE(lines.before.size(), std::size_t(7));
        QCOMPARE(lines.before[3].mark, CodeLine::Mark::Removed);
        QCOMPARE(lines.before[5].mark, CodeLine::Mark::Filler); // beside the line that is new
        QCOMPARE(lines.rows, (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
        QVERIFY(lines.after[0].isLocked && lines.after[1].isLocked && lines.after[6].isLocked);
        QVERIFY(!lines.after[3].isLocked && lines.after[3].isChanged && !lines.after[4].isChanged);
        QCOMPARE(lines.after[2].words, (std::vector<std::pair<int, int>>{{4, 1}}));
        const WrittenLines shorter = writtenLines("a\nb\nc\n", "a\nc\n");
        QVERIFY(shorter.after[1].isAfterRemoved && !shorter.after[0].isAfterRemoved);
        QCOMPARE(shorter.rows, (std::vector<int>{0, 2}));
        QCOMPARE(shorter.roomBelow, (std::vector<int>{1, 0})); // beside the line that is gone
    }

    void whatFacesEachOtherBeginsAtOneHeight()
    {
        WrittenLines lines;
        lines.rows = {0, 1, 4}; // two filler rows, then one more line
        // A long line at the left, one at the right that outgrows what faces it, and one that is folded away.
        QCOMPARE(roomBeside(lines, {3, 1, 1, 1, 0}, {1, 5, 0}), (RoomBeside{{0, 0, 0, 2, 0}, {2, 0, 0}}));
        QCOMPARE(roomBeside(lines, {1, 1, 1, 1, 1}, {1, 1, 1}), (RoomBeside{{0, 0, 0, 0, 0}, {0, 2, 0}}));
        // The empty line behind the last has a row beside it.
        QCOMPARE(roomBeside(lines, {1, 1, 1, 1, 1, 1}, {1, 1, 1, 1}), (RoomBeside{{0, 0, 0, 0, 0, 0}, {0, 2, 0, 0}}));
    }

    void longLinesGoOnInTheNextRowOnBothSides()
    {
        const SideBySide both = sideBySide("short\nint one = first_function(alpha, beta);\nend\n",
            "short\nint one = f(a);\nend\n", Whitespace::Counts);
        const SideBySide rows = wrapped(both, 20);
        QCOMPARE(textsOf(rows.left),
            (QStringList{u"short"_s, u"int one = "_s, u"  first_function(alp"_s, u"  ha, beta);"_s, u"end"_s}));
        QCOMPARE(rows.left.size(), rows.right.size());
        QCOMPARE(textsOf(rows.right), (QStringList{u"short"_s, u"int one = f(a);"_s, u""_s, u""_s, u"end"_s}));
        QCOMPARE(rows.changes, (std::vector<int>{1}));
        QCOMPARE(rows.left[2].number, 2);
        QCOMPARE(rows.left[2].from, 8); // its text begins at 10, two further right
        QCOMPARE(rows.right[2].number, 0);
        QCOMPARE(rows.right[2].mark, CodeLine::Mark::Added); // its ground goes on
        // What changed within a line is marked in each piece.
        int marked = 0, before = 0;
        for (const CodeLine& row : rows.left)
            for (const auto& [start, length] : row.words) {
                QVERIFY(start >= 0 && start + length <= row.text.size());
                marked += length;
            }
        for (const auto& [start, length] : both.left[1].words)
            before += length;
        QVERIFY(marked > 0);
        QCOMPARE(marked, before);
        QCOMPARE(wrapped(both, 200), both);
    }

    void whatGoesOnHangsTwoColumnsBehindTheIndentOfItsLine()
    {
        const std::string before = "    f(one, two, three, four, five);\n\tg(one, two, three, four, five);\n";
        const SideBySide rows = wrapped(sideBySide(before, before + "h();\n", Whitespace::Counts), 24);
        const QStringList all{u"    f(one, two, three, "_s, u"      four, five);"_s, u"\tg(one, two, three, "_s,
            u"\t  four, five);"_s}; // a tab is as wide as it is shown
        QCOMPARE(textsOf(rows.left).mid(0, 4), all);
        QCOMPARE(textsOf(rows.right).mid(0, 4), all);
        QCOMPARE(rows.right[3].from, 17);
    }

    void theWrapSwitchShowsWholeLines()
    {
        CompiledStage stage;
        SplitDiff diff;
        diff.resize(500, 300);
        diff.setVisible(true);
        diff.setLongLines(SplitDiff::LongLines::Wrapped);
        const QString tail = u"the_end_of_it"_s, line = u"int a = "_s + QString(90, u'x') + u"; // "_s + tail;
        diff.show(u"int a = 1;\n"_s, line + u'\n');
        const auto* right = diff.findChild<CodeView*>(u"diffAfter"_s);
        QTRY_VERIFY_WITH_TIMEOUT(right->lines().size() > 1, patience);
        for (const CodeLine& row : right->lines())
            QVERIFY(row.text.size() <= right->columns());
        const std::size_t narrow = right->lines().size();
        diff.resize(1600, 300);
        QTRY_VERIFY_WITH_TIMEOUT(right->lines().size() < narrow, patience);
        diff.setLongLines(SplitDiff::LongLines::Scrolled);
        QCOMPARE(right->lines().size(), std::size_t(1));
        QVERIFY(stage.find<QPushButton>(u"diffWraps"_s)->isChecked());
    }

    void twoTextsFaceEachOther()
    {
        const SideBySide both = sideBySide("a\nb\nc\nd\n", "a\nB\nc\nnew\nd\n", Whitespace::Counts);
        QCOMPARE(textsOf(both.left), (QStringList{u"a"_s, u"b"_s, u"c"_s, u""_s, u"d"_s}));
        QCOMPARE(textsOf(both.right), (QStringList{u"a"_s, u"B"_s, u"c"_s, u"new"_s, u"d"_s}));
        QCOMPARE(both.left[3].mark, CodeLine::Mark::Filler);
        QCOMPARE(both.right[3].number, 4);
        QCOMPARE(both.changes, (std::vector<int>{1, 3}));
        QCOMPARE(both.removed, 1);
        QCOMPARE(both.added, 2);
    }

    void unchangedLinesFoldAndUnfold()
    {
        std::string before;
        for (int i = 0; i < 40; ++i)
            before += "line " + std::to_string(i) + "\n";
        std::string after = before;
        after.replace(after.find("line 20"), 7, "line XX");
        const SideBySide both = sideBySide(before, after, Whitespace::Counts);
        QCOMPARE(both.left.size(), std::size_t(40));
        QCOMPARE(both.folds, (std::vector<Fold>{{0, 17, 17}, {24, 16, 16}}));
        QCOMPARE(both.changes, std::vector<int>{20});
        SplitDiff diff;
        diff.resize(600, 900);
        diff.setVisible(true);
        diff.show(text(before), text(after));
        auto* left = diff.findChild<CodeView*>(u"diffBefore"_s);
        auto* right = diff.findChild<CodeView*>(u"diffAfter"_s);
        QTRY_COMPARE_WITH_TIMEOUT(right->folds(), both.folds, patience);
        QCOMPARE(right->document()->lineCount(), 1 + 3 + 1 + 3 + 1);
        // A click on a fold opens it on both sides; the switch opens and closes all.
        QTest::mouseClick(right->viewport(), Qt::LeftButton, {}, QPoint(20, 10));
        QCOMPARE(right->folds(), (std::vector<Fold>{{24, 16, 16}}));
        QCOMPARE(left->folds(), right->folds());
        diff.setUnchanged(SplitDiff::Unchanged::Shown);
        QVERIFY(left->folds().empty() && right->folds().empty());
        diff.setUnchanged(SplitDiff::Unchanged::Folded);
        QCOMPARE(right->folds(), both.folds);
        diff.setForm(SplitDiff::Form::Unified);
        QCOMPARE(diff.findChild<CodeView*>(u"diffUnified"_s)->folds(), (std::vector<Fold>{{0, 17, 17}, {25, 16, 16}}));
    }

    void whatAFoldSaysStaysInSightWhenTheTextIsScrolledSideways()
    {
        FoldingEdit view;
        view.setLineWrapMode(QPlainTextEdit::NoWrap);
        view.setPlainText(u"x"_s.repeated(400) + u"\na\nb\nc\nd\n"_s);
        view.resize(300, 200);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, patience));
        view.setFolds({{1, 3, 3}});
        const auto fold = [&view] {
            const double top = view.fontMetrics().lineSpacing() * 1.5;
            return view.viewport()
                ->grab(QRect(0, static_cast<int>(top), 120, view.fontMetrics().height() / 2))
                .toImage();
        };
        const QImage before = fold();
        QTRY_VERIFY_WITH_TIMEOUT(view.horizontalScrollBar()->maximum() > 200, patience);
        view.horizontalScrollBar()->setValue(200);
        QVERIFY(fold() == before);
    }

    void foldsHoldTheLinesThatWereWrappedInThem()
    {
        std::string before(30, '\n');
        before.replace(3, 1, std::string(50, 'x') + "\n");
        const SideBySide both = sideBySide(before, before + "new\n", Whitespace::Counts);
        QCOMPARE(both.folds, (std::vector<Fold>{{0, 27, 27}}));
        QCOMPARE(wrapped(both, 20).folds, (std::vector<Fold>{{0, 29, 27}}));
    }

    void blanksCanBeIgnored()
    {
        const std::string before = "if (x)\n  y = 1;\nz;\n", after = "if (x)\n\ty  =  1;\nw;\n";
        QCOMPARE(sideBySide(before, after, Whitespace::Counts).removed, 2);
        const SideBySide ignoring = sideBySide(before, after, Whitespace::Ignored);
        QCOMPARE(ignoring.removed, 1);
        QCOMPARE(ignoring.right[1].text, u"\ty  =  1;"_s); // the text itself is shown
    }

    /// What is counted, gone to and marked in the bar is what the form in front shows.
    void blanksAreIgnoredInOneColumnAsWell()
    {
        const std::string before = "a\nif (x)\n  y = 1;\nb\nz;\nc\n", after = "a\nif (x)\n\ty  =  1;\nb\nw;\nc\n";
        const auto changed = [](const std::vector<CodeLine>& lines) {
            return std::ranges::count_if(
                lines, [](const CodeLine& line) { return line.mark != CodeLine::Mark::Plain; });
        };
        QCOMPARE(changed(unifiedDiff(before, after, Whitespace::Counts).lines), 4);
        const UnifiedDiff ignoring = unifiedDiff(before, after, Whitespace::Ignored);
        QCOMPARE(changed(ignoring.lines), 2);
        QCOMPARE(ignoring.lines[2].text, u"\ty  =  1;"_s); // the text itself is shown
        SplitDiff diff;
        diff.resize(600, 400);
        diff.setForm(SplitDiff::Form::Unified);
        diff.setVisible(true);
        diff.show(text(before), text(after));
        QTRY_COMPARE_WITH_TIMEOUT(diff.changes(), 2, patience);
        const auto* shown = diff.findChild<CodeView*>(u"diffUnified"_s);
        QCOMPARE(changed(shown->lines()), 4);
        auto* bar = diff.findChild<ChangeOverview*>();
        QVERIFY(bar->isVisible());
        const QImage both = bar->grab().toImage();
        diff.goToChange(1);
        QCOMPARE(diff.current(), 1);
        diff.setWhitespace(Whitespace::Ignored);
        QTRY_COMPARE_WITH_TIMEOUT(diff.changes(), 1, patience);
        QCOMPARE(changed(shown->lines()), 2);
        QCOMPARE(diff.current(), 0);
        QVERIFY(bar->grab().toImage() != both);
    }

    void equalTextsHaveNoChanges()
    {
        QVERIFY(sideBySide("a\nb\n", "a\nb\n", Whitespace::Counts).changes.empty());
        QVERIFY(sideBySide("", "", Whitespace::Counts).left.empty());
    }

    void theFormsOfTheDiffShowTheSameChanges()
    {
        ReviewStage stage;
        auto* diff = stage.find<SplitDiff>(u"reviewDiff"_s);
        QTRY_VERIFY_WITH_TIMEOUT(diff->changes() > 0, patience);
        const int changes = diff->changes();
        for (int i = 0; i < changes; ++i)
            diff->goToChange(1);
        QCOMPARE(diff->current(), 0); // around
        diff->setForm(SplitDiff::Form::Unified);
        QVERIFY(stage.column(u"diffUnified"_s)->isVisible());
        QCOMPARE(diff->changes(), changes);
    }

    void whatBothWereCompiledToIsComparedWithoutAddresses()
    {
        CompiledStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.diff().changes() > 0, patience);
        QCOMPARE(stage.compiled().text(), u"Assembly"_s);
        QVERIFY(stage.client.listings.empty()); // nobody looked
        stage.compiled().click();
        stage.answer(assembly("0000000000001000 <run>:\n  1000:\tpush   rbx\n  1001:\tje     1010 <run+0x10>\n"
                              "  1003:\tmov    eax,DWORD PTR [rip+0x2ffd]        # 4006 <size>\n"),
            assembly("0000000000001000 <run>:\n  1000:\tpush   rbx\n  1001:\tnop\n  1002:\tje     1011 <run+0x11>\n"
                     "  1004:\tmov    eax,DWORD PTR [rip+0x2ffc]        # 4006 <size>\n"));
        QTRY_COMPARE_WITH_TIMEOUT(stage.diff().changes(), 1, patience);
        QCOMPARE(stage.diff().added(), 1);
        QCOMPARE(stage.diff().removed(), 0);
        QVERIFY(textsOf(stage.column(u"diffAfter"_s)->lines()).join(u'\n').contains(u"je     <run>\n"_s));
        QVERIFY(stage.titles().join(u'\n').contains(u"the code that was built"_s));
        stage.compiled().click();
        QTRY_VERIFY_WITH_TIMEOUT(
            textsOf(stage.column(u"diffAfter"_s)->lines()).join(u'\n').contains(u"constexpr"_s), patience);
        QVERIFY(!stage.titles().join(u'\n').contains(u"the code that was built"_s));
        stage.compiled().click(); // both are kept
        QTRY_COMPARE_WITH_TIMEOUT(stage.diff().changes(), 1, patience);
        QCOMPARE(stage.client.listings.size(), std::size_t(2));
    }

    void whyThereIsNoAssemblyIsSaid()
    {
        CompiledStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.diff().changes() > 0, patience);
        stage.compiled().click();
        ListingAnswer failed;
        failed.error = {"tool/missing", "objdump is not installed on the machine of the node", "install binutils", {}};
        stage.answer(assembly("  1000:\tret\n"), failed);
        QTRY_VERIFY_WITH_TIMEOUT(
            stage.column(u"diffAfter"_s)->placeholderText().contains(u"install binutils"_s), patience);
        QCOMPARE(stage.diff().changes(), 0);
    }

    void anotherEditIsReadAsSourceFirst()
    {
        CompiledStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.diff().changes() > 0, patience);
        stage.compiled().click();
        QVERIFY(QTest::qWaitFor([&] { return stage.client.listings.size() == 2; }, patience));
        stage.page().goTo(1);
        QVERIFY(!stage.compiled().isChecked());
        QCOMPARE(stage.client.dropped.size(), std::size_t(2)); // nobody waits for them any more
        QTRY_VERIFY_WITH_TIMEOUT(
            textsOf(stage.column(u"diffAfter"_s)->lines()).join(u'\n').contains(u"constexpr"_s), patience);
    }
};

TILEWRIGHT_TEST(TestReviewDiff)
#include "test_review_diff.moc"
