// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/steering_words.h"

#include "core/base/text.h"
#include "core/model/island_steering_names.h"

#include <charconv>

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

/// "explore=2,exploit=1".
Result<FocusMix> mixIn(const std::string& word)
{
    FocusMix mix;
    for (std::size_t from = 0; from <= word.size();) {
        const std::size_t to = std::min(word.find(',', from), word.size());
        const std::string part = word.substr(from, to - from);
        const std::size_t equals = part.find('=');
        const auto weight = valueIn(mixNames, part.substr(0, equals));
        if (!weight || equals == std::string::npos)
            return fail("island/value", "'" + part + "' is no weight of a mix",
                "weights are explore=, neighbour=, exploit=, crossover= and tune=, with commas between them");
        const auto number = decimalIn(part.substr(equals + 1));
        if (!number)
            return std::unexpected(number.error());
        mix.*(*weight) = *number;
        from = to + 1;
    }
    return mix;
}

bool namesProposers(const std::string& word)
{
    return isNameInMix(word.substr(0, word.find('='))) || word.starts_with(modelInMix);
}

/// "mutator=1,model:coder=2".
Result<ProposerMix> proposersIn(const std::string& word)
{
    ProposerMix mix;
    for (std::size_t from = 0; from <= word.size();) {
        const std::size_t to = std::min(word.find(',', from), word.size());
        const std::string part = word.substr(from, to - from);
        const std::size_t equals = part.rfind('='); // a model's name may hold one
        if (equals == std::string::npos || !isNameInMix(part.substr(0, equals)))
            return fail("island/value", "'" + part + "' is no weight of a mix of proposers",
                "weights are mutator=, tuner=, manual= and model:NAME=, with commas between them");
        const auto number = decimalIn(part.substr(equals + 1));
        if (!number)
            return std::unexpected(number.error());
        mix[part.substr(0, equals)] = *number;
        from = to + 1;
    }
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
            return fail(
                "island/value", "'" + part + "' is no way between islands", "say ring, off, or ways such as 'A>B,B>C'");
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
    if (what == "mix" && namesProposers(word)) {
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
            return fail("island/value", "an island cannot be asked for '" + word + "'",
                "say explore, exploit, crossover, tune, or strategy to leave it to the strategy");
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
    } else if (what != "focus" && what != "mix") {
        return fail("island/value", "an island has no '" + what + "' to steer",
            "there are focus, mix, selection and temperature");
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
