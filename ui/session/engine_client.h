// SPDX-License-Identifier: GPL-3.0-or-later
// The engine as the window knows it: commands go in, snapshots, receipts and answers come out. GUI thread.
#pragma once

#include "core/engine/engine.h"

namespace tilewright::ui {

class EngineClient : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    // As those of Engine; their answers are the signals.
    virtual void create(const NewSession& session) = 0;
    virtual void open(const QString& path) = 0;
    virtual void close() = 0;
    virtual void execute(quint64 tag, const Command& command) = 0;
    virtual void ask(quint64 tag, const Query& query) = 0;
    virtual void drop(quint64 tag) = 0;

Q_SIGNALS:
    void published(tilewright::SnapshotPtr snapshot);
    void executed(tilewright::Receipt receipt);
    void answered(quint64 tag, tilewright::QueryAnswer answer);
    void failed(QString code, QString text, QString hint);
    void closed();
};

} // namespace tilewright::ui
