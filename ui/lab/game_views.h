// SPDX-License-Identifier: GPL-3.0-or-later
// The board of TensorGame: what is left of the tensor, one slice for each entry of C; and a move, whose coefficients
// are clicked. GUI thread.
#pragma once

#include "core/tensor/game.h"

#include <QWidget>

namespace tilewright::ui {

class ResidualView : public QWidget
{
    Q_OBJECT

public:
    explicit ResidualView(QWidget* parent = nullptr);
    /// The entries that the last move changed are framed.
    void show(const tensor::TensorGame& game);
    using QWidget::show;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    tensor::Format m_format;
    std::vector<std::int64_t> m_left; ///< by entry of C, of A, of B
    std::vector<bool> m_changed;
};

/// The coefficients of a move, a row of cells for each of A, B and C. A click, or Space, gives a cell the next value:
/// 0, 1 and over Z −1.
class MoveView : public QWidget
{
    Q_OBJECT

public:
    explicit MoveView(QWidget* parent = nullptr);
    void reset(const tensor::Format& format, tensor::Ring ring);
    const tensor::GameMove& move() const { return m_move; }
    void setMove(tensor::GameMove move);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    QRectF cellAt(tensor::Operand operand, int entry) const;

Q_SIGNALS:
    void edited();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    std::vector<int>& factor(tensor::Operand operand);
    void turn(tensor::Operand operand, int entry);

    tensor::Format m_format{2, 2, 2};
    tensor::Ring m_ring = tensor::Ring::Integers;
    tensor::GameMove m_move;
    tensor::Operand m_operand = tensor::Operand::A; ///< the cell that keys change
    int m_entry = 0;
};

} // namespace tilewright::ui
