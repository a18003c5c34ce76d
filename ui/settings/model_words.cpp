// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/model_words.h"

#include "core/base/format.h"
#include "ui/models/format.h"
#include "ui/models/token_words.h"
#include "ui/theme/words.h"

#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

QString dollars(const std::optional<double>& usd)
{
    if (!usd)
        return tr("unknown");
    if (*usd == 0)
        return u"$0"_s;
    const int places = *usd >= 1 ? 2 : *usd >= 0.01 ? 3 : static_cast<int>(std::ceil(-std::log10(*usd))) + 1;
    return u"$%1"_s.arg(*usd, 0, 'f', std::min(places, 8));
}

QString priceWords(const std::optional<TokenPrice>& price)
{
    return price ? tr("in $%1, out $%2 per million tokens, read %3")
                       .arg(price->input, 0, 'g', 6)
                       .arg(price->output, 0, 'g', 6)
                       .arg(text(price->date))
                 : tr("price unknown: its cost is counted as unknown, never as 0");
}

namespace {

QStringList capabilityNames(const Capabilities& capabilities)
{
    QStringList takes;
    const std::pair<bool, QString> table[] = {{capabilities.temperature, tr("temperature")},
        {capabilities.topP, tr("top-p")}, {capabilities.seed, tr("seed")}, {capabilities.stop, tr("stop words")},
        {capabilities.samples, tr("several answers")}, {capabilities.reasoningEffort, tr("reasoning effort")},
        {capabilities.streamUsage, tr("token counts while streaming")}};
    for (const auto& [can, name] : table)
        if (can)
            takes << name;
    return takes;
}

/// Each switch as `pick` makes it of those of two tables.
template <typename Pick> Capabilities combined(const Capabilities& a, const Capabilities& b, Pick pick)
{
    Capabilities both;
    for (const auto field : {&Capabilities::temperature, &Capabilities::topP, &Capabilities::seed, &Capabilities::stop,
             &Capabilities::samples, &Capabilities::reasoningEffort, &Capabilities::streamUsage})
        both.*field = pick(a.*field, b.*field);
    return both;
}

/// What the test showed of the table, what the server refused of it, and what nobody tried.
QStringList foundWords(const ProbeReport& report, const Capabilities& before, const Capabilities& after)
{
    const auto both = [](bool a, bool b) { return a && b; };
    const auto without = [](bool a, bool b) { return a && !b; };
    Capabilities found = combined(after, report.tried, both);
    found.streamUsage = found.streamUsage && report.usageSource == UsageSource::Reported;
    const QStringList taken = capabilityNames(found), refused = capabilityNames(combined(before, after, without)),
                      assumed = capabilityNames(combined(after, report.tried, without));
    QStringList lines;
    if (!taken.isEmpty())
        lines << tr("Found: it takes %1").arg(taken.join(u", "_s));
    if (!refused.isEmpty())
        lines << tr("Found: it refuses %1").arg(refused.join(u", "_s));
    if (!assumed.isEmpty())
        lines << tr("Assumed, not tried by this test: %1").arg(assumed.join(u", "_s));
    return lines;
}

} // namespace

QString capabilityWords(const Capabilities& capabilities)
{
    const QStringList takes = capabilityNames(capabilities);
    return takes.isEmpty() ? tr("none of the optional parameters") : takes.join(u", "_s);
}

QStringList probeWords(const ProbeReport& report, const Capabilities& before, const Capabilities& after)
{
    QStringList lines;
    if (!report.works)
        lines << text(report.error.text.empty() ? "no answer came" : report.error.text);
    if (!report.works && !report.error.hint.empty())
        lines << tr("What to do: %1").arg(text(report.error.hint));
    if (report.firstByte.count() >= 0)
        lines << tr("First byte after %1, whole answer after %2")
                     .arg(text(timeText(report.firstByte)), text(timeText(report.took)));
    if (report.usageSource != UsageSource::None) {
        const QString counted
            = report.usageSource == UsageSource::Reported ? tr("as the server counts") : tr("estimated");
        lines << tr("Tokens: %1; %2 (%3)").arg(readWords(report.usage), writtenWords(report.usage), counted);
        lines << tr("Cost: %1").arg(dollars(report.usd));
    }
    if (!report.servedBy.empty())
        lines << tr("Answered by %1").arg(text(report.servedBy));
    if (report.works) {
        lines << foundWords(report, before, after);
    }
    for (const auto& [name, limit] : report.limits)
        if (limit.limit >= 0)
            lines << tr("Limit of the server: %1 %2, %3 left")
                         .arg(grouped(limit.limit), text(name),
                             limit.remaining >= 0 ? grouped(limit.remaining) : tr("unknown"));
    for (const std::string& note : report.notes)
        lines << text(note);
    return lines;
}

std::map<QString, QString> shownProblems(const std::map<std::string, std::string>& problems)
{
    std::map<QString, QString> shown;
    for (const auto& [field, reason] : problems) {
        QString words = text(reason);
        words.replace(u"with \"plain_http\": true"_s, tr("with the box below"));
        words.replace(u"\"key\": \"env:NAME\""_s, tr("a variable's name under Key"));
        words.replace(u"by name in \"key\""_s, tr("under Key"));
        shown[text(field)] = words == u"is missing"_s ? tr("must be given") : words;
    }
    return shown;
}

} // namespace tilewright::ui
