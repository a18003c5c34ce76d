// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/query_box.h"

#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QTextCharFormat>

namespace tilewright::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

QueryBox::QueryBox(QWidget* parent)
    : QLineEdit(parent)
{
    setObjectName(u"candidateFilter"_s);
    setPlaceholderText(tr("Filter: score>2 island:C words … (? helps)"));
    setAccessibleName(tr("Filter the candidates; a question mark shows how"));
    setClearButtonEnabled(true);
    setMinimumWidth(px(200));
    m_debounce.setSingleShot(true);
    m_debounce.setInterval(150ms);
    connect(this, &QLineEdit::textChanged, &m_debounce, [this] { m_debounce.start(); });
    connect(&m_debounce, &QTimer::timeout, this, [this] { read(); });
}

void QueryBox::reset()
{
    clear();
    m_debounce.stop();
    read();
}

void QueryBox::read()
{
    if (text().trimmed() == u"?"_s) { // pasted, or what is left of more
        clear();
        m_debounce.stop();
        Q_EMIT helpAsked();
    }
    m_query = CandidateQuery::parse(text());
    underline();
    setToolTip(m_query.problem ? m_query.problem->text : QString());
    setAccessibleDescription(toolTip());
    Q_EMIT queryChanged();
}

void QueryBox::underline()
{
    // A line edit has no formats of its own; those of an input method with nothing to insert are drawn the same.
    QList<QInputMethodEvent::Attribute> formats;
    if (m_query.problem) {
        QTextCharFormat wrong;
        wrong.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        wrong.setUnderlineColor(tokens().bad);
        wrong.setForeground(tokens().bad);
        formats.append(
            {QInputMethodEvent::TextFormat, m_query.problem->at - cursorPosition(), m_query.problem->length, wrong});
    }
    QInputMethodEvent event(QString(), formats);
    QCoreApplication::sendEvent(this, &event);
}

void QueryBox::keyPressEvent(QKeyEvent* event)
{
    if (event->text() == u"?"_s && text().isEmpty())
        return Q_EMIT helpAsked();
    if (event->key() == Qt::Key_Escape || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        Q_EMIT helpRead();
    QLineEdit::keyPressEvent(event);
}

} // namespace tilewright::ui
