// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/judge_reply.h"

#include "core/base/json_text.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

using Json = nlohmann::json;

constexpr std::size_t longestReason = 1000;
/// An answer is one small object; what is longer is none, and what stands before the reply's end is a draft.
constexpr std::size_t longestObject = 4096, lookedAt = 32'768;
constexpr double mostExpected = 1e6;

/// The end of the object that begins at `from`, behind its brace; npos if it is not closed. Braces in strings count
/// not.
std::size_t endOfObject(const std::string& text, std::size_t from)
{
    int depth = 0;
    bool quoted = false;
    const std::size_t end = std::min(text.size(), from + longestObject);
    for (std::size_t at = from; at < end; ++at) {
        const char c = text[at];
        if (quoted && c == '\\')
            ++at;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == '{')
            ++depth;
        else if (!quoted && c == '}' && --depth == 0)
            return at + 1;
    }
    return std::string::npos;
}

std::string textIn(const Json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The beginning, cut between characters.
std::string shortened(std::string text)
{
    if (text.size() <= longestReason)
        return text;
    std::size_t end = longestReason;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end;
    return text.substr(0, end) + "…";
}

} // namespace

Judgement judgementIn(const std::string& whole, const RunState& state)
{
    const std::string reply = whole.substr(whole.size() > lookedAt ? whole.size() - lookedAt : 0);
    Judgement judgement;
    for (std::size_t at = reply.find('{'); at != std::string::npos; at = reply.find('{', at + 1)) {
        const std::size_t end = endOfObject(reply, at);
        if (end == std::string::npos)
            continue;
        const Json object = parsedJson<Json>(reply.substr(at, end - at));
        if (!object.is_object())
            continue;
        const auto verdict = judgeVerdictFromName(textIn(object, "verdict"));
        if (!verdict)
            continue;
        judgement = {};
        judgement.verdict = *verdict;
        judgement.reason = shortened(std::string(trimmed(printable(textIn(object, "reason")))));
        if (const CandidateId of = candidateFromName(textIn(object, "of")); state.candidate(of))
            judgement.of = of;
        if (const auto ratio = object.find("expected_ratio"); ratio != object.end() && ratio->is_number())
            if (const double value = ratio->get<double>(); std::isfinite(value) && value > 0 && value < mostExpected)
                judgement.expectedRatio = value;
        at = end - 1;
    }
    return judgement;
}

} // namespace tilewright
