// SPDX-License-Identifier: Apache-2.0
// What keeps a GPU from working and is no program's doing: which of the driver's codes and Xids mean it, what it is
// called, what a user can do about it, and whether it passes by itself. Pure.
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string_view>
#include <vector>

namespace tilewright {

/// How a run takes an error of a device.
enum class GpuTroubleKind {
    None, ///< no trouble of a device
    Passing, ///< it goes away by itself: wait, and try again
    Lasting ///< somebody has to do something first
};
GpuTroubleKind gpuTroubleKind(std::string_view code);

/// What a user can do; empty for codes that are no trouble of a device.
const char* gpuRemedy(std::string_view code);

/// An error of a device with the remedy that fits.
Error gpuTrouble(const char* code, std::string text, nlohmann::json evidence = nullptr);

/// device/driver-too-old for a driver that knows no newer CUDA than this ("11.8") where that is too old for GPU tasks.
std::optional<Error> driverTrouble(const std::string& cuda);

/// What it means that a compiler of this CUDA ("13.0") is of a later major version than the driver's ("12.4"), and what
/// a user can do; "" where it is not, or not known.
std::string wordsOnNewerToolkit(const std::string& toolkit, const std::string& driver);

/// What a compiler's "invalid option" means for a GPU of this compute capability (90 is 9.0), by those that it says it
/// knows: device/toolkit-too-new where all of them are newer, else device/toolkit.
Error toolkitTrouble(
    const std::string& compiler, int capability, const std::vector<int>& known, const std::string& said);

/// The rule for a CUresult: run/… for what a program's launch did, device/… for the rest.
const char* gpuRuleOf(int cudaError);

/// What an Xid of the driver means: EVALUATION §6.
enum class XidClass {
    Program, ///< 13, 31, 43, 45: the program's own, or a killed one's
    Device, ///< the GPU, its memory, its bus or its firmware: nothing measured on it counts any more
    Other ///< told, no more
};
XidClass xidClass(unsigned xid);
/// "uncorrectable memory error"; empty for an Xid that this page does not know.
const char* xidMeaning(unsigned xid);
/// What the driver has reported of one GPU since it was last asked.
struct GpuReports {
    std::vector<unsigned> xids;
    bool isLost = false;
};
/// Why nothing that was measured meanwhile counts; nothing where the GPU is sound.
std::optional<Error> gpuFault(const GpuReports& reports, const std::string& gpu);

/// The error of a worker as it is told: what the driver said of one program's load or launch (its evidence names the
/// "contestant") is that program's, run/memory or run/driver; the rest gets its remedy.
Error withBlame(Error error);

/// A worker that was killed though the node did not (device code cannot do that, nor can the driver): the machine's
/// trouble, once it has happened as often as work is begun anew.
Error withKiller(Error error);

/// device/fault, or device/lost where the GPU has left the bus.
Error troubleOfXid(unsigned xid, const std::string& gpu);

// What keeps a machine from building any program, until somebody has installed what is missing there. Pure.

/// The code of an error of a build that says nothing about the program.
inline bool lacksCompiler(std::string_view code)
{
    return code == "build/no-compiler" || code == "build/no-nvrtc" || code == "build/no-headers";
}

} // namespace tilewright
