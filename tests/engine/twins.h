// SPDX-License-Identifier: GPL-3.0-or-later
// The same record, opened twice, one of them to be steered: what follows differs in the way the lever says, and only
// so.
#pragma once

#include "tests/engine/dry_run.h"
#include "tests/engine/engine_driver.h"

#include <memory>

namespace tilewright::testing {

/// Under sanitizers, on a machine with other work.
inline constexpr int twinPatienceMs = 180'000;

/// A run with so many evaluations behind it, twice.
class Twins
{
public:
    explicit Twins(const TaskPack& pack, std::int64_t evaluations = 24, const QStringList& node = {})
        : steered(node)
    {
        steered.create(pack, evaluations);
        ready = steered.waitForEnd(twinPatienceMs);
        const QString copy = steered.m_folder.filePath(QStringLiteral("twin.tilewright"));
        steered.engine.saveCopy(copy);
        untouched = std::make_unique<EngineDriver>(node, copy);
        untouched->engine.open(copy);
        known = steered.run().proposals.size();
        ready = ready && state(*untouched).candidates == state(steered).candidates;
    }

    static RunState state(EngineDriver& driver) { return driver.run(); }

    /// One further evaluation; the proposals that it took.
    std::vector<Proposal> step(EngineDriver& driver)
    {
        const RunState before = state(driver);
        driver.engine.setBudget({before.evaluationsStarted + 1, 0, 0, 0});
        driver.engine.run();
        if (!driver.waitForEnd(twinPatienceMs))
            qFatal("the run did not end");
        const RunState after = state(driver);
        std::vector<Proposal> made;
        for (std::size_t i = before.proposals.size(); i < after.proposals.size(); ++i)
            made.push_back(after.proposals[i]);
        return made;
    }

    /// Whether the records are equal in all that was proposed before the lever.
    bool beganAlike()
    {
        const RunState a = state(steered), b = state(*untouched);
        for (std::size_t i = 0; i < known; ++i)
            if (!(a.proposals[i] == b.proposals[i]))
                return false;
        return true;
    }

    EngineDriver steered;
    std::unique_ptr<EngineDriver> untouched;
    std::size_t known = 0;
    bool ready = false;
};

} // namespace tilewright::testing
