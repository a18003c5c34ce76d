// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/run_bar.h"

#include "core/model/measurement/evidence.h"
#include "core/model/measurement/steadiness.h"
#include "core/model/reviews/review_queue.h"
#include "ui/models/activity_words.h"
#include "ui/models/display_text.h"
#include "ui/models/score_words.h"
#include "ui/shell/budget_editor.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/pill.h"
#include "ui/widgets/room.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <array>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

/// Star, name and the two figures of the best candidate, framed; a click selects it.
class BestBadge : public QAbstractButton
{
public:
    explicit BestBadge(QWidget* parent)
        : QAbstractButton(parent)
    {
        setCursor(Qt::PointingHandCursor);
        setFocusPolicy(Qt::TabFocus);
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    }

    enum class Words { All, Few };
    /// Few: name and score alone; the tooltip says all.
    void setWords(Words words)
    {
        if (words == m_words)
            return;
        m_words = words;
        updateGeometry();
        update();
    }

    void show(const RunState& run)
    {
        const Candidate* best = run.best();
        m_parts.clear();
        if (best) {
            m_parts = {{Type::Mono, nameOfCandidate(best->id), true}, {Type::Strong, times(best->score), true},
                {Type::Body, QObject::tr("baseline"), false, true}};
            const auto library = best->vsVendor ? vendorLibraryOf(run, *best) : std::nullopt;
            // What is not recorded of it takes a sentence: that stands in the tool tip.
            if (best->vsVendor)
                m_parts << Part{Type::Body, u"│"_s, false, true}
                        << Part{Type::Strong, times(best->vsVendor), true, true}
                        << Part{Type::Body,
                               library && isFullyRecorded(*library) ? ui::text(describe(*library))
                                                                    : QObject::tr("vendor library"),
                               false, true};
        } else {
            m_parts = {{Type::Body, QObject::tr("no confirmed candidate yet"), false}};
        }
        QString all;
        for (const Part& part : m_parts)
            all += part.text + u' ';
        // Where the one before scored otherwise when it was timed again, scores of then and now are of two scales.
        const auto moved = best ? scoreDriftBeside(run, best->id) : std::nullopt;
        const bool drifts = moved && std::abs(moved->logShare()) > std::log1p(scoreDriftFrom);
        QStringList tip{QObject::tr(
            "Best confirmed candidate, geometric mean of the train shapes: %1. Click to show it under Evolve.")
                            .arg(all.trimmed())};
        if (best && best->vsVendor)
            tip << QObject::tr("Vendor library: %1").arg(ui::text(vendorWordsOf(run, *best)));
        if (best)
            tip << howScored(run, *best) << (drifts ? driftWords(*moved) : QString()) << disputeWords(run, *best);
        tip.removeAll(QString());
        setToolTip(tip.join(u'\n'));
        const bool isDoubted = drifts || (best && best->disputed);
        if (all == accessibleName() && isDoubted == m_isDoubted)
            return;
        m_isDoubted = isDoubted;
        setAccessibleName(all);
        setEnabled(best != nullptr);
        updateGeometry();
        update();
    }

    int widthWith(Words words) const
    {
        int width = px(40) + (m_isDoubted ? px(20) : 0);
        for (const Part& part : m_parts)
            if (words == Words::All || !part.goes)
                width += QFontMetrics(fontOf(part.type)).horizontalAdvance(part.text) + px(6);
        return width;
    }
    QSize sizeHint() const override { return {widthWith(m_words), px(32)}; }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Tokens& t = tokens();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(hasFocus() || underMouse() ? t.accent : t.strongBorder, hasFocus() ? 2 : 1));
        painter.setBrush(isEnabled() ? t.pill : t.panel);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
        const int side = px(15);
        painter.drawPixmap(px(10), (height() - side) / 2,
            iconPixmap(u"star"_s, isEnabled() ? t.accent : t.tertiary, side, devicePixelRatioF()));
        int x = px(32);
        for (const Part& part : m_parts) {
            if (!isShown(part))
                continue;
            painter.setFont(fontOf(part.type));
            painter.setPen(part.strong ? t.text : t.secondary);
            const int width = QFontMetrics(painter.font()).horizontalAdvance(part.text);
            painter.drawText(QRect(x, 0, width + 1, height()), Qt::AlignVCenter | Qt::AlignLeft, part.text);
            x += width + px(6);
        }
        if (m_isDoubted)
            painter.drawPixmap(x, (height() - side) / 2, iconPixmap(u"warn"_s, t.warning, side, devicePixelRatioF()));
    }

private:
    struct Part {
        Type type;
        QString text;
        bool strong;
        bool goes = false; ///< where there is room for few words alone
    };
    bool isShown(const Part& part) const { return m_words == Words::All || !part.goes; }

    Words m_words = Words::All;
    bool m_isDoubted
        = false; ///< its score stands on another scale than that of the one before, or a re-run contradicts it
    QList<Part> m_parts;
};

namespace {

/// "950", "12.4 k", "2.6 M".
QString shortCount(std::int64_t count)
{
    const double value = static_cast<double>(count);
    return count < 10'000   ? grouped(count)
        : count < 1'000'000 ? RunBar::tr("%1 k").arg(value / 1e3, 0, 'f', 1)
                            : RunBar::tr("%1 M").arg(value / 1e6, 0, 'f', 1);
}

/// "≥ $1.20" where some of it is unknown.
QString shortDollars(std::int64_t microUsd, std::int64_t unpriced)
{
    if (microUsd == 0 && unpriced > 0)
        return RunBar::tr("unknown");
    return (unpriced > 0 ? u"≥ $%1"_s : u"$%1"_s).arg(static_cast<double>(microUsd) / 1e6, 0, 'f', 2);
}

} // namespace

RunBar::RunBar(const ViewContext& context, QWidget* parent)
    : QFrame(parent)
    , m_context(context)
    , m_evaluations(new Meter(tr("Evaluations"), this))
    , m_tokens(new Meter(tr("Tokens"), this))
    , m_cost(new Meter(tr("Cost"), this))
    , m_wall(new Meter(tr("Wall time"), this))
    , m_noGain(new Meter(tr("No gain"), this))
    , m_best(new BestBadge(this))
    , m_nothing(new ElidedLabel({}, this))
    , m_welcome(new QPushButton(icon(u"home"_s, Tint::Secondary), tr("Set one up"), this))
{
    setProperty("role", u"bar"_s);
    setFixedHeight(px(48));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(px(10), 0, px(12), 0);
    row->setSpacing(px(6));
    row->addWidget(m_state = stateButton());
    m_run = button(u"run.run"_s);
    m_pause = button(u"run.pause"_s);
    m_pause->setAccessibleName(tr("Pause")); // its action says more
    for (QWidget* one : {static_cast<QWidget*>(m_run), static_cast<QWidget*>(m_pause), pauseWays(),
             static_cast<QWidget*>(button(u"run.step"_s)), static_cast<QWidget*>(button(u"run.stop"_s))})
        row->addWidget(one);
    auto* line = new QFrame(this);
    line->setProperty("role", u"rule"_s);
    line->setFixedSize(1, px(26));
    row->addSpacing(px(4));
    row->addWidget(line);
    row->addSpacing(px(4));
    for (Meter* meter : {m_evaluations, m_tokens, m_cost, m_wall, m_noGain}) {
        row->addWidget(meter);
        connect(meter, &Meter::clicked, this, [this, meter] { Q_EMIT budgetRequested(meter); });
    }
    row->addWidget(m_waits = waitingWays());
    setObjectName(u"runBar"_s);
    m_tokens->setObjectName(u"tokensMeter"_s);
    m_cost->setObjectName(u"costMeter"_s);
    m_extend = new QPushButton(icon(u"plus"_s, Tint::Secondary), tr("Extend"), this);
    m_extend->setObjectName(u"extendBudget"_s);
    row->addWidget(m_extend);
    row->addSpacing(px(4));
    row->addWidget(m_best);
    row->addWidget(m_welcome);
    row->addWidget(m_nothing, 1);
    row->addStretch(0);
    m_nothing->setObjectName(u"noSession"_s);
    m_nothing->setProperty("tone", u"secondary"_s);
    m_welcome->setObjectName(u"toWelcome"_s);
    m_welcome->setToolTip(tr("Show Welcome, to set up a session or open a recent one"));
    connect(m_welcome, &QPushButton::clicked, &context.actions[u"mode.welcome"_s], &QAction::trigger);
    m_find = new QPushButton(icon(u"search"_s, Tint::Secondary), tr("Go to candidate, action  Ctrl+K"), this);
    m_find->setObjectName(u"finderButton"_s);
    connect(m_find, &QPushButton::clicked, &context.actions[u"candidate.find"_s], &QAction::trigger);
    row->addWidget(m_find);
    m_evaluations->setObjectName(u"evaluationsMeter"_s);
    m_wall->setObjectName(u"wallMeter"_s);
    m_noGain->setObjectName(u"noGainMeter"_s);
    m_noGain->setToolTip(tr("Evaluations since the newest improvement. Click to change the budget"));
    m_best->setObjectName(u"bestBadge"_s);
    connect(m_extend, &QPushButton::clicked, this, [this] { Q_EMIT budgetRequested(m_evaluations); });
    connect(m_best, &BestBadge::clicked, &context.actions[u"candidate.best"_s], &QAction::trigger);
    connect(&context.session, &SessionClient::changed, this, [this] { refresh(); });
    connect(&Theme::instance(), &Theme::changed, this, [this] { refresh(); }); // the text may be larger
    refresh();
}

void RunBar::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    fitWords();
}

QSize RunBar::minimumSizeHint() const { return {px(640), px(48)}; }

void RunBar::fitWords()
{
    // Four meters and the best one come first.
    const bool narrower = width() < px(1400) && m_tokens->isVisibleTo(this);
    m_find->setAccessibleName(tr("Go to candidate, action"));
    const bool small = width() < px(1280);
    m_extend->setText(small ? QString() : tr("Extend"));
    m_extend->setAccessibleName(tr("Extend"));
    m_state->setText(small ? shortActivityWords(m_activity) : m_state->accessibleName());
    m_waits->setText(
        small || narrower ? QString::number(m_context.session.run().waitingReviews) : m_waits->accessibleName());
    for (const QString& id : {u"run.pause"_s, u"run.step"_s, u"run.stop"_s}) {
        auto* one = findChild<QPushButton*>(id);
        const QString name = id == u"run.pause"_s && m_context.session.snapshot().status.pausing
            ? tr("Pausing")
            : one->accessibleName();
        one->setText(narrower || small ? QString() : name);
    }
    m_find->setText(tr("Go to candidate, action  Ctrl+K"));
    if (width() < px(1500) || layout()->minimumSize().width() > width()) // words may be longer ones
        m_find->setText(tr("Ctrl+K"));
    fitFigures();
}

/// With a larger font, or longer words, more goes: first what a tooltip or a key does as well.
void RunBar::fitFigures()
{
    using Words = Meter::Words;
    const std::array meters{m_evaluations, m_tokens, m_cost, m_wall, m_noGain};
    const auto widthOf = [&](Words words) {
        int sum = 0;
        for (const Meter* meter : meters)
            sum += meter->isVisibleTo(this) ? meter->widthWith(words) : 0;
        return sum;
    };
    const int finder = m_find->sizeHint().width() + layout()->spacing();
    int others
        = layout()->minimumSize().width() - m_best->sizeHint().width() - (m_find->isVisibleTo(this) ? finder : 0);
    for (const Meter* meter : meters)
        others -= meter->isVisibleTo(this) ? meter->sizeHint().width() : 0;
    const bool hasModels = m_tokens->isVisibleTo(this);
    auto badge = hasModels && width() < px(1280) ? BestBadge::Words::Few : BestBadge::Words::All;
    bool finds = !hasModels || width() >= px(1400) || !m_extend->isVisibleTo(this);
    Words words = Words::All;
    const auto fits
        = [&] { return others + m_best->widthWith(badge) + widthOf(words) + (finds ? finder : 0) <= width(); };
    if (!fits())
        badge = BestBadge::Words::Few;
    if (!fits())
        words = Words::Few;
    if (!fits())
        finds = false;
    if (!fits())
        words = Words::Figure;
    m_best->setWords(badge);
    m_find->setVisible(finds);
    for (Meter* meter : meters)
        meter->setWords(words);
}

QWidget* RunBar::budgetPlace() { return m_evaluations; }

QPushButton* RunBar::button(const QString& action)
{
    QAction& does = m_context.actions[action];
    auto* made = new QPushButton(does.icon(), does.text().remove(u'&'), this);
    made->setObjectName(action);
    made->setToolTip(does.toolTip());
    made->setAccessibleName(made->text());
    made->setProperty("kind", u"flat"_s);
    made->setEnabled(does.isEnabled());
    connect(made, &QPushButton::clicked, &does, &QAction::trigger);
    made->setFocusPolicy(Qt::TabFocus); // a click leaves the keyboard where it is
    connect(&does, &QAction::changed, made, [made, &does] {
        if (!does.isEnabled())
            made->clearFocus(); // else Stop, which stands next, would get the next press of the space bar
        made->setEnabled(does.isEnabled());
        made->setToolTip(does.toolTip());
    });
    return made;
}

QPushButton* RunBar::stateButton()
{
    auto* made = new QPushButton(this);
    made->setObjectName(u"runState"_s);
    made->setProperty("kind", u"waiting"_s);
    made->setFocusPolicy(Qt::TabFocus);
    made->setVisible(false);
    connect(made, &QPushButton::clicked, this, [this] {
        if (m_activity.awaits == Awaited::Reviews)
            m_context.actions[u"mode.review"_s].trigger();
        else if (m_activity.awaits == Awaited::Prompts)
            Q_EMIT openPromptsRequested();
        else
            m_context.actions[u"mode.devices"_s].trigger();
    });
    return made;
}

void RunBar::showState()
{
    const Snapshot& snapshot = m_context.session.snapshot();
    m_activity = activityOf(snapshot);
    const bool isPaused = m_activity.activity == Activity::Paused, isHeldUp = m_activity.isHeldUp();
    m_state->setVisible(isPaused || isHeldUp);
    m_state->setEnabled(isHeldUp);
    m_state->setIcon(icon(isPaused ? u"pause"_s : u"hourglass"_s, Tint::Warning));
    m_state->setAccessibleName(activityWords(m_activity));
    QStringList tip;
    if (isPaused)
        tip << text(snapshot.run.phaseReason);
    else
        tip << text(snapshot.status.waiting);
    if (m_activity.awaits == Awaited::Prompts)
        tip << tr("Blocked: waiting for replies. Click to show the prompts.");
    else if (m_activity.awaits == Awaited::Replies)
        tip << tr("Blocked: waiting for models. Click to show the requests under Devices.");
    else if (m_activity.awaits == Awaited::Reviews)
        tip << tr("Blocked: waiting for reviews. Click to show them.");
    tip.removeAll(QString());
    m_state->setToolTip(tip.join(u'\n'));
}

/// The two ways to pause, beside the button that does the usual one.
QWidget* RunBar::pauseWays()
{
    auto* made = new QToolButton(this);
    made->setObjectName(u"pauseWays"_s);
    made->setText(u"▾"_s);
    made->setAccessibleName(tr("Ways to pause"));
    made->setToolTip(tr("Pause after in-flight work, or cancel it"));
    made->setPopupMode(QToolButton::InstantPopup);
    made->setFocusPolicy(Qt::TabFocus);
    auto* menu = new QMenu(made);
    menu->setObjectName(u"pauseMenu"_s);
    menu->addAction(&m_context.actions[u"run.pause"_s]);
    QAction& cancels = m_context.actions[u"run.pause-cancel"_s];
    menu->addAction(&cancels);
    made->setMenu(menu);
    made->setEnabled(cancels.isEnabled());
    connect(&cancels, &QAction::changed, made, [made, &cancels] { made->setEnabled(cancels.isEnabled()); });
    return made;
}

/// What to do about edits that hold the run up, beside how many they are.
QPushButton* RunBar::waitingWays()
{
    auto* made = new QPushButton(icon(u"warn"_s, Tint::Warning), {}, this);
    made->setObjectName(u"waitsForYou"_s);
    made->setFocusPolicy(Qt::TabFocus);
    auto* menu = new QMenu(made);
    menu->setObjectName(u"waitsForYouMenu"_s);
    for (const QString& id : {u"mode.review"_s, u"review.approve-all"_s, u"review.automatic"_s})
        menu->addAction(&m_context.actions[id]);
    made->setMenu(menu);
    made->setVisible(false);
    return made;
}

void RunBar::tellWhatWaits()
{
    const Snapshot& snapshot = m_context.session.snapshot();
    const EngineStatus& status = snapshot.status;
    const bool rests = status.phase == events::Phase::Paused;
    const bool isOn = (rests || status.phase == events::Phase::Running) && !status.readOnly && status.sessionOpen;
    const bool isAll = status.waitingCode == "reviews";
    const auto waiting = snapshot.run.waitingReviews;
    m_waits->setVisible(isOn && waiting > 0 && (isAll || !islandsThatWait(snapshot.run).empty()));
    m_waits->setAccessibleName(waitsForYou(waiting));
    m_waits->setToolTip(counted(waiting, tr("%1 pending review."), tr("%1 pending reviews.")) + u' '
        + (rests        ? tr("The run is paused; some islands are blocked by pending reviews.")
                : isAll ? tr("The run is blocked.")
                        : tr("Some islands are blocked by pending reviews.")));
}

void RunBar::setWelcomeShown(bool shown)
{
    m_isWelcomeShown = shown;
    sayWhereOneBegins();
}

void RunBar::sayWhereOneBegins()
{
    const bool open = m_context.session.isOpen(), isHere = m_isWelcomeShown;
    m_nothing->setVisible(!open);
    m_welcome->setVisible(!open && !isHere);
    m_nothing->setText(isHere ? tr("No session is open. Set one up below, or open a recent one (Ctrl+O).")
                              : tr("No session is open. Set one up in Welcome, or open a recent one (Ctrl+O)."));
}

void RunBar::refresh()
{
    const Snapshot& snapshot = m_context.session.snapshot();
    const EngineStatus& status = snapshot.status;
    const bool open = status.sessionOpen;
    const Budget limits = snapshot.run.settings.budget;
    const RunState& run = snapshot.run;
    const bool asks = run.tokensSpent > 0 || status.reservedTokens > 0 || !status.models.empty();
    for (QWidget* one : std::initializer_list<QWidget*>{m_evaluations, m_wall, m_best})
        one->setVisible(open);
    m_tokens->setVisible(open && (asks || limits.tokens > 0));
    m_cost->setVisible(open && (asks || limits.costMicroUsd > 0));
    m_noGain->setVisible(open && limits.noGain > 0);
    sayWhereOneBegins();
    const QString usedUp = usedUpBudget(snapshot);
    m_extend->setVisible(!usedUp.isEmpty());
    m_extend->setToolTip(usedUp);
    showState();
    m_run->setVisible(!m_activity.isHeldUp()); // green would say that something moves
    const bool running = m_activity.activity == Activity::Running;
    const QString kind = running ? u"running"_s : u"flat"_s;
    if (m_run->property("kind").toString() != kind) {
        m_run->setText(running ? tr("Running") : tr("Run"));
        m_run->setIcon(icon(u"play"_s, running ? Tint::Good : Tint::Secondary));
        restyle(m_run, "kind", kind);
    }
    tellWhatWaits();
    if (!open)
        return fitWords();
    const Budget& budget = snapshot.run.settings.budget;
    // What has begun has its place in the budget, and on the plot's axis: both figures stand here.
    const std::int64_t begun = run.evaluationsStarted, underWay = begun - run.evaluationsDone;
    m_evaluations->show(
        underWay > 0 ? u"%1 + %2"_s.arg(grouped(run.evaluationsDone), grouped(underWay)) : grouped(run.evaluationsDone),
        budget.evaluations ? grouped(budget.evaluations) : tr("no limit"),
        budget.evaluations ? static_cast<double>(begun) / static_cast<double>(budget.evaluations) : -1);
    QString counts = underWay > 0 ? tr("%1 have a result, %2 more are in progress or in review: %3 in all.")
                                        .arg(grouped(run.evaluationsDone), grouped(underWay), grouped(begun))
                                  : tr("All started evaluations have a result.");
    // The table and the plot number results, each once.
    if (const std::int64_t back = run.resultsEver - run.evaluationsDone; back > 0)
        counts += u' '
            + tr("The last result has number %1: rejections that were undone (%2) no longer count.")
                  .arg(grouped(run.resultsEver), grouped(back));
    if (run.settings.reviewPoliciesOf({}).canAsk() || run.waitingReviews > 0)
        counts += u' ' + tr("A rejected edit counts too.");
    m_evaluations->setToolTip(counts + u' ' + tr("Click to change the budget"));
    const std::int64_t ran = std::max(status.runNs, snapshot.run.runNs);
    m_wall->show(duration(ran),
        budget.wallSeconds > 0 ? duration(static_cast<std::int64_t>(budget.wallSeconds * 1e9)) : tr("no limit"),
        budget.wallSeconds > 0 ? static_cast<double>(ran) / 1e9 / budget.wallSeconds : -1);
    m_noGain->show(grouped(run.evaluationsSinceGain()), limits.noGain ? grouped(limits.noGain) : tr("no limit"),
        limits.noGain ? static_cast<double>(run.evaluationsSinceGain()) / static_cast<double>(limits.noGain) : -1);
    m_tokens->show(shortCount(run.tokensSpent), limits.tokens ? shortCount(limits.tokens) : tr("no limit"),
        limits.tokens ? static_cast<double>(run.tokensSpent) / static_cast<double>(limits.tokens) : -1);
    // Before the first answer nothing was spent that is known of; where a price is unknown, nothing ever will be.
    const bool isPriced = std::ranges::all_of(status.models, &ModelStatus::priced);
    m_cost->show(shortDollars(run.costMicroUsd, run.costMicroUsd == 0 && !isPriced ? 1 : run.unpriced),
        limits.costMicroUsd ? shortDollars(limits.costMicroUsd, 0) : tr("no limit"),
        limits.costMicroUsd ? static_cast<double>(run.costMicroUsd) / static_cast<double>(limits.costMicroUsd) : -1);
    m_best->show(snapshot.run);
    fitWords();
}

} // namespace tilewright::ui
