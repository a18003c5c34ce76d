// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/measuring/listings.h"

#include "core/base/hash.h"
#include "core/llm/json_access.h"
#include "core/protocol/frames.h"
#include "core/protocol/killed.h"

#include <QTimer>
#include <algorithm>

namespace tilewright {
namespace {

constexpr std::size_t mostKnownListings = 8;

/// What is recorded of a build.
struct RecordedBuild {
    Hash artifact;
    nlohmann::json resources, environment;
};

/// That of the evaluation its figures come from; else of its first that has one; else what it waits for a review with.
std::optional<RecordedBuild> buildOf(const RunState& state, const Candidate& candidate)
{
    const auto told = [](const Evaluation* evaluation) {
        return evaluation && !evaluation->result.artifact.isNull() ? std::optional(RecordedBuild{
                   evaluation->result.artifact, evaluation->result.resources, evaluation->result.environment})
                                                                   : std::nullopt;
    };
    if (auto latest = told(state.evaluation(candidate.latest)))
        return latest;
    for (const Evaluation& evaluation : state.evaluations)
        if (evaluation.candidate == candidate.id)
            if (auto build = told(&evaluation))
                return build;
    const Review* review = state.review(candidate.review);
    if (review && review->candidate == candidate.id && review->facts.is_object() && review->facts.contains("resources"))
        return RecordedBuild{hashIn(review->facts, "artifact"), review->facts.at("resources"), nullptr};
    return std::nullopt;
}

/// Why there is none.
Error unbuilt(const Candidate& candidate)
{
    const std::string name = candidateName(candidate.id);
    if (!candidate.isOver() || candidate.rule.empty())
        return {"listing/not-yet", name + " is not built yet, according to the session",
            "try again when it has been built", nullptr};
    const bool isRefused = candidate.outcome == Outcome::Refused || candidate.outcome == Outcome::Quarantined;
    return {isRefused ? "listing/refused" : "listing/unbuilt",
        name + " never built: " + candidate.rule + (candidate.text.empty() ? "" : ", " + candidate.text), "", nullptr};
}

/// "g++ 12.2.0 on AMD EPYC 9554".
std::string builtByOf(const RunState& state, const nlohmann::json& environment)
{
    const auto told = [&](const char* key, const char* fact) {
        const std::string measured = textAt(environment, key);
        return measured.empty() ? textAt(state.deviceFacts, fact) : measured;
    };
    std::string compiler = told("compiler", "compiler");
    if (compiler.empty())
        compiler = textAt(state.deviceFacts, "nvrtc");
    const std::string device = told("device", "name");
    return compiler.empty() || device.empty() ? compiler : compiler + " on " + device;
}

} // namespace

Result<ListingRequest> listingRequestFor(
    const RunState& state, const Task& task, CandidateId id, std::optional<ListingForm> form)
{
    const Candidate* candidate = state.candidate(id);
    if (!candidate)
        return fail("candidate/unknown", "there is no candidate " + candidateName(id));
    const std::vector<ListingForm>& forms = listingFormsOf(task.target);
    if (forms.empty())
        return fail("listing/form",
            "programs of " + task.name + " run in an external evaluator: no compiled code is available");
    if (form && std::ranges::find(forms, *form) == forms.end())
        return fail("listing/form",
            "a program of " + task.name + " has no " + titleOf(*form) + ": it is for "
                + (task.target == Target::Cuda ? "an NVIDIA GPU" : "the CPU"),
            std::string("use ") + (task.target == Target::Cuda ? "ptx or sass" : "assembly"));
    const auto build = buildOf(state, *candidate);
    if (!build)
        return std::unexpected(unbuilt(*candidate));
    ListingRequest request;
    request.task = state.settings.task;
    request.program = candidate->source;
    request.form = form.value_or(forms.front());
    request.artifact = build->artifact;
    request.builtBy = builtByOf(state, build->environment);
    if (task.target != Target::Cuda)
        return request;
    request.architecture = textAt(build->environment, "class");
    if (!request.architecture.starts_with("sm_"))
        request.architecture = textAt(state.deviceFacts, "arch");
    const nlohmann::json& resources = build->resources;
    request.ptx = Hash::fromHex(textAt(resources, "ptx_sha256"));
    request.cubin = Hash::fromHex(textAt(resources, "cubin_sha256"));
    for (const nlohmann::json& kernel : listAt(resources, "kernels"))
        if (std::string name = textAt(kernel, "kernel"); !name.empty() && !std::ranges::count(request.kernels, name))
            request.kernels.push_back(std::move(name));
    return request;
}

Listings::Listings(NodeConnection& node)
    : m_node(node)
{
    connect(&node, &NodeConnection::ready, this, [this] {
        m_isGivenUp = false;
        send();
    });
    connect(&node, &NodeConnection::givenUp, this, [this](const QString& reason, const QString& hint) {
        m_isGivenUp = true;
        std::vector<quint64> numbers;
        for (const Wanted& wanted : m_wanted)
            numbers.push_back(wanted.number);
        for (const quint64 number : numbers)
            finish(number, fail("node/missing", reason.toStdString(), hint.toStdString()));
    });
}

quint64 Listings::ask(const ListingRequest& request, Answer answer)
{
    const quint64 number = ++m_last;
    m_wanted.push_back({number, request, std::move(answer), 0});
    QTimer::singleShot(0, this, [this] { send(); });
    return number;
}

void Listings::drop(quint64 number)
{
    const auto found = std::ranges::find(m_wanted, number, &Wanted::number);
    if (found == m_wanted.end())
        return;
    if (found->asked)
        m_node.cancel(found->asked);
    m_wanted.erase(found);
}

void Listings::send()
{
    std::vector<std::pair<quint64, Listing>> known;
    for (const Wanted& wanted : m_wanted)
        if (const auto kept
            = std::ranges::find(m_known, dumped(toJson(wanted.request)), &std::pair<std::string, Listing>::first);
            !wanted.asked && kept != m_known.end())
            known.emplace_back(wanted.number, kept->second);
    for (const auto& [number, listing] : known)
        finish(number, listing);
    if (m_wanted.empty())
        return;
    if (m_isGivenUp) {
        m_isGivenUp = false;
        m_node.start();
    }
    if (!m_node.isReady())
        return;
    for (Wanted& wanted : m_wanted)
        if (!wanted.asked)
            wanted.asked = m_node.ask(wanted.request, {wanted.request.task, wanted.request.program},
                [this, number = wanted.number](const Result<Reply>& reply) { answered(number, reply); });
}

void Listings::answered(quint64 number, const Result<Reply>& reply)
{
    if (!reply) {
        const Error& error = reply.error();
        const bool died = error.code == "node/crash" || error.code == "node/silent" || error.code == "node/garbage"
            || isKilledFromOutside(error.code);
        return finish(number,
            died ? fail(error.code, "the listing was not completed: " + error.text, "request it again")
                 : std::unexpected(error));
    }
    const auto* listed = std::get_if<ListingReply>(&*reply);
    if (!listed)
        return finish(number, fail("node/garbage", "the node sent a reply other than a listing"));
    const auto wanted = std::ranges::find(m_wanted, number, &Wanted::number);
    if (wanted != m_wanted.end()) {
        m_known.emplace_back(dumped(toJson(wanted->request)), listed->listing);
        if (m_known.size() > mostKnownListings)
            m_known.pop_front();
    }
    finish(number, listed->listing);
}

void Listings::finish(quint64 number, const Result<Listing>& listing)
{
    const auto found = std::ranges::find(m_wanted, number, &Wanted::number);
    if (found == m_wanted.end())
        return;
    const Answer answer = std::move(found->answer);
    m_wanted.erase(found);
    answer(listing);
}

namespace {

EditCheck untried(Error why) { return {EditCheckEnd::Untried, std::move(why), 0, {}}; }

/// What the compiler, or a rule before it, says of the text itself; anything else is the machine's trouble.
bool isOfTheText(const Error& error) { return error.code.starts_with("build/") || error.code.starts_with("static/"); }

EditCheck checkOf(const Result<Reply>& reply)
{
    if (!reply) {
        const Error& error = reply.error();
        return isOfTheText(error) ? EditCheck{EditCheckEnd::Broken, error, lineOfComplaint(error.text), {}}
                                  : untried(error);
    }
    const auto* build = std::get_if<BuildReply>(&*reply);
    if (!build)
        return untried({"node/garbage", "the node sent a reply other than a build", "", nullptr});
    if (build->ok)
        return {EditCheckEnd::Builds, {}, 0, build->warnings};
    return {EditCheckEnd::Broken, {build->rule, build->text, "", build->evidence}, lineOfComplaint(build->text),
        build->warnings};
}

} // namespace

EditChecks::EditChecks(NodeConnection& node)
    : m_node(node)
{
    connect(&node, &NodeConnection::ready, this, [this] {
        m_givenUp = {};
        send();
    });
    connect(&node, &NodeConnection::givenUp, this, [this](const QString& reason, const QString& hint) {
        m_givenUp = {"node/missing", reason.toStdString(), hint.toStdString(), nullptr};
        send();
    });
}

quint64 EditChecks::ask(const std::string& program, const Hash& task, const std::string& device, Answer answer)
{
    const quint64 number = ++m_last;
    m_wanted.push_back({number, program, BuildRequest{0, task, sha256(program), device}, std::move(answer), 0});
    QTimer::singleShot(0, this, [this] { send(); });
    return number;
}

void EditChecks::tell(EditCheck check, Answer answer)
{
    QTimer::singleShot(0, this, [check = std::move(check), answer = std::move(answer)] { answer(check); });
}

void EditChecks::drop(quint64 number)
{
    const auto found = std::ranges::find(m_wanted, number, &Wanted::number);
    if (found == m_wanted.end())
        return;
    if (found->asked)
        m_node.cancel(found->asked);
    m_wanted.erase(found);
}

const std::string* EditChecks::program(const Hash& hash) const
{
    for (const Wanted& wanted : m_wanted)
        if (wanted.request.program == hash)
            return &wanted.program;
    return nullptr;
}

void EditChecks::send()
{
    if (!m_givenUp.code.empty()) {
        std::vector<quint64> numbers;
        for (const Wanted& wanted : m_wanted)
            numbers.push_back(wanted.number);
        for (const quint64 number : numbers)
            finish(number, untried(m_givenUp));
        return;
    }
    if (!m_node.isReady())
        return; // it comes again once the node greets
    for (Wanted& wanted : m_wanted)
        if (!wanted.asked)
            wanted.asked = m_node.ask(wanted.request, {wanted.request.task, wanted.request.program},
                [this, number = wanted.number](const Result<Reply>& reply) { answered(number, reply); });
}

void EditChecks::answered(quint64 number, const Result<Reply>& reply) { finish(number, checkOf(reply)); }

void EditChecks::finish(quint64 number, const EditCheck& check)
{
    const auto found = std::ranges::find(m_wanted, number, &Wanted::number);
    if (found == m_wanted.end())
        return;
    const Answer answer = std::move(found->answer);
    m_wanted.erase(found);
    answer(check);
}

} // namespace tilewright
