// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/send_once_bar.h"

#include "core/engine/proposals/proposing.h"
#include "core/model/requests/steering_progress.h"
#include "ui/models/display_text.h"
#include "ui/models/rule_words.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr const char* chooseProposer = "run.proposer"; ///< where the line beside the button leads
} // namespace

SendOnceBar::SendOnceBar(const ViewContext& context, QWidget* parent)
    : QFrame(parent)
    , m_context(context)
    , m_send(new QPushButton(icon(u"play"_s, Tint::Secondary), tr("Send once"), this))
    , m_takeBack(new QPushButton(icon(u"undo"_s, Tint::Secondary), tr("Undo"), this))
    , m_state(new QLabel(this))
{
    setProperty("role", u"footer"_s);
    m_send->setObjectName(u"sendOnce"_s);
    m_takeBack->setObjectName(u"takeSendBack"_s);
    m_takeBack->setProperty("kind", u"small"_s);
    m_takeBack->setToolTip(tr("It was not sent yet"));
    m_state->setObjectName(u"sendOnceState"_s);
    m_state->setTextFormat(Qt::RichText);
    m_state->setWordWrap(true);
    m_state->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_state->setFont(fontOf(Type::Secondary));
    m_state->setProperty("tone", u"secondary"_s);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(px(12), px(8), px(12), px(8));
    row->setSpacing(px(8));
    row->addWidget(m_send);
    row->addWidget(m_state, 1);
    row->addWidget(m_takeBack);
    connect(m_send, &QPushButton::clicked, this, [this] {
        m_refused.clear();
        m_asked = true;
        m_steeringRequestsSeen = m_context.session.run().steeringRequests.size();
        Q_EMIT wanted();
    });
    connect(m_takeBack, &QPushButton::clicked, this, [this] {
        if (const SteeringRequest* steering = sent())
            m_context.session.execute(commands::Undo{{steering->seq}});
    });
    connect(m_state, &QLabel::linkActivated, this, [this](const QString& link) {
        if (link == QLatin1String(chooseProposer))
            return m_context.actions[u"run.proposer"_s].trigger();
        m_context.selection.select(candidateFromName(link.toStdString()));
        m_context.actions[u"mode.evolve"_s].trigger();
    });
    connect(&context.session, &SessionClient::failed, this,
        [this](const QString&, const QString& words, const QString& hint) {
            if (m_asked)
                refuse(hint.isEmpty() ? words : tr("%1 — %2").arg(words, hint));
        });
}

const SteeringRequest* SendOnceBar::sent() const
{
    const std::vector<SteeringRequest>& steeringRequests = m_context.session.run().steeringRequests;
    const auto found
        = std::find_if(steeringRequests.rbegin(), steeringRequests.rend(), [this](const SteeringRequest& steering) {
              return steering.prompt && steering.prompt.changed == m_key.name && !steering.withdrawn
                  && (!m_key.island || steering.prompt.island == m_key.island);
          });
    return found == steeringRequests.rend() ? nullptr : &*found;
}

void SendOnceBar::refuse(const QString& why)
{
    m_asked = false;
    m_refused = why;
    m_state->setText(tr("Not sent: %1").arg(why.toHtmlEscaped()));
}

void SendOnceBar::show(const TemplateKey& key, const QString& hindrance)
{
    if (!(key == m_key))
        m_refused.clear();
    m_key = key;
    const RunState& run = m_context.session.run();
    m_asked = m_asked && run.steeringRequests.size() == m_steeringRequestsSeen;
    m_send->setEnabled(hindrance.isEmpty() && !m_asked);
    m_send->setToolTip(
        hindrance.isEmpty() ? tr("Send the prompt above one time, as it is; the templates do not change") : hindrance);
    const SteeringRequest* steering = sent();
    const bool waits = steering && steering->isOpen();
    m_takeBack->setVisible(waits && !m_context.session.snapshot().status.readOnly);
    if (!m_refused.isEmpty())
        return m_state->setText(tr("Not sent: %1").arg(m_refused.toHtmlEscaped()));
    // Why it cannot be pressed is said beside it: a tooltip is not found by whoever does not look for it.
    if (!steering)
        return m_state->setText(readsPrompts(run.settings.proposer) || hindrance.isEmpty()
                ? hindrance.toHtmlEscaped()
                : tr("%1. <a href=\"%2\">Proposer…</a> in the menu Run changes what generates edits.")
                      .arg(hindrance.toHtmlEscaped(), QString::fromLatin1(chooseProposer)));
    const SteeringProgress progress = progressOf(run, *steering);
    const auto link = [](CandidateId id) { return u"<a href=\"%1\">%1</a>"_s.arg(nameOfCandidate(id)); };
    QString words = text(progress.words);
    if (steering->isForJudge() && !waits)
        words = text(wordsOf(run, judgementOf(run, steering->parent)));
    else if (const QString code = text(progress.rule); !code.isEmpty() && words.endsWith(code))
        words = words.chopped(code.size()) + ruleWords(progress.rule);
    words = words.toHtmlEscaped();
    if (progress.made)
        words.replace(nameOfCandidate(progress.made), link(progress.made));
    if (waits && run.phase != events::Phase::Running)
        words = tr("%1 when the run resumes").arg(words);
    m_state->setText(tr("Sent once, for %1: %2").arg(link(steering->parent), words));
}

} // namespace tilewright::ui
