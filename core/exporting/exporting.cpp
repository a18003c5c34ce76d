// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exporting/exporting.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/engine/measuring/measuring_device.h"
#include "core/model/measurement/pair_ladder.h"
#include "core/model/measurement/shape_choice.h"
#include "core/store/session_reader.h"

#include <filesystem>
#include <utility>

namespace tilewright {
namespace {

ExportSource sourceOf(const std::string& path, std::function<std::string(const Hash&)> textOf)
{
    return {
        std::filesystem::path(path).filename().string(), SystemClock().utc(), TILEWRIGHT_VERSION, std::move(textOf)};
}

} // namespace

Error aboutSealed(Error error, const std::string& how)
{
    error.text = "the task's sealed shapes cannot be measured: " + error.text;
    error.hint += (error.hint.empty() ? "" : "; ") + how;
    return error;
}

Result<CandidateId> exportedCandidate(const RunState& state, const std::string& name)
{
    const Candidate* named = name == "best" ? state.best() : state.candidate(candidateFromName(name));
    if (named)
        return originOf(state, named->id);
    return name == "best"
        ? fail("candidate/unknown", "the session has no confirmed best", "name a candidate: c-0012")
        : fail("candidate/unknown", "the session has no candidate " + printable(name), "'show FILE --all' lists them");
}

Result<ExportPlan> exportPlanOf(const RunState& state, const TaskPack& pack, CandidateId candidate)
{
    const CandidateId id = originOf(state, candidate);
    if (const auto record = exportRecordOf(state, id, pack, sourceOf("", [](const Hash&) { return ""; })); !record)
        return std::unexpected(record.error());
    return ExportPlan{id, pack.task.sealed.size(), !pack.task.sealed.empty() && !state.sealedMeasurement(id),
        static_cast<std::int64_t>(state.sealedMeasurements.size())};
}

Result<ExportPlan> exportPlanIn(const std::string& session, const std::string& candidate)
{
    auto reader = SessionReader::open(session);
    const auto state = reader ? (*reader)->load() : std::unexpected(reader.error());
    const auto pack = state ? (*reader)->pack(*state) : std::unexpected(state.error());
    const auto id = pack ? exportedCandidate(*state, candidate) : std::unexpected(pack.error());
    if (!id)
        return std::unexpected(id.error());
    return exportPlanOf(*state, *pack, *id);
}

Result<events::SealedMeasured> measuredOnSealed(const RunState& state, const TaskPack& pack, CandidateId candidate,
    const std::string& source, const EvaluationWatch& watch)
{
    const auto sealed = packOn(pack, pack.task.sealed);
    if (!sealed)
        return std::unexpected(sealed.error());
    const auto evaluation = evaluated(
        {*sealed, source, state.device, Purpose::Export, {},
            [&state](const HelloReply::Device& device) { return checkSameDevice(state, device.id, factsOf(device)); }},
        watch);
    if (evaluation->error())
        return std::unexpected(*evaluation->error());
    EvaluationResult result = evaluation->result();
    if (result.outcome == Outcome::BuildFailed) // it built when it was confirmed: this machine lacks something
        return std::unexpected(Error{result.rule, result.text, "", result.evidence});
    result.purpose = Purpose::Export;
    for (ShapeResult& shape : result.shapes) {
        shape.split = ShapeSplit::Sealed;
        // It was paired with the seed, which is the baseline and not an earlier best.
        shape.baselineNs = shape.baselineNs ? shape.baselineNs : shape.incumbentNs;
        shape.incumbentNs.reset();
        shape.versusIncumbent.reset();
    }
    return events::SealedMeasured{candidate, evaluation->device().id, std::move(result)};
}

Result<Exported> exportedFrom(
    const std::string& session, const std::string& name, const std::optional<HarnessSources>& sources)
{
    auto reader = SessionReader::open(session);
    const auto state = reader ? (*reader)->load() : std::unexpected(reader.error());
    const auto pack = state ? (*reader)->pack(*state) : std::unexpected(state.error());
    const auto id = pack ? exportedCandidate(*state, name) : std::unexpected(pack.error());
    if (!id)
        return std::unexpected(id.error());
    const auto textOf = [&](const Hash& hash) { return (*reader)->text(hash).value_or(std::string()); };
    auto record = exportRecordOf(*state, *id, *pack, sourceOf(session, textOf));
    if (!record)
        return std::unexpected(record.error());
    const Candidate* candidate = state->candidate(record->candidate);
    const auto source = (*reader)->text(candidate->source);
    if (!source)
        return fail("session/corrupt", "the text of " + candidateName(candidate->id) + " is not in the session");
    std::string parentSource;
    if (record->lineage.size() > 1)
        parentSource = textOf(state->candidate(record->lineage[record->lineage.size() - 2].candidate)->source);
    auto bundle = bundleOf({*record, *state, *candidate, *pack, *source, parentSource, sources});
    if (!bundle)
        return std::unexpected(bundle.error());
    record->source.textOf = {}; // it ends with the reader
    return Exported{std::move(*record), std::move(*bundle), pack->task};
}

} // namespace tilewright
