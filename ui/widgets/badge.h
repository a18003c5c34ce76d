// SPDX-License-Identifier: GPL-3.0-or-later
// An island's letter on its colour. GUI thread.
#pragma once

#include "core/base/ids.h"

#include <QIcon>
#include <QWidget>

namespace tilewright::ui {

class Badge : public QWidget
{
    Q_OBJECT

public:
    explicit Badge(QWidget* parent = nullptr);
    void setIsland(IslandId island);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    IslandId m_island;
};

/// The same for lists and trees: sharp at any size.
QIcon badgeIcon(IslandId island);

} // namespace tilewright::ui
