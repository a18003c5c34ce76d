// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/take_back_list.h"

#include "ui/models/format.h"
#include "ui/session/text_slot.h"

#include <QCoreApplication>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

QString ofList(const char* words) { return QCoreApplication::translate("TakeBack", words); }

} // namespace

void withText(Session& session, const Hash& hash, std::function<void(const QString&)> then)
{
    if (hash.isNull())
        return then({});
    auto* slot = new TextSlot(session, &session);
    QObject::connect(&session, &Session::replaced, slot, &QObject::deleteLater);
    QObject::connect(slot, &TextSlot::ready, slot, [slot, then = std::move(then)](const QString& text) {
        slot->deleteLater();
        then(text);
    });
    slot->request(hash);
}

TakeBackList::TakeBackList(const Desk& desk)
    : m_openedAt(desk.session.openedAt())
{
    const EngineStatus& status = desk.session.snapshot().status;
    if (!status.sessionOpen || status.readOnly)
        m_why = ofList("the session is only looked at");
    const bool isPaused = status.pausing || status.phase == events::Phase::Paused;
    if (isPaused || status.phase != events::Phase::Running)
        m_rests = !status.elsewhere.empty() ? ofList("This machine has no device of this session")
            : isPaused                      ? ofList("The run is paused")
                                            : ofList("The run rests");
}

void TakeBackList::put(TakeBack one)
{
    if (!m_why.isEmpty())
        one.why = m_why;
    one.isEarlier = one.seq <= m_openedAt;
    m_all.push_back(std::move(one));
}

void TakeBackList::addOver(const QString& words, const QString& why, std::int64_t seq)
{
    if (seq > m_openedAt && (!m_over || seq > m_over->seq))
        m_over = TakeBack{u"over %1"_s.arg(seq), words, why, seq, false, {}};
}

std::vector<TakeBack> TakeBackList::newestFirst()
{
    std::ranges::stable_sort(m_all, std::ranges::greater{}, &TakeBack::seq);
    if (m_all.size() > mostTakeBacks)
        m_all.resize(mostTakeBacks);
    return std::move(m_all);
}

std::vector<TakeBack> TakeBackList::newestFirstAndOver()
{
    std::vector<TakeBack> all = newestFirst();
    if (m_over) {
        const auto place = std::ranges::find_if(all, [this](const TakeBack& each) { return each.seq <= m_over->seq; });
        all.insert(place, std::move(*m_over));
    }
    return all;
}

QString busyWords(const Candidate& candidate)
{
    return ofList("%1 is being measured").arg(nameOfCandidate(candidate.id));
}

} // namespace tilewright::ui
