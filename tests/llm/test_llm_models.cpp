// SPDX-License-Identifier: GPL-3.0-or-later
// The models file and its complaints, the catalogue, and which model is asked next.
#include "core/base/files.h"
#include "core/llm/announced_limits.h"
#include "core/llm/ensemble.h"
#include "core/llm/json_access.h"
#include "core/llm/keys.h"
#include "core/llm/models_file.h"
#include "tests/test_program.h"

#include <QTest>
#include <cmath>
#include <cstring>

using namespace tilewright;

namespace {

constexpr auto noon = "2026-11-21T12:00:00.000Z";

// One literal a line: moc 6.4 loses its way in a raw literal of several lines.
const char* const smallFile
    = R"({)"
      R"("format": 1,)"
      R"("endpoints": [)"
      R"({"name": "openai", "template": "openai"},)"
      R"({"name": "local", "template": "vllm", "url": "http://localhost:9000", "max_in_flight": 3, "timeouts": {"total_s": 60}},)"
      R"({"name": "mine", "protocol": "anthropic", "url": "https://ai.example/v1", "key": "keychain:mine", "proxy": "none"})"
      R"(],)"
      R"("models": [)"
      R"({"name": "big", "endpoint": "openai", "model": "gpt-5", "weight": 3, "reasoning_effort": "high"},)"
      R"({"name": "small", "endpoint": "local", "model": "qwen", "temperature": 0.8,)"
      R"("price": {"input": 0, "output": 0, "date": "2026-11-21"}, "capabilities": {"seed": false, "context_tokens": 32768}})"
      R"(],)"
      R"("islands": {"B": {"small": 1}},)"
      R"("limits": {"tokens": 1000000, "cost_usd": 2.5, "in_flight": 4})"
      R"(})";

/// The file with one member set by JSON pointer.
std::string changed(const char* pointer, const nlohmann::json& value)
{
    nlohmann::json json = nlohmann::json::parse(smallFile);
    json[nlohmann::json::json_pointer(pointer)] = value;
    return json.dump();
}

Result<ModelsFile> parsed(const std::string& text, const ModelCatalogue& catalogue = {})
{
    return parseModelsFile(text, catalogue, "models.json");
}

} // namespace

class TestLlmModels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFileIsReadWithItsTemplatesAndDefaults()
    {
        const auto file = parsed(smallFile);
        QVERIFY2(file.has_value(), file ? "" : file.error().text.c_str());
        const ModelEndpoint& openai = *file->endpoint("openai");
        QCOMPARE(openai.protocol, ModelProtocol::OpenAiResponses);
        QCOMPARE(openai.url, std::string("https://api.openai.com/v1"));
        QCOMPARE(openai.key, std::string("env:OPENAI_API_KEY"));
        QCOMPARE(openai.timeouts.firstByte, std::chrono::milliseconds(300'000));
        const ModelEndpoint& local = *file->endpoint("local");
        QCOMPARE(local.timeouts.firstByte, std::chrono::milliseconds(900'000));
        QCOMPARE(local.timeouts.total, std::chrono::milliseconds(60'000));
        QVERIFY(local.key.empty() && local.mostInFlight == 3);
        QVERIFY(file->model("big")->capabilities.reasoningEffort);
        QVERIFY2(!file->model("big")->price, "a price came from nowhere");
        QVERIFY(file->model("small")->price && file->model("small")->price->input == 0);
        QVERIFY(!file->model("small")->capabilities.seed);
        QVERIFY((file->weightsFor("A") == std::map<std::string, double>{{"big", 3}, {"small", 1}}));
        QVERIFY((file->weightsFor("B") == std::map<std::string, double>{{"small", 1}}));
        QVERIFY(file->limits.tokens == 1'000'000 && file->limits.usd == 2.5 && file->mostInFlight == 4);
    }

    void mistakesAreNamedByFileFieldAndReason_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("field");
        const auto row = [](const char* pointer, const nlohmann::json& value, const char* field) {
            QTest::newRow((std::string(field) + " " + value.dump()).c_str())
                << QByteArray::fromStdString(changed(pointer, value)) << QString::fromLatin1(field);
        };
        row("/format", 2, "format");
        row("/surprise", 1, "surprise");
        row("/endpoints", nlohmann::json::array(), "endpoints");
        row("/endpoints/0/template", "azure", "endpoints[0].template");
        row("/endpoints/0/name", "has space", "endpoints[0].name");
        row("/endpoints/1/name", "openai", "endpoints[1].name");
        row("/endpoints/2/protocol", "smtp", "endpoints[2].protocol");
        row("/endpoints/2/url", "http://ai.example/v1", "endpoints[2].url");
        row("/endpoints/2/url", "nonsense", "endpoints[2].url");
        row("/endpoints/2/proxy", "ftp://x", "endpoints[2].proxy");
        row("/endpoints/2/headers", {{"Authorization", "Bearer x"}}, "endpoints[2].headers");
        for (const char* name : {"api-key", "X-API-Key", "apikey", "x-goog-api-key", "X-Auth-Token", "Cookie",
                 "Proxy-Authorization", "X-MyApiKey", "X-Client-Secret", "Host", "Content-Length", "Transfer-Encoding",
                 "Connection", "Accept-Encoding", "a name", "X-A\r\nX-B", ""})
            row("/endpoints/2/headers", {{name, "x"}}, "endpoints[2].headers");
        row("/endpoints/2/headers", {{"X-Title", "a\r\nX-Evil: 1"}}, "endpoints[2].headers");
        row("/endpoints/2/headers", {{"X-Title", "sk-proj-0123456789"}}, "endpoints[2].headers");
        for (const char* query : {"key=1", "api_key=1", "apiKey=1", "access_token=1", "auth=1", "a=1&sig=2",
                 "x-api-key=1", "v=AIzaSyA1234567890abcdefghij"})
            row("/endpoints/2/url", std::string("https://ai.example/v1?") + query, "endpoints[2].url");
        row("/endpoints/2/proxy", "http://me:pw@proxy:3128", "endpoints[2].proxy");
        row("/endpoints/2/key", "env:1KEY", "endpoints[2].key");
        row("/endpoints/2/key", "env:MY-KEY", "endpoints[2].key");
        row("/endpoints/2/requests_per_minute", 0, "endpoints[2].requests_per_minute");
        row("/endpoints/2/tokens_per_minute", -5, "endpoints[2].tokens_per_minute");
        row("/endpoints/2/tokens_per_minute", 1.5, "endpoints[2].tokens_per_minute");
        row("/endpoints/1/timeouts/total_s", 0, "endpoints[1].timeouts.total_s");
        row("/endpoints/1/plain_http", "yes", "endpoints[1].plain_http");
        row("/models/0/endpoint", "nowhere", "models[0].endpoint");
        row("/models/0/model", "", "models[0].model");
        row("/models/0/weight", -1, "models[0].weight");
        row("/models/0/temperature", 3, "models[0].temperature");
        row("/models/1/capabilities/system_role", "boss", "models[1].capabilities.system_role");
        row("/models/1/price", {{"input", 1}, {"output", 1}}, "models[1].price.date");
        row("/models/1/price/input", "cheap", "models[1].price.input");
        row("/models/1/price/date", "aaaa-bb-cc", "models[1].price.date");
        row("/models/1/price/date", "2026-02-30", "models[1].price.date");
        row("/models/1/price/date", "2026-1-001", "models[1].price.date");
        row("/islands", {{"ZZZ", {{"big", 1}}}}, "islands.ZZZ");
        row("/islands", {{"a", {{"big", 1}}}}, "islands.a");
        row("/models/0/reasoning_effort", "extreme", "models[0].reasoning_effort");
        row("/islands/B", {{"huge", 1}}, "islands.B.huge");
        row("/islands/B/small", 0, "islands.B");
        row("/limits/tokens", 1.5, "limits.tokens");
        row("/limits/tries", 0, "limits.tries");
        row("/limits/patience_s", -1, "limits.patience_s");
    }
    void mistakesAreNamedByFileFieldAndReason()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, field);
        const auto file = parsed(text.toStdString());
        QVERIFY(!file);
        QCOMPARE(file.error().code, std::string("models/field"));
        QCOMPARE(QString::fromStdString(file.error().evidence["field"].get<std::string>()), field);
        QVERIFY(file.error().text.starts_with("models.json: " + field.toStdString() + ": "));
        QVERIFY(!file.error().evidence["reason"].get<std::string>().empty());
    }

    void everyMistakeIsToldAtOnceAndNoneThatOnlyFollowsFromAnother()
    {
        nlohmann::json json = nlohmann::json::parse(smallFile);
        json["surprise"] = 1;
        json["endpoints"][0]["name"] = "has space"; // models[0] names it in vain, which is no mistake of its own
        json["endpoints"][1]["colour"] = "red";
        json["endpoints"][1]["timeouts"]["total_s"] = 0;
        json["endpoints"][1]["max_in_flight"] = "many";
        json["endpoints"][2]["headers"] = {{"Host", "x"}, {"X-Title", 1}};
        json["models"][0]["weight"] = -1;
        json["models"][1]["capabilities"]["seed"] = "no";
        json["models"][1]["price"] = {{"input", "cheap"}, {"output", 1}};
        json["islands"] = {{"ZZZ", {{"big", 1}}}, {"B", {{"huge", 1}}}};
        json["limits"]["tries"] = 0;
        const auto file = parsed(json.dump());
        QVERIFY(!file);
        QCOMPARE(file.error().code, std::string("models/field"));
        QStringList fields;
        for (const nlohmann::json& mistake : file.error().evidence["mistakes"]) {
            fields << QString::fromStdString(mistake["field"].get<std::string>());
            QVERIFY(!mistake["reason"].get<std::string>().empty());
            const std::string words = mistake["field"].get<std::string>() + ": " + mistake["reason"].get<std::string>();
            QVERIFY2(file.error().text.find(words) != std::string::npos, words.c_str());
        }
        fields.sort();
        QCOMPARE(fields,
            (QStringList{QStringLiteral("endpoints[0].name"), QStringLiteral("endpoints[1].colour"),
                QStringLiteral("endpoints[1].max_in_flight"), QStringLiteral("endpoints[1].timeouts.total_s"),
                QStringLiteral("endpoints[2].headers"), QStringLiteral("endpoints[2].headers"),
                QStringLiteral("islands.B.huge"), QStringLiteral("islands.ZZZ"), QStringLiteral("limits.tries"),
                QStringLiteral("models[0].weight"), QStringLiteral("models[1].capabilities.seed"),
                QStringLiteral("models[1].price.date"), QStringLiteral("models[1].price.input"),
                QStringLiteral("surprise")}));
        QVERIFY(file.error().text.find("endpoints[1].colour: unknown field; known fields are ca_file, ")
            != std::string::npos);
    }

    void aFileThatIsNotReadAsAWholeTellsNothingOfWhatItCouldNotKnow()
    {
        const auto mistakes = [](const char* pointer, const nlohmann::json& value) {
            const auto file = parsed(changed(pointer, value));
            return file ? std::size_t(0) : file.error().evidence["mistakes"].size();
        };
        QCOMPARE(mistakes("/endpoints/0", 1), std::size_t(1)); // and not that models[0] has none
        QCOMPARE(mistakes("/endpoints", nlohmann::json::array()), std::size_t(1));
        QCOMPARE(mistakes("/models/1/name", "has space"), std::size_t(1)); // and not that an island names it
        QCOMPARE(mistakes("/endpoints/0/template", "azure"), std::size_t(1)); // and not that its url is missing
        QCOMPARE(mistakes("/format", 2), std::size_t(1));
    }

    void aListIsNoModelsFileAndTheFileIsNamedOnce()
    {
        const auto file = parsed("[]");
        QCOMPARE(QString::fromStdString(file.error().text), QStringLiteral("models.json: must be an object"));
    }

    void whatTheMachineLacksIsFoundBeforeARun()
    {
        const auto complaint = [](const char* pointer, const nlohmann::json& value) {
            const auto file = parsed(changed(pointer, value));
            if (!file)
                return QStringLiteral("not read: ") + QString::fromStdString(file.error().text);
            const auto usable = checkUsable(*file, "models.json");
            return usable ? QString() : QString::fromStdString(usable.error().text);
        };
        qputenv("OPENAI_API_KEY", "sk-test-0123456789");
        QCOMPARE(complaint("/format", 1), QString());
        QCOMPARE(complaint("/endpoints/1/ca_file", "/nowhere/ca.pem"),
            QStringLiteral("models.json: endpoints[1].ca_file: there is no file /nowhere/ca.pem"));
        QCOMPARE(complaint("/endpoints/2/ca_file", "/nowhere/ca.pem"), QString()); // no model is behind it
        QCOMPARE(complaint("/endpoints/1/key", "memory:never-given"),
            QStringLiteral("the endpoint local has no key: never-given is kept for one run of the window only"));
        QVERIFY(complaint("/models/1/capabilities/context_tokens", 900)
                    .startsWith(QStringLiteral("models.json: models[1].capabilities.context_tokens: ")));
        QCOMPARE(complaint("/endpoints/1/ca_file", "/nowhere/ca.pem").count(QStringLiteral("models.json")), 1);
        qunsetenv("OPENAI_API_KEY");
        const QString both = complaint("/endpoints/1/key", "memory:never-given");
        QVERIFY2(both.contains(QStringLiteral("the endpoint openai has no key: "))
                && both.contains(QStringLiteral("; the endpoint local has no key: ")),
            qPrintable(both));
        QVERIFY(complaint("/format", 1).contains(QStringLiteral("has no key: the environment variable OPENAI_")));
        QCOMPARE(complaint("/models/0/weight", 0), QString());
    }

    void aKeyPastedIntoTheFileIsRefusedAndNotRepeated()
    {
        const std::string key = "sk-canary-7f3a9b2c4d5e6f708192";
        for (const auto& text : {changed("/endpoints/0/key", key), changed("/endpoints/0/key", "env:" + key + " x"),
                 changed("/endpoints/0/key", "keychain:"), changed("/endpoints/0/key", "env:" + key),
                 changed("/endpoints/0/key", "keychain:" + key), changed("/endpoints/0/key", "memory:" + key),
                 changed("/endpoints/0/name", key), changed("/models/0/name", key), changed("/models/0/model", key),
                 changed("/endpoints/2/url", "https://h/v1?key=" + key),
                 changed("/endpoints/2/url", "https://h/v1?v=" + key),
                 changed("/endpoints/2/proxy", "http://me:" + key + "@h:1"),
                 changed("/endpoints/2/headers", {{key, "x"}}), changed("/endpoints/2/headers", {{"X-Title", key}}),
                 changed("/endpoints/2/url", "https://user:" + key + "@h/v1"),
                 changed("/endpoints/2/headers", {{"x-api-key", key}}), "{\"key\": \"" + key + "\", ]"}) {
            const auto file = parsed(text);
            QVERIFY(!file);
            QVERIFY2(
                dumped(nlohmann::json{{"t", file.error().text}, {"h", file.error().hint}, {"e", file.error().evidence}})
                        .find(key)
                    == std::string::npos,
                file.error().text.c_str());
        }
        QVERIFY(parsed(changed("/endpoints/0/key", nullptr))->endpoint("openai")->key.empty());
        QVERIFY(parsed(changed("/endpoints/0/key", "env:OTHER_KEY"))->endpoint("openai")->key == "env:OTHER_KEY");
    }

    void aMemberThatStandsTwiceIsRefusedWithItsPath()
    {
        const auto doubled = [](const char* from, const char* to) {
            std::string text = smallFile;
            const std::size_t at = text.find(from);
            return parsed(text.replace(at, std::strlen(from), to));
        };
        for (const auto& [file, field] :
            {std::pair(doubled("\"weight\": 3", "\"weight\": 3, \"weight\": 4"), "models[0].weight"),
                std::pair(doubled("\"tokens\": 1000000", "\"tokens\": 1, \"tokens\": 2"), "limits.tokens"),
                std::pair(doubled("\"format\": 1", "\"format\": 1, \"format\": 1"), "format"),
                std::pair(doubled("\"name\": \"mine\"", "\"name\": \"mine\", \"name\": \"m\""), "endpoints[2].name")}) {
            QVERIFY(!file);
            QCOMPARE(file.error().code, std::string("models/field"));
            QCOMPARE(file.error().evidence["field"].get<std::string>(), std::string(field));
            QCOMPARE(file.error().evidence["reason"].get<std::string>(), std::string("occurs twice"));
        }
    }

    void aSyntaxMistakeHasItsLineAndQuotesNothing()
    {
        const auto file = parsed("{\n  \"format\": 1,\n  \"endpoints\": sk-canary\n}\n");
        QVERIFY(!file);
        QCOMPARE(file.error().code, std::string("models/syntax"));
        QVERIFY2(file.error().text.starts_with("models.json is not valid JSON: line 3: "), file.error().text.c_str());
        QVERIFY2(file.error().text.find("canary") == std::string::npos, file.error().text.c_str());
        QCOMPARE(file.error().evidence["line"].get<int>(), 3);
    }

    void addressesAndHeadersThatCarryNoKeyAreFine()
    {
        for (const char* url :
            {"https://ai.example/v1?api-version=2024-10-21", "https://ai.example/v1?max_tokens=5&monkey=1"})
            QVERIFY2(parsed(changed("/endpoints/2/url", url)).has_value(), url);
        const auto file = parsed(
            changed("/endpoints/2/headers", {{"HTTP-Referer", "https://example.org/a?b=c"}, {"X-Title", "Größe"}}));
        QVERIFY2(file.has_value(), file ? "" : file.error().text.c_str());
        QCOMPARE(file->endpoint("mine")->headers.size(), std::size_t(2));
    }

    void ourOwnLimitsAMinuteAreRead()
    {
        QVERIFY((parsed(smallFile)->endpoint("mine")->perMinute == PaceLimits{}));
        QCOMPARE(parsed(changed("/endpoints/2/requests_per_minute", 20))->endpoint("mine")->perMinute.requests, 20);
        QCOMPARE(parsed(changed("/endpoints/2/tokens_per_minute", 40'000))->endpoint("mine")->perMinute.tokens, 40'000);
    }

    void theTimeOfAResetIsReadInEveryForm_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("ms"); // -1: none
        const auto row = [](const char* text, qint64 ms) { QTest::newRow(text) << QString::fromLatin1(text) << ms; };
        row("6m0s", 360'000);
        row("120ms", 120);
        row("1h2m3.5s", 3'723'500);
        row("1.5", 1'500);
        row("0", 0);
        row("2026-11-21T12:00:30Z", 30'000);
        row("2026-11-21T14:00:30+02:00", 30'000);
        row("2026-11-21T11:59:00Z", 0);
        row("", -1);
        row("soon", -1);
        row("5x", -1);
        row("-3s", -1);
        row("1e400s", -1);
    }
    void theTimeOfAResetIsReadInEveryForm()
    {
        QFETCH(QString, text);
        QFETCH(qint64, ms);
        const auto read = untilReset(text.toStdString(), "2026-11-21T12:00:00.000Z");
        QCOMPARE(read ? static_cast<qint64>(read->count()) : qint64(-1), ms);
    }

    void whatAServerToldIsKeptUntilItIsRenewed()
    {
        using namespace std::chrono_literals;
        const std::string utc = "2026-11-21T12:00:00.000Z";
        AnnouncedLimits limits;
        QCOMPARE(limits.waitFor(0s, 1000).count(), 0);
        limits.note(0s,
            {{"x-ratelimit-limit-requests", "500"}, {"X-RateLimit-Remaining-Requests", "2"},
                {"x-ratelimit-reset-requests", "10s"}},
            utc);
        QCOMPARE(limits.waitFor(0s, 1000).count(), 0);
        QVERIFY(limits.waitFor(0s, 1000, {2, 0}) == 10s); // behind two that wait already
        limits.count({1, 1000});
        limits.count({1, 1000});
        QVERIFY(limits.waitFor(1s, 1000) == 9s);
        QCOMPARE(limits.reason(1s, 1000), std::string("the server has 0 of 500 requests left"));
        QCOMPARE(limits.waitFor(10s, 1000).count(), 0);
        QCOMPARE(limits.reason(10s, 1000), std::string());
        // Tokens: by the size of what is to be sent. Hours are not waited for: the server answers for itself.
        limits.note(20s,
            {{"anthropic-ratelimit-input-tokens-remaining", "800"},
                {"anthropic-ratelimit-input-tokens-reset", "2026-11-21T20:00:00Z"}},
            utc);
        QCOMPARE(limits.waitFor(20s, 800).count(), 0);
        QVERIFY(limits.waitFor(20s, 801) == AnnouncedLimits::longestHold);
        // A pause that is asked for says when to come again.
        limits.holdFor(21s, 5s);
        QVERIFY(limits.waitFor(21s, 1) == 5s);
        QVERIFY(limits.waitFor(21s, 5000) == 5s);
        // What is not told, or cannot be read, holds nothing.
        AnnouncedLimits none;
        QVERIFY(none.told(0s).empty());
        none.note(0s, {{"x-ratelimit-remaining-requests", "0"}}, utc);
        none.note(0s, {{"x-ratelimit-remaining-tokens", "-1"}, {"x-ratelimit-reset-tokens", "1s"}}, utc);
        none.note(0s, {{"x-ratelimit-remaining-images", "0"}, {"x-ratelimit-reset-images", "1h"}}, utc);
        QCOMPARE(none.waitFor(0s, 1000).count(), 0);
    }

    void whatAServerToldIsShownAsLongAsItHolds()
    {
        using namespace std::chrono_literals;
        const std::string utc = "2026-11-21T12:00:00.000Z";
        AnnouncedLimits limits;
        limits.note(0s,
            {{"x-ratelimit-limit-requests", "500"}, {"x-ratelimit-remaining-requests", "2"},
                {"x-ratelimit-reset-requests", "6m"}, {"x-ratelimit-remaining-tokens", "900"},
                {"x-ratelimit-limit-images", "7"}},
            utc);
        limits.count({1, 100}); // what is shown is what was told
        const std::vector<ServerLimit> requests{{"requests", 2, 500, "2026-11-21T12:06:00.000Z", utc}},
            tokens{{"tokens", 900, -1, "", utc}};
        QVERIFY(limits.told(0s) == (std::vector{requests.front(), tokens.front()}));
        QVERIFY(limits.told(AnnouncedLimits::longestHold) == requests); // nobody said how long the other holds
        QVERIFY(limits.told(6min).empty());
        limits.note(7min, {{"x-ratelimit-remaining-tokens", "800"}}, utc);
        QCOMPARE(limits.told(7min).size(), std::size_t(1));
        limits.note(7min, {{"x-ratelimit-limit-tokens", "1000"}}, utc); // no longer told
        QVERIFY(limits.told(7min).empty());
        QCOMPARE(wordsOf(requests.front()),
            std::string("2 of 500 requests left, full again at 12:06:00 (read at 12:00:00 UTC)"));
        const nlohmann::json json = toJson(tokens.front());
        QCOMPARE(json.at("left").get<int>(), 900);
        QVERIFY(json.at("of").is_null() && json.at("refills_utc").is_null());
    }

    void aPaceIsKeptOverAnyMinute()
    {
        using namespace std::chrono_literals;
        Pace requests({2, 0});
        QCOMPARE(requests.waitFor(0s, 99).count(), 0);
        requests.count(0s, {1, 99});
        requests.count(10s, {1, 99});
        QVERIFY(requests.waitFor(20s, 1) == 40s);
        QVERIFY(requests.waitFor(60s, 1) == 0s);
        requests.count(60s, {1, 1});
        QVERIFY(requests.waitFor(61s, 1) == 9s);
        QVERIFY(requests.waitFor(70s, 1, {1, 1}) > 0s); // one is ahead
        Pace tokens({0, 1000});
        QVERIFY(tokens.waitFor(0s, 5000) == 0s); // larger than a minute's: alone
        tokens.count(0s, {1, 600});
        QVERIFY(tokens.waitFor(1s, 400) == 0s);
        QVERIFY(tokens.waitFor(1s, 401) == 59s);
        tokens.count(30s, {0, 400}); // a reply told more
        QVERIFY(tokens.waitFor(31s, 1) == 29s);
        QVERIFY(tokens.waitFor(31s, 700) == 59s);
        tokens.forgetBefore(90s);
        QVERIFY(tokens.waitFor(90s, 1000) == 0s);
        QVERIFY(Pace({0, 0}).waitFor(0s, 1'000'000) == 0s);
    }

    void theCatalogueFillsWhatTheFileLeavesOpen()
    {
        const auto catalogue = parseCatalogue(R"({"format": 1, "date": "2026-11-01", "models": [
            {"match": "gpt-5*", "templates": ["openai"], "capabilities": {"temperature": false, "output_limit": "max_completion_tokens"},
             "price": {"input": 1.25, "output": 10, "date": "2026-11-01"}},
            {"match": "gpt-5", "capabilities": {"context_tokens": 400000}}]})",
            "catalogue.json");
        QVERIFY2(catalogue.has_value(), catalogue ? "" : catalogue.error().text.c_str());
        const auto file = parsed(smallFile, *catalogue);
        const ModelSpec& big = *file->model("big");
        QVERIFY(!big.capabilities.temperature && big.capabilities.contextTokens == 400'000);
        QCOMPARE(big.price->input, 1.25);
        const auto elsewhere = parsed(changed("/models/1/model", "openai/gpt-5"), *catalogue);
        QVERIFY(!elsewhere->model("small")->capabilities.temperature);
        const auto priceless
            = parsed(changed("/models/1", {{"name", "s"}, {"endpoint", "local"}, {"model", "gpt-5"}}), *catalogue);
        QVERIFY2(!priceless.has_value(), "island B names a model that is gone");
        QVERIFY(!parseCatalogue(R"({"date": "x", "models": [{"match": "a", "price": {"input": 1}}]})", "c"));
        QVERIFY(!parseCatalogue("[", "c"));
    }

    void theShippedCatalogueAndExampleAreValid()
    {
        const std::filesystem::path folder = std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "resources/models";
        const auto catalogue = parseCatalogue(*readFile(folder / "catalogue.json"), "catalogue.json");
        QVERIFY2(catalogue.has_value(), catalogue ? "" : catalogue.error().text.c_str());
        const auto example = parseModelsFile(*readFile(folder / "example.json"), *catalogue, "example.json");
        QVERIFY2(example.has_value(), example ? "" : example.error().text.c_str());
        QVERIFY(example->models.size() >= 3);
    }

    void everyTemplateGivesAUsableEndpoint()
    {
        QCOMPARE(endpointTemplates().size(), 9u);
        for (const EndpointTemplate& item : endpointTemplates()) {
            ModelEndpoint endpoint;
            endpoint.name = item.name;
            endpoint.url = item.url.empty() ? "https://h/v1" : item.url;
            QVERIFY2(checkAddress(endpoint).has_value(), item.name.c_str());
            QVERIFY2(parseKeyName(item.key).has_value(), item.name.c_str());
        }
    }

    void patternsFit()
    {
        QVERIFY(fits("gpt-5-mini", "gpt-5*") && fits("a-b-c", "a*c") && fits("x", "*") && fits("abcabc", "*abc"));
        QVERIFY(!fits("gpt-4", "gpt-5*") && !fits("ab", "a*c") && !fits("", "a") && fits("", "*"));
    }

    void weightsDecideAtFirst()
    {
        EnsembleState state;
        state.rules.floor = 0;
        QCOMPARE(weightShare(state), 1.0);
        std::map<std::string, int> drawn;
        for (std::uint64_t i = 0; i < 4000; ++i) {
            const auto choice = chooseModel(state, {{"a", 3}, {"b", 1}, {"never", 0}}, noon, CounterRandom(1, 2, i));
            QVERIFY(choice && choice->byWeights);
            ++drawn[choice->model];
        }
        QCOMPARE(drawn.count("never"), 0u);
        QVERIFY(std::abs(drawn["a"] - 3000) < 150); // 5.5 standard deviations
        QCOMPARE(chooseModel(state, {{"a", 1}}, noon, CounterRandom(1, 1, 1))->model, std::string("a"));
    }

    void whatGainsMoreForItsCostIsAskedMoreAndNobodyStarves()
    {
        EnsembleState state;
        std::map<std::string, int> drawn;
        for (std::uint64_t i = 0; i < 3000; ++i) {
            CounterRandom world(9, 9, i);
            const auto choice
                = chooseModel(state, {{"dear", 1}, {"good", 1}, {"poor", 1}}, noon, CounterRandom(5, 1, i));
            QVERIFY(choice);
            ++drawn[choice->model];
            // good and dear gain alike, dear at ten times the price; poor gains a tenth as often.
            const double chance = choice->model == "poor" ? 0.03 : 0.3;
            state = after(state,
                ModelOutcome{
                    choice->model, world.uniform() < chance ? 0.1 : -0.2, choice->model == "dear" ? 0.1 : 0.01});
        }
        QVERIFY2(drawn["good"] > 2 * drawn["dear"] && drawn["good"] > 3 * drawn["poor"],
            qPrintable(QStringLiteral("%1 %2 %3").arg(drawn["good"]).arg(drawn["dear"]).arg(drawn["poor"])));
        QVERIFY(drawn["poor"] > 3000 * state.rules.floor / 3 / 2);
        const auto again = ensembleFromJson(parsedOrDiscarded(dumped(toJson(state))));
        QVERIFY(again && *again == state);
        for (std::uint64_t i = 0; i < 20; ++i)
            QVERIFY(chooseModel(state, {{"dear", 1}, {"good", 1}}, noon, CounterRandom(5, 1, i))->model
                == chooseModel(*again, {{"dear", 1}, {"good", 1}}, noon, CounterRandom(5, 1, i))->model);
    }

    void anUnknownCostIsNeitherCheapNorDear()
    {
        EnsembleState state;
        for (int i = 0; i < 200; ++i) {
            state = after(state, ModelOutcome{"free", 0.05, std::nullopt});
            state = after(state, ModelOutcome{"paid", 0.05, 0.02});
        }
        int free = 0;
        for (std::uint64_t i = 0; i < 1000; ++i)
            free += chooseModel(state, {{"free", 1}, {"paid", 1}}, noon, CounterRandom(3, 3, i))->model == "free";
        QVERIFY2(free > 350 && free < 650, qPrintable(QString::number(free)));
    }

    void whatWasBookedIsTakenOffTheBooksAgain()
    {
        EnsembleState state;
        state = after(state, ModelOutcome{"m", 0.05, 0.25});
        const EnsembleState before = state;
        for (const ModelOutcome& outcome : {ModelOutcome{"m", 0.1, 0.5}, {"m", 0, 0.5}, {"m", -1, std::nullopt}}) {
            const EnsembleState booked = after(state, outcome);
            QCOMPARE(booked.statisticsByModel.at("m").asked, std::int64_t(2));
            const ModelStatistics now = without(booked, outcome).statisticsByModel.at("m"),
                                  then = before.statisticsByModel.at("m");
            QCOMPARE(std::pair(now.asked, now.priced), std::pair(then.asked, then.priced));
            QCOMPARE(now.reward, then.reward);
            QCOMPARE(now.usd, then.usd);
        }
        const ModelStatistics never
            = without({}, ModelOutcome{"m", 0.1, 0.5}).statisticsByModel.at("m"); // never booked: nothing to take
        QVERIFY(never == ModelStatistics{});
    }

    void nonsenseGainsChangeNothingMuch()
    {
        EnsembleState state;
        for (const double gain : {std::nan(""), -1e300, HUGE_VAL, 1e300})
            state = after(state, ModelOutcome{"m", gain, std::nullopt});
        QVERIFY(std::isfinite(state.statisticsByModel["m"].reward) && state.statisticsByModel["m"].reward <= 4);
        QVERIFY(chooseModel(state, {{"m", 1}}, noon, CounterRandom(1, 1, 1)).has_value());
    }

    void repeatedKeyOrQuotaTroublePausesThatModelAlone()
    {
        EnsembleState state;
        ModelReply failed;
        failed.model = "a";
        failed.state = ReplyState::Failed;
        failed.error = {"llm/auth", "HTTP 401: bad key", "", nullptr};
        state = after(state, failed, noon);
        QVERIFY(state.statisticsByModel["a"].pausedBecause.empty());
        ModelReply fine = failed;
        fine.state = ReplyState::Complete;
        state = after(after(state, fine, noon), failed, now);
        QVERIFY2(state.statisticsByModel["a"].pausedBecause.empty(), "an answer between two failures did not forgive");
        state = after(state, failed, noon);
        QCOMPARE(state.statisticsByModel["a"].pausedBecause, std::string("HTTP 401: bad key"));
        for (std::uint64_t i = 0; i < 50; ++i)
            QCOMPARE(chooseModel(state, {{"a", 9}, {"b", 1}}, noon, CounterRandom(1, 1, i))->model, std::string("b"));
        const auto none = chooseModel(state, {{"a", 1}, {"c", 0}}, noon, CounterRandom(1, 1, 1));
        QCOMPARE(none.error().code, std::string("llm/no-model"));
        QVERIFY(none.error().text.find("bad key") != std::string::npos);
        QVERIFY(chooseModel(resumed(state, "a", ""), {{"a", 1}}, noon, CounterRandom(1, 1, 1)).has_value());
        failed.error.code = "llm/server";
        for (int i = 0; i < 20; ++i)
            state = after(
                state,
                [&] {
                    ModelReply other = failed;
                    other.model = "b";
                    return other;
                }(),
                noon);
        QVERIFY2(state.statisticsByModel["b"].pausedBecause.empty(), "passing trouble paused a model");
    }

    void aModelThatFailsRestsForLongerEachTimeAndIsPausedWhenPatienceEnds()
    {
        const auto at = [](int s) {
            return "2026-11-21T12:" + std::string(s / 60 < 10 ? "0" : "") + std::to_string(s / 60) + ":"
                + (s % 60 < 10 ? "0" : "") + std::to_string(s % 60) + ".000Z";
        };
        ModelReply failed;
        failed.model = "a";
        failed.state = ReplyState::Failed;
        failed.error = {"llm/server", "HTTP 500", "", nullptr};
        EnsembleState state;
        state.rules.patienceS = 100;
        int now = 0, rounds = 0;
        std::vector<std::string> rests;
        for (; state.statisticsByModel["a"].pausedBecause.empty() && rounds < 20; ++rounds) {
            state = after(state, failed, at(now));
            const EnsembleState twice = after(state, failed, at(now)); // was under way beside it
            QCOMPARE(twice.statisticsByModel.at("a").failuresInRow, state.statisticsByModel.at("a").failuresInRow);
            QCOMPARE(twice.statisticsByModel.at("a").restsUntilUtc, state.statisticsByModel.at("a").restsUntilUtc);
            if (!state.statisticsByModel["a"].pausedBecause.empty())
                break;
            rests.push_back(state.statisticsByModel["a"].restsUntilUtc);
            QVERIFY(!chooseModel(state, {{"a", 1}}, at(now), CounterRandom(1, 1, 1)));
            now = std::stoi(rests.back().substr(14, 2)) * 60 + std::stoi(rests.back().substr(17, 2)) + 1;
        }
        // 4, 8, 16, 32, 60 s, each after the one before
        QCOMPARE(rests, (std::vector<std::string>{at(4), at(13), at(30), at(63), at(124)}));
        QCOMPARE(state.statisticsByModel["a"].pausedBecause, std::string("6 failures in a row: HTTP 500"));
        QVERIFY(resumed(state, "a", "").statisticsByModel.at("a").failingSinceUtc.empty());
        ModelReply fine = failed;
        fine.state = ReplyState::Complete;
        EnsembleState forgiven = after(after(EnsembleState{}, failed, at(0)), fine, at(9));
        QCOMPARE(forgiven.statisticsByModel["a"].failuresInRow, 0);
        QVERIFY(
            forgiven.statisticsByModel["a"].lastError.empty() && forgiven.statisticsByModel["a"].restsUntilUtc.empty());
    }

    void aReplyThatBrokeOffCostsNoRestUntilItHappensAgainAndAgain()
    {
        ModelReply broken;
        broken.model = "a";
        broken.state = ReplyState::Incomplete;
        broken.error = {"llm/incomplete", "broke off", "", nullptr};
        EnsembleState state;
        for (int i = 0; i < 2; ++i)
            state = after(state, broken, noon);
        QVERIFY(state.statisticsByModel["a"].restsUntilUtc.empty());
        state = after(state, broken, noon);
        QVERIFY(!state.statisticsByModel["a"].restsUntilUtc.empty());
        broken.error.code = "llm/budget"; // ours, not its
        QCOMPARE(after(EnsembleState{}, broken, noon).statisticsByModel.at("a").failuresInRow, 0);
    }

    void aRefusalIsToldAsTheLastErrorUntilAnAnswerComes()
    {
        ModelReply reply;
        reply.model = "a";
        reply.state = ReplyState::Refused;
        reply.error = {"llm/refused", "refused: I cannot help with that.", "", nullptr};
        EnsembleState state = after(EnsembleState{}, reply, noon);
        QCOMPARE(state.statisticsByModel.at("a").lastError, reply.error.text);
        QVERIFY(state.statisticsByModel.at("a").hasAnswered);
        QVERIFY(state.statisticsByModel.at("a").restsUntilUtc.empty());
        reply.state = ReplyState::Complete;
        state = after(state, reply, noon);
        QCOMPARE(state.statisticsByModel.at("a").lastError, std::string());
    }

    void aLongRestThatTheServerAskedForIsKept()
    {
        ModelReply limited;
        limited.model = "a";
        limited.state = ReplyState::Failed;
        limited.error = {"llm/rate-limit", "slow down", "", {{"retry_after_s", 3600.0}}};
        const EnsembleState state = after(EnsembleState{}, limited, noon);
        QCOMPARE(state.statisticsByModel.at("a").restsUntilUtc, std::string("2026-11-21T13:00:00.000Z"));
        QVERIFY(!chooseModel(state, {{"a", 1}}, "2026-11-21T12:59:59.000Z", CounterRandom(1, 1, 1)));
        QVERIFY(chooseModel(state, {{"a", 1}}, "2026-11-21T13:00:01.000Z", CounterRandom(1, 1, 1)).has_value());
    }

    void aRestThatTheServerAskedForIsNotEndedByAnAnswerOfARequestBesideIt()
    {
        ModelReply limited;
        limited.model = "a";
        limited.state = ReplyState::Failed;
        limited.error = {"llm/rate-limit", "slow down", "", {{"retry_after_s", 600.0}}};
        ModelReply good;
        good.model = "a";
        good.state = ReplyState::Complete;
        const EnsembleState resting = after(after(EnsembleState{}, limited, noon), good, "2026-11-21T12:00:05.000Z");
        QCOMPARE(resting.statisticsByModel.at("a").restsUntilUtc, std::string("2026-11-21T12:10:00.000Z"));
        QCOMPARE(resting.statisticsByModel.at("a").lastError, std::string("slow down"));
        QVERIFY(resting.statisticsByModel.at("a").hasAnswered);
        QVERIFY(
            modelStatisticsFromJson(toJson(resting.statisticsByModel.at("a"))) == resting.statisticsByModel.at("a"));
        QVERIFY(!chooseModel(resting, {{"a", 1}}, "2026-11-21T12:09:59.000Z", CounterRandom(1, 1, 1)));
        const EnsembleState later = after(resting, good, "2026-11-21T12:10:01.000Z");
        QVERIFY(later.statisticsByModel.at("a").restsUntilUtc.empty()
            && later.statisticsByModel.at("a").failuresInRow == 0);
        QVERIFY(resumed(resting, "a", "").statisticsByModel.at("a").restsUntilUtc.empty()); // a user knows better
    }

    void keyNamesAreOneOfThreeForms()
    {
        QVERIFY((*parseKeyName("env:A_B") == KeyName{KeyPlace::Variable, "A_B"}));
        QVERIFY((*parseKeyName("keychain:openai") == KeyName{KeyPlace::Keychain, "openai"}));
        QVERIFY((*parseKeyName("memory:x") == KeyName{KeyPlace::Memory, "x"}));
        QVERIFY((*parseKeyName("") == KeyName{}));
        QVERIFY((*parseKeyName("env:_lower9") == KeyName{KeyPlace::Variable, "_lower9"}));
        QVERIFY((*parseKeyName("keychain:open-ai.work") == KeyName{KeyPlace::Keychain, "open-ai.work"}));
        for (const char* bad : {"sk-abcdef", "env:", "env:a b", "file:/etc/passwd", "ENV:A", "env:sk-proj-CANARY",
                 "env:A-B", "env:A.B", "env:9A", "keychain:sk-proj-CANARY", "memory:AIzaSyA1b2c3D4e5F6g7H8i9"})
            QVERIFY2(!parseKeyName(bad), bad);
    }
};

TILEWRIGHT_TEST(TestLlmModels)
#include "test_llm_models.moc"
