// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/find_box.h"

#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QPlainTextEdit>
#include <QTextBlock>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostMarked = 1000; ///< each row that is painted looks at all of them

struct Places {
    int all = 0;
    int chosen = 0; ///< which of them is, counted from 1; 0: none
    QList<QTextEdit::ExtraSelection> marks; ///< beneath the others, the first mostMarked
};

/// A line beneath the words: their own colours stay, and stay readable.
QTextEdit::ExtraSelection markOf(const QTextBlock& line, qsizetype at, qsizetype size)
{
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(line);
    mark.cursor.setPosition(line.position() + static_cast<int>(at));
    mark.cursor.setPosition(line.position() + static_cast<int>(at + size), QTextCursor::KeepAnchor);
    mark.format.setUnderlineStyle(QTextCharFormat::SingleUnderline);
    mark.format.setUnderlineColor(tokens().accent);
    return mark;
}

/// As QTextDocument::find() meets them.
Places placesOf(const QString& words, const QTextDocument& text, const QTextCursor& chosen)
{
    Places places;
    for (QTextBlock line = text.begin(); line.isValid(); line = line.next()) {
        const QString shown = line.text().replace(QChar::Nbsp, u' ');
        for (qsizetype at = 0; (at = shown.indexOf(words, at, Qt::CaseInsensitive)) >= 0; at += words.size()) {
            ++places.all;
            const auto begin = line.position() + at;
            if (begin == chosen.selectionStart() && begin + words.size() == chosen.selectionEnd())
                places.chosen = places.all;
            else if (places.marks.size() < mostMarked)
                places.marks << markOf(line, at, words.size());
        }
    }
    return places;
}

} // namespace

FindBox::FindBox(QPlainTextEdit& view, QWidget* parent)
    : QLineEdit(parent)
    , m_view(view)
{
    setPlaceholderText(tr("Find"));
    setAccessibleName(tr("Find in the text"));
    setFont(fontOf(Type::Secondary));
    view.installEventFilter(this);
    connect(this, &QLineEdit::textEdited, this, [this] {
        QTextCursor cursor = m_view.textCursor(); // what is found already is found again while it is typed
        cursor.setPosition(cursor.selectionStart());
        m_view.setTextCursor(cursor);
        find(Way::Forward);
    });
    connect(&view, &QPlainTextEdit::selectionChanged, this, &FindBox::tellPlace);
    connect(&view, &QPlainTextEdit::textChanged, this, &FindBox::tellPlace);
}

void FindBox::come()
{
    Q_EMIT wanted();
    setFocus();
    selectAll();
}

/// In the view its key is its own, whatever action of the window has it too.
bool FindBox::eventFilter(QObject* watched, QEvent* event)
{
    const bool isKey = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    if (watched != &m_view || !isKey || !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Find))
        return QLineEdit::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::KeyPress)
        come();
    return true;
}

bool FindBox::find(Way way)
{
    const QString words = text();
    if (words.isEmpty()) {
        tell(true);
        return false;
    }
    const auto flags = way == Way::Back ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    bool isFound = m_view.find(words, flags);
    if (!isFound) { // around the end
        const QTextCursor before = m_view.textCursor();
        m_view.moveCursor(way == Way::Back ? QTextCursor::End : QTextCursor::Start);
        isFound = m_view.find(words, flags);
        if (!isFound)
            m_view.setTextCursor(before);
    }
    if (isFound && isAtTheEdge())
        m_view.centerCursor(); // with lines around it
    tell(isFound);
    return isFound;
}

bool FindBox::isAtTheEdge() const
{
    const QRect place = m_view.cursorRect();
    const int edge = 3 * place.height();
    return place.top() < edge || place.bottom() > m_view.viewport()->height() - edge;
}

void FindBox::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        find(event->modifiers() & Qt::ShiftModifier ? Way::Back : Way::Forward);
        return;
    }
    if (event->key() == Qt::Key_Escape) {
        clear();
        tell(true);
        m_view.setFocus();
        Q_EMIT left();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void FindBox::tell(bool isFound)
{
    const QString nowhere = isFound ? QString() : tr("Not found.");
    setToolTip(isFound ? tr("Return: next; Shift+Return: previous") : nowhere);
    QPalette colours; // the others come with the theme
    if (!isFound)
        colours.setColor(QPalette::Text, tokens().bad);
    setPalette(colours);
    tellPlace();
    Q_EMIT told(nowhere);
}

void FindBox::tellPlace()
{
    if (!isVisible())
        return; // nobody reads it, and texts are long
    const QString words = text();
    const Places places = words.isEmpty() ? Places() : placesOf(words, *m_view.document(), m_view.textCursor());
    if (!places.marks.isEmpty() || !m_view.extraSelections().isEmpty())
        m_view.setExtraSelections(places.marks);
    const QString place = places.all == 0 ? QString()
        : places.chosen == 0              ? tr("%1 matches").arg(places.all)
                                          : tr("%1 of %2").arg(places.chosen).arg(places.all);
    setAccessibleDescription(place.isEmpty() ? toolTip() : place + u". "_s + toolTip());
    if (std::exchange(m_place, place) == place)
        return;
    const int room = place.isEmpty() ? 0 : fontMetrics().horizontalAdvance(place) + px(10);
    setTextMargins(isRightToLeft() ? room : 0, 0, isRightToLeft() ? 0 : room, 0);
    update();
}

void FindBox::paintEvent(QPaintEvent* event)
{
    QLineEdit::paintEvent(event);
    if (m_place.isEmpty())
        return;
    QPainter painter(this);
    painter.setPen(tokens().secondary);
    const auto side = isRightToLeft() ? Qt::AlignLeft : Qt::AlignRight;
    painter.drawText(rect().adjusted(px(8), 0, -px(8), 0), side | Qt::AlignVCenter, m_place);
}

void FindBox::showEvent(QShowEvent* event)
{
    QLineEdit::showEvent(event);
    tellPlace(); // the text may be another one
}

void FindBox::hideEvent(QHideEvent* event)
{
    QLineEdit::hideEvent(event);
    m_view.setExtraSelections({});
}

FindLine::FindLine(QPlainTextEdit& view, QWidget* parent)
    : QFrame(parent)
    , m_view(view)
    , m_box(new FindBox(view, this))
    , m_trouble(new ElidedLabel({}, this))
{
    setObjectName(u"findLine"_s);
    setProperty("role", u"bar"_s);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(px(8), px(4), px(4), px(4));
    row->setSpacing(px(6));
    m_trouble->setFont(fontOf(Type::Secondary));
    m_trouble->setProperty("tone", u"bad"_s);
    m_trouble->hide();
    const auto button = [this, row](const QString& sign, const QString& name, auto does) {
        auto* made = new QToolButton(this);
        made->setAutoRaise(true);
        made->setIcon(icon(sign, Tint::Secondary));
        made->setAccessibleName(name);
        made->setToolTip(name);
        connect(made, &QToolButton::clicked, this, does);
        row->addWidget(made);
    };
    row->addWidget(m_box, 1);
    row->addWidget(m_trouble);
    button(u"back"_s, tr("Previous match (Shift+Return)"), [this] { m_box->find(FindBox::Way::Back); });
    button(u"forward"_s, tr("Next match (Return)"), [this] { m_box->find(FindBox::Way::Forward); });
    button(u"x"_s, tr("Close search (Escape)"), [this] { leave(); });
    connect(m_box, &FindBox::wanted, this, &FindLine::show);
    connect(m_box, &FindBox::left, this, &FindLine::leave);
    connect(m_box, &FindBox::told, this, [this](const QString& trouble) {
        m_trouble->setText(trouble);
        m_trouble->setVisible(!trouble.isEmpty());
    });
    hide();
}

FindLine* FindLine::of(const QPlainTextEdit& view)
{
    const QList<FindLine*> all = view.window()->findChildren<FindLine*>();
    const auto found = std::ranges::find_if(all, [&view](const FindLine* line) { return &line->m_view == &view; });
    return found == all.end() ? nullptr : *found;
}

void FindLine::open() { m_box->come(); }

void FindLine::leave()
{
    hide();
    m_view.setFocus();
}

QWidget* withFindLine(QPlainTextEdit& view, QWidget* parent)
{
    auto* part = new QWidget(parent);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(new FindLine(view, part));
    column->addWidget(&view, 1);
    part->setFocusProxy(&view);
    return part;
}

} // namespace tilewright::ui
