// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/session_choices.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/engine/proposals/proposing.h"
#include "core/model/requests/steering_words.h"
#include "ui/models/display_text.h"
#include "ui/theme/words.h"
#include "ui/widgets/elided_label.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryFile>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

QString quoted(const QString& word) { return QString::fromStdString(shellQuoted(word.toStdString())); }

QString problemOfFile(const QString& path)
{
    if (path.trimmed().isEmpty())
        return tr("Name a file for the session.");
    const QFileInfo file(path);
    if (!file.isAbsolute())
        return tr("Enter the whole path, from / on.");
    if (file.suffix() != u"tilewright"_s)
        return tr("The name of a session file ends in .tilewright.");
    if (file.exists())
        return tr("This file exists. Open it, or choose another name.");
    const QString folder = unwritableFolderOf(path);
    return folder.isEmpty()
        ? QString()
        : tr("The folder %1 is not writable. Choose one in which you can create files, such as your home folder %2.")
              .arg(folder, QDir::homePath());
}

QString problemOfProposer(const SessionChoices& choices)
{
    if (choices.pack)
        if (const auto fits = checkFit(choices.proposer.toStdString(), *choices.pack); !fits)
            return asSentences(text(fits.error().text),
                hasBuiltInWork(*choices.pack) ? QString() : tr("Use language models, or manual replies."));
    if (choices.proposer == u"model"_s && choices.weights.empty())
        return tr("Choose at least one model.");
    if (choices.proposer == u"model"_s && !choices.unusable.isEmpty())
        return choices.unusable;
    if (choices.proposer == u"replay"_s && choices.recording.isEmpty())
        return tr("Choose the session whose replies are replayed.");
    if (choices.proposer == u"replay"_s && !QFileInfo::exists(choices.recording))
        return tr("There is no recording %1.").arg(choices.recording);
    return {};
}

} // namespace

QStringList proposersInstead(const SessionChoices& choices)
{
    if (!choices.pack || checkFit(choices.proposer.toStdString(), *choices.pack))
        return {};
    return hasBuiltInWork(*choices.pack) ? QStringList{u"mutator"_s} : QStringList{u"model"_s, u"manual"_s};
}

SessionShapes shapesOf(const SessionChoices& choices)
{
    return choices.shapes ? *choices.shapes : choices.pack ? shapesOf(choices.pack->task) : SessionShapes{};
}

QString nameOf(Section section)
{
    switch (section) {
    case Section::Task:
        return tr("Task");
    case Section::Device:
        return tr("Device");
    case Section::Shapes:
        return tr("Shapes");
    case Section::Islands:
        return tr("Islands");
    case Section::Proposer:
        return tr("Proposer");
    case Section::Review:
        return tr("Review");
    case Section::Budget:
        return tr("Budget");
    case Section::File:
        return tr("Session file");
    }
    return {};
}

QString problemOf(const SessionChoices& choices, Section section)
{
    if (const auto wrong = choices.wrongNumbers.find(section); wrong != choices.wrongNumbers.end())
        return wrong->second;
    switch (section) {
    case Section::Task:
        return choices.pack ? QString() : tr("No task pack was found: choose a folder with a task.json.");
    case Section::Device:
        return choices.device.isEmpty() ? tr("This task needs a GPU. %1").arg(choices.whyNoGpu) : QString();
    case Section::Shapes:
        if (!choices.shapes)
            return {};
        if (const auto own = checkShapes(*choices.shapes); !own)
            return asSentences(text(own.error().text), text(own.error().hint));
        return {};
    case Section::Islands:
        if (choices.migration.ways == MigrationPlan::Ways::Drawn && choices.migration.edges.empty())
            return tr("No route between these islands: draw one, or set migration to ring or off.");
        return choices.islands >= 1 && choices.islands <= mostIslands
            ? QString()
            : tr("The number of islands must be 1 to %1.").arg(mostIslands);
    case Section::Proposer:
        return problemOfProposer(choices);
    case Section::Review:
        return {};
    case Section::Budget:
        if (choices.proposer == u"model"_s && choices.limitCost && !choices.unpriced.isEmpty())
            return tr(
                "The cost cannot be limited: the price of %1 is unknown. Set it in Models, or leave the model out.")
                .arg(choices.unpriced.join(u", "_s));
        if (choices.limitEvaluations && choices.evaluations < 1)
            return tr("At least one evaluation is required.");
        if (choices.limitNoGain && choices.noGain < 1)
            return tr("At least one evaluation without improvement is required.");
        return choices.limitWallTime && choices.wallMinutes < 1 ? tr("At least one minute is required.") : QString();
    case Section::File:
        return problemOfFile(choices.path);
    }
    return {};
}

QString problemOf(const SessionChoices& choices)
{
    for (const Section section : sections)
        if (const QString problem = problemOf(choices, section); !problem.isEmpty())
            return problem;
    return {};
}

QString warningOf(const SessionChoices& choices)
{
    const Error unchecked = choices.pack ? uncheckedPack(*choices.pack) : Error{};
    if (unchecked.code.empty())
        return {};
    const QString words = asSentences(text(unchecked.text), text(unchecked.hint));
    return choices.uncheckedBecause.isEmpty()
        ? words
        : tr("%1 Result of its check: %2").arg(words, asSentence(choices.uncheckedBecause));
}

QString summaryOf(const SessionChoices& choices, Section section)
{
    if (choices.wrongNumbers.contains(section)) // the fields hold what they held before
        return section == Section::Islands ? tr("1 to %1").arg(mostIslands) : tr("an invalid number");
    switch (section) {
    case Section::Task:
        return choices.pack ? text(choices.pack->task.title) : tr("none");
    case Section::Device:
        return choices.deviceName;
    case Section::Shapes:
        return tr("%1 + %2").arg(shapesOf(choices).train.size()).arg(shapesOf(choices).heldout.size());
    case Section::Islands:
        return choices.steering.empty() && choices.strategies.empty() && choices.islandWeights.empty()
                && choices.migration == MigrationPlan{}
            ? QString::number(choices.islands)
            : tr("%1, steered").arg(choices.islands);
    case Section::Proposer:
        if (choices.proposer == u"model"_s)
            return counted(static_cast<std::int64_t>(choices.weights.size()), tr("%1 model"), tr("%1 models"));
        return choices.proposer == u"tuner"_s ? tr("tuner")
            : choices.proposer == u"manual"_s ? tr("manual")
            : choices.proposer == u"replay"_s ? tr("replay")
                                              : tr("built-in mutator");
    case Section::Review:
        if (!reviewOf(choices).common())
            return tr("by proposer");
        switch (*reviewOf(choices).common()) {
        case ReviewPolicy::Every:
            return tr("every edit");
        case ReviewPolicy::Risky:
            return tr("when risky");
        case ReviewPolicy::Automatic:
            return tr("automatic");
        }
        return {};
    case Section::Budget:
        if (choices.limitEvaluations)
            return counted(choices.evaluations, tr("%1 evaluation"), tr("%1 evaluations"));
        return choices.limitWallTime ? counted(choices.wallMinutes, tr("%1 minute"), tr("%1 minutes")) : tr("no limit");
    case Section::File:
        return QFileInfo(choices.path).completeBaseName();
    }
    return {};
}

bool isValid(const SessionChoices& choices)
{
    return std::ranges::all_of(sections, [&](Section section) { return problemOf(choices, section).isEmpty(); });
}

QString ownModelsFile(const SessionChoices& choices)
{
    const QFileInfo file(choices.path);
    return file.dir().filePath(file.completeBaseName() + u".models.json"_s);
}

bool needsOwnModels(const SessionChoices& choices)
{
    return choices.proposer == u"model"_s && (choices.weightsChanged || !choices.islandWeights.empty());
}

QString proposerWords(const SessionChoices& choices)
{
    if (choices.proposer == u"model"_s)
        return u"model:"_s + (needsOwnModels(choices) ? ownModelsFile(choices) : choices.modelsFile);
    return choices.proposer == u"replay"_s ? u"replay:"_s + QFileInfo(choices.recording).absoluteFilePath()
                                           : choices.proposer;
}

ReviewPolicies reviewOf(const SessionChoices& choices) { return choices.review.value_or(defaultReviewPolicies()); }

std::vector<std::string> strategiesOf(const SessionChoices& choices)
{
    std::vector<std::string> strategies;
    if (!choices.strategies.empty())
        strategies.assign(static_cast<std::size_t>(choices.islands), "evolve");
    for (const auto& [island, strategy] : choices.strategies)
        if (island.value <= choices.islands)
            strategies[static_cast<std::size_t>(island.value - 1)] = strategy;
    return strategies;
}

NewSession sessionOf(const SessionChoices& choices, bool startNow)
{
    NewSession session;
    session.path = choices.path;
    session.startNow = startNow;
    if (choices.pack) {
        session.pack
            = packOn(*choices.pack, shapesOf(choices)).value_or(*choices.pack); // valid, or it is not asked for
        session.settings.taskName = session.pack.task.name;
        session.settings.task = sha256(session.pack.blob());
    }
    session.settings.seed = choices.seed;
    session.settings.proposer = proposerWords(choices).toStdString();
    session.settings.tuning = choices.tunesPrograms ? usualTuning(session.settings.proposer) : 0;
    session.settings.recombinations = choices.recombinesEdits ? usualRecombinations(session.settings.proposer) : 0;
    session.settings.device = choices.device.toStdString();
    session.settings.islands = choices.islands;
    session.settings.strategies = strategiesOf(choices);
    session.steering = choices.steering;
    session.settings.migration = choices.migration;
    session.settings.reviewLimit = choices.reviewLimit;
    if (reviewOf(choices).canAsk())
        session.settings.review[IslandId{}] = reviewOf(choices);
    session.settings.budget.evaluations = choices.limitEvaluations ? choices.evaluations : 0;
    session.settings.budget.wallSeconds = choices.limitWallTime ? choices.wallMinutes * 60.0 : 0;
    session.settings.budget.noGain = choices.limitNoGain ? choices.noGain : 0;
    const bool asks = choices.proposer == u"model"_s;
    session.settings.budget.tokens = asks && choices.limitTokens ? std::llround(choices.millionTokens * 1e6) : 0;
    session.settings.budget.costMicroUsd = asks && choices.limitCost ? std::llround(choices.costUsd * 1e6) : 0;
    return session;
}

QString commandLineOf(const SessionChoices& choices)
{
    QStringList words{
        u"tilewright-cli"_s, u"evolve"_s, u"--task"_s, choices.pack ? text(choices.pack->task.name) : u"TASK"_s};
    if (choices.shapes)
        words << u"--train"_s << text(listWords(choices.shapes->train)) << u"--held-out"_s
              << text(listWords(choices.shapes->heldout));
    words << u"--session"_s << choices.path << u"--proposer"_s << proposerWords(choices);
    if (!choices.tunesPrograms && usualTuning(proposerWords(choices).toStdString()) > 0)
        words << u"--tune"_s << u"0"_s;
    if (!choices.recombinesEdits && usualRecombinations(proposerWords(choices).toStdString()) > 0)
        words << u"--recombine"_s << u"0"_s;
    words << u"--islands"_s << QString::number(choices.islands);
    for (const auto& [island, strategy] : choices.strategies)
        words << u"--strategy"_s << text(islandLetter(island) + "=" + strategy);
    for (const auto& [island, steering] : choices.steering)
        for (const std::string& step : stepsTo(steering))
            words << u"--steer"_s << text(islandLetter(island) + ":" + step);
    if (choices.migration.ways != MigrationPlan{}.ways)
        words << u"--migration"_s << text(wordOfWays(choices.migration));
    if (choices.migration.interval != MigrationPlan{}.interval)
        words << u"--migration-interval"_s << QString::number(choices.migration.interval);
    for (const std::string& policy : policyWords({{IslandId{}, reviewOf(choices)}}, 0))
        words << u"--review"_s << text(policy);
    if (choices.reviewLimit != usualReviewLimit)
        words << u"--review-limit"_s << QString::number(choices.reviewLimit);
    if (choices.limitEvaluations)
        words << u"--evaluations"_s << QString::number(choices.evaluations);
    if (choices.limitWallTime)
        words << u"--wall-time"_s << QString::number(choices.wallMinutes * 60);
    if (choices.limitNoGain)
        words << u"--no-gain"_s << QString::number(choices.noGain);
    if (choices.proposer == u"model"_s && choices.limitTokens)
        words << u"--tokens"_s << QString::number(std::llround(choices.millionTokens * 1e6));
    if (choices.proposer == u"model"_s && choices.limitCost)
        words << u"--cost-usd"_s << QString::number(choices.costUsd);
    words << u"--seed"_s << QString::number(choices.seed);
    if (!choices.device.isEmpty()) // on a machine that has none for the task, the command line names what is missing
        words << u"--device"_s << choices.device;
    std::ranges::transform(words, words.begin(), quoted);
    return words.join(u' ');
}

QString freshPath(const QString& folderPath, const std::string& taskName)
{
    const QDir folder(folderPath);
    const QString name = taskName.empty() ? u"session"_s : text(taskName);
    for (int number = 1;; ++number) {
        const QString file = folder.filePath(u"%1-%2.tilewright"_s.arg(name).arg(number));
        if (!QFileInfo::exists(file))
            return file;
    }
}

QString unwritableFolderOf(const QString& file)
{
    QFileInfo folder(QFileInfo(file).path()); // the nearest one that exists: the others are made when the session is
    while (!folder.exists() && !folder.isRoot())
        folder = QFileInfo(folder.path());
    if (!folder.isDir() || !folder.isWritable())
        return folder.filePath();
    QTemporaryFile trial(QDir(folder.filePath()).filePath(u".tilewright-XXXXXX"_s)); // goes with this object
    return trial.open() ? QString() : folder.filePath();
}

} // namespace tilewright::ui
