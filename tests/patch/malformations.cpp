// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/patch/malformations.h"

#include <algorithm>

namespace tilewright::testing {
namespace {

/// Changes every line that belongs to a hunk (has a sign).
template <typename Change> Lines eachHunkLine(Lines diff, Change change)
{
    for (std::size_t i = 2; i < diff.size(); ++i)
        if (!beginsHunk(diff[i]))
            diff[i] = change(diff[i]);
    return diff;
}

template <typename Change> Lines eachHeader(Lines diff, Change change)
{
    for (std::string& line : diff)
        if (beginsHunk(line))
            line = change(line);
    return diff;
}

/// Changes what stands behind the sign.
template <typename Change> Lines eachText(Lines diff, Change change)
{
    return eachHunkLine(
        std::move(diff), [&](const std::string& line) { return line.substr(0, 1) + change(line.substr(1)); });
}

/// The lines [first, last) of each hunk, header left out.
struct HunkSpan {
    std::size_t first = 0, last = 0;
};

std::vector<HunkSpan> spansOf(const Lines& diff)
{
    std::vector<HunkSpan> spans;
    for (std::size_t i = 2; i < diff.size(); ++i) {
        if (beginsHunk(diff[i]))
            spans.push_back({i + 1, i + 1});
        else if (!spans.empty())
            spans.back().last = i + 1;
    }
    return spans;
}

bool isContext(const std::string& line) { return line.starts_with(' '); }

/// How many context lines stand at the begin of a hunk, and at its end.
std::size_t leading(const Lines& diff, const HunkSpan& hunk)
{
    std::size_t count = 0;
    while (hunk.first + count < hunk.last && isContext(diff[hunk.first + count]))
        ++count;
    return count;
}
std::size_t trailing(const Lines& diff, const HunkSpan& hunk)
{
    std::size_t count = 0;
    while (hunk.first + count < hunk.last && isContext(diff[hunk.last - 1 - count]))
        ++count;
    return count;
}

Lines wrongNumbers(Lines diff, CounterRandom& random)
{
    return eachHeader(std::move(diff), [&](const std::string&) {
        return "@@ -" + std::to_string(900 + random.below(50)) + "," + std::to_string(random.below(9)) + " +1,2 @@";
    });
}

Lines withoutFirstHeader(Lines diff, CounterRandom&)
{
    // Only where it is the only one: hunks without any parting are another malformation.
    if (hunksIn(diff) == 1)
        std::erase_if(diff, beginsHunk);
    return diff;
}

Lines lostSpaces(Lines diff, CounterRandom&)
{
    return eachHunkLine(
        std::move(diff), [](const std::string& line) { return isContext(line) ? line.substr(1) : line; });
}

Lines someLostSpaces(Lines diff, CounterRandom& random)
{
    return eachHunkLine(std::move(diff),
        [&](const std::string& line) { return isContext(line) && random.below(2) == 0 ? line.substr(1) : line; });
}

Lines spaceBehindSigns(Lines diff, CounterRandom&)
{
    // Without a removed line that says something only the program's own indentation shows that the blank is one too
    // many.
    const bool silent = std::none_of(diff.begin() + 2, diff.end(), [](const std::string& line) {
        return (line.starts_with('-') && line.size() > 1) || line.starts_with("     ");
    });
    if (silent)
        return diff;
    return eachHunkLine(std::move(diff), [](const std::string& line) {
        return isContext(line) || line.size() == 1 ? line : line.substr(0, 1) + " " + line.substr(1);
    });
}

Lines tabsForBlanks(Lines diff, CounterRandom&)
{
    return eachText(std::move(diff), [](const std::string& text) {
        const std::size_t code = std::min(text.find_first_not_of(' '), text.size());
        return std::string(code / 4, '\t') + text.substr(code);
    });
}

/// Four blanks less for each line; only where all have them.
Lines outdented(Lines diff, CounterRandom&)
{
    const bool fits = std::all_of(diff.begin() + 2, diff.end(), [](const std::string& line) {
        return beginsHunk(line) || line.size() == 1 || line.substr(1).starts_with("    ");
    });
    return fits ? eachText(std::move(diff),
               [](const std::string& text) { return text.substr(std::min<std::size_t>(4, text.size())); })
                : diff;
}

Lines innerBlanks(Lines diff, CounterRandom&)
{
    return eachHunkLine(std::move(diff), [](const std::string& line) {
        // Not in strings: there a blank is a token.
        return line.starts_with('+') || line.find('"') != std::string::npos ? line : replacedAll(line, " + ", "  +  ");
    });
}

Lines skippedContext(Lines diff, const std::string& with)
{
    for (const HunkSpan& hunk : spansOf(diff)) {
        // In the middle of three leading lines.
        if (leading(diff, hunk) < 3 || diff[hunk.first + 1].size() < 3)
            continue;
        if (with.empty())
            diff.erase(diff.begin() + static_cast<std::ptrdiff_t>(hunk.first + 1));
        else
            diff[hunk.first + 1] = with;
        break;
    }
    return diff;
}

Lines skippedBlankLines(Lines diff, CounterRandom&)
{
    for (const HunkSpan& hunk : spansOf(diff))
        for (std::size_t i = hunk.first + 1; i + 1 < hunk.last; ++i)
            // Beside another blank line, or a change, it would leave no trace, or be the change's neighbour.
            if (diff[i] == " " && isContext(diff[i - 1]) && isContext(diff[i + 1]) && diff[i - 1].size() > 1
                && diff[i + 1].size() > 1) {
                diff.erase(diff.begin() + static_cast<std::ptrdiff_t>(i));
                return diff;
            }
    return diff;
}

/// The outermost context lines of a hunk, up to three in all, say something else than the program.
Lines misquotedContext(Lines diff, CounterRandom& random)
{
    const auto spans = spansOf(diff);
    const HunkSpan hunk = spans[random.below(spans.size())];
    const std::size_t front = std::min<std::size_t>(leading(diff, hunk), 2),
                      back = std::min<std::size_t>(trailing(diff, hunk), 1);
    for (std::size_t i = 0; i + 1 < front; ++i)
        diff[hunk.first + i] += "y";
    if (back > 0 && trailing(diff, hunk) > 1)
        diff[hunk.last - 1] += "y";
    return diff;
}

Lines misquotedSomewhere(Lines diff, CounterRandom& random)
{
    const std::size_t i = 2 + random.below(diff.size() - 2);
    if (isContext(diff[i]))
        diff[i] += "y";
    return diff;
}

Lines lostLine(Lines diff, CounterRandom& random)
{
    const std::size_t i = 2 + random.below(diff.size() - 2);
    // A lost blank line beside another one leaves no trace, and a lost neighbour of a change makes another change of
    // it.
    const bool isInside = i + 1 < diff.size() && isContext(diff[i - 1]) && isContext(diff[i + 1]);
    if (isContext(diff[i]) && diff[i].size() > 1 && isInside)
        diff.erase(diff.begin() + static_cast<std::ptrdiff_t>(i));
    return diff;
}

Lines copiedNumbers(Lines diff, CounterRandom&)
{
    // As a listing of the program shows them: behind the sign, right-aligned, with a bar.
    std::size_t number = 100;
    return eachText(std::move(diff), [&](const std::string& text) { return std::to_string(++number) + " | " + text; });
}

/// A blank line more in the middle of the context.
Lines blankTooMany(Lines diff, CounterRandom& random)
{
    const std::size_t i = 3 + random.below(diff.size() - 3);
    const auto says = [](const std::string& line) { return isContext(line) && line.size() > 1; };
    if (says(diff[i]) && says(diff[i - 1]))
        diff.insert(diff.begin() + static_cast<std::ptrdiff_t>(i), " ");
    return diff;
}

Lines reordered(Lines diff, CounterRandom&)
{
    const auto spans = spansOf(diff);
    if (spans.size() < 2)
        return diff;
    Lines other(diff.begin(), diff.begin() + 2);
    for (std::size_t i = spans.size(); i-- > 0;)
        other.insert(other.end(), diff.begin() + static_cast<std::ptrdiff_t>(spans[i].first - 1),
            diff.begin() + static_cast<std::ptrdiff_t>(spans[i].last));
    return other;
}

Lines repeated(Lines diff, CounterRandom&)
{
    const Lines copy(diff.begin() + 2, diff.end());
    diff.insert(diff.end(), copy.begin(), copy.end());
    return diff;
}

/// One removed line differs from the program in a token: it is never matched by likeness.
Lines changedToken(Lines diff, const std::string& more)
{
    for (std::size_t i = 2; i < diff.size(); ++i)
        if (diff[i].starts_with('-') && diff[i].size() > 4) {
            diff[i] += more;
            break;
        }
    return diff;
}

/// A new line has lost its +, as one that says something and stands nowhere in the program.
Lines forgottenPlus(Lines diff, CounterRandom& random)
{
    std::vector<std::size_t> added;
    for (std::size_t i = 2; i < diff.size(); ++i) {
        const std::string text = diff[i].substr(std::min<std::size_t>(1, diff[i].size()));
        const bool known = std::any_of(diff.begin() + 2, diff.end(), [&](const std::string& line) {
            return !line.starts_with('+') && !line.empty() && line.find(text) != std::string::npos;
        });
        if (diff[i].starts_with('+') && text.size() > 8 && !known)
            added.push_back(i);
    }
    if (!added.empty())
        diff[added[random.below(added.size())]][0] = ' ';
    return diff;
}

Lines loosened(Lines diff, CounterRandom&)
{
    // Insertions alone, all that says where they go left out.
    if (std::any_of(diff.begin() + 2, diff.end(), [](const std::string& line) { return line.starts_with('-'); }))
        return diff;
    std::erase_if(diff, isContext);
    return diff;
}

Lines elided(Lines diff, CounterRandom&)
{
    for (std::size_t i = 2; i < diff.size(); ++i)
        if (diff[i].starts_with('+')) {
            diff.insert(
                diff.begin() + static_cast<std::ptrdiff_t>(i + 1), "+    // ... rest of the code unchanged ...");
            break;
        }
    return diff;
}

std::string withCrlf(const std::string& reply) { return replacedAll(reply, "\n", "\r\n"); }

std::string inProse(const std::string& reply)
{
    return "Here is what I would do - it saves a load:\n\n" + reply + "\nI expect that this helps. Let me know!\n";
}

std::string afterADraft(const std::string& reply)
{
    return "<think>\nFirst idea:\n<diff>\n@@\n-int draft;\n+int other_draft;\n</diff>\nno, better:\n</think>\n" + reply;
}

std::string inCdata(const std::string& reply)
{
    return replacedAll(replacedAll(reply, "<diff>\n", "<diff>\n<![CDATA[\n"), "</diff>", "]]>\n</diff>");
}

std::string indentedWhole(const std::string& reply)
{
    return reply.starts_with("<<<<") ? reply
                                     : "    " + replacedAll(reply.substr(0, reply.size() - 1), "\n", "\n    ") + "\n";
}

const auto typographicQuotes = [](const std::string& line) {
    // In what must be found; added lines are a matter of their own.
    return line.starts_with('+') ? line : replacedAll(line, "\"", "\u201d");
};

} // namespace

const std::vector<Malformation>& malformations()
{
    const auto headers = [](const char* with) {
        return [with](Lines diff, CounterRandom&) {
            return eachHeader(std::move(diff), [&](const std::string&) { return std::string(with); });
        };
    };
    static const std::vector<Malformation> all{
        {"none", {}, {}, 460, 94},
        {"a token more in a removed line",
            [](Lines diff, CounterRandom&) { return changedToken(std::move(diff), "x"); }, {}, 150, 0, 0},
        {"a sign more in a removed line",
            [](Lines diff, CounterRandom&) { return changedToken(std::move(diff), " ^"); }, {}, 150, 0, 0},
        {"a stand-in for code", elided, {}, 150, 0, 0},
        {"insertions without anything beside them", loosened, {}, 15, 0, 0},
        {"a context line lost", lostLine, {}, 60, 43},
        {"blank lines left out", skippedBlankLines, {}, 120, 45},
        {"a blank line too many", blankTooMany, {}, 150, 40},
        {"outer context misquoted", misquotedContext, {}, 460, 94},
        {"a context line misquoted", misquotedSomewhere, {}, 300, 43},
        {"dots for context", [](Lines diff, CounterRandom&) { return skippedContext(std::move(diff), " ..."); }, {},
            220, 94},
        {"a forgotten +", forgottenPlus, {}, 220, 0, 0, Forms::WithSigns},
        {"inner blanks", innerBlanks, {}, 370, 94},
        {"typographic quotes",
            [](Lines diff, CounterRandom&) { return eachHunkLine(std::move(diff), typographicQuotes); }, {}, 430, 94},
        {"typographic dashes",
            [](Lines diff, CounterRandom&) {
                return eachHunkLine(std::move(diff), [](const std::string& line) {
                    return line[0] != '+' ? line.substr(0, 1) + replacedAll(line.substr(1), " - ", " \u2013 ") : line;
                });
            },
            {}, 390, 94},
        {"HTML escapes",
            [](Lines diff, CounterRandom&) {
                return eachHunkLine(std::move(diff), [](const std::string& line) {
                    return replacedAll(replacedAll(replacedAll(line, "&", "&amp;"), "<", "&lt;"), ">", "&gt;");
                });
            },
            {}, 430, 94},
        {"outdented", outdented, {}, 30, 94},
        {"indented",
            [](Lines diff, CounterRandom&) {
                return eachText(
                    std::move(diff), [](const std::string& text) { return text.empty() ? text : "    " + text; });
            },
            {}, 470, 94},
        {"tabs instead of blanks", tabsForBlanks, {}, 460, 94},
        {"trailing blanks",
            [](Lines diff, CounterRandom& random) {
                return eachHunkLine(std::move(diff), [&](const std::string& line) {
                    return line[0] != '+' && random.below(3) == 0 ? line + "  " : line;
                });
            },
            {}, 470, 94},
        {"line numbers copied", copiedNumbers, {}, 440, 94},
        {"hunks in another order", reordered, {}, 280, 94},
        {"every hunk twice", repeated, {}, 450, 94},
        {"wrong numbers and counts", wrongNumbers, {}, 460, 94},
        {"bare headers", headers("@@"), {}, 460, 92},
        {"headers of dots", headers("@@ ... @@"), {}, 460, 92},
        {"a header is missing", withoutFirstHeader, {}, 150, 94},
        {"a space behind the signs", spaceBehindSigns, {}, 280, 94, 100, Forms::WithSigns},
        {"context spaces lost", lostSpaces, {}, 300, 94, 100, Forms::WithSigns},
        {"some context spaces lost", someLostSpaces, {}, 300, 94, 100, Forms::WithSigns},
        {"no file header",
            [](Lines diff, CounterRandom&) {
                diff[0] = diff[1] = "";
                return diff;
            },
            {}, 460, 94},
        {"another name in the file header",
            [](Lines diff, CounterRandom&) {
                diff[0] = "--- original";
                diff[1] = "+++ modified";
                return diff;
            },
            {}, 460, 94},
        {"fenced",
            [](Lines diff, CounterRandom&) {
                diff.insert(diff.begin(), "```diff");
                diff.emplace_back("```");
                return diff;
            },
            {}, 300, 94},
        {"CDATA", {}, inCdata, 150, 94},
        {"prose", {}, inProse, 450, 94},
        {"a draft in a thought", {}, afterADraft, 460, 94},
        {"indented as a whole", {}, indentedWhole, 300, 80},
        {"no final line end", {}, [](const std::string& reply) { return reply.substr(0, reply.size() - 1); }, 460, 94},
        {"CRLF", {}, withCrlf, 460, 94},
    };
    return all;
}

} // namespace tilewright::testing
