// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "core/patch/diff.h"
#include "core/patch/patch.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

namespace {
const std::string source
    = "int before;\n// EVOLVE-BLOCK-START\nint a = 1;\nint b = 2;\nint c = 3;\nint same;\nint d = 4;\n"
      "int same;\n// EVOLVE-BLOCK-END\nint after;\n";

/// The cases of replies.json: a reply each, and the text or the code that it must lead to.
const nlohmann::json& listedReplies()
{
    static const auto text = readFile(TILEWRIGHT_SOURCE_DIR "/tests/patch/replies.json");
    static const nlohmann::json list = nlohmann::json::parse(text.value_or("{}"));
    return list;
}

std::string textOf(const nlohmann::json& lines) { return joined(lines.get<std::vector<std::string>>(), "\n"); }

std::string withCrlf(const std::string& text)
{
    std::string crlf;
    for (const char c : text)
        crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
    return crlf;
}

} // namespace

class TestPatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anExactHunkApplies();
    void aProgramWithLabelledMarkersIsEdited_data();
    void aProgramWithLabelledMarkersIsEdited();
    void aShiftedHunkAppliesWhereItsLinesStand();
    void refusalsHaveTheirCodes_data();
    void refusalsHaveTheirCodes();
    void everyListedReplyLeadsToItsTextOrItsCode_data();
    void everyListedReplyLeadsToItsTextOrItsCode();
    void everyCodeIsReachedByTheAskedFormInEachLanguage_data();
    void everyCodeIsReachedByTheAskedFormInEachLanguage();
    void repliesGiveTheirParts();
    void wrongNumbersAreNotesWhereTheTextDecides();
    void aRepairPromptOfSeveralPlacesNamesThemAll();
    void aRewriteMayBeTheBlocksBody();
    void aRepairPromptShowsTheHunkTheRealLinesAndTheBlock();
    void aRepairPromptNamesTheNearestPlaceAndWhatDiffers();
    void whereNothingIsAlikeARepairPromptShowsNothing();
    void aRepairPromptRestatesTheFormWhereItWasMissed();
    void aRefusalNamesTheHunksThatWereFine();
    void aRefusalTellsOfEveryHunkThatFailed();
    void aHunkThatStandsToTheLetterIsNotRefusedForItsCounts();
    void aHunkAppliesWhereOnlyCommentsDiffer();
    void commentsDoNotChooseAmongPlaces();
    void aReplySurvivesTheRoundTrip();
    void codesBecomeRules();
    void everyDiffOfRandomTextsAppliesBack();
    void hunksLookLikeThoseOfDiff();
};

void TestPatch::anExactHunkApplies()
{
    const auto result
        = applyDiff(source, "--- a/x\n+++ b/x\n@@ -3,2 +3,2 @@\n int a = 1;\n-int b = 2;\n+int b = 20;\n");
    QVERIFY(result.has_value());
    std::string wanted = source;
    wanted.replace(wanted.find("int b = 2;"), 10, "int b = 20;");
    QCOMPARE(result->text, wanted);
    QVERIFY(result->diff.starts_with("--- a/candidate.cpp\n+++ b/candidate.cpp\n@@ -1,7 +1,7 @@\n"));
    QVERIFY(result->repairs.empty());
}

void TestPatch::aProgramWithLabelledMarkersIsEdited_data()
{
    QTest::addColumn<QByteArray>("start");
    QTest::addColumn<QByteArray>("end");
    QTest::newRow("label") << QByteArray("// EVOLVE-BLOCK-START tiles") << QByteArray("// EVOLVE-BLOCK-END tiles");
    QTest::newRow("block comment") << QByteArray("  /* EVOLVE-BLOCK-START */")
                                   << QByteArray("  /* EVOLVE-BLOCK-END */");
    QTest::newRow("hash") << QByteArray("# EVOLVE-BLOCK-START: a") << QByteArray("    # EVOLVE-BLOCK-END");
    QTest::newRow("dashes") << QByteArray("-- EVOLVE-BLOCK-START") << QByteArray("-- EVOLVE-BLOCK-END");
}

void TestPatch::aProgramWithLabelledMarkersIsEdited()
{
    QFETCH(QByteArray, start);
    QFETCH(QByteArray, end);
    const std::string before = "int x;\n" + start.toStdString() + "\nint a = 1;\n" + end.toStdString() + "\nint y;\n";
    const auto inside = applyDiff(before, "@@ @@\n-int a = 1;\n+int a = 2;\n");
    QVERIFY2(inside.has_value(), inside ? "" : inside.error().text.c_str());
    QCOMPARE(applyDiff(before, "@@ @@\n-int y;\n+int z;\n").error().code, std::string("OUTSIDE_EVOLVE_BLOCK"));
    QCOMPARE(
        applyDiff(before, "@@ @@\n-" + end.toStdString() + "\n+// end\n").error().code, std::string("MARKER_CHANGED"));
    const auto nested = applyDiff(before, "@@ @@\n int a = 1;\n+" + start.toStdString() + "\n");
    QCOMPARE(nested.error().code, std::string("MARKER_CHANGED"));
    QVERIFY2(nested.error().text.find("line 4") != std::string::npos, nested.error().text.c_str());
    const auto broken
        = applyDiff("int x;\n" + start.toStdString() + "\nint a = 1;\n", "@@ @@\n-int a = 1;\n+int a = 2;\n");
    QVERIFY2(broken.error().text.find("line 2") != std::string::npos, broken.error().text.c_str());
}

void TestPatch::aShiftedHunkAppliesWhereItsLinesStand()
{
    QVERIFY(applyDiff(source, "@@ -300,2 +300,2 @@\n int a = 1;  \n-int b = 2;\n+int b = 20;\n").has_value());
}

void TestPatch::refusalsHaveTheirCodes_data()
{
    QTest::addColumn<QByteArray>("diff");
    QTest::addColumn<QByteArray>("code");
    QTest::newRow("no hunk") << QByteArray("just words\n") << QByteArray("NO_DIFF");
    QTest::newRow("no match") << QByteArray("@@ @@\n-int b = 3;\n+int b = 4;\n") << QByteArray("NO_MATCH");
    QTest::newRow("ambiguous") << QByteArray("@@ @@\n-int same;\n+int other;\n") << QByteArray("AMBIGUOUS");
    QTest::newRow("no context") << QByteArray("@@ @@\n+int e;\n") << QByteArray("NO_CONTEXT");
    QTest::newRow("no change") << QByteArray("@@ @@\n int a = 1;\n") << QByteArray("NO_CHANGE");
    QTest::newRow("same text") << QByteArray("@@ @@\n-int a = 1;\n+int a = 1;\n") << QByteArray("NO_CHANGE");
    QTest::newRow("already there") << QByteArray("@@ @@\n-int a = 0;\n+int a = 1;\n") << QByteArray("ALREADY_APPLIED");
    QTest::newRow("outside") << QByteArray("@@ @@\n-int after;\n+int later;\n") << QByteArray("OUTSIDE_EVOLVE_BLOCK");
    QTest::newRow("marker") << QByteArray("@@ @@\n-// EVOLVE-BLOCK-END\n+// end\n") << QByteArray("MARKER_CHANGED");
    QTest::newRow("moved marker") << QByteArray(
        "@@ @@\n-// EVOLVE-BLOCK-END\n-int after;\n+int after;\n+// EVOLVE-BLOCK-END\n")
                                  << QByteArray("MARKER_CHANGED");
    QTest::newRow("overlap") << QByteArray("@@ @@\n-int a = 1;\n+int x;\n@@ @@\n-int a = 1;\n+int y;\n")
                             << QByteArray("CONFLICT");
    QTest::newRow("no sign") << QByteArray("@@ @@\n int a = 1;\nint b = 2;\n") << QByteArray("NO_CHANGE");
    QTest::newRow("nothing") << QByteArray() << QByteArray("NO_DIFF");
}

void TestPatch::refusalsHaveTheirCodes()
{
    QFETCH(QByteArray, diff);
    QFETCH(QByteArray, code);
    const auto result = applyDiff(source, diff.toStdString());
    QVERIFY(!result.has_value());
    QCOMPARE(QByteArray::fromStdString(result.error().code), code);
}

void TestPatch::everyListedReplyLeadsToItsTextOrItsCode_data()
{
    QTest::addColumn<int>("index");
    const nlohmann::json& list = listedReplies().at("cases");
    QVERIFY(list.size() > 680);
    for (std::size_t i = 0; i < list.size(); ++i)
        QTest::newRow(list[i].at("name").get<std::string>().c_str()) << static_cast<int>(i);
}

void TestPatch::everyListedReplyLeadsToItsTextOrItsCode()
{
    QFETCH(int, index);
    const nlohmann::json& entry = listedReplies().at("cases").at(static_cast<std::size_t>(index));
    std::string program = entry.contains("source_text")
        ? textOf(entry.at("source_text"))
        : textOf(listedReplies().at("sources").at(entry.at("source").get<std::string>()));
    if (entry.contains("line_ends"))
        program = withCrlf(program);
    PatchOptions options;
    options.finishReason = entry.value("finish_reason", "");
    options.prompt = entry.value("prompt", "edit") == "rewrite" ? Prompt::Rewrite : Prompt::Edit;
    const auto result = applyReply(program, entry.value("file", "kernel.cu"), textOf(entry.at("reply")), options);
    if (entry.contains("refused")) {
        QVERIFY2(!result, result ? result->text.c_str() : "");
        QCOMPARE(q(result.error().code), q(entry.at("refused").get<std::string>()));
        QVERIFY(!result.error().text.empty() && !result.error().repairPrompt.empty());
        return;
    }
    QVERIFY2(result.has_value(), result ? "" : (result.error().code + ": " + result.error().text).c_str());
    std::string wanted = program;
    for (const auto& change : entry.at("changes")) {
        const std::string old = change.at(0).get<std::string>();
        const std::size_t at = wanted.find(old);
        QVERIFY(at != std::string::npos && wanted.find(old, at + 1) == std::string::npos);
        wanted.replace(at, old.size(), change.at(1).get<std::string>());
    }
    QCOMPARE(q(result->text), q(wanted));
    std::vector<std::string> codes;
    for (const Repair& repair : result->repairs)
        codes.push_back(repair.code);
    const std::string repair = entry.value("repair", "?");
    if (repair.empty())
        QCOMPARE(q(joined(codes, " ")), QString());
    else if (repair != "?")
        QVERIFY2(std::ranges::find(codes, repair) != codes.end(), joined(codes, " ").c_str());
    if (const std::string note = entry.value("note", ""); !note.empty())
        QVERIFY(std::ranges::find(result->notes, note, &Repair::code) != result->notes.end());
}

void TestPatch::everyCodeIsReachedByTheAskedFormInEachLanguage_data()
{
    QTest::addColumn<QString>("code");
    for (const char* code :
        {"AMBIGUOUS", "NO_MATCH", "NO_CONTEXT", "ELIDED_CODE", "TRUNCATED", "MALFORMED", "OTHER_FILE",
            "OUTSIDE_EVOLVE_BLOCK", "MARKER_CHANGED", "CONFLICT", "NO_CHANGE", "ALREADY_APPLIED", "NO_DIFF"})
        QTest::newRow(code) << QString::fromLatin1(code);
}

void TestPatch::everyCodeIsReachedByTheAskedFormInEachLanguage()
{
    QFETCH(QString, code);
    int python = 0, others = 0;
    for (const nlohmann::json& entry : listedReplies().at("cases")) {
        const std::string reply = textOf(entry.at("reply"));
        const bool asked = reply.find(code == u"NO_DIFF" ? "<reasoning>" : "<diff>") != std::string::npos;
        if (!asked || q(entry.value("refused", "")) != code)
            continue;
        ++(entry.value("file", "").ends_with(".py") ? python : others);
    }
    QVERIFY2(python >= 2, QByteArray::number(python));
    QVERIFY2(others >= 2, QByteArray::number(others));
}

void TestPatch::wrongNumbersAreNotesWhereTheTextDecides()
{
    const auto one = applyReply(source, "", "<diff>\n@@ -70,9 +80,1 @@\n-int b = 2;\n+int b = 20;\n</diff>");
    QVERIFY(one.has_value() && one->repairs.empty());
    std::vector<std::string> notes;
    for (const Repair& note : one->notes)
        notes.push_back(note.line());
    QCOMPARE(q(joined(notes, "; ")),
        q("hunk 1: the @@ line has wrong counts; the diff names no file; hunk 1: it names line 70 but matches line 4"));
    // Here the heading chooses among two places: the wrong number had a say.
    const std::string twice = "// EVOLVE-BLOCK-START\nvoid f()\n{\n    int same;\n}\nvoid g()\n{\n    int same;\n}\n"
                              "// EVOLVE-BLOCK-END\n";
    const auto two = applyReply(
        twice, "", "<diff>\n--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@ void g()\n-    int same;\n+    int other;\n</diff>");
    QVERIFY(two.has_value() && two->notes.empty());
    QCOMPARE(q(two->repairs.at(0).line()), q("hunk 1: it names line 1 but matches line 8"));
}

void TestPatch::aRepairPromptOfSeveralPlacesNamesThemAll()
{
    const auto result = applyReply(source, "", "<diff>\n@@ @@\n-int same;\n+int other;\n</diff>");
    QCOMPARE(q(result.error().code), q("AMBIGUOUS"));
    const std::string& prompt = result.error().repairPrompt;
    for (const char* part : {"match at each of the lines 6, 8 of the program", "Lines 3 to 9 read:\nint a = 1;\n",
             "Lines 5 to 10 read:\nint c = 3;\n"})
        QVERIFY2(prompt.find(part) != std::string::npos, prompt.c_str());
    QVERIFY(prompt.find("nearest place") == std::string::npos);
}

void TestPatch::aRewriteMayBeTheBlocksBody()
{
    PatchOptions options;
    options.prompt = Prompt::Rewrite;
    const std::string reply = "Here it is:\n```cpp\nint a = 7;\nint b = 2;\n```\n";
    const auto result = applyReply(source, "x.cpp", reply, options);
    QVERIFY2(result.has_value(), result ? "" : result.error().text.c_str());
    QCOMPARE(q(result->text),
        q("int before;\n// EVOLVE-BLOCK-START\nint a = 7;\nint b = 2;\n// EVOLVE-BLOCK-END\nint after;\n"));
    const std::string marked = "```cpp\n// EVOLVE-BLOCK-START\nint a = 7;\nint b = 2;\n// EVOLVE-BLOCK-END\n```\n";
    QCOMPARE(q(applyReply(source, "x.cpp", marked, options)->text), q(result->text));
    QCOMPARE(q(applyReply(source, "x.cpp", reply).error().code), q("MALFORMED"));
}

void TestPatch::aRepairPromptShowsTheHunkTheRealLinesAndTheBlock()
{
    const auto result = applyReply(source, "", "<diff>\n@@\n int a = 1;\n-int b = 5;\n+int b = 6;\n</diff>");
    QCOMPARE(q(result.error().code), q("NO_MATCH"));
    const std::string& prompt = result.error().repairPrompt;
    for (const char* part : {"-int b = 5;\n+int b = 6;\n", "\nint b = 2;\nint c = 3;\n", "// EVOLVE-BLOCK-START\n"})
        QVERIFY2(prompt.find(part) != std::string::npos, prompt.c_str());
}

void TestPatch::aRepairPromptNamesTheNearestPlaceAndWhatDiffers()
{
    // The first lines of the hunk stand at the program's begin as well; the place is where most of it is alike.
    std::string program = "int sum;\n// EVOLVE-BLOCK-START\nfor (int k = 0; k < n; ++k) {\n    other(k);\n}\n";
    for (int i = 0; i < 40; ++i)
        program += "int filler_" + std::to_string(i) + " = " + std::to_string(i * 7) + ";\n";
    program += "for (int k = 0; k < n; ++k) {\n    sum += a[k] * b[k];\n    touch(sum, k);\n}\n// EVOLVE-BLOCK-END\n";
    const auto result = applyReply(program, "",
        "<diff>\n@@\n for (int k = 0; k < n; ++k) {\n-    sum += a[k] * b[k + 1];\n+    sum -= a[k];\n"
        "     touch(sum, k);\n</diff>");
    QCOMPARE(q(result.error().code), q("NO_MATCH"));
    const std::string& prompt = result.error().repairPrompt;
    for (const char* part :
        {"The nearest place is lines 46 to 48 of the program, 9", " % alike. Lines 43 to 50 read:\n",
            "  yours:   sum += a[k] * b[k + 1];\n  line 47: sum += a[k] * b[k];\n"})
        QVERIFY2(prompt.find(part) != std::string::npos, prompt.c_str());
    const std::size_t shown = prompt.find("Lines 43 to 50 read:\n"), end = prompt.find("Lines of yours that", shown);
    QVERIFY(shown < end && end != std::string::npos);
    QVERIFY(prompt.substr(shown, end - shown).find("other(k)") == std::string::npos);
    QVERIFY(result.error().evidence.at("lines") == nlohmann::json({46, 48}));
}

void TestPatch::whereNothingIsAlikeARepairPromptShowsNothing()
{
    const auto result
        = applyReply(source, "", "<diff>\n@@\n-while (queue.pop(&entry)) {\n+while (!queue.empty()) {\n</diff>");
    QCOMPARE(q(result.error().code), q("NO_MATCH"));
    const std::string& prompt = result.error().repairPrompt;
    QVERIFY2(prompt.find("No part of the program resembles its context and removed lines.") != std::string::npos,
        prompt.c_str());
    QVERIFY(prompt.find("nearest place") == std::string::npos);
}

void TestPatch::aRepairPromptRestatesTheFormWhereItWasMissed()
{
    for (const char* reply : {"```cpp\nint a = 7;\n```\n", "I would unroll the loop.\n"}) {
        const auto result = applyReply(source, "", reply);
        const std::string& prompt = result.error().repairPrompt;
        QVERIFY2(prompt.find("<diff>\n@@ -12,3 +12,3 @@\n a line that stays\n") != std::string::npos, prompt.c_str());
        // The example is itself well formed.
        const std::size_t begin = prompt.find("<reasoning>"), end = prompt.find("</expected_impact>");
        const std::string program = "// EVOLVE-BLOCK-START\na line that stays\na line as the program has it\n"
                                    "another line that stays\n// EVOLVE-BLOCK-END\n";
        const auto applied = applyReply(program, "", prompt.substr(begin, end + 18 - begin));
        QVERIFY2(applied.has_value(), applied ? "" : applied.error().text.c_str());
        QVERIFY(applied->text.find("the line in its place") != std::string::npos);
    }
    PatchOptions options;
    options.prompt = Prompt::Rewrite;
    const auto rewrite = applyReply(source, "", "I would unroll the loop.\n", options);
    QVERIFY(rewrite.error().repairPrompt.find("one fence with every line of the block") != std::string::npos);
    const auto misquoted = applyReply(source, "", "<diff>\n@@\n-int b = 5;\n+int b = 6;\n</diff>");
    QVERIFY(misquoted.error().repairPrompt.find("a line that stays") == std::string::npos);
}

void TestPatch::aRefusalNamesTheHunksThatWereFine()
{
    const auto result = applyReply(source, "",
        "<diff>\n@@\n-int a = 1;\n+int a = 5;\n@@\n-int no;\n+int b = 6;\n@@\n-int d = 4;\n+int d = 5;\n</diff>");
    QCOMPARE(result.error().hunk, std::size_t(2));
    QVERIFY(result.error().evidence.at("fine") == nlohmann::json({1, 3}));
    QVERIFY(result.error().repairPrompt.find("These hunks were correct: 1 3.") != std::string::npos);
}

void TestPatch::aRefusalTellsOfEveryHunkThatFailed()
{
    const auto result = applyReply(source, "",
        "<diff>\n@@\n-int a = 7;\n+int a = 5;\n@@\n-int b = 2;\n+int b = 6;\n@@\n int c = 3;\n-int f = 4;\n"
        "+int f = 5;\n</diff>");
    const Refusal& refusal = result.error();
    QCOMPARE(refusal.hunk, std::size_t(1));
    QVERIFY(refusal.evidence.at("fine") == nlohmann::json({2}));
    QCOMPARE(refusal.evidence.at("further").size(), std::size_t(1));
    QCOMPARE(refusal.evidence.at("further")[0].at("hunk"), 3);
    QVERIFY(refusal.evidence.at("further")[0].at("lines").is_array());
    QVERIFY2(refusal.error().text.find("; hunk 3: ") != std::string::npos, refusal.error().text.c_str());
    for (const char* part : {"-int a = 7;\n+int a = 5;\n", "And (NO_MATCH): hunk 3: ", "-int f = 4;\n+int f = 5;\n"})
        QVERIFY2(refusal.repairPrompt.find(part) != std::string::npos, refusal.repairPrompt.c_str());
}

void TestPatch::aHunkThatStandsToTheLetterIsNotRefusedForItsCounts()
{
    const std::string program
        = "// EVOLVE-BLOCK-START\nvoid f()\n{\n    const mask low = lanes(left);\n"
          "    const mask high = lanes(left - 16);\n    use(low, high);\n}\n// EVOLVE-BLOCK-END\n";
    const std::string change = " {\n     const mask low = lanes(left);\n     const mask high = lanes(left - 16);\n"
                               "+    const mask upper = lanes(left - 32);\n     use(low, high);\n }\n</diff>";
    // Six new lines where the header says five.
    const auto result = applyReply(program, "", "<diff>\n@@ -3,5 +3,5 @@\n" + change);
    QVERIFY2(result.has_value(), result ? "" : result.error().text.c_str());
    QVERIFY(result->text.find("high = lanes(left - 16);\n    const mask upper") != std::string::npos);
    // A second declaration of one name is still a lost sign, and the message names its line.
    const auto lost = applyReply(program, "",
        "<diff>\n@@ -3,5 +3,5 @@\n {\n     const mask low = lanes(left);\n     const mask high = lanes(left - 16);\n"
        "+    const mask high = lanes(left - 32);\n     use(low, high);\n }\n</diff>");
    QVERIFY(!lost);
    QVERIFY2(lost.error().text.find("'const mask high = lanes(left - 16);'") != std::string::npos,
        lost.error().text.c_str());
}

void TestPatch::aHunkAppliesWhereOnlyCommentsDiffer()
{
    const std::string program = "// EVOLVE-BLOCK-START\nint a = 1; // one of them\n// what b is for\nint b = 2;\n"
                                "const char* s = \"// no comment\";\n// EVOLVE-BLOCK-END\n";
    const auto result = applyReply(
        program, "", "<diff>\n@@\n int a = 1; // one\n // why b is here\n-int b = 2; // two\n+int b = 3;\n</diff>");
    QVERIFY2(result.has_value(), result ? "" : result.error().text.c_str());
    QVERIFY(result->text.find("int a = 1; // one of them\n// what b is for\nint b = 3;\n") != std::string::npos);
    QCOMPARE(q(result->repairs.at(0).code), q("comments"));
    const auto string
        = applyReply(program, "", "<diff>\n@@\n-const char* s = \"// another\";\n+const char* s = nullptr;\n</diff>");
    QCOMPARE(q(string ? "" : string.error().code), q("NO_MATCH"));
    const auto noCode = applyReply(program, "", "<diff>\n@@\n-// some other words\n+// new words\n</diff>");
    QCOMPARE(q(noCode ? "" : noCode.error().code), q("NO_MATCH"));
}

void TestPatch::commentsDoNotChooseAmongPlaces()
{
    const auto result = applyReply("// EVOLVE-BLOCK-START\nint a = 1; // x\nint a = 1; // y\n// EVOLVE-BLOCK-END\n", "",
        "<diff>\n@@ -2,1 +2,1 @@\n-int a = 1; // z\n+int a = 2;\n</diff>");
    QCOMPARE(q(result ? "" : result.error().code), q("NO_MATCH"));
}

void TestPatch::repliesGiveTheirParts()
{
    const auto reply = parseReply(
        "<reasoning>because</reasoning>\n<diff>\n@@ @@\n-a\n+b\n</diff><expected_impact>+5 %</expected_impact>");
    QVERIFY(reply.has_value());
    QCOMPARE(reply->reasoning, std::string("because"));
    QCOMPARE(reply->diff, std::string("@@ @@\n-a\n+b\n"));
    QCOMPARE(reply->claim, std::string("+5 %"));
    QCOMPARE(parseReply("I would change nothing.").error().code, std::string("NO_DIFF"));
    QCOMPARE(parseReply("<diff>\n@@ @@\n-a").error().code, std::string("TRUNCATED"));
}

void TestPatch::aReplySurvivesTheRoundTrip()
{
    const ReplyWords reply{"why", "@@ @@\n-a\n+b\n", "2×"};
    const auto back = parseReply(replyText(reply));
    QCOMPARE(back->reasoning, reply.reasoning);
    QCOMPARE(back->diff, reply.diff);
    QCOMPARE(back->claim, reply.claim);
}

void TestPatch::codesBecomeRules()
{
    QCOMPARE(ruleOfCode("OUTSIDE_EVOLVE_BLOCK"), std::string("patch/outside-evolve-block"));
}

void TestPatch::everyDiffOfRandomTextsAppliesBack()
{
    for (std::uint64_t round = 0; round < 400; ++round) {
        CounterRandom random(11, 0, round);
        std::string before = "// EVOLVE-BLOCK-START\n", after = before;
        const auto length = random.below(60);
        for (std::uint64_t i = 0; i < length; ++i) {
            const std::string line = "line " + std::to_string(random.below(12)) + "\n";
            const auto fate = random.below(8);
            before += fate == 0 ? "" : line;
            after += fate == 1 ? "" : fate == 2 ? "changed " + line : line;
        }
        before += "// EVOLVE-BLOCK-END\n";
        after += "// EVOLVE-BLOCK-END\n";
        if (before == after)
            continue;
        const auto result = applyDiff(before, unifiedDiff(before, after, "candidate.cpp"));
        QVERIFY2(result.has_value(),
            qPrintable(q(unifiedDiff(before, after, "x") + "\n" + (result ? "" : result.error().text))));
        QCOMPARE(q(result->text), q(after));
    }
}

void TestPatch::hunksLookLikeThoseOfDiff()
{
    QCOMPARE(q(unifiedDiff("a\nb\nc\nd\ne\nf\ng\nh\n", "a\nb\nc\nd\nX\nf\ng\nh\n", "n")),
        q("--- a/n\n+++ b/n\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+X\n f\n g\n h\n"));
    QCOMPARE(q(unifiedDiff("", "a\n", "n")), q("--- a/n\n+++ b/n\n@@ -0,0 +1 @@\n+a\n"));
    QVERIFY(unifiedDiff("a\n", "a\n", "n").empty());
}

TILEWRIGHT_TEST(TestPatch)
#include "test_patch.moc"
