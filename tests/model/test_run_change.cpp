// SPDX-License-Identifier: GPL-3.0-or-later
// A change of a run says of itself what was changed, for whom, and from what to what.
#include "core/model/run_change.h"
#include "core/model/run_state.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

namespace {

/// A run of two islands with its seed, and the lines of what is done to it.
struct Changed {
    RunState run;

    Changed()
    {
        RunSettings settings;
        settings.taskName = "t";
        Candidate seed;
        seed.id = {1};
        seed.island = {1};
        seed.program = sha256("seed");
        for (EventBody body : std::vector<EventBody>{events::RunCreated{settings},
                 events::IslandCreated{{1}, "Tiling", "evolve", Focus::Explore},
                 events::IslandCreated{{2}, "Tuning", "evolve", Focus::Tune}, events::CandidateMade{seed}})
            put(std::move(body));
    }

    void put(EventBody body)
    {
        const Event event{{1}, run.lastSeq + 1, "2026-01-01T00:00:00.000Z", std::move(body)};
        if (auto applied = apply(run, event); !applied)
            qFatal("%s", applied.error().text.c_str());
    }

    /// What this says; "" where it is no change.
    std::string says(EventBody body)
    {
        const std::size_t before = run.changes.size();
        put(std::move(body));
        return run.changes.size() == before ? std::string() : lineOf(run.changes.back());
    }
};

} // namespace

class TestRunChange : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aTemplateOfAnIslandNamesItAndWhatHeldThere()
    {
        Changed changed;
        const Hash text = sha256("Make it faster.");
        QCOMPARE(changed.says(events::TemplateSaved{{}, "exploit", text, "", 0}),
            std::string("template exploit: version 1"));
        QCOMPARE(changed.says(events::TemplateSaved{{2}, "exploit", sha256("Slower."), "why", 0}),
            std::string("template exploit of island B: version 1 of all islands → version 1: why"));
        QCOMPARE(changed.run.changes.back().island, IslandId{2});
        QCOMPARE(changed.says(events::TemplateSaved{{2}, "exploit", text, "", 0}),
            std::string("template exploit of island B: version 1 → version 2"));
        QCOMPARE(changed.says(events::TemplateSaved{{1}, "explore", text, "", 0}),
            std::string("template explore of island A: version 1"));
    }

    void aRequestSaysOfWhichKindItIs()
    {
        Changed changed;
        SteeringPrompt translate, exploit, judge;
        translate.templateName = "translate";
        exploit.templateName = exploit.changed = "exploit";
        exploit.island = {2};
        judge.templateName = "judge";
        const auto requested = [&](std::int64_t id, const SteeringPrompt& prompt) {
            return changed.says(events::SteeringRequested{{{id}, {1}, 1, "", 0, false, prompt}});
        };
        QCOMPARE(requested(1, {}), std::string("c-0001 parent of the next: 1 request"));
        QCOMPARE(
            requested(2, translate), std::string("c-0001 parent of the next: 1 request, with the prompt 'translate'"));
        QCOMPARE(requested(3, exploit),
            std::string("c-0001 parent of the next: 1 request, with the prompt 'exploit' for island B and a text of "
                        "'exploit' used once"));
        QCOMPARE(requested(4, judge), std::string("c-0001 judging: 1 request, with the prompt 'judge'"));
        QCOMPARE(changed.says(events::SteeringRequestCancelled{{2}}),
            std::string("c-0001 parent of the next: 1 request, with the prompt 'translate' → not, undone"));
    }

    void thePersonsInsightsSayWhatTheyWereBefore()
    {
        Changed changed;
        const auto written = [&](int number, std::int64_t evaluations, const char* text) {
            return changed.says(
                events::InsightsWritten{{number, "person", evaluations, *text ? sha256(text) : Hash{}, {}}});
        };
        QCOMPARE(written(1, 12, "Keep four rows."), std::string("your insights: none → written"));
        QCOMPARE(written(2, 30, "Keep eight rows."), std::string("your insights: written after 12 results → written"));
        QCOMPARE(written(3, 31, ""), std::string("your insights: written after 30 results → none"));
        QCOMPARE(changed.says(events::InsightsWritten{{4, "statistics", 40, sha256("Rows help."), {}}}), std::string());
    }
};

TILEWRIGHT_TEST(TestRunChange)
#include "test_run_change.moc"
