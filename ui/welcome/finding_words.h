// SPDX-License-Identifier: GPL-3.0-or-later
// What `tilewright-cli doctor` found, in words for whoever has not met the tool's names before: what it is, and what it
// means to have it or not. Pure.
#pragma once

#include <QJsonObject>
#include <QString>

namespace tilewright::ui {

struct FindingWords {
    QString title; ///< "C++ compiler"
    QString meaning; ///< "builds the programs that are tried"
    QString term; ///< the doctor's own name and words, for a tooltip
};

/// finding: one of `doctor --json`. One that is not known is told in the doctor's own words.
FindingWords wordsOfFinding(const QJsonObject& finding);

} // namespace tilewright::ui
