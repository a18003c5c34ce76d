// SPDX-License-Identifier: GPL-3.0-or-later
// A folder as a letter box: NNNN.prompt.md goes out, whole or not at all, and NNNN.reply.md is waited for. A reply is
// read once it has stood still for a while and nobody has it open for writing any more, so that one that is still being
// written is not read half; where the system does not tell who writes, it must stand still for longer. One that changes
// after it was read is told. Numbers that the folder has seen are never given again, and none is given twice: a folder
// may serve several runs at a time. Owner: who asks, on its thread.
#pragma once

#include "core/base/result.h"
#include "core/model/run_state.h"
#include "core/model/task/task.h"
#include "core/proposer/proposer.h"
#include "core/proposer/replay_proposer.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// When a file counts as written: not empty, and its size and time unchanged for a while. One that stays empty for
/// much longer was not only begun. Pure.
class Settling
{
public:
    static constexpr int patienceWithEmpty = 7; ///< in times of quiet; also where writers are not known
    struct Look {
        std::int64_t bytes = 0, modifiedMs = 0;
        bool operator==(const Look&) const = default;
    };

    explicit Settling(std::chrono::milliseconds quiet)
        : m_quiet(quiet)
    {
    }

    /// Takes a look at `now` (any steady clock); true once it has looked the same for long enough.
    bool settled(const Look& look, std::chrono::milliseconds now);
    /// Whether it has looked the same for several times as long.
    bool stoodLong(std::chrono::milliseconds now) const
    {
        return m_last.modifiedMs != 0 && now - m_since >= patienceWithEmpty * m_quiet;
    }
    const Look& last() const { return m_last; }
    /// Whether the last look saw a file that has been empty for too long.
    bool stayedEmpty(std::chrono::milliseconds now) const { return m_last.bytes == 0 && stoodLong(now); }

private:
    std::chrono::milliseconds m_quiet, m_since{0};
    Look m_last;
};

/// Whether some process has the file open for writing.
enum class Writers { None, Some, Unknown };
Writers writersOf(const QString& path);

class ReplyFolder : public QObject
{
    Q_OBJECT

public:
    static constexpr std::chrono::milliseconds defaultQuiet{700};
    static constexpr int watchAfter = 90; ///< in times of quiet: how long a reply that was read is looked at
    static constexpr std::int64_t largestReply = 8 << 20; ///< bytes

    explicit ReplyFolder(const QString& folder, std::chrono::milliseconds quiet = defaultQuiet);

    /// Takes the next number that neither a prompt nor a reply has there: "0007". No other run gets it: an empty
    /// 0007.prompt.part holds it until the prompt is written. Makes the folder where it is missing. Errors:
    /// manual/folder.
    Result<std::string> reserve();
    /// Writes the prompt of a number that reserve() gave, now or before an earlier end of the program, unless it stands
    /// there already; and waits for its reply. Errors: manual/folder.
    Result<void> put(const std::string& place, const std::string& prompt);
    /// The prompt was answered in another way: its reply is not waited for any more.
    void drop(const std::string& place);
    /// No reply is wanted any more: the prompt goes.
    void withdraw(const std::string& place);
    /// Waits for nothing any more.
    void forget();

Q_SIGNALS:
    void arrived(std::string place, QByteArray reply);
    /// The reply is there and cannot be read, is empty, or is too large; it is waited for again.
    void unreadable(std::string place, QString reason);
    /// The file changed after its reply had arrived; what it holds now is not read.
    void changedLater(std::string place);

private:
    void look();
    void lookAtRead();
    QString pathOf(const std::string& place, const char* ending) const;

    QString m_folder;
    std::chrono::milliseconds m_quiet;
    std::map<std::string, Settling> m_awaited;
    struct Read {
        Settling::Look look;
        std::chrono::milliseconds until{0};
    };
    std::map<std::string, Read> m_read; ///< replies that arrived lately
    std::map<std::string, QString> m_complained; ///< said once
    std::int64_t m_lastNumber = 0;
    QFileSystemWatcher m_watcher;
    QTimer m_timer;
};

// What a prompt in a folder was written for, as the first line of its file: a comment of HTML. From it a replay of the
// folder knows which program each reply was made for. Pure.

struct PromptOrigin {
    OfferedAs as; ///< without repairOf
    std::vector<Hash> parents; ///< programs
    bool asksForEdit = true; ///< else for a summary or a judgement: its reply is no edit

    bool operator==(const PromptOrigin& other) const;
};

/// The line, with an empty one behind it; "" for a question that the run does not know.
std::string originLine(const RunState& state, ModelRequestId modelRequest);

/// None for a text whose first line says nothing of it.
std::optional<PromptOrigin> originIn(std::string_view prompt);

// Replies that were recorded before, for the replay proposer: those of a session, or the NNNN.reply.md of a folder,
// each with what the NNNN.prompt.md beside it says of the program it was made for.

/// Every reply of the newest run of a session, in order; or every NNNN.reply.md of a folder to a prompt
/// for edits, by number.
/// Errors: replay/missing, replay/empty, replay/task when the session is of another task, and those of SessionReader.
Result<std::vector<RecordedReply>> recordedReplies(const std::string& path, const TaskPack& pack);

} // namespace tilewright
