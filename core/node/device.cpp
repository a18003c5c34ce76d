// SPDX-License-Identifier: Apache-2.0
#include "core/node/device.h"

#include "core/node/machine_trouble.h"
#include "core/protocol/gpu_trouble.h"

namespace tilewright {
namespace {

constexpr int fewestNoises = 8; ///< in all, before noise is measured now and then only
constexpr int firstNoises = 3; ///< of a new incumbent

} // namespace

TimeReply judged(TimedReply timed)
{
    if (timed.judge)
        timed.judge(timed.reply);
    return std::move(timed.reply);
}

CheckReply refusedCheck(std::int64_t id, const Error& error)
{
    CheckReply reply;
    reply.id = id;
    reply.rule = error.code;
    reply.text = error.text;
    reply.evidence = error.evidence;
    return reply;
}

CheckReply checkReply(std::int64_t id, const Result<PassedChecks>& passed)
{
    if (!passed)
        return refusedCheck(id, passed.error());
    CheckReply reply;
    reply.id = id;
    reply.ok = true;
    reply.passed = passed->names;
    reply.measured = passed->measured;
    return reply;
}

bool isNodesOwnRule(std::string_view rule)
{
    return rule == "time/unstable" || rule == "cancelled" || rule.starts_with("task/") || rule == "build/no-artifact"
        || rule == "run/start" || rule.starts_with("device/") || isMachineTrouble(rule) || lacksCompiler(rule);
}

bool isNodesOwn(const Error& error)
{
    return isNodesOwnRule(error.code)
        || (error.evidence.is_object() && error.evidence.value("contestant", "candidate") != "candidate");
}

int attemptsFor(std::string_view code, bool wasChecked)
{
    if (code == "run/exit")
        return 3;
    if (code == "run/timeout")
        return wasChecked ? 2 : 1;
    return code == "run/memory" || code == "run/driver" || code == "run/canary" ? 2 : 1;
}

bool NoiseSchedule::isDue(const Hash& incumbent, int knownRatios)
{
    if (std::exchange(m_of, incumbent) != incumbent)
        m_screenings = 0;
    const bool due = knownRatios < fewestNoises || m_screenings < firstNoises || m_screenings % m_pace == 0;
    ++m_screenings;
    return due;
}

} // namespace tilewright
