// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/requests/steering_words.h"

#include "core/base/text.h"
#include "core/model/event_names.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tilewright {
namespace {

constexpr const char *strategysOwn = "strategy", *sessionsOwn = "session";

Result<double> decimalIn(const std::string& word)
{
    double number = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
    return problem == std::errc{} && end == word.data() + word.size()
        ? Result<double>(number)
        : fail("island/value", "'" + word + "' is not a number", "write it as 0.7");
}

constexpr const char* kindsInMix = "explore=, neighbour=, exploit=, crossover= and tune=";
constexpr const char* proposersInMix = "mutator=, tuner=, manual= and model:NAME=";

bool namesProposer(std::string_view name) { return isNameInMix(name) || name.starts_with(modelInMix); }

enum class MixOf { Kinds, Proposers };

/// One weight of a mix, as it is written.
struct MixPart {
    std::string name;
    double weight = 0;
};

/// "explore=2,exploit=1", or "mutator=1,model:coder=2": each name once, and all of one kind.
Result<std::vector<MixPart>> partsIn(const std::string& word, MixOf of)
{
    const bool ofProposers = of == MixOf::Proposers;
    std::vector<MixPart> parts;
    for (std::size_t from = 0; from <= word.size();) {
        const std::size_t to = std::min(word.find(',', from), word.size());
        const std::string part = word.substr(from, to - from);
        const std::size_t equals = part.rfind('='); // a model's name may hold one
        const std::string name = part.substr(0, equals);
        const bool isKind = bool(valueIn(mixNames, name)), isProposer = isNameInMix(name);
        if (equals != std::string::npos && (ofProposers ? isKind : isProposer))
            return fail("island/value", "a mix is of kinds of edits or of proposers, not of both: '" + word + "'",
                std::string("first set how often each kind is requested (") + kindsInMix
                    + "), then, in a separate command, the proposers (" + proposersInMix + ")");
        if (equals == std::string::npos || !(ofProposers ? isProposer : isKind))
            return fail("island/value",
                "'" + part + "' is not a weight of a mix" + (ofProposers ? " of proposers" : ""),
                "use " + (ofProposers ? std::string() : kindsInMix + std::string(", or for proposers "))
                    + proposersInMix + ", separated by commas");
        if (std::ranges::find(parts, name, &MixPart::name) != parts.end())
            return fail("island/value", "the mix names " + name + " twice", "give it one weight");
        const auto number = decimalIn(part.substr(equals + 1));
        if (!number)
            return std::unexpected(number.error());
        parts.push_back({name, *number});
        from = to + 1;
    }
    return parts;
}

Result<FocusMix> mixIn(const std::string& word)
{
    const auto parts = partsIn(word, MixOf::Kinds);
    if (!parts)
        return std::unexpected(parts.error());
    FocusMix mix;
    for (const auto& [name, weight] : *parts)
        mix.*(*valueIn(mixNames, name)) = weight;
    return mix;
}

Result<ProposerMix> proposersIn(const std::string& word)
{
    const auto parts = partsIn(word, MixOf::Proposers);
    if (!parts)
        return std::unexpected(parts.error());
    ProposerMix mix;
    for (const auto& [name, weight] : *parts)
        mix[name] = weight;
    return mix;
}

/// "A>B,B>C".
Result<std::set<MigrationPlan::Edge>> edgesIn(const std::string& word)
{
    std::set<MigrationPlan::Edge> edges;
    for (std::size_t from = 0; from <= word.size();) {
        const std::size_t to = std::min(word.find(',', from), word.size());
        const std::string part = word.substr(from, to - from);
        const std::size_t arrow = std::min(part.find('>'), part.size());
        const IslandId source = islandFromLetter(part.substr(0, arrow));
        const IslandId target = arrow < part.size() ? islandFromLetter(part.substr(arrow + 1)) : IslandId{};
        if (!source || !target)
            return fail("island/value", "'" + part + "' is not a route between islands",
                "use ring, off, or routes such as 'A>B,B>C'");
        edges.emplace(source, target);
        from = to + 1;
    }
    return edges;
}

} // namespace

Result<IslandSteering> steeredBy(IslandSteering steering, const std::string& what, const std::string& word)
{
    if (what == "mix" && word == sessionsOwn) {
        steering.proposers.clear();
        return steering;
    }
    if (what == "mix" && namesProposer(word.substr(0, word.find('=')))) {
        auto mix = proposersIn(word);
        if (!mix)
            return std::unexpected(mix.error());
        steering.proposers = std::move(*mix);
        return steering;
    }
    if (what == "focus" || what == "mix") {
        steering.focus.reset();
        steering.mix.reset();
    }
    if (what == "focus" && word != strategysOwn) {
        steering.focus = valueIn(aimNames, word);
        if (!steering.focus)
            return fail("island/value", "an island has no focus '" + word + "'",
                "use explore, exploit, crossover, tune, or strategy for the choice of the strategy");
    }
    if (what == "mix" && word != strategysOwn) {
        const auto mix = mixIn(word);
        if (!mix)
            return std::unexpected(mix.error());
        steering.mix = *mix;
    }
    if (what == "selection" || (what == "temperature" && word != "none")) {
        const auto number = decimalIn(word);
        if (!number)
            return std::unexpected(number.error());
        if (what == "selection")
            steering.selection = *number;
        else
            steering.sampling = *number;
    } else if (what == "temperature") {
        steering.sampling.reset();
    } else if (const SteeredCount* count = steeredCount(what)) {
        const auto number = decimalIn(word);
        if (!number || *number != std::floor(*number))
            return fail("island/value", "'" + word + "' is not a number of " + std::string(count->name),
                "use a whole number, 0 for none");
        steering.*count->member = static_cast<int>(std::clamp(*number, -1.0, count->most + 1.0));
    } else if (what != "focus" && what != "mix") {
        return fail("island/value", "islands have no setting '" + what + "'",
            "use focus, mix, selection, temperature, repairs or stagnation");
    }
    return steering;
}

std::vector<std::string> stepsTo(const IslandSteering& steering)
{
    std::vector<std::string> steps;
    if (steering.focus)
        steps.push_back("focus=" + nameOf(*steering.focus));
    if (steering.mix) {
        std::vector<std::string> weights;
        for (const auto& [weight, name] : mixNames)
            if ((*steering.mix).*weight > 0)
                weights.push_back(std::string(name) + "=" + wordsOf((*steering.mix).*weight));
        steps.push_back("mix=" + joined(weights, ","));
    }
    if (steering.selection != IslandSteering().selection)
        steps.push_back("selection=" + wordsOf(steering.selection));
    if (steering.sampling)
        steps.push_back("temperature=" + wordsOf(*steering.sampling));
    for (const SteeredCount& count : steeredCounts)
        if (steering.*count.member != IslandSteering().*count.member)
            steps.push_back(std::string(count.word) + "=" + std::to_string(steering.*count.member));
    if (!steering.proposers.empty()) {
        std::vector<std::string> weights;
        for (const auto& [name, weight] : steering.proposers)
            weights.push_back(name + "=" + wordsOf(weight));
        steps.push_back("mix=" + joined(weights, ","));
    }
    return steps;
}

Result<MigrationPlan> plannedBy(MigrationPlan plan, const std::string& word)
{
    plan.edges.clear();
    if (word == "ring" || word == "off") {
        plan.ways = word == "ring" ? MigrationPlan::Ways::Ring : MigrationPlan::Ways::Off;
        return plan;
    }
    auto edges = edgesIn(word);
    if (!edges)
        return std::unexpected(edges.error());
    plan.ways = MigrationPlan::Ways::Drawn;
    plan.edges = std::move(*edges);
    return plan;
}

std::string wordOfWays(const MigrationPlan& plan)
{
    if (plan.ways != MigrationPlan::Ways::Drawn)
        return nameOf(plan.ways);
    std::vector<std::string> edges;
    for (const auto& [from, to] : plan.edges)
        edges.push_back(islandLetter(from) + ">" + islandLetter(to));
    return joined(edges, ",");
}

} // namespace tilewright
