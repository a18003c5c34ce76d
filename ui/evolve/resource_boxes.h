// SPDX-License-Identifier: GPL-3.0-or-later
// What a program needs of its device, as small boxes side by side. GUI thread.
#pragma once

#include "core/model/resource_figures.h"

#include <QFrame>

class QHBoxLayout;

namespace tilewright::ui {

class ResourceBoxes : public QFrame
{
    Q_OBJECT

public:
    explicit ResourceBoxes(QWidget* parent = nullptr);
    /// Hidden where nothing is known.
    void show(const ResourceFigures& figures);

private:
    QHBoxLayout* m_row;
    ResourceFigures m_shown;
};

} // namespace tilewright::ui
