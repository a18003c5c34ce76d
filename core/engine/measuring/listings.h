// SPDX-License-Identifier: GPL-3.0-or-later
// Listings of candidates: what a node is asked for one, and the desk that asks it. Nothing waits for them and nothing
// of them is recorded; the newest few are kept. Owner: Session, or a command, on its thread.
#pragma once

#include "core/engine/measuring/node_connection.h"
#include "core/engine/query.h"
#include "core/model/run_state.h"

#include <deque>

namespace tilewright {

/// The request for a candidate's code in this form, or in the usual one. Pure. Errors: candidate/unknown; listing/form
/// (its language has none such); listing/not-yet (nothing was built so far); listing/unbuilt and listing/refused (it
/// never built, with the reason).
Result<ListingRequest> listingRequestFor(
    const RunState& state, const Task& task, CandidateId candidate, std::optional<ListingForm> form);

class Listings : public QObject
{
    Q_OBJECT

public:
    using Answer = std::function<void(Result<Listing>)>;

    /// The node must outlive it, and is started again where it was given up.
    explicit Listings(NodeConnection& node);

    /// Answers once, never before this has returned: what the node says, or node/… if it ends meanwhile. The number is
    /// for drop().
    quint64 ask(const ListingRequest& request, Answer answer);
    /// Nobody wants it any more: no answer comes.
    void drop(quint64 number);

private:
    struct Wanted {
        quint64 number = 0;
        ListingRequest request;
        Answer answer;
        std::int64_t asked = 0; ///< the node's request; 0 before
    };
    void send();
    void answered(quint64 number, const Result<Reply>& reply);
    void finish(quint64 number, const Result<Listing>& listing);

    NodeConnection& m_node;
    bool m_isGivenUp = false; ///< the node is, until somebody asks
    quint64 m_last = 0;
    std::deque<Wanted> m_wanted;
    std::deque<std::pair<std::string, Listing>> m_known; ///< by the request, the newest last
};

// The desk that has users' texts built, unrecorded, before they take a candidate's place. The node keeps what it
// built: the same text is not built twice when it is approved. Owner: Session, on the engine's thread.

class EditChecks : public QObject
{
    Q_OBJECT

public:
    using Answer = std::function<void(const EditCheck&)>;

    /// The node must outlive it.
    explicit EditChecks(NodeConnection& node);

    /// Answers once, never before this has returned; Untried where the node is not there, or ends meanwhile. The number
    /// is for drop().
    quint64 ask(const std::string& program, const Hash& task, const std::string& device, Answer answer);
    /// What is known without a build.
    void tell(EditCheck check, Answer answer);
    /// Nobody wants it any more: no answer comes.
    void drop(quint64 number);
    /// The program under check with this hash, for the node to read; null for others.
    const std::string* program(const Hash& hash) const;

private:
    struct Wanted {
        quint64 number = 0;
        std::string program;
        BuildRequest request;
        Answer answer;
        std::int64_t asked = 0; ///< the node's request; 0 before
    };
    void send();
    void answered(quint64 number, const Result<Reply>& reply);
    void finish(quint64 number, const EditCheck& check);

    NodeConnection& m_node;
    Error m_givenUp; ///< why there is no node; code empty where there is one, or will be
    quint64 m_last = 0;
    std::deque<Wanted> m_wanted;
};

} // namespace tilewright
