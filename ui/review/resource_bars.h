// SPDX-License-Identifier: GPL-3.0-or-later
// What the build says a program needs, each as a bar with its parent as a marker, up
// to what the device has where that is known. GUI thread.
#pragma once

#include "core/model/measurement/resource_figures.h"
#include "core/model/run_state.h"

#include <QString>
#include <QWidget>
#include <optional>
#include <vector>

class QAction;
class QLabel;
class QPushButton;

namespace tilewright::ui {

struct ResourceBar {
    QString name, unit;
    double own = 0, most = 1; ///< most: the bar's end; 0: there is nothing to hold it against, and no bar
    std::optional<double> parent;
    std::optional<double> limit = {}; ///< more of it a program cannot have

    bool operator==(const ResourceBar&) const = default;
};

/// Those that the proposal's build told, in a fixed order. limits: of the device that they are measured on.
std::vector<ResourceBar> resourceBars(
    const ResourceFigures& own, const ResourceFigures& parent, const ResourceLimits& limits);

class ResourceBars : public QWidget
{
    Q_OBJECT

public:
    explicit ResourceBars(QWidget* parent = nullptr);
    void show(std::vector<ResourceBar> bars);
    /// What stands where there are no bars.
    void setNone(const QString& words);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// Rows that are too narrow for the caption and the figures side by side have a line for each.
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<ResourceBar> m_bars;
    QString m_none;
};

// A first look at what waits for a user: a short measurement beside the incumbent, on request. It is no verdict; the
// candidate's figures come from the measurement after the user's word. GUI thread.

class EffectAxis;
class ShapesTable;

/// The newest quick result of it, whatever came of it; null if there is none.
const Evaluation* quickResultOf(const RunState& run, CandidateId candidate);
/// One or two sentences about it.
QString quickWords(const Evaluation& quick);

/// The same of one whose measurement asked for no word.
QString measuredWords(const RunState& run, const Candidate& candidate);

class QuickResult : public QWidget
{
    Q_OBJECT

public:
    /// Where the device is that the session is measured on.
    enum class Device { Here, Elsewhere };

    QuickResult(QAction& look, QWidget* parent = nullptr);
    /// task: null where it is not known yet.
    void show(const RunState& run, const Candidate& candidate, const Task* task, Device device);

private:
    QLabel *m_figure, *m_words;
    EffectAxis* m_axis;
    QPushButton* m_button;
    ShapesTable* m_shapes;
};

} // namespace tilewright::ui
