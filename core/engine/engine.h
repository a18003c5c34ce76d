// SPDX-License-Identifier: GPL-3.0-or-later
// The engine: population, store, proposers and node connection of one session behind queued commands.
// Owner: EngineThread (window) or the CLI's main thread. Every member runs on the thread the object lives in; call from
// elsewhere by QMetaObject::invokeMethod(engine, …, Qt::QueuedConnection). Nothing here blocks.
#pragma once

#include "core/engine/command.h"
#include "core/engine/query.h"
#include "core/engine/snapshot.h"
#include "core/proposer/reply_source.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace tilewright {

struct NewSession {
    QString path; ///< empty: a new file in the data folder
    TaskPack pack;
    RunSettings settings;
    bool startNow = true;
    /// Of islands that are steered otherwise than the strategy has them; from their first proposal on.
    std::map<IslandId, IslandSteering> steering = {};
};

/// Command line of the node: $TILEWRIGHT_NODE (blank-separated), else `tilewright-node` beside this program.
QStringList defaultNodeCommand();

class Engine : public QObject
{
    Q_OBJECT

public:
    explicit Engine(QObject* parent = nullptr);
    ~Engine() override;

    /// Makes the session file and, if asked, starts running. A session that is open is closed first, once the file is
    /// there: where it cannot be made, the open one stays as it is. closed() tells nothing of that.
    void create(const NewSession& session);
    /// Opens a session file: for writing if nobody else does, else read-only. The run stays paused.
    void open(const QString& path);
    /// The same for somebody who looks on: what was read so far is published meanwhile (status.opening). Ends without
    /// the session as soon as `wanted`, asked now and then, is false.
    void openInSight(const QString& path, const std::function<bool()>& wanted);
    /// Writes everything, stops the node, closes the file. Emits closed().
    void close();

    /// Does something that needs the device which the session was measured on, as soon as the node has told that it is
    /// here: what is recorded in `work` is not recorded in vain. Else failed() with device/… or node/missing; `work` is
    /// dropped then, and when the session is paused, stopped or closed before the node told. The newest one counts.
    /// run() and both steps wait like this by themselves.
    void onceDeviceIsHere(const std::function<void()>& work);

    /// Carries out a command on the session that is open; what is wrong with it stands in the receipt alone. A run that
    /// has to wait for the node before it can begin may fail later: failed().
    Receipt execute(const Command& command);
    /// The same for another thread: executed() tells the receipt, with this tag.
    void execute(quint64 tag, const Command& command);

    /// `answer` is called once, later or before this returns; calling what is returned, if anything, means that it is
    /// not wanted any more.
    std::function<void()> ask(const Query& query, const std::function<void(const QueryAnswer&)>& answer);
    /// The same for another thread: answered() tells it, with this tag.
    void ask(quint64 tag, const Query& query);
    /// The answer to this tag is not wanted any more, and does not come.
    void drop(quint64 tag);

    /// Program and arguments of the node; by default defaultNodeCommand(). Before create() or open().
    void setNodeCommand(const QStringList& command);
    /// How prompts for a model or a user are written; by default writtenPrompts(). Before create() or open().
    void setPrompts(PromptSource prompts);
    /// The models file of sessions that are opened from now on, in place of the one in their settings.
    void setModelsFile(const QString& file);
    /// With requests in flight and nothing heard for this long, the node counts as hung (default 30 s).
    void setNodeSilenceLimit(std::chrono::milliseconds limit);
    /// How long a run whose wall time is used up waits for replies under way (default 10 s). Before create() or open().
    void setReplyGrace(std::chrono::milliseconds grace);

    /// The newest snapshot; for callers on the engine's thread.
    SnapshotPtr snapshot() const;

Q_SIGNALS:
    /// At most ten times a second, and once at the end of each phase.
    void published(tilewright::SnapshotPtr snapshot);
    void executed(tilewright::Receipt receipt);
    void answered(quint64 tag, tilewright::QueryAnswer answer);
    /// Something went wrong that is no answer to a command; the session goes on.
    void failed(QString code, QString text, QString hint);
    /// The run reached Paused, Finished or Stopped.
    void phaseEnded(tilewright::SnapshotPtr snapshot);
    void closed();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tilewright

Q_DECLARE_METATYPE(tilewright::SnapshotPtr)
Q_DECLARE_METATYPE(tilewright::Receipt)
Q_DECLARE_METATYPE(tilewright::QueryAnswer)
