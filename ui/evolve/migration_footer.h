// SPDX-License-Identifier: GPL-3.0-or-later
// The migration ring, or the ways in its place, below the islands and the last elite that travelled. GUI thread.
#pragma once

#include "core/engine/snapshot.h"

#include <QRectF>
#include <QWidget>
#include <vector>

namespace tilewright::ui {

class MigrationFooter : public QWidget
{
    Q_OBJECT

public:
    explicit MigrationFooter(QWidget* parent = nullptr);
    void show(SnapshotPtr snapshot);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    static constexpr std::size_t mostInARow = 8; ///< more islands stand in two rows

    /// Where the badges stand, in the order of travel.
    struct Ring {
        std::vector<QRectF> places;
    };
    Ring ringIn(const QRectF& area) const;
    void drawRing(QPainter& painter, const Ring& ring) const;
    void drawWays(QPainter& painter, const Ring& ring, const std::set<MigrationPlan::Edge>& ways) const;

    SnapshotPtr m_snapshot;
    QString m_last, m_next;
    std::vector<IslandId> m_islands; ///< that have not ended
};

} // namespace tilewright::ui
