// SPDX-License-Identifier: GPL-3.0-or-later
// Cells of the candidate table that are more than text: ids, badges, states with icons. GUI thread.
#pragma once

#include "core/model/candidate.h"
#include "ui/session/selection_context.h"
#include "ui/widgets/table.h"

#include <QColor>
#include <QString>

namespace tilewright::ui {

class CandidateDelegate : public RowDelegate
{
    Q_OBJECT

public:
    CandidateDelegate(const SelectionContext& selection, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const SelectionContext& m_selection;
};

// The icon and the ink of where a candidate stands: of its row and of its card alike. GUI thread.

struct StateSign {
    QString icon;
    QColor ink;
};

StateSign stateSignOf(const Candidate& candidate);

} // namespace tilewright::ui
