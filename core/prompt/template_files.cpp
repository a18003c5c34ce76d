// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/template_files.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <algorithm>
#include <vector>

namespace tilewright {

namespace fs = std::filesystem;

Result<TemplateFiles> readTemplates(const fs::path& folder)
{
    constexpr std::size_t largest = 256 << 10;
    std::error_code problem;
    std::vector<fs::path> paths;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem))
        if (entry.path().extension() == ".md" && entry.path().stem() != "README" && entry.is_regular_file(problem))
            paths.push_back(entry.path());
    std::ranges::sort(paths);
    TemplateFiles files;
    for (const fs::path& path : paths) {
        const auto text = readFile(path, largest);
        if (!text)
            return std::unexpected(text.error());
        files[path.stem().string()] = {withUnixLineEnds(*text), path.string()};
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
