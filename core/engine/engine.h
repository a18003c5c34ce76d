// SPDX-License-Identifier: GPL-3.0-or-later
// The engine: population, store, proposers and node connection of one session behind queued commands.
// Owner: EngineThread (window) or the CLI's main thread. Every member runs on the thread the object lives in; call from
// elsewhere by QMetaObject::invokeMethod(engine, …, Qt::QueuedConnection). Nothing here blocks.
#pragma once

#include "core/engine/edit_check.h"
#include "core/engine/lever.h"
#include "core/engine/prompt_workshop.h"
#include "core/engine/snapshot.h"
#include "core/model/island_order.h"
#include "core/model/listing.h"
#include "core/proposer/correspondent.h"

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

/// What came of asking for a listing.
struct ListingAnswer {
    Listing listing;
    Error error; ///< code empty where there is a listing
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
    void run();
    void pause(); ///< what flies is finished first
    void pauseAndCancel(); ///< now: what flies is cancelled, and its candidates wait for their turn as before it
    void step(); ///< one candidate, then paused
    void stepIslands(); ///< until each living island has admitted one more, then paused
    void stop(); ///< now: what flies is cancelled and stays resumable
    /// As those two, where no hand did it: the record tells why.
    void pauseBecause(const QString& why);
    void stopBecause(const QString& why);
    void setBudget(const Budget& budget);
    /// Who is asked for edits from here on, in the words of RunSettings::proposer; what is under way is finished if it
    /// is paid for, else dropped. failed() with proposer/…, models/… or manual/… where that cannot be.
    void setProposer(const QString& proposer);
    /// A person's reply to a question that waits for one (status.openInquiries of the proposer `manual`); failed() with
    /// inquiry/… if it does not fit.
    void answer(tilewright::InquiryId inquiry, const QString& text);
    /// The person's part of the run's memory, from here on in every prompt; an empty text takes it away.
    void writeInsights(const QString& text);
    /// The person's hints to an island (id 0: to all), a line each, from here on in its prompts; an empty text takes
    /// them away. failed() with island/unknown for one that the run does not have.
    void setHints(tilewright::IslandId island, const QString& text);
    /// A person's word on a candidate that waits for one: Approved, Rejected (with a reason, which goes into prompts)
    /// or Deferred. failed() with review/… where it does not wait.
    void decide(tilewright::CandidateId candidate, tilewright::Decision decision, const QString& reason);
    /// Approves a text of the person's in its place; it goes through patch, build and check again. Who asks has had it
    /// checked, as one that does not build is a failed evaluation here.
    void approveEdited(tilewright::CandidateId candidate, const QString& text, const QString& reason);
    /// Whether that would be taken and builds, without a word recorded; editChecked() follows, whether the run goes on
    /// or not. As a child: whether the lever Inject would take it.
    void checkEdit(quint64 tag, tilewright::CandidateId candidate, const QString& text,
        tilewright::EditAs as = tilewright::EditAs::Replacement);
    /// The answer to this tag is not wanted any more, and does not come.
    void dropEditCheck(quint64 tag);
    /// The same for callers on the engine's thread; `answer` is called later, once.
    void askToCheckEdit(
        CandidateId candidate, const QString& text, const std::function<void(const EditCheck&)>& answer);
    /// Takes the newest word on it back, until measuring starts.
    void undoReview(tilewright::CandidateId candidate);
    /// Which candidates of an island and a kind of proposer wait for a review from here on, and what becomes of those
    /// that wait already and would not.
    void setReviewPolicy(tilewright::PolicyScope scope, tilewright::ReviewPolicy policy,
        tilewright::WhatWaits waiting = tilewright::WhatWaits::Approved);
    /// With so many edits that wait for a person an island asks for no further ones; 0: no limit. failed() with
    /// review/limit for a number that makes no sense.
    void setReviewLimit(int perIsland);
    /// The person's text of a template, for the prompts of an island (id 0: of all that have none of their own) from
    /// here on; an empty one takes theirs away. failed() with prompt/… where it does not hold together.
    void saveTemplate(const tilewright::PromptDraft& draft, const QString& note);
    /// Takes the newest order about that template back: that it was saved, or taken away. failed() with prompt/template
    /// where none stands.
    void undoTemplate(IslandId island, const QString& name);
    /// The prompt that a template would make; previewReady() follows.
    void previewPrompt(quint64 tag, const tilewright::PromptDraft& draft);
    /// Pauses, steers, adds, merges … islands, plans migration, or takes the newest such order back. failed() with
    /// island/… as eventsOf() in island_orders.h, island/replay (recorded replies are not steered) or island/no-models
    /// (a sampling temperature where no models are asked).
    void orderIslands(const tilewright::IslandOrder& order);
    /// What a person does to a candidate: marks, wishes, places, injects, measures again, or takes back. failed() with
    /// the code of Hand::pull() where it cannot be.
    void pull(const tilewright::Lever& lever);
    /// A paused or resting model may be asked again; "" for all.
    void resumeModel(const QString& name);
    /// Writes what the session holds now to a file of its own; copied() or failed() follows.
    void saveCopy(const QString& path);

    /// Gives a command for somebody who waits for its outcome: what is wrong with it is theirs alone, and failed() does
    /// not tell it to everybody. Null if nothing is. For callers on the engine's thread.
    std::optional<Error> objectionTo(const std::function<void()>& command);

    /// Program and arguments of the node; by default defaultNodeCommand(). Before create() or open().
    void setNodeCommand(const QStringList& command);
    /// How prompts for a model or a person are written; by default writtenPrompts(). Before create() or open().
    void setPrompts(PromptSource prompts);
    /// The models file of sessions that are opened from now on, in place of the one in their settings.
    void setModelsFile(const QString& file);
    /// With requests in flight and nothing heard for this long, the node counts as hung (default 30 s).
    void setNodeSilenceLimit(std::chrono::milliseconds limit);
    /// How long a run whose wall time is used up waits for replies under way (default 10 s). Before create() or open().
    void setReplyGrace(std::chrono::milliseconds grace);

    /// A text of the session by its hash (source, patch, log, reply), delivered by textReady on this thread.
    void requestText(quint64 tag, const Hash& hash);

    /// What a candidate was compiled to, in this form or the usual one of its language; listingReady() follows, whether
    /// the run goes on or not. Nothing waits for it, and it waits for all builds.
    void requestListing(quint64 tag, tilewright::CandidateId candidate, std::optional<tilewright::ListingForm> form);
    /// The answer to this tag is not wanted any more, and does not come.
    void dropListing(quint64 tag);
    /// The same for callers on the engine's thread; `answer` is called later, once.
    void askForListing(CandidateId candidate, std::optional<ListingForm> form,
        const std::function<void(const ListingAnswer&)>& answer);

    /// The newest snapshot; for callers on the engine's thread.
    SnapshotPtr snapshot() const;

Q_SIGNALS:
    /// At most ten times a second, and once at the end of each phase.
    void published(tilewright::SnapshotPtr snapshot);
    void textReady(quint64 tag, QString text);
    void previewReady(quint64 tag, tilewright::PromptPreview preview);
    void listingReady(quint64 tag, tilewright::ListingAnswer answer);
    void editChecked(quint64 tag, tilewright::EditCheck check);
    /// lastSeq: of the last event in the copy.
    void copied(QString path, qint64 lastSeq);
    /// A command failed; the session goes on.
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
Q_DECLARE_METATYPE(tilewright::PromptPreview)
Q_DECLARE_METATYPE(tilewright::ListingAnswer)
Q_DECLARE_METATYPE(tilewright::EditCheck)
