// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/prompt.h"

#include "core/base/folders.h"
#include "core/base/text.h"
#include "core/prompt/request_text.h"
#include "core/prompt/template_files.h"
#include "core/proposer/reply_source.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 9> required{
    "system", "explore", "exploit", "crossover", "repair", "rewrite", "summary", "translate", "judge"};

int tokensOf(const RenderedPrompt& prompt, double tokensPerByte)
{
    const double rate = tokensPerByte > 0 ? tokensPerByte : usualTokensPerByte;
    return static_cast<int>(std::ceil(static_cast<double>(prompt.system.size() + prompt.user.size()) * rate));
}

/// Gives up the last piece of the first part that has one; false when nothing is left to give up.
bool giveUpPiece(std::vector<PromptPart>& parts)
{
    const auto found = std::ranges::find_if(parts, [](const PromptPart& part) { return !part.pieces.empty(); });
    if (found == parts.end())
        return false;
    found->pieces.pop_back();
    return true;
}

std::vector<std::string> leftOut(const std::vector<PromptPart>& parts)
{
    std::vector<std::string> lines;
    for (const PromptPart& part : parts)
        if (const std::size_t missing = part.all - part.pieces.size(); missing > 0)
            lines.push_back(part.all == 1
                    ? part.words
                    : std::to_string(missing) + " of " + std::to_string(part.all) + " " + part.words);
    return lines;
}

} // namespace

Result<PromptWriter> PromptWriter::load(const std::vector<fs::path>& folders)
{
    TemplateFiles files;
    for (const fs::path& folder : folders) {
        const auto read = readTemplates(folder);
        if (!read)
            return std::unexpected(read.error());
        files = laidOver(std::move(files), *read);
    }
    return of(files);
}

Result<PromptWriter> PromptWriter::of(const TemplateFiles& files)
{
    const std::set<std::string> known = knownPlaceholders();
    for (const auto& [name, file] : files)
        if (auto sound = checkTemplate(file.text, file.origin, known); !sound)
            return std::unexpected(sound.error());
    PromptWriter writer;
    for (const auto& [name, file] : files) {
        auto whole = withIncludes(name, files);
        if (!whole)
            return std::unexpected(whole.error());
        writer.m_templates[name] = std::move(*whole);
    }
    for (const char* name : required)
        if (!files.contains(name))
            return fail("prompt/missing", std::string("there is no template ") + name + ".md",
                "templates are in prompts/ beside kernels/ and resources/");
    return writer;
}

Hash PromptWriter::versionOf(const std::string& templateName) const
{
    const auto found = m_templates.find(templateName);
    return found == m_templates.end() ? Hash{} : sha256(m_templates.at("system") + '\0' + found->second);
}

Result<RenderedPrompt> PromptWriter::render(const PromptRequest& request) const
{
    RenderedPrompt prompt;
    prompt.templateName = request.templateName.empty() ? templateOf(request.request.focus) : request.templateName;
    const auto found = m_templates.find(prompt.templateName);
    if (found == m_templates.end())
        return fail("prompt/template", "there is no template '" + prompt.templateName + "'");
    prompt.templateVersion = versionOf(prompt.templateName);
    auto text = requestText(request, prompt.templateName);
    if (!text)
        return std::unexpected(text.error());
    // What the template does not show would be given up for nothing.
    const std::set<std::string> used = placeholdersIn(m_templates.at("system") + found->second);
    std::erase_if(text->parts, [&](const PromptPart& part) { return !used.contains(part.placeholder); });
    for (;;) {
        for (const PromptPart& part : text->parts)
            text->values[part.placeholder] = part.text();
        text->values["left_out"] = joined(leftOut(text->parts), ", ");
        FilledText system = filled(m_templates.at("system"), text->values);
        FilledText user = filled(found->second, text->values);
        prompt.system = std::move(system.text);
        prompt.systemSpans = std::move(system.spans);
        prompt.user = std::move(user.text);
        prompt.userSpans = std::move(user.spans);
        prompt.estimatedTokens = tokensOf(prompt, request.tokensPerByte);
        if (request.tokenBudget <= 0 || prompt.estimatedTokens <= request.tokenBudget)
            break;
        if (!giveUpPiece(text->parts))
            return fail("prompt/budget",
                "the shortest prompt '" + prompt.templateName + "' needs about "
                    + std::to_string(prompt.estimatedTokens) + " tokens, more than the "
                    + std::to_string(request.tokenBudget) + " that are allowed",
                "allow more tokens for a prompt", {{"needed", prompt.estimatedTokens}});
    }
    prompt.trimmed = leftOut(text->parts);
    return prompt;
}

std::vector<fs::path> promptFolders(const std::string& island)
{
    std::vector<fs::path> folders{sharedFolder() / "prompts", dataFolder() / "prompts"};
    if (!island.empty())
        folders.push_back(folders.back() / island);
    return folders;
}

std::vector<std::string> islandsWithPrompts()
{
    std::vector<std::string> islands;
    std::error_code problem;
    for (const fs::directory_entry& entry : fs::directory_iterator(promptFolders().back(), problem)) {
        const std::string name = entry.path().filename().string();
        const bool isLetter = !name.empty() && std::ranges::all_of(name, [](char c) { return c >= 'A' && c <= 'Z'; });
        if (isLetter && entry.is_directory(problem))
            islands.push_back(name);
    }
    std::ranges::sort(islands);
    return islands;
}

std::string templateOf(Focus focus) { return focus == Focus::Tune ? "exploit" : nameOf(focus); }

} // namespace tilewright
