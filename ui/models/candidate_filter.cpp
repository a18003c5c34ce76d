// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/candidate_filter.h"

#include "ui/widgets/aside.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tilewright::ui {
namespace {

/// Up to here all rows are ordered within a frame, and at once.
constexpr int orderedAtOnce = 5000;
/// More rows than these that came or changed together are not put in their places one by one.
constexpr std::size_t mostPlaced = 2000;
/// More new rows than these are told as one change.
constexpr std::size_t mostInserts = 16;

} // namespace

CandidateFilter::CandidateFilter(QObject* parent)
    : QAbstractProxyModel(parent)
{
    connect(&m_ordering, &QFutureWatcher<Made>::finished, this, [this] { take(m_ordering.result()); });
}

void CandidateFilter::setSourceModel(QAbstractItemModel* model)
{
    beginResetModel();
    QAbstractProxyModel::setSourceModel(model);
    m_model = qobject_cast<const CandidateModel*>(model);
    endResetModel();
    if (!m_model)
        return;
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        beginResetModel();
        m_rows.clear();
        m_places.clear();
        m_late.clear();
        m_waits = false;
        endResetModel();
        order();
    });
    connect(m_model, &QAbstractItemModel::headerDataChanged, this, &QAbstractItemModel::headerDataChanged);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex&, int first, int last) {
        std::vector<int> rows;
        for (int row = first; row <= last; ++row)
            rows.push_back(row);
        place(std::move(rows));
    });
    connect(m_model, &QAbstractItemModel::dataChanged, this,
        [this](const QModelIndex& topLeft, const QModelIndex& bottomRight) {
            std::vector<int> rows;
            for (int row = topLeft.row(); row <= bottomRight.row(); ++row)
                rows.push_back(row);
            place(std::move(rows));
        });
    order();
}

void CandidateFilter::setQuery(const CandidateQuery& query)
{
    const bool same = query.terms == m_order.query.terms;
    m_order.query = query;
    if (!same)
        order();
}

void CandidateFilter::setIslands(const std::set<IslandId>& islands)
{
    if (islands == m_order.islands)
        return;
    m_order.islands = islands;
    order();
}

void CandidateFilter::setRange(const std::optional<RunRange>& range)
{
    if (range == m_order.range)
        return;
    m_order.range = range;
    order();
}

void CandidateFilter::setOnly(const std::optional<std::set<CandidateId>>& only)
{
    if (only == m_order.only)
        return;
    m_order.only = only;
    order();
}

void CandidateFilter::setReference(CandidateId reference)
{
    if (std::exchange(m_order.reference, reference) != reference && m_order.column == CandidateModel::Column::Parent)
        order();
}

void CandidateFilter::sort(int column, Qt::SortOrder order)
{
    const auto wanted = column < 0 ? std::nullopt : std::optional(static_cast<CandidateModel::Column>(column));
    const bool descending = order == Qt::DescendingOrder;
    if (wanted == m_order.column && descending == m_order.descending)
        return;
    m_order.column = wanted;
    m_order.descending = descending;
    this->order();
}

void CandidateFilter::order()
{
    ++m_asked;
    m_late.clear();
    m_waits = false;
    Q_EMIT heldBackChanged();
    if (!m_model)
        return;
    const int rows = m_model->rowCount();
    if (rows <= orderedAtOnce) {
        replace(OrderedCandidates(m_model->run(), m_order).sorted(rows));
        return;
    }
    m_waits = true;
    m_ordering.setFuture(runAside(
        [id = m_asked, snapshot = m_model->snapshot(), order = m_order, rows]() -> Made {
            return {id, OrderedCandidates(snapshot->run, order).sorted(rows)};
        },
        awaitedThreads()));
}

void CandidateFilter::take(const Made& made)
{
    if (made.id != m_asked || !m_waits)
        return; // another order is wanted by now
    m_waits = false;
    replace(made.rows);
    placeLate();
}

void CandidateFilter::placeLate()
{
    const std::set<int> late = std::exchange(m_late, {});
    place({late.begin(), late.end()});
}

void CandidateFilter::letGo()
{
    m_held = false;
    if (m_waits || m_late.empty())
        return; // take() places what is late
    placeLate();
    Q_EMIT heldBackChanged();
}

int CandidateFilter::heldBack() const
{
    if (!m_held || m_waits || m_late.empty())
        return 0;
    const OrderedCandidates candidates(m_model->run(), m_order);
    return static_cast<int>(std::ranges::count_if(m_late, [&](int row) {
        const auto at = static_cast<std::size_t>(row);
        return (at >= m_places.size() || m_places[at] < 0) && candidates.fits(row);
    }));
}

void CandidateFilter::keep(std::vector<int> rows)
{
    for (const int row : rows) {
        const int at = static_cast<std::size_t>(row) < m_places.size() ? m_places[static_cast<std::size_t>(row)] : -1;
        if (at >= 0)
            Q_EMIT dataChanged(index(at, 0), index(at, columnCount() - 1));
    }
    m_late.insert(rows.begin(), rows.end());
    Q_EMIT heldBackChanged();
}

void CandidateFilter::place(std::vector<int> rows)
{
    if (m_waits) {
        m_late.insert(rows.begin(), rows.end());
        return;
    }
    if (m_held) {
        keep(std::move(rows));
        return;
    }
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (rows.empty())
        return;
    if (rows.size() > mostPlaced) {
        order();
        return;
    }
    const OrderedCandidates candidates(m_model->run(), m_order);
    m_places.resize(static_cast<std::size_t>(m_model->rowCount()), -1);
    const bool isNew
        = std::ranges::none_of(rows, [this](int row) { return m_places[static_cast<std::size_t>(row)] >= 0; });
    std::vector<int> kept = m_rows;
    if (!isNew)
        std::erase_if(kept, [&rows](int row) { return std::ranges::binary_search(rows, row); });
    const std::vector<int> incoming = candidates.sorted(rows);
    std::vector<int> places; // in `kept`, of each that comes in
    for (const int row : incoming) {
        const CandidateKey key = candidates.keyOf(row);
        const auto above = std::partition_point(kept.begin(), kept.end(),
            [&](int other) { return candidates.isBefore(candidates.keyOf(other), other, key, row); });
        places.push_back(static_cast<int>(above - kept.begin()));
    }
    if (isNew && incoming.size() <= mostInserts) {
        insert(incoming, places);
        return;
    }
    std::vector<int> now;
    now.reserve(kept.size() + incoming.size());
    std::size_t taken = 0;
    for (std::size_t i = 0; i < incoming.size(); ++i) {
        for (; taken < static_cast<std::size_t>(places[i]); ++taken)
            now.push_back(kept[taken]);
        now.push_back(incoming[i]);
    }
    now.insert(now.end(), kept.begin() + static_cast<std::ptrdiff_t>(taken), kept.end());
    if (now != m_rows) {
        replace(std::move(now));
        return;
    }
    for (const int row : incoming) {
        const int at = m_places[static_cast<std::size_t>(row)];
        Q_EMIT dataChanged(index(at, 0), index(at, columnCount() - 1));
    }
}

void CandidateFilter::insert(const std::vector<int>& rows, const std::vector<int>& places)
{
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const int at = places[i] + static_cast<int>(i); // below those that came before it
        beginInsertRows({}, at, at);
        m_rows.insert(m_rows.begin() + at, rows[i]);
        findPlaces();
        endInsertRows();
    }
}

void CandidateFilter::replace(std::vector<int> rows)
{
    if (rows == m_rows) {
        findPlaces();
        return;
    }
    // Sorting by rows leaves the columns of a view alone.
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<int> held;
    for (const QModelIndex& one : before)
        held.push_back(m_rows[static_cast<std::size_t>(one.row())]);
    m_rows = std::move(rows);
    findPlaces();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const int at = m_places[static_cast<std::size_t>(held[static_cast<std::size_t>(i)])];
        after << (at < 0 ? QModelIndex() : createIndex(at, before[i].column()));
    }
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, VerticalSortHint);
    Q_EMIT reordered();
}

void CandidateFilter::findPlaces()
{
    m_places.assign(static_cast<std::size_t>(m_model->rowCount()), -1);
    for (std::size_t at = 0; at < m_rows.size(); ++at)
        m_places[static_cast<std::size_t>(m_rows[at])] = static_cast<int>(at);
}

QModelIndex CandidateFilter::index(int row, int column, const QModelIndex& parent) const
{
    return hasIndex(row, column, parent) ? createIndex(row, column) : QModelIndex();
}

QModelIndex CandidateFilter::parent(const QModelIndex&) const { return {}; }

int CandidateFilter::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CandidateFilter::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_model ? 0 : m_model->columnCount();
}

QVariant CandidateFilter::headerData(int section, Qt::Orientation orientation, int role) const
{
    return m_model ? m_model->headerData(section, orientation, role)
                   : QVariant(); // of no row, and so there without any
}

QModelIndex CandidateFilter::mapToSource(const QModelIndex& index) const
{
    return index.isValid() && index.row() < rowCount()
        ? m_model->index(m_rows[static_cast<std::size_t>(index.row())], index.column())
        : QModelIndex();
}

QModelIndex CandidateFilter::indexOf(CandidateId candidate) const
{
    const int row = m_model ? m_model->rowOf(candidate) : -1;
    return row < 0 ? QModelIndex() : mapFromSource(m_model->index(row, 0));
}

QModelIndex CandidateFilter::mapFromSource(const QModelIndex& index) const
{
    const auto row = static_cast<std::size_t>(index.row());
    return index.isValid() && row < m_places.size() && m_places[row] >= 0 ? createIndex(m_places[row], index.column())
                                                                          : QModelIndex();
}

OrderedCandidates::OrderedCandidates(const RunState& run, const CandidateOrder& order)
    : m_run(run)
    , m_order(order)
{
    if (order.range)
        m_places.emplace(run, order.range->axis);
}

bool OrderedCandidates::fits(int row) const
{
    const Candidate& candidate = m_run.candidates[static_cast<std::size_t>(row)];
    if (candidate.takenBack || (m_order.only && !m_order.only->contains(candidate.id)))
        return false;
    if (m_places) {
        const double place = m_places->of(candidate);
        if (place < m_order.range->from || place > m_order.range->to)
            return false;
    }
    return (m_order.islands.empty() || m_order.islands.contains(candidate.island))
        && m_order.query.accepts(m_run, candidate);
}

CandidateKey OrderedCandidates::keyOf(int row) const
{
    if (!m_order.column)
        return {};
    const QVariant key = CandidateModel::sortKey(
        m_run, m_run.candidates[static_cast<std::size_t>(row)], *m_order.column, m_order.reference);
    if (key.typeId() == QMetaType::QString)
        return {0, key.toString()};
    return {key.toDouble(), {}, !key.isValid()};
}

bool OrderedCandidates::isBefore(const CandidateKey& a, int rowA, const CandidateKey& b, int rowB) const
{
    if (a.isMissing != b.isMissing)
        return b.isMissing;
    const int words = a.words.compare(b.words);
    if (a.number != b.number)
        return (a.number < b.number) != m_order.descending;
    return words != 0 ? (words < 0) != m_order.descending : rowA < rowB;
}

std::vector<int> OrderedCandidates::sorted(const std::vector<int>& rows) const
{
    std::vector<int> found;
    std::ranges::copy_if(rows, std::back_inserter(found), [this](int row) { return fits(row); });
    if (!m_order.column) {
        std::ranges::sort(found);
        return found;
    }
    struct Keyed {
        CandidateKey key;
        int row;
    };
    std::vector<Keyed> keyed;
    keyed.reserve(found.size());
    for (const int row : found)
        keyed.push_back({keyOf(row), row});
    std::ranges::sort(keyed, [this](const Keyed& a, const Keyed& b) { return isBefore(a.key, a.row, b.key, b.row); });
    std::ranges::transform(keyed, found.begin(), &Keyed::row);
    return found;
}

std::vector<int> OrderedCandidates::sorted(int count) const
{
    std::vector<int> rows(static_cast<std::size_t>(count));
    std::iota(rows.begin(), rows.end(), 0);
    return sorted(rows);
}

} // namespace tilewright::ui
