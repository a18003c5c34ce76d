// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/mark_order.h"

#include "ui/models/format.h"
#include "ui/theme/words.h"

#include <algorithm>

namespace tilewright::ui {

namespace {

/// Where the log tells last that this one was marked; 0 where it does not.
std::int64_t markedAt(const RunState& run, CandidateId id)
{
    const std::string sign = candidateName(id) + " was marked: ";
    for (std::size_t i = run.log.size(); i > 0; --i)
        if (const LogLine& line = run.log[i - 1]; line.candidate == id && line.text.starts_with(sign))
            return line.seq;
    return 0;
}

} // namespace

void MarkOrder::forget()
{
    m_seen.clear();
    m_order.clear();
}

void MarkOrder::follow(const RunState& run)
{
    std::vector<std::pair<CandidateId, std::size_t>> grown;
    for (const auto& [id, held] : run.marks)
        if (const std::size_t seen = m_seen[id]; held.size() > seen)
            grown.emplace_back(id, held.size() - seen);
    if (grown.size() > 1) {
        std::map<CandidateId, std::int64_t> told;
        for (const auto& [id, count] : grown)
            told[id] = markedAt(run, id);
        std::ranges::stable_sort(grown, {}, [&told](const auto& each) { return told[each.first]; });
    }
    for (auto& [id, seen] : m_seen) {
        const auto held = run.marks.find(id);
        const std::size_t now = held == run.marks.end() ? 0 : held->second.size();
        for (; seen > now; --seen)
            if (const auto last = std::find(m_order.rbegin(), m_order.rend(), id); last != m_order.rend())
                m_order.erase(std::next(last).base());
        seen = now;
    }
    for (const auto& [id, count] : grown)
        m_order.insert(m_order.end(), count, id);
}

QString undoMarkWords(const RunState& run, CandidateId id)
{
    const auto held = run.marks.find(id);
    if (held == run.marks.end() || held->second.empty())
        return tr("&Undo the last mark");
    const std::vector<Marks>& all = held->second;
    const Marks now = all.back(), before = all.size() > 1 ? all[all.size() - 2] : Marks{};
    const QString name = nameOfCandidate(id);
    if (now.banned != before.banned)
        return now.banned ? tr("&Undo ban of %1").arg(name) : tr("&Undo lifting the ban of %1").arg(name);
    if (now.pinned != before.pinned)
        return now.pinned ? tr("&Undo pin of %1").arg(name) : tr("&Undo unpinning %1").arg(name);
    if (now.starred != before.starred)
        return now.starred ? tr("&Undo star of %1").arg(name) : tr("&Undo taking the star from %1").arg(name);
    if (now.boost != before.boost)
        return tr("&Undo boost ×%1 of %2").arg(now.boost).arg(name);
    return now.tags != before.tags ? tr("&Undo tags of %1").arg(name) : tr("&Undo note of %1").arg(name);
}

} // namespace tilewright::ui
