// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps one row in sight, in its list and in the area around the list, which scrolls as well: when another row is
// meant, when the list comes to be seen, and when rows or rooms change. What a user scrolled away stays away until
// another row is meant or the list is seen anew. GUI thread.
#pragma once

#include <QObject>
#include <functional>

class QListView;
class QScrollArea;

namespace tilewright::ui {

class RowInSight : public QObject
{
    Q_OBJECT

public:
    struct Place {
        QListView* list = nullptr; ///< none is meant
        int row = 0;
    };

    /// `place`: where the row that is meant stands now.
    RowInSight(QScrollArea& area, std::function<Place()> place);
    /// One that it can stand in.
    void watch(QListView& list);
    void seek(); ///< another row is meant
    void keep(); ///< rows or rooms have changed
    void leave(); ///< something else in the area is to be seen

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Around { Scrolled, Left };
    void show(Around around) const;

    QScrollArea& m_area;
    std::function<Place()> m_place;
    bool m_isLeft = false; ///< scrolled away
};

} // namespace tilewright::ui
