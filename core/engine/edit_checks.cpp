// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/edit_checks.h"

#include "core/base/hash.h"

#include <QTimer>
#include <algorithm>

namespace tilewright {
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
        return untried({"node/garbage", "the node answered something else than a build", "", nullptr});
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
