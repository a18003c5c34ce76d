// SPDX-License-Identifier: GPL-3.0-or-later
// One of several exclusive choices as a card: radio mark, title, a sentence, an icon. Broken ones say why. GUI thread.
#pragma once

#include <QAbstractButton>

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

} // namespace tilewright::ui
