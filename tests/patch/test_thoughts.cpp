// SPDX-License-Identifier: GPL-3.0-or-later
// Drafts in thoughts and the answer behind them: for each mark in use the answer alone is applied, or the reply is
// refused. Never both.
#include "core/patch/patch.h"
#include "core/patch/proposals.h"
#include "core/patch/thoughts.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

namespace {

const std::string program = "// EVOLVE-BLOCK-START\n"
                            "void f(const float* in, float* out, int n)\n"
                            "{\n"
                            "    float top = in[0];\n"
                            "    for (int i = 0; i < n; ++i)\n"
                            "        out[i] = in[i] / top;\n"
                            "    const char* mark = \"<think> and </think>\";\n"
                            "}\n"
                            "// EVOLVE-BLOCK-END\n";

const std::string draftBlock
    = "<<<<<<< SEARCH\n    float top = in[0];\n=======\n    float top = 9.0f;\n>>>>>>> REPLACE\n";
const std::string draftFence = "```diff\n@@ -3,3 +3,3 @@\n {\n-    float top = in[0];\n+    float top = 9.0f;\n"
                               "     for (int i = 0; i < n; ++i)\n```\n";
const std::string openDraftFence = "```diff\n@@ -3,3 +3,3 @@\n {\n-    float top = in[0];\n+    float top = 9.0f;\n";
const std::string answerBlock
    = "<<<<<<< SEARCH\n        out[i] = in[i] / top;\n=======\n        out[i] = in[i] * (1 / top);\n>>>>>>> REPLACE\n";
const std::string answerFence = "```diff\n@@ -5,2 +5,2 @@\n     for (int i = 0; i < n; ++i)\n"
                                "-        out[i] = in[i] / top;\n+        out[i] = in[i] * (1 / top);\n```";
const std::string answerTags = "<reasoning>\nOne division.\n</reasoning>\n<diff>\n@@ -5,2 +5,2 @@\n"
                               "     for (int i = 0; i < n; ++i)\n-        out[i] = in[i] / top;\n"
                               "+        out[i] = in[i] * (1 / top);\n</diff>\n"
                               "<expected_impact>\n+1 %\n</expected_impact>\n";

std::string answered()
{
    std::string text = program;
    const std::string old = "in[i] / top";
    return text.replace(text.find(old), old.size(), "in[i] * (1 / top)");
}

/// "NO_DIFF" …, or the new program's change in a word: "answer", "draft", "both", "other".
std::string cameOf(
    const std::string& reply, const std::string& source = program, const std::string& wanted = answered())
{
    const auto result = applyReply(source, "", reply, {.finishReason = "stop"});
    if (!result)
        return result.error().code;
    const bool draft = result->text.find("9.0f") != std::string::npos;
    return result->text == wanted ? "answer" : draft ? "with the draft" : "other: " + result->text;
}

struct MarkPair {
    const char *open, *close;
};

/// Words and brackets that are marks only where both stand.
const std::vector<MarkPair> pairedMarks{{"[reasoning_process]", "[/reasoning_process]"}, {"【思考】", "【/思考】"},
    {"Thinking...\n", "...done thinking.\n"}, {"<details>\n<summary>Thinking</summary>", "</details>"},
    {"<details open>\n<summary>Thought for 3 s</summary>", "</details>"}};

const std::vector<MarkPair>& allMarks()
{
    static const std::vector<MarkPair> all{{"<think>", "</think>"}, {"<thinking>", "</thinking>"},
        {"<thought>", "</thought>"}, {"<thoughts>", "</thoughts>"}, {"<reflection>", "</reflection>"},
        {"<analysis>", "</analysis>"}, {"<scratchpad>", "</scratchpad>"}, {"<seed:think>", "</seed:think>"},
        {"<Think>", "</THINK>"}, {"< think >", "< / think >"}, {"<think type=\"long\">", "</think >"},
        {"<inner_monologue>", "</inner_monologue>"}, {"<reason>", "</reason>"}, {"[THINK]", "[/THINK]"},
        {"[ Think ]", "[ /Think ]"}, {"[THINKING]", "[/THINKING]"}, {"◁think▷", "◁/think▷"},
        {"<|START_THINKING|>", "<|END_THINKING|>"}, {"<|begin_of_thought|>", "<|end_of_thought|>"},
        {"<|thinking_start|>", "<|thinking_end|>"}, {"<|think|>", "<|/think|>"},
        {"<｜begin▁of▁thought｜>", "<｜end▁of▁thought｜>"}, {"<unused94>", "<unused95>"},
        {"&lt;think&gt;", "&lt;/think&gt;"}, {"<|channel>thought", "<channel|>"},
        {"<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"},
        {"<|start|>assistant<|channel|>analysis<|message|>",
            "<|end|>\n<|start|>assistant <|channel|> final <|message|>"},
        {"<|channel|>commentary to=functions.edit <|constrain|>json<|message|>",
            "<|call|><|start|>assistant<|channel|>final<|message|>"},
        {"<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|message|>"},
        {"analysisWe see. ", "assistantfinal"}, {"<think>", "</thinking>"},
        // Names of several words, other brackets and slashes, invisible characters, a tag over two lines.
        {"<seed:cot_think>", "</seed:cot_think>"}, {"<internal_thoughts>", "</internal_thoughts>"},
        {"<mm:think>", "</mm:think>"}, {"<Thinking-Process>", "</Thinking-Process>"},
        {"<|longcat_think_start|>", "<|longcat_think_end|>"}, {"{think}", "{/think}"}, {"＜think＞", "＜/think＞"},
        {"<思考>", "</思考>"}, {"<think\n>", "</think\n>"}, {"<think>", "<\\think>"},
        {"<\u200bthink>", "</\u200bthink>"}};
    return all;
}

} // namespace

class TestThoughts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ofADraftInAThoughtNothingIsApplied_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < allMarks().size(); ++i)
            QTest::newRow((std::string(allMarks()[i].open) + " " + std::to_string(i)).c_str()) << static_cast<int>(i);
    }
    void ofADraftInAThoughtNothingIsApplied()
    {
        QFETCH(int, index);
        const std::string open = allMarks()[static_cast<std::size_t>(index)].open;
        const std::string close = allMarks()[static_cast<std::size_t>(index)].close;
        const std::string quoted = "not \"" + close.substr(0, close.find('\n')) + "\" yet\n";
        for (const std::string& draft : {draftBlock, draftFence, openDraftFence, draftFence + quoted}) {
            for (const std::string& answer : {answerBlock, answerFence, answerTags}) {
                const std::string thought = open + "\nI could write\n" + draft + "No, that is wrong.\n";
                QCOMPARE(cameOf(thought + close + "\n\n" + answer), std::string("answer"));
                QCOMPARE(cameOf(thought + close + answer), std::string("answer"));
                QCOMPARE(cameOf(thought + "That is all." + close + "Here it is:\n" + answer), std::string("answer"));
            }
        }
        QCOMPARE(cameOf(open + "\n" + answerFence + "\n"), std::string("TRUNCATED"));
        QCOMPARE(cameOf(open + "\n" + draftBlock + "or\n" + answerBlock), std::string("TRUNCATED"));
    }

    void marksThatCountInPairsOnlyPartThoughtFromAnswer_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < pairedMarks.size(); ++i)
            QTest::newRow(pairedMarks[i].open) << static_cast<int>(i);
    }
    void marksThatCountInPairsOnlyPartThoughtFromAnswer()
    {
        QFETCH(int, index);
        const auto [open, close] = pairedMarks[static_cast<std::size_t>(index)];
        for (const std::string& draft : {draftBlock, draftFence})
            for (const std::string& answer : {answerBlock, answerFence, answerTags})
                QCOMPARE(cameOf(std::string(open) + "\nI could write\n" + draft + "No.\n" + close + "\n" + answer),
                    std::string("answer"));
        QCOMPARE(cameOf(std::string(open) + "\n" + answerFence + "\n"), std::string("answer"));
    }

    void theAnswersOfTheFieldAreAppliedAlone()
    {
        const std::string think = "[THINK]\nI could:\n\n" + draftBlock + "\nNo.\n[/THINK]\n\n" + answerBlock;
        const std::string channels = "<|channel|>analysis<|message|>I could write\n\n" + draftFence
            + "\nNo, that is wrong.<|end|><|start|>assistant<|channel|>final<|message|>" + answerFence + "\n";
        QCOMPARE(cameOf(think), std::string("answer"));
        QCOMPARE(cameOf(channels), std::string("answer"));
    }

    void whatStandsBeforeAClosingMarkWithoutAnOpeningOneIsThought_data()
    {
        QTest::addColumn<QByteArray>("close");
        for (const char* close : {"</think>", "</thinking>", "</thought>", "</analysis>", "</scratchpad>",
                 "</seed:think>", "[/THINK]", "◁/think▷", "<|END_THINKING|>", "<|end_of_thought|>",
                 "</reasoning>\n</think>", "<|end|><|start|>assistant<|channel|>final<|message|>", "assistantfinal"})
            QTest::newRow(close) << QByteArray(close);
    }
    void whatStandsBeforeAClosingMarkWithoutAnOpeningOneIsThought()
    {
        QFETCH(QByteArray, close);
        for (const std::string& draft : {draftBlock, draftFence, openDraftFence})
            for (const std::string& answer : {answerBlock, answerFence, answerTags}) {
                const std::string thought = "I could write\n" + draft + "No, that is wrong.\n";
                QCOMPARE(cameOf(thought + close.toStdString() + "\n\n" + answer), std::string("answer"));
                QCOMPARE(cameOf(thought + close.toStdString() + answer), std::string("answer"));
            }
        const std::string all = cameOf("I could write\n" + draftBlock + close.toStdString() + "\n");
        QVERIFY2(all == "NO_DIFF" || all == "TRUNCATED", all.c_str());
    }

    void aMarkInAProgramIsText_data()
    {
        QTest::addColumn<QByteArray>("code");
        for (const char* code :
            {"    const char* stop = \"</think>\";", "    puts(\"<think>\");", "    puts(\"[/THINK]\\n\");",
                "    f('<think>', R\"(</think>)\");", "    const char* all = \"<think>\" \"</think>\";",
                "    // ends at </think>", "    // the answer begins behind </think> or [/THINK] here",
                "    auto s = \"<|channel|>final<|message|>\";", "    auto s = \"<|end|>\";"})
            QTest::newRow(code) << QByteArray(code);
    }
    void aMarkInAProgramIsText()
    {
        QFETCH(QByteArray, code);
        const std::string line = code.toStdString() + "\n";
        std::string wanted = program;
        const std::string at = "    float top = in[0];\n";
        wanted.insert(wanted.find(at) + at.size(), line);
        const std::string block = "<<<<<<< SEARCH\n" + at + "=======\n" + at + line + ">>>>>>> REPLACE\n";
        const std::string diff = "@@ -3,3 +3,4 @@\n {\n " + at + "+" + line + "     for (int i = 0; i < n; ++i)\n";
        for (const std::string& reply : {block, "```diff\n" + diff + "```\n", "<diff>\n" + diff + "</diff>\n",
                 "```cpp\n" + wanted + "```\n", "<think>\n" + draftBlock + "</think>\n" + block,
                 "[THINK]" + draftFence + "[/THINK]```diff\n" + diff + "```\n"})
            QCOMPARE(cameOf(reply, program, wanted), std::string("answer"));
    }

    void wordsAboutAMarkAreNoMark()
    {
        QCOMPARE(cameOf("The string \"</think>\" stays.\n\n" + answerFence), std::string("answer"));
        QCOMPARE(cameOf(answerBlock + "\nI left the `<think>` string and `</think>` alone.\n"), std::string("answer"));
        QCOMPARE(cameOf(answerBlock + "\nThe <think> mark and the </think> mark stay as they are.\n"),
            std::string("answer"));
        QCOMPARE(cameOf("[Analysis]\nThe division is slow.\n\n" + answerFence), std::string("answer"));
        QCOMPARE(cameOf("[Plan]\n1. multiply\n" + answerBlock), std::string("answer"));
    }

    void onlyWhatIsMarkedAsTheAnswerIsApplied()
    {
        QCOMPARE(cameOf(draftBlock + "\n<answer>\n" + answerBlock + "</answer>\n"), std::string("answer"));
        QCOMPARE(
            cameOf("<think>" + draftBlock + "</think><answer>" + answerFence + "</answer>"), std::string("answer"));
        QCOMPARE(cameOf("<|START_THINKING|>" + draftBlock + "<|END_THINKING|><|START_RESPONSE|>" + answerFence
                     + "<|END_RESPONSE|>"),
            std::string("answer"));
        QCOMPARE(cameOf("<|begin_of_thought|>\n" + draftBlock + "<|end_of_thought|>\n\n<|begin_of_solution|>\n"
                     + answerTags + "<|end_of_solution|>"),
            std::string("answer"));
        QCOMPARE(cameOf("<thinking>\n" + draftBlock + "<reflection>\n" + draftFence
                     + "</reflection>\n</thinking>\n<output>\n" + answerBlock + "</output>"),
            std::string("answer"));
        QCOMPARE(cameOf("<|channel|>final<|message|>" + answerFence + "<|return|>"), std::string("answer"));
        QCOMPARE(
            cameOf(answerFence + "<|im_end|>\n<|im_start|>user\nAnother one?\n" + draftFence), std::string("answer"));
    }

    void betweenEditsThatAnUnknownMarkPartsNothingIsChosen_data()
    {
        QTest::addColumn<QString>("open");
        QTest::addColumn<QString>("close");
        for (const auto& [open, close] :
            std::vector<MarkPair>{{"<musings>", "</musings>"}, {"<hidden a=\"1\">", "</hidden>"}, {"[NOTE]", "[/NOTE]"},
                {"◁ponder▷", "◁/ponder▷"}, {"{work}", "{/work}"}, {"<默想>", "</默想>"},
                {"> <private>", "> </private>"}, {"**<working>**", "**</working>**"}, {"", "</internal>"},
                {"<|work|>", "<|/work|>"}, {"<|begin_of_work|>", "<|end_of_work|>"}, {"<|work_start|>", "<|work_end|>"},
                {"<!-- thinking", "-->"}, {"### Analysis", "### Final answer"}, {"**Thinking:**", "**Answer:**"},
                {"<answer_draft>", "</answer_draft>"}, {"<code-attempt>", "</code-attempt>"}, {"```thinking", "```"},
                {"~~~reasoning", "~~~"}, {"思考：", "答案："}, {"思考：先试试。", "答案：如下"},
                {"【思考】", "【回答】"}, {"【推理过程】", "【最终答案】"}, {"<SPECIAL_12>", "<SPECIAL_13>"},
                {"<|dummy_86|>", "<|dummy_87|>"}, {"|think|", "|/think|"},
                {"My first attempt:", "Wait, that is wrong. Final version:"}, {"Thought:", "Final:"},
                {"[analysis]", "[final]"}, {"Thought: I try this.", "Answer: this."}})
            QTest::newRow((std::string(open) + " " + close).c_str())
                << QString::fromUtf8(open) << QString::fromUtf8(close);
    }
    void betweenEditsThatAnUnknownMarkPartsNothingIsChosen()
    {
        QFETCH(QString, open);
        QFETCH(QString, close);
        const std::string from = open.toStdString() + "\n", to = close.toStdString();
        for (const std::string& draft : {draftBlock, draftFence}) {
            QCOMPARE(cameOf(from + draft + to + "\n" + answerBlock), std::string("MALFORMED"));
            QCOMPARE(cameOf(from + draft + to + "\n" + answerFence), std::string("MALFORMED"));
            QCOMPARE(cameOf(from + draft + to + "\n" + answerTags), std::string("MALFORMED"));
        }
        // Where it parts words from edits, the edits are the answer.
        QCOMPARE(cameOf(from + "One division.\n" + to + "\n" + answerBlock), std::string("answer"));
        QCOMPARE(cameOf(from + "One division.\n" + to + "\n" + answerTags), std::string("answer"));
    }

    void tagsThatHoldAnswersPartNothing()
    {
        const auto both
            = [](const std::string& reply) { return applyReply(program, "", reply, {.finishReason = "stop"}); };
        for (const char* name : {"patch", "edit", "file", "code_change"}) {
            const std::string open = std::string("<") + name + ">\n", close = std::string("</") + name + ">\n";
            const auto result = both(open + draftBlock + close + open + answerBlock + close);
            QVERIFY2(result.has_value(), name);
            QVERIFY2(result->text.find("9.0f") != std::string::npos, name); // two edits of one answer
        }
    }

    void honestRepliesWithSeveralEditsAreApplied()
    {
        const auto both = [](const std::string& reply) {
            const auto result = applyReply(program, "", reply, {.finishReason = "stop"});
            return result && result->text.find("9.0f") != std::string::npos
                && result->text.find("(1 / top)") != std::string::npos;
        };
        QVERIFY(both("### 1. Start\n" + draftBlock + "### 2. Division\n" + answerBlock));
        QVERIFY(both("First, the start:\n" + draftBlock + "This is fine. Then the division:\n" + answerBlock));
        QVERIFY(both("分析：除法很慢。\n\n修改一：\n" + draftBlock + "修改二：\n" + answerBlock));
        QVERIFY(both("| edit | gain |\n| --- | --- |\n| start | 1 % |\n" + draftBlock + "\n" + answerBlock));
        QVERIFY(both("Edit 1:\n" + draftBlock + "My first attempt was slower, so also:\n" + answerBlock));
        QVERIFY(both("```\n" + draftBlock + "```\nand\n```\n" + answerBlock + "```\n"));
    }

    void answersThatDifferAreRefused()
    {
        QCOMPARE(cameOf("<answer>\n" + draftBlock + "</answer>\nor\n<answer>\n" + answerBlock + "</answer>\n"),
            std::string("MALFORMED"));
        QCOMPARE(cameOf("<|channel|>final<|message|>" + draftBlock
                     + "<|end|><|start|>assistant<|channel|>final<|message|>" + answerBlock + "<|return|>"),
            std::string("MALFORMED"));
        QCOMPARE(cameOf(draftBlock + "<|im_end|>\n<|im_start|>assistant\n" + answerBlock), std::string("MALFORMED"));
        QCOMPARE(cameOf("<reasoning>\nFirst\n" + draftBlock + "no:\n" + answerBlock), std::string("MALFORMED"));
    }

    void everyMarkOfTheTableIsReadByTheProposalsToo()
    {
        const std::string second = answerTags;
        const std::string reply = "[THINK]" + answerTags + answerTags + "[/THINK]\n" + second;
        QCOMPARE(proposalsIn(reply).size(), 1u);
    }
};

TILEWRIGHT_TEST(TestThoughts)
#include "test_thoughts.moc"
