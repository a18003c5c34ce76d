// SPDX-License-Identifier: GPL-3.0-or-later
// One of several exclusive choices as a card: radio mark, title, a sentence, an icon. Broken ones say why. GUI thread.
#pragma once

#include <QAbstractButton>
#include <QWidget>
#include <array>
#include <vector>

class QHBoxLayout;
class QVBoxLayout;

namespace tilewright::ui {

class ChoiceCard : public QAbstractButton
{
    Q_OBJECT

public:
    ChoiceCard(const QString& title, const QString& about, const QString& icon, QWidget* parent = nullptr);
    /// Cannot be chosen, for that reason.
    void setBroken(const QString& reason);
    /// Cannot be chosen yet, for that reason; a click on it says clicked(), for whoever can mend that.
    void setUnready(const QString& reason);
    /// It can be chosen again.
    void setUsable();
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_about, m_icon, m_reason;
};

// Cards in as many columns as there is room for: one, two or three. Read column by column they come in the order in
// which they were added, however many columns there are. GUI thread.

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
