// SPDX-License-Identifier: GPL-3.0-or-later
// What a user types to find candidates: `score>30 island:C moves:pack-b outcome:ranked text`. Every term must hold; a
// word without a field must occur in the candidate's name, state, rule or moves; `!` before a term turns it round;
// quotes keep blanks. Pure.
#pragma once

#include "core/model/run_state.h"

#include <QCoreApplication>
#include <QString>
#include <optional>
#include <vector>

namespace tilewright::ui {

enum class QueryField {
    Text,
    Score,
    Vendor,
    Generation,
    Evaluation,
    Island,
    State,
    Outcome,
    Rule,
    Moves,
    By,
    Parent,
    Tag,
    Mark,
    Note
};
enum class QuerySign { Holds, Below, AtMost, Equal, AtLeast, Above };

struct QueryTerm {
    QueryField field = QueryField::Text;
    QuerySign sign = QuerySign::Holds;
    QString word; ///< of fields that are words
    double number = 0; ///< of fields that are numbers
    bool negated = false;

    bool operator==(const QueryTerm&) const = default;
};

struct QueryProblem {
    int at = 0, length = 0; ///< in what was typed
    QString text;
};

struct CandidateQuery {
    std::vector<QueryTerm> terms;
    std::optional<QueryProblem> problem; ///< the first; the terms are those before it

    static CandidateQuery parse(const QString& typed);
    bool empty() const { return terms.empty(); }
    bool accepts(const RunState& run, const Candidate& candidate) const;

    Q_DECLARE_TR_FUNCTIONS(tilewright::ui::CandidateQuery)
};

/// One line a field, for the help on `?`.
QString queryHelp();
/// "Unknown island Z; islands are A, B.", and the same of states; empty where all that are asked for are there. An
/// island that was taken back is there if it holds candidates.
QString unknownWords(const RunState& run, const CandidateQuery& query);

} // namespace tilewright::ui
