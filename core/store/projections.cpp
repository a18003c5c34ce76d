// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/projections.h"

#include "core/model/event_members.h"
#include "core/model/requests/model_request.h"
#include "core/store/sql.h"

#include <QSqlError>
#include <QSqlRecord>
#include <array>
#include <cmath>

namespace tilewright {
namespace {

using Json = nlohmann::json;

struct Table {
    const char* name;
    const char* order;
};
constexpr std::array<Table, 11> projectionTables{{{"island", "run, id"}, {"template", "run, id"},
    {"model_call", "run, id"}, {"proposal", "run, id"}, {"program", "hash"}, {"candidate", "run, id"},
    {"candidate_parent", "run, candidate, rank"}, {"review", "run, id"}, {"evaluation", "run, id"},
    {"measurement", "run, evaluation, shape, slot, mode"}, {"niche", "run, island, cell"}}};

template <typename T> QVariant optional(const std::optional<T>& value)
{
    return value ? QVariant::fromValue(*value) : QVariant(QMetaType::fromType<T>());
}

QVariant number(std::int64_t value) { return static_cast<qlonglong>(value); }
QVariant idOrNull(std::int64_t value) { return value ? number(value) : QVariant(QMetaType(QMetaType::LongLong)); }
QVariant textOrNull(const std::string& text)
{
    return text.empty() ? QVariant(QMetaType(QMetaType::QString)) : toSql(text);
}

/// One prepared INSERT OR REPLACE for many rows.
class Insertion
{
public:
    Insertion(QSqlDatabase& database, const char* table, int columns)
        : m_query(database)
    {
        QString marks = QStringLiteral("?");
        for (int i = 1; i < columns; ++i)
            marks += QStringLiteral(", ?");
        m_ready = m_query.prepare(
            QStringLiteral("INSERT OR REPLACE INTO %1 VALUES(%2)").arg(QString::fromLatin1(table), marks));
    }

    void row(std::initializer_list<QVariant> values)
    {
        if (!m_ready || m_failed)
            return;
        int column = 0;
        for (const QVariant& value : values)
            m_query.bindValue(column++, value);
        m_failed = !m_query.exec();
    }

    Result<void> result() const
    {
        return m_ready && !m_failed ? Result<void>() : std::unexpected(errorOf(m_query.lastError()));
    }

private:
    QSqlQuery m_query;
    bool m_ready = false, m_failed = false;
};

Json idList(const std::vector<CandidateId>& ids)
{
    Json list = Json::array();
    for (const CandidateId id : ids)
        list.push_back(id.value);
    return list;
}

Result<void> writeIslands(QSqlDatabase& database, const RunState& state, const Touched& touched)
{
    Insertion islands(database, "island", 6), niches(database, "niche", 4);
    QSqlQuery forget(database);
    forget.prepare(QStringLiteral("DELETE FROM niche WHERE run = ? AND island = ?"));
    for (const IslandId id : touched.islands) {
        const Island* island = state.island(id);
        if (!island)
            continue;
        Json settings{{"focus", nameOf(island->focus)}, {"standing", nameOf(island->standing)}};
        if (island->mergedInto)
            settings["merged_into"] = island->mergedInto.value;
        if (const Json steering = jsonOf(island->steering); !steering.empty())
            settings["steering"] = steering;
        const Json inner{{"proposals", island->proposals}, {"admissions", island->admissions},
            {"best", island->best.value}, {"members", idList(island->members)},
            {"last_migration", island->lastMigration}};
        islands.row({number(state.run.value), number(id.value), toSql(island->name), toSql(island->strategy),
            toSqlText(settings), toSqlText(inner)});
        forget.bindValue(0, number(state.run.value));
        forget.bindValue(1, number(id.value));
        if (!forget.exec())
            return std::unexpected(errorOf(forget.lastError()));
        for (const auto& [cell, elite] : island->niches)
            niches.row({number(state.run.value), number(id.value), toSql(cell), number(elite.value)});
    }
    auto written = islands.result();
    return written ? niches.result() : written;
}

Result<void> writeProposals(QSqlDatabase& database, const RunState& state, const Touched& touched)
{
    Insertion rows(database, "proposal", 14);
    for (const ProposalId id : touched.proposals)
        if (const Proposal* p = state.proposal(id))
            rows.row({number(state.run.value), number(id.value), idOrNull(p->island.value), number(p->ordinal),
                toSql(p->proposer), toSql(nameOf(p->focus)), idOrNull(p->modelRequest.value), idOrNull(p->part),
                idOrNull(p->repairOf.value), toSql(p->reasoning), toSql(p->claim), toSql(nameOf(p->state)),
                textOrNull(p->rule), textOrNull(p->detail)});
    return rows.result();
}

/// What a model request went out with, so that its prompt can be made again.
Json refsOf(const ModelRequest& q)
{
    return {{"template_version", q.promptVersion.hex()}, {"system", q.system.hex()}, {"prompt", q.prompt.hex()},
        {"parents", idList(q.parents)}, {"repair_of", q.repairOf.value}, {"place", q.place}};
}

Result<void> writeModelRequests(QSqlDatabase& database, const RunState& state, const Touched& touched)
{
    Insertion rows(database, "model_call", 12);
    for (const ModelRequestId id : touched.modelRequests) {
        const ModelRequest* q = state.modelRequest(id);
        if (!q)
            continue;
        const ModelRequestAnswer& answer = q->answer;
        const bool open = q->state == ModelRequestState::Open;
        rows.row({number(state.run.value), number(id.value), toSql(nameOf(purposeOf(*q))),
            toSql(answer.model.empty() ? q->proposer : answer.model), textOrNull(q->promptName), toSqlText(refsOf(*q)),
            toSql(answer.reply), toSql(nameOf(q->state)), open ? QVariant() : toSqlText(Json(answer.tokens.total())),
            answer.costMicroUsd ? number(*answer.costMicroUsd) : QVariant(), number(q->askedNs),
            open ? QVariant() : number(q->answeredNs)});
    }
    return rows.result();
}

Result<void> writeCandidates(QSqlDatabase& database, const RunState& state, const Touched& touched)
{
    Insertion rows(database, "candidate", 21), parents(database, "candidate_parent", 4),
        programs(database, "program", 2);
    const QVariant none;
    for (const CandidateId id : touched.candidates) {
        const Candidate* c = state.candidate(id);
        if (!c)
            continue;
        const auto final
            = [&](double Interval::*part) { return c->score && c->confirmed ? QVariant((*c->score).*part) : none; };
        const Marks& marks = state.marksOf(id);
        const QVariant provisional = c->score && !c->confirmed ? QVariant(c->score->value) : none;
        rows.row({number(state.run.value), number(id.value), toSql(c->program), idOrNull(c->proposal.value),
            number(c->island.value), c->generation, toSql(c->patch),
            c->repairs.empty() ? none : toSqlText(Json(c->repairs)), toSqlText(Json(c->tunables)),
            idOrNull(c->tunedFrom.value), toSql(nameOf(c->stage) + "/" + nameOf(c->outcome)), provisional,
            final(&Interval::value), final(&Interval::lo), final(&Interval::hi),
            c->vsVendor ? QVariant(c->vsVendor->value) : none, c->confirmed ? 1 : 0, marks.pinned ? 1 : 0,
            marks.banned ? 1 : 0, marks.starred ? 1 : 0, textOrNull(marks.note)});
        for (std::size_t rank = 0; rank < c->parents.size(); ++rank)
            parents.row(
                {number(state.run.value), number(id.value), static_cast<int>(rank), number(c->parents[rank].value)});
        // One program, several texts: comments may differ. The first occurrence names the text; what was taken back
        // names its own as long as there is no other.
        if (const CandidateId* first = state.firstOfProgram.find(c->program); !first || *first == id)
            programs.row({toSql(c->program), toSqlText(Json{{"candidate", c->source.hex()}})});
    }
    for (const Insertion* insertion : {&rows, &parents, &programs})
        if (auto written = insertion->result(); !written)
            return written;
    return {};
}

Result<void> writeReviews(QSqlDatabase& database, const RunState& state, const Touched& touched)
{
    Insertion rows(database, "review", 8);
    for (const ReviewId id : touched.reviews)
        if (const Review* r = state.review(id))
            rows.row({number(state.run.value), number(id.value), number(r->candidate.value), toSql(nameOf(r->decision)),
                textOrNull(r->by), textOrNull(r->reason), idOrNull(r->edited.value), r->undone ? 1 : 0});
    return rows.result();
}

void writeShape(Insertion& rows, const RunState& state, EvaluationId id, const ShapeResult& shape, const QVariant& mode)
{
    const auto slot = [&](const char* name, std::optional<double> ns, const std::optional<Interval>& ratio) {
        if (ns)
            rows.row({number(state.run.value), number(id.value), toSql(shapeText(shape.shape)),
                QString::fromLatin1(name), mode, number(std::llround(*ns)), ratio ? QVariant(ratio->value) : QVariant(),
                ratio ? QVariant(ratio->lo) : QVariant(), ratio ? QVariant(ratio->hi) : QVariant(), shape.samples,
                QVariant()});
    };
    slot("candidate", shape.candidateNs, std::nullopt);
    slot("incumbent", shape.incumbentNs, shape.versusIncumbent);
    slot("baseline", shape.baselineNs, shape.versusBaseline);
    slot("vendor", shape.vendorNs, shape.versusVendor);
}

Result<void> writeEvaluations(QSqlDatabase& database, const RunState& state, const Touched& touched)
{
    Insertion rows(database, "evaluation", 14), measurements(database, "measurement", 11);
    for (const EvaluationId id : touched.evaluations) {
        const Evaluation* e = state.evaluation(id);
        if (!e)
            continue;
        const EvaluationResult& r = e->result;
        const Candidate* candidate = state.candidate(e->candidate);
        const Candidate* against = state.candidate(e->against);
        rows.row({number(state.run.value), number(id.value), toSql(candidate ? candidate->program : Hash{}),
            toSql(nameOf(r.purpose)), toSql(against ? against->program : Hash{}), toSql(e->device),
            toSqlText(r.environment), toSql(nameOf(r.outcome)), textOrNull(r.rule), toSqlText(r.evidence),
            toSqlText(r.resources), toSql(r.artifact), toSql(r.log), r.noiseFloor});
        const bool modeKnown
            = r.environment.is_object() && r.environment.contains("mode") && r.environment["mode"].is_string();
        const QVariant mode = toSql(modeKnown ? r.environment["mode"].get<std::string>() : std::string("cold"));
        for (const ShapeResult& shape : r.shapes)
            writeShape(measurements, state, id, shape, mode);
    }
    auto written = rows.result();
    return written ? measurements.result() : written;
}

/// What each kind of event touches.
class Noting
{
public:
    Noting(Touched& touched, const RunState& after)
        : m_touched(touched)
        , m_after(after)
    {
    }

    void operator()(const events::IslandCreated& e) { m_touched.islands.insert(e.id); }
    void operator()(const events::Proposed& e)
    {
        m_touched.proposals.insert(e.proposal.id);
        m_touched.islands.insert(e.proposal.island);
    }
    void operator()(const events::ProposalRefused& e) { m_touched.proposals.insert(e.id); }
    void operator()(const events::CandidateMade& e)
    {
        m_touched.candidates.insert(e.candidate.id);
        m_touched.proposals.insert(e.candidate.proposal);
    }
    void operator()(const events::EvaluationStarted& e) { m_touched.candidates.insert(e.candidate); }
    void operator()(const events::StageReached& e) { m_touched.candidates.insert(e.candidate); }
    void operator()(const events::Evaluated& e)
    {
        m_touched.candidates.insert(e.evaluation.candidate);
        m_touched.evaluations.insert(e.evaluation.id);
    }
    void operator()(const events::Admitted& e)
    {
        m_touched.candidates.insert(e.candidate);
        m_touched.islands.insert(e.island);
    }
    void operator()(const events::Migrated& e)
    {
        m_touched.candidates.insert(e.copy.id);
        m_touched.islands.insert(e.copy.island);
        if (const Candidate* from = m_after.candidate(e.from))
            m_touched.islands.insert(from->island);
    }
    void operator()(const events::GridRebinned& e)
    {
        m_touched.candidates.insert(e.candidates.begin(), e.candidates.end());
        noteIslands();
    }
    void operator()(const events::IncumbentChanged& e) { m_touched.candidates.insert(e.candidate); }
    void operator()(const events::Asked& e)
    {
        m_touched.modelRequests.insert(e.modelRequest.id);
        m_touched.islands.insert(e.modelRequest.island);
    }
    void operator()(const events::Answered& e) { m_touched.modelRequests.insert(e.id); }
    void operator()(const events::ReviewAsked& e) { noteReview(e.id); }
    void operator()(const events::Reviewed& e) { noteReview(e.id); }
    void operator()(const events::ReviewUndone& e) { noteReview(e.id); }
    void operator()(const events::IslandStandingChanged& e) { m_touched.islands.insert({e.island, e.into}); }
    void operator()(const events::IslandSteered& e) { m_touched.islands.insert(e.island); }
    void operator()(const events::IslandReset& e) { m_touched.islands.insert(e.island); }
    void operator()(const events::IslandChangeUndone& e)
    {
        const IslandChange& islandChange = m_after.islandChanges[static_cast<std::size_t>(e.islandChange - 1)];
        m_touched.islands.insert({islandChange.before.id, islandChange.standing.into});
        for (const CandidateId id : e.withdrawn) {
            noteWritten(id);
            if (const Candidate* candidate = m_after.candidate(id); candidate && candidate->review)
                m_touched.reviews.insert(candidate->review);
        }
    }
    void operator()(const events::Marked& e) { noteMarks(e.candidate); }
    void operator()(const events::MarkUndone& e) { noteMarks(e.candidate); }
    void operator()(const events::Placed& e)
    {
        m_touched.candidates.insert(e.copy.id);
        noteIslands();
    }
    void operator()(const events::PlacementUndone&) { noteIslands(); }
    void operator()(const events::HandwrittenWithdrawn& e) { noteWritten(e.candidate); }
    template <typename Other> void operator()(const Other&) { } // changes no row

private:
    void noteReview(ReviewId id)
    {
        m_touched.reviews.insert(id);
        if (const Review* review = m_after.review(id)) {
            m_touched.candidates.insert(review->candidate);
            noteWritten(review->edited);
        }
    }

    /// With its proposal; none is meant by 0.
    void noteWritten(CandidateId id)
    {
        if (const Candidate* candidate = m_after.candidate(id)) {
            m_touched.candidates.insert(id);
            m_touched.proposals.insert(candidate->proposal);
        }
    }

    void noteMarks(CandidateId candidate)
    {
        m_touched.candidates.insert(candidate);
        noteIslands();
    }
    /// Cells may have changed hands on any of them.
    void noteIslands()
    {
        for (const Island& island : m_after.islands)
            m_touched.islands.insert(island.id);
    }

    Touched& m_touched;
    const RunState& m_after;
};

void addField(std::string& row, const QVariant& value)
{
    const std::string text = value.typeId() == QMetaType::QByteArray ? value.toByteArray().toHex().toStdString()
        : value.typeId() == QMetaType::Double ? QString::number(value.toDouble(), 'g', 17).toStdString()
                                              : value.toString().toStdString();
    row += value.isNull() ? "-" : std::to_string(text.size()) + ":" + text;
    row += ' ';
}

} // namespace

void Touched::note(const Event& event, const RunState& after) { std::visit(Noting(*this, after), event.body); }

Result<void> writeProjections(QSqlDatabase& database, const RunState& state, const Touched& touched)
{
    for (const auto write :
        {writeIslands, writeModelRequests, writeProposals, writeCandidates, writeReviews, writeEvaluations})
        if (auto written = write(database, state, touched); !written)
            return written;
    return {};
}

Result<void> clearProjections(QSqlDatabase& database)
{
    for (const Table& table : projectionTables)
        if (auto done = execute(database, std::string("DELETE FROM ") + table.name); !done)
            return done;
    return {};
}

Result<Hash> projectionsHash(QSqlDatabase& database)
{
    std::string tables;
    for (const Table& table : projectionTables) {
        QSqlQuery query(database);
        query.setForwardOnly(true);
        if (!query.exec(QStringLiteral("SELECT * FROM %1 ORDER BY %2")
                            .arg(QString::fromLatin1(table.name), QString::fromLatin1(table.order))))
            return std::unexpected(errorOf(query.lastError()));
        std::string rows;
        const int columns = query.record().count();
        while (query.next()) {
            for (int column = 0; column < columns; ++column)
                addField(rows, query.value(column));
            rows += '\n';
        }
        tables += table.name + std::string(" ") + sha256(rows).hex() + "\n";
    }
    return sha256(tables);
}

} // namespace tilewright
