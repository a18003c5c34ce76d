// SPDX-License-Identifier: GPL-3.0-or-later
// Whole ways of a user with the real window on the real engine: prompts answered by hand, and a model that is set up,
// chosen and asked over a real socket. What the screens show is what the session file holds.
#include "core/model/requests/conversation.h"
#include "tests/e2e/stage.h"
#include "tests/llm/fake_server.h"
#include "tests/llm/fixtures.h"
#include "tests/patience.h"
#include "ui/evolve/candidate_inspector.h"
#include "ui/evolve/evolve_page.h"
#include "ui/models/display_text.h"
#include "ui/prompts/open_prompts_page.h"
#include "ui/prompts/prompts_page.h"
#include "ui/welcome/new_session_page.h"
#include "ui/welcome/proposer_picker.h"
#include "ui/widgets/code_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

const RunState& runOf(test::Stage& stage) { return stage.window->session().run(); }

} // namespace

class TestModelsInTheWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPromptIsAnsweredByHandAndBecomesACandidate()
    {
        test::Stage stage;
        stage.window->showScreen(u"welcome"_s);
        stage.window->welcome().proposers().choose(u"manual"_s);
        QVERIFY(stage.create(stage.file(u"hand.tilewright"_s), 8, u"start"_s));
        OpenPromptsPage& prompts = stage.window->prompts().openPrompts();
        QTRY_VERIFY_WITH_TIMEOUT(prompts.open() > 0, patience);
        stage.window->actions()[u"mode.prompts"_s].trigger();
        auto* reader = stage.find<CodeView>(u"promptReader"_s);
        QTRY_VERIFY_WITH_TIMEOUT(reader->toPlainText().contains(u"TILE_ROWS"_s), patience);
        const ModelRequestId asked = prompts.chosen();
        stage.find<QPlainTextEdit>(u"replyText"_s)->setPlainText(QString::fromStdString(test::replyWith(4)));
        auto* findings = stage.find<QLabel>(u"replyFindings"_s);
        QTRY_VERIFY2_WITH_TIMEOUT(
            findings->text().contains(u"applies: +1 −1"_s), qPrintable(findings->text()), patience);
        const int before = static_cast<int>(runOf(stage).candidates.size());
        QTest::mouseClick(stage.find<QPushButton>(u"sendReply"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(static_cast<int>(runOf(stage).candidates.size()) > before, patience);
        const Candidate made = *runOf(stage).candidate(CandidateId{before + 1});
        QCOMPARE(turnsOf(runOf(stage), made.id).back().modelRequest, asked);

        stage.window->showScreen(u"evolve"_s);
        stage.window->selection().select(made.id);
        stage.window->evolve().inspector().setTab(TextTabs::Reply);
        QTRY_VERIFY_WITH_TIMEOUT(
            stage.find<CodeView>(u"candidateReply"_s)->toPlainText().contains(u"+constexpr int TILE_ROWS = 4;"_s),
            patience);
        QTest::mouseClick(stage.find<QPushButton>(u"run.stop"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(stage.window->session().snapshot().status.phase != events::Phase::Running, patience);
    }

    void aModelIsSetUpChosenAndAsked()
    {
        testing::FakeServer server;
        int served = 0;
        const int rows[] = {2, 4, 6, 8, 12};
        server.setHandler([&](const testing::SeenRequest&) {
            testing::Said said;
            said.pieces = {test::replyWith(rows[served++ % 5])};
            said.input = 4000;
            said.output = 120;
            return testing::stream(testing::eventsOf(ModelProtocol::OpenAiChat, said));
        });
        QVERIFY(server.start());
        test::Stage stage;
        stage.setUpModel(server.url());
        QVERIFY(stage.create(stage.file(u"asked.tilewright"_s), 4, u"start"_s));
        QTRY_VERIFY2_WITH_TIMEOUT(runOf(stage).candidates.size() >= 3, qPrintable(stage.message()), patience);
        QTRY_VERIFY_WITH_TIMEOUT(runOf(stage).tokensSpent > 0, patience);
        QTRY_VERIFY_WITH_TIMEOUT(stage.find<QWidget>(u"tokensMeter"_s)->isVisible(), patience);

        const Candidate made = *runOf(stage).candidate(CandidateId{2});
        stage.window->selection().select(made.id);
        stage.window->evolve().inspector().setTab(TextTabs::Prompt);
        auto* copy = stage.find<QPushButton>(u"copyCandidatePrompt"_s);
        QTRY_VERIFY_WITH_TIMEOUT(copy->isVisible(), patience);
        QTest::mouseClick(copy, Qt::LeftButton);
        // What was sent over the socket is what is shown.
        const QString shown = QGuiApplication::clipboard()->text();
        const bool sent = std::ranges::any_of(server.seen(), [&shown](const testing::SeenRequest& request) {
            QString all;
            if (request.json.is_object() && request.json.contains("messages"))
                for (const auto& message : request.json["messages"])
                    all += (all.isEmpty() ? QString() : u"\n\n"_s)
                        + QString::fromStdString(message["content"].get<std::string>());
            return all == shown;
        });
        QVERIFY(sent);
        QVERIFY(stage.find<QLabel>(u"promptFacts"_s)->text().contains(u"coder"_s));
        QTest::mouseClick(stage.find<QPushButton>(u"run.stop"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(stage.window->session().snapshot().status.phase != events::Phase::Running, patience);
    }
};

int main(int argc, char** argv)
{
    const auto folder = test::privateDataFolder();
    QApplication app(argc, argv);
    TestModelsInTheWindow test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_models_in_the_window.moc"
