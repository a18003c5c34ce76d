// SPDX-License-Identifier: GPL-3.0-or-later
// Random edits of random programs, rendered in every form with every malformation: the edited text comes back exactly,
// or the reply is refused. Never another text.
#include "core/base/text.h"
#include "core/patch/diff.h"
#include "core/patch/patch.h"
#include "tests/patch/malformations.h"
#include "tests/test_program.h"

#include <QTest>
#include <algorithm>
#include <map>

using namespace tilewright;
using namespace tilewright::testing;

namespace {

constexpr std::uint64_t rounds = 200;

Language languageOf(std::uint64_t round) { return round % 3 == 0 ? Language::Python : Language::Cpp; }

/// A reply in each form that can hold the diff.
std::vector<std::string> repliesWith(const Lines& diff, Forms forms = Forms::All)
{
    std::vector<std::string> replies{asUnified(diff), asEnvelope(diff)};
    if (auto blocks = asBlocks(diff); blocks && forms == Forms::All)
        replies.push_back(std::move(*blocks));
    return replies;
}

/// Does a cut reply, a bare diff or blocks, end behind a hunk, with nothing of the next one there?
bool isBetween(const std::string& reply)
{
    const std::string whole = reply.ends_with('\n') ? reply : reply + "\n";
    const std::size_t header = whole.rfind("\n@@ -");
    if (whole.find("<<<<<<<") != std::string::npos) {
        const std::size_t end = whole.rfind(">>>>>>> REPLACE");
        return end != std::string::npos && whole.find_first_not_of('\n', end + 15) == std::string::npos;
    }
    if (header == std::string::npos)
        return false;
    // "@@ -12,5 +12,6 @@": counts, 1 where there is none; the hunk's last line may be cut in the middle.
    const std::size_t lineEnd = whole.find('\n', header + 1);
    const std::string numbers = whole.substr(header + 1, lineEnd - header - 1);
    const auto countBehind = [&](char sign) {
        const std::size_t at = numbers.find_first_of(", ", numbers.find(sign));
        return at != std::string::npos && numbers[at] == ',' ? std::stoi(numbers.substr(at + 1)) : 1;
    };
    if (!numbers.ends_with(" @@"))
        return false;
    int old = countBehind('-'), fresh = countBehind('+');
    for (const std::string_view line : splitLines(std::string_view(whole).substr(lineEnd + 1))) {
        old -= line.starts_with(' ') || line.starts_with('-');
        fresh -= line.starts_with(' ') || line.starts_with('+');
    }
    return old <= 0 && fresh <= 0;
}

/// A token more in a comment alone is forgiven.
bool differsInComments(const PatchResult& result)
{
    return std::ranges::find(result.repairs, "comments", &Repair::code) != result.repairs.end();
}

} // namespace

class TestPatchProperties : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aMalformedReplyGivesTheEditedTextOrIsRefused_data();
    void aMalformedReplyGivesTheEditedTextOrIsRefused();
    void twoMalformationsAtOnceGiveTheEditedTextOrARefusal();
    void aWholeProgramGivesItsText();
    void aCutReplyIsNeverAppliedInPart_data();
    void aCutReplyIsNeverAppliedInPart();
    void noBytesBreakIt();
};

void TestPatchProperties::aMalformedReplyGivesTheEditedTextOrIsRefused_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < malformations().size(); ++i)
        QTest::newRow(malformations()[i].name) << static_cast<int>(i);
}

void TestPatchProperties::aMalformedReplyGivesTheEditedTextOrIsRefused()
{
    QFETCH(int, index);
    const Malformation& malformation = malformations()[static_cast<std::size_t>(index)];
    int applied = 0, made = 0;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        CounterRandom random(23, static_cast<std::uint64_t>(index), round);
        const Edited edited = randomEdit(random, languageOf(round));
        if (edited.before == edited.after)
            continue;
        const Lines clean = diffLinesOf(edited, 2 + random.below(2));
        const Lines diff = malformation.spoil ? malformation.spoil(clean, random) : clean;
        const bool spoils = malformation.spoil || malformation.wrap;
        for (const std::string& whole : repliesWith(diff, malformation.forms)) {
            const std::string reply = malformation.wrap ? malformation.wrap(whole) : whole;
            if (spoils && diff == clean && reply == whole)
                continue; // nothing in it could be spoiled
            ++made;
            const auto result = applyReply(edited.before, edited.file(), reply);
            if (!result)
                continue;
            ++applied;
            QVERIFY2((malformation.mostApplied > 0 || differsInComments(*result)) && result->text == edited.after,
                qPrintable(q("--- difference\n" + unifiedDiff(edited.after, result->text, "x") + "--- reply\n" + reply
                    + "--- source\n" + edited.before)));
            const auto again = applyDiff(edited.before, result->diff);
            QVERIFY(again.has_value() && again->text == result->text);
        }
    }
    const QByteArray counts = QByteArray::number(applied) + " of " + QByteArray::number(made);
    qInfo("%s", counts.constData());
    QVERIFY2(made >= malformation.leastInputs, counts);
    QVERIFY2(applied * 100 >= made * malformation.leastApplied, counts);
}

void TestPatchProperties::twoMalformationsAtOnceGiveTheEditedTextOrARefusal()
{
    // TILEWRIGHT_PAIR_ROUNDS: how many edits for each pair; some hundred of them are a search by hand.
    bool isSet = false;
    const int wanted = qEnvironmentVariableIntValue("TILEWRIGHT_PAIR_ROUNDS", &isSet);
    const auto pairRounds = static_cast<std::uint64_t>(isSet ? wanted : 8);
    const std::vector<Malformation>& all = malformations();
    const auto isMended = [](const Malformation& one) { return one.mostApplied > 0; };
    std::map<std::string, std::string> wrong; // by the names of the two
    std::size_t made = 0, applied = 0;
    for (std::size_t one = 1; one < all.size(); ++one) {
        for (std::size_t other = one + 1; other < all.size(); ++other) {
            if (!isMended(all[one]) && !isMended(all[other]))
                continue; // one of the two may take the other away
            for (std::uint64_t round = 0; round < pairRounds; ++round) {
                CounterRandom random(27, one * all.size() + other, round);
                const Edited edited = randomEdit(random, languageOf(round));
                if (edited.before == edited.after)
                    continue;
                const Lines clean = diffLinesOf(edited, 2 + random.below(2));
                const Lines once = all[one].spoil ? all[one].spoil(clean, random) : clean;
                const Lines twice = all[other].spoil ? all[other].spoil(once, random) : once;
                if ((all[one].spoil && once == clean) || (all[other].spoil && twice == once))
                    continue;
                const bool signsOnly = all[one].forms == Forms::WithSigns || all[other].forms == Forms::WithSigns;
                for (std::string reply : repliesWith(twice, signsOnly ? Forms::WithSigns : Forms::All)) {
                    for (const Malformation* each : {&all[one], &all[other]})
                        reply = each->wrap ? each->wrap(reply) : reply;
                    ++made;
                    const auto result = applyReply(edited.before, edited.file(), reply);
                    if (!result)
                        continue;
                    ++applied;
                    if (result->text == edited.after
                        && ((isMended(all[one]) && isMended(all[other])) || differsInComments(*result)))
                        continue;
                    wrong[std::string(all[one].name) + ", " + all[other].name] = "\n--- difference\n"
                        + unifiedDiff(edited.after, result->text, "x") + "--- reply\n" + reply + "--- source\n"
                        + edited.before;
                }
            }
        }
    }
    const QByteArray counts = QByteArray::number(applied) + " of " + QByteArray::number(made);
    qInfo("%s", counts.constData());
    for (const auto& [names, what] : wrong)
        qWarning("%s", (names + what).c_str());
    QVERIFY(wrong.empty());
    QVERIFY2(made > pairRounds * 1000 && applied * 2 > made, counts);
}

void TestPatchProperties::aWholeProgramGivesItsText()
{
    for (std::uint64_t round = 0; round < 200; ++round) {
        CounterRandom random(24, 0, round);
        const Edited edited = randomEdit(random, languageOf(round));
        if (edited.before == edited.after)
            continue;
        const auto result = applyReply(edited.before, "x.cu", "Done:\n```cpp\n" + edited.after + "```\n");
        QVERIFY2(result.has_value(), result ? "" : result.error().text.c_str());
        QCOMPARE(q(result->text), q(edited.after));
    }
}

void TestPatchProperties::aCutReplyIsNeverAppliedInPart_data()
{
    QTest::addColumn<QString>("reason");
    for (const char* reason : {"length", "max_tokens", ""})
        QTest::newRow(*reason ? reason : "nobody said why it ended") << QString::fromLatin1(reason);
}

void TestPatchProperties::aCutReplyIsNeverAppliedInPart()
{
    QFETCH(QString, reason);
    PatchOptions options;
    options.finishReason = reason.toStdString();
    int ofSeveral = 0, betweenHunks = 0, inOpenForm = 0;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        CounterRandom random(25, 0, round);
        const Edited edited = randomEdit(random, Language::Cpp);
        if (edited.before == edited.after)
            continue;
        const Lines diff = diffLinesOf(edited, 3);
        const bool several = hunksIn(diff) > 1;
        const std::string unified = asUnified(diff);
        std::vector<std::string> replies{
            unified, asEnvelope(diff), "```diff\n" + joinedLines(diff) + "```\n", "```cpp\n" + edited.after + "```\n"};
        const std::string bare = joinedLines(diff), blocks = asBlocks(diff).value_or(unified);
        replies.push_back(bare);
        replies.push_back(blocks);
        for (const std::string& reply : replies) {
            std::vector<std::size_t> ends{random.below(reply.size()), random.below(reply.size())};
            for (std::size_t at = reply.find("\n@@"); at != std::string::npos; at = reply.find("\n@@", at + 1))
                ends.push_back(at + 1); // right between two hunks
            betweenHunks += static_cast<int>(ends.size()) - 3;
            for (const std::size_t end : ends) {
                // Without a word of it nothing tells that another hunk was to come.
                const bool isOpen = reply == bare || reply == blocks;
                if (options.finishReason == "" && isOpen && isBetween(reply.substr(0, end)))
                    continue;
                const auto result = applyReply(edited.before, "x.cu", reply.substr(0, end), options);
                ofSeveral += several;
                inOpenForm += isOpen;
                if (result)
                    QVERIFY2(result->text == edited.after, reply.substr(0, end).c_str());
            }
        }
    }
    QVERIFY2(ofSeveral > 500, QByteArray::number(ofSeveral));
    QVERIFY2(betweenHunks > 100, QByteArray::number(betweenHunks));
    QVERIFY2(inOpenForm > 300, QByteArray::number(inOpenForm));
}

void TestPatchProperties::noBytesBreakIt()
{
    for (std::uint64_t round = 0; round < 1500; ++round) {
        CounterRandom random(26, 0, round);
        const Edited edited = randomEdit(random, languageOf(round));
        const Lines diff = diffLinesOf(edited, 3);
        std::string reply = round % 3 == 0 ? asUnified(diff)
            : round % 3 == 1               ? asEnvelope(diff)
                                           : asBlocks(diff).value();
        for (std::uint64_t i = 0; i < 1 + random.below(8); ++i) {
            const std::size_t at = random.below(reply.size() + 1);
            if (random.below(2) == 0)
                reply.insert(at, 1, static_cast<char>(random.below(256)));
            else
                reply.erase(at, random.below(30));
        }
        const auto result = applyReply(edited.before, "x.cu", reply);
        if (result)
            QVERIFY(result->text != edited.before);
        else
            QVERIFY(!result.error().code.empty());
    }
}

TILEWRIGHT_TEST(TestPatchProperties)
#include "test_patch_properties.moc"
