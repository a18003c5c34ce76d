// SPDX-License-Identifier: GPL-3.0-or-later
// What a run does now is told apart: it runs, waits for prompts, replies or the machine, is blocked by reviews, or
// rests.
#include "core/engine/session/run_activity.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

namespace {

Snapshot runningSnapshot()
{
    Snapshot snapshot;
    snapshot.status.sessionOpen = true;
    snapshot.status.phase = events::Phase::Running;
    return snapshot;
}

std::string said(const Snapshot& snapshot) { return describe(activityOf(snapshot)); }

} // namespace

class TestRunActivity : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRunThatWaitsForPromptsAloneIsWaiting()
    {
        Snapshot snapshot = runningSnapshot();
        snapshot.status.answersByHand = true;
        snapshot.status.openModelRequests = {{1}, {2}, {3}, {4}};
        QCOMPARE(said(snapshot), std::string("waiting: 4 prompts"));
        snapshot.status.measuring = 1;
        QCOMPARE(said(snapshot), std::string("running"));
        snapshot.status.measuring = 0;
        snapshot.status.queued = 1;
        QCOMPARE(said(snapshot), std::string("running"));
    }

    void aRunThatWaitsForModelsAloneIsWaitingForReplies()
    {
        Snapshot snapshot = runningSnapshot();
        snapshot.status.openModelRequests = {{1}};
        QCOMPARE(said(snapshot), std::string("waiting: 1 reply"));
        snapshot.status.openModelRequests.clear();
        QCOMPARE(said(snapshot), std::string("running"));
    }

    void aRunThatNothingButReviewsCanMoveIsBlocked()
    {
        Snapshot snapshot = runningSnapshot();
        snapshot.run.waitingReviews = 8;
        QCOMPARE(said(snapshot), std::string("running"));
        snapshot.status.waitingCode = "reviews";
        QCOMPARE(said(snapshot), std::string("blocked: 8 reviews"));
        const nlohmann::json json = toJson(activityOf(snapshot));
        QCOMPARE(json.at("state").get<std::string>(), std::string("blocked"));
        QCOMPARE(json.at("waits_for").get<std::string>(), std::string("reviews"));
        QCOMPARE(json.at("count").get<int>(), 8);
    }

    void whatHoldsAMachineUpIsNamed()
    {
        Snapshot snapshot = runningSnapshot();
        for (const auto& [code, words] : {std::pair("machine/busy", "waiting for the machine"),
                 std::pair("device/taken", "waiting for the device"), std::pair("node/lost", "waiting for the node")}) {
            snapshot.status.waitingCode = code;
            QCOMPARE(said(snapshot), std::string(words));
        }
    }

    void aRunThatRestsIsNoRunningOne()
    {
        Snapshot snapshot = runningSnapshot();
        snapshot.status.openModelRequests = {{1}};
        snapshot.status.pausing = true;
        QCOMPARE(said(snapshot), std::string("pausing"));
        for (const auto& [phase, words] : {std::pair(events::Phase::Paused, "paused"),
                 std::pair(events::Phase::Finished, "finished"), std::pair(events::Phase::Stopped, "stopped")}) {
            snapshot.status.phase = phase;
            QCOMPARE(said(snapshot), std::string(words));
        }
        snapshot.status.phase = events::Phase::Running;
        snapshot.status.readOnly = true; // another program runs it
        QCOMPARE(activityOf(snapshot), RunActivity{});
    }
};

TILEWRIGHT_TEST(TestRunActivity)
#include "test_run_activity.moc"
