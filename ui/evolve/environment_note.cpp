// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/environment_note.h"

#include "core/model/profile_counters.h"
#include "ui/models/format.h"
#include "ui/models/rule_words.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"

#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

QString wordIn(const nlohmann::json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? text(found->get<std::string>()) : QString();
}

/// "1,918 to 1,981 MHz" over the result's samples; empty where no clock was read.
QString clocksText(const nlohmann::json& environment)
{
    const auto mhz = environment.find("mhz");
    if (mhz == environment.end() || !mhz->is_array() || mhz->size() != 2 || !mhz->at(0).is_number()
        || !mhz->at(1).is_number())
        return {};
    const auto low = std::llround(mhz->at(0).get<double>()), high = std::llround(mhz->at(1).get<double>());
    if (high <= 0)
        return {};
    return low == high ? tr("%1 MHz").arg(grouped(high)) : tr("%1 to %2 MHz").arg(grouped(low), grouped(high));
}

QString auditText(const nlohmann::json& audit)
{
    if (audit.value("cleared", false))
        return tr("Audited: checked again in fresh processes, and cleared");
    return tr("The audit did not clear it: %1 %2").arg(wordIn(audit, "rule"), wordIn(audit, "text"));
}

} // namespace

QString environmentText(const EvaluationResult& result)
{
    const nlohmann::json& environment = result.environment;
    if (!environment.is_object())
        return {};
    QStringList lines, rules, device;
    if (const auto passed = environment.find("rules_passed"); passed != environment.end() && passed->is_array()) {
        for (const nlohmann::json& rule : *passed)
            if (rule.is_string())
                rules << text(rule.get<std::string>());
        lines << (rules.isEmpty() ? tr("Passed no rule") : tr("Passed:"));
        for (const QString& words : passedWords(rules))
            lines << u"·  "_s + words;
    }
    for (const char* key : {"device", "compiler", "mode", "isolation"})
        if (const QString word = wordIn(environment, key); !word.isEmpty())
            device << word;
    if (const QString driver = wordIn(environment, "driver"); !driver.isEmpty())
        device << tr("driver %1").arg(driver);
    device << clocksText(environment);
    device.removeAll(QString());
    if (!device.isEmpty())
        lines << (result.score ? tr("Measured on %1") : tr("Examined on %1")).arg(device.join(u" · "_s));
    QStringList shortOnes;
    for (const nlohmann::json& shape : environment.value("near_event_floor", nlohmann::json::array()))
        shortOnes << text(shapeText(shape.get<Shape>()));
    if (!shortOnes.isEmpty())
        lines << tr("Short: of the time on %1 what two events are apart by themselves, %2, is more than a twentieth")
                     .arg(shortOnes.join(tr(", ")), shortTime(environment.value("event_floor_ns", 0.0)));
    if (const auto audit = environment.find("audit"); audit != environment.end() && audit->is_object())
        lines << auditText(*audit);
    if (const QString why = wordIn(environment, "vendor_missing"); !why.isEmpty())
        lines << tr("No vendor beside it: %1").arg(why);
    if (const auto missed = environment.find("not_checked"); missed != environment.end() && missed->is_array())
        for (const nlohmann::json& why : *missed)
            if (why.is_string())
                lines << tr("Not checked: %1").arg(text(why.get<std::string>()));
    return lines.join(u'\n');
}

QString countersText(const EvaluationResult& rerun)
{
    if (!rerun.environment.is_object())
        return {};
    QStringList lines;
    for (const std::string& line : profileLines(rerun.environment.value("counters", nlohmann::json::object())))
        lines << tr("Counted in %1").arg(text(line));
    for (const nlohmann::json& why : rerun.environment.value("not_checked", nlohmann::json::array()))
        if (why.is_string() && why.get<std::string>().starts_with("ncu"))
            lines << tr("No counters: %1").arg(text(why.get<std::string>()));
    return lines.join(u'\n');
}

EnvironmentNote::EnvironmentNote(QWidget* parent)
    : QLabel(parent)
{
    setObjectName(u"environmentNote"_s);
    setFont(fontOf(Type::Secondary));
    setProperty("tone", u"secondary"_s);
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
}

void EnvironmentNote::show(const Evaluation* evaluation, const Evaluation* rerun)
{
    QString words = evaluation ? environmentText(evaluation->result) : QString();
    if (const QString counters = rerun ? countersText(rerun->result) : QString(); !counters.isEmpty())
        words += u'\n' + counters;
    setText(words);
    setVisible(!words.isEmpty());
}

} // namespace tilewright::ui
