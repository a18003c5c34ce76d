// SPDX-License-Identifier: GPL-3.0-or-later
// Parallel coordinates: an upright axis for each constant and one for the score, and a line through them for each
// candidate. A drag along an axis keeps the lines that pass there in view, the others fade. GUI thread.
#pragma once

#include "core/base/ids.h"

#include <QString>
#include <QWidget>
#include <map>
#include <optional>
#include <vector>

namespace tilewright::ui {

struct ParallelLine {
    CandidateId candidate;
    std::vector<std::optional<double>> values; ///< one for each axis; none: the candidate does not have it
    double score = 0;
    QString words; ///< all of it, for the tooltip and to be read aloud

    bool operator==(const ParallelLine&) const = default;
};

class ParallelView : public QWidget
{
    Q_OBJECT

public:
    explicit ParallelView(QWidget* parent = nullptr);
    /// The score's axis comes last of itself. Lines in any order; the best ones are painted last.
    void show(std::vector<QString> axes, std::vector<ParallelLine> lines, const QString& nothing);
    using QWidget::show;
    const std::vector<ParallelLine>& lines() const { return m_lines; }
    /// Keeps those between two places of an axis (from 0, the score's last), from 0 at the bottom to 1.
    void keep(int axis, double low, double high);
    void keepAll();
    bool isKept(const ParallelLine& line) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void chosen(tilewright::CandidateId candidate);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int axisCount() const { return static_cast<int>(m_axes.size()) + 1; }
    QRectF area() const;
    double xOf(int axis) const;
    double yOf(double share) const;
    /// Where the line meets the axis, from 0 to 1; none: it does not.
    std::optional<double> shareAt(const ParallelLine& line, int axis) const;
    int axisNear(double x) const; ///< −1: none
    int lineNear(const QPointF& place) const; ///< −1: none
    void mark(int line);

    std::vector<QString> m_axes;
    std::vector<std::vector<double>> m_values; ///< that stand on each axis, rising, at even distances
    std::vector<ParallelLine> m_lines; ///< by score, rising
    double m_lowest = 0, m_highest = 0; ///< scores
    QString m_nothing;
    std::map<int, std::pair<double, double>> m_kept; ///< by axis
    int m_marked = -1;
    int m_dragged = -1; ///< axis
    double m_dragFrom = 0;
};

} // namespace tilewright::ui
