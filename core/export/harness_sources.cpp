// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/harness_sources.h"

#include "core/base/files.h"
#include "core/base/folders.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <string_view>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

Error missing(const std::string& text)
{
    return {"export/no-harness", text,
        "check that Tilewright is complete as built or unpacked; --no-harness exports without a harness", nullptr};
}

/// The name in `#include "…"` or `#include <…>`, whichever `open` asks for.
std::optional<std::string> includeIn(std::string_view line, char open)
{
    line = trimmed(line);
    if (!line.starts_with('#'))
        return {};
    line = trimmed(line.substr(1));
    constexpr std::string_view word = "include";
    if (!line.starts_with(word))
        return {};
    line = trimmed(line.substr(word.size()));
    if (!line.starts_with(open))
        return {};
    const std::size_t end = line.find(open == '<' ? '>' : '"', 1);
    return end == std::string_view::npos ? std::nullopt : std::optional(std::string(line.substr(1, end - 1)));
}

std::vector<std::string> includesIn(std::string_view text, char open)
{
    std::vector<std::string> names;
    for (const std::string_view line : splitLines(text))
        if (auto name = includeIn(line, open))
            names.push_back(std::move(*name));
    return names;
}

std::string folderOf(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

/// Sources that are compiled as one file: reading the headers takes most of a compiler's time.
constexpr std::size_t unitSize = 16;
/// Compiled alone: task_json.cpp has another type named Json than the others (core/model/CMakeLists.txt).
constexpr std::array<std::string_view, 1> alone{"core/model/task/task_json.cpp"};

/// Follows includes; every file is read once.
class Closure
{
public:
    explicit Closure(const fs::path& root)
        : m_root(root)
    {
    }

    Result<void> add(const std::string& path)
    {
        m_waiting.push_back({path, ""});
        while (!m_waiting.empty()) {
            const Wanted next = std::move(m_waiting.front());
            m_waiting.pop_front();
            if (m_files.contains(next.path))
                continue;
            auto text = readFile(m_root / next.path);
            if (!text)
                return std::unexpected(missing((next.by.empty() ? "the harness needs " : next.by + " includes ")
                    + next.path + ", which is not in " + printable(m_root.string())));
            for (std::string& name : includesIn(*text, '"'))
                m_waiting.push_back({std::move(name), next.path});
            m_files[next.path] = std::move(*text);
            if (next.path.ends_with(".h"))
                addImplementations(next.path);
        }
        return {};
    }

    std::map<std::string, std::string> take() { return std::move(m_files); }

private:
    struct Wanted {
        std::string path, by;
    };

    void addImplementations(const std::string& header)
    {
        const std::string folder = folderOf(header);
        const std::string own = header.substr(0, header.size() - 2) + ".cpp";
        std::error_code problem;
        if (fs::exists(m_root / own, problem))
            m_waiting.push_back({own, header});
        for (const auto& [source, of] : implementersIn(folder))
            if (of == header)
                m_waiting.push_back({source, header});
    }

    /// The .cpp files of a folder that have no header of their name, and the header that each implements.
    const std::map<std::string, std::string>& implementersIn(const std::string& folder)
    {
        const auto known = m_implementers.find(folder);
        if (known != m_implementers.end())
            return known->second;
        std::map<std::string, std::string>& all = m_implementers[folder];
        std::error_code problem;
        for (const fs::directory_entry& entry : fs::directory_iterator(m_root / folder, problem)) {
            const fs::path& path = entry.path();
            if (path.extension() != ".cpp" || fs::exists(fs::path(path).replace_extension(".h"), problem))
                continue;
            const auto text = readFile(path);
            const std::vector<std::string> names = text ? includesIn(*text, '"') : std::vector<std::string>();
            const auto first
                = std::ranges::find_if(names, [&](const std::string& name) { return folderOf(name) == folder; });
            if (first != names.end())
                all[folder + "/" + path.filename().string()] = *first;
        }
        return all;
    }

    fs::path m_root;
    std::deque<Wanted> m_waiting;
    std::map<std::string, std::string> m_files;
    std::map<std::string, std::map<std::string, std::string>> m_implementers;
};

} // namespace

Result<HarnessSources> findHarnessSources()
{
    std::error_code problem;
    const fs::path shared = sharedFolder();
    for (const fs::path& root : {shared / "harness", shared}) {
        if (!fs::exists(root / "core/node/node.h", problem))
            continue;
        for (const fs::path& json : {root / "third-party", fs::path(TILEWRIGHT_JSON_INCLUDE)})
            if (fs::exists(json / "nlohmann/json.hpp", problem))
                return HarnessSources{root, json};
        return std::unexpected(missing("the headers of nlohmann/json are missing"));
    }
    return std::unexpected(missing("the sources of the harness are not in " + printable(shared.string())));
}

const std::vector<HarnessProgram>& harnessPrograms()
{
    static const std::vector<HarnessProgram> programs{{"tilewright-harness", "app/harness/main.cpp"},
        {"tilewright-node", "app/node/main.cpp"}, {"tilewright-worker", "app/worker/main.cpp"},
        {"tilewright-cuda-worker", "app/cuda-worker/main.cpp", true}};
    return programs;
}

Result<std::map<std::string, std::string>> harnessClosure(const fs::path& root, const std::vector<std::string>& mains)
{
    Closure closure(root);
    for (const std::string& main : mains)
        if (auto added = closure.add(main); !added)
            return std::unexpected(added.error());
    return closure.take();
}

std::map<std::string, std::string> harnessUnits(
    const std::map<std::string, std::string>& sources, const std::function<std::string(const std::string&)>& groupOf)
{
    std::map<std::string, std::vector<std::string>> byFolder;
    for (const auto& [path, text] : sources) {
        if (!path.ends_with(".cpp"))
            continue;
        const bool isAlone = std::ranges::find(alone, path) != alone.end();
        const std::string folder = isAlone ? path.substr(0, path.size() - 4) : path.substr(0, path.rfind('/'));
        byFolder[groupOf(path) + "-" + folder].push_back(path);
    }
    std::map<std::string, std::string> units;
    for (auto& [folder, paths] : byFolder) {
        std::string name = folder;
        std::ranges::replace(name, '/', '_');
        for (std::size_t i = 0; i < paths.size(); ++i) {
            std::string& text = units[name + "_" + std::to_string(i / unitSize)];
            if (text.empty())
                text = "// SPDX-License-Identifier: Apache-2.0\n// Sources that are compiled as one file.\n";
            text += "#include \"" + paths[i] + "\"\n";
        }
    }
    return units;
}

Result<std::map<std::string, std::string>> jsonHeaders(const fs::path& folder)
{
    std::map<std::string, std::string> headers;
    std::deque<std::string> waiting{"nlohmann/json.hpp"};
    while (!waiting.empty()) {
        const std::string path = std::move(waiting.front());
        waiting.pop_front();
        if (headers.contains(path))
            continue;
        auto text = readFile(folder / path);
        if (!text)
            return std::unexpected(missing("the header " + path + " is not in " + printable(folder.string())));
        for (const char open : {'<', '"'})
            for (std::string& name : includesIn(*text, open))
                if (name.starts_with("nlohmann/"))
                    waiting.push_back(std::move(name));
        headers[path] = std::move(*text);
    }
    return headers;
}

std::string planHeaderSource(std::string templateText, const std::string& planHeader)
{
    constexpr std::string_view place = "@TILEWRIGHT_PLAN_HEADER@";
    if (const std::size_t at = templateText.find(place); at != std::string::npos)
        templateText.replace(at, place.size(), planHeader);
    return templateText;
}

} // namespace tilewright
