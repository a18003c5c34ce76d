// SPDX-License-Identifier: GPL-3.0-or-later
// A thread with an event loop and the engine in it, for the window. Lives on the GUI thread; every command is a queued
// call, every answer a queued signal.
#pragma once

#include "core/engine/engine.h"

#include <QThread>
#include <atomic>
#include <functional>
#include <memory>

namespace tilewright {

class EngineThread : public QObject
{
    Q_OBJECT

public:
    explicit EngineThread(QObject* parent = nullptr);
    /// As Engine::setNodeCommand.
    void setNodeCommand(const QStringList& command);
    /// Closes the session and waits for the thread, at most a few seconds.
    ~EngineThread() override;

    /// Runs on the engine's thread, in the order of the commands.
    void invoke(std::function<void(Engine&)> work);

    void create(const NewSession& session);
    void open(const QString& path);
    void close();
    void run();
    void pause();
    void pauseAndCancel();
    void step();
    void stepIslands();
    void stop();
    void setBudget(const Budget& budget);
    void setProposer(const QString& proposer);
    void answer(InquiryId inquiry, const QString& text);
    void writeInsights(const QString& text);
    void setHints(IslandId island, const QString& text);
    void resumeModel(const QString& name);
    void decide(CandidateId candidate, Decision decision, const QString& reason);
    void approveEdited(CandidateId candidate, const QString& text, const QString& reason);
    void checkEdit(quint64 tag, CandidateId candidate, const QString& text, EditAs as);
    void dropEditCheck(quint64 tag);
    void undoReview(CandidateId candidate);
    void setReviewPolicy(PolicyScope scope, ReviewPolicy policy, WhatWaits waiting);
    void setReviewLimit(int perIsland);
    void saveTemplate(const PromptDraft& draft, const QString& note);
    void undoTemplate(IslandId island, const QString& name);
    void previewPrompt(quint64 tag, const PromptDraft& draft);
    void orderIslands(const IslandOrder& order);
    void pull(const Lever& lever);
    void saveCopy(const QString& path);
    void requestText(quint64 tag, const Hash& hash);
    void requestListing(quint64 tag, CandidateId candidate, std::optional<ListingForm> form);
    void dropListing(quint64 tag);

Q_SIGNALS:
    void published(tilewright::SnapshotPtr snapshot);
    void textReady(quint64 tag, QString text);
    void previewReady(quint64 tag, tilewright::PromptPreview preview);
    void listingReady(quint64 tag, tilewright::ListingAnswer answer);
    void editChecked(quint64 tag, tilewright::EditCheck check);
    void copied(QString path, qint64 lastSeq);
    void failed(QString code, QString text, QString hint);
    void closed();

private:
    template <typename... Parameters, typename... Values>
    void queue(void (Engine::*command)(Parameters...), Values... values);

    QThread m_thread;
    Engine* m_engine; ///< lives in m_thread, deleted there
    std::shared_ptr<std::atomic<int>> m_closes = std::make_shared<std::atomic<int>>(0); ///< asked for so far
};

} // namespace tilewright
