// SPDX-License-Identifier: GPL-3.0-or-later
// The window's only door to an engine: queued commands in, snapshots and texts out. GUI thread. ThreadDoor leads to the
// real engine; tests put a recorded one in its place.
#pragma once

#include "core/engine/engine.h"

#include <QObject>

namespace tilewright::ui {

class EngineDoor : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    virtual void create(const NewSession& session) = 0;
    virtual void open(const QString& path) = 0;
    virtual void close() = 0;
    virtual void run() = 0;
    virtual void pause() = 0;
    virtual void pauseAndCancel() = 0;
    virtual void step() = 0;
    virtual void stepIslands() = 0;
    virtual void stop() = 0;
    virtual void setBudget(const Budget& budget) = 0;
    virtual void setProposer(const QString& proposer) = 0;
    virtual void answer(InquiryId inquiry, const QString& text) = 0;
    virtual void writeInsights(const QString& text) = 0;
    virtual void resumeModel(const QString& name) = 0;
    virtual void decide(CandidateId candidate, Decision decision, const QString& reason) = 0;
    virtual void approveEdited(CandidateId candidate, const QString& text, const QString& reason) = 0;
    virtual void checkEdit(quint64 tag, CandidateId candidate, const QString& text, EditAs as) = 0;
    virtual void dropEditCheck(quint64 tag) = 0;
    virtual void undoReview(CandidateId candidate) = 0;
    virtual void setHints(IslandId island, const QString& text) = 0;
    virtual void setReviewPolicy(PolicyScope scope, ReviewPolicy policy, WhatWaits waiting = WhatWaits::Approved) = 0;
    virtual void setReviewLimit(int perIsland) = 0;
    virtual void saveTemplate(const PromptDraft& draft, const QString& note) = 0;
    virtual void undoTemplate(IslandId island, const QString& name) = 0;
    virtual void previewPrompt(quint64 tag, const PromptDraft& draft) = 0;
    virtual void pull(const Lever& lever) = 0;
    virtual void orderIslands(const IslandOrder& order) = 0;
    virtual void saveCopy(const QString& path) = 0;
    virtual void requestText(quint64 tag, const Hash& hash) = 0;
    virtual void requestListing(quint64 tag, CandidateId candidate, std::optional<ListingForm> form) = 0;
    virtual void dropListing(quint64 tag) = 0;

Q_SIGNALS:
    void published(tilewright::SnapshotPtr snapshot);
    void textReady(quint64 tag, QString text);
    void previewReady(quint64 tag, tilewright::PromptPreview preview);
    void listingReady(quint64 tag, tilewright::ListingAnswer answer);
    void editChecked(quint64 tag, tilewright::EditCheck check);
    void copied(QString path, qint64 lastSeq);
    void failed(QString code, QString text, QString hint);
    void closed();
};

} // namespace tilewright::ui
