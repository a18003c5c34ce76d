// SPDX-License-Identifier: GPL-3.0-or-later
// All evaluations of a candidate, and below them what the chosen one measured on each shape. GUI thread.
#pragma once

#include "core/model/candidate.h"
#include "ui/models/evidence_model.h"
#include "ui/models/runs_model.h"
#include "ui/session/view_context.h"

#include <QLabel>
#include <QWidget>

class QLabel;

namespace tilewright::ui {

class ShapesTable;
class Table;

class RunsPage : public QWidget
{
    Q_OBJECT

public:
    explicit RunsPage(const ViewContext& context, QWidget* parent = nullptr);
    void show(const Candidate& candidate);

private:
    void showChosen();

    ViewContext m_context;
    CandidateId m_candidate;
    RunsModel m_model;
    Table* m_table;
    QLabel* m_note;
    ShapesTable* m_shapes;
};

// What a result stands on, in words: the rules that were passed, what it was measured with, and what an audit found.

/// One line each; empty for a record that does not tell. Pure.
QString environmentText(const EvaluationResult& result);
/// The profiler's counters, what bounds the program by them, or why there are none. Pure.
QString countersText(const EvaluationResult& counted);

class EnvironmentNote : public QLabel
{
    Q_OBJECT

public:
    explicit EnvironmentNote(QWidget* parent = nullptr);
    /// Null: nothing was evaluated yet; it was never measured again.
    void show(const Evaluation* evaluation, const Evaluation* counted);
};

// The evidence of the selected candidate: checks with what they measured, figures by shape, the vendor library. GUI
// thread.

class Table;

class EvidencePage : public QWidget
{
    Q_OBJECT

public:
    explicit EvidencePage(const ViewContext& context, QWidget* parent = nullptr);
    void show(const Candidate& candidate);
    void clear();

private:
    Table* table(const QString& name, const QString& accessibleName, QAbstractItemModel& model);

    ViewContext m_context;
    CheckModel m_checks;
    ShapeIntervalModel m_shapes;
    QLabel* m_summary;
    Table *m_checkTable, *m_shapeTable;
};

} // namespace tilewright::ui
