// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/long_tool_tips.h"

#include "ui/theme/theme.h"

#include <QAbstractItemView>
#include <QFontMetrics>
#include <QHeaderView>
#include <QHelpEvent>
#include <QTextDocument>
#include <QToolTip>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// What Qt would show there; of a list, a table or a heading, of what the pointer is on.
QString toolTipAt(const QWidget& widget, const QPoint& at)
{
    const auto* view = qobject_cast<const QAbstractItemView*>(widget.parentWidget());
    if (!view || view->viewport() != &widget)
        return widget.toolTip();
    if (const auto* header = qobject_cast<const QHeaderView*>(view)) {
        const bool lies = header->orientation() == Qt::Horizontal;
        const int section = header->logicalIndexAt(at);
        return section < 0 || !header->model()
            ? QString()
            : header->model()->headerData(section, lies ? Qt::Horizontal : Qt::Vertical, Qt::ToolTipRole).toString();
    }
    const QModelIndex index = view->indexAt(at);
    return index.isValid() ? index.data(Qt::ToolTipRole).toString() : QString();
}

} // namespace

QString brokenToolTip(const QString& words)
{
    if (words.isEmpty() || Qt::mightBeRichText(words))
        return words;
    const QFontMetrics metrics(QToolTip::font());
    const QStringList lines = words.split(u'\n');
    const int most = px(480);
    if (std::ranges::none_of(lines, [&](const QString& line) { return metrics.horizontalAdvance(line) > most; }))
        return words;
    QStringList escaped;
    for (const QString& line : lines)
        escaped << line.toHtmlEscaped();
    return u"<table width=\"%1\"><tr><td>%2</td></tr></table>"_s.arg(most).arg(escaped.join(u"<br>"_s));
}

bool LongToolTips::eventFilter(QObject* watched, QEvent* event)
{
    const auto* widget = event->type() == QEvent::ToolTip ? qobject_cast<QWidget*>(watched) : nullptr;
    if (!widget)
        return false;
    const auto& help = *static_cast<QHelpEvent*>(event);
    const QString words = toolTipAt(*widget, help.pos()), broken = brokenToolTip(words);
    if (broken == words)
        return false; // as Qt shows it, if there is one
    QToolTip::showText(help.globalPos(), broken, const_cast<QWidget*>(widget));
    return true;
}

} // namespace tilewright::ui
