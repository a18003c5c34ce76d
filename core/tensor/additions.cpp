// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/additions.h"

#include "core/base/random.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tilewright::tensor {
namespace {

constexpr int mostTries = 48;
constexpr std::size_t mostPairs = 100'000; ///< of all forms together
constexpr std::size_t mostPairsInAll = 6'000'000; ///< of all steps of all tries: some tenths of a second

/// Ratios as small numbers, so that a pair of variables with its ratio is one word.
class PairNames
{
public:
    /// None where the ratio has too large parts.
    std::optional<std::uint64_t> nameOf(const LinearTerm& left, const LinearTerm& right)
    {
        const auto ratio = quotientOf(right.coefficient, left.coefficient);
        if (!ratio)
            return std::nullopt;
        const auto [found, isNew]
            = m_numbers.try_emplace({ratio->re, ratio->im, ratio->den}, static_cast<std::uint64_t>(m_ratios.size()));
        if (isNew)
            m_ratios.push_back(*ratio);
        return std::uint64_t(left.variable) << 40 | std::uint64_t(right.variable) << 16 | found->second;
    }
    LinearStep stepOf(std::uint64_t name) const
    {
        return {static_cast<int>(name >> 40), static_cast<int>(name >> 16 & 0xffffff),
            m_ratios[static_cast<std::size_t>(name & 0xffff)]};
    }
    bool isFull() const { return m_ratios.size() > 0xff00; }

private:
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::uint64_t> m_numbers;
    std::vector<Coefficient> m_ratios;
};

std::size_t pairsOf(const std::vector<LinearForm>& forms)
{
    std::size_t pairs = 0;
    for (const LinearForm& form : forms)
        pairs += form.size() * (form.size() - std::min<std::size_t>(form.size(), 1)) / 2;
    return pairs;
}

/// The pair that most forms have, one of them by chance; none where no two forms share one.
std::optional<std::uint64_t> mostFrequent(
    const std::vector<LinearForm>& forms, PairNames& names, std::vector<std::uint64_t>& pairs, CounterRandom& random)
{
    pairs.clear();
    for (const LinearForm& form : forms)
        for (std::size_t i = 0; i < form.size(); ++i)
            for (std::size_t j = i + 1; j < form.size(); ++j)
                if (const auto name = names.nameOf(form[i], form[j]); name && !names.isFull())
                    pairs.push_back(*name);
    std::ranges::sort(pairs);
    std::size_t most = 1;
    std::vector<std::uint64_t> best;
    for (std::size_t i = 0; i < pairs.size();) {
        std::size_t end = i + 1;
        while (end < pairs.size() && pairs[end] == pairs[i])
            ++end;
        if (end - i > most) {
            most = end - i;
            best.clear();
        }
        if (end - i == most && most > 1)
            best.push_back(pairs[i]);
        i = end;
    }
    if (best.empty())
        return std::nullopt;
    return best[static_cast<std::size_t>(random.below(best.size()))];
}

/// Replaces the step's pair by the new variable wherever it occurs.
void replacePair(std::vector<LinearForm>& forms, const LinearStep& step, int variable)
{
    for (LinearForm& form : forms) {
        const auto left = std::ranges::find(form, step.left, &LinearTerm::variable);
        const auto right = std::ranges::find(form, step.right, &LinearTerm::variable);
        if (left == form.end() || right == form.end())
            continue;
        if (const auto ratio = quotientOf(right->coefficient, left->coefficient); !ratio || *ratio != step.ratio)
            continue;
        const Coefficient coefficient = left->coefficient;
        std::erase_if(
            form, [&](const LinearTerm& term) { return term.variable == step.left || term.variable == step.right; });
        form.push_back({variable, coefficient});
    }
}

/// Adds factor · (variable, resolved by the steps) to the sum over the inputs; false where a number becomes too large.
bool addExpanded(const LinearTerm& term, const std::vector<std::vector<Coefficient>>& expanded, Ring ring,
    std::vector<Coefficient>& sum)
{
    const auto& values = expanded[static_cast<std::size_t>(term.variable)];
    for (std::size_t i = 0; i < sum.size(); ++i) {
        const auto product = productOf(term.coefficient, values[i]);
        const auto next = product ? sumOf(sum[i], *product) : std::nullopt;
        if (!next)
            return false;
        sum[i] = ring == Ring::Mod2 ? Coefficient{next->re & 1} : *next;
    }
    return true;
}

bool isVariableOf(int variable, std::size_t known)
{
    return variable >= 0 && static_cast<std::size_t>(variable) < known;
}

} // namespace

int LinearProgram::additions() const
{
    int sum = static_cast<int>(steps.size());
    for (const LinearForm& output : outputs)
        sum += std::max(static_cast<int>(output.size()) - 1, 0);
    return sum;
}

std::vector<LinearForm> formsOf(const Scheme& scheme, Operand operand)
{
    const Factor& factor = scheme.factor(operand);
    const bool isByEntry = operand == Operand::C;
    std::vector<LinearForm> forms(static_cast<std::size_t>(isByEntry ? factor.entries() : factor.products()));
    for (int product = 0; product < factor.products(); ++product)
        for (int entry = 0; entry < factor.entries(); ++entry)
            if (const Coefficient& value = factor.at(entry, product); !value.isZero())
                forms[static_cast<std::size_t>(isByEntry ? entry : product)].push_back(
                    {isByEntry ? product : entry, value});
    return forms;
}

LinearProgram plainProgram(int inputs, std::vector<LinearForm> forms) { return {inputs, {}, std::move(forms)}; }

LinearProgram reducedProgram(int inputs, const std::vector<LinearForm>& forms, Ring ring)
{
    LinearProgram best = plainProgram(inputs, forms);
    const std::size_t pairs = pairsOf(forms);
    if (pairs > mostPairs)
        return best;
    std::size_t seen = 0;
    std::vector<std::uint64_t> buffer;
    for (int attempt = 0; attempt < mostTries && seen <= mostPairsInAll; ++attempt) {
        LinearProgram program{inputs, {}, forms};
        PairNames names;
        CounterRandom random(1, static_cast<std::uint64_t>(attempt), 0);
        while (const auto pair = mostFrequent(program.outputs, names, buffer, random)) {
            seen += buffer.size();
            program.steps.push_back(names.stepOf(*pair));
            replacePair(program.outputs, program.steps.back(), inputs + static_cast<int>(program.steps.size()) - 1);
        }
        if (program.additions() < best.additions() && computes(program, forms, ring))
            best = std::move(program);
    }
    return best;
}

bool computes(const LinearProgram& program, const std::vector<LinearForm>& forms, Ring ring)
{
    if (program.outputs.size() != forms.size())
        return false;
    const auto inputs = static_cast<std::size_t>(program.inputs);
    std::vector<std::vector<Coefficient>> expanded(inputs, std::vector<Coefficient>(inputs));
    for (std::size_t i = 0; i < inputs; ++i)
        expanded[i][i] = Coefficient{1};
    for (const LinearStep& step : program.steps) {
        if (!isVariableOf(step.left, expanded.size()) || !isVariableOf(step.right, expanded.size()))
            return false;
        std::vector<Coefficient> sum = expanded[static_cast<std::size_t>(step.left)];
        if (!addExpanded({step.right, step.ratio}, expanded, ring, sum))
            return false;
        expanded.push_back(std::move(sum));
    }
    for (std::size_t i = 0; i < forms.size(); ++i) {
        std::vector<Coefficient> wanted(inputs), sum(inputs);
        for (const LinearTerm& term : forms[i])
            wanted[static_cast<std::size_t>(term.variable)] = term.coefficient;
        for (const LinearTerm& term : program.outputs[i])
            if (!isVariableOf(term.variable, expanded.size()) || !addExpanded(term, expanded, ring, sum))
                return false;
        if (sum != wanted)
            return false;
    }
    return true;
}

SchemePrograms reducedPrograms(const Scheme& scheme)
{
    const auto programOf
        = [&](Operand operand, int inputs) { return reducedProgram(inputs, formsOf(scheme, operand), scheme.ring); };
    return {programOf(Operand::A, scheme.u.entries()), programOf(Operand::B, scheme.v.entries()),
        programOf(Operand::C, scheme.rank())};
}

SchemePrograms plainPrograms(const Scheme& scheme)
{
    return {plainProgram(scheme.u.entries(), formsOf(scheme, Operand::A)),
        plainProgram(scheme.v.entries(), formsOf(scheme, Operand::B)),
        plainProgram(scheme.rank(), formsOf(scheme, Operand::C))};
}

} // namespace tilewright::tensor
