// SPDX-License-Identifier: GPL-3.0-or-later
// One product of a scheme on the matrices: which entries of A and B it adds up, and into which entries of C it goes.
// GUI thread.
#pragma once

#include "ui/lab/lab_model.h"

#include <QWidget>

namespace tilewright::ui {

class ProductView : public QWidget
{
    Q_OBJECT

public:
    explicit ProductView(LabModel& lab, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void describe();

    LabModel& m_lab;
};

/// The factor matrices U, V and W, a column for each product; a click on a column, or the arrow keys, choose it.
class FactorView : public QWidget
{
    Q_OBJECT

public:
    explicit FactorView(LabModel& lab, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Grid {
        tensor::Operand operand;
        QRectF cells;
        qreal side;
    };
    std::vector<Grid> grids() const;

    LabModel& m_lab;
};

} // namespace tilewright::ui
