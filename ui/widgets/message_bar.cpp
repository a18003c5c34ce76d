// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_bar.h"

#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QAccessibleWidget>
#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>
#include <chrono>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr std::chrono::seconds readInPeace{8};

/// So that screen readers read it out when it comes into sight.
class MessageAlert : public QAccessibleWidget
{
public:
    explicit MessageAlert(QWidget* bar)
        : QAccessibleWidget(bar, QAccessible::AlertMessage)
    {
    }
};

QAccessibleInterface* alertFor(const QString&, QObject* object)
{
    auto* bar = qobject_cast<MessageBar*>(object);
    return bar ? new MessageAlert(bar) : nullptr;
}

QString whole(const QString& text, const QString& hint)
{
    const QString sentence = asSentence(text);
    return hint.isEmpty() ? sentence : sentence + u" — "_s + hint;
}

QColor inkOf(MessageMood mood)
{
    const Tokens& t = tokens();
    return mood == MessageMood::Error ? t.bad : mood == MessageMood::Warning ? t.warning : t.accent;
}

QPixmap signOf(MessageMood mood, double ratio)
{
    return iconPixmap(mood == MessageMood::Info ? u"info"_s : u"warn"_s, inkOf(mood), px(16), ratio);
}

QString wordsOf(MessageMood mood)
{
    return mood == MessageMood::Info ? MessageBar::tr("Information") : MessageBar::tr("Warning");
}

bool isOfTheRun(MessageKind kind)
{
    return kind == MessageKind::News || kind == MessageKind::Best || kind == MessageKind::Waiting;
}

/// Every message that waits, in full.
class AllMessages : public QFrame
{
public:
    AllMessages(const MessageQueue& queue, int width, QWidget* parent)
        : QFrame(parent, Qt::Popup)
    {
        setAttribute(Qt::WA_DeleteOnClose);
        setObjectName(u"allMessages"_s);
        setProperty("role", u"popup"_s);
        setAccessibleName(MessageBar::tr("Messages, newest first"));
        auto* rows = new QGridLayout(this);
        rows->setContentsMargins(px(12), px(10), px(12), px(10));
        rows->setSpacing(px(8));
        rows->setColumnStretch(1, 1);
        for (const Message& each : queue.all()) {
            const int row = rows->rowCount();
            auto* sign = new QLabel(this);
            sign->setPixmap(signOf(each.mood, devicePixelRatioF()));
            sign->setAccessibleName(wordsOf(each.mood));
            auto* words = new QLabel(each.text, this);
            words->setTextFormat(Qt::PlainText);
            words->setWordWrap(true);
            words->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
            rows->addWidget(sign, row, 0, Qt::AlignTop);
            rows->addWidget(words, row, 1, Qt::AlignTop);
        }
        rows->setRowStretch(rows->rowCount(), 1);
        setFixedWidth(width);
        adjustSize();
    }

protected:
    void keyPressEvent(QKeyEvent* event) override
    {
        if (event->key() == Qt::Key_Escape)
            close();
        else
            QFrame::keyPressEvent(event);
    }
};

} // namespace

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent)
    , m_icon(new QLabel(this))
    , m_text(new ElidedLabel({}, this))
    , m_offer(new QPushButton(tr("Undo"), this))
    , m_all(new QPushButton(tr("Details"), this))
    , m_close(new QToolButton(this))
{
    static const bool isKnown = (QAccessible::installFactory(alertFor), true);
    Q_UNUSED(isKnown)
    setObjectName(u"messageBar"_s);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(px(10), 0, px(4), 0);
    row->setSpacing(px(8));
    m_close->setObjectName(u"messageDismiss"_s);
    m_close->setIcon(icon(u"x"_s, Tint::Secondary));
    m_close->setAccessibleName(tr("Dismiss the message"));
    m_close->setToolTip(tr("Dismiss"));
    connect(m_close, &QToolButton::clicked, this, [this] { clearProposer(m_queue.front().number); });
    m_offer->setObjectName(u"messageOffer"_s);
    m_all->setObjectName(u"messageAll"_s);
    for (QPushButton* button : {m_offer, m_all}) {
        button->setProperty("kind", u"small"_s);
        QSizePolicy keeps = button->sizePolicy(); // its place, also while another message has no use for it
        keeps.setRetainSizeWhenHidden(button == m_all);
        button->setSizePolicy(keeps);
    }
    for (QAbstractButton* button : std::initializer_list<QAbstractButton*>{m_offer, m_all, m_close}) {
        button->setFocusPolicy(Qt::TabFocus); // a click leaves the keyboard where it is
        button->installEventFilter(this);
    }
    connect(m_offer, &QPushButton::clicked, this, &MessageBar::takeOffer);
    connect(m_all, &QPushButton::clicked, this, &MessageBar::showAll);
    row->addWidget(m_icon, 0, Qt::AlignVCenter);
    row->addWidget(m_text, 1);
    row->addWidget(m_offer, 0, Qt::AlignVCenter);
    row->addWidget(m_all, 0, Qt::AlignVCenter);
    row->addWidget(m_close, 0, Qt::AlignVCenter);
    m_answered.setObjectName(u"messageAnswered"_s);
    m_answered.setSingleShot(true);
    m_answered.setInterval(readInPeace);
    connect(&m_answered, &QTimer::timeout, this, &MessageBar::bringNews);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        fixPlaces(); // the text may be larger
        tint();
    });
    fixPlaces();
    setVisible(false);
}

/// So that what one message offers, all of them and putting one away never stand where another of the three did.
void MessageBar::fixPlaces()
{
    m_all->setMinimumWidth(0);
    const QString shown = m_all->text();
    int widest = 0;
    for (const QString& words : {tr("Details"), tr("%1 messages").arg(MessageQueue::most)}) {
        m_all->setText(words);
        widest = std::max(widest, m_all->sizeHint().width());
    }
    m_all->setText(shown);
    m_all->setFixedWidth(widest);
}

quint64 MessageBar::show(Mood mood, const QString& text, const QString& hint, Kind kind)
{
    const QString words = whole(text, hint);
    const bool isNews = isOfTheRun(kind);
    const quint64 number = isNews ? m_queue.addBehind(mood, words, kind) : m_queue.add(mood, words, kind);
    std::erase_if(m_beside, [&](const auto& each) { return !m_queue.has(each.first); });
    m_beside[number] = {++m_turns, QTime::currentTime()};
    if (isNews)
        m_news.push_back(number);
    else
        m_answered.start();
    if (isNews && !m_answered.isActive())
        bringNews();
    refresh();
    // Also where another one stood here before: nothing came into sight then, but something is said.
    QAccessibleEvent event(this, QAccessible::ObjectShow);
    QAccessible::updateAccessibility(&event);
    Q_EMIT said(mood, words);
    return number;
}

/// A click or a key that is on its way is meant for what is shown.
bool MessageBar::isReachedFor() const
{
    const QWidget* focused = QApplication::focusWidget();
    return isVisible() && (underMouse() || (focused && isAncestorOf(focused)));
}

void MessageBar::bringNews()
{
    if (isReachedFor())
        return m_answered.start(readInPeace); // once more as long
    for (const quint64 each : std::exchange(m_news, {}))
        m_queue.raise(each);
    refresh();
}

void MessageBar::restate(quint64 number, const QString& text, const QString& hint)
{
    m_queue.restate(number, whole(text, hint));
    refresh();
}

void MessageBar::offer(quint64 number, const QString& words, std::function<void()> does)
{
    if (const auto message = m_beside.find(number); message != m_beside.end()) {
        message->second.offered = words;
        message->second.does = std::move(does);
    }
    refresh();
}

void MessageBar::takeOffer()
{
    const quint64 number = m_queue.front().number;
    const std::function<void()> does = m_beside[number].does; // it may say something of its own
    clearProposer(number);
    if (does)
        does();
}

void MessageBar::clearProposer(quint64 number)
{
    m_queue.remove(number);
    m_beside.erase(number);
    refresh();
}

void MessageBar::clear()
{
    m_queue.clear();
    m_beside.clear();
    refresh();
}

void MessageBar::refresh()
{
    const Message front = m_queue.front();
    if (front.number == 0) {
        m_answered.stop();
        m_news.clear();
        giveFocusBack();
        setVisible(false);
        return;
    }
    const Beside& beside = m_beside[front.number];
    const bool isOlder = beside.turn < m_newestShown;
    m_newestShown = std::max(m_newestShown, beside.turn);
    m_text->setText(isOlder ? tr("At %1: %2").arg(beside.said.toString(u"HH:mm"_s), front.text) : front.text);
    setAccessibleName(m_text->text());
    const bool isOffered = beside.does != nullptr;
    if (!isOffered && m_offer->hasFocus())
        m_close->setFocus(); // stays in the line
    if (isOffered)
        m_offer->setText(beside.offered);
    m_offer->setVisible(isOffered);
    tint();
    arrange();
    setVisible(true);
}

/// Whether the line says all there is to say.
void MessageBar::arrange()
{
    const auto waiting = m_queue.all().size();
    const QString words = waiting > 1 ? tr("%1 messages").arg(waiting) : tr("Details");
    if (m_all->text() != words)
        m_all->setText(words);
    m_all->setAccessibleName(waiting > 1 ? tr("Show the %1 messages").arg(waiting) : tr("Show the whole message"));
    const int beside = layout()->minimumSize().width() - m_text->minimumSizeHint().width();
    const bool fits = m_text->fontMetrics().horizontalAdvance(m_text->text()) <= width() - beside;
    m_all->setVisible(waiting > 1 || !fits);
    m_text->setToolTip(fits ? QString() : m_text->text());
}

void MessageBar::showAll()
{
    const QWidget& frame = *window();
    const int room = std::min(px(560), frame.width() - px(24));
    auto* all = new AllMessages(m_queue, room, this);
    QPoint corner = mapToGlobal(QPoint(width() - room, height()));
    corner.setX(std::max(corner.x(), frame.mapToGlobal(QPoint(px(12), 0)).x()));
    all->move(corner);
    all->show();
}

void MessageBar::takeFocus()
{
    if (isHidden())
        return;
    if (QWidget* focused = QApplication::focusWidget(); !isAncestorOf(focused))
        m_before = focused;
    QAbstractButton* first = m_close;
    for (QPushButton* button : {m_all, m_offer})
        if (!button->isHidden())
            first = button; // what it offers, where it does
    first->setFocus(Qt::ShortcutFocusReason);
}

void MessageBar::giveFocusBack()
{
    QWidget* focused = QApplication::focusWidget();
    if (!focused || !isAncestorOf(focused))
        return;
    if (m_before && m_before->isVisible())
        m_before->setFocus();
    else
        focused->clearFocus();
}

void MessageBar::tint()
{
    m_icon->setPixmap(signOf(m_queue.front().mood, devicePixelRatioF()));
    m_icon->setAccessibleName(wordsOf(m_queue.front().mood));
    update();
}

void MessageBar::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    arrange();
}

/// The second click of a double one is meant for nothing: another message may be there by then. How wide a button is,
/// is known once it is styled.
bool MessageBar::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_all && (event->type() == QEvent::StyleChange || event->type() == QEvent::Polish))
        fixPlaces();
    return event->type() == QEvent::MouseButtonDblClick || QFrame::eventFilter(watched, event);
}

void MessageBar::keyPressEvent(QKeyEvent* event)
{
    auto* pressed = qobject_cast<QAbstractButton*>(focusWidget());
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_Escape)
        clearProposer(m_queue.front().number);
    else if (isReturn && pressed && pressed->hasFocus())
        pressed->click();
    else
        QFrame::keyPressEvent(event);
}

void MessageBar::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    const Mood mood = m_queue.front().mood;
    QPainter painter(this);
    painter.fillRect(rect(), mood == Mood::Error ? t.badPill : mood == Mood::Warning ? t.warningPill : t.pill);
    painter.fillRect(0, height() - 1, width(), 1, t.border);
}

quint64 MessageQueue::add(MessageMood mood, const QString& text, MessageKind kind)
{
    const auto same = std::ranges::find_if(
        m_messages, [&](const Message& each) { return each.mood == mood && each.text == text && each.kind == kind; });
    const quint64 number = same == m_messages.end() ? ++m_newest : same->number;
    remove(number);
    if (kind != MessageKind::Note && kind != MessageKind::News)
        std::erase_if(m_messages, [kind](const Message& each) { return each.kind == kind; });
    m_messages.push_front({number, mood, text, kind});
    int notes = 0;
    std::erase_if(
        m_messages, [&notes](const Message& each) { return each.mood == MessageMood::Info && ++notes > mostNotes; });
    if (m_messages.size() > most)
        m_messages.pop_back();
    return number;
}

quint64 MessageQueue::addBehind(MessageMood mood, const QString& text, MessageKind kind)
{
    const quint64 number = add(mood, text, kind);
    std::ranges::rotate(m_messages, m_messages.begin() + 1);
    return number;
}

void MessageQueue::raise(quint64 number)
{
    const auto at = std::ranges::find(m_messages, number, &Message::number);
    if (at != m_messages.end())
        std::rotate(m_messages.begin(), at, at + 1);
}

void MessageQueue::restate(quint64 number, const QString& text)
{
    for (Message& each : m_messages)
        if (each.number == number)
            each.text = text;
}

void MessageQueue::remove(quint64 number)
{
    std::erase_if(m_messages, [number](const Message& each) { return each.number == number; });
}

bool MessageQueue::has(quint64 number) const
{
    return std::ranges::any_of(m_messages, [number](const Message& each) { return each.number == number; });
}

} // namespace tilewright::ui
