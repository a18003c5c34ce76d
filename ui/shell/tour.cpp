// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/tour.h"

#include "ui/session/settings.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

struct TourStep {
    const char* subject; ///< object name of a widget that every window shows
    const char *title, *caption;
};

constexpr std::array tourSteps{
    TourStep{"modeButton:mode.welcome", QT_TRANSLATE_NOOP("tilewright::ui::Tour", "Start a session"),
        QT_TRANSLATE_NOOP("tilewright::ui::Tour",
            "Choose a task, a device and what generates edits. A session is one file that holds every program, "
            "measurement and decision. File > Open the demo shows a recorded run.")},
    TourStep{"runBar", QT_TRANSLATE_NOOP("tilewright::ui::Tour", "Control the run"),
        QT_TRANSLATE_NOOP("tilewright::ui::Tour",
            "Run, Pause, Step and Stop; beside them the budget used so far and the best confirmed program. "
            "Everything measured so far is kept when a run stops.")},
    TourStep{"modeButton:mode.evolve", QT_TRANSLATE_NOOP("tilewright::ui::Tour", "Watch it evolve"),
        QT_TRANSLATE_NOOP("tilewright::ui::Tour",
            "Islands, fitness, lineage and all candidates. Select a candidate to see its diff, its measurements with "
            "95 % intervals, and the checks it passed.")},
    TourStep{"modeButton:mode.review", QT_TRANSLATE_NOOP("tilewright::ui::Tour", "Review edits"),
        QT_TRANSLATE_NOOP("tilewright::ui::Tour",
            "Edits wait here if the review policy asks for it. Approve, edit or reject them; reasons are recorded.")},
    TourStep{"modeButton:mode.compare", QT_TRANSLATE_NOOP("tilewright::ui::Tour", "Compare and export"),
        QT_TRANSLATE_NOOP("tilewright::ui::Tour",
            "Two to six programs side by side, with a verdict: better, worse or not distinguishable. File > Export "
            "writes the winner with its evidence.")},
    TourStep{"finderButton", QT_TRANSLATE_NOOP("tilewright::ui::Tour", "Find anything"),
        QT_TRANSLATE_NOOP("tilewright::ui::Tour",
            "Ctrl+K searches actions, candidates and settings. F1 lists shortcuts, Shift+F1 explains a figure, and "
            "Help > Documentation has the whole manual.")},
};

const QString keptTour = u"tour"_s;
const QByteArray seenTour = "seen";

} // namespace

int Tour::steps() { return static_cast<int>(tourSteps.size()); }

bool Tour::isNew(const Settings& settings) { return settings.layout(keptTour) != seenTour; }

Tour::Tour(Settings& settings, QWidget& window)
    : QFrame(&window)
    , m_settings(settings)
    , m_window(window)
    , m_frame(new QFrame(&window))
    , m_title(new QLabel(this))
    , m_caption(new QLabel(this))
    , m_stepOf(new QLabel(this))
    , m_skip(new QPushButton(tr("Skip"), this))
    , m_back(new QPushButton(tr("Back"), this))
    , m_next(new QPushButton(this))
{
    setObjectName(u"tour"_s);
    setProperty("role", u"card"_s);
    setAutoFillBackground(true);
    m_frame->setObjectName(u"tourFrame"_s);
    m_frame->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_title->setObjectName(u"tourTitle"_s);
    m_title->setFont(fontOf(Type::Title));
    m_caption->setObjectName(u"tourCaption"_s);
    m_caption->setWordWrap(true);
    m_stepOf->setProperty("tone", u"secondary"_s);
    m_skip->setObjectName(u"tourSkip"_s);
    m_back->setObjectName(u"tourBack"_s);
    m_next->setObjectName(u"tourNext"_s);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(px(8));
    buttons->addWidget(m_stepOf);
    buttons->addStretch(1);
    buttons->addWidget(m_skip);
    buttons->addWidget(m_back);
    buttons->addWidget(m_next);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(16), px(12), px(16), px(12));
    column->setSpacing(px(8));
    column->addWidget(m_title);
    column->addWidget(m_caption);
    column->addLayout(buttons);
    connect(m_skip, &QPushButton::clicked, this, &Tour::end);
    connect(m_back, &QPushButton::clicked, this, [this] { go(m_step - 1); });
    connect(m_next, &QPushButton::clicked, this, [this] {
        if (m_step + 1 == steps())
            end();
        else
            go(m_step + 1);
    });
    connect(&Theme::instance(), &Theme::changed, this, [this] { place(); });
    m_window.installEventFilter(this);
    m_frame->hide();
    hide();
}

void Tour::begin() { go(0); }

void Tour::go(int step)
{
    m_step = std::clamp(step, 0, steps() - 1);
    const TourStep& shown = tourSteps[static_cast<std::size_t>(m_step)];
    m_subject = m_window.findChild<QWidget*>(QString::fromLatin1(shown.subject));
    m_title->setText(tr(shown.title));
    m_caption->setText(tr(shown.caption));
    m_stepOf->setText(tr("%1 of %2").arg(m_step + 1).arg(steps()));
    m_back->setEnabled(m_step > 0);
    m_next->setText(m_step + 1 == steps() ? tr("Done") : tr("Next"));
    setAccessibleName(m_title->text());
    setAccessibleDescription(m_caption->text());
    place();
    m_frame->show();
    m_frame->raise();
    show();
    raise();
    m_next->setFocus();
}

void Tour::end()
{
    hide();
    m_frame->hide();
    m_settings.setLayout(keptTour, seenTour);
}

bool Tour::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == &m_window && event->type() == QEvent::Resize && isVisible())
        QMetaObject::invokeMethod(
            this, [this] { place(); }, Qt::QueuedConnection); // after the window's own layout
    return QFrame::eventFilter(watched, event);
}

void Tour::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        end();
    else if (event->key() == Qt::Key_Right || event->key() == Qt::Key_PageDown)
        m_next->click();
    else if (event->key() == Qt::Key_Left || event->key() == Qt::Key_PageUp)
        m_back->click();
    else
        QFrame::keyPressEvent(event);
}

void Tour::place()
{
    if (!m_subject)
        return;
    m_frame->setStyleSheet(
        u"#tourFrame { border: %1px solid %2; border-radius: %3px; background: transparent; }"_s.arg(px(2))
            .arg(tokens().accent.name())
            .arg(px(8)));
    const QRect about(m_subject->mapTo(&m_window, QPoint()), m_subject->size());
    m_frame->setGeometry(about.adjusted(-px(2), -px(2), px(2), px(2)).intersected(m_window.rect()));
    setFixedWidth(std::min(px(380), m_window.width() - 2 * px(16)));
    adjustSize();
    // Right of a narrow subject, below a wide one, inside of the window.
    const bool isNarrow = about.width() < m_window.width() / 4 && about.center().x() < m_window.width() / 2;
    QPoint at = isNarrow ? QPoint(about.right() + px(12), about.top())
                         : QPoint(about.center().x() - width() / 2, about.bottom() + px(12));
    at.setX(std::clamp(at.x(), px(8), std::max(px(8), m_window.width() - width() - px(8))));
    at.setY(std::clamp(at.y(), px(8), std::max(px(8), m_window.height() - height() - px(8))));
    move(at);
}

} // namespace tilewright::ui
