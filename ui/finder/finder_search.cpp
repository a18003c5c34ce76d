// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/finder/finder_search.h"

#include "ui/finder/finder_query.h"
#include "ui/models/display_text.h"
#include "ui/widgets/aside.h"

#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
/// Texts asked for at a time: enough to keep the reader busy, few enough for others to be served between them.
constexpr std::size_t mostAsked = 32;
} // namespace

FinderSearch::FinderSearch(SessionClient& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
{
    connect(&session, &SessionClient::textReady, this, &FinderSearch::takeText);
    connect(&session, &SessionClient::replaced, this, [this] {
        cancel(); // the texts on their way will not come
        Q_EMIT moved();
    });
}

FinderSearch::~FinderSearch() { cancel(); }

void FinderSearch::cancel()
{
    if (m_cancelled)
        *m_cancelled = true;
    m_cancelled.reset();
    m_asked.clear();
    m_came.clear();
}

void FinderSearch::start(const FinderQuery& query)
{
    cancel();
    m_query = query;
    m_survey = std::make_shared<const Survey>();
    m_next = m_read = 0;
    m_givenUp = 0;
    m_told.clear();
    m_more.clear();
    m_isSurveyed = m_isSearching = false;
    if (!query.problem.isEmpty() || query.wanted.isEmpty())
        return;
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
    doAside(
        this,
        [snapshot = m_session.pointer(), query, flag = m_cancelled] {
            return std::make_shared<const Survey>(survey(snapshot->run, query, *flag));
        },
        [this, flag = m_cancelled](const std::shared_ptr<const Survey>& all) {
            if (flag == m_cancelled)
                takeSurvey(all);
        });
}

void FinderSearch::takeSurvey(const std::shared_ptr<const Survey>& all)
{
    m_isSurveyed = true;
    m_survey = all;
    if (all->moreCandidates)
        m_more.insert(Found::Kind::Candidate);
    if (all->moreEvents)
        m_more.insert(Found::Kind::Event);
    if (!all->found.empty())
        Q_EMIT found(all->found);
    goOn();
}

bool FinderSearch::isFull(Found::Kind kind) const
{
    const auto told = m_told.find(kind);
    return told != m_told.end() && told->second >= mostOfKind;
}

void FinderSearch::goOn()
{
    while (m_next < texts() && m_asked.size() + m_came.size() < mostAsked) {
        const std::size_t at = m_next++;
        if (isFull(m_survey->texts[at].kind)) {
            m_more.insert(m_survey->texts[at].kind); // there may be: they are not read
            continue;
        }
        m_asked.emplace(m_session.readText(m_survey->texts[at].hash), at);
    }
    if (!m_came.empty() && !m_isSearching) {
        m_isSearching = true;
        const std::size_t count = m_came.size();
        doAside(
            this,
            [pieces = std::exchange(m_came, {}), pattern = m_query.pattern, flag = m_cancelled] {
                return search(pieces, pattern, *flag);
            },
            [this, count, flag = m_cancelled](const Searched& searched) {
                if (flag == m_cancelled)
                    takeSearched(searched, count);
            });
    }
    if (m_isSurveyed && !m_isSearching && m_asked.empty() && m_next == texts())
        m_cancelled.reset();
    Q_EMIT moved();
}

void FinderSearch::takeText(quint64 tag, const QString& text)
{
    const auto asked = m_asked.find(tag);
    if (asked == m_asked.end())
        return;
    m_came.push_back({m_survey->texts[asked->second], text});
    m_asked.erase(asked);
    if (!m_isSearching)
        goOn();
}

FinderSearch::Searched FinderSearch::search(
    const std::vector<Piece>& pieces, const QRegularExpression& pattern, const std::atomic<bool>& cancelled)
{
    Searched all;
    for (const auto& [sought, content] : pieces) {
        if (cancelled)
            break;
        const TextMatches matches = matchesIn(content, pattern, mostOfText, cancelled);
        all.givenUp += matches.givenUp;
        std::vector<Found> rows;
        Found row{.kind = sought.kind, .text = {}, .aside = {}};
        row.candidate = sought.candidate;
        row.island = sought.island;
        for (const TextMatch& match : matches.first) {
            row.text = match.text;
            row.start = match.start;
            row.length = match.length;
            row.line = match.line;
            row.aside = tr("line %1").arg(match.line);
            if (sought.others > 0 && rows.empty())
                row.aside = tr("line %1, and in %2")
                                .arg(match.line)
                                .arg(counted(sought.others, tr("%1 other"), tr("%1 others")));
            rows.push_back(row);
        }
        if (matches.more > 0) {
            row.text = counted(matches.more, tr("… %1 more line"), tr("… %1 more lines"));
            row.start = row.length = 0;
            row.line = matches.nextLine;
            row.aside = tr("from line %1").arg(matches.nextLine);
            row.isMore = true;
            rows.push_back(row);
        }
        if (!rows.empty())
            all.texts.emplace_back(sought, std::move(rows));
    }
    return all;
}

void FinderSearch::takeSearched(const Searched& searched, std::size_t count)
{
    m_isSearching = false;
    m_read += count;
    m_givenUp += searched.givenUp;
    std::vector<Found> rows;
    for (const auto& [sought, ofText] : searched.texts) {
        if (isFull(sought.kind)) {
            m_more.insert(sought.kind);
            continue;
        }
        m_told[sought.kind] += static_cast<int>(ofText.size());
        rows.insert(rows.end(), ofText.begin(), ofText.end());
    }
    if (!rows.empty())
        Q_EMIT found(rows);
    goOn();
}

} // namespace tilewright::ui
