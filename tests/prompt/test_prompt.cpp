// SPDX-License-Identifier: GPL-3.0-or-later
// Whole prompts, rendered over the recorded session that is shipped.
#include "core/base/files.h"
#include "core/model/measurement/pair_ladder.h"
#include "core/model/parent_change.h"
#include "core/model/tuning_record.h"
#include "core/patch/patch.h"
#include "core/prompt/attempts.h"
#include "core/prompt/examples.h"
#include "core/prompt/insights.h"
#include "core/prompt/measured.h"
#include "core/proposer/variation.h"
#include "tests/locales.h"
#include "tests/prompt/shipped_session.h"
#include "tests/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <regex>
#include <set>

using namespace tilewright;
using namespace tilewright::testing;

namespace {

const std::vector<std::string> templates{
    "explore", "exploit", "crossover", "repair", "rewrite", "summary", "translate", "judge"};
constexpr const char* canary = "sk-canary1234567890abcdef";

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string wholeText(const RenderedPrompt& prompt) { return prompt.system + "\n" + prompt.user; }

/// Whether a text holds a figure in one of the forms in which prompts show figures.
bool holdsFigure(const std::string& text, const Interval& figure)
{
    return holds(text, withMargin(figure)) || holds(text, ratioText(figure)) || holds(text, briefGain(figure));
}

/// What of a text no prompt may hold; empty if it is clean.
std::string leakIn(const std::string& text, const ShippedSession& session)
{
    for (const Shape& shape : session.pack.task.heldout) {
        std::string row;
        for (const std::int64_t size : shape)
            row += (row.empty() ? "\\b0*" : "[^0-9\\n]{1,24}") + std::to_string(size);
        if (std::regex_search(text, std::regex(row + "\\b")))
            return "held-out shape " + shapeText(shape);
    }
    for (const Candidate& candidate : session.state.candidates)
        for (const auto& figure : {candidate.heldoutScore, candidate.heldoutVsVendor})
            // The seed's is 1 on all shapes alike.
            if (figure && figure->lo < figure->hi
                && (holdsFigure(text, *figure) || holds(text, std::to_string(figure->value))))
                return "held-out figure " + ratioText(*figure);
    // What a train shape, a whole score or a step reads like as well may be shown: small figures have few digits.
    std::set<std::string> open;
    for (const Candidate& candidate : session.state.candidates) {
        for (const auto& figure : {candidate.score, candidate.vsVendor})
            if (figure)
                open.insert(withMargin(*figure));
        if (const auto change = versusParent(session.state, candidate))
            open.insert(withMargin(change->ratio));
    }
    for (const Evaluation& evaluation : session.state.evaluations)
        for (const ShapeResult& shape : evaluation.result.shapes)
            if (shape.split == ShapeSplit::Train && shape.versusVendor)
                open.insert(withMargin(*shape.versusVendor));
    for (const Evaluation& evaluation : session.state.evaluations)
        for (const ShapeResult& shape : evaluation.result.shapes)
            if (shape.split != ShapeSplit::Train && shape.versusVendor
                && !open.contains(withMargin(*shape.versusVendor)) && holdsFigure(text, *shape.versusVendor))
                return "held-out figure of one shape: " + ratioText(*shape.versusVendor);
    for (const char* word :
        {"/home", "/tmp", "/root", "/srv", "/usr", canary, "canary", "OPENAI_API_KEY", "secrethost"})
        if (holds(text, word))
            return word;
    return {};
}

bool writeFile(const QString& path, const std::string& text)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text.data(), qint64(text.size())) == qint64(text.size());
}

} // namespace

class TestPrompt : public QObject
{
    Q_OBJECT

    ShippedSession m_session;
    PromptWriter m_writer = shippedWriter();

    QString codeOf(const QString& folder, QString* line = nullptr) const
    {
        const auto loaded = PromptWriter::load({TILEWRIGHT_SOURCE_DIR "/prompts", folder.toStdString()});
        if (!loaded && line)
            *line = QString::fromStdString(loaded.error().text);
        return loaded ? QString() : QString::fromStdString(loaded.error().code);
    }

private Q_SLOTS:
    void everyTemplateIsTheSameInEveryLocale()
    {
        Locales locales;
        locales.folder();
        QCOMPARE(q(locales.trouble()), QString());
        for (const std::string& name : templates) {
            const std::string text = wholeText(rendered(m_writer, m_session, name));
            for (const std::string& locale : Locales::names) {
                const InLocale in(locales, locale);
                QVERIFY2(in.isSet(), locale.c_str());
                char point[8];
                std::snprintf(point, sizeof point, "%.1f", 1.5);
                QVERIFY2(locale != "de_DE" || std::string(point) == "1,5", point); // the locale holds here
                QCOMPARE(q(wholeText(rendered(m_writer, ShippedSession(), name))), q(text));
            }
        }
    }

    void everyTemplateRendersToTheSameBytesAgain()
    {
        for (const std::string& name : templates) {
            const RenderedPrompt first = rendered(m_writer, m_session, name);
            const RenderedPrompt second = rendered(shippedWriter(), ShippedSession(), name);
            QVERIFY2(first == second, name.c_str());
            QCOMPARE(first.templateVersion, m_writer.versionOf(name));
            QVERIFY(first.estimatedTokens > 500);
            QVERIFY2(!holds(wholeText(first), "{{") && !holds(wholeText(first), "0.0000"), name.c_str());
            QVERIFY2(!holds(wholeText(first), " nan") && !holds(wholeText(first), "\n\n\n"), name.c_str());
        }
    }

    void hiddenShapesSecretsAndPathsNeverGetIn()
    {
        ShippedSession session;
        session.state.host = "secrethost";
        session.state.deviceFacts["host"] = "secrethost";
        session.state.deviceFacts["path"] = "/home/canary/tilewright";
        session.state.deviceFacts["compiler"] = "/usr/bin/g++ 12.2.0";
        session.pack.task.operation += ", as in /home/canary/gemm for 257×263×251";
        for (Move& move : session.pack.moves)
            move.title = move.reasoning = "Good for 257×263×251, see /home/canary.";
        const std::string hidden = "[257, 263, 251]";
        std::vector<CandidateId> failed;
        for (const Outcome outcome : {Outcome::Refused, Outcome::RunFailed, Outcome::BuildFailed})
            failed.push_back(session.addFailure(outcome, "verify/norm",
                "wrong (257×263×251, normal inputs) in /tmp/canary",
                "/tmp/x/candidate.cpp:7: error: OPENAI_API_KEY=" + std::string(canary) + " at M=257, N=263, K=251\n"));
        Proposal refused = *session.state.proposal(session.state.candidate(failed[0])->proposal);
        refused.id = {refused.id.value + 3};
        refused.reasoning = "Made for M = 257, N = 263 and K = 251, kept in /home/canary/notes.";
        session.add(events::Proposed{refused});
        session.add(events::ProposalRefused{
            refused.id, ProposalState::Refused, "patch/no-match", "as in ~/canary/x with Bearer canary-value"});
        const ProposerView view = session.view();
        for (const std::string& name : templates)
            for (const CandidateId parent : {session.state.incumbent, failed[0], failed[2], session.couple().back()}) {
                PromptRequest request = requestFor(view, session, name);
                if (name != "crossover")
                    request.request.parents = {parent};
                request.hints = {"look at 257x263x251", "my key is " + std::string(canary),
                    "export OPENAI_API_KEY=canary-value", "notes are in /srv/canary/notes.md"};
                request.insights += "\nOn 257 by 263 by 251 it fails, see /root/canary " + hidden;
                request.repair = RepairTurn{
                    "tried 257,263,251 " + std::string(canary), "patch/no-match", "Bad near /usr/canary " + hidden, 1};
                const auto prompt = m_writer.render(request);
                QVERIFY2(prompt.has_value(), name.c_str());
                const std::string leak = leakIn(wholeText(*prompt), session);
                QVERIFY2(leak.empty(), (name + ": " + leak).c_str());
            }
    }

    void theSearchForLeaksFindsThem()
    {
        for (const char* text : {"on 257×263×251 it", "[257, 263, 251]", "M=257 N=263 K=251", "see /home/x", canary})
            QVERIFY2(!leakIn(text, m_session).empty(), text);
        QVERIFY(leakIn("on 255×257×191 it", m_session).empty());
        int held = 0;
        for (const Candidate& candidate : m_session.state.candidates)
            if (candidate.heldoutScore && candidate.heldoutScore->lo < candidate.heldoutScore->hi) {
                ++held;
                QVERIFY(!leakIn("score " + withMargin(*candidate.heldoutScore), m_session).empty());
            }
        QVERIFY(held > 0);
    }

    void aPromptHoldsWhatAnEngineerNeeds()
    {
        const RenderedPrompt prompt = rendered(m_writer, m_session, "exploit");
        const std::string text = wholeText(prompt);
        const Candidate& best = *m_session.state.candidate(m_session.state.incumbent);
        for (const char* part : {"AMD EPYC", "avx512f", "L2 1 MiB", "g++ 12.2.0", "struct Args {", "-march=native",
                 "255×257×191", "of the peak", "EVOLVE-BLOCK-START", "vs c-", "[", "<expected_impact>"})
            QVERIFY2(holds(text, part), part);
        QVERIFY(holds(text, m_session.texts.at(best.source)));
        QVERIFY(!holds(text, "#line"));
    }

    void aHintGetsInAsItIs()
    {
        const ProposerView view = m_session.view();
        PromptRequest request = requestFor(view, m_session, "exploit");
        const std::string hint = "Try KC/2 and 8×6 tiles; mind the read/write ratio.";
        request.hints = {hint};
        QVERIFY(holds(m_writer.render(request)->user, "- " + hint + "\n"));
    }

    void theWorkedExampleApplies()
    {
        const std::string system = rendered(m_writer, m_session, "exploit").system;
        const std::size_t form = system.rfind("# Form of a reply");
        const std::size_t reply = system.find("```\n", form) + 4, replyEnd = system.find("```", reply);
        const std::string source = "// EVOLVE-BLOCK-START\n" + std::string(38, '\n')
            + "void add(const float* x, float* y)\n{\n    for (int i = 0; i < 16; ++i)\n"
              "        y[i] += x[i];\n}\n// EVOLVE-BLOCK-END\n"; // it begins in line 40
        const auto applied
            = applyReply(source, m_session.pack.task.sources.front(), system.substr(reply, replyEnd - reply));
        QVERIFY2(applied.has_value(), applied ? "" : applied.error().text.c_str());
        QCOMPARE(q(wordsOf(system.substr(reply, replyEnd - reply)).title), q("No aliasing in add()"));
        QVERIFY(holds(applied->text, "void add(const float* __restrict x, float* __restrict y)\n{\n"));
        QVERIFY2(applied->repairs.empty(), applied->repairs.empty() ? "" : applied->repairs.front().text.c_str());
    }

    void severalDirectionsAreAskedForWhereTheFocusWantsThem()
    {
        const std::string three = rendered(m_writer, m_session, "explore").user;
        QVERIFY(holds(three, "Send 3 proposals,"));
        QVERIFY(holds(three, "\n# Your task\nMake c-"));
        QVERIFY(holds(three, " faster in a new direction, another one in each proposal: a change of structure "));
        const std::string one = rendered(m_writer, m_session, "exploit").user;
        QVERIFY(!holds(one, "<proposal>") && !holds(one, "the most promising first"));
    }

    void aTokenBudgetLeavesOutWholePiecesInTheStatedOrder()
    {
        const RenderedPrompt all = rendered(m_writer, m_session, "exploit");
        QVERIFY(all.trimmed.empty());
        const RenderedPrompt less = rendered(m_writer, m_session, "exploit", all.estimatedTokens - 1);
        QVERIFY(less.estimatedTokens < all.estimatedTokens);
        QCOMPARE(less.trimmed.size(), std::size_t(1));
        QVERIFY2(holds(less.trimmed.front(), "textbook ideas"), less.trimmed.front().c_str()); // nor changes that paid
        const std::string code = m_session.texts.at(m_session.state.candidate(m_session.state.incumbent)->source);
        const ProposerView view = m_session.view();
        PromptRequest request = requestFor(view, m_session, "exploit");
        request.hints = {"Mind the edges."};
        request.tokenBudget = 1;
        const auto refused = m_writer.render(request);
        QVERIFY(!refused.has_value());
        QCOMPARE(QString::fromStdString(refused.error().code), QStringLiteral("prompt/budget"));
        request.tokenBudget = refused.error().evidence.at("needed").get<int>();
        const auto shortest = m_writer.render(request);
        QVERIFY(shortest.has_value());
        for (const std::string& part :
            {code, std::string("Mind the edges."), std::string("Keep to the \"Form of a reply\"."),
                std::string("Lowest rate: "), std::string("255×257×191")})
            QVERIFY(holds(shortest->user, part));
        QVERIFY(!holds(shortest->user, "# Tried before"));
        QVERIFY(shortest->trimmed.size() >= 5);
        request.tokensPerByte = 0.15; // calibrated: twice as much fits
        QVERIFY(m_writer.render(request)->user.size() > shortest->user.size());
    }

    void theNewestErrorIsInThePrompt()
    {
        ShippedSession session;
        const CandidateId failed = session.addFailure(Outcome::BuildFailed, "build/error", "'vload' was not declared",
            "candidate.cpp:41:9: error: 'vload' was not declared\n   41 |  vload(a);\ncandidate.cpp:50: error: "
            "second\n");
        QVERIFY(holds(
            rendered(m_writer, session, "exploit").user, "did not build: build/error — 'vload' was not declared"));
        QVERIFY(holds(rendered(m_writer, session, "exploit").user, "seed.cpp:50: error: second"));
        const ProposerView view = session.view();
        PromptRequest request = requestFor(view, session, "repair");
        request.repair.reset();
        request.request.parents = {failed};
        QVERIFY(holds(m_writer.render(request)->user, "seed.cpp:50: error: second"));
        request.request.parents = {session.state.incumbent};
        QCOMPARE(QString::fromStdString(m_writer.render(request).error().code), QStringLiteral("prompt/request"));
    }

    void speedsOfProgramsNotTimedTogetherGoByTheirPairs()
    {
        const RunState& state = m_session.state;
        const Task& task = m_session.pack.task;
        const Measured best = measuredOf(state, task, state.incumbent);
        QVERIFY(best.shapes[0].vendorNs > 0 && best.shapes[0].versusVendor && best.shapes[0].ofBest == 0);
        QVERIFY(holds(timesTable(best, task), "vs vendor"));
        int checked = 0;
        for (const Candidate& candidate : state.candidates) {
            const Evaluation* own = state.evaluation(candidate.latest);
            const Candidate* other = own ? state.candidate(own->against) : nullptr;
            const Evaluation* others = other ? state.evaluation(other->latest) : nullptr;
            const auto firstOf = [](const Evaluation* evaluation) {
                return evaluation && !evaluation->result.shapes.empty() ? evaluation->result.shapes[0] : ShapeResult{};
            };
            if (candidate.confirmed || !firstOf(own).versusIncumbent || !firstOf(others).versusVendor)
                continue;
            const Measured measured = measuredOf(state, task, candidate.id);
            const double expected
                = own->result.shapes[0].versusIncumbent->value * others->result.shapes[0].versusVendor->value;
            QVERIFY(std::abs(measured.shapes[0].ofVendor() - expected) < 1e-9);
            QVERIFY(std::abs(measured.shapes[0].ofBest - expected / best.shapes[0].ofVendor()) < 1e-9);
            const std::string table = timesTable(measured, task);
            QVERIFY(holds(table, "≈ " + numberText(expected)));
            ++checked;
        }
        QVERIFY(checked > 20);
    }

    void theDevicesFactsAreTheRealOnes()
    {
        ShippedSession session;
        session.state.deviceFacts["l2_bytes"] = 512 << 10;
        session.state.deviceFacts["features"] = {"avx2", "fma", "avx"};
        session.state.deviceFacts["measured_gflops"] = nullptr;
        session.state.deviceFacts["measured_memory_gb_s"] = nullptr;
        const RenderedPrompt prompt = rendered(m_writer, session, "exploit");
        QVERIFY(holds(prompt.system, "L2 512 KiB") && holds(prompt.system, "instruction sets avx avx2\n"));
        QVERIFY(holds(prompt.user, " multiply-adds of a whole vector"));
        QVERIFY(holds(prompt.system, "Vectors of 256 bits (8 fp32), 16 registers, fused multiply-add; "));
        QVERIFY(holds(prompt.user, "peak rate of arithmetic was not measured"));
        session.state.deviceFacts["measured_gflops"] = {{"fp32", 250}};
        session.state.deviceFacts["measured_memory_gb_s"] = 21.5;
        session.state.deviceFacts["measured_outer_gb_s"] = 48.5;
        session.state.deviceFacts["microarchitecture"] = "Zen 4";
        const RenderedPrompt known = rendered(m_writer, session, "exploit");
        QVERIFY(holds(known.user, " of the peak."));
        QVERIFY(holds(known.system,
            "Measured on one core: 250 GFLOP/s in fp32, 21.5 GB/s from memory, 48.5 GB/s from the outer cache. "));
        QVERIFY(!holds(known.user, "the device can do at least"));
        QVERIFY(holds(known.system, "- AMD EPYC, Zen 4, g++ 12.2.0\n"));
        // Instructions for formats that the task does not have are not told.
        session.state.deviceFacts["features"] = {"avx512f", "avx512bw", "avx512_bf16", "avx512_vnni", "avx2"};
        const auto sets = [&] {
            const std::string system = rendered(m_writer, session, "exploit").system;
            const std::size_t at = system.find("instruction sets ");
            return q(system.substr(at, system.find('\n', at) - at));
        };
        QCOMPARE(sets(), q("instruction sets avx512bw avx512f"));
        session.pack.task.tensors.front().dtype = Dtype::Bf16;
        QCOMPARE(sets(), q("instruction sets avx512_bf16 avx512bw avx512f"));
    }

    void theFactsOfAGpuAreTold()
    {
        const ShippedSession session("gemm-h200");
        const std::string system = rendered(m_writer, session, "exploit").system;
        for (const char* part : {"- NVIDIA H200, sm_90a, NVRTC\n", "132 multiprocessors at 1.98 GHz; ",
                 "shared memory: 228 KiB a multiprocessor, 227 KiB a block at most; 65536 registers a multiprocessor\n",
                 "Peaks by units and clock: 66908 GFLOP/s in fp32, 4814 GB/s from memory. Caches: L2 60 MiB\n"})
            QVERIFY2(holds(system, part), system.substr(0, 1200).c_str());
        // It multiplies fp32 alone, which the tensor cores do not; and a GPU's program is not of one thread.
        QVERIFY(holds(system, "\n- Copies: TMA, clusters\n") && !holds(system, "Tensor cores"));
        QVERIFY(holds(system, "\n- Built by NVRTC. At most ") && !holds(system, "One thread."));
    }

    void theTableTellsThePaddingOfEachShape()
    {
        ShippedSession session;
        const auto incumbent = static_cast<std::size_t>(session.state.incumbent.value - 1);
        session.state.candidates.edit(incumbent).tunables = {{"MR", 10}, {"NR", 48}, {"KC", 256}};
        const Task& task = session.pack.task;
        const Measured measured = measuredOf(session.state, task, session.state.incumbent);
        QCOMPARE(measured.tile, std::string("10×48"));
        QCOMPARE(shapeText(measured.shapes[6].shape), std::string("720×750×40"));
        QVERIFY(std::abs(measured.shapes[6].padding - (1 - 750.0 / 768)) < 1e-12); // 72 × 16 tiles
        QVERIFY(std::abs(measured.shapes[7].padding - (1 - 64.0 / 70)) < 1e-12);
        const std::string user = rendered(m_writer, session, "exploit").user;
        QVERIFY(holds(user, "padding: per cent of a grid of 10×48 tiles outside of the result.\n"));
        QVERIFY(holds(user, " | 2.34\n64×48×8192") && holds(user, " | 8.57\n"));
        // No such column without a tile, nor where every shape is a multiple of it.
        const Measured seed = measuredOf(session.state, task, CandidateId{1});
        QVERIFY(seed.any() && seed.tile.empty() && !holds(timesTable(seed, task), "padding"));
        session.state.candidates.edit(incumbent).tunables = {{"MR", 1}, {"NR", 1}};
        QVERIFY(!holds(rendered(m_writer, session, "exploit").user, "padding"));
    }

    void aCopyThatMigratedGoesByTheNameOfItsOriginal()
    {
        std::set<std::string> copies;
        for (const Candidate& candidate : m_session.state.candidates)
            if (candidate.migrated)
                copies.insert(candidateName(candidate.id));
        QVERIFY(!copies.empty());
        const ProposerView view = m_session.view();
        for (const Candidate& candidate : m_session.state.candidates) {
            if (!candidate.isRanked() || candidate.id.value % 7 != 0)
                continue;
            PromptRequest request = requestFor(view, m_session, "explore");
            request.request.parents = {candidate.id};
            const std::string user = m_writer.render(request)->user;
            for (const std::string& copy : copies)
                QVERIFY2(!holds(user, copy), (copy + " in the prompt of " + candidateName(candidate.id)).c_str());
        }
    }

    void anEditIsJudgedByItsOwnFigureAndTheTunersStandsBesideIt()
    {
        ShippedSession session;
        session.state.settings.tuning = 24;
        int told = 0;
        for (std::size_t i = 0; i < session.state.candidates.size(); ++i) {
            const Candidate version = session.state.candidates[i];
            const Candidate* edit
                = version.parents.empty() ? nullptr : session.state.candidate(version.parents.front());
            const Proposal* proposal = session.state.proposal(version.proposal);
            if (!edit || edit->parents.empty() || !edit->isRanked() || edit->migrated || edit->tunedFrom
                || version.migrated || !version.isRanked() || version.score->value <= edit->score->value || !proposal
                || proposal->proposer != "tuner")
                continue;
            session.state.candidates.edit(i).tunedFrom = edit->id;
            if (tuningOf(session.state, edit->id).best != version.id)
                continue;
            const ProposerView view = session.view();
            const auto own = versusParent(session.state, *edit);
            const auto tuned = versusOther(session.state, version, rankedAncestor(session.state, *edit));
            if (!own || !tuned)
                continue;
            const std::string line = attemptLine(view, *edit);
            const std::size_t first = line.find(": " + briefGain(*own)),
                              second = line.find("; tuned: " + briefGain(*tuned) + " (" + candidateName(version.id));
            QVERIFY2(first != std::string::npos && second != std::string::npos && first < second, line.c_str());
            // On the way to a version each step has its own figure, and none counts twice.
            const std::vector<std::string> steps = lineageLines(view, version.id);
            QVERIFY(steps.size() >= 2 && steps[1].starts_with(candidateName(edit->id)));
            QVERIFY2(!holds(steps[1], "tuned:") && holds(steps[1], briefGain(*own)), steps[1].c_str());
            ++told;
        }
        QVERIFY(told > 0);
    }

    void theBestIsCalledAheadOnlyWhereTheIntervalsSaySo()
    {
        ShippedSession session;
        const std::string shipped = rendered(m_writer, session, "exploit").user;
        QVERIFY(holds(shipped, ". It is the best confirmed one; side by side c-"));
        session.state.candidates.edit(static_cast<std::size_t>(session.state.incumbent.value - 1)).score
            = Interval{90, 89, 91};
        QVERIFY(holds(rendered(m_writer, session, "exploit").user,
            ". It is the best confirmed one, clearly ahead of all others."));
        const ProposerView view = session.view();
        PromptRequest request = requestFor(view, session, "exploit");
        request.request.parents = {CandidateId{2}};
        QVERIFY(holds(m_writer.render(request)->user, ", clearly ahead."));
        session.state.candidates.edit(1).score = Interval{95, 94, 96};
        const std::string above = m_writer.render(request)->user;
        QVERIFY(holds(above, "side by side this program was not found clearly faster"));
        QVERIFY(!holds(above, "their intervals overlap"));
        session.state.candidates.edit(1).confirmed = false;
        QVERIFY(holds(rendered(m_writer, session, "exploit").user,
            ". It is the best confirmed one; c-0002 has scored 95.00× ±1.1 % meanwhile, which is provisional"));
    }

    void theOnlyProgramIsNotAheadOfOthers()
    {
        ShippedSession session;
        for (std::size_t i = 1; i < session.state.candidates.size(); ++i)
            session.state.candidates.edit(i).outcome = Outcome::BuildFailed;
        session.state.incumbent = {1};
        const std::string user = rendered(m_writer, session, "exploit").user;
        QVERIFY(holds(user, ". No other program was ranked so far.") && !holds(user, "clearly ahead"));
    }

    void untriedIdeasComeByTheirClaims()
    {
        const ShippedSession& session = m_session;
        Candidate seed = session.state.candidates[0];
        RunState fresh;
        fresh.settings = session.state.settings;
        const ProposerView view{fresh, session.pack, [&](const Hash& hash) { return session.texts.at(hash); }};
        const std::vector<std::string> ideas = textbookIdeas(view, seed, {1});
        QCOMPARE(ideas.size(), std::size_t(2));
        QVERIFY2(ideas[0].starts_with("Compute several neighbouring columns of C at once"), ideas[0].c_str());
        QVERIFY2(ideas[1].starts_with("Keep the sums of a whole tile in vector registers"), ideas[1].c_str());
        QVERIFY(holds(ideas[0], "\n```diff\n") && !holds(ideas[1], "```"));
        for (const std::string& idea : ideas)
            for (const Move& move : session.pack.moves)
                QVERIFY2(!holds(idea, move.name) || move.name.find('-') == std::string::npos, idea.c_str());
        // Islands that know nothing yet do not all ask for the same.
        QVERIFY(textbookIdeas(view, seed, {2})[0] != ideas[0]);
    }

    void ideasThatWereTriedHereOrTakenOutAreNotSuggestedAgain()
    {
        ShippedSession session;
        const Candidate best = *session.state.candidate(session.state.incumbent);
        const auto titles = [&] {
            std::vector<std::string> all;
            for (const std::string& idea : textbookIdeas(session.view(), best, best.island))
                all.push_back(idea.substr(0, idea.find('.')));
            return all;
        };
        const std::vector<std::string> before = titles();
        QVERIFY(!before.empty());
        const auto move = std::ranges::find(session.pack.moves, before.front(), &Move::title);
        QVERIFY(move != session.pack.moves.end());
        Proposal tried = *session.state.proposal(best.proposal);
        tried.id = {static_cast<std::int64_t>(session.state.proposals.size()) + 1};
        tried.parents = {best.id};
        tried.moves = {move->name, "another"}; // along with another one it says little of either
        session.add(events::Proposed{tried});
        QCOMPARE(titles(), before);
        tried.id.value += 1;
        tried.moves = {move->name};
        session.add(events::Proposed{tried});
        QVERIFY(std::ranges::count(titles(), before.front()) == 0);
    }

    void anIdeaThatAModelsEditCameToIsNotSuggestedAgain()
    {
        ShippedSession session;
        const Candidate best = *session.state.candidate(session.state.incumbent);
        const std::string text = session.texts.at(best.source);
        const auto ideas = [&] { return textbookIdeas(session.view(), best, best.island); };
        const std::vector<std::string> before = ideas();
        QVERIFY(!before.empty());
        const auto move
            = std::ranges::find(session.pack.moves, before.front().substr(0, before.front().find('.')), &Move::title);
        const auto with = withMove({text, best.moves, {}, {}}, *move);
        QVERIFY(with);
        Proposal edit = *session.state.proposal(best.proposal);
        edit.id = {static_cast<std::int64_t>(session.state.proposals.size()) + 1};
        edit.proposer = "model";
        edit.parents = {best.id};
        edit.moves = {}; // in the model's own words
        session.add(events::Proposed{edit});
        Candidate made = best;
        made.id = {static_cast<std::int64_t>(session.state.candidates.size()) + 1};
        made.proposal = edit.id;
        made.parents = {best.id};
        made.tunedFrom = {};
        made.source = made.program = sha256(with->text);
        session.texts[made.source] = with->text;
        session.add(events::CandidateMade{made});
        QVERIFY(std::ranges::count(ideas(), before.front()) == 0);
    }

    void whatIsBeingRepairedIsNotToldOnceMore()
    {
        ShippedSession session;
        Proposal refused = *session.state.proposal(session.state.candidate(session.state.incumbent)->proposal);
        const auto refuse = [&](ProposalId repairOf) {
            refused.id = {static_cast<std::int64_t>(session.state.proposals.size()) + 1};
            refused.repairOf = repairOf;
            refused.proposer = "manual";
            refused.moves.clear();
            refused.reasoning = "Turn the loops around.";
            session.add(events::Proposed{refused});
            session.add(events::ProposalRefused{refused.id, ProposalState::Refused, "patch/no-match", "no such line"});
            return refused.id;
        };
        const ProposalId first = refuse({}), second = refuse(first);
        const ProposerView view = session.view();
        PromptRequest request = requestFor(view, session, "rewrite");
        request.request.island = refused.island;
        request.repair = RepairTurn{"a reply", "patch/no-match", "What is wrong.\n", 2};
        QVERIFY(holds(m_writer.render(request)->user, "Turn the loops around"));
        request.repair->proposal = second;
        QVERIFY(!holds(m_writer.render(request)->user, "Turn the loops around"));
    }

    void bytesThatAreNoTextAreShownAsTheUnknownSign()
    {
        const ProposerView view = m_session.view();
        PromptRequest request = requestFor(view, m_session, "repair");
        request.repair->reply = std::string("\x89PNG\0\xff", 6);
        const std::string user = m_writer.render(request)->user;
        QVERIFY(user.find('\0') == std::string::npos && user.find('\xff') == std::string::npos);
        QVERIFY(holds(user, "PNG"));
    }

    void whatWasTriedInTheSameWordsIsListedOnce()
    {
        ShippedSession session;
        for (int i = 0; i < 3; ++i)
            session.addFailure(Outcome::BuildFailed, "build/error", "'vload' was not declared", "");
        const ProposerView view = session.view();
        PromptRequest request = requestFor(view, session, "exploit");
        request.request.island = session.state.candidate(session.state.incumbent)->island;
        const std::string user = m_writer.render(request)->user;
        const std::string words = "Use wider tiles";
        const std::size_t begin = user.find("# Recent failures\n"), end = user.find("\n# ", begin);
        QVERIFY(begin < end && end != std::string::npos);
        const std::string failed = user.substr(begin, end - begin);
        const std::size_t first = failed.find(words);
        QVERIFY2(first != std::string::npos && failed.find(words, first + 1) == std::string::npos, failed.c_str());
        QVERIFY(holds(failed, "Tried 3 times with the same text and the same result: do not send it again."));
    }

    void anAttemptTellsOnWhichShapesItGainedAndLost()
    {
        const ProposerView view = m_session.view();
        int told = 0;
        for (const Candidate& candidate : m_session.state.candidates) {
            const auto change = versusParent(m_session.state, candidate);
            const auto speeds = change
                ? speedsByShape(m_session.state, m_session.pack.task, candidate.id, change->parent)
                : std::vector<ShapeSpeed>{};
            const std::string line = attemptLine(view, candidate);
            QVERIFY2(!holds(line, ", tuned ("), line.c_str()); // a run of the mutator tunes nothing before it judges
            if (speeds.size() < 2 || !holds(line, "× on " + shapeText(speeds.front().shape) + " … "))
                continue;
            ++told;
            QVERIFY(speeds.front().ratio < speeds.back().ratio && speeds.back().ratio > 1);
            QVERIFY(holds(line, numberText(speeds.front().ratio) + "× on " + shapeText(speeds.front().shape)));
            QVERIFY(holds(line, numberText(speeds.back().ratio) + "× on " + shapeText(speeds.back().shape)));
        }
        QVERIFY2(told > 5, std::to_string(told).c_str());
    }

    void aJudgeIsNotToldTheResult()
    {
        const Candidate& best = *m_session.state.candidate(m_session.state.incumbent);
        const std::string user = rendered(m_writer, m_session, "judge").user;
        QVERIFY(holds(user, "# The program: " + candidateName(originOf(m_session.state, best.parents.front()))));
        QVERIFY(holds(user, "# The proposed change: " + candidateName(best.id) + "\n```diff\n--- a/seed.cpp\n"));
        QVERIFY(!holds(user, "- " + candidateName(best.id) + " ("));
    }

    void aCrossoverSaysWhereTheOtherIsFaster()
    {
        ProposerView view = m_session.view();
        PromptRequest request = requestFor(view, m_session, "crossover");
        const auto sentence = [&] {
            const auto prompt = m_writer.render(request);
            if (!prompt)
                return prompt.error().text;
            const std::size_t at = prompt->user.find(" by more than noise on ");
            const std::size_t from = prompt->user.rfind('\n', at) + 1;
            return at == std::string::npos ? std::string()
                                           : prompt->user.substr(from, prompt->user.find('\n', at) - from);
        };
        const auto named
            = [&](CandidateId id) { return candidateName(originOf(m_session.state, id)) + " is faster than "; };
        const std::string one = sentence();
        std::swap(request.request.parents[0], request.request.parents[1]);
        const std::string turned = sentence();
        QVERIFY2(holds(one, named(request.request.parents[0])), one.c_str());
        QVERIFY2(holds(turned, named(request.request.parents[1])), turned.c_str());
        // The seed is slower than what came of it everywhere.
        request.request.parents = {m_session.state.incumbent, CandidateId{1}};
        const std::string seed = sentence();
        QVERIFY2(holds(seed, " on none of 8 train shapes. Its speed on them: "), seed.c_str());
        std::swap(request.request.parents[0], request.request.parents[1]);
        QVERIFY2(holds(sentence(), " on 8 of 8 train shapes: "), sentence().c_str());
    }

    void whatARequestLacksIsSaid()
    {
        const ProposerView view = m_session.view();
        PromptRequest request = requestFor(view, m_session, "crossover");
        request.request.parents.resize(1);
        QCOMPARE(QString::fromStdString(m_writer.render(request).error().code), QStringLiteral("prompt/request"));
        request.request.parents = {CandidateId{99999}};
        QCOMPARE(QString::fromStdString(m_writer.render(request).error().code), QStringLiteral("prompt/parent"));
        request.templateName = "poem";
        QCOMPARE(QString::fromStdString(m_writer.render(request).error().code), QStringLiteral("prompt/template"));
        request.templateName = "";
        request.request.focus = Focus::Tune;
        request.request.parents = {m_session.state.incumbent};
        QCOMPARE(m_writer.render(request)->templateName, std::string("exploit"));
    }

    void aTemplateOfOnesOwnReplacesTheShippedOne()
    {
        QTemporaryDir own;
        QVERIFY(writeFile(own.filePath(QStringLiteral("exploit.md")), "Only {{name}}, {{file}}.\n{{> reply}}\n"));
        const auto writer
            = PromptWriter::load({TILEWRIGHT_SOURCE_DIR "/prompts", own.path().toStdString(), "/nowhere/at/all"});
        QVERIFY(writer.has_value());
        const RenderedPrompt prompt = rendered(*writer, m_session, "exploit");
        QVERIFY(
            prompt.user.starts_with("Only " + candidateName(m_session.state.incumbent) + ", seed.cpp.\nKeep to the "));
        QVERIFY(writer->versionOf("exploit") != m_writer.versionOf("exploit"));
        QCOMPARE(writer->versionOf("explore"), m_writer.versionOf("explore"));
        QVERIFY(writeFile(own.filePath(QStringLiteral("reply.md")), "Answer well.\n"));
        const auto changed = PromptWriter::load({TILEWRIGHT_SOURCE_DIR "/prompts", own.path().toStdString()});
        QVERIFY(changed->versionOf("explore") != m_writer.versionOf("explore"));
    }

    void mistakesInATemplateAreNamedWithFileAndLine_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("where");
        QTest::newRow("unknown") << "a\nb {{nmae}}\n"
                                 << "prompt/placeholder"
                                 << "exploit.md, line 2: unknown placeholder 'nmae', did you mean 'name'?";
        QTest::newRow("unknown part") << "{{#nmae}}x{{/nmae}}"
                                      << "prompt/placeholder"
                                      << "line 1";
        QTest::newRow("open part") << "a\n{{#name}}\nx\n"
                                   << "prompt/section"
                                   << "line 2";
        QTest::newRow("crossed parts") << "{{#name}}\n{{#code}}\n{{/name}}{{/code}}"
                                       << "prompt/section"
                                       << "line 3";
        QTest::newRow("open tag") << "a\n\n{{name"
                                  << "prompt/section"
                                  << "line 3";
        QTest::newRow("unknown file") << "a\n\n{{> nothing}}"
                                      << "prompt/missing"
                                      << "exploit.md, line 3: there is no template nothing.md";
        QTest::newRow("circle") << "a\n{{> exploit}}"
                                << "prompt/section"
                                << "exploit.md, line 2: the file includes itself";
        QTest::newRow("empty") << " \n"
                               << "prompt/file"
                               << "exploit.md, line 1: the template is empty";
        QTest::newRow("no UTF-8") << "a\n\xEF\xBF\xBD {{name}}\n@\n"
                                  << "file/not-text"
                                  << "line 3, byte offset 15";
    }

    void mistakesInATemplateAreNamedWithFileAndLine()
    {
        QFETCH(const QString, text);
        QFETCH(const QString, code);
        QFETCH(const QString, where);
        QTemporaryDir own;
        const QString path = own.filePath(QStringLiteral("exploit.md"));
        std::string bytes = text.toStdString();
        std::ranges::replace(bytes, '@', '\xff');
        QVERIFY(writeFile(path, bytes));
        QString line;
        QCOMPARE(codeOf(own.path(), &line), code);
        QVERIFY2(line.contains(where), qPrintable(line));
        QVERIFY2(line.startsWith(path), qPrintable(line));
    }

    void aCircleOfTemplatesIsNamedWhereItCloses()
    {
        QTemporaryDir own;
        QVERIFY(writeFile(own.filePath(QStringLiteral("exploit.md")), "one\n{{> mine}}\n"));
        QVERIFY(writeFile(own.filePath(QStringLiteral("mine.md")), "two\n\n{{> exploit}}\n"));
        QString line;
        QCOMPARE(codeOf(own.path(), &line), QStringLiteral("prompt/section"));
        QVERIFY2(
            line.startsWith(own.filePath(QStringLiteral("mine.md")) + QStringLiteral(", line 3: a circular include")),
            qPrintable(line));
    }

    void whatIsNoFileIsNoTemplate()
    {
        for (const bool isFolder : {true, false}) {
            QTemporaryDir own;
            const QString path = own.filePath(QStringLiteral("exploit.md"));
            QVERIFY(isFolder ? QDir().mkdir(path) : QFile::link(own.filePath(QStringLiteral("nothing")), path));
            QString line;
            QCOMPARE(codeOf(own.path(), &line), QStringLiteral("prompt/file"));
            QVERIFY2(line.startsWith(path), qPrintable(line));
        }
    }

    void aModelsSummaryIsShortAndHoldsNoEdit()
    {
        QCOMPARE(QString::fromStdString(fitSummary("  - packing pays\n- tiles of 8\n\n").value()),
            QStringLiteral("- packing pays\n- tiles of 8\n"));
        for (const std::string& reply : {std::string(" \n"), std::string(84'000, 'x'),
                 std::string("<reasoning>more</reasoning>\n<diff>\n@@ @@\n</diff>"), std::string("<proposal>\n"),
                 std::string("- so:\n```cpp\nint a;\n```\n"), std::string("<<<<<<< SEARCH\n")}) {
            const auto fit = fitSummary(reply);
            QVERIFY2(!fit, reply.substr(0, 40).c_str());
            QCOMPARE(QString::fromStdString(fit.error().code), QStringLiteral("insight/unfit"));
        }
    }

    void aFolderWithoutTemplatesIsRefused()
    {
        QTemporaryDir empty;
        QCOMPARE(QString::fromStdString(PromptWriter::load({empty.path().toStdString()}).error().code),
            QStringLiteral("prompt/missing"));
    }

    void theExamplesAreCurrent_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"explore", "exploit", "crossover"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }

    // TILEWRIGHT_WRITE_EXAMPLES=1 build/release/tests/search-tests test-prompt theExamplesAreCurrent writes them anew.
    void theExamplesAreCurrent()
    {
        QFETCH(const QString, name);
        const ProposerView view = m_session.view();
        PromptRequest request = requestFor(view, m_session, name.toStdString());
        if (name == QLatin1String("explore"))
            request.request.parents = {m_session.couple().back()};
        if (name == QLatin1String("exploit"))
            request.hints = {"64×48×8192 is the shape our users feel most: look there first."};
        const auto prompt = m_writer.render(request);
        QVERIFY(prompt.has_value());
        const std::string text = "<!-- " + prompt->templateName + ", version "
            + prompt->templateVersion.hex().substr(0, 12) + ", about " + std::to_string(prompt->estimatedTokens)
            + " tokens, over the shipped demo. System text first, then the user's. -->\n\n" + prompt->system
            + "\n---\n\n" + prompt->user;
        const QString path = QStringLiteral(TILEWRIGHT_SOURCE_DIR "/prompts/examples/") + name + QStringLiteral(".md");
        if (qEnvironmentVariableIsSet("TILEWRIGHT_WRITE_EXAMPLES"))
            QVERIFY(writeFile(path, text));
        const auto kept = readFile(path.toStdString());
        QVERIFY(kept.has_value());
        QVERIFY2(*kept == text, "write it anew as prompts/README.md says");
        const std::string leak = leakIn(text, m_session);
        QVERIFY2(leak.empty(), leak.c_str());
    }
};

TILEWRIGHT_TEST(TestPrompt)
#include "test_prompt.moc"
