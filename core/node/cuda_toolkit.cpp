// SPDX-License-Identifier: Apache-2.0
#include "core/node/cuda_toolkit.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largestHeader = 4 << 20;
constexpr std::array steeringRequests{"CUDA_HOME", "CUDA_PATH"};

/// Where a variable of the environment says that a toolkit is; empty if it says nothing.
fs::path requested(const char* variable)
{
    const char* value = std::getenv(variable);
    return value ? value : "";
}

} // namespace

std::vector<fs::path> toolkitFolders()
{
    std::vector<fs::path> list;
    for (const char* variable : steeringRequests)
        if (const fs::path folder = requested(variable); !folder.empty())
            list.push_back(folder);
    list.emplace_back("/usr/local/cuda");
    std::error_code problem;
    std::vector<fs::path> versions;
    for (const fs::directory_entry& entry : fs::directory_iterator("/usr/local", problem))
        if (entry.path().filename().string().starts_with("cuda-"))
            versions.push_back(entry.path());
    std::ranges::sort(versions, std::greater{});
    list.insert(list.end(), versions.begin(), versions.end());
    list.emplace_back("/opt/cuda");
    list.emplace_back("/usr");
    return list;
}

namespace {

fs::path nvrtcIn(const fs::path& folder)
{
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"}) {
        std::error_code problem;
        if (fs::exists(folder / name, problem))
            return fs::canonical(folder / name, problem);
    }
    return {};
}

fs::path nvrtcBelow(const fs::path& root)
{
    for (const char* folder : {"lib64", "lib", "targets/x86_64-linux/lib", "lib/x86_64-linux-gnu"})
        if (const fs::path nvrtc = nvrtcIn(root / folder); !nvrtc.empty())
            return nvrtc;
    return {};
}

/// The variables that name a folder without NVRTC, up to the first that names one with it.
std::string steeringRequestsNotFollowed()
{
    std::string text;
    for (const char* variable : steeringRequests) {
        const fs::path folder = requested(variable);
        if (folder.empty())
            continue;
        if (!nvrtcBelow(folder).empty())
            break;
        text += (text.empty() ? "" : "; ") + std::string(variable) + " is set to " + folder.string()
            + ", where there is no NVRTC (lib64/libnvrtc.so): it is ignored";
    }
    return text;
}

/// `text` from an include directive's `"text"` or `<text>`; empty if it is none of both.
std::string quotedName(std::string_view operand)
{
    operand = trimmed(operand);
    if (operand.size() < 3 || (operand.front() != '"' && operand.front() != '<'))
        return {};
    const char close = operand.front() == '"' ? '"' : '>';
    const std::size_t end = operand.find(close, 1);
    return end == std::string_view::npos ? std::string() : std::string(operand.substr(1, end - 1));
}

std::vector<std::string> includesOf(std::string_view text)
{
    std::vector<std::string> names;
    for (std::string_view line : splitLines(text)) {
        line = trimmed(line);
        if (!line.starts_with('#'))
            continue;
        line = trimmed(line.substr(1));
        if (!line.starts_with("include"))
            continue;
        if (std::string name = quotedName(line.substr(7)); !name.empty())
            names.push_back(std::move(name));
    }
    return names;
}

/// The header of this name and all that it includes. libcu++, which CUDA's own headers include by <cuda/std/…> and
/// <nv/target>, stands in a folder of its own since CUDA 13.
void gather(const fs::path& include, const fs::path& folder, const std::string& name,
    std::map<std::string, std::string>& headers)
{
    if (headers.contains(name))
        return;
    const fs::path libcuxx = include / "cccl";
    for (const fs::path& root : {folder, include, libcuxx}) {
        const fs::path path = (root / name).lexically_normal();
        if (!path.string().starts_with(include.string() + "/"))
            continue;
        const auto text = readFile(path, largestHeader);
        if (!text)
            continue;
        headers[name] = *text;
        const bool isLibcuxx = path.string().starts_with(libcuxx.string() + "/");
        headers.emplace(path.lexically_relative(isLibcuxx ? libcuxx : include).string(), *text);
        for (const std::string& inner : includesOf(*text))
            gather(include, path.parent_path(), inner, headers);
        return;
    }
}

/// The folder of CUDA's headers: that of this NVRTC, else any.
fs::path includeFor(const fs::path& nvrtc)
{
    std::vector<fs::path> folders{nvrtc.parent_path().parent_path() / "include",
        nvrtc.parent_path().parent_path().parent_path().parent_path() / "include"};
    for (const fs::path& root : toolkitFolders())
        for (const char* folder : {"include", "targets/x86_64-linux/include"})
            folders.push_back(root / folder);
    std::error_code problem;
    for (const fs::path& folder : folders)
        if (fs::exists(folder / "cuda_fp16.h", problem))
            return fs::canonical(folder, problem);
    return {};
}

} // namespace

Result<CudaToolkit> CudaToolkit::find()
{
    const std::string notFollowed = steeringRequestsNotFollowed();
    for (const fs::path& root : toolkitFolders()) {
        const fs::path nvrtc = nvrtcBelow(root);
        if (nvrtc.empty())
            continue;
        CudaToolkit toolkit;
        toolkit.nvrtc = nvrtc;
        toolkit.libraries = {nvrtc.parent_path()};
        for (fs::path& searched : searchedFolders())
            toolkit.libraries.push_back(std::move(searched));
        toolkit.include = includeFor(nvrtc);
        toolkit.notFollowed = notFollowed;
        return toolkit;
    }
    return fail("build/no-nvrtc",
        "there is no NVRTC on this machine: GPU programs cannot be compiled"
            + (notFollowed.empty() ? "" : " (" + notFollowed + ")"),
        "install the CUDA toolkit (12.0 or newer), or set CUDA_HOME to where it is");
}

std::vector<fs::path> searchedFolders()
{
    std::vector<fs::path> folders;
    const char* path = std::getenv("LD_LIBRARY_PATH");
    const std::string text = path ? path : "";
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(':', at), text.size());
        const fs::path folder = text.substr(at, end - at);
        std::error_code problem;
        if (fs::is_directory(folder, problem))
            folders.push_back(folder);
        at = end + 1;
    }
    return folders;
}

const std::set<std::string>& allowedHeaders()
{
    static const std::set<std::string> names{"cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "mma.h", "cuda_pipeline.h",
        "cuda_pipeline_primitives.h", "cuda_awbarrier_primitives.h", "cooperative_groups.h"};
    return names;
}

std::map<std::string, std::string> readHeaders(const fs::path& include)
{
    std::map<std::string, std::string> headers;
    if (!include.empty())
        for (const std::string& name : allowedHeaders())
            gather(include, include, name, headers);
    return headers;
}

std::vector<std::string> candidateOptions(const Task& task)
{
    std::vector<std::string> options{
        "--std=c++20", "-default-device", "--modify-stack-limit=false", "--no-source-include", "--ptxas-options=-v"};
    if (task.numeric.allowFastMath)
        options.emplace_back("--use_fast_math");
    return options;
}

} // namespace tilewright
