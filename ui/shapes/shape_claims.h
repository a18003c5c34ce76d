// SPDX-License-Identifier: GPL-3.0-or-later
// What an author claimed of single shapes, each beside what was measured on it: an axis with the change and the claim,
// and the distance in words. Hidden where nothing of the kind was claimed. GUI thread.
#pragma once

#include "core/model/run_state.h"
#include "ui/models/figures.h"

#include <QWidget>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace tilewright::ui {

class EffectAxis;
class ElidedLabel;

class ShapeClaims : public QWidget
{
    Q_OBJECT

public:
    explicit ShapeClaims(QWidget* parent = nullptr);
    void show(const RunState& run, const Candidate& candidate);

private:
    static QString unmeasured(const RunState& run, const Candidate& candidate, const Shape& shape);
    struct Row {
        QWidget* box;
        QLabel *shape, *change;
        EffectAxis* axis;
        ElidedLabel* words;
    };
    Row addRow();

    QVBoxLayout* m_column;
    std::vector<Row> m_rows; ///< as many as were ever needed
};

// A change of speed with its interval, on an axis that shows the noise band around "no change", and as a diamond what
// was claimed of it. GUI thread.

/// "predicted +8 %, 2.5 points more than measured"; `change` none: not measured yet.
QString claimWords(double claimed, const std::optional<ParentChange>& change);

class EffectAxis : public QWidget
{
    Q_OBJECT

public:
    explicit EffectAxis(QWidget* parent = nullptr);
    void show(const std::optional<ParentChange>& change, std::optional<double> claimed);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<ParentChange> m_change;
    std::optional<double> m_claimed; ///< ratio
};

} // namespace tilewright::ui
