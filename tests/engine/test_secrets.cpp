// SPDX-License-Identifier: GPL-3.0-or-later
// What is redacted of texts before they are kept: keys everywhere, what looks like one only in a user's words.
#include "core/engine/ledger.h"
#include "core/llm/keys.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace tilewright;

class TestSecrets : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aProgramsNamesAreKeptWhateverTheyBeginWith()
    {
        Secrets secrets("mutator");
        const std::string reply = "<diff>\n-int a;\n+float sk_accumulators_of_row = hf_weights_of_tile;\n</diff>\n";
        QCOMPARE(secrets.redacted(reply), reply);
    }

    void theKeysOfUsualProvidersGoFromEveryText()
    {
        qputenv("OPENAI_API_KEY", "a-key-of-nobody-0123456789");
        Secrets secrets("mutator");
        QCOMPARE(secrets.redacted("use a-key-of-nobody-0123456789 then"), std::string("use [key] then"));
        qunsetenv("OPENAI_API_KEY");
    }

    void theVariablesThatAModelsFileNamesForKeysAreKnown()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("models.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"format\": 1, \"endpoints\": [{\"name\": \"here\", \"template\": \"other\", \"protocol\": "
                   "\"openai-chat\", \"url\": \"http://127.0.0.1:9\", \"key\": \"env:WORD_OF_NOBODY\"}], "
                   "\"models\": [{\"name\": \"m\", \"endpoint\": \"here\", \"model\": \"scripted\", "
                   "\"max_output_tokens\": 100}]}");
        file.close();
        const Secrets secrets("model:" + file.fileName().toStdString());
        QVERIFY(KeyRing::variables().contains("WORD_OF_NOBODY"));
    }

    void whatLooksLikeAKeyGoesFromAPersonsWords()
    {
        Secrets secrets("mutator");
        RunSettings settings;
        settings.hints[{1}] = "mine is sk-0123456789abcdef, try MR = 8";
        QCOMPARE(secrets.redacted(settings).hints.at({1}), std::string("mine is <key>, try MR = 8"));
        const EventBody body = secrets.redacted(EventBody{events::HintsChanged{{1}, "sk-0123456789abcdef"}});
        QCOMPARE(std::get<events::HintsChanged>(body).text, std::string("<key>"));
    }
};

TILEWRIGHT_TEST(TestSecrets)
#include "test_secrets.moc"
