// SPDX-License-Identifier: GPL-3.0-or-later
// Replies that hold several proposals, taken apart.
#include "core/base/random.h"
#include "core/patch/patch.h"
#include "core/patch/proposals.h"
#include "core/patch/reply_text.h"
#include "core/patch/thoughts.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

namespace {

const std::string shortProgram = "// EVOLVE-BLOCK-START\nint a = 1;\nint b = 2;\nint c = 3;\n// EVOLVE-BLOCK-END\n";

std::string hunk(const std::string& from, const std::string& to)
{
    return "@@ -1,5 +1,5 @@\n-int " + from + ";\n+int " + to + ";\n";
}

std::string group(const std::string& words, const std::string& diff)
{
    return "<reasoning>\n" + words + "\n</reasoning>\n<diff>\n" + diff
        + "</diff>\n<expected_impact>\nfaster\n</expected_impact>\n";
}

const std::string first = group("first", hunk("a = 1", "a = 5")), second = group("second", hunk("b = 2", "b = 6")),
                  third = group("third", hunk("c = 3", "c = 7"));

} // namespace

class TestProposals : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aReplyIsTakenApart_data()
    {
        QTest::addColumn<QString>("reply");
        QTest::addColumn<QStringList>("parts");
        const auto row = [](const char* name, const std::string& reply, const std::vector<std::string>& parts) {
            QStringList list;
            for (const std::string& part : parts)
                list << q(part);
            QTest::newRow(name) << q(reply) << list;
        };
        const std::string crlf = q(first + second).replace(u'\n', QStringLiteral("\r\n")).toStdString();
        const std::string bare = hunk("a = 1", "a = 5");
        row("nothing", "", {""});
        row("prose", "I would rather not.", {"I would rather not."});
        row("a diff alone", bare, {bare});
        row("one", first, {first});
        row("two", first + second, {first, second});
        row("three", first + second + third, {first, second, third});
        row("prose around", "Three ideas.\n" + first + "And:\n" + second + "Done.",
            {"Three ideas.\n" + first + "And:\n", second + "Done."});
        const auto tagged = [](const std::string& text) { return "<proposal>\n" + text + "</proposal>\n"; };
        row("tags", "Here:\n" + tagged(first) + "\n" + tagged(second), {first, second});
        row("tags, the last cut off", tagged(first) + "<proposal n=\"2\">\n" + hunk("b = 2", "b = 6"),
            {first, hunk("b = 2", "b = 6")});
        row("tags, one twice", tagged(first) + tagged(first) + tagged(second), {first, second});
        row("tags around one", tagged(first), {tagged(first)});
        row("tags in a thought", "<think>\n" + tagged(first) + tagged(second) + "</think>\n" + third,
            {"<think>\n" + tagged(first) + tagged(second) + "</think>\n" + third});
        row("headings", "## 1\n" + first + "## 2\n" + second, {"## 1\n" + first + "## 2\n", second});
        row("words for all of them", "<reasoning>plan</reasoning>\n" + first + second,
            {"<reasoning>plan</reasoning>\n" + first, second});
        row("the last is cut", first + second + "<reasoning>\nthird\n</reasoning>\n<diff>\n@@ -1 +1 @@\n-int",
            {first, second, "<reasoning>\nthird\n</reasoning>\n<diff>\n@@ -1 +1 @@\n-int"});
        row("cut before the diff", first + second + "<reasoning>\nthird", {first, second + "<reasoning>\nthird"});
        row("one that is cut", "<reasoning>\na\n</reasoning>\n<diff>\n@@ -1 +1 @@\n-int",
            {"<reasoning>\na\n</reasoning>\n<diff>\n@@ -1 +1 @@\n-int"});
        row("the same twice", first + first, {first + first});
        row("the same again", first + second + first, {first, second});
        row("a draft in a thought", "<think>\n" + first + "</think>\n" + second,
            {"<think>\n" + first + "</think>\n" + second});
        row("a thought between", first + "<think>\n" + third + "</think>\n" + second, {first + "\n", second});
        row("a thought without its beginning", third + "</think>\n" + first + second, {"\n" + first, second});
        row("a thought that does not end", first + second + "<think>\nhm", {first + second + "<think>\nhm"});
        row("two diffs in one", "<reasoning>x</reasoning>\n<diff>\n" + bare + "</diff>\n<diff>\n" + bare + "</diff>\n",
            {"<reasoning>x</reasoning>\n<diff>\n" + bare + "</diff>\n<diff>\n" + bare + "</diff>\n"});
        row("carriage returns", crlf,
            {q(first).replace(u'\n', QStringLiteral("\r\n")).toStdString(),
                q(second).replace(u'\n', QStringLiteral("\r\n")).toStdString()});
        const std::string quoting
            = group("writes the words", "@@ -1,5 +1,6 @@\n int a = 1;\n+// \n+<reasoning>\n int b = 2;\n");
        row("a tag inside a diff", quoting + second, {quoting, second});
    }
    void aReplyIsTakenApart()
    {
        QFETCH(QString, reply);
        QFETCH(QStringList, parts);
        QStringList got;
        for (const std::string& part : proposalsIn(reply.toStdString()))
            got << q(part);
        QCOMPARE(got, parts);
    }

    void everyPartAppliesByItself()
    {
        const auto parts = proposalsIn("Ideas:\n" + first + second + third);
        QCOMPARE(parts.size(), std::size_t(3));
        const std::vector<std::string> lines{"int a = 5;", "int b = 6;", "int c = 7;"},
            words{"first", "second", "third"};
        for (std::size_t i = 0; i < 3; ++i) {
            const auto patched = applyReply(shortProgram, "k.cpp", parts[i]);
            QVERIFY2(patched.has_value(), patched ? "" : patched.error().text.c_str());
            QVERIFY(patched->text.find(lines[i]) != std::string::npos);
            QCOMPARE(q(patched->reasoning), q(words[i]));
        }
    }

    void anyBytesGiveAtLeastOnePart()
    {
        const std::vector<std::string> pieces{"<reasoning>", "</reasoning>", "<diff>", "</diff>", "<think>", "</think>",
            "</thinking>", "\n", "\r\n", "x", "<", std::string(1, '\0'), "\xff", "+a\n", "@@\n"};
        for (std::uint64_t round = 0; round < 3000; ++round) {
            CounterRandom random(7, 1, round);
            std::string reply;
            for (std::uint64_t i = random.below(40); i > 0; --i)
                reply += pieces[random.below(pieces.size())];
            const auto parts = proposalsIn(reply);
            QVERIFY(!parts.empty());
            if (parts.size() == 1)
                QCOMPARE(parts.front(), reply);
            const std::string said = parts.size() == 1 ? reply : patch::withoutThoughts(reply).value();
            std::size_t at = 0;
            for (const std::string& part : parts) { // in order, and nothing that the reply does not say
                at = said.find(part, at);
                QVERIFY(at != std::string::npos);
                at += part.size();
            }
        }
    }
};

TILEWRIGHT_TEST(TestProposals)
#include "test_proposals.moc"
