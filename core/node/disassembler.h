// SPDX-License-Identifier: Apache-2.0
// objdump, nvdisasm and cuobjdump, where they are installed: in the sandbox, for a bounded time, on one built program.
// Thread-safe.
#pragma once

#include "core/model/measurement/listing.h"
#include "core/node/child_process.h"
#include "core/node/sandbox.h"

namespace tilewright {

struct Disassembly {
    std::string text; ///< as readObjdump() and readSass() leave it
    std::string tool;
    bool wasCut = false; ///< the tool wrote more than is read
};

class Disassembler
{
public:
    /// cpus: where the tools may run; empty means anywhere.
    Disassembler(const Sandbox& sandbox, std::vector<int> cpus)
        : m_sandbox(sandbox)
        , m_cpus(std::move(cpus))
    {
    }

    /// What shows programs in this form here: a path. Errors: tool/missing with the package that brings one.
    static Result<std::filesystem::path> toolFor(ListingForm form);

    /// Of a CPU program's object its functions, in Intel's syntax on such processors, with names as in the source; of a
    /// cubin its kernels. Errors: those of toolFor(), tool/output, tool/timeout, cancelled, machine/….
    Result<Disassembly> disassembly(ListingForm form, const std::string& program, const Cancelled& cancelled) const;

private:
    Result<RunResult> run(const std::filesystem::path& tool, const std::vector<std::string>& options,
        const std::string& program, const Cancelled& cancelled) const;

    const Sandbox& m_sandbox;
    std::vector<int> m_cpus;
};

// Where programs that Tilewright uses but does not bring stand on this machine: NVIDIA's tools, disassemblers.

/// Where the tool is, looked for in the CUDA toolkit's usual folders and in PATH; empty if it is not installed.
std::filesystem::path findTool(const char* name);

/// Binds what of the system the tool needs, beyond what every sandbox has.
void addFoldersOf(const std::filesystem::path& tool, SandboxRequest& request);

} // namespace tilewright
