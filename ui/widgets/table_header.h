// SPDX-License-Identifier: GPL-3.0-or-later
// The heading of a table. Its arrow points up where the values ascend, as spreadsheets have it. GUI thread.
#pragma once

#include <QHeaderView>

namespace tilewright::ui {

class TableHeader : public QHeaderView
{
public:
    explicit TableHeader(QWidget* parent)
        : QHeaderView(Qt::Horizontal, parent)
    {
        setSectionsClickable(true);
    }

protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override
    {
        QHeaderView::initStyleOptionForIndex(option, section);
        if (option->sortIndicator == QStyleOptionHeader::None)
            return;
        if (option->textAlignment & Qt::AlignRight)
            option->text += QStringLiteral("\u2003"); // the arrow stands at the right as well
        option->sortIndicator = option->sortIndicator == QStyleOptionHeader::SortDown ? QStyleOptionHeader::SortUp
                                                                                      : QStyleOptionHeader::SortDown;
    }
};

} // namespace tilewright::ui
