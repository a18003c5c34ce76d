// SPDX-License-Identifier: GPL-3.0-or-later
// The door to the real engine on its own thread. GUI thread; owns the EngineThread.
#pragma once

#include "core/engine/engine_thread.h"
#include "ui/session/engine_door.h"

namespace tilewright::ui {

class ThreadDoor : public EngineDoor
{
    Q_OBJECT

public:
    explicit ThreadDoor(QObject* parent = nullptr);
    /// As EngineThread::invoke.
    void invoke(std::function<void(Engine&)> work) { m_engine.invoke(std::move(work)); }
    /// As Engine::setNodeCommand.
    void setNodeCommand(const QStringList& command) { m_engine.setNodeCommand(command); }

    void create(const NewSession& session) override { m_engine.create(session); }
    void open(const QString& path) override { m_engine.open(path); }
    void close() override { m_engine.close(); }
    void run() override { m_engine.run(); }
    void pause() override { m_engine.pause(); }
    void pauseAndCancel() override { m_engine.pauseAndCancel(); }
    void step() override { m_engine.step(); }
    void stepIslands() override { m_engine.stepIslands(); }
    void stop() override { m_engine.stop(); }
    void setBudget(const Budget& budget) override { m_engine.setBudget(budget); }
    void setProposer(const QString& proposer) override { m_engine.setProposer(proposer); }
    void answer(InquiryId inquiry, const QString& text) override { m_engine.answer(inquiry, text); }
    void writeInsights(const QString& text) override { m_engine.writeInsights(text); }
    void resumeModel(const QString& name) override { m_engine.resumeModel(name); }
    void decide(CandidateId candidate, Decision decision, const QString& reason) override
    {
        m_engine.decide(candidate, decision, reason);
    }
    void approveEdited(CandidateId candidate, const QString& text, const QString& reason) override
    {
        m_engine.approveEdited(candidate, text, reason);
    }
    void checkEdit(quint64 tag, CandidateId candidate, const QString& text, EditAs as) override
    {
        m_engine.checkEdit(tag, candidate, text, as);
    }
    void dropEditCheck(quint64 tag) override { m_engine.dropEditCheck(tag); }
    void undoReview(CandidateId candidate) override { m_engine.undoReview(candidate); }
    void setHints(IslandId island, const QString& text) override { m_engine.setHints(island, text); }
    void setReviewPolicy(PolicyScope scope, ReviewPolicy policy, WhatWaits waiting) override
    {
        m_engine.setReviewPolicy(scope, policy, waiting);
    }
    void setReviewLimit(int perIsland) override { m_engine.setReviewLimit(perIsland); }
    void saveTemplate(const PromptDraft& draft, const QString& note) override { m_engine.saveTemplate(draft, note); }
    void undoTemplate(IslandId island, const QString& name) override { m_engine.undoTemplate(island, name); }
    void previewPrompt(quint64 tag, const PromptDraft& draft) override { m_engine.previewPrompt(tag, draft); }
    void pull(const Lever& lever) override { m_engine.pull(lever); }
    void orderIslands(const IslandOrder& order) override { m_engine.orderIslands(order); }
    void saveCopy(const QString& path) override { m_engine.saveCopy(path); }
    void requestText(quint64 tag, const Hash& hash) override { m_engine.requestText(tag, hash); }
    void requestListing(quint64 tag, CandidateId candidate, std::optional<ListingForm> form) override
    {
        m_engine.requestListing(tag, candidate, form);
    }
    void dropListing(quint64 tag) override { m_engine.dropListing(tag); }

private:
    EngineThread m_engine;
};

} // namespace tilewright::ui
