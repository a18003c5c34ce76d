// SPDX-License-Identifier: GPL-3.0-or-later
// The desk that has persons' texts built, unrecorded, before they take a candidate's place. The node keeps what it
// built: the same text is not built twice when it is approved. Owner: Session, on the engine's thread.
#pragma once

#include "core/engine/edit_check.h"
#include "core/engine/node_connection.h"

#include <deque>

namespace tilewright {

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
