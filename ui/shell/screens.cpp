// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/screens.h"

#include "ui/compare/compare_page.h"
#include "ui/devices/devices_page.h"
#include "ui/evolve/evolve_page.h"
#include "ui/lab/lab_page.h"
#include "ui/prompts/prompts_page.h"
#include "ui/review/review_page.h"
#include "ui/settings/settings_screen.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme.h"
#include "ui/welcome/new_session_page.h"

#include <QAbstractButton>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

const std::vector<ScreenEntry>& screens()
{
    static const std::vector<ScreenEntry> all{
        {u"welcome"_s, MainWindow::tr("&Welcome"), u"home"_s, QKeySequence(u"Ctrl+1"_s),
            MainWindow::tr("Welcome: new session, recent files"),
            [](MainWindow& w) -> Screen* { return new NewSessionPage(w.context(), w.models(), &w); }},
        {u"evolve"_s, MainWindow::tr("&Evolve"), u"evolve"_s, QKeySequence(u"Ctrl+2"_s),
            MainWindow::tr("Evolve: watch and steer the run"),
            [](MainWindow& w) -> Screen* { return new EvolvePage(w.context(), &w); }},
        {u"review"_s, MainWindow::tr("Re&view"), u"chat"_s, QKeySequence(u"Ctrl+3"_s),
            MainWindow::tr("Review: candidates that wait for your decision"),
            [](MainWindow& w) -> Screen* { return new ReviewPage(w.context(), &w); }, &ReviewPage::addActions},
        {u"prompts"_s, MainWindow::tr("&Prompts"), u"prompts"_s, QKeySequence(u"Ctrl+4"_s),
            MainWindow::tr("Prompts: templates, and prompts that wait for manual replies"),
            [](MainWindow& w) -> Screen* { return new PromptsPage(w.context(), &w); }},
        {u"compare"_s, MainWindow::tr("&Compare"), u"compare"_s, QKeySequence(u"Ctrl+6"_s),
            MainWindow::tr("Compare: two to six programs side by side"),
            [](MainWindow& w) -> Screen* { return new ComparePage(w.context(), &w); }},
        {u"lab"_s, MainWindow::tr("&Lab"), u"flask"_s, QKeySequence(u"Ctrl+7"_s),
            MainWindow::tr("Lab: Strassen, tensors and tiling"),
            [](MainWindow& w) -> Screen* { return new LabPage(w.context(), &w); }},
        {u"devices"_s, MainWindow::tr("&Devices"), u"cpu"_s, QKeySequence(u"Ctrl+5"_s),
            MainWindow::tr("Devices: activity of machines and models, queue"),
            [](MainWindow& w) -> Screen* { return new DevicesPage(w.context(), &w); }},
        {u"settings"_s, MainWindow::tr("&Settings…"), u"gear"_s, QKeySequence(u"Ctrl+,"_s),
            MainWindow::tr("Settings: appearance, models and keys, sessions, devices, shortcuts"),
            [](MainWindow& w) -> Screen* {
                return new SettingsScreen([&w] { return w.makeSettings(); }, w.models(), w.actions(), &w);
            }},
    };
    return all;
}

QString actionOf(const ScreenEntry& entry) { return u"mode."_s + entry.id; }

namespace {

/// One mode: icon over name, a bar of accent at the left of the current one.
class ModeButton : public QAbstractButton
{
public:
    ModeButton(QAction* action, const QString& name, QWidget* parent)
        : QAbstractButton(parent)
        , m_action(action)
    {
        setCheckable(true);
        setFocusPolicy(Qt::TabFocus); // a click shows a page, and leaves no ring where keys then show another one
        setChecked(action->isChecked());
        setText(name);
        setIcon(action->icon());
        setToolTip(action->toolTip());
        setAccessibleName(text());
        setFixedWidth(px(68));
        setMinimumHeight(px(30)); // in a low window with large text all of them are seen, by their signs alone
        setMaximumHeight(px(60));
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
        connect(this, &QAbstractButton::clicked, action, &QAction::trigger);
        connect(action, &QAction::changed, this, [this] {
            setChecked(m_action->isChecked());
            setEnabled(m_action->isEnabled());
        });
    }

    QSize sizeHint() const override { return {px(68), px(60)}; }

    void setCount(int count)
    {
        if (count == m_count)
            return;
        m_count = count;
        setAccessibleName(count > 0 ? ModeBar::tr("%1, %2 waiting").arg(text()).arg(count) : text());
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Tokens& t = tokens();
        QPainter painter(this);
        if (isChecked())
            painter.fillRect(rect(), t.selected);
        else if (underMouse() && isEnabled())
            painter.fillRect(rect(), t.track);
        if (isChecked())
            painter.fillRect(0, 0, 3, height(), t.accent);
        const bool isNamed = height() >= px(38);
        const int side = px(isNamed ? 24 : 22), top = (height() - px(60)) / 2;
        const int iconTop = isNamed ? std::max(top + px(9), px(2)) : (height() - side) / 2,
                  textTop = std::min(top + px(36), height() - px(17));
        icon().paint(&painter, QRect((width() - side) / 2, iconTop, side, side), Qt::AlignCenter,
            isEnabled() ? QIcon::Normal : QIcon::Disabled, isChecked() ? QIcon::On : QIcon::Off);
        painter.setFont(fontOf(Type::Secondary));
        painter.setPen(!isEnabled() ? t.disabled : isChecked() ? t.text : t.secondary);
        if (isNamed)
            painter.drawText(QRect(0, textTop, width(), px(18)), Qt::AlignCenter, text());
        if (m_count > 0) {
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(t.button);
            painter.setFont(fontOf(Type::Tick));
            const QString count = m_count < 100 ? QString::number(m_count) : u"99+"_s;
            const double needed = QFontMetricsF(painter.font()).horizontalAdvance(count) + px(7);
            const QRectF badge(width() / 2.0 + px(6), std::max(top + px(5), 0), std::max(1.0 * px(16), needed), px(16));
            painter.drawRoundedRect(badge, badge.height() / 2, badge.height() / 2);
            painter.setPen(t.buttonText);
            painter.drawText(badge, Qt::AlignCenter, count);
        }
        if (hasFocus()) {
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(t.accent, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(rect().adjusted(4, 2, -3, -3), 4, 4);
        }
    }

private:
    QAction* m_action;
    int m_count = 0;
};

} // namespace

ModeBar::ModeBar(const ActionRegistry& actions, QWidget* parent)
    : QFrame(parent)
{
    setProperty("role", u"modes"_s);
    setAccessibleName(tr("Modes"));
    setFixedWidth(px(68));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, px(4), 0, 0);
    column->setSpacing(px(2));
    for (const ScreenEntry& screen : screens()) {
        const QString id = actionOf(screen);
        const bool isLast = id == u"mode.settings"_s; // the mode of what its menu opens
        if (isLast)
            column->addStretch(1);
        auto* button = new ModeButton(
            &actions[id], isLast ? tr("Settings") : actions[id].text().remove(u'&').remove(u'…'), this);
        button->setObjectName(u"modeButton:"_s + id);
        column->addWidget(button);
    }
}

void ModeBar::setCount(const QString& id, int count)
{
    for (QAbstractButton* button : findChildren<QAbstractButton*>(u"modeButton:"_s + id))
        static_cast<ModeButton*>(button)->setCount(count);
}

} // namespace tilewright::ui
