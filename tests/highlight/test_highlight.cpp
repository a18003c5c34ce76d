// SPDX-License-Identifier: GPL-3.0-or-later
// The colouring process as its owner meets it: right answers to texts, an end to nonsense, nothing that is unbounded.
#include "core/highlight/colour_messages.h"
#include "core/highlight/conversation_lines.h"
#include "core/protocol/frames.h"
#include "tests/patience.h"
#include "tests/test_program.h"

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
    void linesOfAConversationAreToldApart_data();
    void linesOfAConversationAreToldApart();
    void aConversationIsReadInAllItsLanguages();
    void assemblyIsRead();
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

void TestHighlight::linesOfAConversationAreToldApart_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("kinds"); // p words, s sign, c code, - taken away, + added; of each line
    QTest::newRow("words") << QByteArray("# A\n\nb") << QByteArray("ppp");
    QTest::newRow("a program") << QByteArray("Here:\n```cpp\n-x;\n```\nDone.") << QByteArray("pscsp");
    QTest::newRow("a fence in a fence") << QByteArray("````\n```\nx\n````\ny") << QByteArray("sccsp");
    QTest::newRow("a fence that stays open") << QByteArray("```\nx\ny") << QByteArray("scc");
    QTest::newRow("code in a line is no fence") << QByteArray("```x``` is\ny") << QByteArray("pp");
    QTest::newRow("a diff") << QByteArray("```diff\n--- a\n+++ b\n@@ -1 +1 @@\n x\n-y\n+z\n```\n-p")
                            << QByteArray("ssssc-+sp");
    QTest::newRow("an unnamed diff") << QByteArray("```\n@@ -1 +1 @@\n-y\n+z\n```") << QByteArray("ss-+s");
    QTest::newRow("a diff in no fence") << QByteArray("See\n--- a\n+++ b\n@@ -1 +1 @@\n-y\n+z\n\n- a list")
                                        << QByteArray("psss-+pp");
    QTest::newRow("asked for") << QByteArray("<diff>\n-a\n+b\nc\n</diff>\n- no") << QByteArray("s-+csp");
    QTest::newRow("two rules taken away") << QByteArray("```diff\n--- x\n y\n```") << QByteArray("s-cs");
    QTest::newRow("search and replace") << QByteArray("```cpp\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\nc\n```")
                                        << QByteArray("ss-s+scs");
    QTest::newRow("search in no fence") << QByteArray("<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE\nc")
                                        << QByteArray("s-ssp");
    QTest::newRow("line ends of Windows") << QByteArray("```cpp\r\nx\r\n```\r\ny") << QByteArray("scsp");
    QTest::newRow("nothing") << QByteArray("") << QByteArray("p");
    QTest::newRow("any bytes") << QByteArray("\xff\n```\xff\n\0", 8) << QByteArray("psc");
}

void TestHighlight::linesOfAConversationAreToldApart()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, kinds);
    QByteArray read;
    for (const ConversationLine& line : readConversation(text.toStdString()))
        read += line.edit == ConversationLine::Edit::Removed ? '-'
            : line.edit == ConversationLine::Edit::Added     ? '+'
            : line.kind == ConversationLine::Kind::Code      ? 'c'
            : line.kind == ConversationLine::Kind::Sign      ? 's'
                                                             : 'p';
    QCOMPARE(read, kinds);
}

void TestHighlight::aConversationIsReadInAllItsLanguages()
{
    NEEDS_PROGRAM;
    Colourist process;
    const std::string text = "# Goal\nPlain words, [0.98, 1.02] `of code`.\n```cuda\n__shared__ float tile; /* "
                             "open\n```\nint words;\n```diff\n"
                             "@@ -1 +1 @@\n-int before;\n+for (;;)\n```\n```ptx\n\tret; // done\n```\n"
                             "```python\nimport triton\n```\n```nonsense\nint nothing;\n```\n";
    const auto answer = process.answerTo({3, "conversation", text});
    QVERIFY(answer);
    QCOMPARE(styleOf(text, *answer, "# Goal"), CodeStyle::Heading);
    QCOMPARE(styleOf(text, *answer, "Plain"), CodeStyle::Plain);
    QCOMPARE(styleOf(text, *answer, "0.98"), CodeStyle::Plain); // no link
    QCOMPARE(styleOf(text, *answer, "of code"), CodeStyle::Number);
    QCOMPARE(styleOf(text, *answer, "__shared__"), CodeStyle::Keyword);
    QCOMPARE(styleOf(text, *answer, "/* open"), CodeStyle::Comment);
    QCOMPARE(styleOf(text, *answer, "int words"), CodeStyle::Plain); // the comment ended with its fence
    QCOMPARE(styleOf(text, *answer, "@@"), CodeStyle::Comment);
    QCOMPARE(styleOf(text, *answer, "int before"), CodeStyle::Type); // behind its sign
    QCOMPARE(styleOf(text, *answer, "for ("), CodeStyle::Keyword);
    QCOMPARE(styleOf(text, *answer, "ret;"), CodeStyle::Keyword);
    QCOMPARE(styleOf(text, *answer, "// done"), CodeStyle::Comment);
    QCOMPARE(styleOf(text, *answer, "import"), CodeStyle::Preprocessor);
    QCOMPARE(styleOf(text, *answer, "int nothing"), CodeStyle::Plain);
}

void TestHighlight::assemblyIsRead()
{
    NEEDS_PROGRAM;
    Colourist process;
    const std::string ptx = ".visible .entry gemm(\n\tfma.rn.f32 \t%f3, %f1, %f2, 0f3F800000; // sum\n$L__BB0_1:\n";
    const auto virtually = process.answerTo({1, "ptx", ptx});
    QVERIFY(virtually);
    QCOMPARE(styleOf(ptx, *virtually, ".visible"), CodeStyle::Preprocessor);
    QCOMPARE(styleOf(ptx, *virtually, "fma"), CodeStyle::Keyword);
    QCOMPARE(styleOf(ptx, *virtually, ".f32"), CodeStyle::Type);
    QCOMPARE(styleOf(ptx, *virtually, "0f3F8"), CodeStyle::Number);
    QCOMPARE(styleOf(ptx, *virtually, "// sum"), CodeStyle::Comment);
    QCOMPARE(styleOf(ptx, *virtually, "$L__BB"), CodeStyle::Function);
    const std::string sass = "  /*0010*/  @!P0 LDG.E.128 R8, desc[UR4][R2.64+0x10] ; /* 0x0a */\n.L_x_1:\n";
    const auto really = process.answerTo({2, "sass", sass});
    QVERIFY(really);
    QCOMPARE(styleOf(sass, *really, "/*0010*/"), CodeStyle::Comment);
    QCOMPARE(styleOf(sass, *really, "@!P0"), CodeStyle::Preprocessor);
    QCOMPARE(styleOf(sass, *really, "LDG"), CodeStyle::Keyword);
    QCOMPARE(styleOf(sass, *really, "0x10"), CodeStyle::Number);
    QCOMPARE(styleOf(sass, *really, ".L_x_1"), CodeStyle::Function);
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
    QVERIFY(process.readAllStandardError().contains("tilewright starts it"));
}

TILEWRIGHT_TEST(TestHighlight)
#include "test_highlight.moc"
