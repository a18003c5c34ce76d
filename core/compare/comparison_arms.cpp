// SPDX-License-Identifier: GPL-3.0-or-later
// What sessions hold of the programs of a comparison.
#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/compare/comparison.h"
#include "core/model/best.h"
#include "core/model/measurement/dispute.h"
#include "core/model/measurement/energy.h"
#include "core/model/measurement/evidence.h"
#include "core/model/measurement/pair_ladder.h"
#include "core/model/measurement/resource_figures.h"
#include "core/source/program_text.h"

#include <algorithm>
#include <functional>

namespace tilewright {
namespace {

using Kind = ComparedProgram::Kind;

Hash seedOf(const RunState& run)
{
    const Candidate* seed = run.candidate({1});
    return seed ? seed->program : Hash{};
}

/// The newest confirmation of a candidate, else the measurement its figures come from: what was screened since has no
/// times of baseline and vendor.
const Evaluation* fullestOf(const RunState& run, const Candidate& candidate)
{
    for (const Evaluation* one = run.evaluation(candidate.latest); one; one = run.evaluation(one->before))
        if (!isQuick(one->result.purpose) && one->result.outcome == Outcome::Ranked)
            return one;
    return run.evaluation(candidate.latest);
}

ComparedProgram comparedBeside(const RunState& run, const Candidate& by, const std::string& session)
{
    ComparedProgram program;
    program.session = session;
    program.candidate = by.id;
    program.seed = seedOf(run);
    program.confirmed = by.confirmed;
    if (const Evaluation* evaluation = fullestOf(run, by))
        program.result = evaluation->result;
    return program;
}

void addPair(std::vector<SideBySide>& pairs, std::size_t program, std::size_t over, const Evaluation& evaluation)
{
    if (!evaluation.result.versusIncumbent || evaluation.result.outcome != Outcome::Ranked)
        return;
    SideBySide pair{program, over, *evaluation.result.versusIncumbent, {}, evaluation.result.noiseFloor};
    for (const ShapeResult& shape : evaluation.result.shapes)
        if (shape.versusIncumbent && shape.split != ShapeSplit::Own)
            pair.shapes.emplace_back(shape.shape, *shape.versusIncumbent);
    pairs.push_back(std::move(pair));
}

void addParentPair(
    std::vector<SideBySide>& pairs, std::size_t program, std::size_t over, const EvaluationResult& result)
{
    pairs.push_back({program, over, result.versusParent->ratio, result.versusParent->shapes, result.noiseFloor});
}

/// Whether a re-run was on chosen shapes or another device: its ratio is not that of the train shapes.
bool isAsUsual(const RunState& run, EvaluationId evaluation)
{
    const Rerun* rerun = rerunOf(run, evaluation);
    return !rerun || rerun->isAsUsual();
}

std::string numberText(std::optional<std::int64_t> value) { return value ? std::to_string(*value) : std::string(); }

ResourceFigures figuresOf(const ComparedProgram& program)
{
    const bool isOwn = program.kind == Kind::Candidate || program.kind == Kind::File;
    return isOwn && program.result ? resourceFigures(program.result->resources) : ResourceFigures{};
}

std::string wordOf(const nlohmann::json& object, const char* key)
{
    if (!object.is_object() || !object.contains(key) || object.at(key).is_null())
        return {};
    const nlohmann::json& value = object.at(key);
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_array() && value.size() == 2 && value.at(0).is_number())
        return value.at(0) == value.at(1) ? dumped(value.at(0)) : dumped(value.at(0)) + " to " + dumped(value.at(1));
    return dumped(value);
}

/// Of its checks the error that came nearest to its limit.
std::string errorOf(const ComparedProgram& program)
{
    if ((program.kind != Kind::Candidate && program.kind != Kind::File) || !program.result)
        return {};
    const Evidence evidence = evidenceOf(*program.result, nullptr);
    return evidence.largestError ? largestErrorText(evidence) : std::string();
}

} // namespace

const Candidate* measuredBeside(const RunState& run)
{
    const Candidate* best = run.best();
    return best ? best : run.candidate({1});
}

ComparedProgram comparedCandidate(
    const RunState& run, const Candidate& candidate, const std::string& session, std::string text)
{
    ComparedProgram program = comparedBeside(run, candidate, session);
    program.kind = Kind::Candidate;
    program.name = candidateName(candidate.id);
    program.text = std::move(text);
    program.tunables = candidate.tunables;
    program.dispute = disputeText(run, candidate);
    return program;
}

ComparedProgram comparedBaseline(const RunState& run, const Candidate& by, const std::string& session, std::string seed)
{
    ComparedProgram program = comparedBeside(run, by, session);
    program.kind = Kind::Baseline;
    program.name = "baseline";
    program.text = std::move(seed);
    program.tunables = valuesOf(tunablesOf(program.text));
    return program;
}

ComparedProgram comparedVendor(
    const RunState& run, const Candidate& by, const std::string& session, const std::string& vendor)
{
    ComparedProgram program = comparedBeside(run, by, session);
    program.kind = Kind::Vendor;
    program.name = vendor;
    return program;
}

std::vector<SideBySide> sideBySideIn(
    const RunState& run, const std::string& session, const std::vector<ComparedProgram>& programs)
{
    std::vector<SideBySide> pairs;
    const auto isHere = [&](const ComparedProgram& program) {
        return program.session == session && (program.kind == Kind::Candidate || program.kind == Kind::Baseline);
    };
    const auto idOf = [&](const ComparedProgram& program) {
        return program.kind == Kind::Baseline ? CandidateId{1} : originOf(run, program.candidate);
    };
    for (const Evaluation& evaluation : run.evaluations) { // oldest first: the newest pair counts
        if (!isAsUsual(run, evaluation.id))
            continue;
        for (std::size_t i = 0; i < programs.size(); ++i) {
            if (!isHere(programs[i]) || programs[i].kind == Kind::Baseline
                || originOf(run, evaluation.candidate) != idOf(programs[i]))
                continue;
            for (std::size_t j = 0; j < programs.size(); ++j) {
                if (i == j || !isHere(programs[j]))
                    continue;
                if (originOf(run, evaluation.against) == idOf(programs[j])
                    && originOf(run, evaluation.against) != idOf(programs[i]))
                    addPair(pairs, i, j, evaluation);
                const auto& parent = evaluation.result.versusParent;
                if (parent && originOf(run, parent->parent) == idOf(programs[j]))
                    addParentPair(pairs, i, j, evaluation.result);
            }
        }
    }
    return pairs;
}

std::vector<ComparedProperty> propertiesOf(const std::vector<ComparedProgram>& programs)
{
    std::vector<ComparedProperty> properties;
    const auto add = [&](const std::string& name, const std::string& unit,
                         const std::function<std::string(const ComparedProgram&)>& valueOf) {
        ComparedProperty property{name, unit, {}};
        for (const ComparedProgram& program : programs)
            property.values.push_back(valueOf(program));
        if (std::ranges::any_of(property.values, [](const std::string& value) { return !value.empty(); }))
            properties.push_back(std::move(property));
    };
    std::vector<std::string> constants;
    for (const ComparedProgram& program : programs)
        for (const auto& [name, value] : program.tunables)
            if (std::ranges::find(constants, name) == constants.end())
                constants.push_back(name);
    for (const std::string& name : constants)
        add(name, "", [&](const ComparedProgram& program) {
            const auto found = program.tunables.find(name);
            return found == program.tunables.end() ? std::string() : std::to_string(found->second);
        });
    add("registers", "", [](const auto& program) { return numberText(figuresOf(program).registers); });
    add("shared memory", "B", [](const auto& program) { return numberText(figuresOf(program).sharedBytes); });
    add("spilled", "B", [](const auto& program) { return numberText(figuresOf(program).spillBytes); });
    add("occupancy", "", [](const auto& program) {
        const auto occupancy = figuresOf(program).occupancy;
        return occupancy ? fixedText(*occupancy, 3) : std::string();
    });
    add("machine code", "B", [](const auto& program) { return numberText(figuresOf(program).machineCodeBytes); });
    add("source without comments", "B", [](const auto& program) {
        return program.text.empty() ? std::string() : std::to_string(codeBytes(program.text));
    });
    add("energy", "", [](const ComparedProgram& program) {
        const bool isOwn = program.kind == Kind::Candidate || program.kind == Kind::File;
        const auto energy = isOwn && program.result ? energyOf(program.result->environment) : std::nullopt;
        return energy ? energyText(*energy) : std::string();
    });
    add("hot loop", "", [](const auto& program) { return hotLoopWords(figuresOf(program)); });
    add("error nearest to its limit", "", errorOf);
    add("confirmed", "", [](const ComparedProgram& program) {
        return !program.result ? "not measured" : program.confirmed ? "yes" : "no";
    });
    for (const auto& [name, unit, key] : {std::tuple{"device", "", "device"}, {"clock", "MHz", "mhz"},
             {"timing", "", "mode"}, {"threads", "", "threads"}, {"protocol version", "", "protocol"},
             {"compiler", "", "compiler"}, {"driver", "", "driver"}, {"isolation", "", "isolation"}})
        add(name, unit, [&key](const ComparedProgram& program) {
            return program.result ? wordOf(program.result->environment, key) : std::string();
        });
    add("session", "", [](const ComparedProgram& program) { return program.session; });
    return properties;
}

} // namespace tilewright
