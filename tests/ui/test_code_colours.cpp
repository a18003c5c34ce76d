// SPDX-License-Identifier: GPL-3.0-or-later
// Code in colours as a user sees it: by the colouring process where there is one, by our own reader where there is
// none, where it hangs, dies or says nonsense; readable in every theme.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "ui/code/code_colours.h"
#include "ui/code/code_reader.h"
#include "ui/code/colouring.h"
#include "ui/code/editor_colours.h"
#include "ui/diff/diff_lines.h"
#include "ui/theme/theme.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/find_box.h"

#include <QApplication>
#include <QFile>
#include <QFileInfo>
#include <QPlainTextEdit>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextLayout>
#include <QtTest>
#include <memory>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

const QString program = QStringLiteral(TILEWRIGHT_BIN_DIR) + u"/tilewright-highlight"_s;
const QString before
    = u"constexpr int K = 4; // tune: 4 8\nint main()\n{\n    /* from\n       here */ return K;\n}\n"_s;
const QString after = u"constexpr int K = 8; // tune: 4 8\nint main()\n{\n    /* from\n       here */ return K;\n}\n"_s;

/// The colour of the first place where `word` stands in a document; none where it has no colour of its own.
QColor colourOf(const QTextDocument& document, const QString& word)
{
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        const auto at = static_cast<int>(block.text().indexOf(word));
        if (at < 0)
            continue;
        for (const QTextLayout::FormatRange& range : block.layout()->formats())
            if (range.start <= at && at < range.start + range.length)
                return range.format.foreground().color();
        return {};
    }
    return {};
}

} // namespace

class TestCodeColours : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyStyleIsReadableOnEveryGround_data();
    void everyStyleIsReadableOnEveryGround();
    void ourOwnReaderKnowsTheBasics();
    void aReplyIsColouredAndItsEditsAreTinted();
    void keywordsHaveTheThemesColour_data();
    void keywordsHaveTheThemesColour();
    void rowsThatAFoldBringsIntoSightAreColouredToo();
    void rowsThatAreFoundAreColouredToo();
    void aDiffIsReadFromBothWholeTexts();
    void whatDoesNotAnswerIsDoneWithout_data();
    void whatDoesNotAnswerIsDoneWithout();
    void aNewerTextSupersedes();
    void aHiddenViewAsksForNothing();
    void writtenCodeIsColouredWhileItIsTyped();

private:
    QTemporaryDir m_folder;
};

void TestCodeColours::everyStyleIsReadableOnEveryGround_data()
{
    QTest::addColumn<int>("kind");
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::Contrast})
        QTest::newRow(qPrintable(nameOf(kind))) << static_cast<int>(kind);
}

void TestCodeColours::everyStyleIsReadableOnEveryGround()
{
    QFETCH(int, kind);
    const ui::Tokens t = tokensOf(static_cast<ThemeKind>(kind));
    for (int style = 0; style < static_cast<int>(CodeStyle::Count); ++style) {
        for (const QColor& ground :
            {t.panel, t.raised, t.window, t.selected, t.addedLine, t.removedLine, t.addedWord, t.removedWord}) {
            const QColor ink = codeColourOn(t, static_cast<CodeStyle>(style), ground);
            QVERIFY2(contrast(ink, ground) >= readableContrast,
                qPrintable(u"style %1: %2 on %3"_s.arg(style).arg(ink.name(), ground.name())));
        }
        QCOMPARE(codeColourOn(t, static_cast<CodeStyle>(style), t.panel), codeColour(t, static_cast<CodeStyle>(style)));
    }
}

void TestCodeColours::ourOwnReaderKnowsTheBasics()
{
    const std::vector<CodeSpan> spans
        = readCode(u"int a = 1; /* x\n y */ for (;;)\n#if 1\nf(\"s\"); // tune: 1\n/*/ z\n*/"_s);
    const std::vector<CodeSpan> expected{{0, 0, 3, CodeStyle::Type}, {0, 8, 1, CodeStyle::Number},
        {0, 11, 4, CodeStyle::Comment}, {1, 0, 5, CodeStyle::Comment}, {1, 6, 3, CodeStyle::Keyword},
        {2, 0, 3, CodeStyle::Preprocessor}, {2, 4, 1, CodeStyle::Number}, {3, 0, 1, CodeStyle::Function},
        {3, 2, 3, CodeStyle::String}, {3, 8, 10, CodeStyle::Annotation}, {4, 0, 5, CodeStyle::Comment},
        {5, 0, 2, CodeStyle::Comment}};
    QCOMPARE(spans, expected);
}

void TestCodeColours::aReplyIsColouredAndItsEditsAreTinted()
{
    Colouring::instance().use({}, 1min); // by our own reader
    const QString reply = u"# Idea\nint words;\n```cpp\nint a;\n```\n```diff\n@@ -1 +1 @@\n-int b;\n+int c;\n```\n"_s;
    CodeView view(CodeView::Kind::Conversation);
    view.resize(600, 400);
    view.show();
    view.setNumbered(reply);
    QTRY_COMPARE_WITH_TIMEOUT(colourOf(*view.document(), u"int a"_s), tokens().codeType, patience);
    const auto& heading = view.document()->firstBlock().layout()->formats();
    QCOMPARE(heading.size(), 1);
    QCOMPARE(heading.first().format.fontWeight(), static_cast<int>(QFont::Bold));
    QVERIFY(!colourOf(*view.document(), u"int words"_s).isValid());
    QCOMPARE(colourOf(*view.document(), u"int b"_s), codeColourOn(tokens(), CodeStyle::Type, tokens().removedLine));
    QCOMPARE(colourOf(*view.document(), u"int c"_s), codeColourOn(tokens(), CodeStyle::Type, tokens().addedLine));
    QCOMPARE(view.lines()[7].mark, CodeLine::Mark::Removed);
    QCOMPARE(view.lines()[8].mark, CodeLine::Mark::Added);
    const QImage seen = view.grab().toImage();
    const auto groundOf = [&](int line) {
        const QTextBlock block = view.document()->findBlockByNumber(line);
        const int y = view.cursorRect(QTextCursor(block)).center().y();
        return seen.pixelColor(QPoint(view.width() - 20, y) * seen.devicePixelRatio());
    };
    QCOMPARE(groundOf(7), tokens().removedLine);
    QCOMPARE(groundOf(8), tokens().addedLine);
    QCOMPARE(groundOf(1), tokens().panel);
}

void TestCodeColours::keywordsHaveTheThemesColour_data() { everyStyleIsReadableOnEveryGround_data(); }

void TestCodeColours::keywordsHaveTheThemesColour()
{
    QFETCH(int, kind);
    if (!QFileInfo::exists(program))
        QSKIP("KSyntaxHighlighting is not installed: the program was not built");
    Colouring::instance().use(program, 1min);
    CodeView view(CodeView::Kind::Code);
    view.resize(600, 400);
    view.show();
    view.setNumbered(after);
    QCOMPARE(view.toPlainText(), after.chopped(1)); // the text does not wait for its colours
    QVERIFY(!colourOf(*view.document(), u"constexpr"_s).isValid());
    Theme::instance().apply(static_cast<ThemeKind>(kind));
    QTRY_COMPARE_WITH_TIMEOUT(colourOf(*view.document(), u"constexpr"_s), tokens().codeKeyword, patience);
    QVERIFY(Colouring::instance().isByProcess());
    QCOMPARE(colourOf(*view.document(), u"int K"_s), tokens().codeType);
    QCOMPARE(colourOf(*view.document(), u"8;"_s), tokens().codeNumber);
    QCOMPARE(colourOf(*view.document(), u"// tune"_s), tokens().accent);
    QCOMPARE(colourOf(*view.document(), u"main"_s), tokens().codeFunction);
    QCOMPARE(colourOf(*view.document(), u"here"_s), tokens().codeComment);
    // Another theme, and the colours with it.
    Theme::instance().apply(ThemeKind::Light);
    QCOMPARE(colourOf(*view.document(), u"constexpr"_s), tokens().codeKeyword);
    Theme::instance().apply(ThemeKind::Dark);
}

void TestCodeColours::rowsThatAFoldBringsIntoSightAreColouredToo()
{
    Colouring::instance().use({}, 1min);
    QString text;
    for (int row = 0; row < 200; ++row)
        text += u"int row%1;\n"_s.arg(row);
    CodeView view(CodeView::Kind::Code);
    view.resize(600, 400);
    view.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // which would tell that other rows are seen
    view.show();
    view.setNumbered(text);
    QTRY_VERIFY_WITH_TIMEOUT(colourOf(*view.document(), u"int row0"_s).isValid(), patience);
    QVERIFY(!colourOf(*view.document(), u"int row190"_s).isValid());
    view.setFolds({{2, 188, 188}});
    QCOMPARE(colourOf(*view.document(), u"int row190"_s), tokens().codeType);
    QVERIFY(!colourOf(*view.document(), u"int row100"_s).isValid());
    view.unfold(2);
    view.setFolds({{0, 100, 100}, {101, 99, 99}});
    QCOMPARE(colourOf(*view.document(), u"int row100"_s), tokens().codeType);
}

/// A cursor that is moved scrolls without a word of the scroll bar.
void TestCodeColours::rowsThatAreFoundAreColouredToo()
{
    Colouring::instance().use({}, 1min);
    auto* view = new CodeView(CodeView::Kind::Code);
    const std::unique_ptr<QWidget> part(withFindLine(*view, nullptr));
    part->resize(600, 300);
    part->show();
    QString text;
    for (int i = 0; i < 400; ++i)
        text += u"return %1;\n"_s.arg(i);
    view->setNumbered(text);
    QTRY_VERIFY_WITH_TIMEOUT(colourOf(*view->document(), u"return 3;"_s).isValid(), patience);
    QVERIFY(!colourOf(*view->document(), u"return 357;"_s).isValid()); // nobody looks at it
    FindLine::of(*view)->open();
    QTest::keyClicks(FindLine::of(*view)->findChild<FindBox*>(), u"357"_s);
    QTRY_VERIFY_WITH_TIMEOUT(colourOf(*view->document(), u"return 357;"_s).isValid(), patience);
    QVERIFY(colourOf(*view->document(), u"return 360;"_s).isValid());
}

void TestCodeColours::aDiffIsReadFromBothWholeTexts()
{
    Colouring::instance().use({}, 1min);
    CodeView view(CodeView::Kind::Diff);
    view.resize(600, 400);
    view.show();
    view.setTexts(before, after);
    view.setLines(unifiedDiff(before.toStdString(), after.toStdString()).lines);
    QTRY_VERIFY_WITH_TIMEOUT(colourOf(*view.document(), u"constexpr"_s).isValid(), patience);
    const auto& lines = view.lines();
    const auto removed = std::ranges::find(lines, CodeLine::Mark::Removed, &CodeLine::mark);
    QVERIFY(removed != lines.end());
    const QTextBlock block = view.document()->findBlockByNumber(static_cast<int>(removed - lines.begin()));
    QVERIFY(block.text().contains(u"K = 4"_s));
    QVERIFY(!block.layout()->formats().isEmpty());
    QCOMPARE(block.layout()->formats().first().format.foreground().color(),
        codeColourOn(tokens(), CodeStyle::Keyword, tokens().removedLine));
    view.setNote(u"nothing"_s);
    QVERIFY(view.document()->isEmpty());
}

void TestCodeColours::whatDoesNotAnswerIsDoneWithout_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::newRow("is not there") << QByteArray();
    QTest::newRow("dies") << QByteArray("exit 1");
    QTest::newRow("is killed") << QByteArray("kill -9 $$");
    QTest::newRow("hangs") << QByteArray("exec sleep 1000");
    QTest::newRow("echoes") << QByteArray("exec cat");
    QTest::newRow("talks") << QByteArray("echo some words, and then more of them; exec sleep 1000");
    QTest::newRow("talks without end") << QByteArray("exec yes");
}

void TestCodeColours::whatDoesNotAnswerIsDoneWithout()
{
    QFETCH(QByteArray, script);
    const QString path = m_folder.filePath(u"program-"_s + QString::fromLatin1(QTest::currentDataTag()));
    if (!script.isEmpty()) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n" + script + '\n');
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    Colouring::instance().use(path, 300ms);
    CodeView view(CodeView::Kind::Code);
    view.resize(600, 400);
    view.show();
    for (int i = 0; i < 5; ++i) { // more often than it is started again
        view.setNumbered(after + u"// "_s + QString::number(i));
        QTRY_COMPARE_WITH_TIMEOUT(colourOf(*view.document(), u"constexpr"_s), tokens().codeKeyword, patience);
        QVERIFY(!Colouring::instance().isByProcess());
    }
    Colouring::instance().use({}, 1min);
}

void TestCodeColours::aNewerTextSupersedes()
{
    Colouring::instance().use({}, 1min);
    TextColours colours;
    QSignalSpy changed(&colours, &TextColours::changed);
    for (int i = 0; i < 50; ++i)
        colours.ask(u"int a%1;"_s.arg(i));
    colours.ask(u"x return"_s);
    QTRY_VERIFY_WITH_TIMEOUT(colours.spans(), patience);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(colours.spans()->ofLine(0).size(), 1U);
    QCOMPARE(colours.spans()->ofLine(0).front(), (CodeSpan{0, 2, 6, CodeStyle::Keyword}));
    colours.ask({});
    QVERIFY(!colours.spans());
}

void TestCodeColours::aHiddenViewAsksForNothing()
{
    Colouring::instance().use({}, 1min);
    CodeView hidden(CodeView::Kind::Code);
    hidden.resize(600, 400);
    hidden.setNumbered(after);
    CodeView shown(CodeView::Kind::Code);
    shown.resize(600, 400);
    shown.show();
    shown.setNumbered(before);
    QTRY_VERIFY_WITH_TIMEOUT(colourOf(*shown.document(), u"constexpr"_s).isValid(), patience);
    QVERIFY(!colourOf(*hidden.document(), u"constexpr"_s).isValid());
    hidden.show();
    QTRY_VERIFY_WITH_TIMEOUT(colourOf(*hidden.document(), u"constexpr"_s).isValid(), patience);
}

void TestCodeColours::writtenCodeIsColouredWhileItIsTyped()
{
    Colouring::instance().use({}, 1min);
    QPlainTextEdit editor;
    new EditorColours(editor.document());
    editor.setPlainText(u"int a;\n"_s);
    editor.show();
    editor.moveCursor(QTextCursor::End);
    QTest::keyClicks(&editor, u"return a;"_s);
    QTRY_COMPARE_WITH_TIMEOUT(colourOf(*editor.document(), u"return"_s), tokens().codeKeyword, patience);
    editor.setPlainText(u"/* int\nreturn"_s);
    QTRY_COMPARE_WITH_TIMEOUT(colourOf(*editor.document(), u"return"_s), tokens().codeComment, patience);
}

TILEWRIGHT_TEST(TestCodeColours)

#include "test_code_colours.moc"
