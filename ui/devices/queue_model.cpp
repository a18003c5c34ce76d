// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/queue_model.h"

#include "core/model/islands/living_islands.h"
#include "core/model/measurement/dispute.h"
#include "core/model/reviews/handwritten.h"
#include "ui/devices/work_words.h"
#include "ui/models/activity_words.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/table.h"

#include <QDateTime>
#include <QLabel>
#include <QMenu>
#include <QShortcut>
#include <algorithm>
#include <array>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

QString words(QueueStage stage)
{
    switch (stage) {
    case QueueStage::SteeringRequested:
        return QueueModel::tr("requested");
    case QueueStage::Asked:
        return QueueModel::tr("proposing");
    case QueueStage::WaitsForBuild:
        return QueueModel::tr("waits for a build");
    case QueueStage::Building:
        return QueueModel::tr("building");
    case QueueStage::WaitsForDevice:
        return QueueModel::tr("waits for the device");
    case QueueStage::OnDevice:
        return QueueModel::tr("on the device");
    case QueueStage::WaitsForReview:
        break;
    }
    return QueueModel::tr("in review");
}

QString countedWords(std::int64_t count, QueueStage stage)
{
    const bool one = count == 1;
    switch (stage) {
    case QueueStage::WaitsForBuild:
        return (one ? QueueModel::tr("%1 waits for a build") : QueueModel::tr("%1 wait for a build")).arg(count);
    case QueueStage::WaitsForDevice:
        return (one ? QueueModel::tr("%1 waits for the device") : QueueModel::tr("%1 wait for the device")).arg(count);
    case QueueStage::WaitsForReview:
        return (one ? QueueModel::tr("%1 waits for review") : QueueModel::tr("%1 wait for review")).arg(count);
    case QueueStage::SteeringRequested:
    case QueueStage::Asked:
    case QueueStage::Building:
    case QueueStage::OnDevice:
        break;
    }
    return u"%1 %2"_s.arg(count).arg(words(stage));
}

namespace {

/// The noise floor is measured between candidates: it is on the device without being anybody's turn.
void addNoise(std::vector<QueueRow>& rows, const EngineStatus& status)
{
    for (const WorkSpan& span : status.work)
        if (span.work == Work::Noise)
            rows.push_back({QueueStage::OnDevice, span.candidate, nameOfCandidate(span.candidate),
                words(activityOf(span.work)), span.startedNs});
}

/// Edits that what is built in makes at this moment, and replies that are read: nobody was asked for them.
void addProposing(std::vector<QueueRow>& rows, const EngineStatus& status)
{
    const int out = static_cast<int>(status.openModelRequests.size());
    for (int i = out; i < status.proposing; ++i)
        rows.push_back({QueueStage::Asked, {}, QueueModel::tr("an edit"), QueueModel::tr("generating"), -1});
}

/// UndoEntry::seq of the command that brought it, where that can be undone; else 0.
std::int64_t undoOf(const RunState& run, CandidateId id)
{
    if (const Rerun* rerun = newestOpenRerunOf(run, id))
        return rerun->seq;
    const Candidate* candidate = run.candidate(id);
    return candidate && canBeWithdrawn(run, *candidate) ? candidate->seq : 0;
}

QString quickWords() { return QueueModel::tr("quick result"); }

/// Re-runs whose turn has not come; of one candidate one, as they are taken back together.
void addReruns(std::vector<QueueRow>& rows, const Snapshot& snapshot)
{
    const auto& jobs = snapshot.status.jobs;
    for (const Rerun& rerun : snapshot.run.reruns)
        if (rerun.isOpen() && openRerunOf(snapshot.run, rerun.candidate)->id == rerun.id
            && std::ranges::find(jobs, rerun.candidate, &PipelineJob::candidate) == jobs.end())
            rows.push_back({QueueStage::WaitsForDevice, rerun.candidate, nameOfCandidate(rerun.candidate),
                isQuickResult(snapshot.run, rerun) ? quickWords() : QueueModel::tr("re-run"), -1, {},
                undoOf(snapshot.run, rerun.candidate)});
}

/// Whom a run that rests left on their way: no pipeline has them, and the next start takes them up.
void addLeft(std::vector<QueueRow>& rows, const Snapshot& snapshot)
{
    const auto& jobs = snapshot.status.jobs;
    if (snapshot.run.phase == events::Phase::Running)
        return;
    for (const Candidate& candidate : snapshot.run.candidates)
        if (isOnItsWay(candidate) && std::ranges::find(jobs, candidate.id, &PipelineJob::candidate) == jobs.end())
            rows.push_back(
                {candidate.stage == Stage::Queued || candidate.stage == Stage::Building ? QueueStage::WaitsForBuild
                                                                                        : QueueStage::WaitsForDevice,
                    candidate.id, nameOfCandidate(candidate.id), QueueModel::tr("when the run resumes"), -1, {},
                    undoOf(snapshot.run, candidate.id)});
}

/// What is asked for next, as a user wants it.
void addSteeringRequests(std::vector<QueueRow>& rows, const RunState& run)
{
    for (const SteeringRequest& steering : run.steeringRequests)
        if (steering.isOpen())
            rows.push_back({QueueStage::SteeringRequested, steering.parent, nameOfCandidate(steering.parent),
                steering.isForJudge()        ? QueueModel::tr("a judgement")
                    : !steering.idea.empty() ? QueueModel::tr("an idea")
                                             : counted(steering.count - steering.granted,
                                                 QueueModel::tr("%1 edit of it"), QueueModel::tr("%1 edits of it")),
                -1, {}, steering.seq, 0, leftOf(steering)});
}

} // namespace

std::int64_t leftOf(const SteeringRequest& steering)
{
    return steering.isForJudge() ? 1 : std::max<std::int64_t>(1, steering.count - steering.granted);
}

bool isRunElsewhere(const EngineStatus& status)
{
    return status.readOnly && !status.opening && status.phase == events::Phase::Running;
}

std::vector<QueueRow> queueOf(const Snapshot& snapshot, const std::vector<SessionClient::EditUnderCheck>& edits)
{
    std::vector<QueueRow> rows;
    const RunState& run = snapshot.run;
    const EngineStatus& status = snapshot.status;
    const auto begun = [&status](CandidateId candidate) {
        const auto found = std::ranges::find(status.work, candidate, &WorkSpan::candidate);
        return found == status.work.end() ? -1 : found->askedNs;
    };
    for (const PipelineJob& job : status.jobs) {
        QueueRow row;
        row.candidate = job.candidate;
        row.name = nameOfCandidate(job.candidate);
        const bool builds = job.next == Work::Build;
        row.stage = job.underWay ? (builds ? QueueStage::Building : QueueStage::OnDevice)
                                 : (builds ? QueueStage::WaitsForBuild : QueueStage::WaitsForDevice);
        const Rerun* rerun = openRerunOf(run, job.candidate);
        row.what = rerun && isQuickResult(run, *rerun) ? quickWords() : words(activityOf(job.next));
        row.sinceNs = job.underWay ? begun(job.candidate) : -1;
        row.undo = undoOf(run, job.candidate);
        rows.push_back(std::move(row));
    }
    for (const SessionClient::EditUnderCheck& each : edits) {
        QueueRow row;
        row.stage = QueueStage::Building;
        row.candidate = each.candidate;
        row.name = nameOfCandidate(each.candidate);
        row.what = QueueModel::tr("checking your edit");
        row.editCheck = each.tag;
        rows.push_back(std::move(row));
    }
    addReruns(rows, snapshot);
    addLeft(rows, snapshot);
    addSteeringRequests(rows, run);
    addNoise(rows, status);
    addProposing(rows, status);
    for (const ModelRequestId id : status.openModelRequests)
        if (const ModelRequest* modelRequest = run.modelRequest(id)) {
            QueueRow row;
            row.stage = QueueStage::Asked;
            row.candidate = modelRequest->parents.empty() ? CandidateId{} : modelRequest->parents.front();
            row.name = modelRequest->model.empty() ? QueueModel::tr("manual") : text(modelRequest->model);
            row.what = asksFor(*modelRequest);
            row.sinceNs = modelRequest->askedNs;
            rows.push_back(std::move(row));
        }
    for (std::size_t i = run.reviews.size(),
                     left = static_cast<std::size_t>(std::max<std::int64_t>(run.waitingReviews, 0));
         i > 0 && left > 0; --i) {
        const Review& review = run.reviews[i - 1];
        if (!review.isWaiting() || review.undone)
            continue;
        --left;
        rows.push_back({QueueStage::WaitsForReview, review.candidate, nameOfCandidate(review.candidate),
            QueueModel::tr("your decision"), -1, review.askedAtUtc});
    }
    // The farthest first; what waits for a user may be much, and lies upon no other.
    std::ranges::stable_sort(rows, std::greater(),
        [](const QueueRow& row) { return row.stage == QueueStage::WaitsForReview ? -1 : static_cast<int>(row.stage); });
    return rows;
}

void QueueModel::show(const Snapshot& snapshot, const std::vector<SessionClient::EditUnderCheck>& edits)
{
    std::vector<QueueRow> rows = queueOf(snapshot, edits);
    const bool same = rows.size() == m_rows.size();
    const bool aged = m_nowNs != snapshot.status.runNs;
    m_nowNs = snapshot.status.runNs;
    if (rows == m_rows && !aged)
        return;
    if (!same)
        beginResetModel();
    m_rows = std::move(rows);
    if (!same)
        endResetModel();
    else if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int QueueModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int QueueModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant QueueModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const QueueRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::TextAlignmentRole)
        return QVariant((column == Column::For ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == IdRole)
        return static_cast<qlonglong>(row.candidate.value);
    if (role == Qt::FontRole && column == Column::Candidate && row.stage != QueueStage::Asked)
        return fontOf(Type::Mono);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) // a narrow table cuts its texts
        return {};
    const bool saysAll = row.stage == QueueStage::Building || row.stage == QueueStage::WaitsForReview;
    const QString stage = row.editCheck ? row.what
        : saysAll                       ? words(row.stage)
                                        : u"%1: %2"_s.arg(words(row.stage), row.what);
    switch (column) {
    case Column::Candidate:
        return row.name;
    case Column::Stage:
        return role != Qt::ToolTipRole ? stage
            : row.editCheck            ? tr("%1\nDelete cancels it; your text is kept.").arg(stage)
            : row.undo                 ? tr("%1\nDelete undoes the request.").arg(stage)
                                       : stage;
    case Column::For:
        return !row.sinceUtc.empty()            ? waitedFor(row.sinceUtc, QDateTime::currentDateTimeUtc())
            : row.sinceNs < 0                   ? u"–"_s
            : m_nowNs - row.sinceNs < 1'000'000 ? tr("just now")
                                                : shortTime(static_cast<double>(m_nowNs - row.sinceNs));
    case Column::Count:
        break;
    }
    return {};
}

QVariant QueueModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return QVariant((section == static_cast<int>(Column::For) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString names[] = {tr("Candidate"), tr("Stage"), tr("For")};
    return section >= 0 && section < static_cast<int>(Column::Count) ? names[section] : QString();
}

namespace {
constexpr double widestStage = 260; ///< "waits for the device: confirmation", and somewhat longer in other languages
} // namespace

QueueTable::QueueTable(const ViewContext& context, const QString& name, QWidget* parent)
    : QStackedWidget(parent)
    , m_context(context)
{
    m_nothing = emptyNote(name + u"Empty"_s, this);
    auto* table = m_table = new Table(this);
    table->setObjectName(name + u"Table"_s);
    table->setAccessibleName(tr("Unfinished candidates and requests, with their stages"));
    table->setModel(&m_model);
    table->setIdentity(QueueModel::IdRole);
    table->setColumns({{64}, {112, 0, true}, {48}}); // how long is never pushed out of sight by what for
    table->setItemDelegateForColumn(static_cast<int>(QueueModel::Column::Stage), new WrappingDelegate(table));
    fitRowsToWords(*table);
    // Columns that grew for large text, and became smaller with it, may be too narrow for the same words.
    connect(&Theme::instance(), &Theme::changed, this, &QueueTable::refresh, Qt::QueuedConnection);
    addWidget(m_nothing);
    addWidget(table);
    connect(table, &Table::rowChosen, this, [this](const QModelIndex& index) {
        if (const CandidateId candidate{index.data(QueueModel::IdRole).toLongLong()})
            m_context.selection.select(candidate);
    });
    auto* key = new QShortcut(QKeySequence::Delete, table);
    key->setContext(Qt::WidgetShortcut);
    connect(key, &QShortcut::activated, this, &QueueTable::takeBack);
    table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(table, &QWidget::customContextMenuRequested, this, &QueueTable::openMenu);
}

/// The row may be another one by the time it is done.
std::function<void()> QueueTable::endingOf(const QModelIndex& index)
{
    if (!index.isValid())
        return {};
    const QueueRow& row = m_model.rows()[static_cast<std::size_t>(index.row())];
    if (row.editCheck)
        return [&session = m_context.session, tag = row.editCheck] { session.cancelEditCheck(tag); };
    if (!row.undo)
        return {};
    return [this, seq = row.undo] { m_context.session.execute(commands::Undo{{seq}}); };
}

void QueueTable::takeBack()
{
    if (const auto end = endingOf(m_table->currentIndex()))
        end();
}

void QueueTable::openMenu(const QPoint& at)
{
    const QModelIndex under = m_table->indexAt(at);
    const QModelIndex index = under.isValid() ? under : m_table->currentIndex();
    const auto end = endingOf(index);
    if (!end)
        return;
    const bool isCheck = m_model.rows()[static_cast<std::size_t>(index.row())].editCheck;
    auto* menu = new QMenu(m_table);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(u"queueMenu"_s);
    QAction* back = menu->addAction(icon(isCheck ? u"x"_s : u"undo"_s, Tint::Secondary),
        isCheck ? tr("Cancel") : tr("Undo the request"), this, end);
    back->setShortcut(QKeySequence::Delete);
    back->setShortcutContext(Qt::WidgetShortcut);
    menu->popup(m_table->viewport()->mapToGlobal(under.isValid() ? at : m_table->visualRect(index).center()));
}

void QueueTable::refresh()
{
    const EngineStatus& status = m_context.session.snapshot().status;
    m_model.show(m_context.session.snapshot(), m_context.session.editChecks());
    m_nothing->setText(isRunElsewhere(status)
            ? tr("In-flight work is unknown: the session is open read-only and was running.")
            : tr("No unfinished work."));
    m_table->growColumns(widestStage);
    m_table->resizeRowsToContents();
    setCurrentIndex(count() > 0 ? 1 : 0);
}

int QueueTable::jobs() const
{
    return static_cast<int>(std::ranges::count_if(
        m_model.rows(), [](const QueueRow& row) { return row.stage != QueueStage::WaitsForReview; }));
}

QString QueueTable::summary() const
{
    QStringList stages;
    constexpr std::array asTheRowsStand{QueueStage::OnDevice, QueueStage::WaitsForDevice, QueueStage::Building,
        QueueStage::WaitsForBuild, QueueStage::Asked, QueueStage::SteeringRequested, QueueStage::WaitsForReview};
    for (const QueueStage stage : asTheRowsStand) {
        std::int64_t there = 0;
        for (const QueueRow& row : m_model.rows())
            there += row.stage == stage ? row.count : 0;
        if (there > 0)
            stages << countedWords(there, stage);
    }
    return stages.join(u" · "_s);
}

} // namespace tilewright::ui
