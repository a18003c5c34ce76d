// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/tool_places.h"

#include "core/node/cuda_toolkit.h"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>
#include <vector>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

constexpr const char* nsightHome = "/opt/nvidia";

bool isBelow(const fs::path& path, const char* folder) { return path.string().starts_with(std::string(folder) + "/"); }

/// What of the system the tool needs: its own folder, where its libraries stand, or the toolkit that it is part of.
/// A toolkit's ncu is a script that looks for the real one where Nsight Compute puts itself.
std::vector<fs::path> foldersOfTool(const fs::path& tool)
{
    std::vector<fs::path> folders;
    std::error_code problem;
    if (fs::is_directory(nsightHome, problem))
        folders.emplace_back(nsightHome);
    for (const fs::path& root : toolkitFolders())
        if (const fs::path toolkit = fs::canonical(root, problem); !problem && isBelow(tool, toolkit.c_str())) {
            folders.push_back(toolkit);
            return folders;
        }
    folders.push_back(tool.parent_path());
    return folders;
}

} // namespace

fs::path findTool(const char* name)
{
    std::vector<fs::path> folders;
    for (const fs::path& root : toolkitFolders())
        for (const char* below : {"bin", "compute-sanitizer", "nsight-compute"})
            folders.push_back(root / below);
    std::error_code problem;
    for (const fs::directory_entry& version : fs::directory_iterator(fs::path(nsightHome) / "nsight-compute", problem))
        folders.push_back(version.path());
    const char* search = std::getenv("PATH");
    std::string_view left = search ? search : "";
    while (!left.empty()) {
        const std::string_view folder = left.substr(0, left.find(':'));
        left.remove_prefix(std::min(left.size(), folder.size() + 1));
        if (folder.starts_with('/'))
            folders.emplace_back(folder);
    }
    for (const fs::path& folder : folders)
        if (const fs::path path = folder / name; access(path.c_str(), X_OK) == 0 && !fs::is_directory(path, problem))
            return fs::canonical(path, problem);
    return {};
}

void addFoldersOf(const fs::path& tool, SandboxRequest& request)
{
    for (const fs::path& folder : foldersOfTool(tool))
        if (folder != "/usr" && !isBelow(folder, "/usr")) // which every sandbox has
            request.readOnly.emplace_back(folder, folder.string());
}

} // namespace tilewright
