// SPDX-License-Identifier: GPL-3.0-or-later
// One program through build, check and timing on a node of its own, without a session's pipeline: what `evaluate` and
// `compare` do, and what the sealed shapes of an export are measured by. Lives on one thread, in an event loop of its
// own there.
#pragma once

#include "core/engine/measuring/measuring_device.h"
#include "core/engine/measuring/node_connection.h"
#include "core/model/task/task.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QObject>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace tilewright {

struct EvaluationWanted {
    TaskPack pack;
    std::string source;
    std::string device; ///< a name for deviceNamed(): "cpu", "cuda:0"
    Purpose purpose = Purpose::Confirm; ///< Screen: train shapes only, few samples, no vendor
    /// The program that it is timed in turns with; none: the task's seed. It is checked as the program is.
    std::optional<std::string> opponent = {};
    /// Asked once the device is known: its error ends the evaluation.
    std::function<Result<void>(const HelloReply::Device&)> deviceCheck = {};
};

/// Who follows an evaluation, on its thread.
struct EvaluationWatch {
    /// What holds it up, as a sentence without a stop.
    std::function<void(const std::string&)> say = {};
    /// How far it is; at most twice a second.
    std::function<void(const Progress&)> progressed = {};
    /// Asked a few times a second: true ends it with the error "cancelled".
    std::function<bool()> isCancelled = {};
};

/// Sees one program through.
class OneEvaluation
{
public:
    OneEvaluation(EvaluationWanted wanted, EvaluationWatch watch);

    /// Returns when it has ended.
    void run();
    const std::optional<Error>& error() const { return m_error; }
    const EvaluationResult& result() const { return m_result; }
    const HelloReply::Device& device() const { return m_device; }
    /// Whether it ended because its task is for a GPU and there is none.
    bool lacksGpu() const;
    const std::string& log() { return m_blobs[m_result.log]; }

private:
    struct Program {
        Hash source, artifact;
    };

    Hash keep(std::string text);
    void greeted();
    /// A device that another process holds is waited for, and after a second that is said, once each time.
    void noteProgress(const Progress& progress);
    void say(const std::string& text) const;
    void build(Program& program, std::function<void(const BuildReply&)> then);
    void candidateBuilt(const BuildReply& reply);
    void buildOpponent();
    void check(const Program& program, const char* name, std::function<void(const CheckReply&)> then);
    void checkCandidate();
    void time();
    /// The reply as this kind; null after ending with an error.
    template <typename Kind> const Kind* expectKind(const Result<Reply>& reply);
    void refused(const std::string& rule, const std::string& text, const nlohmann::json& evidence);
    void opponentRefused(const std::string& rule, const std::string& text, const nlohmann::json& evidence);
    void completeEnvironment();
    void failed(const Error& error);
    bool isQuick() const { return m_wanted.purpose == Purpose::Screen; }

    QObject m_context;
    EvaluationWanted m_wanted;
    EvaluationWatch m_watch;
    QEventLoop m_loop;
    QTimer m_look; ///< whether it is cancelled
    HelloReply::Device m_device;
    NodeConnection m_node;
    std::map<Hash, std::string> m_blobs;
    Hash m_task;
    Program m_candidate, m_seed, m_opponent;
    std::string m_evaluation;
    PassedChecks m_passed;
    EvaluationResult m_result;
    std::optional<Error> m_error;
    bool m_started = false;
    QElapsedTimer m_taken; ///< since another process was first seen to hold the device
    bool m_takenTold = false;
    int m_tries = 1; ///< of timing on a machine that is too busy
};

/// Sees it through, with another node where one was lost.
std::unique_ptr<OneEvaluation> evaluated(const EvaluationWanted& wanted, const EvaluationWatch& watch);

} // namespace tilewright
