// SPDX-License-Identifier: GPL-3.0-or-later
// A non-modal line above the screens: what happened, what to do, and a way to put it away. GUI thread.
#pragma once

#include <QFrame>

class QLabel;

namespace tilewright::ui {

class MessageBar : public QFrame
{
    Q_OBJECT

public:
    enum class Mood { Info, Warning, Error };

    explicit MessageBar(QWidget* parent = nullptr);
    void show(Mood mood, const QString& text, const QString& hint);
    void dismiss();
    QString text() const;

Q_SIGNALS:
    void said(tilewright::ui::MessageBar::Mood mood, const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void tint();

    QLabel* m_icon;
    QLabel* m_text;
    Mood m_mood = Mood::Info;
};

} // namespace tilewright::ui
