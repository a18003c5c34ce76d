// SPDX-License-Identifier: GPL-3.0-or-later
// What a program needs of its device, as small boxes: side by side, or in two rows where figures would be cut. GUI
// thread.
#pragma once

#include "core/model/resource_figures.h"

#include <QFrame>
#include <vector>

class QGridLayout;

namespace tilewright::ui {

class ResourceBoxes : public QFrame
{
    Q_OBJECT

public:
    explicit ResourceBoxes(QWidget* parent = nullptr);
    /// Hidden where nothing is known.
    void show(const ResourceFigures& figures);
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void add(const QString& name, const QString& value);
    void arrange();
    int widthOf(int columns) const;

    QGridLayout* m_grid;
    std::vector<QFrame*> m_boxes;
    ResourceFigures m_shown;
    int m_columns = 0;
};

} // namespace tilewright::ui
