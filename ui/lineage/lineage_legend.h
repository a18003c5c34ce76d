// SPDX-License-Identifier: GPL-3.0-or-later
// What shapes, lines and colours of the lineage mean, in as many rows as the width asks for. Where there is room for
// fewer, what does not occur goes first; what went is named in its tooltip. GUI thread.
#pragma once

#include "ui/lineage/lineage_node.h"

#include <QWidget>
#include <functional>
#include <set>

namespace tilewright::ui {

class LineageLegend : public QWidget
{
    Q_OBJECT

public:
    explicit LineageLegend(QWidget* parent = nullptr);
    /// Its scale of shades, which is left out where it has none, and what occurs in it.
    void setLineage(const Lineage& lineage);
    /// What it says for want of room in its tooltip alone.
    const QStringList& leftOut() const { return m_leftOut; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();

    std::optional<ScoreScale> m_scale;
    std::set<NodeLook> m_looks; ///< that occur
    std::set<NodeMark> m_marks;
    struct Placed {
        QString name;
        int sign;
        std::function<void(QPainter&, const QPointF&)> draw;
        QPointF at;
    };
    std::vector<Placed> m_placed;
    QStringList m_leftOut;
};

} // namespace tilewright::ui
