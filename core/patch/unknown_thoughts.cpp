// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/unknown_thoughts.h"

#include "core/base/text.h"
#include "core/patch/blocks.h"
#include "core/patch/hunk_header.h"
#include "core/patch/reply_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::patch {
namespace {

constexpr std::size_t longestName = 48;

/// Tags with one of these words in their name hold answers, parts of the asked form, calls or text of a page.
constexpr std::array<std::string_view, 45> answerWords{"diff", "patch", "patches", "edit", "edits", "change", "changes",
    "file", "files", "code", "answer", "artifact", "hunk", "update", "block", "program", "candidate", "tool", "call",
    "function", "invoke", "parameter", "output", "solution", "response", "result", "final", "content", "document",
    "reasoning", "impact", "proposal", "pre", "p", "div", "span", "summary", "table", "search", "replace", "source",
    "new", "snippet", "example", "title"};

/// With one of these beside it, none of the words above says that a tag holds the answer: "answer_draft".
constexpr std::array<std::string_view, 14> doubtWords{"draft", "drafts", "attempt", "trial", "scratch", "rejected",
    "discarded", "abandoned", "wrong", "tentative", "rough", "idea", "ideas", "unused"};

struct Bracket {
    std::string_view open, close;
};
constexpr std::array brackets{Bracket{"<", ">"}, Bracket{"&lt;", "&gt;"}, Bracket{"[", "]"}, Bracket{"◁", "▷"},
    Bracket{"【", "】"}, Bracket{"＜", "＞"}, Bracket{"{", "}"}, Bracket{"|", "|"}, Bracket{"<!--", "-->"}};

bool isNamePart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-'
        || c == ':' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

bool holdsAnswers(std::string_view name)
{
    std::string word;
    bool isKnown = false, isDoubtful = false;
    const auto take = [&] {
        isKnown = isKnown || std::ranges::find(answerWords, word) != answerWords.end();
        isDoubtful = isDoubtful || std::ranges::find(doubtWords, word) != doubtWords.end();
        word.clear();
    };
    for (const char c : name) {
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
            word += lowered(c);
        else
            take();
    }
    take();
    return isKnown && !isDoubtful;
}

/// "special_12", "dummy_86": tokens that a model's vocabulary keeps in reserve; what one means, only its model knows.
bool isReservedToken(std::string_view name)
{
    const std::size_t end = name.find_last_not_of("0123456789") + 1; // npos + 1 is 0
    if (end == name.size())
        return false;
    name = name.substr(0, end);
    constexpr std::array<std::string_view, 6> known{
        "special", "dummy", "unused", "reserved", "extra_id", "placeholder"};
    return std::ranges::any_of(known, [name](std::string_view word) { return name.starts_with(word); });
}

/// A tag that stands at the start of a line.
struct LineTag {
    std::size_t bracket = 0;
    std::string name; ///< in lower case
    bool closes = false;
    std::size_t length = 0;
};

bool takePart(std::string_view& text, std::string_view part, bool atEnd)
{
    const bool has = atEnd ? text.ends_with(part) : text.starts_with(part);
    if (has && atEnd)
        text.remove_suffix(part.size());
    else if (has)
        text.remove_prefix(part.size());
    return has;
}

/// The name between pipes, slashes and affixes, and whether they say that it closes: "|/work|", "|end_of_work|".
LineTag namedBy(std::string_view inside)
{
    LineTag tag;
    takePart(inside, "|", false);
    takePart(inside, "|", true);
    inside = trimmed(inside);
    tag.closes = takePart(inside, "/", false) || takePart(inside, "\\", false);
    inside = trimmed(inside);
    tag.name = lowered(inside);
    std::string_view name = tag.name;
    const bool begins = takePart(name, "begin_of_", false) || takePart(name, "start_of_", false)
        || takePart(name, "_start", true) || takePart(name, "_begin", true);
    tag.closes = tag.closes
        || (!begins
            && (takePart(name, "end_of_", false) || takePart(name, "_end", true) || takePart(name, "_stop", true)));
    tag.name = std::string(name);
    return tag;
}

std::optional<LineTag> tagAt(std::string_view line)
{
    for (std::size_t i = 0; i + 1 < brackets.size(); ++i) {
        if (!line.starts_with(brackets[i].open))
            continue;
        const std::string_view rest = line.substr(brackets[i].open.size());
        const std::size_t end = rest.find(brackets[i].close);
        if (end == std::string_view::npos)
            continue;
        std::string_view inside = trimmed(rest.substr(0, end));
        // Behind the name of an opening tag stand attributes, or nothing.
        const std::size_t blank = inside.find_first_of(" \t", std::min<std::size_t>(inside.size(), 2));
        if (blank != std::string_view::npos && inside.find('=', blank) != std::string_view::npos)
            inside = inside.substr(0, blank);
        LineTag tag = namedBy(inside);
        if (tag.name.empty() || tag.name.size() > longestName || holdsAnswers(tag.name)
            || !std::ranges::all_of(tag.name, isNamePart))
            continue;
        tag.bracket = i;
        tag.length = brackets[i].open.size() + end + brackets[i].close.size();
        return tag;
    }
    return std::nullopt;
}

/// "### Final answer:", "**Thinking**", "[analysis]", "Thought: it is slow", "思考：": the words of a line's heading or
/// label, in lower case; "" for another line. Of "That is wrong. Final version:" the last sentence.
std::string headingOf(std::string_view line)
{
    constexpr std::size_t longestLabel = 24;
    constexpr std::string_view wideColon = "：", wideOpen = "【", wideClose = "】";
    line = trimmed(line);
    const std::size_t colon = std::min(line.find(':'), line.find(wideColon));
    const bool isMarked = line.starts_with('#') || line.starts_with("**") || line.starts_with("__")
        || (line.starts_with('[') && line.ends_with(']')) || line.starts_with(wideOpen);
    const bool endsWithColon = line.ends_with(':') && colon + 1 == line.size();
    line = line.substr(0, colon);
    if (const std::size_t stop = line.find_last_of(".!?"); endsWithColon && !isMarked && stop != std::string_view::npos)
        line = trimmed(line.substr(stop + 1));
    if (!isMarked && (colon == std::string_view::npos || line.size() > longestLabel))
        return {};
    if (line.starts_with(wideOpen))
        line = line.substr(wideOpen.size(), std::min(line.find(wideClose), line.size()) - wideOpen.size());
    while (!line.empty() && std::string_view("#*_[: \t0123456789.)").find(line.front()) != std::string_view::npos)
        line.remove_prefix(1);
    while (!line.empty() && std::string_view("*_]: \t.").find(line.back()) != std::string_view::npos)
        line.remove_suffix(1);
    return lowered(line);
}

bool isThoughtHeading(std::string_view words)
{
    constexpr std::array<std::string_view, 28> known{"thinking", "thought", "thoughts", "thought process",
        "thinking process", "chain of thought", "my thought process", "analysis", "reasoning", "scratchpad", "scratch",
        "draft", "first draft", "first attempt", "brainstorming", "internal monologue", "思考", "思考过程", "思考過程",
        "思路", "推理", "推理过程", "推理過程", "分析", "草稿", "初稿", "反思", "想法"};
    constexpr std::array<std::string_view, 4> tries{"first attempt", "initial attempt", "first try", "first draft"};
    return std::ranges::find(known, words) != known.end()
        || std::ranges::any_of(tries, [words](std::string_view end) { return words.ends_with(end); });
}

/// Of a fence's info string: "```thinking".
bool isThoughtFence(std::string_view line)
{
    const std::string_view opening = trimmed(line);
    const std::string language
        = lowered(trimmed(opening.substr(std::min(opening.find_first_not_of("`~"), opening.size()))));
    return language == "think" || language == "plan" || language == "planning" || language == "reflection"
        || language == "cot" || isThoughtHeading(language);
}

bool isAnswerHeading(std::string_view words)
{
    constexpr std::array<std::string_view, 8> others{"答案", "回答", "最终", "最終", "答复", "答覆", "解答", "正式"};
    return words == "answer" || words == "response" || words == "solution" || words == "result"
        || words.starts_with("final")
        || std::ranges::any_of(others, [words](std::string_view begin) { return words.starts_with(begin); });
}

bool isEditLine(std::string_view line)
{
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t' || line.front() == '>'))
        line.remove_prefix(1);
    return (line.starts_with("@@") && line.find("@@", 2) != std::string_view::npos) || isSearchMarker(line)
        || line.starts_with("*** Begin Patch") || line.starts_with("*** Update File");
}

/// What may mark a thought, by the lines it spans.
struct Span {
    std::size_t first = 0, last = 0;
};

class Lines
{
public:
    explicit Lines(std::string_view text)
        : m_lines(splitLines(text))
    {
        for (std::size_t i = 0; i < m_lines.size(); ++i)
            readLine(i);
    }

    bool partsEdits() const
    {
        const auto isInside = [this](std::size_t line) {
            return [line](const Span& span) { return line >= span.first && line <= span.last; };
        };
        for (const std::vector<Span>& spans : m_spans) {
            bool inside = false, outside = false;
            for (const std::size_t line : m_edits)
                (std::ranges::any_of(spans, isInside(line)) ? inside : outside) = true;
            if (inside && outside)
                return true;
        }
        return false;
    }

private:
    struct Open {
        LineTag tag;
        std::size_t line = 0;
    };

    void readLine(std::size_t number)
    {
        std::string_view line = m_lines[number];
        if (isEditLine(line))
            m_edits.push_back(number);
        while (!line.empty() && std::string_view(" \t>*").find(line.front()) != std::string_view::npos)
            line.remove_prefix(1);
        if (m_isInFence) {
            m_isInFence = !(isFenceLine(line) && trimmed(line).find_first_not_of("`~") == std::string_view::npos);
            if (m_thoughtFence && !m_isInFence) {
                spansOf("```").push_back({*m_thoughtFence, number});
                m_thoughtFence.reset();
            }
            return;
        }
        for (auto tag = tagAt(line); tag; tag = tagAt(line)) {
            take(*tag, number);
            line = trimmed(line.substr(tag->length));
        }
        takeComment(line, number);
        if (const std::string words = headingOf(m_lines[number]); !words.empty())
            takeHeading(words, number);
        m_isInFence = isFenceLine(line);
        if (m_isInFence && isThoughtFence(line))
            m_thoughtFence = number;
    }

    void take(const LineTag& tag, std::size_t number)
    {
        const auto isSame
            = [&tag](const Open& open) { return open.tag.bracket == tag.bracket && open.tag.name == tag.name; };
        if (isReservedToken(tag.name)) {
            spansOf("reserved").push_back({0, number});
            return;
        }
        if (!tag.closes) {
            m_open.push_back({tag, number});
            return;
        }
        const auto opened = std::ranges::find_if(m_open, isSame);
        const std::size_t first = opened == m_open.end() ? 0 : opened->line;
        if (opened != m_open.end())
            m_open.erase(opened, m_open.end());
        spansOf(std::string(brackets[tag.bracket].open) + tag.name).push_back({first, number});
    }

    void takeComment(std::string_view line, std::size_t number)
    {
        if (!m_comment && line.starts_with("<!--"))
            m_comment = number;
        if (m_comment && line.find("-->") != std::string_view::npos) {
            spansOf("<!--").push_back({*m_comment, number});
            m_comment.reset();
        }
    }

    void takeHeading(const std::string& words, std::size_t number)
    {
        if (isThoughtHeading(words) && !m_thought)
            m_thought = number;
        if (isAnswerHeading(words) && m_thought)
            spansOf("#").push_back({*m_thought, number});
    }

    std::vector<Span>& spansOf(const std::string& mark)
    {
        const auto known = std::ranges::find(m_marks, mark);
        if (known != m_marks.end())
            return m_spans[static_cast<std::size_t>(known - m_marks.begin())];
        m_marks.push_back(mark);
        return m_spans.emplace_back();
    }

    std::vector<std::string_view> m_lines;
    std::vector<std::size_t> m_edits; ///< numbers of lines with which an edit begins
    std::vector<Open> m_open;
    std::vector<std::string> m_marks;
    std::vector<std::vector<Span>> m_spans; ///< by mark
    std::optional<std::size_t> m_comment, m_thought, m_thoughtFence; ///< where it began
    bool m_isInFence = false;
};

} // namespace

bool partsEditsByUnknownMark(std::string_view text) { return Lines(text).partsEdits(); }

} // namespace tilewright::patch
