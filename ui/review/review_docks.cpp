// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/review_docks.h"

#include "ui/docks/workspace.h"
#include "ui/review/check_list.h"
#include "ui/review/review_list.h"
#include "ui/review/review_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/pane.h"

#include <QDockWidget>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

void placeReviewDocks(Workspace& docks, ReviewList& queue, ReviewFacts& facts, QWidget& centre, QWidget& page)
{
    constexpr double leastColumn = 240;
    docks.setCentralWidget(&centre);
    QDockWidget* left = docks.addDock(u"reviewQueueDock"_s, ReviewPage::tr("Queue"), queue.title(), &queue);
    QDockWidget* right = docks.addDock(u"reviewFactsDock"_s, ReviewPage::tr("Checks"), facts.title(), &facts);
    // Where the text is large, or its words are long, not even one column has room beside the diff.
    const auto isBelow = [&docks, &centre, &page] {
        return docks.isSlim() && page.width() < centre.minimumSizeHint().width() + px(leastColumn + 10);
    };
    docks.setVariants([&docks, isBelow] {
        return (docks.isNarrow() ? u"-narrow"_s : QString()) + (isBelow() ? u"-below"_s : QString());
    });
    docks.setArrangement([&docks, left, right, isBelow] {
        docks.addDockWidget(Qt::LeftDockWidgetArea, left);
        docks.addDockWidget(Qt::RightDockWidgetArea, right);
        if (docks.isSlim()) {
            if (isBelow())
                docks.addDockWidget(Qt::BottomDockWidgetArea, right);
            docks.tabifyDockWidget(right, left);
            if (isBelow()) // the diff has what they can do without
                docks.resizeDocks({right}, {px(110)}, Qt::Vertical);
        }
        docks.resizeDocks({left}, {px(docks.isNarrow() ? leastColumn : 285)}, Qt::Horizontal);
        docks.resizeDocks({right}, {px(docks.isNarrow() ? leastColumn : 290)}, Qt::Horizontal);
    });
    docks.resetLayout();
}

} // namespace tilewright::ui
