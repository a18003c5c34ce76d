// SPDX-License-Identifier: GPL-3.0-or-later
// Replies of half the size that is read at all, made of one thing over and over. A reply is taken apart on the
// engine's thread: what costs the square of its size would hold everything up for hours. No time is asserted; a step
// that looks at the whole reply for each of its lines does not end before the test's time is up.
#include "core/patch/patch.h"
#include "core/patch/proposals.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

namespace {

const std::string small = "// EVOLVE-BLOCK-START\nint a = 1;\nint b = 2;\nint c = 3;\n// EVOLVE-BLOCK-END\n";

/// Half as many as a reply may have bytes; "#" becomes the number of the repetition.
std::string repeated(const std::string& piece, const std::string& head)
{
    const std::size_t most = PatchOptions{}.largestText / 2;
    std::string text = head;
    for (std::size_t number = 0; text.size() + piece.size() + 8 < most; ++number)
        for (const char c : piece)
            text += c == '#' ? std::to_string(number) : std::string(1, c);
    return text;
}

} // namespace

class TestReplySize : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aReplyOfMillionsOfBytesIsReadInOnePass_data()
    {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<QByteArray>("piece");
        const auto row = [](const char* name, const char* piece, const char* head = "") {
            QTest::newRow(name) << QByteArray(head) << QByteArray(piece);
        };
        row("openings of reasoning", "<reasoning>");
        row("openings of reasoning, a line each", "<reasoning>\n");
        row("reasonings", "<reasoning>\nx</reasoning>\n");
        row("reasonings that end in mid-line", "<reasoning>x </reasoning> y\n");
        row("openings of thoughts", "<think>\n");
        row("thoughts", "<think>x</think>\n");
        row("ends of thoughts", "</think>\n");
        row("ends of thoughts on one line", "</think>");
        row("openings of diffs", "<diff>\n");
        row("diffs that differ", "<diff>\n+a#\n");
        row("diffs that differ, closed", "<diff>\n@@\n int a = 1;\n+int x#;\n</diff>\n");
        row("ends of diffs", "</diff>\n");
        row("ends of a diff behind its lines", "+x</diff>\n", "<diff>\n@@\n int a = 1;\n");
        row("impacts", "<expected_impact>\n");
        row("proposals", "<proposal>\n# x\n");
        row("groups", "<reasoning>#</reasoning>\n<diff>\n+#\n</diff>\n");
        row("groups that are not closed", "<reasoning>\n<diff>\n");
        row("tags that never end", "<diff \n");
        row("signs of tags", "<");
        row("fences", "```\n");
        row("fences of code", "```cpp\nint x#;\n```\n");
        row("headers with counts", "@@ -1,9 +1,9 @@\n");
        row("headers with counts that never come true", "@@ -1,900000 +1,900000 @@\n x\n x\n");
        row("bare headers", "@@\n");
        row("hunks", "@@ -2,1 +2,2 @@\n int a = 1;\n+int x#;\n", "<diff>\n");
        row("file headers", "--- a/#\n+++ b/#\n");
        row("file headers inside a hunk", "--- a\n+++ b\n", "<diff>\n@@ -1,9 +1,9 @@\n int a = 1;\n");
        row("added lines", "+int x#;\n", "<diff>\n@@ -2,1 +2,2 @@\n int a = 1;\n");
        row("blank lines and sentences", "\nthis is a sentence of many words\n", "<diff>\n@@\n int a = 1;\n+int x;\n");
        row("search blocks", "<<<<<<< SEARCH\nint a = 1;\n=======\nint a = #;\n>>>>>>> REPLACE\n");
        row("openings of search blocks", "<<<<<<< SEARCH\n");
        row("dividers", "=======\n", "<<<<<<< SEARCH\nint a = 1;\n");
        row("envelopes", "*** Begin Patch\n*** Update File: #\n@@\n-int a = 1;\n+int x#;\n*** End Patch\n");
        row("escapes", "&lt;diff&gt;\n");
        row("CDATA", "<![CDATA[\n", "<diff>\n");
        row("blanks", " ");
        row("line ends", "\n");
    }

    void aReplyOfMillionsOfBytesIsReadInOnePass()
    {
        QFETCH(QByteArray, head);
        QFETCH(QByteArray, piece);
        const std::string reply = repeated(piece.toStdString(), head.toStdString());
        const auto parts = proposalsIn(reply);
        QVERIFY(!parts.empty());
        QVERIFY(wordsOf(reply).reasoning.size() <= reply.size());
        const auto result = applyReply(small, "x.cpp", reply);
        if (result)
            QVERIFY(result->text != small);
        else
            QVERIFY(!result.error().code.empty() && !result.error().repairPrompt.empty());
        const auto read = parseReply(reply);
        QVERIFY(read || !read.error().code.empty());
    }
};

TILEWRIGHT_TEST(TestReplySize)
#include "test_reply_size.moc"
