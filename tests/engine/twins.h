// SPDX-License-Identifier: GPL-3.0-or-later
// The same record, opened twice, one of them to be steered: what follows differs in the way the steering command says,
// and only so.
#pragma once

#include "core/store/session_writer.h"
#include "tests/engine/dry_run.h"
#include "tests/engine/engine_driver.h"
#include "tests/engine/next_requests.h"

#include <QFile>
#include <algorithm>
#include <memory>
#include <optional>

namespace tilewright::testing {

/// Under sanitizers, on a machine with other work.
inline constexpr int twinPatienceMs = 180'000;

/// How twins came to where they part: step by step, so that their record does not hang on how busy the machine is.
struct TwinBeginning {
    int steps = 12; ///< candidates; the first one is the seed
    IslandPolicies review = {};
    std::map<IslandId, IslandSteering> steering = {};
    MigrationPlan migration = {MigrationPlan::Ways::Off, {}, 6};
};

/// A run of that beginning, made once for many pairs of twins. Not before the tests begin: what Qt Test does about
/// signals would undo what QProcess did.
class TwinRecord
{
public:
    TwinRecord(const TaskPack& pack, const TwinBeginning& beginning)
    {
        EngineDriver driver;
        NewSession session;
        session.path = driver.path();
        session.pack = pack;
        session.settings.budget.evaluations = beginning.steps;
        session.settings.review = beginning.review;
        session.settings.reviewLimit = 0; // each step sets a budget of its own, of which nothing is left
        session.settings.migration = beginning.migration;
        session.steering = beginning.steering;
        session.startNow = false;
        driver.engine.create(session);
        made = driver.failures.isEmpty();
        for (int i = 0; made && i < beginning.steps; ++i) {
            driver.execute(commands::Step{});
            made = driver.waitForEnd(twinPatienceMs);
        }
        driver.execute(commands::SaveCopy{(path()).toStdString()});
    }
    QString path() const { return m_folder.filePath(QStringLiteral("begun.tilewright")); }

    bool made = false;

private:
    QTemporaryDir m_folder;
};

/// A question that was put to a user, and its text.
struct AskedPrompt {
    ModelRequest modelRequest;
    std::string text;
};
using AskedPrompts = std::map<IslandId, AskedPrompt>;

/// A run with so many evaluations behind it, twice.
class Twins
{
    QTemporaryDir m_folder; ///< of copies that are open

public:
    explicit Twins(const TaskPack& pack, std::int64_t evaluations = 24, const QStringList& node = {})
        : steered(node)
    {
        steered.create(pack, evaluations);
        ready = steered.waitForEnd(twinPatienceMs);
        part(node);
    }

    /// Both open a copy of the record.
    explicit Twins(const TwinRecord& record)
        : steered({}, m_folder.filePath(QStringLiteral("steered.tilewright")))
    {
        ready = record.made && QFile::copy(record.path(), steered.path());
        steered.engine.open(steered.path());
        part({});
    }

    static RunState state(EngineDriver& driver) { return driver.run(); }

    /// One further evaluation; the proposals that it took. What waits for a user goes on waiting.
    std::vector<Proposal> step(EngineDriver& driver)
    {
        const RunState before = state(driver);
        driver.execute(commands::SetBudget{{before.evaluationsStarted + 1, 0, 0, 0}});
        driver.execute(commands::Step{});
        if (!driver.waitForEnd(twinPatienceMs))
            qFatal("the run did not end");
        const RunState after = state(driver);
        std::vector<Proposal> made;
        for (std::size_t i = before.proposals.size(); i < after.proposals.size(); ++i)
            made.push_back(after.proposals[i]);
        return made;
    }

    /// Steps until this island has proposed again; its next proposal.
    Proposal stepOf(EngineDriver& driver, IslandId island)
    {
        for (std::size_t turns = 0; turns < 4 * state(driver).islands.size(); ++turns)
            for (Proposal& each : step(driver))
                if (each.island == island)
                    return std::move(each);
        qFatal("an island is never asked");
    }

    /// Finishes what is there and waits for nobody's word; nothing new is proposed.
    void settle(EngineDriver& driver)
    {
        const auto isOnItsWay
            = [](const Candidate& each) { return !each.isOver() && each.stage != Stage::Review && !each.migrated; };
        const RunState before = state(driver);
        const auto places = std::ranges::count_if(
            before.candidates, [&](const Candidate& each) { return isOnItsWay(each) && each.evaluationNumber == 0; });
        driver.execute(commands::SetBudget{{before.evaluationsStarted + places, 0, 0, 0}});
        driver.execute(commands::Run{});
        const auto isSettled = [&] {
            const RunState now = state(driver);
            return std::ranges::none_of(now.candidates, isOnItsWay);
        };
        const int ends = driver.ends;
        if (!QTest::qWaitFor([&] { return driver.ends > ends || isSettled(); }, twinPatienceMs))
            qFatal("a candidate is not finished");
        if (driver.ends == ends)
            driver.execute(commands::Pause{});
        if (!driver.waitForEnd(twinPatienceMs))
            qFatal("the run did not end");
    }

    /// What a user is asked next where the run stands, each island once: they are asked from here on in place of
    /// whoever was.
    AskedPrompts ask(EngineDriver& driver)
    {
        const RunState before = state(driver);
        driver.execute(commands::SetBudget{{}});
        driver.execute(commands::SetProposer{"manual"});
        driver.execute(commands::Run{});
        const auto asked = [&] { return state(driver).modelRequests.size() - before.modelRequests.size(); };
        if (!QTest::qWaitFor([&] { return asked() >= before.islands.size(); }, twinPatienceMs))
            qFatal("nobody is asked");
        driver.execute(commands::Pause{});
        if (!driver.waitForEnd(twinPatienceMs))
            qFatal("the run did not end");
        AskedPrompts prompts;
        const RunState after = state(driver);
        for (std::size_t i = before.modelRequests.size(); i < after.modelRequests.size(); ++i) {
            const ModelRequest& modelRequest = after.modelRequests[i];
            prompts.try_emplace(modelRequest.island, AskedPrompt{modelRequest, driver.text(modelRequest.prompt)});
        }
        return prompts;
    }

    /// Whether the records are equal in all that was proposed before the steering command.
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

private:
    void part(const QStringList& node)
    {
        const QString copy = steered.m_folder.filePath(QStringLiteral("twin.tilewright"));
        steered.execute(commands::SaveCopy{copy.toStdString()});
        untouched = std::make_unique<EngineDriver>(node, copy);
        untouched->engine.open(copy);
        known = steered.run().proposals.size();
        ready = ready && state(*untouched).candidates == state(steered).candidates;
        ready = ready && steered.waitForNode() && untouched->waitForNode(); // before that nothing is measured again
    }
};

/// What stands in one text and not in the other, which is else the same; nothing where they differ otherwise.
inline std::optional<std::string> insertedInto(const std::string& plain, const std::string& longer)
{
    if (longer.size() < plain.size())
        return std::nullopt;
    const auto same = static_cast<std::size_t>(std::ranges::mismatch(plain, longer).in1 - plain.begin());
    const std::size_t more = longer.size() - plain.size();
    return plain.substr(same) == longer.substr(same + more) ? std::optional(longer.substr(same, more)) : std::nullopt;
}

/// Whether what a closed session shows follows from its events.
inline bool rebuildsAlike(const QString& path)
{
    auto writer = SessionWriter::open(path.toStdString());
    if (!writer)
        return false;
    const auto hash = (*writer)->projectionsHash();
    const bool rebuilt = (*writer)->rebuildProjections().has_value();
    return rebuilt && hash && (*writer)->projectionsHash().value() == *hash;
}

} // namespace tilewright::testing
