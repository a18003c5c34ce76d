// SPDX-License-Identifier: GPL-3.0-or-later
// The choices of a new session and what is wrong with them. Pure but for looking at the file system.
#pragma once

#include "core/engine/engine.h"
#include "core/llm/models_file.h"
#include "core/model/measurement/session_shapes.h"

#include <QString>
#include <QStringList>
#include <array>
#include <map>
#include <memory>
#include <optional>

namespace tilewright::ui {

enum class Section { Task, Device, Shapes, Islands, Proposer, Review, Budget, File };
inline constexpr std::array sections{Section::Task, Section::Device, Section::Shapes, Section::Islands,
    Section::Proposer, Section::Review, Section::Budget, Section::File};

struct SessionChoices {
    std::shared_ptr<const TaskPack> pack; ///< null: none was found
    QString uncheckedBecause; ///< what became of its check; empty where it passed, or that is not known
    std::optional<SessionShapes> shapes; ///< none: as the task has them
    QString device = QStringLiteral("cpu"); ///< empty: none that runs the task
    QString deviceName = QStringLiteral("CPU");
    std::string deviceKind; ///< its name as sessions record it: "NVIDIA H200"; empty: unknown
    int devices = 1; ///< that measure side by side
    QString whyNoGpu; ///< empty when there is one
    int islands = 4;
    std::map<IslandId, std::string> strategies; ///< of islands that do not evolve
    std::map<IslandId, IslandSteering> steering; ///< of islands that are not left to the strategy
    std::map<IslandId, std::map<std::string, double>> islandWeights; ///< of models, for islands with a mix of their own
    std::map<IslandId, std::map<std::string, double>> usualMixes; ///< of islands that the user's models file names
    MigrationPlan migration;
    std::optional<ReviewPolicies> review; ///< none: reviewOf()
    int reviewLimit = usualReviewLimit; ///< that may wait so on an island; 0: any number
    QString proposer = QStringLiteral("mutator"); ///< mutator, tuner, model, manual, replay
    std::map<std::string, double> weights; ///< of the models that are asked, for `model`
    bool weightsChanged = false; ///< others than the models file says
    std::vector<ModelSpec> asked; ///< those models
    QStringList unpriced; ///< those of them whose price is unknown
    QString unusable; ///< why one of them cannot be asked, with what to do; empty if all can
    QString modelsFile; ///< the user's own
    QString recording; ///< session or folder, for `replay`
    bool tunesPrograms = true; ///< before they are judged, where usualTuning() says so
    bool recombinesEdits = true; ///< where usualRecombinations() says so
    bool limitEvaluations = true, limitWallTime = false, limitTokens = false, limitCost = false, limitNoGain = false;
    int evaluations = 300;
    int wallMinutes = 60;
    int noGain = 150; ///< evaluations
    double millionTokens = 5, costUsd = 5;
    quint64 seed = 1;
    std::map<Section, QString> wrongNumbers; ///< fields in which no number stands: why, the first of a section
    QString path;
};

/// Those that the session has: its own, or those of its task.
SessionShapes shapesOf(const SessionChoices& choices);
/// Empty when the section is fine, else one sentence for a user.
QString problemOf(const SessionChoices& choices, Section section);
/// Of the first section that has one.
QString problemOf(const SessionChoices& choices);
/// What a user should know before they start, though they may; empty: nothing.
QString warningOf(const SessionChoices& choices);
QString nameOf(Section section);
/// What the section list shows at the right: "GEMM fp32, CPU", "4", "300 evaluations".
QString summaryOf(const SessionChoices& choices, Section section);
bool isValid(const SessionChoices& choices);
/// Who could offer edits for the task, where the one who is chosen has nothing to do with it; empty where they have.
QStringList proposersInstead(const SessionChoices& choices);

/// As the run's settings have them; empty where all islands evolve.
std::vector<std::string> strategiesOf(const SessionChoices& choices);
/// Which candidates wait for a review: as chosen; else defaultReviewPolicies().
ReviewPolicies reviewOf(const SessionChoices& choices);
/// As the run's settings name it: "model:FILE", "replay:FILE", "manual". Weights that differ from those of the user's
/// models file stand in a file beside the session: ownModelsFile().
bool needsOwnModels(const SessionChoices& choices);
QString proposerWords(const SessionChoices& choices);
QString ownModelsFile(const SessionChoices& choices);
NewSession sessionOf(const SessionChoices& choices, bool startNow);
/// The same session for a terminal.
QString commandLineOf(const SessionChoices& choices);
/// A file in the data folder that does not exist yet.
QString freshPath(const QString& folder, const std::string& taskName);

// Whether a file can be made at a place, found out by making one: what the rights say is not the whole truth (a folder
// of /proc looks writable to root, a file system may be full or read-only). Any thread.

/// The nearest folder above that file which exists, where neither a file nor a folder can be made; empty if one can.
/// Nothing is left behind.
QString unwritableFolderOf(const QString& file);

} // namespace tilewright::ui
