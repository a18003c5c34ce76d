// SPDX-License-Identifier: Apache-2.0
#include "core/node/build_cache.h"

#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/node/machine_trouble.h"

#include <unistd.h>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

constexpr const char* cacheWords = "the build cache";

/// Appears at once or not at all, so that two nodes may share a cache.
Result<void> writeWhole(const fs::path& path, std::string_view text)
{
    std::error_code problem;
    fs::create_directories(path.parent_path(), problem);
    if (problem)
        return std::unexpected(cannotWrite(cacheWords, path.parent_path(), problem.value()));
    const fs::path draft = path.string() + "." + std::to_string(getpid()) + "."
        + std::to_string(reinterpret_cast<std::uintptr_t>(&text)) + ".part";
    if (auto written = writeText(cacheWords, draft, text); !written)
        return written;
    fs::rename(draft, path, problem);
    return problem ? std::unexpected(cannotWrite(cacheWords, path, problem.value())) : Result<void>();
}

} // namespace

Result<fs::path> BuildCache::objectPath(const Hash& object) const
{
    const fs::path path = entryPath(object, m_suffix);
    const auto bytes = readFile(path);
    const bool whole = bytes && sha256(*bytes) == object;
    std::error_code ignored;
    if (bytes && !whole)
        fs::remove(path, ignored);
    if (!whole)
        return fail(
            "build/no-artifact", "a built object is missing from the cache, or damaged", "it will be built again");
    return path;
}

fs::path BuildCache::entryPath(const Hash& key, const std::string& suffix) const
{
    const std::string hex = key.hex();
    return m_folder / hex.substr(0, 2) / (hex + suffix);
}

std::optional<BuildOutcome> BuildCache::find(const Hash& key) const
{
    const auto text = readFile(entryPath(key, ".json"));
    if (!text)
        return std::nullopt;
    const nlohmann::json json = parsedJson(*text);
    if (!json.is_object())
        return std::nullopt;
    try {
        BuildOutcome outcome;
        outcome.cached = true;
        outcome.ok = json.at("ok");
        outcome.rule = json.at("rule");
        outcome.text = json.at("text");
        outcome.evidence = json.at("evidence");
        outcome.log = json.at("log");
        outcome.artifact = Hash::fromHex(json.at("artifact").get<std::string>());
        outcome.resources = json.at("resources");
        outcome.warnings = json.at("warnings").get<std::vector<std::string>>();
        if (outcome.ok && !objectPath(outcome.artifact))
            return std::nullopt;
        return outcome;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt; // a damaged entry is built anew
    }
}

std::string BuildCache::sourceOf(const Hash& object) const
{
    return readFile(entryPath(object, ".source")).value_or(std::string());
}

Result<void> BuildCache::store(
    const Hash& key, const BuildOutcome& outcome, const std::string& object, const std::string& source) const
{
    if (outcome.ok && !source.empty())
        if (auto written = writeWhole(entryPath(outcome.artifact, ".source"), source); !written)
            return written;
    if (outcome.ok)
        if (auto written = writeWhole(entryPath(outcome.artifact, m_suffix), object); !written)
            return written;
    const nlohmann::json json{{"ok", outcome.ok}, {"rule", outcome.rule}, {"text", outcome.text},
        {"evidence", outcome.evidence}, {"log", outcome.log},
        {"artifact", outcome.artifact.isNull() ? "" : outcome.artifact.hex()}, {"resources", outcome.resources},
        {"warnings", outcome.warnings}};
    return writeWhole(entryPath(key, ".json"), dumped(json));
}

} // namespace tilewright
