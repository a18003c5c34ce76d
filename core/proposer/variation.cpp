// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proposer/variation.h"

#include "core/base/text.h"
#include "core/patch/patch.h"

#include <algorithm>

namespace tilewright {
namespace {

std::int64_t stepFrom(const Tunable& tunable, CounterRandom& random)
{
    const auto at = std::find(tunable.choices.begin(), tunable.choices.end(), tunable.value);
    const auto count = static_cast<std::int64_t>(tunable.choices.size());
    const std::int64_t index = at - tunable.choices.begin();
    if (random.uniform() < 0.25 || at == tunable.choices.end())
        return tunable.choices[random.below(tunable.choices.size())];
    const std::int64_t distance = random.uniform() < 0.7 ? 1 : 2;
    const std::int64_t target = random.uniform() < 0.5 ? index - distance : index + distance;
    return tunable.choices[static_cast<std::size_t>(std::clamp<std::int64_t>(target, 0, count - 1))];
}

std::string withoutBlanks(std::string_view text)
{
    std::string packed;
    packed.reserve(text.size());
    for (const char c : text)
        if (c != ' ' && c != '\t' && c != '\r')
            packed += c;
    return packed;
}

/// Whether each line that the move removes or stands beside is somewhere in the program, blanks aside: if not, it does
/// not fit, and nobody need look for its place, which takes a hundred times as long.
bool mightFit(const std::string& programWithoutBlanks, const Move& move)
{
    bool inHunk = false;
    for (const std::string_view line : splitLines(move.diff)) {
        inHunk = inHunk || line.starts_with("@@");
        if (!inHunk || !(line.starts_with('-') || line.starts_with(' ')))
            continue;
        if (programWithoutBlanks.find(withoutBlanks(line.substr(1))) == std::string::npos)
            return false;
    }
    return true;
}

/// To another of a tunable's choices, which is `distance` away.
struct Step {
    const Tunable* tunable = nullptr;
    std::int64_t value = 0, distance = 0;
};

/// All that there are, the nearest first.
std::vector<Step> stepsFrom(const std::vector<Tunable>& tunables)
{
    std::vector<Step> steps;
    for (const Tunable& tunable : tunables) {
        const std::int64_t here = std::ranges::find(tunable.choices, tunable.value) - tunable.choices.begin();
        for (std::size_t i = 0; i < tunable.choices.size(); ++i)
            if (tunable.choices[i] != tunable.value)
                steps.push_back({&tunable, tunable.choices[i], std::abs(static_cast<std::int64_t>(i) - here)});
    }
    std::ranges::stable_sort(steps, {}, &Step::distance);
    return steps;
}

} // namespace

bool Variation::has(const std::string& move) const
{
    return std::find(lineage.begin(), lineage.end(), move) != lineage.end();
}

const Move* moveNamed(const TaskPack& pack, const std::string& name)
{
    for (const Move& move : pack.moves)
        if (move.name == name)
            return &move;
    return nullptr;
}

std::optional<Variation> withMove(const Variation& from, const Move& move)
{
    if (from.has(move.name) || !mightFit(withoutBlanks(from.text), move))
        return std::nullopt;
    auto patched = applyDiff(from.text, move.diff);
    if (!patched)
        return std::nullopt;
    Variation to = from;
    to.text = std::move(patched->text);
    to.lineage.push_back(move.name);
    // Putting back what this variation took out is no edit.
    if (std::erase(to.edits, "-" + move.name) == 0)
        to.edits.push_back(move.name);
    to.reasons.push_back(move.title + ". " + move.reasoning);
    return to;
}

std::optional<Variation> withoutMove(const Variation& from, const std::string& move, const TaskPack& pack)
{
    if (!from.has(move))
        return std::nullopt;
    std::string text = pack.seed();
    std::vector<std::string> lineage;
    for (const std::string& name : from.lineage) {
        if (name == move)
            continue;
        const Move* known = moveNamed(pack, name);
        if (!known)
            return std::nullopt;
        auto patched = applyDiff(text, known->diff);
        if (!patched)
            return std::nullopt;
        text = std::move(patched->text);
        lineage.push_back(name);
    }
    Variation to = from;
    to.text = withTunables(text, valuesOf(tunablesOf(from.text)));
    to.lineage = std::move(lineage);
    if (std::erase(to.edits, move) == 0)
        to.edits.push_back("-" + move);
    to.reasons.push_back("Remove the transform '" + move + "': later changes may have made it a disadvantage.");
    return to;
}

std::vector<const Move*> applicableMoves(const Variation& from, const TaskPack& pack)
{
    std::vector<const Move*> fitting;
    const std::string program = withoutBlanks(from.text);
    for (const Move& move : pack.moves)
        if (!from.has(move.name) && mightFit(program, move) && applyDiff(from.text, move.diff))
            fitting.push_back(&move);
    return fitting;
}

std::vector<const Move*> ladderOf(const TaskPack& pack)
{
    std::vector<const Move*> ladder;
    Variation at{pack.seed(), {}, {}, {}};
    for (;;) {
        std::optional<Variation> next;
        const Move* chosen = nullptr;
        std::ptrdiff_t fewestLost = 0;
        const std::vector<const Move*> fitting = applicableMoves(at, pack);
        for (const Move* move : fitting) {
            auto with = withMove(at, *move);
            const std::string program = withoutBlanks(with->text);
            const auto lost = std::ranges::count_if(
                fitting, [&](const Move* other) { return other != move && !mightFit(program, *other); });
            if (chosen && lost >= fewestLost)
                continue;
            fewestLost = lost;
            chosen = move;
            next = std::move(with);
        }
        if (!chosen)
            return ladder;
        ladder.push_back(chosen);
        at = std::move(*next);
    }
}

std::optional<Variation> fitted(Variation variation)
{
    const Constraints constraints(variation.text);
    if (constraints.hold())
        return variation;
    const auto set = [&](const Tunables& values) {
        variation.text = withTunables(variation.text, values);
        return std::move(variation);
    };
    const std::vector<Tunable> tunables = tunablesOf(variation.text);
    const std::vector<Step> steps = stepsFrom(tunables);
    for (const Step& step : steps)
        if (const Tunables values{{step.tunable->name, step.value}}; constraints.hold(values))
            return set(values);
    for (std::size_t second = 1; second < steps.size(); ++second)
        for (std::size_t first = 0; first < second; ++first) {
            const Tunables values{
                {steps[first].tunable->name, steps[first].value}, {steps[second].tunable->name, steps[second].value}};
            if (values.size() == 2 && constraints.hold(values))
                return set(values);
        }
    return std::nullopt;
}

Tunables perturbed(const std::vector<Tunable>& tunables, int most, CounterRandom& random)
{
    Tunables values = valuesOf(tunables);
    if (tunables.empty())
        return values;
    const auto count = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(std::max(1, most))));
    for (int i = 0; i < count; ++i) {
        const Tunable& tunable = tunables[random.below(tunables.size())];
        values[tunable.name] = stepFrom(tunable, random);
    }
    return values;
}

Tunables drawnAnew(const std::vector<Tunable>& tunables, CounterRandom& random)
{
    Tunables values;
    for (const Tunable& tunable : tunables)
        values[tunable.name] = tunable.choices[random.below(tunable.choices.size())];
    return values;
}

std::string changesText(const Tunables& before, const Tunables& after)
{
    std::vector<std::string> parts;
    for (const auto& [name, value] : after) {
        const auto was = before.find(name);
        if (was == before.end())
            parts.push_back(name + " = " + std::to_string(value));
        else if (was->second != value)
            parts.push_back(name + " " + std::to_string(was->second) + " → " + std::to_string(value));
    }
    return joined(parts, ", ");
}

} // namespace tilewright
