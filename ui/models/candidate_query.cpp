// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/candidate_query.h"

#include "core/model/requests/conversation.h"
#include "ui/models/display_text.h"
#include "ui/theme/words.h"

#include <QStringList>
#include <algorithm>
#include <array>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

struct FieldName {
    const char* name;
    QueryField field;
    bool isNumber;
};

constexpr std::array<FieldName, 14> fieldNames{
    {{"score", QueryField::Score, true}, {"vendor", QueryField::Vendor, true}, {"gen", QueryField::Generation, true},
        {"eval", QueryField::Evaluation, true}, {"island", QueryField::Island, false},
        {"state", QueryField::State, false}, {"outcome", QueryField::Outcome, false}, {"rule", QueryField::Rule, false},
        {"moves", QueryField::Moves, false}, {"by", QueryField::By, false}, {"parent", QueryField::Parent, false},
        {"tag", QueryField::Tag, false}, {"mark", QueryField::Mark, false}, {"note", QueryField::Note, false}}};

QString knownFields()
{
    QStringList names;
    for (const FieldName& one : fieldNames)
        names << QLatin1String(one.name);
    return names.join(u", "_s);
}

struct Piece {
    int at = 0;
    QString text;
    bool closed = true; ///< no quote is left open
};

/// At blanks, but not within quotes.
std::vector<Piece> piecesOf(const QString& typed)
{
    std::vector<Piece> pieces;
    Piece piece;
    bool quoted = false;
    for (int i = 0; i <= typed.size(); ++i) {
        if (i == typed.size() || (typed[i].isSpace() && !quoted)) {
            piece.closed = !quoted;
            if (!piece.text.isEmpty())
                pieces.push_back(piece);
            piece = {i + 1, {}, true};
            continue;
        }
        quoted = quoted != (typed[i] == u'"');
        piece.text += typed[i];
    }
    return pieces;
}

std::pair<QuerySign, int> signAt(const QString& text, int at)
{
    const bool orEqual = at + 1 < text.size() && text[at + 1] == u'=';
    switch (text[at].unicode()) {
    case u'>':
        return orEqual ? std::pair(QuerySign::AtLeast, 2) : std::pair(QuerySign::Above, 1);
    case u'<':
        return orEqual ? std::pair(QuerySign::AtMost, 2) : std::pair(QuerySign::Below, 1);
    case u'=':
        return {QuerySign::Equal, 1};
    default:
        return {QuerySign::Holds, 1};
    }
}

bool compares(double value, QuerySign sign, double with)
{
    switch (sign) {
    case QuerySign::Below:
        return value < with;
    case QuerySign::AtMost:
        return value <= with;
    case QuerySign::AtLeast:
        return value >= with;
    case QuerySign::Above:
        return value > with;
    case QuerySign::Holds:
    case QuerySign::Equal:
        break;
    }
    return value == with;
}

std::optional<double> numberOf(const Candidate& candidate, QueryField field)
{
    switch (field) {
    case QueryField::Score: // a score counts only where it ranks, as in the table
        return candidate.isRanked() ? std::optional(candidate.score->value) : std::nullopt;
    case QueryField::Vendor:
        return candidate.isRanked() && candidate.vsVendor ? std::optional(candidate.vsVendor->value) : std::nullopt;
    case QueryField::Generation:
        return candidate.generation;
    case QueryField::Evaluation:
        return candidate.resultNumber ? std::optional(static_cast<double>(candidate.resultNumber)) : std::nullopt;
    default:
        return std::nullopt;
    }
}

QString fieldWords(const RunState& run, const Candidate& candidate, QueryField field)
{
    const auto joined = [](const std::vector<std::string>& parts) {
        QString all;
        for (const std::string& part : parts)
            all += text(part) + u' ';
        return all;
    };
    switch (field) {
    case QueryField::State:
        return stateWords(candidate);
    case QueryField::Outcome:
        return words(candidate.outcome) + u' ' + text(nameOf(candidate.outcome));
    case QueryField::Rule:
        return text(candidate.rule);
    case QueryField::Moves:
        return joined(candidate.moves);
    case QueryField::By: {
        const Proposal* proposal = run.proposal(candidate.proposal);
        return proposal ? text(authorOf(run, *proposal)) : QString();
    }
    case QueryField::Mark: // "star" finds what is starred, "disputed" what a re-run contradicts
        return text(wordsOf(run.marksOf(candidate.id))) + (isBanned(run, candidate.id) ? u" banned"_s : QString())
            + (candidate.disputed ? u" disputed"_s : QString());
    case QueryField::Note:
        return text(run.marksOf(candidate.id).note);
    case QueryField::Parent: {
        QString all;
        for (const CandidateId parent : candidate.parents)
            all += nameOfCandidate(parent) + u' ';
        return all;
    }
    default:
        return nameOfCandidate(candidate.id) + u' ' + stateWords(candidate) + u' ' + text(candidate.rule) + u' '
            + text(candidate.text) + u' ' + joined(candidate.moves);
    }
}

bool holds(const RunState& run, const Candidate& candidate, const QueryTerm& term)
{
    if (term.field == QueryField::Island)
        return text(islandLetter(candidate.island)).compare(term.word, Qt::CaseInsensitive) == 0;
    if (term.field == QueryField::Tag)
        return std::ranges::any_of(run.marksOf(candidate.id).tags,
            [&](const std::string& tag) { return text(tag).compare(term.word, Qt::CaseInsensitive) == 0; });
    const bool isNumber = term.field == QueryField::Score || term.field == QueryField::Vendor
        || term.field == QueryField::Generation || term.field == QueryField::Evaluation;
    if (!isNumber)
        return fieldWords(run, candidate, term.field).contains(term.word, Qt::CaseInsensitive);
    const std::optional<double> value = numberOf(candidate, term.field);
    return value && compares(*value, term.sign, term.number);
}

} // namespace

CandidateQuery CandidateQuery::parse(const QString& typed)
{
    CandidateQuery query;
    for (const Piece& piece : piecesOf(typed)) {
        const auto wrong = [&](int at, int length, const QString& why) {
            query.problem = QueryProblem{piece.at + at, std::max(length, 1), why};
        };
        QString body = piece.text;
        const int start = body.startsWith(u'!') ? 1 : 0;
        QueryTerm term;
        term.negated = start == 1;
        body = body.mid(start);
        if (!piece.closed) {
            wrong(0, static_cast<int>(piece.text.size()), tr("a quotation mark is not closed"));
            break;
        }
        int at = 0;
        while (at < body.size() && body[at].isLetter())
            ++at;
        const bool hasSign = at > 0 && at < body.size() && QStringView(u":<>=").contains(body[at]);
        if (!hasSign) {
            term.word = QString(body).remove(u'"');
            if (!term.word.isEmpty())
                query.terms.push_back(term);
            continue;
        }
        const QString name = body.left(at);
        const auto found = std::ranges::find_if(fieldNames,
            [&](const FieldName& one) { return name.compare(QLatin1String(one.name), Qt::CaseInsensitive) == 0; });
        if (found == fieldNames.end()) {
            wrong(start, at, tr("unknown field %1; fields are %2").arg(name, knownFields()));
            break;
        }
        const auto [sign, length] = signAt(body, at);
        const QString value = body.mid(at + length).remove(u'"');
        const int valueAt = start + at + length;
        term.field = found->field;
        term.sign = sign;
        if (value.isEmpty()) {
            wrong(start, at + length, tr("%1 needs a value").arg(body.left(at + length)));
            break;
        }
        if (found->isNumber) {
            bool known = false;
            term.number = value.toDouble(&known);
            if (!known) {
                wrong(valueAt, static_cast<int>(value.size()), tr("%1 is not a number").arg(value));
                break;
            }
        } else if (sign != QuerySign::Holds && sign != QuerySign::Equal) {
            wrong(start + at, length, tr("%1 can only be compared with :").arg(name));
            break;
        } else {
            term.sign = QuerySign::Holds;
            term.word = value;
        }
        query.terms.push_back(term);
    }
    return query;
}

bool CandidateQuery::accepts(const RunState& run, const Candidate& candidate) const
{
    return std::ranges::all_of(
        terms, [&](const QueryTerm& term) { return holds(run, candidate, term) != term.negated; });
}

QString queryHelp()
{
    return tr("score>30 · vendor>=1 · gen<5 · eval=12 · island:C · state:confirmed · outcome:ranked · rule:verify · "
              "moves:pack-b · by:tuner · parent:c-0042 · tag:odd · mark:starred · note:word · \"two words\" · !term to "
              "exclude · words without a field are searched for in name, state, rule and moves. Enter or Escape closes "
              "this help.");
}

/// One that was taken back may have some that were measured.
static bool holdsCandidates(const RunState& run, IslandId island)
{
    return std::ranges::any_of(
        run.candidates, [island](const Candidate& each) { return each.island == island && !each.takenBack; });
}

static QString unknownIslands(const RunState& run, const CandidateQuery& query)
{
    QStringList unknown, known;
    for (const Island& island : run.islands)
        if (!island.unmade || holdsCandidates(run, island.id))
            known << text(islandLetter(island.id));
    for (const QueryTerm& term : query.terms)
        if (term.field == QueryField::Island && !known.contains(term.word, Qt::CaseInsensitive))
            unknown << term.word;
    return unknown.isEmpty() ? QString()
                             : tr("Unknown island %1; islands are %2.").arg(unknown.join(u", "_s), known.join(u", "_s));
}

static QString unknownStates(const RunState& run, const CandidateQuery& query)
{
    QStringList unknown, known;
    for (const QueryTerm& term : query.terms)
        if (term.field == QueryField::State && !term.negated)
            unknown << term.word;
    if (unknown.isEmpty())
        return {};
    for (const Candidate& candidate : run.candidates)
        if (const QString state = stateWords(candidate); !known.contains(state))
            known << state;
    unknown.removeIf([&known](const QString& word) {
        return std::ranges::any_of(
            known, [&word](const QString& each) { return each.contains(word, Qt::CaseInsensitive); });
    });
    known.sort();
    return unknown.isEmpty()
        ? QString()
        : tr("No candidate has the state %1; states are %2.").arg(unknown.join(u", "_s), known.join(u", "_s));
}

QString unknownWords(const RunState& run, const CandidateQuery& query)
{
    return QStringList{unknownIslands(run, query), unknownStates(run, query)}.join(u' ').trimmed();
}

} // namespace tilewright::ui
