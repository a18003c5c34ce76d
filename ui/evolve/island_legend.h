// SPDX-License-Identifier: GPL-3.0-or-later
// Whose colour is which: the islands' letters and names in one line, names only where there is room for all, nothing
// where there is none for the letters. GUI thread.
#pragma once

#include "core/base/ids.h"

#include <QWidget>
#include <vector>

namespace tilewright::ui {

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
