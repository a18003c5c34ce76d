// SPDX-License-Identifier: Apache-2.0
// Where this machine keeps NVRTC and CUDA's headers, and which headers a candidate may include: a closed set of texts,
// read by the node, so that a build worker needs no file.
#pragma once

#include "core/base/result.h"
#include "core/model/task/task.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tilewright {

struct CudaToolkit {
    std::filesystem::path nvrtc; ///< libnvrtc.so.N
    std::filesystem::path include; ///< empty if there is none
    std::vector<std::filesystem::path> libraries; ///< folders for LD_LIBRARY_PATH
    /// "CUDA_HOME is set to /x, where there is no NVRTC: it was not used"; empty if the environment was followed.
    std::string notFollowed;

    /// Looks in CUDA_HOME, CUDA_PATH, /usr/local/cuda*, /opt/cuda and the system's library folders.
    /// Errors: build/no-nvrtc.
    static Result<CudaToolkit> find();
};

/// NVRTC from this version on answers from a cache on the disk, with an empty log, unless it is told not to.
inline constexpr int versionWithDiskCache = 12090;
/// What NVRTC compiles a candidate of the task with, beside the GPU's architecture.
std::vector<std::string> candidateOptions(const Task& task);

/// Where a toolkit may stand, the likeliest first.
std::vector<std::filesystem::path> toolkitFolders();

/// Folders of LD_LIBRARY_PATH that exist: where a driver or toolkit may keep what it loads later.
std::vector<std::filesystem::path> searchedFolders();

/// Headers a candidate may name, without those that they include themselves.
const std::set<std::string>& allowedHeaders();

/// The allowed headers and all they include, by the names they are included by. Empty where there is no folder.
std::map<std::string, std::string> readHeaders(const std::filesystem::path& include);

/// What in a source's include directives is not allowed; empty if nothing. A line that spells an include in a way that
/// is not plain (by a macro, by digraphs, __has_include, #embed) counts as not allowed. Pure.
std::string forbiddenInclude(std::string_view source);
/// Whether the source includes one of allowedHeaders(). Pure.
bool includesHeaders(std::string_view source);
/// The header that this compiler's log misses: "cuda/std/type_traits". Since a source may only include what is listed,
/// it is this machine that lacks it. Empty if none. Pure.
std::string missingHeader(std::string_view log);

} // namespace tilewright
