// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/template_files.h"

#include "core/base/text.h"
#include "core/base/text_file.h"

#include <algorithm>
#include <vector>

namespace tilewright {

namespace fs = std::filesystem;

namespace {

std::unexpected<Error> noTemplate(const std::string& where, const std::string& why)
{
    return fail("prompt/file", where + ": " + why, "mend it, or take it away: then the template below it holds");
}

} // namespace

Result<TemplateFiles> readTemplates(const fs::path& folder)
{
    std::error_code problem;
    std::vector<fs::path> paths;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem))
        if (entry.path().extension() == ".md" && entry.path().stem() != "README")
            paths.push_back(entry.path());
    std::ranges::sort(paths);
    TemplateFiles files;
    for (const fs::path& path : paths) {
        if (fs::is_directory(path, problem))
            return noTemplate(path.string(), "this is a folder, not a template");
        if (!fs::exists(path, problem))
            return noTemplate(path.string(), "this is a link to nothing, not a template");
        auto text = readTextFile(path, largestTemplate);
        if (!text)
            return std::unexpected(text.error());
        if (trimmed(*text).empty())
            return noTemplate(path.string() + ", line 1", "the template is empty");
        files[path.stem().string()] = {std::move(*text), path.string()};
    }
    return files;
}

TemplateFiles laidOver(TemplateFiles below, const TemplateFiles& above)
{
    for (const auto& [name, file] : above)
        below.insert_or_assign(name, file);
    return below;
}

} // namespace tilewright
