// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/gpu_trouble.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace tilewright {
namespace {

struct Trouble {
    std::string_view code;
    GpuTroubleKind kind;
    const char* remedy;
};

constexpr std::array troubles{
    Trouble{"device/stuck", GpuTroubleKind::Passing,
        "the run resumes by itself when the problem is gone; if it persists, end other programs on this GPU or restart "
        "the machine"},
    Trouble{"device/memory", GpuTroubleKind::Passing,
        "other programs use this GPU's memory ('nvidia-smi' lists them): end them, or wait; a run resumes by itself "
        "when memory is free"},
    Trouble{
        "device/busy", GpuTroubleKind::Passing, "another program has exclusive use of this GPU: wait for it or end it"},
    Trouble{"device/missing", GpuTroubleKind::Lasting, "check that 'nvidia-smi' shows the GPU, then resume"},
    Trouble{"device/no-driver", GpuTroubleKind::Lasting, "install the NVIDIA driver, then resume"},
    Trouble{"device/driver-too-old", GpuTroubleKind::Lasting,
        "install an NVIDIA driver for CUDA 12.0 or newer (525 or newer)"},
    Trouble{"device/driver-mismatch", GpuTroubleKind::Lasting,
        "the driver was updated while in use: restart the machine, then resume; in a container the cause is usually a "
        "libcuda of the package cuda-compat that does not match the driver: remove it from LD_LIBRARY_PATH"},
    Trouble{"device/not-ready", GpuTroubleKind::Lasting,
        "the GPU's system services are not running (nvidia-fabricmanager on machines with NVSwitch): start them, then "
        "resume"},
    Trouble{"device/architecture", GpuTroubleKind::Lasting,
        "the driver must be at least as new as the CUDA toolkit: update the driver, or set CUDA_HOME to an older "
        "toolkit, then resume"},
    Trouble{"device/toolkit", GpuTroubleKind::Lasting,
        "install a newer CUDA toolkit, or set CUDA_HOME to one, then resume"},
    Trouble{"device/toolkit-too-new", GpuTroubleKind::Lasting,
        "install CUDA toolkit 12, the last one for GPUs of this age, beside the newer one and set CUDA_HOME to it, "
        "then resume"},
    Trouble{"device/lost", GpuTroubleKind::Lasting,
        "check 'nvidia-smi' and the kernel's log; a restart of the machine recovers a lost GPU"},
    Trouble{"device/fault", GpuTroubleKind::Lasting,
        "check 'nvidia-smi -q' and the kernel's log; the GPU may need a reset or a restart of the machine, then "
        "resume"},
    Trouble{"device/driver", GpuTroubleKind::Lasting, "check 'nvidia-smi' and the kernel's log, then resume"},
    Trouble{"device/worker", GpuTroubleKind::Lasting, "run 'tilewright-cli doctor', then resume"},
    Trouble{"device/worker-killed", GpuTroubleKind::Lasting,
        "the machine may be short of memory (see 'dmesg'), or someone ended Tilewright's processes; then resume"},
};

const Trouble* troubleOf(std::string_view code)
{
    const auto found = std::ranges::find(troubles, code, &Trouble::code);
    return found == troubles.end() ? nullptr : &*found;
}

struct Xid {
    unsigned number;
    XidClass of;
    const char* meaning;
};

/// NVIDIA's "XID Errors", as far as a run has to act on them.
constexpr std::array xids{
    Xid{13, XidClass::Program, "exception in a program on the GPU"},
    Xid{31, XidClass::Program, "memory fault of a program"},
    Xid{43, XidClass::Program, "a program was stopped after a fault"},
    Xid{45, XidClass::Program, "clean-up after an ended program"},
    Xid{48, XidClass::Device, "uncorrectable memory error"},
    Xid{63, XidClass::Device, "a row of its memory is being replaced"},
    Xid{64, XidClass::Device, "a row of its memory could not be replaced"},
    Xid{74, XidClass::Device, "NVLink error"},
    Xid{79, XidClass::Device, "the GPU is no longer on the bus"},
    Xid{95, XidClass::Device, "uncontained memory error"},
    Xid{119, XidClass::Device, "its firmware does not respond"},
    Xid{120, XidClass::Device, "its firmware failed"},
    Xid{154, XidClass::Device, "the driver requests a reset or a restart"},
};

constexpr int oldestDriverMajor = 12; ///< of CUDA

/// Of "12.4": 12; 0 where there is no such number.
int majorOf(std::string_view version)
{
    int major = 0;
    std::from_chars(version.data(), version.data() + version.size(), major);
    return major;
}

const Xid* findXid(unsigned xid)
{
    const auto found = std::ranges::find(xids, xid, &Xid::number);
    return found == xids.end() ? nullptr : &*found;
}

} // namespace

GpuTroubleKind gpuTroubleKind(std::string_view code)
{
    const Trouble* trouble = troubleOf(code);
    return trouble ? trouble->kind : GpuTroubleKind::None;
}

const char* gpuRemedy(std::string_view code)
{
    const Trouble* trouble = troubleOf(code);
    return trouble ? trouble->remedy : "";
}

Error gpuTrouble(const char* code, std::string text, nlohmann::json evidence)
{
    return {code, std::move(text), gpuRemedy(code), std::move(evidence)};
}

Error toolkitTrouble(
    const std::string& compiler, int capability, const std::vector<int>& known, const std::string& said)
{
    const auto named = [](int of) { return std::to_string(of / 10) + "." + std::to_string(of % 10); };
    const std::string gpu = "compute capability " + named(capability) + ", which this GPU has";
    if (!known.empty() && capability < *std::ranges::min_element(known))
        return gpuTrouble("device/toolkit-too-new",
            compiler + " no longer supports " + gpu + ": its oldest is " + named(*std::ranges::min_element(known)));
    if (!known.empty() && capability > *std::ranges::max_element(known))
        return gpuTrouble("device/toolkit",
            compiler + " does not support " + gpu + " yet: its newest is " + named(*std::ranges::max_element(known)));
    return gpuTrouble("device/toolkit", compiler + " does not know this GPU or an option: " + said);
}

std::optional<Error> driverTrouble(const std::string& cuda)
{
    if (const int major = majorOf(cuda); major == 0 || major >= oldestDriverMajor)
        return std::nullopt;
    return gpuTrouble("device/driver-too-old",
        "the NVIDIA driver is too old: it is for CUDA " + cuda + ", and GPU tasks need one for CUDA "
            + std::to_string(oldestDriverMajor) + ".0 or newer",
        {{"cuda", cuda}});
}

std::string wordsOnNewerToolkit(const std::string& toolkit, const std::string& driver)
{
    const int newer = majorOf(toolkit), known = majorOf(driver);
    if (known == 0 || newer <= known)
        return {};
    return "it is of CUDA " + toolkit + ", newer than the driver, which is for CUDA " + driver
        + ": its programs may not load. Install a driver for CUDA " + std::to_string(newer)
        + ".0 or newer, or CUDA toolkit " + std::to_string(known) + " beside it and set CUDA_HOME to it";
}

const char* gpuRuleOf(int cudaError)
{
    if (cudaError == 200) // invalid image
        return "run/load";
    switch (cudaError) {
    case 2: // out of memory
        return "device/memory";
    case 46: // unavailable: exclusive or prohibited mode
        return "device/busy";
    case 100: // no device
    case 101: // invalid device
        return "device/missing";
    case 1: // invalid value
    case 701: // out of resources
    case 720: // cooperative launch too large
        return "run/launch";
    case 209: // no binary for this GPU
    case 218: // invalid PTX
    case 222: // unsupported PTX version
        return "device/architecture";
    case 214: // uncorrectable ECC error
    case 220: // uncorrectable NVLink error
        return "device/fault";
    case 36: // call requires a newer driver
        return "device/driver-too-old";
    case 700:
        return "run/illegal-address";
    case 702:
        return "run/timeout";
    case 710:
        return "run/assert";
    case 714:
    case 715:
        return "run/illegal-instruction";
    case 716:
        return "run/misaligned-address";
    case 717:
    case 718:
        return "run/invalid-address-space";
    case 719:
        return "run/launch-failed";
    case 802: // system not ready
        return "device/not-ready";
    case 803: // system driver mismatch
    case 804: // forward compatibility not supported
        return "device/driver-mismatch";
    default:
        return "device/driver";
    }
}

XidClass xidClass(unsigned xid)
{
    const Xid* known = findXid(xid);
    return known ? known->of : XidClass::Other;
}

const char* xidMeaning(unsigned xid)
{
    const Xid* known = findXid(xid);
    return known ? known->meaning : "";
}

Error withBlame(Error error)
{
    const bool blamed = error.evidence.is_object() && error.evidence.contains("contestant");
    if (blamed && error.code == "device/memory")
        error = {"run/memory", error.text, "", std::move(error.evidence)};
    else if (blamed && error.code == "device/driver")
        error = {"run/driver", error.text, "", std::move(error.evidence)};
    else if (error.hint.empty())
        error.hint = gpuRemedy(error.code);
    return error;
}

Error withKiller(Error error)
{
    constexpr int sigkill = 9;
    if (error.code != "run/exit" || !error.evidence.is_object() || error.evidence.value("signal", 0) != sigkill)
        return error;
    return gpuTrouble("device/worker-killed", "GPU workers are repeatedly killed externally: " + error.text,
        std::move(error.evidence));
}

std::optional<Error> gpuFault(const GpuReports& reports, const std::string& gpu)
{
    for (const unsigned xid : reports.xids)
        if (xidClass(xid) == XidClass::Device)
            return troubleOfXid(xid, gpu);
    if (reports.isLost)
        return gpuTrouble("device/lost", gpu + " no longer responds to its driver");
    return std::nullopt;
}

Error troubleOfXid(unsigned xid, const std::string& gpu)
{
    const std::string meaning = xidMeaning(xid);
    return gpuTrouble(xid == 79 ? "device/lost" : "device/fault",
        gpu + " reported Xid " + std::to_string(xid) + (meaning.empty() ? "" : " (" + meaning + ")"), {{"xid", xid}});
}

} // namespace tilewright
