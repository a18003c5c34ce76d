// SPDX-License-Identifier: Apache-2.0
// A guest together with its tensors: places them flush with a guard page, fills, poisons, runs, and hands out what came
// back. What the program can reach is its inputs and poison, nothing else. Measuring thread only.
#pragma once

#include "core/device/core_split.h"
#include "core/node/gates.h"
#include "core/node/guest_process.h"

#include <map>

namespace tilewright {

enum class Placement { FlushLeft, FlushRight };

constexpr std::uint8_t firstPoison = 0xff, secondPoison = 0x7b;

class Arena
{
public:
    /// Room for all these shapes. object: a built candidate or "vendor:NAME", with "/CORE" behind it where OpenBLAS is
    /// to use that core type. awake: see GuestSetup.
    static Result<std::unique_ptr<Arena>> start(const Sandbox& sandbox, const std::filesystem::path& worker,
        const std::string& object, const Task& task, const std::vector<Shape>& shapes, const CoreSplit& cores,
        CoreKeptAwake* awake = nullptr);

    /// Asks the program for its workspace and points the arguments at this shape's tensors.
    /// Errors: run/workspace-limit, and those of GuestProcess::call.
    Result<void> bind(const Shape& shape, Placement placement);

    /// In the order of the task's tensors.
    std::vector<std::span<float>> inputs() { return tensors(TensorRole::Input); }
    std::vector<std::span<float>> outputs() { return tensors(TensorRole::Output); }
    const Shape& shape() const { return m_bound; }

    /// Outputs and workspace, and all that surrounds them in their regions.
    void poison(std::uint8_t pattern);
    /// Errors: verify/out-of-bounds-write when the surroundings lost their poison.
    Result<void> checkSurroundings(std::uint8_t pattern) const;
    Result<std::chrono::nanoseconds> run(std::chrono::nanoseconds limit)
    {
        return m_guest->call(GuestCommand::Run, limit);
    }
    /// Wall time of a call that does nothing.
    Result<std::chrono::nanoseconds> emptyCall()
    {
        return m_guest->call(GuestCommand::Nothing, std::chrono::seconds(2));
    }
    std::chrono::nanoseconds lastWait() const { return m_guest->lastWait(); }
    const std::string& vendorText() const { return m_guest->vendorText(); }
    std::int64_t workspaceBytes() const { return m_workspaceBytes; }

private:
    struct Range {
        std::size_t region = 0, offset = 0, bytes = 0;
    };
    enum class Callee { Candidate, Vendor };
    Arena(std::unique_ptr<GuestProcess> guest, const Task& task, Callee callee)
        : m_guest(std::move(guest))
        , m_task(task)
        , m_callee(callee)
    {
    }
    std::vector<std::span<float>> tensors(TensorRole role);
    std::size_t workspaceRegion() const { return m_task.tensors.size(); }
    Range place(std::size_t region, std::size_t bytes, Placement placement) const;

    std::unique_ptr<GuestProcess> m_guest;
    Task m_task;
    Callee m_callee;
    Shape m_bound;
    std::vector<Range> m_tensors;
    Range m_workspace;
    std::int64_t m_workspaceBytes = 0;
    std::map<Shape, std::int64_t> m_workspaceOf;
};

} // namespace tilewright
