// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/server_times.h"

#include "core/base/format.h"
#include "core/base/text.h"

#include <QLocale>
#include <algorithm>
#include <array>
#include <string>

namespace tilewright {
namespace {

struct Unit {
    std::string_view name;
    double seconds;
};
constexpr std::array units{Unit{"ms", 1e-3}, Unit{"msec", 1e-3}, Unit{"milliseconds", 1e-3}, Unit{"millisecond", 1e-3},
    Unit{"d", 86'400}, Unit{"day", 86'400}, Unit{"days", 86'400}, Unit{"h", 3600}, Unit{"hr", 3600}, Unit{"hour", 3600},
    Unit{"hours", 3600}, Unit{"m", 60}, Unit{"min", 60}, Unit{"mins", 60}, Unit{"minute", 60}, Unit{"minutes", 60},
    Unit{"s", 1}, Unit{"sec", 1}, Unit{"secs", 1}, Unit{"second", 1}, Unit{"seconds", 1}};

/// A number at the text's begin, taken off it.
std::optional<double> takeNumber(std::string_view& text)
{
    const auto found = leadingDecimal(text);
    if (!found || !(found->value >= 0 && found->value < 1e9))
        return std::nullopt;
    text.remove_prefix(found->length);
    return found->value;
}

} // namespace

std::optional<std::chrono::milliseconds> durationOf(std::string_view text)
{
    const std::string lower = lowered(trimmed(text));
    std::string_view rest = lower;
    double seconds = 0;
    if (rest.empty())
        return std::nullopt;
    while (!rest.empty()) {
        const auto number = takeNumber(rest);
        if (!number)
            return std::nullopt;
        rest = trimmed(rest);
        const auto letters = static_cast<std::size_t>(
            std::ranges::find_if_not(rest, [](char c) { return c >= 'a' && c <= 'z'; }) - rest.begin());
        const auto* const unit = std::ranges::find(units, rest.substr(0, letters), &Unit::name);
        if (unit == units.end() && !rest.empty())
            return std::nullopt;
        seconds += *number * (rest.empty() ? 1 : unit->seconds);
        rest = trimmed(rest.substr(letters));
    }
    if (seconds >= 1e9)
        return std::nullopt;
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000 + 0.5));
}

QDateTime serverDate(std::string_view text)
{
    QString date = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).simplified();
    for (const char* zone : {" GMT", " UTC", " +0000", " Z"})
        if (date.endsWith(QLatin1String(zone), Qt::CaseInsensitive))
            date.chop(static_cast<qsizetype>(std::string_view(zone).size()));
    // RFC 1123, RFC 850 (two digits of the year), asctime; the day's name decides nothing.
    const QString day = date.section(QLatin1Char(','), 1).trimmed();
    for (const auto& [part, form] : {std::pair(day, "d MMM yyyy HH:mm:ss"), std::pair(day, "d-MMM-yy HH:mm:ss"),
             std::pair(day, "d-MMM-yyyy HH:mm:ss"), std::pair(date.section(QLatin1Char(' '), 1), "MMM d HH:mm:ss yyyy"),
             std::pair(date, "d MMM yyyy HH:mm:ss")}) {
        QDateTime parsed = QLocale::c().toDateTime(part, QLatin1String(form));
        if (!parsed.isValid())
            continue;
        if (parsed.date().year() < 1970)
            parsed = parsed.addYears(100); // Qt reads two digits as of the last century
        parsed.setTimeSpec(Qt::UTC);
        return parsed;
    }
    return QDateTime::fromString(
        QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).trimmed(), Qt::ISODateWithMs);
}

} // namespace tilewright
