// SPDX-License-Identifier: GPL-3.0-or-later
// What happened, what to do about it, and a way to put it away: one line in the row of the menus, where nothing else
// stands, so that no page moves when it comes or goes. The newest is shown; the others come up as it is put away. What
// does not fit in the line, and all that waits, opens below it when asked for. GUI thread.
#pragma once

#include "ui/widgets/message_queue.h"

#include <QFrame>
#include <QPointer>
#include <QTimer>
#include <functional>
#include <map>
#include <vector>

class QLabel;
class QPushButton;
class QToolButton;

namespace tilewright::ui {

class ElidedLabel;

class MessageBar : public QFrame
{
    Q_OBJECT

public:
    using Mood = MessageMood;

    explicit MessageBar(QWidget* parent = nullptr);
    /// Gives the number of the message.
    quint64 show(Mood mood, const QString& text, const QString& hint);
    /// The same of a state that lasts: it hides no answer to what a person just did.
    quint64 showBehind(Mood mood, const QString& text, const QString& hint);
    /// The same of what the run brought: it comes to the front once what was said before it has been there for a while,
    /// which may answer what a person just did, and offer to take it back.
    quint64 showNews(Mood mood, const QString& text, const QString& hint);
    /// Other words in place of those, wherever the message stands.
    void restate(quint64 number, const QString& text, const QString& hint);
    /// Beside that message: a button that does this and puts the message away.
    void offer(quint64 number, const QString& words, std::function<void()> does);
    void dismiss(quint64 number);
    void clear();
    bool has(quint64 number) const { return m_queue.has(number); }
    /// Of the message that is shown; empty if none is.
    QString text() const { return m_queue.front().text; }
    /// The keyboard goes to what can be done about the message; Escape there puts it away.
    void takeFocus();

Q_SIGNALS:
    void said(tilewright::ui::MessageMood mood, const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Offer {
        QString words;
        std::function<void()> does;
    };

    quint64 added(quint64 number, Mood mood, const QString& words);
    void refresh();
    void tint();
    void arrange();
    void showAll();
    void giveFocusBack();
    void takeOffer();
    void bringNews();

    MessageQueue m_queue;
    std::map<quint64, Offer> m_offers;
    QTimer m_answered{this}; ///< runs while what was said last is to be read in peace
    std::vector<quint64> m_news; ///< that came meanwhile
    QLabel* m_icon;
    ElidedLabel* m_text;
    QPushButton *m_offer, *m_all;
    QToolButton* m_close;
    QPointer<QWidget> m_before; ///< had the keyboard before the message took it
};

} // namespace tilewright::ui
