// SPDX-License-Identifier: GPL-3.0-or-later
// The migration ring, or the ways in its place, below the islands and the last elite that travelled. GUI thread.
#pragma once

#include "core/base/ids.h"
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

// Whose colour is which: the islands' letters and names in one line, names only where there is room for all, nothing
// where there is none for the letters. GUI thread.

class IslandLegend : public QWidget
{
    Q_OBJECT

public:
    struct Entry {
        IslandId island;
        QString name;
        bool operator==(const Entry&) const = default;
    };

    explicit IslandLegend(QWidget* parent = nullptr);
    void show(std::vector<Entry> entries);
    QSize sizeHint() const override; ///< with all names
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int widthWith(bool names) const;
    /// Badges beside the number of those that have no room.
    std::size_t badgesThatFit() const;

    std::vector<Entry> m_entries;
};

} // namespace tilewright::ui
