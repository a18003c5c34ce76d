// SPDX-License-Identifier: GPL-3.0-or-later
// What a result stands on, in words: the rules that were passed, what it was measured with, and what an audit found.
#pragma once

#include "core/model/candidate.h"

#include <QLabel>

namespace tilewright::ui {

/// One line each; empty for a record that does not tell. Pure.
QString environmentText(const EvaluationResult& result);
/// The profiler's counters, or why there are none, of what was measured again. Pure.
QString countersText(const EvaluationResult& rerun);

class EnvironmentNote : public QLabel
{
    Q_OBJECT

public:
    explicit EnvironmentNote(QWidget* parent = nullptr);
    /// Null: nothing was evaluated yet; it was never measured again.
    void show(const Evaluation* evaluation, const Evaluation* rerun);
};

} // namespace tilewright::ui
