// SPDX-License-Identifier: GPL-3.0-or-later
// The source files that a stand-alone harness is built from: those of the node and its workers, found by following
// their #include lines from the main files on, so that no list of them has to be maintained.
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tilewright {

/// Where the sources are on this machine.
struct HarnessSources {
    std::filesystem::path root; ///< holds core/, app/, kernels/ and LICENSES/
    std::filesystem::path json; ///< holds nlohmann/json.hpp
};

/// Of an installation share/tilewright/harness, of a build the source tree. Errors: export/no-harness.
Result<HarnessSources> findHarnessSources();

/// Programs of a harness by the name of their file in bin/, and the main file of each.
struct HarnessProgram {
    const char* name;
    const char* main;
    bool isForGpu = false; ///< needed for tasks of a GPU alone
};
const std::vector<HarnessProgram>& harnessPrograms();

/// Beside them, what launches an exported GPU program in the process of whoever uses it.
inline constexpr const char* cudaKernelMain = "app/kernel/cuda_kernel.cpp";

/// Path → text of everything that these main files need: what they include, and what implements it. A .cpp file
/// implements the header of its own name; one without such a header, the first header of its own folder that it
/// includes. Errors: export/no-harness, naming the file and the include that is not there.
Result<std::map<std::string, std::string>> harnessClosure(
    const std::filesystem::path& root, const std::vector<std::string>& mains);

/// The .cpp files among these sources put together into few that are quick to compile: name → text that includes them.
/// `groupOf` says of a path to which program a unit belongs; its name begins the unit's.
std::map<std::string, std::string> harnessUnits(
    const std::map<std::string, std::string>& sources, const std::function<std::string(const std::string&)>& groupOf);

/// The headers of nlohmann/json, by their path below the folder that is searched. Errors: export/no-harness.
Result<std::map<std::string, std::string>> jsonHeaders(const std::filesystem::path& folder);

/// The file that holds the text of kernels/include/tilewright/plan.h, made of its template as CMake makes it.
inline constexpr const char* planHeaderTemplate = "core/source/plan_header.cpp.in";
std::string planHeaderSource(std::string templateText, const std::string& planHeader);

} // namespace tilewright
