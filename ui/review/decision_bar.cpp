// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/decision_bar.h"

#include "core/model/reviews/review_queue.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/theme/theme.h"
#include "ui/widgets/room.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

DecisionBar::DecisionBar(const ActionRegistry& actions, QWidget* parent)
    : QFrame(parent)
    , m_actions(actions)
    , m_reason(new QLineEdit(this))
    , m_usual(new QToolButton(this))
    , m_menu(new QMenu(this))
    , m_word(new QLabel(this))
{
    setProperty("role", u"footer"_s);
    setObjectName(u"decisionBar"_s);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(px(12), px(9), px(12), px(9));
    row->setSpacing(px(8));
    m_edit = button(u"review.edit"_s, {}, u"edit"_s);
    m_reading << button(u"review.approve"_s, u"primary"_s, u"check"_s) << m_edit
              << button(u"review.reject"_s, u"danger"_s, u"x"_s);
    for (QWidget* each : m_reading)
        row->addWidget(each);
    m_reason->setObjectName(u"rejectReason"_s);
    m_reason->setAccessibleName(tr("Reason, shown to the model"));
    m_reason->setPlaceholderText(tr("Reason, shown to the model"));
    m_reading << m_reason;
    row->addWidget(m_reason, 1);
    m_usual->setObjectName(u"usualReasons"_s);
    m_usual->setIcon(icon(u"combo"_s, Tint::Secondary));
    m_usual->setAccessibleName(tr("Common reasons"));
    m_usual->setToolTip(m_usual->accessibleName());
    m_usual->setMenu(m_menu);
    m_usual->setPopupMode(QToolButton::InstantPopup);
    m_usual->setFixedSize(px(32), px(32));
    row->addWidget(m_usual);
    for (const QString& reason : {tr("numerics"), tr("too complex"), tr("no gain")}) {
        addChip(*row, reason);
        connect(m_menu->addAction(reason), &QAction::triggered, this, [this, reason] { addReason(reason); });
    }
    auto* defer = button(u"review.defer"_s, {}, u"forward"_s);
    auto* undo = button(u"review.undo"_s, {}, u"undo"_s);
    m_reading << defer << undo;
    row->addWidget(defer);
    row->addWidget(undo);

    m_accept = new QPushButton(icon(u"check"_s, Tint::Button), tr("Approve these edits"), this);
    m_accept->setObjectName(u"acceptEdit"_s);
    m_accept->setProperty("kind", u"primary"_s);
    auto* cancel = new QPushButton(icon(u"x"_s, Tint::Secondary), tr("Discard the edits"), this);
    cancel->setObjectName(u"cancelEdit"_s);
    m_editing << m_accept << cancel;
    row->addWidget(m_accept);
    row->addWidget(cancel);
    for (QPushButton* each : findChildren<QPushButton*>())
        if (each->property("kind").toString() != u"small"_s)
            each->setFixedHeight(px(32));
    m_word->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_word->setFont(fontOf(Type::Secondary));
    m_word->setProperty("tone", u"secondary"_s);
    m_word->setObjectName(u"decisionWord"_s);
    m_word->setTextFormat(Qt::PlainText);
    m_word->setWordWrap(true);
    m_word->setMinimumWidth(px(170));
    row->addWidget(m_word, 1);
    connect(m_accept, &QPushButton::clicked, this, &DecisionBar::accepted);
    connect(cancel, &QPushButton::clicked, this, &DecisionBar::cancelled);
    connect(m_reason, &QLineEdit::textEdited, this, &DecisionBar::reasonChanged);
    connect(m_reason, &QLineEdit::returnPressed, this, &DecisionBar::reasonEntered);
    m_reason->installEventFilter(this);
    const QAction& reject = m_actions[u"review.reject"_s];
    const auto follow = [this, &reject] {
        for (QPushButton* chip : m_chips)
            chip->setEnabled(reject.isEnabled());
        m_usual->setEnabled(reject.isEnabled());
    };
    follow();
    connect(&reject, &QAction::changed, this, follow);
    connect(&Theme::instance(), &Theme::changed, this, &DecisionBar::fitReason); // the text may be larger
    setMode(Mode::Reading);
}

QPushButton* DecisionBar::button(const QString& id, const QString& kind, const QString& sign)
{
    QAction& action = m_actions[id];
    auto* made = new QPushButton(this);
    m_brief.add(made);
    m_buttons[&action] = made;
    made->setObjectName(QString(id).replace(u'.', u'-'));
    if (!kind.isEmpty())
        made->setProperty("kind", kind);
    const Tint tint = kind == u"primary"_s ? Tint::Button : kind == u"danger"_s ? Tint::Bad : Tint::Secondary;
    made->setIcon(icon(sign, tint));
    const bool isOnAll = id == u"review.approve"_s || id == u"review.reject"_s || id == u"review.defer"_s;
    const auto follow = [this, made, &action, isOnAll] {
        const QString keys = action.shortcut().toString(QKeySequence::NativeText);
        const QString what = QString(action.text()).remove(u'&');
        m_brief.setWords(made,
            (isOnAll && m_count > 1 ? tr("%1 (%2)").arg(what).arg(m_count) : what)
                + (keys.isEmpty() ? QString() : u"  "_s + keys));
        made->setToolTip(action.toolTip());
        if (!action.isEnabled() && made->hasFocus())
            Q_EMIT focusFreed();
        made->setEnabled(action.isEnabled());
    };
    follow();
    connect(&action, &QAction::changed, made, follow);
    connect(this, &DecisionBar::countChanged, made, follow);
    connect(made, &QPushButton::clicked, this, [this, id, &action] {
        if (id == u"review.reject"_s && !reason().isEmpty())
            Q_EMIT reasonEntered(); // a key opens the reason, and never ends it
        else
            action.trigger();
    });
    return made;
}

void DecisionBar::addChip(QHBoxLayout& row, const QString& text)
{
    auto* chip = new QPushButton(text, this);
    chip->setProperty("kind", u"small"_s);
    chip->setToolTip(tr("Add this to the reason"));
    connect(chip, &QPushButton::clicked, this, [this, text] { addReason(text); });
    m_chips << chip;
    row.addWidget(chip);
}

void DecisionBar::addReason(const QString& text)
{
    const QString before = m_reason->text().trimmed();
    m_reason->setText(before.isEmpty() ? text : before + u", "_s + text);
    m_reason->setFocus();
    Q_EMIT reasonChanged();
}

/// The chips stand beside the line where there is room for both, else in its menu; the line shows all of what it asks
/// for.
void DecisionBar::fitReason()
{
    // What the rest needs without chips, with a short line for the reason.
    int rest = m_word->minimumWidth() + px(120) + m_usual->width() + px(40);
    for (const QWidget* each : m_reading)
        if (each != m_reason && !each->isHidden())
            rest += each->sizeHint().width() + px(8);
    m_brief.fit(rest, width());
    const int asked = m_reason->fontMetrics().horizontalAdvance(m_reason->placeholderText()) + px(24);
    int needed = asked + m_word->minimumWidth() + px(32), chips = 0;
    for (const QWidget* each : m_reading)
        if (each != m_reason && !each->isHidden())
            needed += each->sizeHint().width() + px(8);
    for (const QPushButton* chip : m_chips)
        chips += chip->sizeHint().width() + px(8);
    const bool isReading = m_mode == Mode::Reading, fit = needed + chips <= width();
    if (!fit)
        needed += m_usual->width() + px(8);
    for (QPushButton* chip : m_chips)
        chip->setVisible(isReading && fit);
    m_usual->setVisible(isReading && !fit);
    m_reason->setMinimumWidth(std::min(asked, std::max(px(120), asked + width() - needed)));
}

void DecisionBar::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    fitReason();
}

/// Signs alone, a short line for the reason, the usual ones in its menu.
QSize DecisionBar::minimumSizeHint() const
{
    int least = m_word->minimumWidth() + px(120) + px(40);
    for (const QWidget* each : m_mode == Mode::Reading ? m_reading : m_editing)
        if (each != m_reason && !each->isHidden())
            least += each->sizeHint().width() + px(8);
    if (m_mode == Mode::Reading)
        least += m_usual->width() - m_brief.toBeSaved();
    return {least, QFrame::minimumSizeHint().height()};
}

/// While it was hidden, nobody told it how large its parts have become.
void DecisionBar::showEvent(QShowEvent* event)
{
    QFrame::showEvent(event);
    fitReason();
}

bool DecisionBar::eventFilter(QObject* watched, QEvent* event)
{
    const bool leaves = watched == m_reason && event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (leaves)
        Q_EMIT focusFreed();
    return leaves || QFrame::eventFilter(watched, event);
}

void DecisionBar::setMode(Mode mode)
{
    const bool had = isAncestorOf(QApplication::focusWidget());
    m_mode = mode;
    for (QWidget* each : m_reading)
        each->setVisible(mode == Mode::Reading && (each != m_edit || m_count == 1));
    for (QWidget* each : m_editing)
        each->setVisible(mode != Mode::Reading);
    enableEditing();
    fitReason();
    if (had && mode == Mode::Reading)
        Q_EMIT focusFreed();
}

void DecisionBar::setObstacle(const QString& why)
{
    if (std::exchange(m_obstacle, why) == why)
        return;
    m_accept->setToolTip(why);
    m_accept->setAccessibleDescription(why);
    enableEditing();
}

void DecisionBar::enableEditing()
{
    const bool can = m_mode == Mode::Editing && m_obstacle.isEmpty();
    if (!can && m_mode == Mode::Editing && m_accept->hasFocus())
        Q_EMIT focusFreed(); // else the next key discards the edits
    m_accept->setEnabled(can);
    for (QWidget* each : m_editing) // a build can take long: the edit can be left meanwhile
        if (each != m_accept)
            each->setEnabled(m_mode == Mode::Editing || m_mode == Mode::Checked);
}

void DecisionBar::setCount(int count)
{
    if (std::exchange(m_count, count) == count)
        return;
    m_edit->setVisible(m_mode == Mode::Reading && count == 1);
    Q_EMIT countChanged();
    fitReason();
}

void DecisionBar::setReader(Reader reader)
{
    if (std::exchange(m_reader, reader) == reader)
        return;
    const QString words = reader == Reader::Model ? tr("Reason, shown to the model")
        : reader == Reader::Person                ? tr("Reason, shown in prompts")
                                                  : tr("Reason, kept in the session");
    m_reason->setAccessibleName(words);
    m_reason->setPlaceholderText(words);
    fitReason();
}

void DecisionBar::setWord(const QString& word, Reason reason)
{
    const bool isLacking = reason == Reason::Lacking;
    m_word->setText(word);
    restyle(m_word, "tone", isLacking ? u"bad"_s : u"secondary"_s);
    restyle(m_reason, "invalid", isLacking);
    m_reason->setAccessibleDescription(isLacking ? word : QString());
}

QString DecisionBar::reason() const { return m_reason->text().trimmed(); }
void DecisionBar::setReason(const QString& reason) { m_reason->setText(reason); } // its Ctrl+Z does not undo this
void DecisionBar::askForReason() { m_reason->setFocus(); }

void DecisionBar::press(const QAction* order)
{
    if (const auto found = m_buttons.find(order); found != m_buttons.end())
        found->second->setDown(true);
}

void DecisionBar::release()
{
    for (const auto& [order, button] : m_buttons)
        button->setDown(false);
}

namespace {

/// What became of it, and where the next word is wanted: keys that decide do nothing here.
QString whatBecameOf(const RunState& run, const Candidate& candidate, const QString& next)
{
    const QString state = u"%1: %2."_s.arg(nameOfCandidate(candidate.id), stateWords(run, candidate));
    return state + u' '
        + (next.isEmpty() ? DecisionBar::tr("No pending reviews.")
                          : DecisionBar::tr("%1 goes to the pending reviews.").arg(next));
}

QString askedForReason(const WordAtHand& word)
{
    if (!word.reason.isEmpty())
        return DecisionBar::tr("Return rejects it with this reason. Esc cancels; it stays pending.");
    if (word.asksReason == ReasonAsked::InVain)
        return DecisionBar::tr("A rejection needs a reason: write what is wrong, then press Return. Esc cancels.");
    return word.reader == DecisionBar::Reader::Nobody
        ? DecisionBar::tr("State in a few words what is wrong.")
        : DecisionBar::tr("State in a few words what is wrong; prompts contain it.");
}

} // namespace

QString whyItWaits(const RunState& run, const Candidate& candidate)
{
    const Review* review = ownReview(run, candidate);
    if (!review || !review->isWaiting())
        return {};
    const QString name = nameOfCandidate(candidate.id);
    if (review->risks.empty() || reviewPolicyOf(run, candidate) == ReviewPolicy::Every)
        return run.settings.reviewPoliciesOf(candidate.island).common()
            ? DecisionBar::tr("%1 needs a review: the policy of its island covers every edit.").arg(name)
            : DecisionBar::tr("%1 needs a review: the policy of its kind of proposer covers every edit.").arg(name);
    QStringList risks;
    for (const std::string& each : review->risks)
        risks << text(each);
    return DecisionBar::tr("%1 needs a review: %2").arg(name, risks.join(u"; "_s));
}

QString decisionWords(const RunState& run, const Candidate& candidate, const WordAtHand& word)
{
    if (word.asksReason != ReasonAsked::No)
        return askedForReason(word);
    if (word.chosen > 1)
        return DecisionBar::tr("%1 are selected: the decision and its reason apply to all of them.").arg(word.chosen);
    if (!word.waits)
        return ownReview(run, candidate) || editedFrom(run, candidate)
            ? whatBecameOf(run, candidate, word.next)
            : DecisionBar::tr("%1 needs no decision").arg(nameOfCandidate(candidate.id));
    if (word.hasDraft)
        return DecisionBar::tr("Your edits are kept; Edit continues them.");
    if (word.isElsewhere)
        return DecisionBar::tr("Your decision is recorded. Measurement continues only on the device of this session, "
                               "which is not on this machine.");
    if (word.reason.isEmpty())
        return DecisionBar::tr("Approve queues its measurement.");
    return word.reason == word.givenBack
        ? DecisionBar::tr("Reject ends it, with this reason.")
        : DecisionBar::tr("Reject ends it, with this reason; Approve keeps the reason as a note.");
}

} // namespace tilewright::ui
