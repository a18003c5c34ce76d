// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/random_commands.h"

#include "core/base/ids.h"
#include "core/base/random.h"
#include "core/control/command_form.h"
#include "core/control/control_commands.h"

#include <algorithm>
#include <optional>

namespace tilewright::testing {
namespace {

using namespace Qt::StringLiterals;

bool isNeeded(std::string_view command, std::string_view option)
{
    if (option == "--source") // else a decision, and a template as it stands
        return command != "approve" && command != "send";
    if (option == "--reason")
        return command == "reject";
    return option == "--text" || option == "--tag" || option == "--weight"
        || (option == "--island" && (command == "copy" || command == "move"));
}

QString candidate(const Nameable& nameable, CounterRandom& random)
{
    if (!nameable.waiting.isEmpty() && random.below(3) == 0)
        return nameable
            .waiting[static_cast<qsizetype>(random.below(static_cast<std::uint64_t>(nameable.waiting.size())))];
    // Now and then one that is not there yet.
    const auto most = static_cast<std::uint64_t>(nameable.candidates) + 2;
    const std::uint64_t recent = std::min<std::uint64_t>(most, 30);
    const std::uint64_t number = random.below(2) == 0 ? most - random.below(recent) : 1 + random.below(most);
    return QString::fromStdString(candidateName(CandidateId{static_cast<std::int64_t>(number)}));
}

QString island(const Nameable& nameable, CounterRandom& random)
{
    const auto islands = static_cast<std::uint64_t>(nameable.islands);
    return QString::fromStdString(islandLetter(IslandId{static_cast<std::int64_t>(1 + random.below(islands))}));
}

QString oneOf(const QStringList& words, CounterRandom& random)
{
    return words[static_cast<qsizetype>(random.below(static_cast<std::uint64_t>(words.size())))];
}

QStringList islandWords(const Nameable& nameable, CounterRandom& random)
{
    const QString what
        = oneOf({u"pause"_s, u"resume"_s, u"resume"_s, u"clone"_s, u"merge"_s, u"merge"_s, u"add"_s, u"reset"_s,
                    u"undo"_s, u"undo"_s, u"focus"_s, u"mix"_s, u"selection"_s, u"temperature"_s, u"repairs"_s},
            random);
    if (what == u"undo")
        return {what};
    if (what == u"add")
        return {what, oneOf({u"tune"_s, u"explore"_s, u"exploit"_s, u"crossover"_s}, random)};
    if (what == u"reset" && random.below(3) == 0)
        return {what, u"weakest"_s};
    QStringList words{what, island(nameable, random)};
    if (what == u"merge")
        words << island(nameable, random);
    else if (what == u"focus")
        words << oneOf({u"tune"_s, u"explore"_s, u"exploit"_s, u"crossover"_s, u"strategy"_s}, random);
    else if (what == u"mix")
        words << oneOf(
            {u"explore=2,exploit=1"_s, u"tune=1,explore=1"_s, u"strategy"_s, u"mutator=1,tuner=1"_s, u"session"_s},
            random);
    else if (what == u"selection")
        words << QString::number(0.25 + 0.25 * static_cast<double>(random.below(8)));
    else if (what == u"temperature")
        words << oneOf({u"none"_s, u"0.5"_s, u"1"_s}, random);
    else if (what == u"repairs")
        words << QString::number(random.below(4));
    else if (what == u"reset" && random.below(2) == 0)
        words << u"best"_s;
    return words;
}

/// None where the placeholder is not known.
std::optional<QStringList> words(
    const QString& placeholder, bool isTemplate, const Nameable& nameable, CounterRandom& random)
{
    if (placeholder == u"CANDIDATE..." || placeholder == u"COPY...") {
        QStringList names;
        for (std::uint64_t i = 0; i <= random.below(3); ++i)
            names << candidate(nameable, random);
        return names;
    }
    if (placeholder == u"CANDIDATE" || placeholder == u"PARENT")
        return QStringList{candidate(nameable, random)};
    if (placeholder == u"TEXT")
        return QStringList{oneOf({u"the rows are short"_s, u"keep the sums in registers"_s, QString()}, random)};
    if (placeholder == u"TEMPLATE" || (placeholder == u"NAME" && isTemplate))
        return QStringList{oneOf(nameable.templates, random)};
    if (placeholder == u"MODEL")
        return QStringList{oneOf(nameable.models, random)};
    if (placeholder == u"PROPOSER")
        return QStringList{oneOf(nameable.proposers, random)};
    if (placeholder == u"POLICY")
        return QStringList{oneOf({u"automatic"_s, u"automatic"_s, u"risky"_s, u"every"_s, u"by-proposer"_s}, random)};
    if (placeholder == u"N")
        return QStringList{QString::number(random.below(12))};
    if (placeholder == u"WHAT")
        return islandWords(nameable, random);
    if (placeholder == u"B" || placeholder == u"WORD")
        return QStringList(); // of island: they came with WHAT
    if (placeholder == u"WAYS")
        return QStringList{oneOf({u"ring"_s, u"off"_s, u"A>B,B>A"_s}, random)};
    return std::nullopt;
}

/// None where the option is not known.
std::optional<QStringList> value(
    const QString& option, std::string_view command, const Nameable& nameable, CounterRandom& random)
{
    const auto with = [&option](const QString& word) { return QStringList{option, word}; };
    if (option == u"--cancel" || option == u"--from-now-on")
        return QStringList{option};
    if (option == u"--island")
        return with(island(nameable, random));
    if (option == u"--source")
        return with(command == "template" || command == "send" ? nameable.templateText : nameable.program);
    if (option == u"--text" || option == u"--reason")
        return with(oneOf({u"try larger tiles"_s, u"größer"_s}, random));
    if (option == u"--tag")
        return with(oneOf({u"good"_s, u"odd"_s}, random));
    if (option == u"--weight")
        return with(oneOf({u"0.5"_s, u"2"_s, u"1"_s}, random));
    if (option == u"--count" || option == u"--repeats" || option == u"--interval")
        return with(QString::number(1 + random.below(4)));
    if (option == u"--against")
        return with(candidate(nameable, random));
    if (option == u"--shapes")
        return with(oneOf({u"all"_s, u"train"_s, u"64x64x64"_s}, random));
    if (option == u"--device")
        return with(u"cpu"_s);
    if (option == u"--proposer")
        return with(oneOf({u"mutator"_s, u"model"_s, u"tuner"_s}, random));
    if (option == u"--models")
        return QStringList(); // the proposers that are drawn name their file
    if (option == u"--event")
        return with(QString::number(1 + random.below(static_cast<std::uint64_t>(nameable.event))));
    // Budgets that a long run does not use up.
    if (option == u"--wall-time")
        return with(QString::number(900'000 + random.below(1000)));
    if (option == u"--evaluations")
        return with(u"+"_s + QString::number(1'000'000 + random.below(1000)));
    static const QStringList large{u"--no-gain"_s, u"--tokens"_s, u"--cost-usd"_s, u"--replies"_s};
    if (large.contains(option))
        return with(QString::number(90'000'000 + random.below(1000)));
    return std::nullopt;
}

} // namespace

QStringList RandomCommands::next(const Nameable& nameable, const std::set<std::string>& without)
{
    CounterRandom random(m_seed, 5, ++m_number);
    const ControlCommand* command = nullptr;
    do
        command = &controlCommands()[random.below(controlCommands().size())];
    while (without.contains(command->name));
    QStringList call{QString::fromLatin1(command->name)};
    const bool onTemplates = std::string_view(command->name).starts_with("template");
    const QStringList placeholders = QString::fromLatin1(command->arguments).split(u' ', Qt::SkipEmptyParts);
    for (const QString& placeholder : placeholders) {
        if (placeholder.startsWith(u'[') && random.below(2) == 0)
            break;
        const QString bare = QString(placeholder).remove(u'[').remove(u']');
        const auto drawn = words(bare, placeholders.size() == 1 && onTemplates, nameable, random);
        if (drawn)
            call += *drawn;
        else
            m_missing << bare;
    }
    for (const std::string& option : optionsOf(*command))
        if (isNeeded(command->name, option) || random.below(3) == 0) {
            const auto drawn = value(QString::fromStdString(option), command->name, nameable, random);
            if (drawn)
                call += *drawn;
            else
                m_missing << QString::fromStdString(option);
        }
    return call;
}

} // namespace tilewright::testing
