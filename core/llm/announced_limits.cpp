// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/announced_limits.h"

#include "core/base/text.h"
#include "core/llm/server_errors.h"

#include <QDateTime>
#include <algorithm>

namespace tilewright {
namespace {

using namespace std::chrono;

/// The Date that a server gave with its answer, as ISO 8601; `otherwise` if it gave none.
std::string dateOf(const HttpHeaders& headers, const std::string& otherwise)
{
    const QDateTime parsed = serverDate(headerOf(headers, "date"));
    return parsed.isValid() ? parsed.toUTC().toString(Qt::ISODateWithMs).toStdString() : otherwise;
}

std::string later(const std::string& utc, milliseconds wait)
{
    const QDateTime then = QDateTime::fromString(QString::fromStdString(utc), Qt::ISODateWithMs).addMSecs(wait.count());
    return then.isValid() ? then.toString(Qt::ISODateWithMs).toStdString() : std::string();
}

/// What a request of this size takes of a limit of this kind; 0 for kinds that say nothing of what is sent.
std::int64_t neededOf(const std::string& kind, const PaceLoad& load)
{
    return kind == "requests" ? load.requests : kind == "tokens" || kind == "input-tokens" ? load.tokens : 0;
}

} // namespace

std::optional<milliseconds> untilReset(const std::string& reset, const std::string& nowUtc)
{
    const std::string text(trimmed(reset));
    if (const auto duration = durationOf(text))
        return duration;
    const auto timeOf
        = [](const std::string& utc) { return QDateTime::fromString(QString::fromStdString(utc), Qt::ISODateWithMs); };
    const QDateTime then = timeOf(text), now = timeOf(nowUtc);
    if (!then.isValid() || !now.isValid())
        return std::nullopt;
    return milliseconds(std::max<qint64>(now.msecsTo(then), 0));
}

void AnnouncedLimits::note(nanoseconds now, const HttpHeaders& headers, const std::string& nowUtc)
{
    const std::string date = dateOf(headers, nowUtc);
    for (const auto& [kind, told] : rateLimitsOf(headers)) {
        const auto reset = untilReset(told.reset, date);
        if (told.remaining < 0)
            m_told.erase(kind);
        else
            m_told[kind] = {{printable(kind), told.remaining, told.limit, reset ? later(nowUtc, *reset) : "", nowUtc},
                now + reset.value_or(longestHold)};
        if (told.remaining < 0 || !reset)
            m_left.erase(kind); // nothing to keep to
        else
            m_left[kind] = {told.limit, told.remaining, now + std::min<milliseconds>(*reset, longestHold)};
    }
}

void AnnouncedLimits::holdFor(nanoseconds now, milliseconds wait)
{
    m_heldUntil = std::max(m_heldUntil, now + std::min<milliseconds>(wait, longestHold));
    for (auto& [kind, left] : m_left) // it says itself when to come again
        left.until = std::min(left.until, m_heldUntil);
}

void AnnouncedLimits::count(const PaceLoad& load)
{
    for (auto& [kind, left] : m_left)
        left.remaining = std::max<std::int64_t>(left.remaining - neededOf(kind, load), 0);
}

const std::pair<const std::string, AnnouncedLimits::Left>* AnnouncedLimits::holding(
    nanoseconds now, const PaceLoad& load) const
{
    const std::pair<const std::string, Left>* longest = nullptr;
    for (const auto& each : m_left) {
        const Left& left = each.second;
        const std::int64_t needed = neededOf(each.first, load);
        const bool isOver = needed > 0 && left.remaining < needed && left.until > now;
        if (isOver && (!longest || left.until > longest->second.until))
            longest = &each;
    }
    return longest;
}

nanoseconds AnnouncedLimits::waitFor(nanoseconds now, std::int64_t tokens, const PaceLoad& ahead) const
{
    const auto* const left = holding(now, {ahead.requests + 1, ahead.tokens + tokens});
    const nanoseconds until = std::max(m_heldUntil, left ? left->second.until : nanoseconds(0));
    return std::max(until - now, nanoseconds(0));
}

std::vector<ServerLimit> AnnouncedLimits::told(nanoseconds now) const
{
    std::vector<ServerLimit> limits;
    for (const auto& [kind, told] : m_told)
        if (told.until > now)
            limits.push_back(told.limit);
    return limits;
}

std::string AnnouncedLimits::reason(nanoseconds now, std::int64_t tokens) const
{
    const auto* const left = holding(now, {1, tokens});
    if (!left || left->second.until < m_heldUntil)
        return m_heldUntil > now ? "the server asked for a pause" : "";
    const std::string of = left->second.limit >= 0 ? " of " + std::to_string(left->second.limit) : "";
    return "the server has " + std::to_string(left->second.remaining) + of + " " + printable(left->first) + " left";
}

} // namespace tilewright
