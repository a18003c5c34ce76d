// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/runs_page.h"

#include "core/model/dispute.h"
#include "core/model/pair_ladder.h"
#include "ui/models/format.h"
#include "ui/models/rerun_words.h"
#include "ui/shapes/shapes_table.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table.h"

#include <QItemSelectionModel>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr double widestRunWords = 120;
} // namespace

RunsPage::RunsPage(const Desk& desk, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_table(new Table(this))
    , m_note(new QLabel(this))
    , m_shapes(new ShapesTable(u"runShapes"_s, this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(px(6));
    column->addWidget(m_table);
    // In a low pane the figures scroll.
    auto* area = new QScrollArea(this);
    area->setObjectName(u"runFigures"_s);
    area->setProperty("role", u"plain"_s);
    area->setWidgetResizable(true);
    area->setMinimumHeight(px(24)); // more, and it would lie upon the table in the lowest pane
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* figures = new QWidget(area);
    figures->setProperty("role", u"plain"_s);
    auto* below = new QVBoxLayout(figures);
    below->setContentsMargins(px(8), 0, px(8), px(6));
    below->setSpacing(px(4));
    below->addWidget(m_note);
    below->addWidget(m_shapes);
    below->addStretch(1);
    area->setWidget(figures);
    column->addWidget(area, 1);
    m_table->setObjectName(u"runsTable"_s);
    m_table->setAccessibleName(tr("Runs"));
    m_table->setModel(&m_model);
    // number, purpose, shapes, outcome, verdict, score, agreement, samples, vendor, noise, took
    m_table->setColumns(
        {{38, 3}, {80}, {66, 1}, {76, 5}, {60, 2}, {108}, {82, 0, true}, {60, 1}, {66, 4}, {68, 6}, {62, 7}});
    m_table->setMinimumHeight(px(52));
    m_table->setMaximumHeight(px(26) * 6); // beyond five runs it scrolls
    m_table->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents); // few runs are all seen at once
    m_table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_note->setObjectName(u"runNote"_s);
    m_note->setFont(fontOf(Type::Secondary));
    m_note->setProperty("tone", u"secondary"_s);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    // Beside the table of the figures that count.
    m_shapes->findChild<Table*>()->setObjectName(u"runShapeTable"_s);
    m_shapes->setVisible(false);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] { showChosen(); });
}

void RunsPage::show(const Candidate& candidate)
{
    const Snapshot& snapshot = m_desk.session.snapshot();
    const bool isSame = m_candidate == candidate.id;
    const Evaluation* before = isSame ? m_model.at(m_table->currentIndex().row()) : nullptr;
    const EvaluationId chosen = before ? before->id : EvaluationId{};
    const int known = isSame ? m_model.rowCount() : 0;
    m_candidate = candidate.id;
    m_model.show(snapshot.run, candidate.id, snapshot.pack ? &snapshot.pack->task : nullptr);
    int wanted = 0; // a run that was added is the one to look at
    for (int row = 0; row < m_model.rowCount() && known == m_model.rowCount(); ++row)
        wanted = m_model.at(row)->id == chosen ? row : wanted;
    if (m_table->currentIndex().row() != wanted)
        m_table->selectRow(wanted);
    if (!isSame || known != m_model.rowCount())
        m_table->scrollToTop();
    m_table->growColumns(widestRunWords);
    m_table->updateGeometry();
    showChosen();
}

void RunsPage::showChosen()
{
    const Snapshot& snapshot = m_desk.session.snapshot();
    const Candidate* candidate = snapshot.run.candidate(m_candidate);
    const Evaluation* chosen = m_model.at(m_table->currentIndex().row());
    const bool isCopy = candidate && !chosen && candidate->migrated;
    m_note->setVisible((candidate && chosen) || isCopy);
    m_shapes->setVisible(candidate && chosen);
    if (isCopy)
        m_note->setText(tr("It is a copy of %1: what was measured stands there.")
                            .arg(nameOfCandidate(originOf(snapshot.run, candidate->id))));
    if (!candidate || !chosen)
        return;
    const nlohmann::json& environment = chosen->result.environment;
    const std::string device = environment.is_object() ? environment.value("device", "") : "";
    QString note = tr("No. %1: beside %2 on %3")
                       .arg(chosen->id.value)
                       .arg(nameOfCandidate(chosen->against), text(device.empty() ? chosen->device : device));
    if (const auto& score = chosen->result.score)
        note += u'\n'
            + (isBaseline(snapshot.run, *candidate)
                    ? tr("%1 samples on each shape").arg(samplesOf(chosen->result))
                    : tr("95 % interval %1 to %2, by %3 samples on each shape")
                          .arg(times(score->lo), times(score->hi), samplesOf(chosen->result)));
    if (const QString finding = m_model.findingAt(m_table->currentIndex().row()); !finding.isEmpty())
        note += u'\n' + finding;
    if (!chosen->result.rule.empty())
        note += u'\n' + tr("%1: %2").arg(text(chosen->result.rule), text(chosen->result.text));
    m_note->setText(note);
    m_shapes->show(*candidate, chosen, snapshot.pack ? &snapshot.pack->task : nullptr);
}

} // namespace tilewright::ui
