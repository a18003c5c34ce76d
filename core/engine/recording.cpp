// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/recording.h"

#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/engine/prompt_origin.h"
#include "core/store/session_reader.h"

#include <algorithm>
#include <cctype>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largestReply = std::size_t(8) << 20;

constexpr std::string_view recordedEnding = ".reply.md", askedEnding = ".prompt.md";

/// "0007.reply.md" → 7; -1 for any other name.
long numberOf(const std::string& name)
{
    if (!name.ends_with(recordedEnding) || name.size() < recordedEnding.size() + 4
        || name.size() > recordedEnding.size() + 9)
        return -1;
    const std::string digits = name.substr(0, name.size() - recordedEnding.size());
    const bool plain = std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    return plain ? std::stol(digits) : -1;
}

/// What the prompt beside a reply was written for, where it says so.
std::optional<PromptOrigin> originBeside(fs::path reply)
{
    const std::string name = reply.filename().string();
    reply.replace_filename(name.substr(0, name.size() - recordedEnding.size()) + std::string(askedEnding));
    const auto prompt = readTextFile(reply, largestReply);
    return prompt ? originIn(*prompt) : std::nullopt;
}

Result<std::vector<RecordedReply>> repliesOfFolder(const fs::path& folder)
{
    std::map<long, fs::path> files;
    std::error_code problem;
    for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end; entry.increment(problem))
        if (const long number = numberOf(entry->path().filename().string()); number >= 0)
            files.emplace(number, entry->path());
    if (problem)
        return fail("replay/missing", "the folder " + folder.string() + " cannot be read: " + problem.message(),
            "let it be read, or name another");
    std::vector<RecordedReply> replies;
    for (const auto& [number, file] : files) {
        const std::optional<PromptOrigin> origin = originBeside(file);
        if (origin && !origin->asksForEdit)
            continue;
        auto text = readTextFile(file, largestReply);
        if (!text)
            return std::unexpected(Error{text.error().code, text.error().text,
                text.error().hint.empty() ? "take it out of the folder, or put the reply in its place"
                                          : text.error().hint,
                text.error().evidence});
        if (trimmed(*text).empty())
            return fail("replay/empty", "the reply " + file.string() + " is empty",
                "take it out of the folder, or put the reply in its place");
        RecordedReply reply;
        reply.text = std::move(*text);
        if (origin) {
            reply.as = origin->as;
            reply.parents = origin->parents;
        }
        replies.push_back(std::move(reply));
    }
    if (replies.empty())
        return fail("replay/empty", "the folder " + folder.string() + " holds no NNNN.reply.md",
            "name the folder of a run by hand, or put replies there as 0001.reply.md, 0002.reply.md, …");
    return replies;
}

Result<std::vector<RecordedReply>> repliesOfSession(const std::string& path, const TaskPack& pack)
{
    auto reader = SessionReader::open(path);
    const auto state = reader ? (*reader)->load() : std::unexpected(reader.error());
    if (!state)
        return std::unexpected(state.error());
    const auto recordedPack = (*reader)->pack(*state);
    if (!recordedPack)
        return std::unexpected(recordedPack.error());
    if (state->settings.taskName != pack.task.name || recordedPack->seed() != pack.seed())
        return fail("replay/task",
            "the session " + path + " is of the task " + state->settings.taskName
                + (state->settings.taskName == pack.task.name ? " with another seed" : ", not of " + pack.task.name),
            "its replies fit the programs of its own task only");
    std::vector<RecordedReply> replies;
    for (const Proposal& proposal : state->proposals) {
        if (proposal.reply.isNull() || proposal.part > 1)
            continue;
        auto text = (*reader)->text(proposal.reply);
        if (!text)
            return std::unexpected(text.error());
        RecordedReply reply;
        reply.text = std::move(*text);
        reply.finish = proposal.finish;
        reply.moves = proposal.moves;
        reply.as = OfferedAs{proposal.island, proposal.ordinal, proposal.focus, {}, proposal.attempt, proposal.whole};
        for (const CandidateId parent : proposal.parents)
            if (const Candidate* known = state->candidate(parent))
                reply.parents.push_back(known->program);
        replies.push_back(std::move(reply));
    }
    if (replies.empty())
        return fail("replay/empty", "the session " + path + " holds no replies");
    return replies;
}

} // namespace

Result<std::vector<RecordedReply>> recordedReplies(const std::string& path, const TaskPack& pack)
{
    std::error_code problem;
    if (!fs::exists(path, problem))
        return fail("replay/missing", "there is no session or folder " + path, "check the path");
    return fs::is_directory(path, problem) ? repliesOfFolder(path) : repliesOfSession(path, pack);
}

} // namespace tilewright
