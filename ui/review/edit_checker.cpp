// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/edit_checker.h"

#include "ui/models/format.h"

#include <chrono>
#include <utility>

namespace tilewright::ui {
namespace {

constexpr std::chrono::milliseconds restBeforeCheck{700}; ///< a build costs more than a comparison

} // namespace

EditChecker::EditChecker(const Desk& desk, EditAs as, QObject* parent)
    : QObject(parent)
    , m_desk(desk)
    , m_as(as)
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(restBeforeCheck);
    connect(&m_rest, &QTimer::timeout, this, &EditChecker::askNow);
    connect(&desk.session, &Session::editChecked, this, [this](quint64 tag, const EditCheck& check) {
        if (tag != m_tag)
            return; // of a text that was changed since
        m_tag = 0;
        m_progress = {EditProgress::Step::Known, check};
        Q_EMIT known();
        Q_EMIT progressed();
    });
    connect(&desk.session, &Session::editCheckCancelled, this, [this](quint64 tag) {
        if (tag != m_tag)
            return;
        m_tag = 0;
        m_progress = {EditProgress::Step::Cancelled, {}};
        Q_EMIT cancelled();
        Q_EMIT progressed();
    });
}

bool EditChecker::isKnownBad() const
{
    return m_progress.step == EditProgress::Step::Known && !m_progress.check.isGood();
}

int EditChecker::line() const { return isKnownBad() ? m_progress.check.line : 0; }

QString EditChecker::complaint() const
{
    if (!isKnownBad())
        return {};
    const Error& why = m_progress.check.why;
    const QString words
        = why.hint.empty() ? ui::text(why.text) : tr("%1 — %2").arg(ui::text(why.text), ui::text(why.hint));
    return m_progress.check.end == EditCheckEnd::Broken ? tr("It does not build: %1").arg(words)
                                                        : tr("It cannot be taken: %1").arg(words);
}

void EditChecker::open(CandidateId candidate, const QString& original)
{
    drop();
    m_candidate = candidate;
    m_original = original;
    m_text.clear();
    m_progress = {};
}

bool EditChecker::take(const QString& text)
{
    if (text == m_text)
        return false;
    m_text = text;
    drop();
    const bool isOwn = text == m_original;
    m_progress = {isOwn ? EditProgress::Step::Unchanged : EditProgress::Step::Typing, {}};
    if (!isOwn)
        m_rest.start();
    return true;
}

void EditChecker::askNow()
{
    m_rest.stop();
    if (m_tag)
        return;
    m_progress = {EditProgress::Step::Running, {}};
    m_tag = m_desk.session.checkEdit(m_candidate, m_text, m_as);
    Q_EMIT progressed();
}

void EditChecker::drop()
{
    m_rest.stop();
    if (const quint64 tag = std::exchange(m_tag, 0))
        m_desk.session.dropEditCheck(tag);
}

} // namespace tilewright::ui
