// SPDX-License-Identifier: GPL-3.0-or-later
// Models in the window as a user meets them: set up against a real server on this machine, chosen for a session,
// answered by hand, looked at beside their candidates. Found by object names.
#include "tests/llm/fake_server.h"
#include "tests/llm/fixtures.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/theatre.h"
#include "ui/conversation/conversation_view.h"
#include "ui/evolve/candidate_inspector.h"
#include "ui/evolve/evolve_page.h"
#include "ui/models/display_text.h"
#include "ui/prompts/prompts_page.h"
#include "ui/settings/models_page.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme.h"
#include "ui/welcome/new_session_page.h"
#include "ui/welcome/proposer_picker.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/find_box.h"
#include "ui/widgets/pill.h"
#include "ui/widgets/table.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDirIterator>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

struct ModelsTheatre : test::Theatre {
    ModelsTheatre()
        : test::Theatre(20)
    {
        window->welcome().tasks().show(findTaskPacks());
    }
    /// A run that waits for a user's replies to everything that was asked.
    void openByHand(const std::vector<ModelRequestId>& open)
    {
        auto snapshot = std::make_shared<Snapshot>(*run.snapshot());
        snapshot->status.answersByHand = true;
        snapshot->status.openModelRequests = open;
        client.publish(snapshot);
    }
    void click(const QString& name) const { QTest::mouseClick(find<QAbstractButton>(name), Qt::LeftButton); }
    /// Types into a row of a card and leaves it.
    void type(const QString& card, const QString& field, const QString& text) const
    {
        QWidget* row = find<QWidget>(card)->findChild<QWidget*>(u"field:"_s + field);
        auto* edit = qobject_cast<QLineEdit*>(row);
        if (auto* box = qobject_cast<QComboBox*>(row))
            edit = box->lineEdit();
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
    }
    /// A server of one's own at that address with one model.
    void setUp(const std::string& url)
    {
        window->showScreen(u"settings"_s);
        window->modelsPage().addEndpoint(u"vllm"_s);
        type(u"endpointCard"_s, u"url"_s, QString::fromStdString(url));
        click(u"addModel"_s);
        type(u"modelCard"_s, u"model"_s, u"qwen"_s);
    }
};

testing::Script chat(const testing::SeenRequest&)
{
    testing::Said said;
    said.pieces = {"ready"};
    return testing::stream(testing::eventsOf(ModelProtocol::OpenAiChat, said));
}

} // namespace

class TestModelsWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anEndpointIsAddedListedAndItsModelAdded();
    void aTestCallTellsTimeTokensAndCost();
    void whatFewPeopleNeedIsEditedInTheFold();
    void whatATestFoundIsKept();
    void aServerThatIsNotThereIsToldWithWhatToDo();
    void aTestCanBeCancelled();
    void aKeyInMemoryIsSentAndStandsInNoFile();
    void aMistakeIsToldBesideItsFieldAndNotSaved();
    void removingCanBeTakenBack();
    void modelsCannotBeChosenBeforeOneIsSetUp();
    void aSessionByModelsCarriesWeightsAndBudgets();
    void aSessionByHandReachesTheEngine();
    void aBrokenModelsFileIsToldWhereItIsReadAndMended();
    void aModelsFileThatIsChangedElsewhereIsChosenFromOnThePage();
    void anOpenPromptIsReadCopiedAndAnswered();
    void aSentReplyShowsWhatItBecame();
    void aReplyThatDoesNotApplySaysWhyBeforeItIsSent();
    void aReplyIsDroppedAsAFile();
    void whatWasBegunIsKeptWhileAnotherIsRead();
    void thePromptOfACandidateIsShownToTheByte();
    void aRefusedReplyIsReadFromTheLog();
    void theMutatorsCandidateSaysThatThereIsNoPrompt();
    void theMemoryOfTheRunIsEditedAndTakenBack();
    void aModelInTroubleStandsOnItsIslandAndInTheTable();
    void theMetersShowTokensAndMoney();
    void whereAPriceIsUnknownNoSumIsShown();
};

void TestModelsWindow::aBrokenModelsFileIsToldWhereItIsReadAndMended()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"models.json"_s);
    const auto write = [&path](const QByteArray& bytes) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    };
    QVERIFY(write("{\n \"format\": 1,,\n"));
    ModelsBook book(path);
    ModelsPage page(book);
    page.resize(900, 600);
    page.show();
    const auto* words = page.findChild<QLabel*>(u"brokenModels"_s);
    QVERIFY(words->isVisible() && words->wordWrap());
    QVERIFY2(words->text().contains(path) && words->text().contains(u"line 2"_s), qPrintable(words->text()));
    const auto* add = page.findChild<QPushButton*>(u"addEndpoint"_s);
    QVERIFY(!add->isEnabled());
    QVERIFY(!page.findChild<QPushButton*>(u"addFirstEndpoint"_s)->isVisible());
    QVERIFY(write(R"({"format": 1, "endpoints": [{"name": "ollama", "template": "ollama"}], "models": []})"));
    page.findChild<QPushButton*>(u"readModelsAgain"_s)->click();
    QVERIFY(!words->isVisible() && add->isEnabled());
    QVERIFY(write("nothing"));
    book.readAgain();
    QVERIFY(words->isVisible());
    page.findChild<QPushButton*>(u"moveModelsAside"_s)->click();
    QVERIFY(!words->isVisible() && add->isEnabled());
    QVERIFY(page.findChild<QPushButton*>(u"addFirstEndpoint"_s)->isVisible());
}

void TestModelsWindow::aModelsFileThatIsChangedElsewhereIsChosenFromOnThePage()
{
    ModelsTheatre stage;
    stage.setUp("http://127.0.0.1:1/v1");
    ModelsBook& book = stage.window->models();
    const auto write = [&book](ModelsDraft draft, int tokens) {
        draft.set({DraftPart::Limits, 0}, "tokens", tokens);
        QFile file(book.path());
        const QByteArray bytes = QByteArray::fromStdString(draft.text());
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    };
    const auto* card = stage.find<QWidget>(u"modelsClash"_s);
    QVERIFY(!card->isVisible());
    stage.type(u"modelCard"_s, u"max_output_tokens"_s, u"many"_s); // not saved yet
    QVERIFY(write(book.draft(), 1000));
    QTRY_VERIFY_WITH_TIMEOUT(card->isVisible(), patience);
    QVERIFY(stage.find<MessageBar>(u"messageBar"_s)->text().contains(u"Another program changed"_s));
    QVERIFY(stage.find<QLabel>(u"modelsClashWords"_s)->text().contains(book.path()));
    stage.click(u"takeTheirModels"_s);
    QVERIFY(!card->isVisible());
    QCOMPARE(stage.find<MessageBar>(u"messageBar"_s)->text(), QString()); // it was chosen
    QCOMPARE(book.draft().textAt({DraftPart::Limits, 0}, "tokens"), std::string("1000"));
    stage.click(u"undoModels"_s);
    QCOMPARE(book.draft().textAt({DraftPart::Model, 0}, "max_output_tokens"), std::string("many"));
}

void TestModelsWindow::anEndpointIsAddedListedAndItsModelAdded()
{
    testing::FakeServer server;
    server.setHandler([](const testing::SeenRequest&) {
        return testing::answer(200, R"({"data":[{"id":"qwen-coder","max_model_len":65536},{"id":"other"}]})");
    });
    QVERIFY(server.start());
    ModelsTheatre stage;
    stage.window->actions()[u"settings.models"_s].trigger();
    QVERIFY(stage.find<QPushButton>(u"addFirstEndpoint"_s)->isVisible());
    stage.window->modelsPage().addEndpoint(u"vllm"_s);
    stage.type(u"endpointCard"_s, u"url"_s, QString::fromStdString(server.url()));
    stage.click(u"listModels"_s);
    auto* list = stage.find<QListWidget>(u"listedModels"_s);
    QTRY_COMPARE_WITH_TIMEOUT(list->count(), 2, patience);
    QVERIFY(list->item(0)->text().contains(u"qwen-coder"_s));
    stage.click(u"addModel"_s);
    QCOMPARE(stage.window->models().draft().textAt({DraftPart::Model, 0}, "model"), std::string("qwen-coder"));
    QVERIFY(stage.find<QWidget>(u"modelCard"_s)->isVisible());
    const auto file = loadModelsFile(stage.settings.modelsFile().toStdString());
    QVERIFY2(file.has_value(), file ? "" : file.error().text.c_str());
}

void TestModelsWindow::aTestCallTellsTimeTokensAndCost()
{
    testing::FakeServer server;
    server.setHandler(chat);
    QVERIFY(server.start());
    ModelsTheatre stage;
    stage.setUp(server.url());
    stage.click(u"testModel"_s);
    QTRY_COMPARE_WITH_TIMEOUT(stage.find<QLabel>(u"testVerdict"_s)->text(), u"The model works."_s, patience);
    const QString result = stage.find<QLabel>(u"testResult"_s)->text();
    QVERIFY2(result.contains(u"11 read"_s), qPrintable(result));
    QVERIFY2(result.contains(u"Cost: unknown"_s), qPrintable(result));
    stage.type(u"modelCard"_s, u"price.input"_s, u"1"_s);
    stage.type(u"modelCard"_s, u"price.output"_s, u"2"_s);
    stage.click(u"testModel"_s);
    QTRY_VERIFY_WITH_TIMEOUT(stage.find<QLabel>(u"testResult"_s)->text().contains(u"Cost: $0.0000"_s), patience);
}

void TestModelsWindow::whatFewPeopleNeedIsEditedInTheFold()
{
    ModelsTheatre stage;
    stage.window->showScreen(u"settings"_s);
    stage.window->modelsPage().addEndpoint(u"vllm"_s);
    auto* card = stage.find<QWidget>(u"endpointCard"_s);
    auto* fold = card->findChild<QAbstractButton*>(u"fold"_s);
    auto* perMinute = card->findChild<QWidget*>(u"field:requests_per_minute"_s);
    QVERIFY(!perMinute->isVisible());
    fold->click();
    QVERIFY(perMinute->isVisible());
    const QString usual = card->findChild<QLineEdit*>(u"field:timeouts.first_byte_s"_s)->placeholderText();
    QCOMPARE(usual, u"900"_s); // a server of one's own loads its model first
    stage.type(u"endpointCard"_s, u"url"_s, u"http://127.0.0.1:9/v1"_s);
    stage.type(u"endpointCard"_s, u"requests_per_minute"_s, u"60"_s);
    stage.type(u"endpointCard"_s, u"timeouts.total_s"_s, u"90"_s);
    auto* headers = card->findChild<QPlainTextEdit*>(u"field:headers"_s);
    stage.window->activateWindow();
    headers->setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(headers->hasFocus(), patience);
    QTest::keyClicks(headers, u"X-Title: t"_s);
    perMinute->setFocus(); // left: taken
    QVERIFY2(fold->text().contains(u"3 set"_s), qPrintable(fold->text()));
    stage.click(u"addModel"_s);
    stage.type(u"modelCard"_s, u"model"_s, u"qwen"_s);
    card = stage.find<QWidget>(u"modelCard"_s);
    card->findChild<QAbstractButton*>(u"fold"_s)->click();
    stage.type(u"modelCard"_s, u"top_p"_s, u"0.9"_s);
    stage.type(u"modelCard"_s, u"capabilities.context_tokens"_s, u"32 768"_s);
    auto* seed = card->findChild<QComboBox*>(u"field:capabilities.seed"_s);
    QCOMPARE(seed->currentText(), u"default: yes"_s);
    seed->setFocus();
    QTest::keyClicks(seed, u"n"_s); // "no"
    const auto file
        = parseModelsFile(stage.window->models().draft().text(), stage.window->models().catalogue(), "models.json")
              .value();
    const ModelEndpoint& endpoint = file.endpoints.front();
    QCOMPARE(endpoint.perMinute.requests, std::int64_t(60));
    QCOMPARE(endpoint.timeouts.total, std::chrono::milliseconds(90'000));
    QCOMPARE(endpoint.headers.at("X-Title"), std::string("t"));
    const ModelSpec& spec = file.models.front();
    QCOMPARE(spec.topP, std::optional(0.9));
    QCOMPARE(spec.capabilities.contextTokens, std::int64_t(32'768));
    QVERIFY(!spec.capabilities.seed);
    // A mistake in a closed fold opens it.
    card->findChild<QAbstractButton*>(u"fold"_s)->click();
    ModelsDraft draft = stage.window->models().draft();
    draft.set({DraftPart::Model, 0}, "top_p", 7);
    stage.window->models().change(draft, u"top_p"_s);
    QVERIFY(card->findChild<QLabel*>(u"problem:top_p"_s)->isVisible());
}

void TestModelsWindow::whatATestFoundIsKept()
{
    testing::FakeServer server;
    server.setHandler([](const testing::SeenRequest& request) {
        return request.body.find("\"temperature\"") == std::string::npos
            ? chat(request)
            : testing::answer(400, testing::parameterRefusal(ModelProtocol::OpenAiChat));
    });
    QVERIFY(server.start());
    ModelsTheatre stage;
    stage.setUp(server.url());
    stage.type(u"modelCard"_s, u"temperature"_s, u"0.7"_s);
    auto* keep = stage.find<QPushButton>(u"keepFound"_s);
    QVERIFY(!keep->isVisible());
    stage.click(u"testModel"_s);
    QTRY_VERIFY_WITH_TIMEOUT(keep->isVisible(), patience);
    keep->click();
    QVERIFY(!keep->isVisible());
    const auto spec = stage.window->models().draft().model(0, stage.window->models().catalogue()).value();
    QVERIFY(!spec.capabilities.temperature);
    QVERIFY(spec.capabilities.topP);
    stage.click(u"undoModels"_s);
    QVERIFY(
        stage.window->models().draft().model(0, stage.window->models().catalogue()).value().capabilities.temperature);
}

void TestModelsWindow::aServerThatIsNotThereIsToldWithWhatToDo()
{
    ModelsTheatre stage;
    stage.setUp("http://127.0.0.1:9/v1"); // discard: nobody listens
    stage.click(u"testModel"_s);
    QTRY_COMPARE_WITH_TIMEOUT(stage.find<QLabel>(u"testVerdict"_s)->text(), u"The model does not work."_s, patience);
    QVERIFY(stage.find<QLabel>(u"testResult"_s)->text().size() > 20);
}

void TestModelsWindow::aTestCanBeCancelled()
{
    testing::FakeServer server;
    server.setHandler([](const testing::SeenRequest&) { return testing::Script{testing::hold()}; });
    QVERIFY(server.start());
    ModelsTheatre stage;
    stage.setUp(server.url());
    stage.click(u"testModel"_s);
    QTRY_COMPARE_WITH_TIMEOUT(server.holding(), 1, patience);
    QCOMPARE(stage.find<QPushButton>(u"testModel"_s)->text(), u"Cancel"_s);
    stage.click(u"testModel"_s);
    QTRY_COMPARE_WITH_TIMEOUT(stage.find<QPushButton>(u"testModel"_s)->text(), u"Test"_s, patience);
    QCOMPARE(stage.find<QLabel>(u"testVerdict"_s)->text(), u"Cancelled."_s);
}

void TestModelsWindow::aKeyInMemoryIsSentAndStandsInNoFile()
{
    const QString canary = u"sk-canary-51f0c2"_s;
    testing::FakeServer server;
    server.setHandler(chat);
    QVERIFY(server.start());
    ModelsTheatre stage;
    stage.setUp(server.url());
    stage.window->modelsPage().choose({DraftPart::Endpoint, 0});
    auto* place = stage.find<QComboBox>(u"keyPlace"_s);
    place->setCurrentIndex(place->findData(u"memory"_s));
    Q_EMIT place->activated(place->currentIndex());
    auto* secret = stage.find<QLineEdit>(u"keySecret"_s);
    QCOMPARE(secret->echoMode(), QLineEdit::Password);
    secret->setFocus();
    QTest::keyClicks(secret, canary);
    stage.click(u"storeKey"_s);
    QVERIFY(secret->text().isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(stage.find<QLabel>(u"keyState"_s)->text().contains(u"memory"_s)
            && stage.find<QLabel>(u"keyState"_s)->text().contains(u"Stored"_s),
        patience);
    stage.window->modelsPage().choose({DraftPart::Model, 0});
    stage.click(u"testModel"_s);
    QTRY_COMPARE_WITH_TIMEOUT(stage.find<QLabel>(u"testVerdict"_s)->text(), u"The model works."_s, patience);
    QCOMPARE(server.seen().back().header("authorization"), "Bearer " + canary.toStdString());
    int files = 0;
    for (QDirIterator each(stage.folder.path(), QDir::Files, QDirIterator::Subdirectories); each.hasNext();) {
        QFile file(each.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(!file.readAll().contains("canary"), qPrintable(file.fileName()));
        ++files;
    }
    QVERIFY(files > 0);
    for (const QLabel* label : stage.window->findChildren<QLabel*>())
        QVERIFY2(!label->text().contains(u"canary"_s), qPrintable(label->objectName()));
}

void TestModelsWindow::aMistakeIsToldBesideItsFieldAndNotSaved()
{
    ModelsTheatre stage;
    stage.setUp("http://127.0.0.1:9/v1");
    stage.type(u"modelCard"_s, u"temperature"_s, u"hot"_s);
    auto* problem = stage.find<QWidget>(u"modelCard"_s)->findChild<QLabel*>(u"problem:temperature"_s);
    QVERIFY(problem->isVisible());
    QVERIFY(!problem->text().isEmpty());
    QVERIFY(!stage.find<QPushButton>(u"testModel"_s)->isEnabled());
    QVERIFY(stage.find<QLabel>(u"modelsSaved"_s)->text().startsWith(u"Not saved"_s));
    stage.type(u"modelCard"_s, u"temperature"_s, u"0,7"_s);
    QVERIFY(!problem->isVisible());
    QVERIFY(stage.find<QLabel>(u"modelsSaved"_s)->text().startsWith(u"Saved"_s));
}

void TestModelsWindow::removingCanBeTakenBack()
{
    ModelsTheatre stage;
    stage.setUp("http://127.0.0.1:9/v1");
    stage.click(u"duplicateEntry"_s);
    QCOMPARE(stage.window->models().draft().count(DraftPart::Model), std::size_t(2));
    stage.click(u"removeEntry"_s);
    QCOMPARE(stage.window->models().draft().count(DraftPart::Model), std::size_t(1));
    stage.click(u"undoModels"_s);
    QCOMPARE(stage.window->models().draft().count(DraftPart::Model), std::size_t(2));
}

void TestModelsWindow::modelsCannotBeChosenBeforeOneIsSetUp()
{
    ModelsTheatre stage;
    auto* card = stage.find<QAbstractButton>(u"proposer:model"_s);
    QVERIFY(card->accessibleDescription().contains(u"no model"_s));
    for (const QString& way : {u"setUpModels"_s, u"proposer:model"_s}) { // the row itself leads there, too
        stage.window->showScreen(u"welcome"_s);
        QVERIFY(!stage.window->modelsPage().isVisible());
        stage.click(way);
        QVERIFY(stage.window->modelsPage().isVisible());
        QVERIFY(!card->isChecked());
    }
    QVERIFY(!stage.window->welcome().proposers().choose(u"model"_s));
    stage.setUp("http://127.0.0.1:9/v1");
    stage.window->showScreen(u"welcome"_s);
    stage.click(u"proposer:model"_s);
    QVERIFY(card->isChecked());
    // Whether it has its key stands beside its name, and what it costs below, whole.
    const auto* key = stage.find<Pill>(u"keyOf:vllm"_s);
    QVERIFY(key->isVisible());
    QCOMPARE(key->text(), u"no key needed"_s);
    const auto* about = stage.find<QLabel>(u"aboutModel:vllm"_s);
    QVERIFY2(about->isVisible() && about->text().startsWith(u"qwen · "_s), qPrintable(about->text()));
    QVERIFY(about->geometry().top() >= key->geometry().bottom());
    QVERIFY(about->height() >= about->heightForWidth(about->width()));
    const auto shownAgain = [&] {
        stage.window->showScreen(u"settings"_s);
        stage.window->showScreen(u"welcome"_s);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // those of before are gone
        return stage.find<Pill>(u"keyOf:vllm"_s)->text();
    };
    stage.window->modelsPage().choose({DraftPart::Endpoint, 0});
    auto* place = stage.find<QComboBox>(u"keyPlace"_s);
    place->setCurrentIndex(place->findData(u"env"_s));
    Q_EMIT place->activated(place->currentIndex());
    const auto* name = stage.find<QLineEdit>(u"keyName"_s);
    stage.window->showScreen(u"settings"_s);
    stage.window->modelsPage().choose({DraftPart::Endpoint, 0});
    stage.window->resize(1280, 800);
    QTRY_VERIFY_WITH_TIMEOUT(
        name->fontMetrics().horizontalAdvance(name->text()) + 2 * ui::px(10) <= name->width(), patience);
    const QByteArray variable = name->text().toUtf8();
    QCOMPARE(variable, QByteArray("VLLM_API_KEY"));
    qunsetenv(variable.constData());
    QCOMPARE(shownAgain(), u"no key"_s);
    qputenv(variable.constData(), "a-key-of-a-test");
    QCOMPARE(shownAgain(), u"key found"_s);
    // One that names no key has the usual one of its template.
    ModelsDraft draft = *ModelsDraft::from(
        R"({"format": 1, "endpoints": [{"name": "openai", "template": "openai"}],
            "models": [{"name": "vllm", "endpoint": "openai", "model": "gpt-5"}]})");
    qunsetenv("OPENAI_API_KEY");
    stage.window->models().change(draft, u"another"_s);
    QCOMPARE(shownAgain(), u"no key"_s);
    qunsetenv(variable.constData());
}

void TestModelsWindow::aSessionByModelsCarriesWeightsAndBudgets()
{
    ModelsTheatre stage;
    stage.setUp("http://127.0.0.1:9/v1");
    stage.window->showScreen(u"welcome"_s);
    stage.click(u"proposer:model"_s);
    stage.find<QDoubleSpinBox>(u"weightOf:vllm"_s)->setValue(3);
    stage.find<QCheckBox>(u"limitTokens"_s)->setChecked(true);
    stage.find<QDoubleSpinBox>(u"millionTokens"_s)->setValue(0.25);
    stage.find<QLineEdit>(u"sessionFile"_s)->setFocus();
    const QString path = stage.folder.filePath(u"run.tilewright"_s);
    stage.find<QLineEdit>(u"sessionFile"_s)->selectAll();
    QTest::keyClicks(stage.find<QLineEdit>(u"sessionFile"_s), path);
    stage.click(u"start"_s);
    QTRY_VERIFY_WITH_TIMEOUT(stage.client.created.has_value(), patience);
    const RunSettings& settings = stage.client.created->settings;
    QCOMPARE(settings.budget.tokens, std::int64_t(250'000));
    QCOMPARE(text(settings.proposer), u"model:"_s + stage.folder.filePath(u"run.models.json"_s));
    const auto file = loadModelsFile(stage.folder.filePath(u"run.models.json"_s).toStdString());
    QVERIFY(file.has_value());
    QCOMPARE(file->models.front().weight, 3.0);
}

void TestModelsWindow::aSessionByHandReachesTheEngine()
{
    ModelsTheatre stage;
    stage.click(u"proposer:manual"_s);
    stage.click(u"start"_s);
    QTRY_VERIFY_WITH_TIMEOUT(stage.client.created.has_value(), patience);
    QCOMPARE(text(stage.client.created->settings.proposer), u"manual"_s);
}

void TestModelsWindow::anOpenPromptIsReadCopiedAndAnswered()
{
    ModelsTheatre stage;
    const ModelRequestId asked = stage.run.ask("", "Make the kernel faster.\nTask: gemm");
    stage.openByHand({asked});
    stage.window->actions()[u"mode.prompts"_s].trigger();
    auto* reader = stage.find<CodeView>(u"promptReader"_s);
    QTRY_VERIFY_WITH_TIMEOUT(reader->toPlainText().contains(u"Task: gemm"_s), patience);
    QCOMPARE(stage.find<Table>(u"openPrompts"_s)->model()->rowCount(), 1);
    stage.window->actions()[u"view.find"_s].trigger();
    QVERIFY(FindLine::of(*reader)->isVisible());
    QVERIFY(!reader->isAncestorOf(FindLine::of(*reader))); // beside the prompt, not over it
    QTest::keyClick(FindLine::of(*reader)->findChild<QLineEdit*>(), Qt::Key_Escape);
    stage.click(u"copyPrompt"_s);
    QCOMPARE(QGuiApplication::clipboard()->text(), u"You write fast kernels.\n\nMake the kernel faster.\nTask: gemm"_s);
    QVERIFY(!stage.find<QPushButton>(u"sendReply"_s)->isEnabled());
    stage.find<QPlainTextEdit>(u"replyText"_s)->setPlainText(u"my reply"_s);
    QTRY_VERIFY_WITH_TIMEOUT(stage.find<QPushButton>(u"sendReply"_s)->isEnabled(), patience);
    stage.click(u"sendReply"_s);
    QCOMPARE(stage.client.answers.size(), std::size_t(1));
    QCOMPARE(stage.client.answers[0].first, asked);
    QCOMPARE(stage.client.answers[0].second, u"my reply"_s);
    stage.openByHand({});
    const auto* nothing = stage.find<QLabel>(u"noPrompts"_s);
    QVERIFY(nothing->isVisible());
    // The record has it open until its answer stands there: that is not nothing.
    QVERIFY2(nothing->text().startsWith(u"1 prompt was open when the session was"_s), qPrintable(nothing->text()));
    QVERIFY(nothing->text().contains(u"sent again when the run resumes"_s));
}

void TestModelsWindow::aSentReplyShowsWhatItBecame()
{
    ModelsTheatre stage;
    const ModelRequestId asked = stage.run.ask("", "Make the kernel faster."),
                         other = stage.run.ask("", "Make it smaller.");
    stage.openByHand({asked, other});
    stage.window->showScreen(u"prompts"_s);
    auto* outcome = stage.find<QLabel>(u"replyOutcome"_s);
    QVERIFY(!outcome->isVisible()); // nothing was answered
    stage.run.answer(asked, "an edit that does not apply", 0);
    stage.openByHand({other});
    QVERIFY(outcome->isVisible());
    auto* answered = stage.find<Table>(u"answeredPrompts"_s);
    QCOMPARE(answered->model()->rowCount(), 1);
    QVERIFY2(outcome->text().contains(u"refused, patch/"_s), qPrintable(outcome->text()));
    stage.run.answer(other, "an edit that applies", 1);
    const CandidateId made{static_cast<std::int64_t>(stage.run.state().candidates.size())};
    const QString name = nameOfCandidate(made);
    stage.openByHand({});
    QCOMPARE(answered->model()->rowCount(), 2);
    answered->selectRow(0); // the newest
    stage.openByHand({});
    QVERIFY2(outcome->text().contains(u"became <a href=\"%1\""_s.arg(name)), qPrintable(outcome->text()));
    stage.openByHand({}); // nothing waits: what was answered is still there
    QVERIFY(outcome->isVisible() && !stage.find<QPushButton>(u"sendReply"_s)->isEnabled());
    Q_EMIT outcome->linkActivated(name);
    QCOMPARE(stage.window->context().selection.current(), made);
    QVERIFY(stage.find<QWidget>(u"evolvePage"_s)->isVisible());
}

void TestModelsWindow::aReplyThatDoesNotApplySaysWhyBeforeItIsSent()
{
    ModelsTheatre stage;
    stage.openByHand({stage.run.ask("", "Make it fast.")});
    stage.window->showScreen(u"prompts"_s);
    stage.find<QPlainTextEdit>(u"replyText"_s)
        ->setPlainText(u"<diff>\n@@ -1,1 +1,1 @@\n-this line is nowhere\n+x\n</diff>"_s);
    auto* findings = stage.find<QLabel>(u"replyFindings"_s);
    QTRY_VERIFY2_WITH_TIMEOUT(findings->text().contains(u"patch/no-match"_s), qPrintable(findings->text()), patience);
    QVERIFY(stage.find<QPushButton>(u"sendReply"_s)->isEnabled()); // it may be sent: it earns a repair turn
    stage.find<QPlainTextEdit>(u"replyText"_s)
        ->setPlainText(u"<diff>\n@@ -1,1 +1,1 @@\n-constexpr int TILE_ROWS = 1; // tune: 1 2 4 6 8 12\n+constexpr int "
                       "TILE_ROWS = 4; // tune: 1 2 4 6 8 12\n</diff>"_s);
    QTRY_VERIFY2_WITH_TIMEOUT(!findings->text().isEmpty() && !findings->text().contains(u"nowhere"_s),
        qPrintable(findings->text()), patience);
}

void TestModelsWindow::aReplyIsDroppedAsAFile()
{
    ModelsTheatre stage;
    stage.openByHand({stage.run.ask("", "Make it fast.")});
    stage.window->showScreen(u"prompts"_s);
    QFile file(stage.folder.filePath(u"reply.md"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("from a file");
    file.close();
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file.fileName())});
    auto* box = stage.find<QPlainTextEdit>(u"replyText"_s);
    QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(box->viewport(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(box->viewport(), &drop);
    QCOMPARE(box->toPlainText(), u"from a file"_s);
}

void TestModelsWindow::whatWasBegunIsKeptWhileAnotherIsRead()
{
    ModelsTheatre stage;
    const ModelRequestId first = stage.run.ask("", "one"), second = stage.run.ask("", "two");
    stage.openByHand({first, second});
    stage.window->showScreen(u"prompts"_s);
    auto* box = stage.find<QPlainTextEdit>(u"replyText"_s);
    box->setPlainText(u"half an answer"_s);
    stage.window->prompts().choose(second);
    QCOMPARE(box->toPlainText(), QString());
    stage.window->prompts().choose(first);
    QCOMPARE(box->toPlainText(), u"half an answer"_s);
}

void TestModelsWindow::thePromptOfACandidateIsShownToTheByte()
{
    ModelsTheatre stage;
    const ModelRequestId asked = stage.run.ask("writer", "Make it fast.\n  Indented: ¼ — “quoted”\n");
    const std::string reply = "<proposal>\n<diff>\n-a\n+b\n</diff>\n</proposal>\n<proposal>\n<diff>\n-c\n+d\n</diff>\n"
                              "</proposal>\n";
    stage.run.answer(asked, reply, 2);
    stage.client.publish(stage.run.snapshot());
    stage.window->selection().select(CandidateId{static_cast<std::int64_t>(stage.run.state().candidates.size())});
    stage.window->evolve().inspector().setTab(TextTabs::Prompt);
    auto* copy = stage.find<QPushButton>(u"copyCandidatePrompt"_s);
    QTRY_VERIFY_WITH_TIMEOUT(copy->isVisible(), patience);
    stage.click(u"copyCandidatePrompt"_s);
    QCOMPARE(QGuiApplication::clipboard()->text(),
        u"You write fast kernels.\n\nMake it fast.\n  Indented: ¼ — “quoted”\n"_s);
    const QString facts = stage.find<QLabel>(u"promptFacts"_s)->text();
    QVERIFY2(facts.contains(u"explore"_s) && facts.contains(u"writer"_s) && facts.contains(u"$0.012"_s)
            && facts.contains(u"14 s"_s),
        qPrintable(facts));
    stage.window->evolve().inspector().setTab(TextTabs::Reply);
    auto* view = stage.find<CodeView>(u"candidateReply"_s);
    QTRY_VERIFY_WITH_TIMEOUT(
        std::ranges::any_of(view->lines(), [](const CodeLine& line) { return line.isChosen && line.text == u"+d"_s; }),
        patience);
    QVERIFY(std::ranges::none_of(
        view->lines(), [](const CodeLine& line) { return line.isChosen && line.text == u"+b"_s; }));
}

void TestModelsWindow::aRefusedReplyIsReadFromTheLog()
{
    ModelsTheatre stage;
    const ModelRequestId asked = stage.run.ask("writer", "Make it fast.\n");
    stage.run.answer(asked, "No patch in here, only words.\n", 0);
    stage.client.publish(stage.run.snapshot());
    auto* log = stage.find<Table>(u"logTable"_s);
    const QAbstractItemModel& lines = *log->model();
    int row = lines.rowCount() - 1;
    while (row >= 0 && !lines.index(row, 2).data().toString().contains(u"patch/no-match"_s))
        --row;
    QVERIFY(row >= 0);
    Q_EMIT log->activated(lines.index(row, 0));
    auto* reader = stage.window->findChild<ConversationWindow*>();
    QVERIFY(reader && reader->isVisible());
    QVERIFY2(reader->windowTitle().contains(u"writer"_s), qPrintable(reader->windowTitle()));
    const auto textOf = [reader](const QString& name) { return reader->findChild<ConversationView*>(name)->text(); };
    QTRY_COMPARE_WITH_TIMEOUT(textOf(u"conversationReply"_s), u"No patch in here, only words.\n"_s, patience);
    QTRY_VERIFY_WITH_TIMEOUT(textOf(u"conversationPrompt"_s).endsWith(u"Make it fast.\n"_s), patience);
    QVERIFY(reader->findChild<QLabel*>(u"replyFacts"_s)->text().contains(u"refused: patch/no-match hunk 1"_s));
}

void TestModelsWindow::theMutatorsCandidateSaysThatThereIsNoPrompt()
{
    ModelsTheatre stage;
    stage.client.publish(stage.run.snapshot());
    for (const Candidate& candidate : stage.run.state().candidates) {
        const Proposal* proposal = stage.run.state().proposal(candidate.proposal);
        if (!proposal || proposal->proposer != "mutator" || candidate.migrated)
            continue;
        stage.window->selection().select(candidate.id);
        stage.window->evolve().inspector().setTab(TextTabs::Prompt);
        QTRY_VERIFY_WITH_TIMEOUT(stage.find<QLabel>(u"promptFacts"_s)->text().contains(u"No prompt"_s), patience);
        return;
    }
    QFAIL("the fixture has no candidate of the mutator");
}

void TestModelsWindow::theMemoryOfTheRunIsEditedAndTakenBack()
{
    ModelsTheatre stage;
    stage.run.learn("statistics", "Deeper cuts helped.");
    stage.run.learn("person", "Keep the tile at 4 rows.");
    stage.client.publish(stage.run.snapshot());
    auto* own = stage.find<QPlainTextEdit>(u"insightsOwn"_s);
    QTRY_COMPARE_WITH_TIMEOUT(own->toPlainText(), u"Keep the tile at 4 rows."_s, patience);
    QTRY_COMPARE_WITH_TIMEOUT(stage.find<QLabel>(u"insightsLearned"_s)->text(), u"Deeper cuts helped."_s, patience);
    own->setPlainText(u"Try 6 rows."_s);
    stage.find<QPushButton>(u"saveInsights"_s)->click();
    QCOMPARE(stage.client.insights, QStringList{u"Try 6 rows."_s});
    stage.run.learn("person", "Try 6 rows.");
    stage.client.publish(stage.run.snapshot());
    stage.find<QPushButton>(u"undoInsights"_s)->click();
    QTRY_COMPARE_WITH_TIMEOUT(stage.client.insights.value(1), u"Keep the tile at 4 rows."_s, patience);
}

void TestModelsWindow::aModelInTroubleStandsOnItsIslandAndInTheTable()
{
    ModelsTheatre stage;
    auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot());
    ModelStatus status;
    status.name = "writer";
    status.condition = ModelCondition::Paused;
    status.text = "the key was refused";
    status.islands = {IslandId{1}};
    snapshot->status.models = {status};
    snapshot->status.islandTrouble[IslandId{1}] = "writer: the key was refused";
    stage.client.publish(snapshot);
    auto* islands = stage.find<QAbstractItemView>(u"islandList"_s);
    QVERIFY(islands->model()->index(0, 0).data(Qt::AccessibleTextRole).toString().contains(u"key was refused"_s));
    auto* table = stage.find<Table>(u"statisticsTable"_s);
    QVERIFY(table->model()->index(0, 1).data().toString().contains(u"key was refused"_s));
    table->setCurrentIndex(table->model()->index(0, 0));
    QVERIFY(!stage.find<QPushButton>(u"resumeModel"_s)->isHidden());
    stage.find<QPushButton>(u"resumeModel"_s)->click();
    QCOMPARE(stage.client.calls, QStringList{u"resume writer"_s});
    // Whole, wherever there is more of it than a line.
    const auto card = [&](const std::string& trouble) {
        auto told = std::make_shared<Snapshot>(*snapshot);
        told->status.islandTrouble[IslandId{1}] = trouble;
        told->status.models[0].text = trouble;
        stage.client.publish(told);
        return islands->viewport()->grab(islands->visualRect(islands->model()->index(0, 0))).toImage();
    };
    const std::string begun = "writer: 3 failures, waiting 8 s: the server answered ";
    stage.window->showScreen(u"evolve"_s);
    const auto areToldApart = [&] {
        const QImage busy = card(begun + "429");
        return card(begun + "503") != busy;
    };
    QTRY_VERIFY_WITH_TIMEOUT(areToldApart(), patience); // the panes of a screen take their places after it is shown
    stage.window->showScreen(u"devices"_s);
    const auto* whole = stage.find<QLabel>(u"callsTrouble"_s);
    QVERIFY2(whole->text().endsWith(u"503"_s), qPrintable(whole->text()));
    QVERIFY(whole->isVisible());
    QVERIFY(whole->heightForWidth(whole->width()) <= whole->height());
    snapshot->status.models[0].condition = ModelCondition::Ready;
    stage.client.publish(snapshot);
    QVERIFY(!whole->isVisible());
}

void TestModelsWindow::theMetersShowTokensAndMoney()
{
    ModelsTheatre stage;
    stage.client.publish(stage.run.snapshot());
    QVERIFY(!stage.find<QWidget>(u"tokensMeter"_s)->isVisible());
    stage.run.answer(stage.run.ask("writer", "Make it fast."), "reply", 1);
    stage.client.publish(stage.run.snapshot());
    QVERIFY(stage.find<QWidget>(u"tokensMeter"_s)->isVisible());
    QVERIFY(stage.find<QWidget>(u"tokensMeter"_s)->accessibleName().contains(grouped(6100)));
    QVERIFY(stage.find<QWidget>(u"costMeter"_s)->accessibleName().contains(u"$0.01"_s));
}

void TestModelsWindow::whereAPriceIsUnknownNoSumIsShown()
{
    ModelsTheatre stage;
    auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot());
    ModelStatus status;
    status.name = "writer";
    const auto cost = [&](bool priced) {
        status.priced = priced;
        snapshot->status.models = {status};
        stage.client.publish(std::make_shared<Snapshot>(*snapshot));
        return stage.find<QWidget>(u"costMeter"_s)->accessibleName();
    };
    QVERIFY2(cost(false).contains(u"unknown"_s) && !cost(false).contains(u"$0.00"_s), qPrintable(cost(false)));
    QVERIFY2(cost(true).contains(u"$0.00"_s), qPrintable(cost(true))); // nothing was asked yet
}

TILEWRIGHT_TEST(TestModelsWindow)
#include "test_models_window.moc"
