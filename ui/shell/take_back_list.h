// SPDX-License-Identifier: GPL-3.0-or-later
// The list of what can be taken back while it is made: each kind of order puts its own into it. GUI thread.
#pragma once

#include "ui/shell/take_back.h"

#include <optional>

namespace tilewright::ui {

/// Once the text of the session is there.
void withText(Session& session, const Hash& hash, std::function<void(const QString&)> then);

class TakeBackList
{
public:
    explicit TakeBackList(const Desk& desk);

    /// An order that the run tells of: whether it was given in this window, and can be taken back at all, is added.
    void put(TakeBack one);
    void putAsTold(TakeBack one) { m_all.push_back(std::move(one)); }
    /// What was put last, to be given more words.
    TakeBack& last() { return m_all.back(); }
    /// What is over for good, and why; the newest of this window's is told.
    void addOver(const QString& words, const QString& why, std::int64_t seq);

    /// "The run is paused", where it does not go on, and why; empty where it does.
    const QString& rests() const { return m_rests; }

    /// These end the list.
    std::vector<TakeBack> newestFirst();
    /// With what is over for good, in its place.
    std::vector<TakeBack> newestFirstAndOver();

private:
    std::int64_t m_openedAt;
    QString m_rests, m_why; ///< why: nothing of the session can be taken back
    std::vector<TakeBack> m_all;
    std::optional<TakeBack> m_over; ///< the newest
};

/// Why the word on a candidate that is under way came too late.
QString busyWords(const Candidate& candidate);

} // namespace tilewright::ui
