// SPDX-License-Identifier: GPL-3.0-or-later
// What a run's events tell of its work: recorded pieces as they are, older sessions by the times of their events.
#include "core/base/clock.h"
#include "core/model/run_state.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

namespace {

/// A run of two candidates that was started at second 10 of a minute.
class Told
{
public:
    Told()
    {
        RunSettings settings;
        settings.taskName = "t";
        at(0, events::RunCreated{settings});
        at(0, events::IslandCreated{{1}, "A", "evolve", Focus::Explore});
        at(1000, events::DeviceFound{"cpu0", "host", {{"name", "A CPU"}}});
        for (std::int64_t id : {1, 2}) {
            Candidate candidate;
            candidate.id = {id};
            candidate.island = {1};
            candidate.program = sha256(std::to_string(id));
            at(2000, events::CandidateMade{candidate});
        }
        at(10'000, events::PhaseChanged{events::Phase::Running, "", second});
    }

    void at(int milliseconds, EventBody body)
    {
        char utc[40];
        std::snprintf(utc, sizeof utc, "2026-02-28T23:59:%02d.%03dZ", milliseconds / 1000, milliseconds % 1000);
        const Event event{{1}, state.lastSeq + 1, utc, std::move(body)};
        if (const auto applied = apply(state, event); !applied)
            qFatal("%s", applied.error().text.c_str());
    }

    static events::Evaluated evaluated(
        std::int64_t id, std::int64_t candidate, std::string rule, std::int64_t runNs, std::int64_t wallNs)
    {
        Evaluation evaluation;
        evaluation.id = {id};
        evaluation.candidate = {candidate};
        evaluation.result.outcome = rule.empty() ? Outcome::Ranked : Outcome::Refused;
        evaluation.result.rule = std::move(rule);
        evaluation.result.wallNs = wallNs;
        return {evaluation, runNs};
    }

    static constexpr std::int64_t second = 1'000'000'000;
    RunState state;
};

} // namespace

class TestWork : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aTimeIsReadAsItIsWritten()
    {
        QCOMPARE(millisecondsOf("1970-01-01T00:00:00.000Z"), std::optional<std::int64_t>(0));
        QCOMPARE(millisecondsOf("2026-11-21T17:46:34.123Z"), std::optional<std::int64_t>(1795283194123));
        for (const char* wrong : {"", "2026-11-21", "2026-13-21T17:46:34.123Z", "2026-11-21T17:46:34.12xZ"})
            QVERIFY(!millisecondsOf(wrong));
        const auto now = millisecondsOf(SystemClock().utc());
        QVERIFY(now && *now > 1'700'000'000'000);
    }

    void recordedWorkIsKeptAsItIs()
    {
        Told told;
        told.at(11'000, events::WorkDone{{{2}, Work::Build, 1, -1, 10, 20, 50, "build/error", false}});
        QCOMPARE(told.state.work.spans.size(), std::size_t(1));
        const WorkSpan& span = told.state.work.spans[0];
        QCOMPARE(span.durationNs(), 30);
        QCOMPARE(span.place, 1);
        QCOMPARE(span.device, 0);
        QVERIFY(!span.derived);
        QCOMPARE(told.state.work.devices.at(0).name, std::string("A CPU"));
    }

    void olderSessionsTellByTheTimesOfTheirEvents()
    {
        Told told;
        told.at(10'500, events::EvaluationStarted{{2}});
        told.at(11'000, events::StageReached{{2}, Stage::Checking});
        told.at(11'250, events::StageReached{{2}, Stage::Screening});
        told.at(12'000, Told::evaluated(1, 2, "", 3 * Told::second, Told::second / 2));
        told.at(12'000, events::StageReached{{2}, Stage::Confirming});
        told.at(15'000, Told::evaluated(2, 2, "verify/timed", 6 * Told::second, 2 * Told::second));
        told.at(15'000, events::StageReached{{2}, Stage::Done});
        const auto& spans = told.state.work.spans;
        QCOMPARE(spans.size(), std::size_t(4));
        QCOMPARE(spans[0].work, Work::Check);
        QCOMPARE(spans[0].startedNs, 2 * Told::second); // a second after the start, which was at one second of run time
        QCOMPARE(spans[0].durationNs(), Told::second / 4);
        QCOMPARE(spans[1].work, Work::Screen);
        QCOMPARE(spans[1].durationNs(), Told::second / 2); // as the node said; before, it waited
        QCOMPARE(spans[1].startedNs - spans[1].askedNs, Told::second / 4);
        QCOMPARE(spans[2].work, Work::CheckAll);
        QCOMPARE(spans[2].durationNs(), Told::second);
        QCOMPARE(spans[2].rule, std::string());
        QCOMPARE(spans[3].work, Work::Confirm);
        QCOMPARE(spans[3].durationNs(), 2 * Told::second);
        QCOMPARE(spans[3].rule, std::string("verify/timed"));
        for (const WorkSpan& span : spans)
            QVERIFY(span.derived);
        QVERIFY(told.state.work.open.empty());
    }

    void aRefusalBeforeTheTimingIsOneOfTheCheck()
    {
        Told told;
        told.at(12'000, events::StageReached{{2}, Stage::Confirming});
        told.at(13'000, Told::evaluated(1, 2, "verify/poison", 4 * Told::second, 0));
        QCOMPARE(told.state.work.spans.size(), std::size_t(1));
        QCOMPARE(told.state.work.spans[0].work, Work::CheckAll);
        QCOMPARE(told.state.work.spans[0].rule, std::string("verify/poison"));
    }

    void whatIsRecordedIsNotDerivedAsWell()
    {
        Told told;
        told.at(11'000, events::StageReached{{2}, Stage::Checking});
        told.at(11'200, events::WorkDone{{{2}, Work::Check, 0, -1, 2, 2, 9, "", false}});
        told.at(11'200, events::StageReached{{2}, Stage::Screening});
        told.at(11'900, events::WorkDone{{{2}, Work::Screen, 0, -1, 9, 9, 20, "", false}});
        told.at(11'900, Told::evaluated(1, 2, "", 20, 11));
        QCOMPARE(told.state.work.spans.size(), std::size_t(2));
        QVERIFY(!told.state.work.spans[1].derived);
    }

    void aWaitForAPersonIsNoWork()
    {
        Told told;
        told.at(11'000, events::StageReached{{2}, Stage::Checking});
        told.at(11'500, events::ReviewAsked{{1}, {2}, {}, {}});
        told.at(20'000, events::Reviewed{{1}, Decision::Approved, "person", "", {}});
        QCOMPARE(told.state.work.spans.size(), std::size_t(1));
        QCOMPARE(told.state.work.spans[0].durationNs(), Told::second / 2);
    }

    void whatWasCutOffHasNoEnd()
    {
        Told told;
        told.at(11'000, events::StageReached{{2}, Stage::Checking});
        told.at(30'000, events::PhaseChanged{events::Phase::Paused, "interrupted", 2 * Told::second});
        told.at(40'000, events::PhaseChanged{events::Phase::Running, "", 2 * Told::second});
        told.at(41'000, events::StageReached{{2}, Stage::Screening});
        told.at(41'500, Told::evaluated(1, 2, "", 3 * Told::second, 0));
        QCOMPARE(told.state.work.spans.size(), std::size_t(1));
        QCOMPARE(told.state.work.spans[0].work, Work::Screen);
        QCOMPARE(told.state.work.spans[0].startedNs, 3 * Told::second); // pauses do not count
    }

    void noiseAndEndsOfTheNodeHaveTheirTimes()
    {
        Told told;
        told.at(12'000, events::NoiseMeasured{"cpu0", 0.004, 20});
        told.at(13'000, events::Noted{"warning", "the node crashed", nodeStartedAnew});
        told.at(13'000, events::Noted{"warning", "something else", ""});
        QCOMPARE(told.state.work.noise, (std::vector<NoisePoint>{{3 * Told::second, 0.004, 20, 0}}));
        QCOMPARE(told.state.work.nodeEnds, (std::vector<NodeEnd>{{4 * Told::second, "the node crashed"}}));
    }

    void ofBlocksTheirExtremesAreKept()
    {
        const nlohmann::json blocks{{{"temp_c", 58}, {"power_w", 540.5}, {"reasons", 0}},
            {{"temp_c", 61}, {"power_w", 562}, {"reasons", 0x4}},
            {{"temp_c", nullptr}, {"power_w", 550}, {"reasons", 0x44}}};
        const nlohmann::json kept{{"blocks", 3}, {"temp_c", {58.0, 61.0}}, {"power_w", {540.5, 562.0}},
            {"throttling", {{"power limit", 2}, {"hardware thermal slowdown", 1}}}};
        QVERIFY2(observedOf(blocks) == kept, observedOf(blocks).dump().c_str());
        QVERIFY(observedOf(nlohmann::json::array()).is_null());
        QVERIFY(observedOf({{{"mhz", {3700, 3710}}}}).is_null()); // a processor whose clock alone is known
        QCOMPARE(throttlingOf(0x3).size(), std::size_t(0)); // at rest, or at a clock that a user chose: not slowed
    }

    void aMeasurementTellsWhatWasSeenOfItsDevice()
    {
        Told told;
        auto measured = Told::evaluated(1, 2, "", 3 * Told::second, Told::second);
        measured.evaluation.device = "cpu0";
        measured.evaluation.result.environment = {{"mhz", {1965, 1980}},
            {"observed", {{"blocks", 40}, {"temp_c", {58, 61}}, {"throttling", {{"power limit", 12}}}}}};
        told.at(13'000, measured);
        const Conditions& seen = told.state.work.conditions[0];
        QCOMPARE(seen.runNs, 3 * Told::second);
        QCOMPARE(seen.mhz, (std::optional<Readings>{{1965, 1980}}));
        QCOMPARE(seen.celsius, (std::optional<Readings>{{58, 61}}));
        QVERIFY(!seen.watts);
        QCOMPARE(seen.throttlingWords(), std::string("power limit"));
        QCOMPARE(seen.blocks, 40);
        QCOMPARE(seen.device, std::string("cpu0"));
    }

    void anOlderMeasurementTellsWhatStoodBesideIt()
    {
        Told told;
        auto measured = Told::evaluated(1, 2, "", 3 * Told::second, Told::second);
        measured.evaluation.result.environment
            = {{"mhz", {0, 0}}, {"temp_c", 49}, {"power_w", nullptr}, {"clock_reasons", 0}};
        told.at(13'000, measured);
        measured = Told::evaluated(2, 2, "", 4 * Told::second, Told::second);
        measured.evaluation.result.environment
            = {{"mhz", {3700, 3710}}, {"temp_c", nullptr}, {"power_w", nullptr}, {"clock_reasons", 0}};
        told.at(14'000, measured);
        told.at(15'000, Told::evaluated(3, 2, "build/error", 5 * Told::second, 0)); // tells nothing
        const auto& all = told.state.work.conditions;
        QCOMPARE(all.size(), std::size_t(2));
        QVERIFY(!all[0].mhz && !all[0].watts);
        QCOMPARE(all[0].celsius, (std::optional<Readings>{{49, 49}}));
        QVERIFY(all[0].throttling && all[0].throttling->empty());
        QVERIFY(!all[1].throttling); // nobody could be asked: that is not "none"
        QCOMPARE(all[1].mhz, (std::optional<Readings>{{3700, 3710}}));
    }
};

TILEWRIGHT_TEST(TestWork)
#include "test_work.moc"
