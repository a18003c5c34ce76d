// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_thread.h"

namespace tilewright {
namespace {

constexpr unsigned long longestGoodbyeMs = 5000;

} // namespace

EngineThread::EngineThread(QObject* parent)
    : QObject(parent)
    , m_engine(new Engine)
{
    m_engine->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_engine, &QObject::deleteLater);
    connect(m_engine, &Engine::published, this, &EngineThread::published);
    connect(m_engine, &Engine::textReady, this, &EngineThread::textReady);
    connect(m_engine, &Engine::previewReady, this, &EngineThread::previewReady);
    connect(m_engine, &Engine::listingReady, this, &EngineThread::listingReady);
    connect(m_engine, &Engine::editChecked, this, &EngineThread::editChecked);
    connect(m_engine, &Engine::copied, this, &EngineThread::copied);
    connect(m_engine, &Engine::failed, this, &EngineThread::failed);
    connect(m_engine, &Engine::closed, this, &EngineThread::closed);
    m_thread.setObjectName(QStringLiteral("engine"));
    m_thread.start();
}

EngineThread::~EngineThread()
{
    // The last goodbye: the engine closes its session, then the thread ends; nobody waits for answers any more.
    connect(m_engine, &Engine::closed, &m_thread, &QThread::quit, Qt::DirectConnection);
    close();
    if (!m_thread.wait(longestGoodbyeMs)) {
        m_thread.quit();
        m_thread.wait(longestGoodbyeMs);
    }
}

void EngineThread::invoke(std::function<void(Engine&)> work)
{
    QMetaObject::invokeMethod(
        m_engine, [engine = m_engine, work = std::move(work)] { work(*engine); }, Qt::QueuedConnection);
}

template <typename... Parameters, typename... Values>
void EngineThread::queue(void (Engine::*command)(Parameters...), Values... values)
{
    invoke([command, values...](Engine& engine) { (engine.*command)(values...); });
}

void EngineThread::setNodeCommand(const QStringList& command) { queue(&Engine::setNodeCommand, command); }
void EngineThread::create(const NewSession& session) { queue(&Engine::create, session); }
void EngineThread::open(const QString& path)
{
    const int closes = *m_closes;
    invoke([path, closes, now = m_closes](
               Engine& engine) { engine.openInSight(path, [closes, now] { return *now == closes; }); });
}
void EngineThread::close()
{
    ++*m_closes; // what is being opened meanwhile is given up
    queue(&Engine::close);
}
void EngineThread::run() { queue(&Engine::run); }
void EngineThread::pause() { queue(&Engine::pause); }
void EngineThread::pauseAndCancel() { queue(&Engine::pauseAndCancel); }
void EngineThread::step() { queue(&Engine::step); }
void EngineThread::stepIslands() { queue(&Engine::stepIslands); }
void EngineThread::stop() { queue(&Engine::stop); }
void EngineThread::setProposer(const QString& proposer) { queue(&Engine::setProposer, proposer); }
void EngineThread::setBudget(const Budget& budget) { queue(&Engine::setBudget, budget); }
void EngineThread::answer(InquiryId inquiry, const QString& text) { queue(&Engine::answer, inquiry, text); }
void EngineThread::writeInsights(const QString& text) { queue(&Engine::writeInsights, text); }
void EngineThread::setHints(IslandId island, const QString& text) { queue(&Engine::setHints, island, text); }
void EngineThread::resumeModel(const QString& name) { queue(&Engine::resumeModel, name); }
void EngineThread::saveCopy(const QString& path) { queue(&Engine::saveCopy, path); }
void EngineThread::requestText(quint64 tag, const Hash& hash) { queue(&Engine::requestText, tag, hash); }
void EngineThread::requestListing(quint64 tag, CandidateId candidate, std::optional<ListingForm> form)
{
    queue(&Engine::requestListing, tag, candidate, form);
}
void EngineThread::dropListing(quint64 tag) { queue(&Engine::dropListing, tag); }
void EngineThread::orderIslands(const IslandOrder& order) { queue(&Engine::orderIslands, order); }
void EngineThread::checkEdit(quint64 tag, CandidateId candidate, const QString& text, EditAs as)
{
    queue(&Engine::checkEdit, tag, candidate, text, as);
}
void EngineThread::dropEditCheck(quint64 tag) { queue(&Engine::dropEditCheck, tag); }
void EngineThread::undoReview(CandidateId candidate) { queue(&Engine::undoReview, candidate); }
void EngineThread::decide(CandidateId candidate, Decision decision, const QString& reason)
{
    queue(&Engine::decide, candidate, decision, reason);
}
void EngineThread::approveEdited(CandidateId candidate, const QString& text, const QString& reason)
{
    queue(&Engine::approveEdited, candidate, text, reason);
}
void EngineThread::saveTemplate(const PromptDraft& draft, const QString& note)
{
    queue(&Engine::saveTemplate, draft, note);
}
void EngineThread::undoTemplate(IslandId island, const QString& name) { queue(&Engine::undoTemplate, island, name); }
void EngineThread::previewPrompt(quint64 tag, const PromptDraft& draft) { queue(&Engine::previewPrompt, tag, draft); }

void EngineThread::pull(const Lever& lever) { queue(&Engine::pull, lever); }
void EngineThread::setReviewPolicy(PolicyScope scope, ReviewPolicy policy, WhatWaits waiting)
{
    queue(&Engine::setReviewPolicy, scope, policy, waiting);
}
void EngineThread::setReviewLimit(int perIsland) { queue(&Engine::setReviewLimit, perIsland); }

} // namespace tilewright
