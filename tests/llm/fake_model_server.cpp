// SPDX-License-Identifier: GPL-3.0-or-later
// A model server for end-to-end tests: answers in every protocol with the replies of a folder, plays faults at a given
// rate from a seed, and keeps books of its own, so that those of a session can be compared with them.
//
// Prints "port N" and serves until it is ended. Each request adds one line to the ledger, written before the answer:
// {"ordinal", "protocol", "fault", "reply", "input_tokens", "output_tokens", "told"}; told = the client got the usage.
// Where told is false the tokens are what was really sent; sum up the told ones and compare to the token.
#include "core/base/random.h"
#include "core/llm/json_access.h"
#include "tests/llm/fake_server.h"
#include "tests/llm/fixtures.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QTextStream>
#include <fstream>
#include <optional>

using namespace tilewright;
using namespace tilewright::testing;

namespace {

using Json = nlohmann::json;

/// Faults a run must survive without losing a reply or a token. No stall among them: that would take minutes of real
/// time.
const std::vector<std::string> faults{"500", "429", "529", "close", "reset", "cut", "garbled", "html", "error-first",
    "error-inside", "no-usage", "truncated", "bytes"};

std::int64_t tokensOf(std::size_t bytes) { return static_cast<std::int64_t>((bytes + 3) / 4); }

/// Bytes of all texts of a request, wherever its protocol puts them.
std::size_t textBytes(const Json& json)
{
    if (json.is_string())
        return json.get_ref<const std::string&>().size();
    std::size_t sum = 0;
    if (json.is_array())
        for (const Json& item : json)
            sum += textBytes(item);
    for (const char* key :
        {"messages", "input", "instructions", "system", "contents", "systemInstruction", "parts", "content", "text"})
        if (json.is_object() && json.contains(key))
            sum += textBytes(json[key]);
    return sum;
}

std::optional<ModelProtocol> protocolOf(const std::string& target)
{
    const std::string path = target.substr(0, target.find('?'));
    if (path.ends_with("/chat/completions"))
        return ModelProtocol::OpenAiChat;
    if (path.ends_with("/responses"))
        return ModelProtocol::OpenAiResponses;
    if (path.ends_with("/messages"))
        return ModelProtocol::Anthropic;
    if (path.ends_with(":streamGenerateContent"))
        return ModelProtocol::Gemini;
    if (path.ends_with("/api/chat"))
        return ModelProtocol::OllamaChat;
    return std::nullopt;
}

/// In pieces of a few characters, as models write.
std::vector<std::string> pieces(const std::string& text)
{
    std::vector<std::string> parts;
    for (std::size_t at = 0; at < text.size(); at += 40)
        parts.push_back(text.substr(at, 40));
    if (parts.empty())
        parts.push_back("");
    return parts;
}

class ScriptedModels
{
public:
    ScriptedModels(std::vector<std::pair<std::string, std::string>> replies, double rate, std::uint64_t seed,
        const std::string& ledger)
        : m_replies(std::move(replies))
        , m_rate(rate)
        , m_seed(seed)
        , m_ledger(ledger, std::ios::app)
    {
    }

    Script serve(const SeenRequest& request)
    {
        if (request.method == "GET")
            return answer(200, R"({"object":"list","data":[{"id":"scripted"}]})");
        const auto protocol = protocolOf(request.target);
        if (!protocol || request.json.is_discarded())
            return answer(404, R"({"error":{"message":"no such resource"}})");
        CounterRandom random(m_seed, 1, static_cast<std::uint64_t>(request.ordinal));
        const bool faulty = random.uniform() < m_rate;
        const std::string fault = faulty ? faults[random.below(faults.size())] : "";
        return play(request, *protocol, fault);
    }

private:
    Script play(const SeenRequest& request, ModelProtocol protocol, const std::string& fault)
    {
        // A reply that did not reach the client comes again: no proposal is lost for the fault's sake.
        const auto& [name, text] = m_replies[m_next % m_replies.size()];
        Said said;
        // The text's escapes in JSON can split no character: pieces are cut at ASCII, replies are what they are.
        said.pieces = wholeCharacters(text);
        said.input = tokensOf(textBytes(request.json));
        said.output = tokensOf(text.size());
        said.usage = fault != "no-usage";
        if (fault == "truncated") {
            said.pieces.resize((said.pieces.size() + 1) / 2);
            said.output = tokensOf(said.text().size());
            said.finish = lengthWord(protocol);
        }
        const std::vector<std::string> events = eventsOf(protocol, said);
        const std::size_t half = events.size() / 2;
        std::vector<std::string> sent = events;
        Script script;
        std::int64_t output = said.output;
        bool told = said.usage, billed = true, delivered = fault != "truncated";
        if (fault == "500" || fault == "429" || fault == "529") {
            const int status = std::stoi(fault);
            script = answer(status, errorBody(protocol, status, "api_error", "Try again"), {"retry-after-ms: 20"});
            billed = told = delivered = false;
        } else if (fault == "html") {
            script = answer(502, "<html>Bad gateway</html>", {"Content-Type: text/html"});
            billed = told = delivered = false;
        } else if (fault == "close" || fault == "reset") {
            script = {fault == "close" ? tilewright::testing::close() : tilewright::testing::reset()};
            billed = told = delivered = false;
        } else if (fault == "error-first") {
            script = stream({errorEvent(protocol, "overloaded_error", "Overloaded")});
            billed = told = delivered = false;
        } else if (fault == "cut" || fault == "error-inside") {
            sent.resize(std::max<std::size_t>(half, 1));
            if (fault == "error-inside")
                sent.push_back(errorEvent(protocol, "overloaded_error", "Overloaded"));
            script = stream(sent);
            output /= 2;
            told = delivered = false;
        } else if (fault == "garbled") {
            sent.insert(sent.begin() + static_cast<std::ptrdiff_t>(half),
                protocol == ModelProtocol::OllamaChat ? "{\"mess\n" : "data: {\"cho\n\n");
            script = stream(sent);
        } else if (fault == "bytes") {
            std::string all;
            for (const std::string& event : events)
                all += event;
            sent.clear();
            for (std::size_t at = 0; at < all.size(); at += 7)
                sent.push_back(all.substr(at, 7));
            script = stream(sent);
        } else {
            script = stream(sent);
        }
        if (delivered)
            ++m_next;
        m_ledger << dumped(nlohmann::json{{"ordinal", request.ordinal}, {"protocol", nameIn(modelProtocols, protocol)},
            {"fault", fault}, {"reply", name}, {"input_tokens", billed ? said.input : 0},
            {"output_tokens", billed ? output : 0}, {"told", told}})
                 << std::endl;
        return script;
    }

    static std::vector<std::string> wholeCharacters(const std::string& text)
    {
        std::vector<std::string> parts;
        for (const std::string& part : pieces(text)) {
            const bool continues = !part.empty() && (static_cast<unsigned char>(part.front()) & 0xc0) == 0x80;
            if (!continues || parts.empty()) {
                parts.push_back(part);
                continue;
            }
            std::size_t at = 0;
            while (at < part.size() && (static_cast<unsigned char>(part[at]) & 0xc0) == 0x80)
                ++at;
            parts.back() += part.substr(0, at);
            if (at < part.size())
                parts.push_back(part.substr(at));
        }
        return parts;
    }

    std::vector<std::pair<std::string, std::string>> m_replies; ///< file name, text
    double m_rate;
    std::uint64_t m_seed;
    std::ofstream m_ledger;
    std::size_t m_next = 0;
};

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("A scripted model server for tests."));
    parser.addHelpOption();
    parser.addOptions(
        {{QStringLiteral("replies"), QStringLiteral("Folder of reply texts, given out in the order of their names."),
             QStringLiteral("FOLDER")},
            {QStringLiteral("fault-rate"), QStringLiteral("Share of requests that meet a fault, 0 to 1."),
                QStringLiteral("P"), QStringLiteral("0")},
            {QStringLiteral("seed"), QStringLiteral("Which requests, which faults."), QStringLiteral("N"),
                QStringLiteral("1")},
            {QStringLiteral("ledger"), QStringLiteral("File to which a JSON line a request is added."),
                QStringLiteral("FILE"), QStringLiteral("/dev/null")},
            {QStringLiteral("port"), QStringLiteral("0: any free one."), QStringLiteral("N"), QStringLiteral("0")}});
    parser.process(application);
    QTextStream out(stdout), err(stderr);
    std::vector<std::pair<std::string, std::string>> replies;
    const QDir folder(parser.value(QStringLiteral("replies")));
    for (const QString& name : folder.entryList(QDir::Files, QDir::Name)) {
        QFile file(folder.filePath(name));
        if (file.open(QIODevice::ReadOnly))
            replies.emplace_back(name.toStdString(), file.readAll().toStdString());
    }
    bool rateFine = false, seedFine = false, portFine = false;
    const double rate = parser.value(QStringLiteral("fault-rate")).toDouble(&rateFine);
    const auto seed = parser.value(QStringLiteral("seed")).toULongLong(&seedFine);
    const auto port = parser.value(QStringLiteral("port")).toUShort(&portFine);
    if (replies.empty() || !rateFine || rate < 0 || rate > 1 || !seedFine || !portFine
        || !parser.isSet(QStringLiteral("replies"))) {
        err << "fake-model-server: it needs --replies FOLDER with at least one file; see --help" << Qt::endl;
        return 2;
    }
    ScriptedModels models(std::move(replies), rate, seed, parser.value(QStringLiteral("ledger")).toStdString());
    FakeServer server;
    server.setHandler([&models](const SeenRequest& request) { return models.serve(request); });
    if (!server.start(port)) {
        err << "fake-model-server: cannot listen: " << server.errorString() << Qt::endl;
        return 1;
    }
    out << "port " << server.serverPort() << Qt::endl;
    return application.exec();
}
