// SPDX-License-Identifier: GPL-3.0-or-later
// A non-modal line above the screens: what happened, what to do, and a way to put it away. GUI thread.
#pragma once

#include <QFrame>
#include <functional>

class QLabel;
class QPushButton;

namespace tilewright::ui {

class MessageBar : public QFrame
{
    Q_OBJECT

public:
    enum class Mood { Info, Warning, Error };

    explicit MessageBar(QWidget* parent = nullptr);
    void show(Mood mood, const QString& text, const QString& hint);
    /// Beside what is shown now: a button that does this and puts the message away.
    void offer(const QString& words, std::function<void()> does);
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
    QPushButton* m_offer;
    std::function<void()> m_does;
    Mood m_mood = Mood::Info;
};

} // namespace tilewright::ui
