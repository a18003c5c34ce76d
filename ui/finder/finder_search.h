// SPDX-License-Identifier: GPL-3.0-or-later
// The search of a run that is under way: first what the snapshot tells, then text by text what the session holds. Texts
// come from the engine a few at a time, matching is done on a pool thread in pieces, and what is found is told as soon
// as it is. The newest request wins: what was asked for before is cancelled, and its answers are dropped. GUI thread.
#pragma once

#include "ui/finder/run_survey.h"
#include "ui/session/session_client.h"

#include <map>
#include <memory>
#include <set>
#include <unordered_map>

namespace tilewright::ui {

class FinderSearch : public QObject
{
    Q_OBJECT

public:
    /// Rows of code, and as many of build logs, that are told; of one text, so many.
    static constexpr int mostOfKind = 100, mostOfText = 5;

    explicit FinderSearch(SessionClient& session, QObject* parent);
    ~FinderSearch() override;

    void start(const FinderQuery& query);
    void cancel();
    bool isRunning() const { return m_cancelled != nullptr; }
    std::size_t read() const { return m_read; } ///< texts that were searched so far
    std::int64_t givenUp() const { return m_givenUp; } ///< lines on which the pattern took too long
    std::size_t texts() const { return m_survey->texts.size(); }
    /// There is more of this kind than was told.
    bool hasMore(Found::Kind kind) const { return m_more.contains(kind); }

Q_SIGNALS:
    void found(const std::vector<tilewright::ui::Found>& rows);
    /// It is further on, or at its end.
    void moved();

private:
    struct Piece {
        SoughtText text;
        QString content;
    };
    struct Searched {
        std::vector<std::pair<SoughtText, std::vector<Found>>> texts;
        std::int64_t givenUp = 0;
    };
    using Flag = std::shared_ptr<std::atomic<bool>>;

    static Searched search(
        const std::vector<Piece>& pieces, const QRegularExpression& pattern, const std::atomic<bool>& cancelled);
    void takeSurvey(const std::shared_ptr<const Survey>& all);
    void takeText(quint64 tag, const QString& text);
    void takeSearched(const Searched& searched, std::size_t count);
    /// Asks for further texts, hands over those that came, and ends when there is none left.
    void goOn();
    bool isFull(Found::Kind kind) const;

    SessionClient& m_session;
    FinderQuery m_query;
    Flag m_cancelled; ///< of the search that runs; null while none does
    bool m_isSurveyed = false, m_isSearching = false;
    std::shared_ptr<const Survey> m_survey = std::make_shared<const Survey>(); ///< may be long: never copied here
    std::size_t m_next = 0, m_read = 0;
    std::int64_t m_givenUp = 0;
    std::unordered_map<quint64, std::size_t> m_asked; ///< texts on their way, by tag
    std::vector<Piece> m_came;
    std::map<Found::Kind, int> m_told;
    std::set<Found::Kind> m_more;
};

} // namespace tilewright::ui
