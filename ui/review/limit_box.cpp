// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/limit_box.h"

#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

LimitBox::LimitBox(QWidget* parent)
    : QComboBox(parent)
{
    connect(this, &QComboBox::activated, this, [this] {
        show(limit()); // what is said of it
        Q_EMIT limited(limit());
    });
}

int LimitBox::limit() const { return currentData().toInt(); }

void LimitBox::show(int perIsland)
{
    setToolTip(perIsland > 0
            ? tr("An island with so many edits that wait for you asks for no more until you decide on some. With "
                 "“Every edit”, what waits takes no more than a quarter of the evaluations that are left, but one on "
                 "each island.")
            : tr("However many wait for you, each island goes on asking for edits."));
    if (count() > 0 && limit() == perIsland)
        return;
    QList<int> offered{1, 2, 4, 8, 16, 32, 64, 0};
    if (!offered.contains(perIsland))
        offered.insert(std::ranges::find_if(offered, [perIsland](int each) { return each == 0 || each > perIsland; }),
            perIsland); // said on the command line
    clear();
    for (const int each : offered)
        addItem(each > 0 ? QString::number(each) : tr("any number"), each);
    setCurrentIndex(findData(perIsland));
}

} // namespace tilewright::ui
