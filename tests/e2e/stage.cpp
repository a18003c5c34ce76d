// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/stage.h"

#include "tests/patience.h"
#include "ui/settings/models_page.h"
#include "ui/welcome/new_session_page.h"
#include "ui/welcome/proposer_picker.h"
#include "ui/widgets/message_bar.h"

#include <QComboBox>
#include <QJsonDocument>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QtTest>

namespace tilewright::test {

using namespace Qt::StringLiterals;

Stage::Stage()
    : client(std::make_unique<ui::ThreadedEngineClient>())
{
    client->setNodeCommand({QStringLiteral(TILEWRIGHT_FAKE_NODE)});
    window = std::make_unique<ui::MainWindow>(*client, settings);
    window->resize(1680, 1050);
    window->show();
}

Stage::~Stage()
{
    window.reset();
    client.reset(); // closes the session before its folder goes
}

QString Stage::message() const { return find<ui::MessageBar>(u"messageBar"_s)->text(); }

QString Stage::saidWith(const QString& words) const
{
    const auto* log = window->findChild<ui::MessageLog*>();
    for (int row = log->rowCount() - 1; row >= 0; --row) // newest first
        if (const QString said = log->index(row, static_cast<int>(ui::MessageLog::Column::Text)).data().toString();
            said.contains(words))
            return said;
    return {};
}

void Stage::setUpModel(const std::string& url)
{
    const auto typeInto = [this](const QString& card, const QString& field, const QString& text) {
        QWidget* row = find<QWidget>(card)->findChild<QWidget*>(u"field:"_s + field);
        auto* box = qobject_cast<QComboBox*>(row);
        auto* edit = box ? box->lineEdit() : qobject_cast<QLineEdit*>(row);
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
    };
    window->actions()[u"mode.settings"_s].trigger();
    window->modelsPage().addEndpoint(u"vllm"_s);
    typeInto(u"endpointCard"_s, u"url"_s, QString::fromStdString(url));
    QTest::mouseClick(find<QPushButton>(u"addModel"_s), Qt::LeftButton);
    typeInto(u"modelCard"_s, u"model"_s, u"coder"_s);
    typeInto(u"modelCard"_s, u"name"_s, u"coder"_s);
    window->showScreen(u"welcome"_s);
    window->welcome().proposers().choose(u"model"_s);
}

std::string replyWith(int rows, int rowsBefore)
{
    return "<reasoning>A tile of " + std::to_string(rows)
        + " rows keeps more sums in registers.</reasoning>\n<diff>\n@@ -12,1 +12,1 @@\n-constexpr int TILE_ROWS = "
        + std::to_string(rowsBefore) + ";\n+constexpr int TILE_ROWS = " + std::to_string(rows)
        + ";\n</diff>\n<expected_impact>+50 %</expected_impact>\n";
}

bool Stage::create(const QString& name, int evaluations, const QString& button)
{
    window->showScreen(u"welcome"_s);
    window->welcome().tasks().show(findTaskPacks());
    auto* path = find<QLineEdit>(u"sessionFile"_s);
    path->selectAll();
    QTest::keyClicks(path, name);
    find<QSpinBox>(u"evaluations"_s)->setValue(evaluations);
    if (find<QAbstractButton>(u"review:risky"_s)->isChecked()) // as it is unless the test chose: nobody decides here
        find<QAbstractButton>(u"review:automatic"_s)->click();
    auto* press = find<QPushButton>(button);
    if (!press->isEnabled())
        return false;
    QTest::mouseClick(press, Qt::LeftButton);
    return true;
}

QJsonObject recordOf(Stage& stage)
{
    QJsonObject record;
    (void)QTest::qWaitFor(
        [&] {
            record = shown(QString::fromStdString(stage.window->session().snapshot().status.sessionPath));
            return record[QStringLiteral("events")].toInteger() == stage.window->session().run().lastSeq;
        },
        patience);
    return record;
}

QJsonObject shown(const QString& file)
{
    QProcess process;
    startCli(process, {u"show"_s, file, u"--json"_s, u"--all"_s});
    if (!process.waitForFinished(patience) || process.exitCode() != 0) {
        qWarning("%s", process.readAllStandardError().constData());
        return {};
    }
    return QJsonDocument::fromJson(process.readAllStandardOutput()).object();
}

void startCli(QProcess& process, const QStringList& arguments)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"TILEWRIGHT_NODE"_s, QStringLiteral(TILEWRIGHT_FAKE_NODE) + u" --delay-ms 20"_s);
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(TILEWRIGHT_CLI), arguments);
}

std::unique_ptr<QTemporaryDir> privateDataFolder()
{
    auto folder = std::make_unique<QTemporaryDir>();
    qputenv("XDG_DATA_HOME", folder->path().toLocal8Bit());
    return folder;
}

} // namespace tilewright::test
