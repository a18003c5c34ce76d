// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/queue_table.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/table.h"
#include "ui/widgets/wrapping_delegate.h"

#include <QLabel>
#include <QMenu>
#include <QShortcut>
#include <algorithm>
#include <array>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr double widestStage = 260; ///< "waits for the device: confirmation", and somewhat longer in other languages
} // namespace

QueueTable::QueueTable(const Desk& desk, const QString& name, QWidget* parent)
    : QStackedWidget(parent)
    , m_desk(desk)
{
    m_nothing = emptyNote(name + u"Empty"_s, this);
    auto* table = m_table = new Table(this);
    table->setObjectName(name + u"Table"_s);
    table->setAccessibleName(tr("Who is on the way, and what each waits for"));
    table->setModel(&m_model);
    table->setIdentity(QueueModel::IdRole);
    table->setColumns({{64}, {112, 0, true}, {48}}); // how long is never pushed out of sight by what for
    table->setItemDelegateForColumn(static_cast<int>(QueueModel::Column::Stage), new WrappingDelegate(table));
    fitRowsToWords(*table);
    addWidget(m_nothing);
    addWidget(table);
    connect(table, &Table::rowChosen, this, [this](const QModelIndex& index) {
        if (const CandidateId candidate{index.data(QueueModel::IdRole).toLongLong()})
            m_desk.selection.select(candidate);
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
        return [&session = m_desk.session, tag = row.editCheck] { session.cancelEditCheck(tag); };
    if (!row.undo)
        return {};
    return [this, seq = row.undo] { m_desk.session.execute(commands::Undo{{seq}}); };
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
    QAction* back = menu->addAction(
        icon(isCheck ? u"x"_s : u"undo"_s, Tint::Secondary), isCheck ? tr("Cancel it") : tr("Take it back"), this, end);
    back->setShortcut(QKeySequence::Delete);
    back->setShortcutContext(Qt::WidgetShortcut);
    menu->popup(m_table->viewport()->mapToGlobal(under.isValid() ? at : m_table->visualRect(index).center()));
}

void QueueTable::refresh()
{
    const EngineStatus& status = m_desk.session.snapshot().status;
    m_model.show(m_desk.session.snapshot(), m_desk.session.editChecks());
    m_nothing->setText(isRunElsewhere(status)
            ? tr("What is under way is not known here: the session is open read-only, and was running.")
            : tr("Nothing is under way, and nothing waits."));
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
        QueueStage::WaitsForBuild, QueueStage::Asked, QueueStage::Wished, QueueStage::WaitsForReview};
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
