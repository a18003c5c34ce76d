// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine.h"

#include "core/base/folders.h"
#include "core/engine/session.h"

#include <QElapsedTimer>
#include <QTimer>
#include <map>

namespace tilewright {
namespace {

constexpr std::chrono::milliseconds publishInterval{100};
constexpr qint64 partIntervalMs = 250; ///< between pictures of a session that is being read

ListingAnswer answerOf(const Result<Listing>& made)
{
    return made ? ListingAnswer{*made, {}} : ListingAnswer{{}, made.error()};
}

} // namespace

QStringList defaultNodeCommand()
{
    const QString set = qEnvironmentVariable("TILEWRIGHT_NODE");
    if (!set.isEmpty())
        return set.split(u' ', Qt::SkipEmptyParts);
    return {QString::fromStdString((programFolder() / "tilewright-node").string())};
}

struct Engine::Private {
    Engine* q;
    QStringList nodeCommand = defaultNodeCommand();
    std::chrono::milliseconds silenceLimit{30'000}, replyGrace{10'000};
    PromptSource prompts;
    std::string modelsFile;
    std::unique_ptr<Session> session;
    std::unique_ptr<Session> next; ///< takes the place of the session that is being closed
    bool nextRuns = false;
    bool isClosing = false;
    bool closesForGood = false; ///< who asked for the close is told of it
    std::uint64_t version = 0;
    SnapshotPtr last = std::make_shared<Snapshot>();
    QTimer publishTimer;
    bool isOverheard = false; ///< a command's objections go to who gave it
    std::optional<Error> overheard;
    std::map<quint64, quint64> listings; ///< under way, by the caller's tag: the session's number
    std::map<quint64, quint64> editChecks; ///< the same

    explicit Private(Engine* engine)
        : q(engine)
    {
        publishTimer.setParent(engine); // so that it moves to the engine's thread with it
        publishTimer.setSingleShot(true);
        publishTimer.setInterval(publishInterval);
        QObject::connect(&publishTimer, &QTimer::timeout, q, [this] { publish(); });
    }

    SnapshotPtr makeSnapshot()
    {
        auto snapshot = std::make_shared<Snapshot>();
        snapshot->version = ++version;
        if (session)
            session->fill(*snapshot);
        last = snapshot;
        return last;
    }

    void publish()
    {
        publishTimer.stop();
        Q_EMIT q->published(makeSnapshot());
    }

    void changed()
    {
        if (!publishTimer.isActive())
            publishTimer.start();
    }

    void report(const Error& error)
    {
        if (isOverheard) {
            overheard = error;
            return;
        }
        Q_EMIT q->failed(
            QString::fromStdString(error.code), QString::fromStdString(error.text), QString::fromStdString(error.hint));
    }

    /// What a session looks like while it is being read: as its run was then.
    void publishPart(const std::string& path, const RunState& sofar, std::int64_t events)
    {
        auto snapshot = std::make_shared<Snapshot>();
        snapshot->version = ++version;
        snapshot->run = sofar;
        snapshot->status.sessionOpen = true;
        snapshot->status.sessionPath = path;
        snapshot->status.readOnly = true;
        snapshot->status.opening = events > 0 ? static_cast<double>(sofar.lastSeq) / static_cast<double>(events) : 0;
        snapshot->status.phase = sofar.phase;
        snapshot->status.runNs = sofar.runNs;
        last = snapshot;
        Q_EMIT q->published(last);
    }

    void open(const std::string& path, const ReplayWatch& watch)
    {
        if (session)
            return report({"session/open", "a session is open already", "close it first", nullptr});
        auto opened = Session::open(path, watch);
        if (opened)
            return take(std::move(*opened));
        if (last->status.opening)
            publish(); // nothing, in place of what was read
        if (opened.error().code != "session/cancelled")
            report(opened.error());
    }

    void take(std::unique_ptr<Session> opened)
    {
        session = std::move(opened);
        QObject::connect(session.get(), &Session::changed, q, [this] { changed(); });
        QObject::connect(session.get(), &Session::failed, q, [this](const Error& error) { report(error); });
        QObject::connect(session.get(), &Session::phaseEnded, q, [this] {
            publish();
            Q_EMIT q->phaseEnded(last);
        });
        session->setPrompts(prompts);
        session->setModelsFile(modelsFile);
        session->setReplyGrace(replyGrace);
        session->startNode(nodeCommand, silenceLimit);
        publish();
    }

    /// Begins to close the session; whichever comes next is taken once it has.
    void leave()
    {
        if (std::exchange(isClosing, true))
            return;
        QObject::connect(session.get(), &Session::closed, q, [this] {
            session.release()->deleteLater();
            isClosing = false;
            listings.clear();
            editChecks.clear();
            publish();
            takeNext();
            if (std::exchange(closesForGood, false))
                Q_EMIT q->closed();
        });
        session->close();
    }

    void takeNext()
    {
        if (!next)
            return;
        take(std::move(next));
        if (nextRuns)
            session->run();
    }

    /// Tells what is wrong, if anything is.
    void check(const Result<void>& done)
    {
        if (!done)
            report(done.error());
    }

    /// The open session for a command that changes it, else null and a word to the caller.
    Session* writable()
    {
        if (!session)
            report({"session/none", "no session is open", "open one first", nullptr});
        else if (isClosing)
            report({"session/closing", "the session is being closed", "open it again, and order it then", nullptr});
        else if (session->isReadOnly())
            report({"session/read-only", "the session is open read-only", session->readOnlyReason(), nullptr});
        else
            return session.get();
        return nullptr;
    }
};

Engine::Engine(QObject* parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this))
{
    qRegisterMetaType<tilewright::SnapshotPtr>("tilewright::SnapshotPtr");
    qRegisterMetaType<tilewright::ListingAnswer>("tilewright::ListingAnswer");
    qRegisterMetaType<tilewright::EditCheck>("tilewright::EditCheck");
}

Engine::~Engine() = default;

std::optional<Error> Engine::objectionTo(const std::function<void()>& command)
{
    d->isOverheard = true;
    d->overheard.reset();
    command();
    d->isOverheard = false;
    return std::exchange(d->overheard, std::nullopt);
}

void Engine::setNodeCommand(const QStringList& command) { d->nodeCommand = command; }
void Engine::setModelsFile(const QString& file) { d->modelsFile = file.toStdString(); }
void Engine::setPrompts(PromptSource prompts) { d->prompts = std::move(prompts); }
void Engine::setNodeSilenceLimit(std::chrono::milliseconds limit) { d->silenceLimit = limit; }
void Engine::setReplyGrace(std::chrono::milliseconds grace) { d->replyGrace = grace; }

void Engine::create(const NewSession& session)
{
    auto made = Session::create(session); // before the other is closed: what cannot be made costs nothing
    if (!made)
        return d->report(made.error());
    d->next = std::move(*made);
    d->nextRuns = session.startNow;
    if (d->session)
        d->leave();
    else
        d->takeNext();
}

void Engine::open(const QString& path) { d->open(path.toStdString(), {}); }

void Engine::openInSight(const QString& path, const std::function<bool()>& wanted)
{
    const std::string file = path.toStdString();
    QElapsedTimer sincePart;
    sincePart.start();
    d->open(file, [this, &file, &wanted, &sincePart](const RunState& sofar, std::int64_t events) {
        if (!wanted())
            return false;
        if (sofar.lastSeq < events && sincePart.hasExpired(partIntervalMs)) {
            sincePart.start();
            d->publishPart(file, sofar, events);
        }
        return true;
    });
}

void Engine::close()
{
    d->next.reset();
    if (!d->session) {
        Q_EMIT closed();
        return;
    }
    d->closesForGood = true;
    d->leave();
}

void Engine::onceDeviceIsHere(const std::function<void()>& work)
{
    if (Session* session = d->writable())
        session->onceDeviceIsHere(work);
}

void Engine::run()
{
    if (Session* session = d->writable())
        session->run();
}

void Engine::pause()
{
    if (Session* session = d->writable())
        session->pause();
}

void Engine::pauseAndCancel()
{
    if (Session* session = d->writable())
        session->pauseAndCancel();
}

void Engine::step()
{
    if (Session* session = d->writable())
        session->step();
}

void Engine::stepIslands()
{
    if (Session* session = d->writable())
        session->stepIslands();
}

void Engine::stop()
{
    if (Session* session = d->writable())
        session->stop();
}

void Engine::pauseBecause(const QString& why)
{
    if (Session* session = d->writable())
        session->pause(why.toStdString());
}

void Engine::stopBecause(const QString& why)
{
    if (Session* session = d->writable())
        session->stop(why.toStdString());
}

void Engine::setBudget(const Budget& budget)
{
    if (Session* session = d->writable())
        session->setBudget(budget);
}

void Engine::setProposer(const QString& proposer)
{
    if (Session* session = d->writable())
        d->check(session->setProposer(proposer.toStdString()));
}

void Engine::answer(InquiryId inquiry, const QString& text)
{
    if (Session* session = d->writable())
        d->check(session->answer(inquiry, text.toStdString()));
}

void Engine::writeInsights(const QString& text)
{
    if (Session* session = d->writable())
        session->writeInsights(text.toStdString());
}

void Engine::setHints(IslandId island, const QString& text)
{
    if (Session* session = d->writable())
        d->check(session->setHints(island, text.toStdString()));
}

void Engine::decide(CandidateId candidate, Decision decision, const QString& reason)
{
    if (Session* session = d->writable())
        d->check(session->decide(candidate, decision, reason.toStdString()));
}

void Engine::approveEdited(CandidateId candidate, const QString& text, const QString& reason)
{
    if (Session* session = d->writable())
        d->check(session->approveEdited(candidate, text.toStdString(), reason.toStdString()));
}

void Engine::checkEdit(quint64 tag, CandidateId candidate, const QString& text, EditAs as)
{
    dropEditCheck(tag);
    Session* session = d->writable();
    if (!session)
        return;
    d->editChecks[tag] = session->checkEdit(candidate, text.toStdString(), as, [this, tag](const EditCheck& check) {
        if (d->editChecks.erase(tag))
            Q_EMIT editChecked(tag, check);
    });
}

void Engine::dropEditCheck(quint64 tag)
{
    const auto found = d->editChecks.find(tag);
    if (found == d->editChecks.end())
        return;
    if (d->session)
        d->session->dropEditCheck(found->second);
    d->editChecks.erase(found);
}

void Engine::askToCheckEdit(
    CandidateId candidate, const QString& text, const std::function<void(const EditCheck&)>& answer)
{
    if (Session* session = d->writable())
        session->checkEdit(candidate, text.toStdString(), EditAs::Replacement, answer);
    else
        answer({EditCheckEnd::Refused, {"session/read-only", "no session is open for writing", "", nullptr}, 0, {}});
}

void Engine::undoReview(CandidateId candidate)
{
    if (Session* session = d->writable())
        d->check(session->undoReview(candidate));
}

void Engine::setReviewPolicy(PolicyScope scope, ReviewPolicy policy, WhatWaits waiting)
{
    if (Session* session = d->writable())
        d->check(session->setReviewPolicy(scope, policy, waiting));
}

void Engine::setReviewLimit(int perIsland)
{
    if (Session* session = d->writable())
        d->check(session->setReviewLimit(perIsland));
}

void Engine::saveTemplate(const PromptDraft& draft, const QString& note)
{
    if (Session* session = d->writable())
        d->check(session->saveTemplate(draft, note.toStdString()));
}

void Engine::undoTemplate(IslandId island, const QString& name)
{
    if (Session* session = d->writable())
        d->check(session->undoTemplate(island, name.toStdString()));
}

void Engine::previewPrompt(quint64 tag, const PromptDraft& draft)
{
    if (d->session)
        Q_EMIT previewReady(tag, d->session->previewPrompt(draft));
}

void Engine::orderIslands(const IslandOrder& order)
{
    if (Session* session = d->writable())
        d->check(session->orderIslands(order));
}

void Engine::pull(const Lever& lever)
{
    if (Session* session = d->writable())
        d->check(session->pull(lever));
}

void Engine::resumeModel(const QString& name)
{
    if (Session* session = d->writable())
        session->resumeModel(name.toStdString());
}

void Engine::saveCopy(const QString& path)
{
    if (!d->session)
        return d->report({"session/none", "no session is open", "open one first", nullptr});
    const auto saved = d->session->saveCopy(path.toStdString());
    if (!saved)
        return d->report(saved.error());
    Q_EMIT copied(path, *saved);
}

void Engine::requestText(quint64 tag, const Hash& hash)
{
    Q_EMIT textReady(tag, d->session ? QString::fromStdString(d->session->text(hash)) : QString());
}

void Engine::requestListing(quint64 tag, CandidateId candidate, std::optional<ListingForm> form)
{
    dropListing(tag);
    if (!d->session) {
        Q_EMIT listingReady(tag, {{}, {"session/none", "no session is open", "open one first", nullptr}});
        return;
    }
    d->listings[tag] = d->session->askForListing(candidate, form, [this, tag](const Result<Listing>& made) {
        if (d->listings.erase(tag))
            Q_EMIT listingReady(tag, answerOf(made));
    });
}

void Engine::dropListing(quint64 tag)
{
    const auto found = d->listings.find(tag);
    if (found == d->listings.end())
        return;
    if (d->session)
        d->session->dropListing(found->second);
    d->listings.erase(found);
}

void Engine::askForListing(
    CandidateId candidate, std::optional<ListingForm> form, const std::function<void(const ListingAnswer&)>& answer)
{
    if (d->session)
        d->session->askForListing(candidate, form, [answer](const Result<Listing>& made) { answer(answerOf(made)); });
    else
        answer({{}, {"session/none", "no session is open", "open one first", nullptr}});
}

SnapshotPtr Engine::snapshot() const { return d->makeSnapshot(); }

} // namespace tilewright
