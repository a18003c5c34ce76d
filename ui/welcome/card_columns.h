// SPDX-License-Identifier: GPL-3.0-or-later
// Cards in as many columns as there is room for: one, two or three. Read column by column they come in the order in
// which they were added, however many columns there are. GUI thread.
#pragma once

#include <QWidget>
#include <array>
#include <vector>

class QHBoxLayout;
class QVBoxLayout;

namespace tilewright::ui {

class CardColumns : public QWidget
{
    Q_OBJECT

public:
    explicit CardColumns(QWidget* parent = nullptr);
    /// The column, from 0, in which it stands where there are two, and where there are three.
    void add(QWidget* card, int ofTwo, int ofThree);
    void arrange(int columns);
    /// Of no height: how high the cards are follows from how wide they are, and not from how narrow they may be.
    QSize minimumSizeHint() const override { return {QWidget::minimumSizeHint().width(), 0}; }

private:
    struct Placed {
        QWidget* card;
        int ofTwo, ofThree;
    };

    QHBoxLayout* m_row;
    std::array<QVBoxLayout*, 3> m_columns{};
    std::vector<Placed> m_cards;
    int m_shown = 0;
};

} // namespace tilewright::ui
