// SPDX-License-Identifier: GPL-3.0-or-later
// One export from the window: steps of core/exporting on threads of its own, one after the other; what was measured on
// sealed shapes is recorded by the engine, which writes the session. The step that measures runs at normal priority, as
// the engine's node does, the one that writes at a low one. GUI thread.
#pragma once

#include "core/exporting/exporting.h"
#include "ui/session/session_client.h"

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <memory>

namespace tilewright::ui {

struct ExportChoices {
    CandidateId candidate;
    std::string folder; ///< to make
    bool measuresSealed = true; ///< where they were not measured yet
    bool hasHarness = true;
    bool hasPdf = true; ///< REPORT.pdf
    std::string key; ///< that signs the manifest; "": none
};

/// What was written.
struct ExportedFolder {
    QString folder, finding;
    std::size_t files = 0;
    bool measuredSealedNow = false, hasPdf = false;
};

inline constexpr const char* reportPdf = "REPORT.pdf";

class ExportRun : public QObject
{
    Q_OBJECT

public:
    ExportRun(SessionClient& session, QObject* parent);
    ~ExportRun() override; ///< cancels, and waits for its threads

    /// Of the session that is open; nothing while another one is under way.
    void start(const ExportChoices& choices);
    /// Ends it before anything is written; failed() comes with the code "cancelled".
    void cancel();
    bool isGoing() const { return m_isGoing; }

Q_SIGNALS:
    void progressed(const QString& words);
    void finished(const tilewright::ui::ExportedFolder& exported);
    void failed(const tilewright::Error& error);

private:
    struct Prepared {
        std::optional<HarnessSources> sources;
        std::optional<events::SealedMeasured> sealed; ///< measured now
    };
    void record(Prepared prepared);
    void write(bool measuredNow);
    void end(const Error& error);
    void say(const QString& words); ///< from any thread

    SessionClient& m_session;
    ExportChoices m_choices;
    std::string m_path; ///< of the session
    std::optional<HarnessSources> m_sources;
    bool m_isGoing = false, m_isRecording = false;
    std::shared_ptr<std::atomic<bool>> m_isCancelled;
    QThreadPool m_measuring, m_writing;
};

} // namespace tilewright::ui
