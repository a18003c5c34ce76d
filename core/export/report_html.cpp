// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/report_html.h"

#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/export/html_text.h"
#include "core/export/report_plots.h"

#include <algorithm>
#include <array>

namespace tilewright {
namespace {

using Json = nlohmann::json;

constexpr std::string_view style = R"css(
:root { color-scheme: light dark; --line: #8888; --soft: #8882; --accent: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --accent: #56b4e9; } }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 66rem; margin: 2rem auto; padding: 0 1rem; background: Canvas;
  color: CanvasText; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin-bottom: .3rem; }
table { border-collapse: collapse; margin: .6rem 0; width: 100%; }
caption { text-align: left; font-style: italic; padding-bottom: .2rem; }
th, td { text-align: left; vertical-align: top; padding: .2rem .6rem .2rem 0; border-bottom: 1px solid var(--soft); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number, .whole { white-space: nowrap; }
.verdict { border: 2px solid var(--accent); padding: .6rem 1rem; margin: 1rem 0; }
.verdict h2 { margin-top: .3rem; }
.verdict p { font-size: 1.1rem; margin: .2rem 0; }
pre { background: var(--soft); padding: .6rem; overflow-x: auto; font-size: 12px; line-height: 1.35; }
code { font-size: .92em; }
figure { margin: 1rem 0; } figcaption { font-style: italic; } svg { width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: CanvasText; }
.grid { stroke: var(--line); stroke-width: .5; } .one { stroke: CanvasText; stroke-width: 1.5; }
.interval { stroke: var(--accent); stroke-width: 3; } .dot { fill: var(--accent); }
.trace { fill: none; stroke: var(--accent); stroke-width: 2; }
tr.failed td:first-child, tr.slower td:first-child { font-weight: bold; }
.sign { margin-top: 2rem; } .sign td { padding-top: 1.6rem; border-bottom: 1px solid var(--line); }
@media print { body { max-width: none; margin: 0; font-size: 11px; } h2 { break-after: avoid; }
  table { font-size: 10px; } th, td { padding-right: .35rem; } pre { white-space: pre-wrap; }
  table, figure { break-inside: auto; } tr { break-inside: avoid; } }
)css";

std::string cell(std::string_view text) { return htmlEscaped(text); }
std::string code(std::string_view text) { return htmlElement("code", text); }
std::string paragraph(std::string_view text) { return htmlElement("p", text) + "\n"; }
/// Near 1 a third decimal, so that an interval on one side of 1 looks like one.
std::string ratioWords(const Interval& interval)
{
    constexpr double near = 2;
    return interval.hi >= near
        ? timesText(interval)
        : fixedText(interval.value, 3) + "× [" + fixedText(interval.lo, 3) + ", " + fixedText(interval.hi, 3) + "]";
}
std::string timesCell(const std::optional<Interval>& interval)
{
    return interval ? cell(ratioWords(*interval)) : std::string("–");
}
std::string splitWords(ShapeSplit split) { return split == ShapeSplit::Heldout ? "held-out" : nameOf(split); }
std::string nsCell(const std::optional<double>& ns) { return ns ? cell(durationText(*ns)) : std::string("–"); }
std::string orDash(const std::string& text) { return text.empty() ? "–" : cell(text); }

std::string section(const std::string& id, const std::string& title, const std::string& content)
{
    return "<section id=\"" + id + "\">" + htmlElement("h2", title) + "\n" + content + "</section>\n";
}

std::string listOf(const std::vector<std::string>& sentences)
{
    std::string list = "<ul>\n";
    for (const std::string& sentence : sentences)
        list += htmlElement("li", sentence) + "\n";
    return list + "</ul>\n";
}

/// "2 shapes of 14 slower, 11 faster, 1 undecided".
std::string slowerSummary(const SlowerThan& list)
{
    return counted(static_cast<std::int64_t>(list.slower.size()), "shape", "shapes") + " of "
        + std::to_string(list.measured) + " slower, " + std::to_string(list.faster) + " faster, "
        + std::to_string(list.undecided) + " undecided";
}

class Page
{
public:
    Page(const ExportRecord& record, const Task& task)
        : m_record(record)
        , m_result(record.result)
        , m_task(task)
    {
    }

    std::string heading() const
    {
        return htmlElement("h1", candidateName(m_record.candidate) + " of " + m_record.taskTitle)
            + paragraph("Task " + m_record.taskName + ": " + m_record.operation + ". Session " + m_record.source.session
                + ", exported " + m_record.source.exportedAtUtc + " by Tilewright " + m_record.source.version + ".");
    }

    std::string verdict() const
    {
        HtmlTable table({"question", "answer", "from"});
        const std::string measured = "evaluation " + std::to_string(m_record.evaluation.value) + ", "
            + nameOf(m_result.purpose) + ifDisputed();
        const auto times = [](const std::optional<Interval>& interval, const std::string& of) {
            return interval ? ratioWords(*interval) + " " + of : std::string("not measured");
        };
        const std::string vendor = m_record.evidence.vendor ? describe(*m_record.evidence.vendor) : "vendor library";
        const auto row = [&table](const std::string& question, const std::string& answer, const std::string& from) {
            table.row({cell(question), cell(answer), cell(from)});
        };
        row("Speed on train shapes", times(m_result.score, "baseline"), measured);
        row("Speed on held-out shapes", times(m_result.heldoutScore, "baseline"), "same; they choose nothing");
        row("Speed on sealed shapes",
            m_record.sealedScore ? times(m_record.sealedScore, "baseline") : m_record.sealedNote,
            m_task.sealed.empty()
                ? std::string("task.json")
                : counted(m_record.measuredOnSealed, "candidate", "candidates") + " of the session measured on them");
        row("Against the vendor library", times(m_result.vsVendor, vendor),
            (m_result.heldoutVsVendor ? "train shapes; held-out " + ratioWords(*m_result.heldoutVsVendor)
                                      : std::string("train shapes"))
                + ifDisputed());
        if (hasPreviousBest() && m_result.versusIncumbent)
            row("Against the previous best", times(m_result.versusIncumbent, candidateName(m_record.against)),
                "side by side, train shapes");
        for (const SlowerThan& list : m_record.slower)
            row("Shapes against the " + list.opponent, slowerSummary(list), list.name + ifDisputed());
        row("Checks", checksSummary(), "all that apply to the task");
        row("Largest error", largestErrorText(m_record.evidence), "checks that recorded a value");
        row("Samples", samplesSummary(), processesSummary());
        row("Chosen from",
            counted(m_record.evaluations, "evaluated candidate", "evaluated candidates") + ", "
                + std::to_string(m_record.confirmations) + " confirmed",
            "the best of many: see held-out and sealed results");
        row("Audit", m_record.audited ? "passed in fresh processes" : "not required",
            "required above the task's bound over the vendor library");
        return "<div class=\"verdict\">" + htmlElement("h2", "Verdict") + paragraph(m_record.findingText) + table.text()
            + paragraph("[lo, hi] is a 95 % interval; × is time of the other / time of the candidate.") + "</div>\n";
    }

    std::string slower() const
    {
        std::string content;
        for (const SlowerThan& list : m_record.slower) {
            if (list.slower.empty()) {
                content += paragraph("None against the " + list.opponent + " (" + list.name + ")"
                    + (m_record.dispute.empty() ? "" : " by the disputed figures") + ": on "
                    + std::to_string(list.faster) + " of " + std::to_string(list.measured)
                    + (m_record.dispute.empty() ? " shapes the candidate is faster with its whole interval, on "
                                                : " shapes the whole interval lies above 1, on ")
                    + std::to_string(list.undecided) + " the interval holds 1.");
                continue;
            }
            HtmlTable table({"shape", "split", ">ratio", ">slower by"},
                "Slower than the " + list.opponent + " (" + list.name + ")");
            for (const SlowerShape& shape : list.slower)
                table.row({cell(shapeText(shape.shape)), cell(splitWords(shape.split)), cell(ratioWords(shape.ratio)),
                              cell(percentText(1 / shape.ratio.value - 1))},
                    "slower");
            content += table.text();
        }
        if (m_record.slower.empty())
            content = paragraph("No program was timed beside the candidate.");
        return section("slower", "Slower shapes", content);
    }

    std::string reruns() const
    {
        HtmlTable table({"evaluation", "asked for at", "against", ">× baseline", ">× against", ">× vendor library",
                            "unlike a confirmation", "finding"},
            "Measurements of the candidate after its confirmation; its other figures are not from them");
        for (const RerunFigures& each : m_record.reruns)
            table.row({std::to_string(each.evaluation.value),
                each.askedAtUtc.empty() ? std::string("not recorded") : cell(each.askedAtUtc),
                each.against ? cell(candidateName(each.against)) : std::string("–"), timesCell(each.score),
                timesCell(each.versusOpponent), timesCell(each.versusVendor), orDash(each.conditions),
                cell(each.finding)});
        return section("re-runs", "Re-runs",
            table.isEmpty() ? paragraph("The candidate was not measured again after its confirmation.") : table.text());
    }

    std::string shapes() const
    {
        std::string content = shapeTable(m_result.shapes, "Train and held-out shapes, as confirmed");
        if (!m_record.sealed.empty())
            content += shapeTable(m_record.sealed, "Sealed shapes, measured once for export");
        std::vector<PlotRow> vendor, baseline;
        for (const ShapeResult& shape : m_result.shapes) {
            const std::string label = shapeText(shape.shape)
                + (shape.split == ShapeSplit::Train ? "" : " (" + splitWords(shape.split) + ")");
            if (shape.versusVendor)
                vendor.push_back({label, *shape.versusVendor});
            if (shape.versusBaseline)
                baseline.push_back({label, *shape.versusBaseline});
        }
        if (m_record.evidence.vendor)
            content += ratioPlot(vendor, "Speed against " + describe(*m_record.evidence.vendor) + " by shape",
                "× vendor library: right of 1 the candidate is faster");
        content += ratioPlot(
            baseline, "Speed against the baseline by shape", "× baseline: right of 1 the candidate is faster");
        return section("shapes", "Figures by shape", content);
    }

    std::string lineage() const
    {
        HtmlTable table(
            {"program", "by", "change", "lines", "claimed", "measured against the previous one", "score at that time"});
        std::vector<PlotStep> plot;
        for (const LineageStep& step : m_record.lineage) {
            table.row({cell(candidateName(step.candidate)), cell(step.author), cell(ideaOf(step)),
                cell(step.diff.empty()
                        ? "–"
                        : "+" + std::to_string(step.linesAdded) + " −" + std::to_string(step.linesRemoved)),
                orDash(oneLine(step.claim, 120)), cell(changeWords(step)),
                step.score ? cell(timesText(*step.score) + (step.confirmed ? "" : ", provisional")) : "–"});
            if (step.score)
                plot.push_back({candidateName(step.candidate), *step.score});
        }
        std::string content = table.text();
        content += lineagePlot(plot, "Scores of the lineage, each measured at its own time");
        content += tracePlot(m_record.bestTrace, m_record.evaluations,
            "Score of the session's best over evaluations, × baseline (log scale); a new best is chosen by "
            "measurement side by side, so its score may be lower");
        for (const LineageStep& step : m_record.lineage)
            content += stepText(step);
        return section("lineage", "History", content);
    }

    std::string rejected() const
    {
        std::string content;
        HtmlTable byUser({"candidate", "edit", "rejected by", "reason"}, "Rejected in a review");
        for (const RejectedInReview& each : m_record.rejectedInReview)
            byUser.row({cell(candidateName(each.candidate)), orDash(each.title), cell(each.by),
                each.reason.empty() ? "no reason recorded" : cell(each.reason)});
        content += byUser.isEmpty() ? paragraph("No candidate was rejected in a review.") : byUser.text();
        for (const bool isReply : {false, true}) {
            HtmlTable table({"rule", ">count", "first example", "finding"},
                isReply ? "Proposals that did not become candidates" : "Candidates ended by a rule");
            for (const RejectedByRule& each : m_record.rejected)
                if (each.isReply == isReply)
                    table.row({code(each.rule), std::to_string(each.count), cell(each.example), orDash(each.text)});
            content += table.isEmpty()
                ? paragraph(isReply ? "Every proposal became a candidate." : "No candidate was ended by a rule.")
                : table.text();
        }
        if (!m_record.notProven.empty())
            content += htmlElement("h3", "Confirmed, but not faster than the best at that time")
                + listOf(m_record.notProven);
        return section("rejected", "Rejected candidates and reasons", content);
    }

    std::string checks() const
    {
        HtmlTable table({"check", "verdict", "measured", "limit", "where"});
        for (const CheckEvidence& check : m_record.evidence.checks)
            table.row({code(check.check), cell(nameOf(check.verdict)),
                          check.measuredText.empty()
                              ? std::string(check.verdict == CheckVerdict::NotChecked ? "–" : "not recorded")
                              : cell(check.measuredText),
                          orDash(check.limitText), orDash(check.detail)},
                check.verdict == CheckVerdict::Failed ? "failed" : "");
        return section("checks", "Rules passed, with measured values where recorded",
            table.text()
                + paragraph("Inputs of the checks: " + joined(m_record.inputKinds, ", ")
                    + ". Contents are drawn again for each launch from a secret of the measuring process; the seeds "
                      "are not stored."));
    }

    std::string environment() const
    {
        HtmlTable table({"fact", "value"});
        static constexpr std::array shown{"device", "class", "compiler", "openblas", "vendor_library", "driver",
            "cuda_driver", "isolation", "mode", "threads", "clock", "mhz", "temp_c", "power_w", "observed",
            "measuring_core", "priority", "empty_call_ns", "event_floor_ns", "launches_checked", "size_sweep",
            "processes", "measured_gflops", "measured_memory_gb_s", "vendor_missing", "audit"};
        const Json& environment = m_result.environment;
        for (const char* key : shown)
            if (environment.is_object() && environment.contains(key))
                table.row({cell(key), cell(valueText(environment[key]))});
        static constexpr std::array facts{"microarchitecture", "features", "cores", "l1d_bytes", "l2_bytes", "l3_bytes",
            "memory_bytes", "nvrtc", "sms", "clock_mhz", "bandwidth_bytes_per_s"};
        for (const char* key : facts)
            if (m_record.deviceFacts.is_object() && m_record.deviceFacts.contains(key))
                table.row({cell(key), cell(valueText(m_record.deviceFacts[key]))});
        table.row({cell("noise floor"),
            cell(m_result.noiseFloor > 0 ? percentText(m_result.noiseFloor) : "not measured yet at that time")});
        std::string content = table.text();
        HtmlTable resources({"resource", "value"}, "Of the compiled program");
        if (m_result.resources.is_object())
            for (const auto& [key, value] : m_result.resources.items())
                if (!value.is_structured())
                    resources.row({cell(resourceName(key)), cell(valueText(value))});
        if (!resources.isEmpty())
            content += resources.text();
        HtmlTable kernels({"kernel", ">registers", ">shared memory", ">local memory", ">occupancy", "limited by"});
        if (m_result.resources.is_object() && m_result.resources.contains("kernels")
            && m_result.resources["kernels"].is_array())
            for (const Json& kernel : m_result.resources["kernels"])
                if (kernel.is_object())
                    kernels.row({code(kernel.value("kernel", "")), valueCell(kernel, "registers"),
                        valueCell(kernel, "shared_bytes"), valueCell(kernel, "local_bytes"),
                        valueCell(kernel, "occupancy"), valueCell(kernel, "limited_by")});
        if (!kernels.isEmpty())
            content += kernels.text();
        return section("environment", "Environment", content);
    }

    std::string reviews() const
    {
        HtmlTable table({"candidate", "decision", "by", "asked at", "reason or remark", "reason for the review"});
        for (const LineageStep& step : m_record.lineage)
            for (const Review& review : step.reviews)
                table.row({cell(candidateName(step.candidate)), cell(nameOf(review.decision)), cell(review.by),
                    cell(review.askedAtUtc), orDash(review.reason), orDash(joined(review.risks, "; "))});
        return section("reviews", "Reviews of the lineage",
            table.isEmpty() ? paragraph("No program of the lineage was reviewed.") : table.text());
    }

    std::string contributions() const
    {
        HtmlTable table({"author", ">steps of the lineage", ">proposals", ">candidates", ">ranked", ">tokens"});
        for (const Contribution& each : m_record.contributions)
            table.row({cell(each.author), std::to_string(each.steps), std::to_string(each.proposals),
                std::to_string(each.candidates), std::to_string(each.ranked),
                each.tokens > 0 ? cell(groupedText(each.tokens)) : "–"});
        std::string text = table.text();
        const std::string cost = fixedText(static_cast<double>(m_record.costMicroUsd) * 1e-6, 2) + " USD";
        text += paragraph("The whole session: " + counted(m_record.evaluations, "evaluation", "evaluations") + ", "
            + timeText(std::chrono::nanoseconds(static_cast<std::int64_t>(m_record.runSeconds * 1e9)))
            + " of running time, " + groupedText(m_record.tokens) + " tokens, "
            + (m_record.unpriced > 0 ? "at least " : "") + cost + ".");
        return section("authors", "Contributions", text);
    }

    std::string sealedNote() const
    {
        std::string text = m_task.sealed.empty()
            ? "The task has no sealed shapes."
            : "Sealed shapes are never shown to proposers and are measured once, when a candidate is exported. "
              "Candidates of this session that were measured on them: "
                + std::to_string(m_record.measuredOnSealed) + ".";
        if (!m_task.sealed.empty() && m_record.sealed.empty())
            text += " This candidate: " + m_record.sealedNote + ".";
        return section("sealed", "Sealed shapes", paragraph(text));
    }

    std::string notCovered() const { return section("not-covered", "Not covered", listOf(m_record.notCovered)); }

    static std::string repeat(const std::vector<RepeatCommand>& commands)
    {
        std::string content;
        for (const RepeatCommand& each : commands)
            content += paragraph(each.purpose) + htmlElement("pre", each.command) + "\n";
        return section("repeat", "Commands to repeat it", content);
    }

    std::string signOff() const
    {
        HtmlTable identity({"what", "SHA-256"});
        identity.row({cell("source/" + m_task.sources.front()), code(m_record.sourceHash)});
        identity.row({cell("program (without comments and blanks)"), code(m_record.programHash)});
        return section("sign-off", "Sign-off",
            identity.text()
                + paragraph("MANIFEST.sha256 lists every file of the bundle; `sha256sum -c MANIFEST.sha256` checks it.")
                + "<table class=\"sign\"><tbody><tr><td>Reviewed by</td><td>Date</td><td>Signature</td></tr></tbody>"
                  "</table>\n");
    }

private:
    std::string ifDisputed() const { return m_record.dispute.empty() ? "" : "; disputed"; }

    /// It was confirmed beside an earlier best, which is neither itself nor the baseline.
    bool hasPreviousBest() const
    {
        return m_record.against && m_record.against != m_record.candidate && m_record.against != CandidateId{1};
    }

    static std::string ideaOf(const LineageStep& step)
    {
        std::string text = !step.title.empty() ? step.title : oneLine(step.reasoning, 160);
        if (text.empty())
            text = joined(step.moves, ", ");
        if (!step.otherParents.empty()) {
            std::vector<std::string> names;
            for (const CandidateId id : step.otherParents)
                names.push_back(candidateName(id));
            text += (text.empty() ? "crossover with " : "; crossover with ") + joined(names, ", ");
        }
        return text.empty() ? "–" : text;
    }

    static std::string changeWords(const LineageStep& step)
    {
        if (!step.change)
            return "–";
        return ratioWords(step.change->ratio) + (step.change->isWithinNoise() ? ", within noise" : "")
            + (step.change->paired           ? ", side by side"
                    : step.change->pairs > 0 ? ", by way of " + std::to_string(step.change->pairs) + " pairs"
                                             : ", from both scores");
    }

    std::string stepText(const LineageStep& step) const
    {
        if (step.diff.empty())
            return {};
        std::string text = htmlElement("h3", candidateName(step.candidate) + ": " + ideaOf(step));
        if (!step.reasoning.empty() && step.reasoning != step.title)
            text += paragraph("Rationale of " + step.author + ": " + oneLine(step.reasoning, 2000));
        if (!step.repairs.empty())
            text += paragraph("The patch applied after repairs: " + joined(step.repairs, "; ") + ".");
        constexpr int shownOpen = 60; // changed lines; longer diffs are opened by the reader
        const bool isOpen = step.linesAdded + step.linesRemoved <= shownOpen;
        return text + (isOpen ? "<details open=\"open\">" : "<details>")
            + "<summary>Diff: " + std::to_string(step.linesAdded) + " lines added, " + std::to_string(step.linesRemoved)
            + " removed</summary>" + htmlElement("pre", step.diff) + "</details>\n";
    }

    std::string checksSummary() const
    {
        int passed = 0, failed = 0;
        std::vector<std::string> missed;
        for (const CheckEvidence& check : m_record.evidence.checks) {
            passed += check.verdict == CheckVerdict::Passed ? 1 : 0;
            failed += check.verdict == CheckVerdict::Failed ? 1 : 0;
            if (check.verdict == CheckVerdict::NotChecked)
                missed.push_back(check.check);
        }
        return std::to_string(passed) + " passed, " + std::to_string(failed) + " failed, "
            + std::to_string(missed.size()) + " not made"
            + (missed.empty() ? std::string() : " (" + joined(missed, ", ") + ")");
    }

    std::string samplesSummary() const
    {
        std::int64_t samples = 0, voided = 0;
        for (const ShapeResult& shape : m_result.shapes) {
            samples += shape.samples;
            voided += shape.voidBlocks;
        }
        return std::to_string(samples) + " of the candidate on " + std::to_string(m_result.shapes.size()) + " shapes, "
            + counted(voided, "disturbed block", "disturbed blocks") + " left out";
    }

    std::string processesSummary() const
    {
        const Json& environment = m_result.environment;
        if (environment.is_object() && environment.contains("processes")
            && environment["processes"].is_number_integer())
            return counted(environment["processes"].get<int>(), "fresh process", "fresh processes");
        return "number of fresh processes not recorded";
    }

    std::string shapeTable(const std::vector<ShapeResult>& shapes, const std::string& caption) const
    {
        const bool hasPrevious = hasPreviousBest()
            && std::ranges::any_of(shapes, [](const ShapeResult& shape) { return shape.versusIncumbent.has_value(); });
        std::vector<std::string> headings{"shape", "split", ">time", ">GFLOP/s", ">vendor time", ">× baseline"};
        if (hasPrevious)
            headings.emplace_back(">× previous best");
        headings.insert(headings.end(), {">× vendor", ">samples", ">disturbed"});
        HtmlTable table(headings, caption);
        for (const ShapeResult& shape : shapes) {
            const double rate = shape.candidateNs > 0 ? m_task.flopsOf(shape.shape) / shape.candidateNs : 0;
            std::vector<std::string> cells{cell(shapeText(shape.shape)),
                "<span class=\"whole\">" + cell(splitWords(shape.split)) + "</span>",
                cell(durationText(shape.candidateNs)), rate > 0 ? cell(rateText(rate)) : "–", nsCell(shape.vendorNs),
                timesCell(shape.versusBaseline)};
            if (hasPrevious)
                cells.push_back(timesCell(shape.versusIncumbent));
            cells.push_back(timesCell(shape.versusVendor));
            cells.push_back(std::to_string(shape.samples));
            cells.push_back(std::to_string(shape.voidBlocks));
            table.row(std::move(cells));
        }
        return table.text();
    }

    /// As the comparison of programs and the window call it.
    static std::string resourceName(const std::string& key)
    {
        return key == "code_bytes"  ? "source without comments, B"
            : key == "text_bytes"   ? "machine code, B"
            : key == "rodata_bytes" ? "constants, B"
            : key == "spill_bytes"  ? "spilled, B"
                                    : key;
    }

    static std::string valueText(const Json& value)
    {
        if (value.is_string())
            return value.get<std::string>();
        if (value.is_number_float())
            return numberText(value.get<double>());
        std::string parts;
        if (value.is_array() || value.is_object())
            for (const auto& [key, each] : value.items())
                parts
                    += (parts.empty() ? "" : ", ") + (value.is_object() ? key + " " : std::string()) + valueText(each);
        if (!parts.empty())
            return parts;
        return dumped(value);
    }
    static std::string valueCell(const Json& object, const char* key)
    {
        return object.contains(key) ? cell(valueText(object[key])) : std::string("–");
    }

    const ExportRecord& m_record;
    const EvaluationResult& m_result;
    const Task& m_task;
};

} // namespace

std::string reportHtml(const ExportRecord& record, const Task& task, const std::vector<RepeatCommand>& commands)
{
    const Page page(record, task);
    return "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head><meta charset=\"utf-8\"/>"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
        + htmlElement("title", candidateName(record.candidate) + " of " + record.taskName) + "<style>"
        + std::string(style) + "</style></head>\n<body>\n" + page.heading() + page.verdict() + page.reruns()
        + page.slower() + page.shapes() + page.sealedNote() + page.lineage() + page.rejected() + page.checks()
        + page.environment() + page.reviews() + page.contributions() + page.notCovered() + Page::repeat(commands)
        + page.signOff() + "</body>\n</html>\n";
}

} // namespace tilewright
