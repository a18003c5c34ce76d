// SPDX-License-Identifier: GPL-3.0-or-later
// The colouring process as its owner meets it: right answers to texts, an end to nonsense, nothing that is unbounded.
#include "core/highlight/colour_messages.h"
#include "core/protocol/frames.h"
#include "tests/patience.h"

#include <QFileInfo>
#include <QProcess>
#include <QtTest>
#include <algorithm>

using namespace tilewright;
using namespace Qt::StringLiterals;

namespace {

const QString program = QStringLiteral(TILEWRIGHT_BIN_DIR) + u"/tilewright-highlight"_s;

/// The process and what it said.
class Colourist
{
public:
    Colourist() { m_process.start(program, {}); }
    ~Colourist()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

    void say(const std::string& bytes) { m_process.write(bytes.data(), static_cast<qint64>(bytes.size())); }
    void endStream() { m_process.closeWriteChannel(); }

    /// Nothing if it ended instead.
    std::optional<nlohmann::json> heard()
    {
        for (;;) {
            const auto frame = m_frames.next();
            if (!frame)
                return std::nullopt;
            if (*frame)
                return (*frame)->json;
            if (!m_process.waitForReadyRead(patience) && m_process.bytesAvailable() == 0)
                return std::nullopt;
            const QByteArray bytes = m_process.readAllStandardOutput();
            m_frames.append({bytes.constData(), static_cast<std::size_t>(bytes.size())});
        }
    }

    Result<ColourAnswer> answerTo(const ColourRequest& request)
    {
        say(encode(request));
        const auto json = heard();
        return json ? colourAnswerFrom(*json) : fail("test/silence", "it said nothing");
    }

    /// −1 where it crashed or goes on.
    int exitCode()
    {
        if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(patience))
            return -1;
        return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }

private:
    QProcess m_process;
    FrameReader m_frames;
};

/// The style of the first place where `word` stands.
CodeStyle styleOf(const std::string& text, const ColourAnswer& answer, const std::string& word)
{
    const std::size_t at = text.find(word);
    const auto line = static_cast<std::int32_t>(std::ranges::count(text.substr(0, at), '\n'));
    const std::size_t lineStart = at == 0 ? 0 : text.rfind('\n', at - 1) + 1; // npos + 1 is the first line
    const auto column = static_cast<std::int32_t>(at - lineStart);
    for (const CodeSpan& span : answer.spans)
        if (span.line == line && span.start <= column && column < span.start + span.length)
            return span.style;
    return CodeStyle::Plain;
}

const std::string kernel = R"(// SPDX-License-Identifier: MIT
#include <cstdint>
// EVOLVE-BLOCK-START
constexpr int BM = 64;  // tune: 32 64 128
/* a comment
   of two lines */ float beta = 1.5f;
extern "C" __global__ void gemm(const __grid_constant__ Args a)
{
    __shared__ float tile[BM];
    for (int k = 0; k < a.dims.K; ++k)
        tile[threadIdx.x] = load(a.A, k); // plain words
}
)";

} // namespace

class TestHighlight : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void messagesComeThroughWhole();
    void nonsenseIsRefused_data();
    void nonsenseIsRefused();
    void aKernelIsRead();
    void anUnknownLanguageHasNoSpans();
    void textsOfAnyBytesAreAnswered();
    void aWholeMegabyteIsAnswered();
    void whatIsNoRequestEndsIt_data();
    void whatIsNoRequestEndsIt();
    void itEndsWithTheStream();
    void byHandItSaysWhatItIs();

private:
    static bool isBuilt() { return QFileInfo::exists(program); }
};

#define NEEDS_PROGRAM                                                                                                  \
    if (!isBuilt())                                                                                                    \
    QSKIP("KSyntaxHighlighting is not installed: the program was not built")

void TestHighlight::messagesComeThroughWhole()
{
    const ColourRequest request{7, "kernel", "int a = 1; // \"ä\"\n"};
    FrameReader frames;
    frames.append(encode(request));
    QCOMPARE(*colourRequestFrom((*frames.next())->json), request);
    const ColourAnswer answer{
        7, {{0, 0, 3, CodeStyle::Type}, {0, 8, 1, CodeStyle::Number}, {2, 0, 9, CodeStyle::Comment}}};
    frames.append(encode(answer));
    QCOMPARE(*colourAnswerFrom((*frames.next())->json), answer);
}

void TestHighlight::nonsenseIsRefused_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("no object") << QByteArray("[]");
    QTest::newRow("no id") << QByteArray(R"({"op":"colours","spans":[]})");
    QTest::newRow("a torn span") << QByteArray(R"({"op":"colours","id":1,"spans":[0,0,3]})");
    QTest::newRow("texts") << QByteArray(R"({"op":"colours","id":1,"spans":["a","b","c","d"]})");
    QTest::newRow("no such style") << QByteArray(R"({"op":"colours","id":1,"spans":[0,0,3,99]})");
    QTest::newRow("nothing long") << QByteArray(R"({"op":"colours","id":1,"spans":[0,0,0,1]})");
    QTest::newRow("far away") << QByteArray(R"({"op":"colours","id":1,"spans":[0,2000000000,3,1]})");
    QTest::newRow("backwards") << QByteArray(R"({"op":"colours","id":1,"spans":[3,0,3,1,2,0,3,1]})");
    QTest::newRow("overlapping") << QByteArray(R"({"op":"colours","id":1,"spans":[3,0,3,1,3,2,3,1]})");
}

void TestHighlight::nonsenseIsRefused()
{
    QFETCH(QByteArray, json);
    QCOMPARE(colourAnswerFrom(nlohmann::json::parse(json.toStdString())).error().code, std::string("highlight/answer"));
    QCOMPARE(
        colourRequestFrom(nlohmann::json::parse(json.toStdString())).error().code, std::string("highlight/request"));
}

void TestHighlight::aKernelIsRead()
{
    NEEDS_PROGRAM;
    Colourist colourist;
    const auto answer = colourist.answerTo({3, "kernel", kernel});
    QVERIFY2(answer, answer ? "" : answer.error().text.c_str());
    QCOMPARE(answer->id, 3);
    const std::pair<std::string, CodeStyle> expected[]
        = {{"SPDX", CodeStyle::Comment}, {"include", CodeStyle::Preprocessor}, {"// EVOLVE", CodeStyle::Annotation},
            {"constexpr", CodeStyle::Keyword}, {"int BM", CodeStyle::Type}, {"BM", CodeStyle::Plain},
            {"64", CodeStyle::Number}, {"// tune", CodeStyle::Annotation}, {"a comment", CodeStyle::Comment},
            {"two lines", CodeStyle::Comment}, {"float beta", CodeStyle::Type}, {"1.5f", CodeStyle::Number},
            {"\"C\"", CodeStyle::String}, {"__global__", CodeStyle::Keyword}, {"gemm", CodeStyle::Function},
            {"__grid_constant__", CodeStyle::Keyword}, {"Args", CodeStyle::Type}, {"for (", CodeStyle::Keyword},
            {"threadIdx", CodeStyle::Type}, {"load", CodeStyle::Function}, {"// plain", CodeStyle::Comment}};
    for (const auto& [word, style] : expected)
        QVERIFY2(styleOf(kernel, *answer, word) == style,
            qPrintable(
                u"%1 is %2"_s.arg(QString::fromStdString(word)).arg(static_cast<int>(styleOf(kernel, *answer, word)))));
}

void TestHighlight::anUnknownLanguageHasNoSpans()
{
    NEEDS_PROGRAM;
    Colourist colourist;
    QVERIFY(colourist.answerTo({1, "no such language", kernel})->spans.empty());
    QVERIFY(!colourist.answerTo({2, "C++", kernel})->spans.empty()); // and it goes on
}

void TestHighlight::textsOfAnyBytesAreAnswered()
{
    NEEDS_PROGRAM;
    Colourist colourist;
    std::string all;
    for (int round = 0; round < 8; ++round)
        for (int byte = 0; byte < 256; ++byte)
            all += static_cast<char>((byte * 37 + round * 101) % 256);
    // Every length of the same bytes, so that each character is torn once; the frame carries them as it can.
    for (std::size_t length = 1; length < all.size(); length += 61) {
        const auto answer = colourist.answerTo({static_cast<std::int64_t>(length), "kernel", all.substr(0, length)});
        QVERIFY2(answer, answer ? "" : answer.error().text.c_str());
    }
    QVERIFY(colourist.answerTo({9999, "kernel", ""})->spans.empty());
    QVERIFY(colourist.answerTo({10000, "kernel", std::string("\0\0/*\n\r\n\"", 9)}));
}

void TestHighlight::aWholeMegabyteIsAnswered()
{
    NEEDS_PROGRAM;
    Colourist colourist;
    std::string program;
    while (program.size() + kernel.size() < largestColouredText)
        program += kernel;
    const auto answer = colourist.answerTo({1, "kernel", program});
    QVERIFY2(answer, answer ? "" : answer.error().text.c_str());
    QVERIFY(answer->spans.back().line + 4 > std::ranges::count(program, '\n')); // to its last lines
    // As one line: what comes after the longest one stays plain.
    const auto one = colourist.answerTo({2, "kernel", std::string(largestColouredText, '(')});
    QVERIFY2(one, one ? "" : one.error().text.c_str());
}

void TestHighlight::whatIsNoRequestEndsIt_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const auto row
        = [](const char* name, const std::string& bytes) { QTest::newRow(name) << QByteArray::fromStdString(bytes); };
    row("no frames", "GET / HTTP/1.1\r\n\r\n");
    row("more than is allowed", std::string("\xff\xff\xff\x03", 4));
    row("no JSON", std::string("\x03\0\0\0{]}", 7));
    row("no UTF-8", std::string("\x05\0\0\0\"\xff\xfe\xfd\"", 9));
    row("no request", encodeFrame({{"op", "time"}, {"id", 1}}));
    row("a text too long", encode(ColourRequest{1, "kernel", std::string(largestColouredText + 1, 'a')}));
}

void TestHighlight::whatIsNoRequestEndsIt()
{
    NEEDS_PROGRAM;
    QFETCH(QByteArray, bytes);
    Colourist colourist;
    colourist.say(bytes.toStdString());
    QVERIFY(!colourist.heard());
    QCOMPARE(colourist.exitCode(), 2);
}

void TestHighlight::itEndsWithTheStream()
{
    NEEDS_PROGRAM;
    Colourist colourist;
    QVERIFY(colourist.answerTo({1, "kernel", kernel}));
    colourist.say(encode(ColourRequest{2, "kernel", kernel}).substr(0, 40)); // torn
    colourist.endStream();
    QCOMPARE(colourist.exitCode(), 0);
}

void TestHighlight::byHandItSaysWhatItIs()
{
    NEEDS_PROGRAM;
    QProcess process;
    process.start(program, {u"--nonsense"_s});
    QVERIFY(process.waitForFinished(patience));
    QCOMPARE(process.exitCode(), 2);
    QVERIFY(process.readAllStandardError().contains("started by tilewright"));
}

QTEST_GUILESS_MAIN(TestHighlight)
#include "test_highlight.moc"
