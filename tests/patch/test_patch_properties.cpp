// SPDX-License-Identifier: GPL-3.0-or-later
// Random edits of random programs, rendered in every form with every malformation: the edited text comes back exactly,
// or the reply is refused. Never another text.
#include "core/base/random.h"
#include "core/base/text.h"
#include "core/patch/diff.h"
#include "core/patch/patch.h"

#include <QTest>
#include <functional>

using namespace tilewright;

namespace {

using Lines = std::vector<std::string>;

/// A program before and after an edit inside its block.
struct Edited {
    std::string before, after;
};

std::string codeLine(CounterRandom& random, bool python)
{
    static const char* const names[] = {"acc", "tile", "row", "lane", "k", "offset"};
    const std::string a = names[random.below(6)], b = names[random.below(6)];
    const std::string number = std::to_string(random.below(40));
    switch (random.below(python ? 4 : 7)) {
    case 0:
        return a + " = " + b + " + " + number + (python ? "" : ";");
    case 1:
        return python ? "if " + a + " < " + number + ":" : "if (" + a + " < " + number + ") {";
    case 2:
        return a + "[" + number + "] = \"" + b + "  - " + number + "\"" + (python ? "" : ";");
    case 3:
        return "";
    case 4:
        return "// the " + a + " of \"" + b + "\"";
    case 5:
        return "}";
    default:
        return "for (int i = 0; i < " + number + " && i != " + a + "; ++i) {";
    }
}

std::string line(CounterRandom& random, bool python)
{
    const std::string code = codeLine(random, python);
    return code.empty() ? code : std::string(4 * random.below(4), ' ') + code;
}

Edited randomEdit(CounterRandom& random, bool python)
{
    const std::string sign = python ? "# " : "// ";
    Edited edited;
    edited.before = python ? "import triton\n" : "#include <x>\n";
    edited.before += sign + "EVOLVE-BLOCK-START\n";
    edited.after = edited.before;
    const std::uint64_t length = 4 + random.below(50);
    for (std::uint64_t i = 0; i < length; ++i) {
        const std::string old = line(random, python) + "\n";
        const auto fate = random.below(14);
        edited.before += old;
        edited.after += fate == 0 ? "" : fate == 1 ? line(random, python) + "\n" : old;
        if (fate == 2)
            edited.after += line(random, python) + "\n";
    }
    const std::string end = sign + "EVOLVE-BLOCK-END\n" + (python ? "print(1)\n" : "int main() { }\n");
    edited.before += end;
    edited.after += end;
    return edited;
}

/// The hunks of a unified diff as lines, without file header.
Lines diffLinesOf(const Edited& edited, std::size_t context)
{
    Lines lines;
    const std::string diff = unifiedDiff(edited.before, edited.after, "x.cu", context);
    for (const std::string_view text : splitLines(diff))
        lines.emplace_back(text);
    return lines;
}

std::string joinedLines(const Lines& lines) { return joined(lines, "\n") + "\n"; }

std::string asUnified(const Lines& diff) { return "<diff>\n" + joinedLines(diff) + "</diff>\n"; }

std::string asEnvelope(const Lines& diff)
{
    std::string text = "*** Begin Patch\n*** Update File: x.cu\n";
    for (std::size_t i = 2; i < diff.size(); ++i)
        text += (diff[i].starts_with("@@") ? std::string("@@") : diff[i]) + "\n";
    return text + "*** End Patch\n";
}

std::string asBlocks(const Lines& diff)
{
    std::string text, search, replace;
    const auto flush = [&] {
        if (!search.empty() || !replace.empty())
            text += "<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n\n";
        search.clear();
        replace.clear();
    };
    for (std::size_t i = 2; i < diff.size(); ++i) {
        if (diff[i].starts_with("@@")) {
            flush();
            continue;
        }
        if (diff[i][0] != '+')
            search += diff[i].substr(1) + "\n";
        if (diff[i][0] != '-')
            replace += diff[i].substr(1) + "\n";
    }
    flush();
    return text;
}

/// Applies a change to every line that belongs to a hunk (has a sign).
template <typename Change> Lines eachHunkLine(Lines diff, Change change)
{
    for (std::size_t i = 2; i < diff.size(); ++i)
        if (!diff[i].starts_with("@@"))
            diff[i] = change(diff[i]);
    return diff;
}

std::string replacedAll(std::string text, const std::string& old, const std::string& fresh)
{
    for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + fresh.size()))
        text.replace(at, old.size(), fresh);
    return text;
}

struct Malformation {
    const char* name;
    std::function<Lines(Lines, CounterRandom&)> spoil;
};

const std::vector<Malformation>& malformations()
{
    static const std::vector<Malformation> all{
        {"none", [](Lines diff, CounterRandom&) { return diff; }},
        {"wrong numbers",
            [](Lines diff, CounterRandom& random) {
                for (std::string& one : diff)
                    if (one.starts_with("@@"))
                        one = "@@ -" + std::to_string(900 + random.below(50)) + "," + std::to_string(random.below(9))
                            + " +1,2 @@";
                return diff;
            }},
        {"bare headers",
            [](Lines diff, CounterRandom&) {
                for (std::string& one : diff)
                    one = one.starts_with("@@") ? "@@" : one;
                return diff;
            }},
        {"no file header",
            [](Lines diff, CounterRandom&) {
                diff[0] = diff[1] = "";
                return diff;
            }},
        {"lost space",
            [](const Lines& diff, CounterRandom&) {
                return eachHunkLine(diff, [](const std::string& one) { return one[0] == ' ' ? one.substr(1) : one; });
            }},
        {"some lost space",
            [](const Lines& diff, CounterRandom& random) {
                return eachHunkLine(diff, [&](const std::string& one) {
                    return one[0] == ' ' && random.below(2) == 0 ? one.substr(1) : one;
                });
            }},
        {"space behind signs",
            [](const Lines& diff, CounterRandom&) {
                return eachHunkLine(diff, [](const std::string& one) {
                    return one[0] == ' ' || one.size() == 1 ? one : one.substr(0, 1) + " " + one.substr(1);
                });
            }},
        {"indented",
            [](const Lines& diff, CounterRandom&) {
                return eachHunkLine(diff, [](const std::string& one) {
                    return one.size() == 1 ? one : one.substr(0, 1) + "    " + one.substr(1);
                });
            }},
        {"tabs",
            [](const Lines& diff, CounterRandom&) {
                return eachHunkLine(diff, [](const std::string& one) {
                    const std::size_t code = std::min(one.find_first_not_of(' ', 1), one.size());
                    return one.substr(0, 1) + std::string((code - 1) / 4, '\t') + one.substr(code);
                });
            }},
        {"trailing blanks",
            [](const Lines& diff, CounterRandom& random) {
                return eachHunkLine(diff,
                    [&](const std::string& one) { return one[0] != '+' && random.below(3) == 0 ? one + "  " : one; });
            }},
        {"typographic",
            [](const Lines& diff, CounterRandom&) {
                return eachHunkLine(diff, [](const std::string& one) {
                    return one[0] != '+' ? one.substr(0, 1) + replacedAll(one.substr(1), " - ", " \u2013 ") : one;
                });
            }},
        {"escaped",
            [](const Lines& diff, CounterRandom&) {
                return eachHunkLine(diff, [](const std::string& one) {
                    return replacedAll(replacedAll(replacedAll(one, "&", "&amp;"), "<", "&lt;"), ">", "&gt;");
                });
            }},
        {"fenced",
            [](Lines diff, CounterRandom&) {
                diff.insert(diff.begin(), "```diff");
                diff.push_back("```");
                return diff;
            }},
        {"a token changed in a removed line",
            [](Lines diff, CounterRandom&) {
                for (std::size_t i = 2; i < diff.size(); ++i)
                    if (diff[i].starts_with('-')) {
                        diff[i] += "x";
                        break;
                    }
                return diff;
            }},
        {"a context line misquoted",
            [](Lines diff, CounterRandom& random) {
                const std::size_t i = 2 + random.below(diff.size() - 2);
                if (diff[i].starts_with(' '))
                    diff[i] += "y";
                return diff;
            }},
        {"a line lost",
            [](Lines diff, CounterRandom& random) {
                const std::size_t i = 2 + random.below(diff.size() - 2);
                // A lost blank line beside another one leaves no trace.
                if (diff[i].starts_with(' ') && diff[i].size() > 1)
                    diff.erase(diff.begin() + static_cast<std::ptrdiff_t>(i));
                return diff;
            }},
        {"one hunk twice",
            [](Lines diff, CounterRandom&) {
                const Lines copy(diff.begin() + 2, diff.end());
                diff.insert(diff.end(), copy.begin(), copy.end());
                return diff;
            }},
    };
    return all;
}

QString q(const std::string& text) { return QString::fromStdString(text); }

} // namespace

class TestPatchProperties : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aMalformedReplyGivesTheEditedTextOrIsRefused_data();
    void aMalformedReplyGivesTheEditedTextOrIsRefused();
    void aWholeProgramGivesItsText();
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
    int applied = 0, tried = 0;
    for (std::uint64_t round = 0; round < 150; ++round) {
        CounterRandom random(23, static_cast<std::uint64_t>(index), round);
        const bool python = round % 3 == 0;
        const Edited edited = randomEdit(random, python);
        if (edited.before == edited.after)
            continue;
        const Lines clean = diffLinesOf(edited, 2 + random.below(2));
        // Without a removed line that says something, a blank behind the signs may belong to the text.
        const bool silent = std::none_of(clean.begin() + 2, clean.end(),
            [](const std::string& one) { return one.starts_with('-') && one.size() > 1; });
        if (silent && std::string_view(malformation.name) == "space behind signs")
            continue;
        const Lines diff = malformation.spoil(clean, random);
        std::vector<std::string> replies{asUnified(diff), asEnvelope(diff)};
        // SEARCH/REPLACE halves have no signs that could be wrong.
        if (std::all_of(diff.begin() + 2, diff.end(), [](const std::string& one) {
                return !one.empty() && std::string_view("+- @").find(one[0]) != std::string_view::npos;
            }))
            replies.push_back(asBlocks(diff));
        for (const std::string& reply : replies) {
            ++tried;
            const auto result = applyReply(edited.before, python ? "x.py" : "x.cu", reply);
            if (!result)
                continue;
            ++applied;
            QVERIFY2(result->text == edited.after,
                qPrintable(q("--- difference\n" + unifiedDiff(edited.after, result->text, "x") + "--- reply\n" + reply
                    + "--- source\n" + edited.before)));
            const auto again = applyDiff(edited.before, result->diff);
            QVERIFY(again.has_value() && again->text == result->text);
        }
    }
    const QByteArray name(malformation.name);
    if (name == "none")
        QCOMPARE(applied > tried * 9 / 10, true);
    else if (name != "a token changed in a removed line")
        QVERIFY2(applied > tried / 10, QByteArray::number(applied) + " of " + QByteArray::number(tried));
}

void TestPatchProperties::aWholeProgramGivesItsText()
{
    for (std::uint64_t round = 0; round < 200; ++round) {
        CounterRandom random(24, 0, round);
        const Edited edited = randomEdit(random, round % 2 == 0);
        if (edited.before == edited.after)
            continue;
        const auto result = applyReply(edited.before, "x.cu", "Done:\n```cpp\n" + edited.after + "```\n");
        QVERIFY2(result.has_value(), result ? "" : result.error().text.c_str());
        QCOMPARE(q(result->text), q(edited.after));
    }
}

void TestPatchProperties::aCutReplyIsNeverAppliedInPart()
{
    PatchOptions options;
    options.finishReason = "length";
    for (std::uint64_t round = 0; round < 60; ++round) {
        CounterRandom random(25, 0, round);
        const Edited edited = randomEdit(random, false);
        if (edited.before == edited.after)
            continue;
        const Lines diff = diffLinesOf(edited, 3);
        for (const std::string& reply : {asUnified(diff), asEnvelope(diff), "```cpp\n" + edited.after + "```\n"}) {
            const auto cut = reply.substr(0, random.below(reply.size()));
            const auto result = applyReply(edited.before, "x.cu", cut, options);
            // Cut between two hunks with right counts the rest looks whole: the one thing no applier can see.
            const bool several
                = std::ranges::count_if(diff, [](const std::string& one) { return one.starts_with("@@"); }) > 1;
            if (result && !several)
                QCOMPARE(q(result->text), q(edited.after));
        }
    }
}

void TestPatchProperties::noBytesBreakIt()
{
    for (std::uint64_t round = 0; round < 1500; ++round) {
        CounterRandom random(26, 0, round);
        const Edited edited = randomEdit(random, round % 2 == 0);
        const Lines diff = diffLinesOf(edited, 3);
        std::string reply = round % 3 == 0 ? asUnified(diff) : round % 3 == 1 ? asEnvelope(diff) : asBlocks(diff);
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

QTEST_GUILESS_MAIN(TestPatchProperties)
#include "test_patch_properties.moc"
