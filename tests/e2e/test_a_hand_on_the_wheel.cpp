// SPDX-License-Identifier: GPL-3.0-or-later
// One run from its beginning to the day after, as a user steers it: a new session with a model, a pause, a prompt
// edited, an edit approved with changes, one rejected with a reason, a re-run, the window closed and opened again.
#include "tests/e2e/stage.h"
#include "tests/llm/fake_server.h"
#include "tests/llm/fixtures.h"
#include "tests/patience.h"
#include "ui/diff/split_diff.h"
#include "ui/prompts/prompts_page.h"
#include "ui/prompts/template_editor.h"
#include "ui/prompts/templates_page.h"
#include "ui/review/review_page.h"
#include "ui/review/shortcut_guard.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table.h"

#include <QAbstractButton>
#include <QJsonArray>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QtTest>
#include <atomic>
#include <map>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

const QString reason = u"sums in half precision"_s, addition = u"Mind the edges of the matrix."_s;

/// A model that always has another number of rows to propose, and what it was asked.
class Model
{
public:
    Model()
    {
        m_server.setHandler([this](const testing::SeenRequest& request) {
            testing::Said said;
            said.pieces = {test::replyWith(2 + m_served++, rowsIn(request))};
            said.input = 4000;
            said.output = 120;
            return testing::stream(testing::eventsOf(ModelProtocol::OpenAiChat, said));
        });
    }
    bool start() { return m_server.start(); }
    std::string url() const { return m_server.url(); }
    bool wasTold(const QString& words) const
    {
        return std::ranges::any_of(m_server.seen(), [&](const testing::SeenRequest& request) {
            return request.json.is_object() && QString::fromStdString(request.json.dump()).contains(words);
        });
    }

private:
    /// Of the program that the question is about, whichever of the run's programs that is: it comes first.
    static int rowsIn(const testing::SeenRequest& request)
    {
        static const QRegularExpression line(u"constexpr int TILE_ROWS = (\\d+);"_s);
        return line.match(QString::fromStdString(request.body)).captured(1).toInt();
    }

    testing::FakeServer m_server;
    std::atomic<int> m_served = 0;
};

const RunState& runOf(const test::Stage& stage) { return stage.window->session().run(); }
events::Phase phaseOf(const test::Stage& stage) { return stage.window->session().snapshot().status.phase; }

/// The newest review of this decision.
std::optional<Review> decided(const test::Stage& stage, Decision decision)
{
    std::optional<Review> newest;
    for (const Review& review : runOf(stage).reviews)
        if (review.decision == decision)
            newest = review;
    return newest;
}

void press(test::Stage& stage, const QString& button)
{
    QTest::mouseClick(stage.find<QPushButton>(button), Qt::LeftButton);
}

/// As a user strikes it who looks at the window, and reads before each word and after it.
void strike(test::Stage& stage, Qt::Key key, Qt::KeyboardModifiers with = {})
{
    auto* letters = stage.window->findChild<ShortcutGuard*>();
    stage.window->activateWindow();
    QVERIFY(letters && QTest::qWaitForWindowActive(stage.window.get(), patience));
    letters->rest();
    QTest::keyClick(stage.window.get(), key, with);
    letters->rest();
}

} // namespace

class TestAHandOnTheWheel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        Theme::instance().apply(ThemeKind::Dark);
        const QString asked = qEnvironmentVariable("QT_QPA_PLATFORM");
        qInfo("platform: %s", qPrintable(QGuiApplication::platformName()));
        QVERIFY(asked.isEmpty() || QGuiApplication::platformName() == asked);
    }

    void fromANewSessionToTheDayAfter()
    {
        Model model;
        QVERIFY(model.start());
        test::Stage stage;
        const QString path = stage.file(u"steered.tilewright"_s);
        start(stage, model, path);
        pause(stage);
        editAPrompt(stage);
        const CandidateId edited = approveWithEdits(stage);
        reject(stage);
        press(stage, u"run.run"_s);
        approveTheRest(stage);
        QCOMPARE(runOf(stage).candidate(edited)->outcome, Outcome::Ranked);
        extendTheBudget(stage, 4);
        QTRY_VERIFY_WITH_TIMEOUT(runOf(stage).waitingReviews > 0, patience);
        approveTheRest(stage);
        QVERIFY(model.wasTold(reason)); // both stand in the prompts that came after
        QVERIFY(model.wasTold(addition));
        measureAgain(stage, edited);
        const std::int64_t events = runOf(stage).lastSeq;
        closeAndOpenAgain(stage, path);
        compareWithTheRecord(stage, path, events);
    }

private:
    static void start(test::Stage& stage, const Model& model, const QString& path)
    {
        stage.setUpModel(model.url());
        stage.find<QSpinBox>(u"islands"_s)->setValue(1); // every prompt after a rejection is of its island
        auto* every = stage.find<QAbstractButton>(u"review:every"_s);
        every->setFocus();
        QTest::keyClick(every, Qt::Key_Space);
        QVERIFY(every->isChecked());
        QVERIFY(stage.create(path, 12, u"start"_s)); // a quarter of what is left may wait: two at first
        QTRY_VERIFY2_WITH_TIMEOUT(runOf(stage).waitingReviews >= 2, qPrintable(stage.message()), patience);
    }

    static void pause(test::Stage& stage)
    {
        press(stage, u"run.pause"_s);
        QTRY_COMPARE_WITH_TIMEOUT(phaseOf(stage), events::Phase::Paused, patience);
    }

    static void editAPrompt(test::Stage& stage)
    {
        strike(stage, Qt::Key_4, Qt::ControlModifier);
        auto* editor = stage.find<TemplateEditor>(u"templateEditor"_s);
        auto* save = stage.find<QPushButton>(u"saveTemplate"_s);
        for (const std::string name : {"explore", "exploit"}) {
            stage.window->prompts().templates().choose({{}, name});
            const auto saved = runOf(stage).templates.size();
            QTRY_VERIFY_WITH_TIMEOUT(
                !editor->toPlainText().isEmpty() && !editor->toPlainText().contains(addition), patience);
            editor->moveCursor(QTextCursor::End);
            editor->setFocus();
            QTest::keyClicks(editor, u" "_s + addition);
            QTRY_VERIFY_WITH_TIMEOUT(save->isEnabled(), patience);
            QTest::mouseClick(save, Qt::LeftButton);
            QTRY_VERIFY_WITH_TIMEOUT(runOf(stage).templates.size() > saved, patience);
            QCOMPARE(runOf(stage).templates.back().name, name);
        }
    }

    static CandidateId approveWithEdits(test::Stage& stage)
    {
        strike(stage, Qt::Key_3, Qt::ControlModifier);
        [&] { QTRY_VERIFY_WITH_TIMEOUT(stage.find<SplitDiff>(u"reviewDiff"_s)->changes() > 0, patience); }();
        strike(stage, Qt::Key_E);
        auto* editor = stage.find<QPlainTextEdit>(u"reviewEditor"_s);
        [&] { QTRY_VERIFY_WITH_TIMEOUT(editor->isVisible(), patience); }();
        const int place = static_cast<int>(editor->toPlainText().indexOf(u"constexpr int TILE_ROWS = "_s)) + 26;
        QTextCursor cursor = editor->textCursor();
        cursor.setPosition(place);
        editor->setTextCursor(cursor);
        editor->setFocus();
        QTest::keyClicks(editor, u"9"_s); // in front of the model's number
        press(stage, u"acceptEdit"_s);
        [&] { QTRY_VERIFY_WITH_TIMEOUT(decided(stage, Decision::Edited), patience); }();
        return decided(stage, Decision::Edited)->edited;
    }

    static void reject(test::Stage& stage)
    {
        QTRY_VERIFY_WITH_TIMEOUT(stage.window->review().canDecide(), patience);
        strike(stage, Qt::Key_R);
        auto* line = stage.find<QLineEdit>(u"rejectReason"_s);
        QTRY_VERIFY_WITH_TIMEOUT(line->isVisible(), patience);
        QTest::keyClicks(line, reason);
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(decided(stage, Decision::Rejected), patience);
        QCOMPARE(QString::fromStdString(decided(stage, Decision::Rejected)->reason), reason);
    }

    static void approveTheRest(test::Stage& stage)
    {
        QVERIFY2(QTest::qWaitFor(
                     [&] {
                         if (!stage.window->review().canDecide() && runOf(stage).waitingReviews > 0)
                             strike(stage, Qt::Key_J);
                         if (stage.window->review().canDecide())
                             strike(stage, Qt::Key_A);
                         return phaseOf(stage) == events::Phase::Finished;
                     },
                     patience),
            qPrintable(stage.message()));
    }

    /// By the button that comes when it is used up; the run goes on with it.
    static void extendTheBudget(test::Stage& stage, std::int64_t more)
    {
        const Budget before = runOf(stage).settings.budget;
        auto* extend = stage.find<QPushButton>(u"extendBudget"_s);
        QTRY_VERIFY_WITH_TIMEOUT(extend->isVisible(), patience);
        QTest::mouseClick(extend, Qt::LeftButton);
        auto* box = stage.find<QSpinBox>(u"budgetEvaluations"_s);
        QVERIFY(box);
        QTRY_VERIFY_WITH_TIMEOUT(box->hasFocus(), patience); // and what stands there is chosen: typing takes its place
        QTest::keyClicks(box, QString::number(before.evaluations + more));
        press(stage, u"applyBudget"_s);
        Budget after = before;
        after.evaluations += more;
        QTRY_COMPARE_WITH_TIMEOUT(runOf(stage).settings.budget, after, patience);
        QTRY_COMPARE_WITH_TIMEOUT(phaseOf(stage), events::Phase::Running, patience);
    }

    static void measureAgain(test::Stage& stage, CandidateId candidate)
    {
        strike(stage, Qt::Key_2, Qt::ControlModifier);
        strike(stage, Qt::Key_K, Qt::ControlModifier); // found by its name
        auto* finder = stage.find<QLineEdit>(u"finderBox"_s);
        QTRY_VERIFY_WITH_TIMEOUT(finder && finder->hasFocus(), patience);
        QTest::keyClicks(finder, QString::fromStdString(candidateName(candidate)));
        QTest::keyClick(finder, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(stage.window->selection().current(), candidate, patience);
        auto* again = stage.find<QPushButton>(u"inspector:candidate.rerun-more"_s);
        QTRY_VERIFY_WITH_TIMEOUT(again->isEnabled(), patience);
        QTest::mouseClick(again, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(stage.find<QPushButton>(u"applyRerun"_s), patience);
        press(stage, u"applyRerun"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!runOf(stage).reruns.empty() && !runOf(stage).reruns.back().isOpen(), patience);
        QVERIFY(!runOf(stage).reruns.back().withdrawn);
    }

    static void closeAndOpenAgain(test::Stage& stage, const QString& path)
    {
        stage.window->close();
        stage.window.reset();
        stage.client = std::make_unique<ThreadedEngineClient>();
        stage.client->setNodeCommand({QStringLiteral(TILEWRIGHT_FAKE_NODE)});
        stage.window = std::make_unique<MainWindow>(*stage.client, stage.settings);
        stage.window->resize(1680, 1050);
        stage.window->show();
        stage.window->openFile(path);
        QTRY_VERIFY2_WITH_TIMEOUT(stage.window->session().isOpen(), qPrintable(stage.message()), patience);
    }

    static void compareWithTheRecord(test::Stage& stage, const QString& path, std::int64_t events)
    {
        const RunState& run = runOf(stage);
        QVERIFY(run.lastSeq >= events);
        const QJsonObject record = test::shown(path);
        QCOMPARE(record[u"candidate_count"].toInt(), static_cast<int>(run.candidates.size()));
        QCOMPARE(record[u"reruns"].toArray().size(), 1);
        QCOMPARE(record[u"phase"].toString(), u"finished"_s);
        std::map<QString, int> told;
        for (const QJsonValue& review : record[u"review"].toObject()[u"reviews"].toArray())
            ++told[review.toObject()[u"decision"].toString()];
        QCOMPARE(told[u"edited"_s], 1);
        QCOMPARE(told[u"rejected"_s], 1);
        QVERIFY(told[u"approved"_s] > 0);
        QCOMPARE(stage.find<Table>(u"candidateTable"_s)->model()->rowCount(), static_cast<int>(run.candidates.size()));
    }
};

int main(int argc, char** argv)
{
    const auto folder = test::privateDataFolder();
    QApplication app(argc, argv);
    TestAHandOnTheWheel test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_a_hand_on_the_wheel.moc"
