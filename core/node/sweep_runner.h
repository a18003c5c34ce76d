// SPDX-License-Identifier: Apache-2.0
// Runs a CPU program on many small sizes, a batch of them in one call of its guest, and checks every result: the
// launches of a ShapeSweep cost little more than their own work. Inputs of a size begin at a random place of one large
// random tensor; outputs stand in a row with poison between them. Measuring thread only.
#pragma once

#include "core/device/core_split.h"
#include "core/node/guest_process.h"
#include "core/node/reference.h"
#include "core/node/shape_sweep.h"

namespace tilewright {

struct SweepSetup {
    const Sandbox& sandbox;
    std::filesystem::path worker; ///< tilewright-worker
    std::string object; ///< path of the built candidate
    const Task& task;
    const Reference& reference;
    CoreSplit cores;
    CoreKeptAwake* awake = nullptr; ///< see GuestSetup
    std::string seedText; ///< secret-derived
};

class SweepRunner
{
public:
    /// A guest with room for each of these sizes, and for any within the caps. Errors: run/load, run/start,
    /// machine/memory.
    static Result<std::unique_ptr<SweepRunner>> start(
        const SweepSetup& setup, const std::vector<Shape>& largest, const SweepCaps& caps);

    /// Runs the program once on each size. Errors: verify/sweep for a result that is wrong, missing or written outside
    /// of its output, run/workspace-limit, and those of GuestProcess::call; evidence: shape, index, want, got, bound,
    /// and the rule that found it.
    Result<void> run(const std::vector<Shape>& shapes);
    std::int64_t launches() const { return m_launches; }
    /// Of the launches that the reference judged, as one check: "size-sweep".
    const MeasuredChecks& measured() const { return m_measured; }

private:
    /// Where the tensors of one launch stand in their regions, in bytes.
    struct Launch {
        Shape shape;
        std::vector<std::size_t> offsets;
    };
    SweepRunner(const SweepSetup& setup, std::unique_ptr<GuestProcess> guest);
    std::size_t bytesOf(std::size_t tensor, const Shape& shape) const;
    /// Places as many of the sizes from `first` on as there is room for.
    std::vector<Launch> place(const std::vector<Shape>& shapes, std::size_t first);
    Result<void> runBatch(const std::vector<Launch>& launches);
    Result<MeasuredChecks> checkLaunch(const Launch& launch, std::uint64_t ordinal) const;
    std::span<const float> valuesOf(std::size_t tensor, const Launch& launch) const;

    const Task& m_task;
    const Reference& m_reference;
    std::string m_seedText;
    std::unique_ptr<GuestProcess> m_guest;
    std::int64_t m_launches = 0;
    MeasuredChecks m_measured;
    double m_slowest = 0; ///< ns for one operation, of the batches so far
};

} // namespace tilewright
