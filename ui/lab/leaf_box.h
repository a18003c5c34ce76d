// SPDX-License-Identifier: GPL-3.0-or-later
// The program that multiplies the blocks of a scheme's program: the open session's best candidate where its task is a
// product on a CPU, the program of the tiling explorer, or a plain loop. GUI thread.
#pragma once

#include "core/model/task/task.h"
#include "ui/session/session_client.h"

#include <QComboBox>

namespace tilewright::ui {

/// The CPU task that schemes are derived from unless another one is chosen.
inline constexpr const char* usualSchemeTask = "gemm-fp32-cpu";

struct SchemeLeaf {
    std::string text, name; ///< text: "" for a plain loop

    bool operator==(const SchemeLeaf&) const = default;
};

class LeafBox : public QComboBox
{
    Q_OBJECT

public:
    LeafBox(SessionClient& session, QWidget* parent);
    /// Leaves for schemes derived from this task; null: from none, which leaves the plain loop.
    void setTask(const Task* task);
    /// Looks at the session again: another one may be open, or have another best candidate.
    void lookAtSession();
    SchemeLeaf leaf() const;
    /// The task of the open session, if its best candidate can be a leaf; "" else.
    const std::string& sessionTask() const { return m_bestTask; }

Q_SIGNALS:
    void leafChanged();

private:
    enum class Kind { Loop, Blocks, Best };

    void fill();

    SessionClient& m_session;
    std::string m_task, m_blocks; ///< blocks: the program of the tiling explorer; "": there is none
    bool m_isChosen = false; ///< by the user
    quint64 m_asked = 0; ///< for the best candidate's text
    Hash m_bestSource;
    CandidateId m_best;
    std::string m_bestText, m_bestTask;
};

} // namespace tilewright::ui
