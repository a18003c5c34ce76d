// SPDX-License-Identifier: GPL-3.0-or-later
// One row that the finder can show: what it is, where it leads, and which part of it matched. A value.
#pragma once

#include "core/base/ids.h"

#include <QMetaType>
#include <QString>

namespace tilewright::ui {

struct Found {
    /// In the order in which they are shown. NotNow: an action that is not possible; aside says why.
    enum class Kind { Action, Place, Candidate, Code, BuildLog, Event, NotNow };

    Kind kind = Kind::Action;
    QString text; ///< what is shown, in one line
    int start = 0, length = 0; ///< of what matched in it; nothing is emphasised where the length is 0
    QString aside; ///< at the right: keys, a score, "line 12"
    CandidateId candidate = {};
    IslandId island = {};
    int line = 0; ///< of its text, 1-based; of an event: its row in the log
    QString action = {}; ///< id of it
    std::size_t place = 0; ///< index among the places
    bool isMore = false; ///< it stands for further lines of the same text

    bool operator==(const Found&) const = default;
};

} // namespace tilewright::ui

Q_DECLARE_METATYPE(tilewright::ui::Found)
