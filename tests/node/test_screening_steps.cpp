// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/timing_record.h"
#include "tests/test_program.h"

#include <QTest>
#include <deque>

using namespace tilewright;

namespace {

/// A device on which every block takes no time: it notes what it was asked for, and voids the blocks that it is told
/// to.
struct Bench {
    explicit Bench(std::size_t ahead, const Task& task)
        : record(request(), task, job)
    {
        record.names = {"incumbent", "candidate"};
        record.begin(1, task.train, {});
        steps.ahead = ahead;
        steps.post = [this](ShapeRecord& shape) {
            posted.push_back(&shape);
            log.push_back("post " + std::to_string(shape.shape[0]));
            return Result<void>();
        };
        steps.take = [this](ShapeRecord& shape) -> Result<bool> {
            inOrder = inOrder && posted.front() == &shape;
            posted.pop_front();
            starved += posted.empty();
            log.push_back("take " + std::to_string(shape.shape[0]));
            if (voids > 0 && shape.shape[0] == voided) {
                --voids;
                ++shape.voided;
                return false;
            }
            record.file(shape, record.names, {1e6, 1e6}, {{ratio}, {0.0}}, 4);
            return true;
        };
        steps.posted = [this] { log.emplace_back("all posted"); };
        steps.turnAround = [this] {
            ++turns;
            turnedEmpty = turnedEmpty && posted.empty();
        };
    }

    static TimeRequest request()
    {
        TimeRequest request;
        request.purpose = Purpose::Screen;
        request.stopBelow = 0.5;
        return request;
    }

    DeviceJob job;
    TimingRecord record;
    TimingRecord::Steps steps;
    std::deque<ShapeRecord*> posted;
    std::vector<std::string> log;
    double ratio = 0; ///< ln(incumbent / candidate)
    std::int64_t voided = 0;
    int voids = 0, turns = 0, starved = 0; ///< starved: takes behind which nothing was posted
    bool inOrder = true, turnedEmpty = true;
};

Task task()
{
    Task task;
    task.dims = {{"N", 1, 1}};
    task.train = {{1}, {2}, {3}};
    return task;
}

} // namespace

class TestScreeningSteps : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aShapeOnWhichAContestantWasNeverTimedIsFound()
    {
        Task task;
        task.train = {{1}, {2}};
        Bench bench(1, task);
        TimingRecord& record = bench.record;
        record.names = {"incumbent", "candidate", "baseline"};
        const std::vector<std::string> all = record.names, fast{"incumbent", "candidate"};
        QCOMPARE(record.lacking("baseline"), &record.records[0]);
        record.file(record.records[0], all, {1e6, 1e6, 4e7}, {{0.0}, {0.0}, {3.7}}, 4);
        record.file(record.records[1], fast, {1e6, 1e6}, {{0.0}, {0.0}}, 4);
        QCOMPARE(record.lacking("baseline"), &record.records[1]);
        QVERIFY(!record.ratio("baseline", ShapeSplit::Train)); // no score
        record.file(record.records[1], all, {1e6, 1e6, 4e7}, {{0.0}, {0.0}, {3.7}}, 4);
        QVERIFY(!record.lacking("baseline"));
        QVERIFY(record.ratio("baseline", ShapeSplit::Train));
    }

    void everyShapeHasItsBlocksInEveryRound();
    void theDeviceDoesNotWaitBetweenRounds();
    void itIsSaidWhenNothingMoreIsToBePosted();
    void whoWasDisturbedHasItsTurnAgain();
    void whoIsFarBelowEndsAfterTheFirstRound();
    void oneAtATimeTurnsAroundBetweenRounds();
};

void TestScreeningSteps::everyShapeHasItsBlocksInEveryRound()
{
    const Task shapes = task();
    Bench device(2, shapes);
    QVERIFY(device.record.screen({2, 16, 2, 1e9}, device.steps).has_value());
    for (const ShapeRecord& shape : device.record.records)
        QCOMPARE(shape.blocks, 2);
    QVERIFY(device.inOrder);
    QVERIFY(device.posted.empty());
}

void TestScreeningSteps::theDeviceDoesNotWaitBetweenRounds()
{
    const Task shapes = task();
    Bench device(2, shapes);
    QVERIFY(device.record.screen({3, 16, 3, 1e9}, device.steps).has_value());
    QCOMPARE(device.starved, 1); // behind the very last
}

void TestScreeningSteps::itIsSaidWhenNothingMoreIsToBePosted()
{
    const Task shapes = task();
    Bench device(2, shapes);
    QVERIFY(device.record.screen({3, 16, 3, 1e9}, device.steps).has_value());
    const auto said = std::ranges::find(device.log, "all posted");
    QVERIFY(said != device.log.end());
    QCOMPARE(std::count_if(device.log.begin(), said, [](const std::string& line) { return line.starts_with("post"); }),
        std::ptrdiff_t(9));
    QCOMPARE(std::count(said, device.log.end(), "take 3"), std::ptrdiff_t(1)); // while the last is measured
}

void TestScreeningSteps::whoWasDisturbedHasItsTurnAgain()
{
    const Task shapes = task();
    Bench device(2, shapes);
    device.voided = 3;
    device.voids = 2;
    QVERIFY(device.record.screen({2, 16, 2, 1e9}, device.steps).has_value());
    for (const ShapeRecord& shape : device.record.records)
        QCOMPARE(shape.blocks, 2);
    QVERIFY(device.inOrder);
    QCOMPARE(std::ranges::count(device.log, "take 3"), 4);

    Bench busy(2, shapes);
    busy.voided = 2;
    busy.voids = 1000;
    const auto screened = busy.record.screen({2, 16, 2, 1e9}, busy.steps);
    QVERIFY(!screened.has_value());
    QCOMPARE(screened.error().code, "time/unstable");
}

void TestScreeningSteps::whoIsFarBelowEndsAfterTheFirstRound()
{
    const Task shapes = task();
    Bench device(2, shapes);
    device.ratio = -2;
    QVERIFY(device.record.screen({2, 16, 2, 1e9}, device.steps).has_value());
    QVERIFY(device.posted.size() <= 1); // what was posted ahead
    for (const ShapeRecord& shape : device.record.records)
        QCOMPARE(shape.blocks, 1);
}

void TestScreeningSteps::oneAtATimeTurnsAroundBetweenRounds()
{
    const Task shapes = task();
    Bench device(1, shapes);
    QVERIFY(device.record.screen({4, 16, 4, 1e9}, device.steps).has_value());
    QCOMPARE(device.turns, 2);
    QVERIFY(device.turnedEmpty);
    const std::vector<std::string> first{"post 1", "take 1", "post 2", "take 2", "post 3", "take 3"};
    QVERIFY(std::equal(first.begin(), first.end(), device.log.begin()));
}

TILEWRIGHT_TEST(TestScreeningSteps)
#include "test_screening_steps.moc"
