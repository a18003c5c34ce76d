// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of `tilewright-cli control` drawn at random from the table of control commands, so that a new command takes
// part by itself: words are drawn by the placeholders of its form, options by their names. A placeholder or an option
// that is not known here is reported by missing().
#pragma once

#include <QStringList>
#include <cstdint>
#include <set>
#include <string>

namespace tilewright::testing {

/// What can be named in a call.
struct Nameable {
    std::int64_t candidates = 1, islands = 4;
    QStringList waiting; ///< candidates that wait for a review
    QStringList templates, models, proposers;
    QString program, templateText; ///< files for --source
    std::int64_t event = 1; ///< the newest of the record
};

class RandomCommands
{
public:
    explicit RandomCommands(std::uint64_t seed)
        : m_seed(seed)
    {
    }

    /// The next call's words, the command's name first. Commands that are named here are left out.
    QStringList next(const Nameable& nameable, const std::set<std::string>& without);
    /// Placeholders and options that no words are known for; empty while the table has none of these.
    const QStringList& missing() const { return m_missing; }

private:
    std::uint64_t m_seed, m_number = 0;
    QStringList m_missing;
};

} // namespace tilewright::testing
