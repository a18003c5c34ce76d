// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/trace_report.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/model/evidence.h"

#include <cstdio>
#include <set>

namespace tilewright::cli {
namespace {

std::string figure(const std::optional<Interval>& value) { return value ? fixedText(value->value, 3) : "-"; }

std::string newIn(const BestStep& step)
{
    std::vector<std::string> words;
    for (const std::string& move : step.added)
        words.push_back("+" + move);
    for (const std::string& move : step.removed)
        words.push_back("-" + move);
    std::string text = joined(words, " ");
    if (!step.constants.empty())
        text += (text.empty() ? "" : "; ") + joined(step.constants, ", ");
    return text.empty() ? "-" : text;
}

} // namespace

nlohmann::json traceJson(const RunState& state, const std::vector<BestStep>& steps)
{
    const auto value = [](const std::optional<Interval>& figure) {
        return figure ? nlohmann::json(figure->value) : nlohmann::json(nullptr);
    };
    nlohmann::json json = nlohmann::json::array();
    for (const BestStep& step : steps) {
        const Candidate& best = *step.best;
        json.push_back({{"evaluations", step.evaluations}, {"candidate", candidateName(best.id)},
            {"evaluation", best.evaluationNumber}, {"confirmed", best.confirmed}, {"score", value(best.score)},
            {"interval",
                best.score ? nlohmann::json::array({best.score->lo, best.score->hi}) : nlohmann::json(nullptr)},
            {"vs_vendor", value(best.vsVendor)}, {"heldout_vs_vendor", value(best.heldoutVsVendor)},
            {"vendor_library", toJson(vendorLibraryOf(state, best))}, {"moves_added", step.added},
            {"moves_removed", step.removed}, {"constants", step.constants}});
    }
    return json;
}

std::string traceText(const RunState& state, const std::vector<BestStep>& steps)
{
    std::set<std::string> libraries; ///< that were named
    std::string text = "evaluations  best      evaluated  by             score  vs vendor  new in it\n";
    for (const BestStep& step : steps) {
        char line[128];
        std::snprintf(line, sizeof line, "%11lld  %-8s  %9lld  %-12s  %6s  %9s  ",
            static_cast<long long>(step.evaluations), candidateName(step.best->id).c_str(),
            static_cast<long long>(step.best->evaluationNumber), step.best->confirmed ? "confirmation" : "screening",
            figure(step.best->score).c_str(), figure(step.best->vsVendor).c_str());
        text += line + newIn(step) + "\n";
        if (const std::string library = vendorWordsOf(state, *step.best);
            step.best->vsVendor && libraries.insert(library).second)
            text += "                       vs vendor: " + library + "\n";
    }
    return text;
}

} // namespace tilewright::cli
