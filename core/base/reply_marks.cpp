// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/reply_marks.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace tilewright {
namespace {

/// What a name marks. Thought: firm. Aside: a thought only where both marks stand. Reasoning: a thought but in plain
/// tags, where it is part of the asked form. The last four are tokens of chat templates.
enum class Part { Thought, Aside, Reasoning, Answer, Channel, Start, End, Plain };

struct MarkName {
    std::string_view name;
    Part part = Part::Thought;
};

/// One row a name: a new mark is a new row. Names are in lower case with '_' between words.
constexpr std::array names{MarkName{"think", Part::Thought}, MarkName{"thinking", Part::Thought},
    MarkName{"thought", Part::Thought}, MarkName{"thoughts", Part::Thought}, MarkName{"seed:think", Part::Thought},
    MarkName{"analysis", Part::Thought}, MarkName{"reflection", Part::Thought}, MarkName{"scratchpad", Part::Thought},
    MarkName{"scratch_pad", Part::Thought}, MarkName{"reason", Part::Thought},
    MarkName{"reasoning_content", Part::Thought}, MarkName{"thought_process", Part::Thought},
    MarkName{"chain_of_thought", Part::Thought}, MarkName{"cot", Part::Thought},
    MarkName{"inner_monologue", Part::Thought}, MarkName{"internal_monologue", Part::Thought},
    MarkName{"inner_thoughts", Part::Thought}, MarkName{"antthinking", Part::Thought},
    MarkName{"deliberation", Part::Thought}, MarkName{"思考", Part::Thought}, MarkName{"思考过程", Part::Thought},
    MarkName{"推理", Part::Thought}, MarkName{"推理过程", Part::Thought}, MarkName{"反思", Part::Thought},
    MarkName{"reasoning", Part::Reasoning}, MarkName{"details", Part::Aside}, MarkName{"plan", Part::Aside},
    MarkName{"planning", Part::Aside}, MarkName{"draft", Part::Aside}, MarkName{"brainstorm", Part::Aside},
    MarkName{"brainstorming", Part::Aside}, MarkName{"monologue", Part::Aside}, MarkName{"reflect", Part::Aside},
    MarkName{"answer", Part::Answer}, MarkName{"final_answer", Part::Answer}, MarkName{"final", Part::Answer},
    MarkName{"response", Part::Answer}, MarkName{"final_response", Part::Answer}, MarkName{"output", Part::Answer},
    MarkName{"solution", Part::Answer}, MarkName{"channel", Part::Channel}, MarkName{"start", Part::Start},
    MarkName{"im_start", Part::Start}, MarkName{"start_header_id", Part::Start}, MarkName{"start_of_turn", Part::Start},
    MarkName{"turn", Part::Start}, MarkName{"start_of_turn_token", Part::Start}, MarkName{"end", Part::End},
    MarkName{"return", Part::End}, MarkName{"call", Part::End}, MarkName{"im_end", Part::End},
    MarkName{"eot_id", Part::End}, MarkName{"eom_id", Part::End}, MarkName{"eot", Part::End},
    MarkName{"end_of_turn", Part::End}, MarkName{"end_of_turn_token", Part::End}, MarkName{"endoftext", Part::End},
    MarkName{"end_of_text", Part::End}, MarkName{"end_of_sentence", Part::End}, MarkName{"message", Part::Plain},
    MarkName{"constrain", Part::Plain}, MarkName{"end_header_id", Part::Plain}};

constexpr std::size_t wordsFamily = names.size(); ///< of "Here is my thought process:"
constexpr std::size_t consoleFamily = names.size() + 1; ///< of "Thinking..."
constexpr std::size_t longestMark = 240;

struct Bracket {
    std::string_view open, close;
};
constexpr std::array brackets{Bracket{"<", ">"}, Bracket{"&lt;", "&gt;"}, Bracket{"[", "]"}, Bracket{"◁", "▷"},
    Bracket{"【", "】"}, Bracket{"＜", "＞"}, Bracket{"{", "}"}};

/// What is put before or behind a name to say which end it marks.
struct Affix {
    std::string_view text;
    bool closes = false;
};
constexpr std::array prefixes{Affix{"begin_of_", false}, Affix{"start_of_", false}, Affix{"begin_", false},
    Affix{"start_", false}, Affix{"end_of_", true}, Affix{"end_", true}};
constexpr std::array suffixes{
    Affix{"_start", false}, Affix{"_begin", false}, Affix{"_end", true}, Affix{"_stop", true}};

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string_view withoutBlanks(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

bool takePrefix(std::string_view& text, std::string_view prefix)
{
    const bool has = text.starts_with(prefix);
    text.remove_prefix(has ? prefix.size() : 0);
    return has;
}

bool takeSuffix(std::string_view& text, std::string_view suffix)
{
    const bool has = text.ends_with(suffix);
    text.remove_suffix(has ? suffix.size() : 0);
    return has;
}

/// Lower case, '_' for '-' and for DeepSeek's "▁", without invisible characters.
std::string plainName(std::string_view text)
{
    constexpr std::string_view lowLine = "▁";
    std::string name;
    while (!text.empty()) {
        if (takePrefix(text, lowLine)) {
            name += '_';
            continue;
        }
        if (takePrefix(text, "\u200b") || takePrefix(text, "\u200c") || takePrefix(text, "\u200d")
            || takePrefix(text, "\u2060") || takePrefix(text, "\ufeff"))
            continue;
        name += text.front() == '-' ? '_' : lowered(text.front());
        text.remove_prefix(1);
    }
    return name;
}

struct Named {
    std::size_t row = 0;
    bool closes = false;
};

using Row = std::optional<std::size_t>;

Row rowOf(std::string_view name)
{
    const auto found = std::ranges::find(names, name, &MarkName::name);
    return found == names.end() ? std::nullopt : Row(static_cast<std::size_t>(found - names.begin()));
}

/// Of a name of several words the row of the one that names a thought: "seed:cot_think", "internal_thoughts".
Row rowOfWord(std::string_view name)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 11> words{
        {{"think", "think"}, {"thinking", "think"}, {"thought", "thought"}, {"thoughts", "thought"}, {"cot", "cot"},
            {"reasoning", "reason"}, {"scratchpad", "scratchpad"}, {"monologue", "inner_monologue"},
            {"reflection", "reflection"}, {"reflect", "reflection"}, {"deliberation", "deliberation"}}};
    for (std::size_t at = 0; at < name.size();) {
        const std::size_t end = std::min(name.find_first_of("_:.", at), name.size());
        const auto found = std::ranges::find(words, name.substr(at, end - at), &decltype(words)::value_type::first);
        if (found != words.end() && end - at < name.size())
            return rowOf(found->second);
        at = end + 1;
    }
    return std::nullopt;
}

std::optional<Named> withAffixes(std::string_view name, Row (*find)(std::string_view))
{
    const auto hasEnds = [](std::size_t row) { return names[row].part <= Part::Answer; };
    for (const Affix& affix : prefixes)
        if (name.starts_with(affix.text))
            if (const auto row = find(name.substr(affix.text.size())); row && hasEnds(*row))
                return Named{*row, affix.closes};
    for (const Affix& affix : suffixes)
        if (name.ends_with(affix.text))
            if (const auto row = find(name.substr(0, name.size() - affix.text.size())); row && hasEnds(*row))
                return Named{*row, affix.closes};
    return std::nullopt;
}

std::optional<Named> lookUp(std::string_view name)
{
    if (const auto row = rowOf(name))
        return Named{*row, false};
    for (Row (*const find)(std::string_view) : {rowOf, rowOfWord})
        if (const auto named = withAffixes(name, find))
            return named;
    if (const auto row = rowOfWord(name))
        return Named{*row, false};
    if (name == "unused94" || name == "unused95") // MedGemma's
        return Named{0, name == "unused95"};
    return std::nullopt;
}

/// Is `text`, which stands behind a name, what an opening tag may hold?
bool isAttributes(std::string_view text) { return text.find('=') != std::string_view::npos || text == "open"; }

/// The bracket whose opening sign stands here.
const Bracket* bracketAt(std::string_view rest)
{
    for (const Bracket& bracket : brackets)
        if (rest.starts_with(bracket.open))
            return &bracket;
    return nullptr;
}

/// "<summary>Thought for 3 seconds</summary>", behind "<details>".
bool isThoughtSummary(std::string_view text)
{
    const std::string lower = lowered(text);
    const std::size_t begin = lower.find_first_not_of(" \t\r\n");
    const std::size_t end = lower.find("</summary>");
    if (begin == std::string::npos || end == std::string::npos || lower.compare(begin, 8, "<summary") != 0)
        return false;
    const std::string_view words = std::string_view(lower).substr(begin, end - begin);
    constexpr std::array<std::string_view, 5> known{"think", "thought", "reason", "scratch", "analysis"};
    return std::ranges::any_of(
        known, [words](std::string_view word) { return words.find(word) != std::string_view::npos; });
}

std::optional<ReplyMark> bracketedAt(std::string_view text, std::size_t at)
{
    const std::string_view rest = text.substr(at, longestMark);
    const Bracket* const bracket = bracketAt(rest);
    if (!bracket)
        return std::nullopt;
    const std::size_t stop = rest.find(bracket->close, bracket->open.size());
    if (stop == std::string_view::npos)
        return std::nullopt;
    std::string_view inside = rest.substr(bracket->open.size(), stop - bracket->open.size());
    while (inside.ends_with('\n') || inside.ends_with('\r')) // "<think" and ">" on the next line
        inside.remove_suffix(1);
    if (inside.find_first_of("\n\r") != std::string_view::npos)
        return std::nullopt;
    constexpr std::string_view widePipe = "｜";
    const bool leftPipe = takePrefix(inside, "|") || takePrefix(inside, widePipe);
    const bool rightPipe = takeSuffix(inside, "|") || takeSuffix(inside, widePipe);
    const bool isToken = leftPipe || rightPipe;
    inside = withoutBlanks(inside);
    const bool slash = takePrefix(inside, "/") || takePrefix(inside, "\\") || takePrefix(inside, "／");
    inside = withoutBlanks(inside);
    const bool isEmptyTag = !slash && takeSuffix(inside, "/");
    const std::size_t nameEnd = std::min(inside.find_first_of(" \t="), inside.size());
    const std::string_view behind = withoutBlanks(inside.substr(nameEnd));
    const auto named = lookUp(plainName(inside.substr(0, nameEnd)));
    if (!named || (!behind.empty() && (slash || !isAttributes(behind) || inside[nameEnd] == '=')))
        return std::nullopt;

    const bool isTag = bracket == &brackets[0] || bracket == &brackets[1];
    const bool isCurly = bracket == &brackets[6];
    const bool isSquare = isCurly || bracket == &brackets[2] || bracket == &brackets[4];
    if (isCurly && names[named->row].part != Part::Thought)
        return std::nullopt; // programs hold "{ plan }"
    const bool closes = slash || named->closes;
    ReplyMark mark{at, at + stop + bracket->close.size(), MarkRole::Plain, named->row, true, isToken};
    switch (names[named->row].part) {
    case Part::Thought:
        mark.role = closes ? MarkRole::Close : MarkRole::Open;
        // "[Analysis]" is a heading too.
        mark.isFirm = !isSquare || closes || names[named->row].name.starts_with("think");
        break;
    case Part::Aside:
        if (names[named->row].name == "details" && !closes && behind.find("reasoning") == std::string_view::npos
            && !isThoughtSummary(text.substr(mark.end, longestMark)))
            return std::nullopt;
        mark.role = closes ? MarkRole::Close : MarkRole::Open;
        mark.isFirm = false;
        break;
    case Part::Reasoning:
        if (isTag && !isToken)
            mark.role = closes ? MarkRole::ReasoningClose : MarkRole::ReasoningOpen;
        else
            mark.role = closes ? MarkRole::Close : MarkRole::Open;
        mark.isFirm = !isSquare || closes;
        break;
    case Part::Answer:
        mark.role = closes ? MarkRole::AnswerClose : MarkRole::AnswerOpen;
        mark.isFirm = isToken;
        break;
    case Part::Channel:
        if (!isToken)
            return std::nullopt;
        mark.role = closes || !leftPipe ? MarkRole::ChannelEnd : MarkRole::Channel;
        break;
    case Part::Start:
        if (!isToken && names[named->row].name != "start_of_turn")
            return std::nullopt;
        mark.role = leftPipe == rightPipe || leftPipe ? MarkRole::MessageStart : MarkRole::MessageEnd;
        break;
    case Part::End:
        if (!isToken && names[named->row].name != "end_of_turn")
            return std::nullopt;
        mark.role = MarkRole::MessageEnd;
        break;
    case Part::Plain:
        if (!isToken)
            return std::nullopt;
        break;
    }
    if (isEmptyTag)
        mark.role = MarkRole::Plain;
    return mark;
}

bool startsWithWords(std::string_view text, std::string_view words)
{
    return text.size() >= words.size()
        && std::equal(words.begin(), words.end(), text.begin(), [](char a, char b) { return a == lowered(b); });
}

/// Where a chat template's tokens were dropped from the text, the words between them are left: "analysisThe loop …",
/// "assistantfinal". And Granite writes sentences.
std::optional<ReplyMark> wordsAt(std::string_view text, std::size_t at, std::size_t firstWord)
{
    const std::string_view rest = text.substr(at, longestMark);
    struct Words {
        std::string_view words;
        MarkRole role;
    };
    constexpr std::array glued{Words{"assistantfinal", MarkRole::Final}, Words{"assistantanalysis", MarkRole::Channel},
        Words{"assistantcommentary", MarkRole::Channel}};
    for (const Words& row : glued)
        if (rest.starts_with(row.words))
            return ReplyMark{at, at + row.words.size(), row.role, 0, true, true};
    if (at == firstWord)
        for (const std::string_view word : {"analysis", "commentary"})
            if (rest.starts_with(word) && rest.size() > word.size() && rest[word.size()] >= 'A'
                && rest[word.size()] <= 'Z')
                return ReplyMark{at, at + word.size(), MarkRole::Channel, 0, true, true};
    constexpr std::array granite{Words{"here is my thought process:", MarkRole::Open},
        Words{"here's my thought process:", MarkRole::Open}, Words{"here is my response:", MarkRole::Close},
        Words{"here's my response:", MarkRole::Close}};
    for (const Words& row : granite)
        if (startsWithWords(rest, row.words))
            return ReplyMark{at, at + row.words.size(), row.role, wordsFamily, false, false};
    constexpr std::array console{Words{"thinking...\n", MarkRole::Open}, Words{"thinking…\n", MarkRole::Open},
        Words{"...done thinking.", MarkRole::Close}, Words{"…done thinking.", MarkRole::Close}};
    for (const Words& row : console) // as ollama's console shows thoughts
        if (startsWithWords(rest, row.words))
            return ReplyMark{at, at + row.words.size(), row.role, consoleFamily, false, false};
    return std::nullopt;
}

/// The word that stands here, blanks before it left out; where it ends.
std::string_view wordAt(std::string_view text, std::size_t at, std::size_t& end)
{
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
        ++at;
    end = at;
    while (end < text.size() && (isLetter(text[end]) || text[end] == '_'))
        ++end;
    return text.substr(at, end - at);
}

bool isOnOneLine(std::string_view text, std::size_t from, std::size_t to)
{
    return text.substr(from, to - from).find('\n') == std::string_view::npos;
}

/// Marks of channels and messages with the header that belongs to them.
std::vector<ReplyMark> withHeaders(std::string_view text, const std::vector<ReplyMark>& bare)
{
    std::vector<ReplyMark> marks;
    for (std::size_t i = 0; i < bare.size(); ++i) {
        ReplyMark mark = bare[i];
        const bool isWords = mark.end > mark.begin && isLetter(text[mark.begin]);
        const bool hasHeader = !isWords && (mark.role == MarkRole::Channel || mark.role == MarkRole::MessageStart);
        if (!hasHeader) {
            marks.push_back(mark);
            continue;
        }
        std::size_t end = mark.end;
        const std::string word = plainName(wordAt(text, mark.end, end));
        mark.end = end;
        if (mark.role == MarkRole::Channel)
            mark.role = word == "final" || word == "answer" || word == "response" ? MarkRole::Final : MarkRole::Channel;
        else if (word == "user" || word == "system" || word == "tool" || word == "developer")
            mark.role = MarkRole::OtherMessage;
        // "to=functions.edit <|constrain|>json<|message|>" is header too.
        for (std::size_t next = i + 1; next < bare.size() && bare[next].role == MarkRole::Plain
             && bare[next].begin < end + longestMark && isOnOneLine(text, end, bare[next].begin);
             ++next) {
            mark.end = bare[next].end;
            i = next;
            end = mark.end;
            if (names[bare[next].family].name != "constrain")
                break;
        }
        marks.push_back(mark);
    }
    return marks;
}

} // namespace

std::size_t markFamilies() { return names.size() + 2; }

std::vector<ReplyMark> replyMarksIn(std::string_view text)
{
    std::vector<ReplyMark> marks;
    const std::size_t firstWord = text.find_first_not_of(" \t\r\n");
    std::array<bool, 256> begins{};
    for (const Bracket& bracket : brackets)
        begins[static_cast<unsigned char>(bracket.open.front())] = true;
    constexpr std::string_view wordsBegin = "achHtT.\xe2"; // of wordsAt()
    for (const char c : wordsBegin)
        begins[static_cast<unsigned char>(c)] = true;
    for (std::size_t at = 0; at < text.size();) {
        if (!begins[static_cast<unsigned char>(text[at])]) {
            ++at;
            continue;
        }
        auto mark = isLetter(text[at]) ? std::nullopt : bracketedAt(text, at);
        if (!mark && wordsBegin.find(text[at]) != std::string_view::npos)
            mark = wordsAt(text, at, firstWord);
        if (mark)
            marks.push_back(*mark);
        at = mark ? mark->end : at + 1;
    }
    return withHeaders(text, marks);
}

} // namespace tilewright
