// SPDX-License-Identifier: GPL-3.0-or-later
// What an author claimed of single shapes, each beside what was measured on it: an axis with the change and the claim,
// and the distance in words. Hidden where nothing of the kind was claimed. GUI thread.
#pragma once

#include "core/model/run_state.h"

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

} // namespace tilewright::ui
