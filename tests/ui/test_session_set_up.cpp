// SPDX-License-Identifier: GPL-3.0-or-later
// A new session on shapes of one's own, and one that starts from what an earlier one was set to.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/fits.h"
#include "tests/ui/set_up.h"
#include "ui/theme/theme.h"
#include "ui/welcome/shape_rows.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/table.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

using namespace tilewright;
using namespace tilewright::ui;
using test::SetUp;
using namespace Qt::StringLiterals;

namespace {

struct ShapeStage : SetUp {
    Table& table() const { return *find<Table>(u"taskShapes"_s); }
    template <class T> T* in(int row, TaskShapes::Column column) const
    {
        return qobject_cast<T*>(table().indexWidget(table().model()->index(row, static_cast<int>(column))));
    }
    void split(int row, int index) const
    {
        auto buttons = in<Segments>(row, TaskShapes::Column::Split)->findChildren<QPushButton*>();
        QTest::mouseClick(buttons[index], Qt::LeftButton);
    }
    void leaveOut(int row) const
    {
        QTest::mouseClick(in<QToolButton>(row, TaskShapes::Column::Remove), Qt::LeftButton);
    }
    void type(const QString& words) const
    {
        auto* field = find<QLineEdit>(u"newShape"_s);
        field->clear();
        QTest::keyClicks(field, words);
        QTest::keyClick(field, Qt::Key_Return);
    }
    QString trouble() const
    {
        auto* label = find<QLabel>(u"shapeTrouble"_s);
        return label->isVisible() ? label->text() : QString();
    }
    const Task& task() const { return choices().pack->task; }
};

} // namespace

class TestSessionSetUp : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void aShapeThatIsTypedAndNotAddedIsNotLeftOutInSilence()
    {
        ShapeStage stage;
        auto* field = stage.find<QLineEdit>(u"newShape"_s);
        const std::size_t shapes = stage.task().train.size();
        QTest::keyClicks(field, u"12×banana"_s);
        stage.find<QPushButton>(u"start"_s)->click();
        QVERIFY(!stage.trouble().isEmpty());
        test::settle(*stage.window);
        QVERIFY(!stage.client.created);
        field->clear();
        QTest::keyClicks(field, u"77x103x51"_s);
        stage.find<QPushButton>(u"start"_s)->click();
        QTRY_VERIFY_WITH_TIMEOUT(stage.client.created.has_value(), patience);
        QCOMPARE(stage.choices().shapes->train.size(), shapes + 1);
    }

    void whatALargeShapeCostsIsReadWhole()
    {
        ShapeStage stage;
        for (auto* task : stage.window->welcome().tasks().findChildren<QAbstractButton*>())
            if (task->objectName().startsWith(u"task:"_s) && task->objectName().contains(u"bf16"_s))
                task->click(); // shapes of a GPU
        QVERIFY(stage.task().target == Target::Cuda);
        int seen = 0;
        for (const QSize size : {QSize(1680, 1050), QSize(1280, 800)}) {
            stage.window->resize(size);
            stage.window->grab(); // laid out
            const Table& table = stage.table();
            for (int row = 0; row < table.model()->rowCount(); ++row)
                for (const TaskShapes::Column column : {TaskShapes::Column::Work, TaskShapes::Column::Traffic}) {
                    const QModelIndex cell = table.model()->index(row, static_cast<int>(column));
                    if (table.isColumnHidden(cell.column()))
                        continue; // what it costs goes, rather than in part
                    ++seen;
                    QVERIFY2(table.columnWidth(cell.column())
                            >= table.fontMetrics().horizontalAdvance(cell.data().toString()) + 2 * px(8),
                        qPrintable(cell.data().toString()));
                }
        }
        QVERIFY(seen > 0);
    }

    void aShapeIsHeldOutByItsSwitch()
    {
        ShapeStage stage;
        QVERIFY(!stage.choices().shapes);
        QVERIFY(!stage.find<QPushButton>(u"shapesOfTask"_s)->isVisible());
        const Shape first = stage.task().train.front();
        stage.split(0, 1);
        QTRY_VERIFY(stage.choices().shapes.has_value());
        QCOMPARE(stage.choices().shapes->train.size(), stage.task().train.size() - 1);
        QVERIFY(stage.choices().shapes->heldout.front() == first); // in its row
        QCOMPARE(summaryOf(stage.choices(), Section::Shapes), u"7 + 7"_s);
        QVERIFY(commandLineOf(stage.choices()).contains(u"--train 384x384x128,"_s));
        QTest::mouseClick(stage.find<QPushButton>(u"shapesOfTask"_s), Qt::LeftButton);
        QVERIFY(!stage.choices().shapes);
        QCOMPARE(stage.table().model()->rowCount(),
            static_cast<int>(stage.task().train.size() + stage.task().heldout.size()));
    }

    void aRowStaysWhereItIsAndKeepsTheFocus()
    {
        ShapeStage stage;
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get()));
        const auto buttons = stage.in<Segments>(1, TaskShapes::Column::Split)->findChildren<QPushButton*>();
        const QString name = stage.table().model()->index(1, 0).data().toString();
        buttons[1]->setFocus();
        QTest::keyClick(buttons[1], Qt::Key_Space);
        QCOMPARE(stage.choices().shapes->train.size(), stage.task().train.size() - 1);
        QCOMPARE(stage.table().model()->index(1, 0).data().toString(), name);
        QVERIFY(buttons[1]->hasFocus());
        QTest::keyClick(buttons[0], Qt::Key_Space); // and back
        QVERIFY(!stage.choices().shapes);
        auto* cross = stage.in<QToolButton>(1, TaskShapes::Column::Remove);
        const QPointer<QWidget> next = stage.in<QToolButton>(2, TaskShapes::Column::Remove);
        cross->setFocus();
        QTest::keyClick(cross, Qt::Key_Space);
        QTRY_COMPARE(stage.choices().shapes->train.size(), stage.task().train.size() - 1);
        QVERIFY(next);
        QTRY_VERIFY_WITH_TIMEOUT(next->hasFocus(), patience);
    }

    void tabGoesThroughTheRowsInTheirOrder()
    {
        ShapeStage stage;
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get()));
        stage.type(u"77x5x9"_s); // a row that came later
        stage.split(0, 1);
        const int rows = stage.table().model()->rowCount();
        std::vector<QWidget*> order;
        for (int row = 0; row < rows; ++row) {
            for (QPushButton* each : stage.in<Segments>(row, TaskShapes::Column::Split)->findChildren<QPushButton*>())
                if (each->isChecked())
                    order.push_back(each);
            order.push_back(stage.in<QToolButton>(row, TaskShapes::Column::Remove));
        }
        order.push_back(stage.find<QLineEdit>(u"newShape"_s));
        order.front()->setFocus();
        for (std::size_t i = 0; i + 1 < order.size(); ++i) {
            QVERIFY2(order[i]->hasFocus(), qPrintable(QString::number(i)));
            QTest::keyClick(order[i], Qt::Key_Tab);
        }
        QVERIFY(order.back()->hasFocus());
        stage.find<QSpinBox>(u"islands"_s)->setValue(5);
        auto* last = stage.find<QComboBox>(u"aimOf:E"_s);
        QTRY_VERIFY_WITH_TIMEOUT(last->isVisible(), patience);
        stage.find<QToolButton>(u"steer:D"_s)->setFocus();
        QTest::keyClick(stage.find<QToolButton>(u"steer:D"_s), Qt::Key_Tab);
        QVERIFY(last->hasFocus());
    }

    void shapesAreAddedAndLeftOut()
    {
        ShapeStage stage;
        stage.type(u"77x5x9"_s);
        QVERIFY((stage.choices().shapes->train.back() == Shape{77, 5, 9}));
        QCOMPARE(stage.find<QLineEdit>(u"newShape"_s)->text(), QString());
        stage.type(u"77 x 5 x 9"_s);
        QVERIFY2(stage.trouble().contains(u"exists already"_s), qPrintable(stage.trouble()));
        stage.type(u"banana"_s);
        QVERIFY2(stage.trouble().contains(u"is not a shape of M×N×K"_s), qPrintable(stage.trouble()));
        QCOMPARE(stage.choices().shapes->train.size(), stage.task().train.size() + 1);
        stage.type(u"0x5x9"_s); // what is wrong and what to do are two sentences
        QVERIFY2(stage.trouble().contains(u"M cannot be 0. The task allows M from 1."_s), qPrintable(stage.trouble()));
        stage.leaveOut(0);
        QTRY_COMPARE(stage.choices().shapes->train.size(), stage.task().train.size());
        QVERIFY(stage.choices().shapes->train.front() == stage.task().train[1]);
    }

    void withoutTrainShapesNothingStarts()
    {
        ShapeStage stage;
        const auto count = stage.task().train.size();
        for (std::size_t left = count; left > 0; --left) {
            stage.leaveOut(0);
            QTRY_VERIFY(stage.choices().shapes && stage.choices().shapes->train.size() == left - 1);
        }
        QVERIFY(problemOf(stage.choices(), Section::Shapes).contains(u"no train shape"_s, Qt::CaseInsensitive));
        QVERIFY(!stage.find<QPushButton>(u"start"_s)->isEnabled());
    }

    void aTableOfShapesIsTaken()
    {
        ShapeStage stage;
        const QString path = stage.folder.filePath(u"shapes.csv"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("M,N,K,split\n64,48,32,train\n48,48,48,held-out\n");
        file.close();
        stage.window->findChild<ShapeRows*>()->takeFile(path);
        QVERIFY((stage.choices().shapes == SessionShapes{{{64, 48, 32}}, {{48, 48, 48}}}));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("64,48\n");
        file.close();
        stage.window->findChild<ShapeRows*>()->takeFile(path);
        QVERIFY2(stage.trouble().contains(u"line 1"_s, Qt::CaseInsensitive), qPrintable(stage.trouble()));
        stage.window->findChild<ShapeRows*>()->takeFile(stage.folder.filePath(u"nowhere.csv"_s));
        QVERIFY2(stage.trouble().contains(u"does not exist"_s), qPrintable(stage.trouble()));
        QCOMPARE(stage.choices().shapes->train.size(), std::size_t(1)); // as before

        QTest::mouseClick(stage.find<QPushButton>(u"createPaused"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(stage.client.created.has_value(), patience);
        QVERIFY(shapesOf(stage.client.created->pack.task) == *stage.choices().shapes);
        QVERIFY(stage.client.created->settings.task == sha256(stage.client.created->pack.blob()));
    }

    void whatAnEarlierSessionWasSetToIsTakenOver()
    {
        SetUp stage;
        EarlierSession earlier;
        earlier.settings.taskName = "gemm-fp32-cpu";
        earlier.settings.proposer = "tuner";
        earlier.settings.seed = 7;
        earlier.settings.islands = 3;
        earlier.settings.migration.ways = MigrationPlan::Ways::Off;
        earlier.settings.review[IslandId{}] = ReviewPolicy::Every;
        earlier.settings.reviewLimit = 4;
        earlier.settings.budget = {77, 120, 0, 0, 33};
        earlier.steering[{2}].focus = Focus::Tune;
        earlier.shapes = {{{64, 48, 32}}, {{48, 48, 48}}};
        stage.window->welcome().startFrom(earlier);

        const NewSession session = sessionOf(stage.choices(), true);
        QCOMPARE(session.settings.proposer, std::string("tuner"));
        QCOMPARE(session.settings.seed, std::uint64_t(7));
        QCOMPARE(session.settings.islands, 3);
        QVERIFY(session.settings.migration.ways == MigrationPlan::Ways::Off);
        QVERIFY(session.settings.review.at(IslandId{}) == ReviewPolicy::Every);
        QCOMPARE(session.settings.reviewLimit, 4);
        QVERIFY(session.settings.budget == earlier.settings.budget);
        QVERIFY(session.steering == earlier.steering);
        QVERIFY(shapesOf(session.pack.task) == earlier.shapes);
        QVERIFY(!stage.find<QLabel>(u"startFromRemark"_s)->isVisible());

        stage.window->welcome().startFrom(std::nullopt);
        const NewSession usual = sessionOf(stage.choices(), true);
        QCOMPARE(usual.settings.proposer, std::string("mutator"));
        QCOMPARE(usual.settings.islands, 4);
        QVERIFY(usual.steering.empty());
        QVERIFY(usual.settings.budget == sessionOf(SessionChoices(), true).settings.budget);
        QVERIFY(!stage.choices().shapes);
    }

    void aSessionOfAnotherMachineIsReplayedHere()
    {
        SetUp stage;
        const QString recorded = stage.folder.filePath(u"recorded.tilewright"_s);
        QFile file(recorded);
        QVERIFY(file.open(QIODevice::WriteOnly));
        auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot(events::Phase::Paused));
        snapshot->status.sessionPath = recorded.toStdString();
        snapshot->status.elsewhere = "this session was measured on another processor";
        DeviceStatus here;
        here.device.id = "cpu";
        snapshot->status.devices = {here};
        stage.client.publish(snapshot);
        ActionRegistry& actions = stage.window->actions();
        for (const QString& id : {u"run.run"_s, u"run.step"_s, u"run.step-islands"_s}) {
            QVERIFY(!actions[id].isEnabled());
            QVERIFY2(actions[id].toolTip().contains(u"another processor"_s), qPrintable(actions[id].toolTip()));
        }
        QVERIFY(stage.find<QPushButton>(u"run.run"_s)->toolTip().contains(u"another processor"_s));
        QVERIFY(stage.find<MessageBar>(u"messageBar"_s)->text().contains(u"another processor"_s));
        auto* offer = stage.find<QPushButton>(u"messageOffer"_s);
        QVERIFY(offer->isVisible());
        QTest::mouseClick(offer, Qt::LeftButton);
        QVERIFY(actions[u"mode.welcome"_s].isChecked());
        QCOMPARE(stage.choices().proposer, u"replay"_s);
        QCOMPARE(stage.choices().recording, recorded);
        QCOMPARE(stage.choices().islands, stage.run.state().settings.islands);

        auto gpu = std::make_shared<Snapshot>(*snapshot); // nothing here could run it
        gpu->status.elsewhere = "this session was measured on a GPU, and there is none";
        gpu->status.devices.clear();
        stage.client.publish(gpu);
        QVERIFY(stage.find<MessageBar>(u"messageBar"_s)->text().contains(u"there is none"_s));
        QVERIFY(!offer->isVisible());

        stage.open(); // its own device
        QVERIFY(!actions[u"run.run"_s].toolTip().contains(u"measured on"_s));
    }

    void whatIsNotHereIsSaid()
    {
        SetUp stage;
        EarlierSession earlier;
        earlier.settings.taskName = "gone";
        earlier.settings.proposer = "model:/nowhere.json";
        earlier.settings.device = "cuda:5";
        earlier.settings.islands = 2;
        earlier.shapes = {{{1, 2, 3}}, {}};
        stage.window->welcome().startFrom(earlier);
        QCOMPARE(stage.choices().islands, 2);
        QVERIFY(!stage.choices().shapes);
        const QString said = stage.find<QLabel>(u"startFromRemark"_s)->text();
        for (const QString& word : {u"gone"_s, u"cuda:5"_s, u"proposer"_s})
            QVERIFY2(said.contains(word), qPrintable(said));
    }
};

TILEWRIGHT_TEST(TestSessionSetUp)
#include "test_session_set_up.moc"
