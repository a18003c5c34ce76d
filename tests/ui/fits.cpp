// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/fits.h"

#include "tests/patience.h"
#include "ui/welcome/machine_card.h"
#include "ui/welcome/new_session_page.h"
#include "ui/widgets/aside.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/pill.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>

namespace tilewright::test {

using namespace ui;
using namespace Qt::StringLiterals;

/// As `tilewright-cli doctor --json` prints them.
QJsonObject findings()
{
    const auto one = [](const QString& what, bool found, bool needed, const QString& detail) {
        return QJsonObject{{u"what"_s, what}, {u"found"_s, found}, {u"needed"_s, needed}, {u"detail"_s, detail}};
    };
    return {{u"complete"_s, false}, {u"gpu_tasks_lack"_s, QJsonArray{u"a GPU"_s}},
        {u"findings"_s,
            QJsonArray{one(u"compiler"_s, false, true, u"no g++: nothing can be built"_s),
                one(u"GPU"_s, false, false,
                    u"no NVIDIA GPU or driver: GPU tasks cannot be measured here, CPU tasks can"_s),
                one(u"processor"_s, true, true, u"EPYC 9654, 96 cores: avx2 avx512f"_s)}}};
}

void setScene(Theatre& stage)
{
    stage.window->welcome().tasks().show(findTaskPacks());
    stage.window->welcome().machine().show(findings());
    stage.run.answer(stage.run.ask("writer", "Make it fast."), "no reply of use", 0);
    stage.run.answer(stage.run.ask("", "Make it short."), "an edit that does not apply", 0);
    stage.run.answer(stage.run.ask("", "Make it long."), "an edit that applies", 1);
    stage.run.learn("statistics", "Deeper cuts helped: +4.2 % over 5 attempts.");
    stage.run.decide(stage.run.awaitReview({"touches casts"}), Decision::Rejected, "reads past the end of a row");
    stage.run.awaitReview({"57 changed lines", "touches intrinsics or assembly: _mm512_fmadd_ps"});
    for (int i = 0; i < 3; ++i)
        stage.run.observe({{"mhz", {1965 - 300 * i, 1980}},
            {"observed",
                {{"blocks", 40}, {"temp_c", {58, 61 + i}}, {"power_w", {540.2, 562.4}},
                    {"throttling", i > 0 ? nlohmann::json{{"power limit", 12 * i}} : nlohmann::json::object()}}}});
    auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot());
    snapshot->status.openModelRequests = {stage.run.ask("", "Make the kernel faster.")};
    snapshot->run = stage.run.state();
    snapshot->status.answersByHand = true;
    snapshot->status.islandTrouble[IslandId{2}] = "writer: 3 failures, waiting 8 s";
    stage.client.publish(snapshot);
}

/// Turns the event loop until no widget moves any more, and nothing is worked out aside: layouts, texts and docks have
/// found their places then.
void settle(const QWidget& window)
{
    const auto places = [&window] {
        QList<QRect> all{window.geometry()};
        for (const QWidget* widget : window.findChildren<QWidget*>())
            all << widget->geometry();
        return all;
    };
    constexpr int depth = 4; // of layouts within layouts
    QList<QRect> before;
    do {
        before = places();
        for (QThreadPool* threads : {&asideThreads(), &awaitedThreads()})
            threads->waitForDone(patience);
        QCoreApplication::sendPostedEvents();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCoreApplication::processEvents();
        // A text that came just now, from another process say, has not been laid out yet.
        for (int i = 0; i < depth; ++i)
            QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    } while (before != places());
}

/// What does not fit, as one line; empty if all is well.
QString clipped(const QWidget& widget)
{
    const auto describe = [&widget](const QString& text) {
        return u"%1 \"%2\" is %3×%4, needs %5×%6"_s.arg(QLatin1String(widget.metaObject()->className()), text)
            .arg(widget.width())
            .arg(widget.height())
            .arg(widget.sizeHint().width())
            .arg(widget.sizeHint().height());
    };
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
        if (label->text().isEmpty() || qobject_cast<const ElidedLabel*>(label))
            return {};
        if (label->wordWrap())
            return label->heightForWidth(label->width()) > label->height() + 1 ? describe(label->text()) : QString();
        return label->sizeHint().width() > label->width() + 1 || label->sizeHint().height() > label->height() + 1
            ? describe(label->text())
            : QString();
    }
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
        if (button->hasHeightForWidth())
            return button->heightForWidth(button->width()) > button->height() + 1 ? describe(button->text())
                                                                                  : QString();
        if (!button->text().isEmpty() && button->sizeHint().width() > button->width() + 1)
            return describe(button->text());
        const bool paintsItself
            = button->text().isEmpty() && button->icon().isNull() && !qobject_cast<const QToolButton*>(button);
        if (paintsItself && button->minimumSizeHint().width() > button->width() + 1)
            return describe(button->accessibleName());
        return button->height() < 20 && !qobject_cast<const QCheckBox*>(button)
            ? describe(button->text() + u" (too low to hit)"_s)
            : QString();
    }
    if (const auto* pill = qobject_cast<const Pill*>(&widget))
        return pill->sizeHint().width() > pill->width() + 1 ? describe(pill->text()) : QString();
    if (const auto* box = qobject_cast<const QComboBox*>(&widget)) {
        constexpr int arrow = 26; // and the margins beside the text
        const int needed = box->fontMetrics().horizontalAdvance(box->currentText());
        return !box->isEditable() && needed + arrow > box->width() ? describe(box->currentText()) : QString();
    }
    if (const auto* tabs = qobject_cast<const QTabBar*>(&widget)) {
        const int last = tabs->count() - 1;
        return last >= 0 && !tabs->usesScrollButtons() && tabs->tabRect(last).right() > tabs->width() + 1
            ? describe(tabs->tabText(last))
            : QString();
    }
    return {};
}

/// Of a table: headings that are cut, and figures, which mean something else when they are. Words may end in dots where
/// a column holds what people wrote.
QStringList cutCells(const QTableView& table)
{
    QStringList found;
    const QAbstractItemModel* model = table.model();
    const QHeaderView* head = table.horizontalHeader();
    const int margins = 12;
    const auto say = [&](const QString& words, int column, int needed) {
        found << u"%1: \"%2\" has %3 of %4"_s.arg(table.objectName(), words)
                     .arg(table.columnWidth(column))
                     .arg(needed + margins);
    };
    for (int column = 0; model && column < model->columnCount(); ++column) {
        if (table.isColumnHidden(column))
            continue;
        const QString name = model->headerData(column, Qt::Horizontal).toString();
        if (const int needed = QFontMetrics(head->font()).horizontalAdvance(name);
            head->isVisible() && needed + margins > table.columnWidth(column))
            say(name, column, needed);
        for (int row = table.rowAt(0); row >= 0 && row < model->rowCount(); ++row) {
            const QModelIndex index = model->index(row, column);
            if (table.visualRect(index).top() > table.viewport()->height())
                break;
            const bool isFigure = index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight;
            const QVariant font = index.data(Qt::FontRole);
            const QFontMetrics metrics(font.isValid() ? qvariant_cast<QFont>(font) : table.font());
            const int needed = metrics.horizontalAdvance(index.data().toString());
            if (isFigure && needed + margins > table.columnWidth(column))
                say(index.data().toString(), column, needed);
        }
    }
    return found;
}

/// What keeps a page from being narrower: the widget in it that asks for most, as deep as one is.
QString widestIn(const QWidget& page)
{
    const auto least
        = [](const QWidget& widget) { return std::max(widget.minimumWidth(), widget.minimumSizeHint().width()); };
    QStringList chain;
    for (const QWidget* at = &page; at;) {
        const QWidget* widest = nullptr;
        for (const QObject* child : at->children())
            if (const auto* one = qobject_cast<const QWidget*>(child);
                one && one->isVisible() && !one->isWindow() && (!widest || least(*one) > least(*widest)))
                widest = one;
        if (widest)
            chain << u"%1 %2 (%3)"_s.arg(QLatin1String(widest->metaObject()->className()), widest->objectName())
                         .arg(least(*widest));
        at = widest;
    }
    return chain.join(u" > "_s).remove(u"tilewright::ui::"_s);
}

/// A button or picture of which a screen reader would say nothing; empty if it has a name.
QString nameless(QWidget& widget)
{
    const auto* label = qobject_cast<const QLabel*>(&widget);
    const bool isPicture = label && !label->pixmap(Qt::ReturnByValue).isNull();
    if (!isPicture && !qobject_cast<const QAbstractButton*>(&widget))
        return {};
    QAccessibleInterface* read = QAccessible::queryAccessibleInterface(&widget);
    if (read && !read->text(QAccessible::Name).isEmpty())
        return {};
    return u"%1 %2 in %3 has no accessible name"_s.arg(QLatin1String(widget.metaObject()->className()),
        widget.objectName(), widget.parentWidget() ? widget.parentWidget()->objectName() : QString());
}

QStringList misfits(const QWidget& window)
{
    QStringList found;
    const auto saysSomething = [](const QWidget* widget) {
        const auto* label = qobject_cast<const QLabel*>(widget);
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        return (label && !label->text().isEmpty()) || (button && !button->text().isEmpty())
            || qobject_cast<const Pill*>(widget) || qobject_cast<const QComboBox*>(widget);
    };
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible())
            continue;
        if (const QString problem = nameless(*widget); !problem.isEmpty())
            found << problem;
        if (const QString problem = clipped(*widget); !problem.isEmpty())
            found << u"%1 (%2)"_s.arg(problem, widget->objectName());
        if (const auto* table = qobject_cast<const QTableView*>(widget))
            found << cutCells(*table);
        if (const auto* area = qobject_cast<const QScrollArea*>(widget);
            area && area->widget() && area->horizontalScrollBar()->maximum() > 0)
            found << u"%1 is to be scrolled sideways by %2: %3"_s.arg(area->widget()->objectName())
                         .arg(area->horizontalScrollBar()->maximum())
                         .arg(widestIn(*area->widget()));
        QList<const QWidget*> texts;
        for (const QObject* child : widget->children())
            if (const auto* one = qobject_cast<const QWidget*>(child);
                one && one->isVisible() && !one->isWindow() && saysSomething(one))
                texts << one;
        for (qsizetype i = 0; i < texts.size(); ++i)
            for (qsizetype j = 0; j < i; ++j) {
                const QRect both = texts[i]->geometry() & texts[j]->geometry();
                if (both.width() > 2 && both.height() > 2)
                    found << u"%1 (%2) lies upon %3 (%4) in %5"_s.arg(
                        QLatin1String(texts[i]->metaObject()->className()), texts[i]->objectName(),
                        QLatin1String(texts[j]->metaObject()->className()), texts[j]->objectName(),
                        QLatin1String(widget->metaObject()->className()));
            }
    }
    return found;
}

} // namespace tilewright::test
