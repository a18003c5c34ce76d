// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes of one's own for a session: as words, as a table, and the task on them.
#include "core/model/measurement/session_shapes.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

namespace {

const TaskPack& somePack()
{
    static const TaskPack pack = findTaskPack("gemm-fp32-cpu").value();
    return pack;
}
const Task& someTask() { return somePack().task; }

QByteArray codeOf(const Result<SessionShapes>& shapes)
{
    return shapes ? QByteArray("none") : QByteArray::fromStdString(shapes.error().code);
}

} // namespace

class TestSessionShapes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsNotSaidIsAsTheTaskHasIt()
    {
        QVERIFY(sessionShapes(someTask(), "", "") == shapesOf(someTask()));
        const auto train = sessionShapes(someTask(), "64x48x32, 5×6×7", "");
        QVERIFY(train.has_value());
        QVERIFY((train->train == std::vector<Shape>{{64, 48, 32}, {5, 6, 7}}));
        QVERIFY(train->heldout == someTask().heldout);
        const auto none = sessionShapes(someTask(), "", "none");
        QVERIFY(none.has_value());
        QVERIFY(none->heldout.empty());
        QVERIFY(none->train == someTask().train);
    }

    void aShapeThatIsTakenLeavesTheOtherList()
    {
        const std::vector<Shape> first{someTask().train.front()};
        const auto moved = sessionShapes(someTask(), "", listWords(first));
        QVERIFY(moved.has_value());
        QVERIFY(moved->heldout == first);
        QCOMPARE(moved->train.size(), someTask().train.size() - 1);
        const std::vector<Shape> held{someTask().heldout.front()};
        const auto taken = sessionShapes(someTask(), listWords(held), "");
        QVERIFY(taken.has_value());
        QCOMPARE(taken->heldout.size(), someTask().heldout.size() - 1);
    }

    void wordsThatCannotBeAreToldApart_data()
    {
        QTest::addColumn<QByteArray>("train");
        QTest::addColumn<QByteArray>("heldout");
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("two sizes") << QByteArray("64x64") << QByteArray() << QByteArray("shapes/words");
        QTest::newRow("all") << QByteArray("all") << QByteArray() << QByteArray("shapes/words");
        QTest::newRow("zero") << QByteArray("0x3x4") << QByteArray() << QByteArray("shapes/dimension");
        QTest::newRow("huge") << QByteArray("90000x90000x90000") << QByteArray() << QByteArray("shapes/large");
        QTest::newRow("twice") << QByteArray("8x8x8,8x8x8") << QByteArray() << QByteArray("shapes/twice");
        QTest::newRow("in both") << QByteArray("8x8x8") << QByteArray("8x8x8") << QByteArray("shapes/twice");
    }
    void wordsThatCannotBeAreToldApart()
    {
        QFETCH(QByteArray, train);
        QFETCH(QByteArray, heldout);
        QTEST(codeOf(sessionShapes(someTask(), train.toStdString(), heldout.toStdString())), "code");
    }

    void howMuchTooLargeAShapeIsStandsInPlainDigits()
    {
        const auto far = sessionShapes(someTask(), "90000x90000x90000", "");
        QVERIFY(!far);
        const std::string& words = far.error().text;
        QVERIFY2(
            words.find("\u202f000 times the ") != std::string::npos || words.find("00 times the ") != std::string::npos,
            words.c_str());
        QVERIFY2(words.find("e+") == std::string::npos, words.c_str());
    }

    void aTableIsReadByItsColumns()
    {
        const SessionShapes wanted{{{64, 48, 32}, {7, 8, 9}}, {{5, 6, 7}}};
        QVERIFY(shapesFromTable(someTask(), "64,48,32\n5,6,7,held-out\r\n\n# a word\n7;8;9;train") == wanted);
        QVERIFY(
            shapesFromTable(someTask(), "split\tn\tk\tm\ntrain\t48\t32\t64\nheldout\t6\t7\t5\n\t8\t9\t7\n") == wanted);
        QVERIFY(shapesFromTable(someTask(), "64x48x32\n\"5x6x7\",held-out\n7x8x9,train") == wanted);
    }

    void aTableThatCannotBeSaysItsLine()
    {
        const auto few = shapesFromTable(someTask(), "M,N,K\n64,48,32\n64,48\n");
        QCOMPARE(codeOf(few), QByteArray("shapes/words"));
        QVERIFY(few.error().text.starts_with("line 3: "));
        const auto split = shapesFromTable(someTask(), "64,48,32,maybe");
        QCOMPARE(codeOf(split), QByteArray("shapes/words"));
        QVERIFY(split.error().text.starts_with("line 1: 'maybe'"));
        QCOMPARE(codeOf(shapesFromTable(someTask(), "")), QByteArray("shapes/train"));
        QCOMPARE(codeOf(shapesFromTable(someTask(), "8,8,8,held-out")), QByteArray("shapes/train"));
        std::string many;
        for (std::size_t i = 1; i <= mostSessionShapes + 1; ++i)
            many += std::to_string(i) + ",8,8\n";
        QCOMPARE(codeOf(shapesFromTable(someTask(), many)), QByteArray("shapes/many"));
    }

    void theTaskHasThem()
    {
        const SessionShapes wanted{{{64, 48, 32}}, {}};
        const auto pack = packOn(somePack(), wanted);
        QVERIFY(pack.has_value());
        QVERIFY(shapesOf(pack->task) == wanted);
        QVERIFY(pack->task.verify == someTask().verify);
        QCOMPARE(pack->moves.size(), somePack().moves.size());
        QVERIFY(TaskPack::fromBlob(pack->blob()).value().task == pack->task);
        QVERIFY(packOn(somePack(), shapesOf(someTask()))->blob() == somePack().blob());
        QVERIFY(!packOn(somePack(), SessionShapes{}).has_value());
    }

    void listsAreReadBackAsTheyAreWritten()
    {
        const SessionShapes shapes = shapesOf(someTask());
        QVERIFY(sessionShapes(someTask(), listWords(shapes.train), listWords(shapes.heldout)) == shapes);
    }
};

TILEWRIGHT_TEST(TestSessionShapes)
#include "test_session_shapes.moc"
