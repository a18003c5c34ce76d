// SPDX-License-Identifier: GPL-3.0-or-later
// What would become of a reply if it were given now: the same splitting and the same applier as in the run, on the text
// of the parent; nothing is stored. Pure.
#pragma once

#include <QString>
#include <QStringList>
#include <string>
#include <vector>

namespace tilewright::ui {

/// What the prompt asked for: a patch, or the whole block anew.
enum class AskedFor { Patch, Block };

/// One proposal of the reply.
struct PartCheck {
    bool applies = false;
    int added = 0, removed = 0; ///< lines
    QStringList repairs; ///< what had to be mended, for a person
    QStringList notes; ///< what is wrong or missing and needed no repair: "hunk 1: the @@ line counts wrong"
    QString rule; ///< "patch/no-match"; empty where it applies
    QString refusal; ///< one sentence
    int line = 0; ///< of the parent, 1-based, where the refusal knows one; else 0

    bool operator==(const PartCheck&) const = default;
};

struct ReplyCheck {
    std::vector<PartCheck> parts; ///< empty for an empty reply

    bool operator==(const ReplyCheck&) const = default;
    int applying() const;
};

ReplyCheck checkReply(
    const std::string& parent, const std::string& fileName, const std::string& reply, AskedFor askedFor);

/// The findings, a line each.
QStringList wordsOf(const ReplyCheck& check);

} // namespace tilewright::ui
