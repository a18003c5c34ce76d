// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/queue_table.h"

#include "ui/theme/theme.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/table.h"

#include <QLabel>
#include <algorithm>

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
    addWidget(m_nothing);
    addWidget(table);
    connect(table, &Table::rowChosen, this, [this](const QModelIndex& index) {
        if (const CandidateId candidate{index.data(QueueModel::IdRole).toLongLong()})
            m_desk.selection.select(candidate);
    });
}

void QueueTable::refresh()
{
    const EngineStatus& status = m_desk.session.snapshot().status;
    m_model.show(m_desk.session.snapshot());
    m_nothing->setText(isRunElsewhere(status)
            ? tr("What is under way is not known here: the session is open read-only, and was running.")
            : tr("Nothing is under way, and nothing waits."));
    m_table->growColumns(widestStage);
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
    for (int i = static_cast<int>(QueueStage::WaitsForReview); i >= 0; --i) {
        const auto stage = static_cast<QueueStage>(i);
        if (const auto there = std::ranges::count(m_model.rows(), stage, &QueueRow::stage))
            stages << countedWords(there, stage);
    }
    return stages.join(u" · "_s);
}

} // namespace tilewright::ui
