// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine.h"

#include "core/base/folders.h"
#include "core/engine/session/session.h"

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
    bool isOverheard = false; ///< a command is being executed: what is wrong stands in its receipt
    std::optional<Error> overheard;
    std::map<quint64, std::function<void()>> queries; ///< by their tag: what cancels each, if anything

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
            return report({"session/open", "a session is already open", "close it first", nullptr});
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
            queries.clear();
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

    using Answered = std::function<void(const QueryAnswer&)>;
    using Cancel = std::function<void()>;

    Cancel answer(const queries::Text& query, const Answered& answered)
    {
        answered(session ? QString::fromStdString(session->text(query.hash)) : QString());
        return {};
    }
    Cancel answer(const queries::Preview& query, const Answered& answered)
    {
        if (session)
            answered(session->previewPrompt(query.draft));
        return {};
    }
    Cancel answer(const queries::ListingOf& query, const Answered& answered)
    {
        if (!session) {
            answered(ListingAnswer{{}, {"session/none", "no session is open", "open one first", nullptr}});
            return {};
        }
        const quint64 number = session->askForListing(
            query.candidate, query.form, [answered](const Result<Listing>& made) { answered(answerOf(made)); });
        return [this, number] {
            if (session)
                session->dropListing(number);
        };
    }
    Cancel answer(const queries::CheckEdit& query, const Answered& answered)
    {
        if (!session || session->isReadOnly()) {
            const Error why{"session/read-only", "no session is open for writing", "", nullptr};
            answered(EditCheck{EditCheckEnd::Refused, why, 0, {}});
            return {};
        }
        const quint64 number = session->checkEdit(
            query.candidate, query.text, query.as, [answered](const EditCheck& check) { answered(check); });
        return [this, number] {
            if (session)
                session->dropEditCheck(number);
        };
    }

    /// The open session, else null and a word to the caller.
    Session* readable()
    {
        if (!session)
            report({"session/none", "no session is open", "open one first", nullptr});
        return session.get();
    }

    /// The open session for a command that changes it, else null and a word to the caller.
    Session* writable()
    {
        if (!readable())
            return nullptr;
        if (isClosing)
            report(
                {"session/closing", "the session is being closed", "open it again, then repeat the command", nullptr});
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
    qRegisterMetaType<tilewright::Receipt>("tilewright::Receipt");
    qRegisterMetaType<tilewright::QueryAnswer>("tilewright::QueryAnswer");
}

Engine::~Engine() = default;

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

Receipt Engine::execute(const Command& command)
{
    Receipt receipt;
    d->isOverheard = true;
    d->overheard.reset();
    const bool isCopy = std::holds_alternative<commands::SaveCopy>(command);
    if (Session* session = isCopy ? d->readable() : d->writable())
        receipt = session->execute(command);
    d->isOverheard = false;
    if (d->overheard)
        receipt.error = std::move(*d->overheard);
    return receipt;
}

void Engine::execute(quint64 tag, const Command& command)
{
    Receipt receipt = execute(command);
    receipt.tag = tag;
    Q_EMIT executed(receipt);
}

std::function<void()> Engine::ask(const Query& query, const std::function<void(const QueryAnswer&)>& answer)
{
    return std::visit([&](const auto& one) { return d->answer(one, answer); }, query);
}

void Engine::ask(quint64 tag, const Query& query)
{
    drop(tag);
    d->queries[tag] = {};
    const auto cancel = ask(query, [this, tag](const QueryAnswer& made) {
        if (d->queries.erase(tag))
            Q_EMIT answered(tag, made);
    });
    if (const auto open = d->queries.find(tag); open != d->queries.end())
        open->second = cancel;
}

void Engine::drop(quint64 tag)
{
    if (const auto open = d->queries.extract(tag); open && open.mapped())
        open.mapped()();
}

SnapshotPtr Engine::snapshot() const { return d->makeSnapshot(); }

} // namespace tilewright
