// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/chunked.h"
#include "core/base/expression.h"
#include "core/base/files.h"
#include "core/base/folders.h"
#include "core/base/format.h"
#include "core/base/hash.h"
#include "core/base/ids.h"
#include "core/base/json_text.h"
#include "core/base/last_resort.h"
#include "core/base/random.h"
#include "core/base/sharded.h"
#include "core/base/text.h"
#include "tests/test_program.h"

#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <set>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilewright;

class TestBase : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void numbersAreWrittenAsByTheCLocale();
    void numbersAreReadAsByTheCLocale();
    void wordsAreQuotedForTheShell();
    void casesChangeInAsciiAlone();
    void hashesAgreeWithThePublishedVectors_data();
    void hashesAgreeWithThePublishedVectors();
    void hmacAgreesWithRfc4231();
    void hexSurvivesTheRoundTripAndRefusesNonsense();
    void expressionsFollowTheRulesOfC_data();
    void expressionsFollowTheRulesOfC();
    void brokenExpressionsAreErrors_data();
    void brokenExpressionsAreErrors();
    void drawsDependOnSeedStreamAndOrdinalOnly();
    void candidateNamesSurviveTheRoundTrip();
    void printableTextIsValidUtf8();
    void foreignWordsFitOneLine();
    void whatIsNoTextIsRefusedWithItsPlace_data();
    void whatIsNoTextIsRefusedWithItsPlace();
    void aTextLosesItsByteOrderMarkAndForeignLineEnds();
    void aFileThatCannotBeReadSaysWhy();
    void aNamedFileIsReplacedWholeAndASessionNever();
    void jsonIsReadToALimitedDepth();
    void anExceptionThatNobodyCatchesEndsWithALine();
    void whatTookTimeIsNeverToldAsNone_data();
    void whatTookTimeIsNeverToldAsNone();
    void countsOfSecondsRunUpAndDownByWholeOnes();
    void aCopyOfAChunkedVectorKeepsItsValues();
    void aCopyOfAShardedMapKeepsItsValues();
    void aCacheThatCannotBeWrittenLiesWhereOnlyThisUserWrites();
    void aFolderThatOthersCanChangeKeepsNothingOfOurs();
};

void TestBase::hashesAgreeWithThePublishedVectors_data()
{
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<QString>("digest");
    QTest::newRow("empty") << QByteArray("")
                           << QStringLiteral("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    QTest::newRow("abc") << QByteArray("abc")
                         << QStringLiteral("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    QTest::newRow("two blocks") << QByteArray("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                                << QStringLiteral("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    QTest::newRow("a million a") << QByteArray(1000000, 'a')
                                 << QStringLiteral("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

void TestBase::hashesAgreeWithThePublishedVectors()
{
    QFETCH(QByteArray, message);
    QFETCH(QString, digest);
    QCOMPARE(QString::fromStdString(sha256(message.toStdString()).hex()), digest);
}

void TestBase::hmacAgreesWithRfc4231()
{
    QCOMPARE(hmacSha256("Jefe", "what do ya want for nothing?").hex(),
        std::string("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"));
    QCOMPARE(hmacSha256(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First").hex(),
        std::string("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"));
}

void TestBase::hexSurvivesTheRoundTripAndRefusesNonsense()
{
    const Hash hash = sha256("x");
    QCOMPARE(Hash::fromHex(hash.hex()), hash);
    QVERIFY(Hash::fromHex("12").isNull());
    QVERIFY(Hash::fromHex(std::string(64, 'g')).isNull());
}

void TestBase::expressionsFollowTheRulesOfC_data()
{
    QTest::addColumn<QString>("expression");
    QTest::addColumn<double>("value");
    QTest::newRow("product") << QStringLiteral("2*M*N*K") << 48.0;
    QTest::newRow("precedence") << QStringLiteral("1 + M * N - 4 / 2") << 5.0;
    QTest::newRow("whole division") << QStringLiteral("7 / 2") << 3.0;
    QTest::newRow("remainder") << QStringLiteral("M % 2 == 0 && N % 2 == 1") << 1.0;
    QTest::newRow("negation") << QStringLiteral("!(M > N) || -K < 0") << 1.0;
    QTest::newRow("left to right") << QStringLiteral("10 - 3 - 2") << 5.0;
    QTest::newRow("comparison") << QStringLiteral("M <= 2 && N >= 4") << 0.0;
}

void TestBase::expressionsFollowTheRulesOfC()
{
    QFETCH(QString, expression);
    const auto value = evaluate(expression.toStdString(), {{"M", 2}, {"N", 3}, {"K", 4}});
    QVERIFY(value.has_value());
    QTEST(*value, "value");
}

void TestBase::brokenExpressionsAreErrors_data()
{
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("code");
    QTest::newRow("unknown name") << QStringLiteral("M * X") << QStringLiteral("expression/unknown-name");
    QTest::newRow("hanging operator") << QStringLiteral("M *") << QStringLiteral("expression/syntax");
    QTest::newRow("open bracket") << QStringLiteral("(M") << QStringLiteral("expression/syntax");
    QTest::newRow("two operands") << QStringLiteral("M N") << QStringLiteral("expression/syntax");
    QTest::newRow("nothing") << QStringLiteral("") << QStringLiteral("expression/syntax");
    QTest::newRow("division by zero") << QStringLiteral("M % 0") << QStringLiteral("expression/division-by-zero");
    QTest::newRow("too deep") << QString(500, QLatin1Char('(')) << QStringLiteral("expression/syntax");
}

void TestBase::brokenExpressionsAreErrors()
{
    QFETCH(QString, expression);
    QFETCH(QString, code);
    const auto value = evaluate(expression.toStdString(), {{"M", 2}});
    QVERIFY(!value.has_value());
    QCOMPARE(QString::fromStdString(value.error().code), code);
}

void TestBase::drawsDependOnSeedStreamAndOrdinalOnly()
{
    QCOMPARE(CounterRandom(1, 2, 3).next(), CounterRandom(1, 2, 3).next());
    std::set<std::uint64_t> firsts;
    for (std::uint64_t seed = 0; seed < 10; ++seed)
        for (std::uint64_t stream = 0; stream < 10; ++stream)
            for (std::uint64_t ordinal = 0; ordinal < 10; ++ordinal)
                firsts.insert(CounterRandom(seed, stream, ordinal).next());
    QCOMPARE(firsts.size(), std::size_t(1000));
    CounterRandom random(7, 1, 1);
    double sum = 0, squares = 0;
    for (int i = 0; i < 20000; ++i) {
        const double x = random.normal();
        sum += x;
        squares += x * x;
    }
    QVERIFY(std::abs(sum / 20000) < 0.03);
    QVERIFY(std::abs(squares / 20000 - 1) < 0.05);
}

void TestBase::candidateNamesSurviveTheRoundTrip()
{
    QCOMPARE(candidateName({287}), std::string("c-0287"));
    QCOMPARE(candidateFromName("c-0287").value, 287);
    QCOMPARE(candidateFromName("c-123456").value, 123456);
    QVERIFY(!candidateFromName("c-"));
    QVERIFY(!candidateFromName("c-12x"));
    QVERIFY(!candidateFromName("0287"));
    QCOMPARE(islandLetter({1}), std::string("A"));
    QCOMPARE(islandLetter({27}), std::string("AA"));
    for (IslandId island{1}; island.value < 800; ++island.value)
        QCOMPARE(islandFromLetter(islandLetter(island)), island);
    for (const char* other : {"", "a", "1", "A1", "*", "AAAAAAAAAAAAAAAA"})
        QVERIFY(!islandFromLetter(other));
}

void TestBase::whatIsNoTextIsRefusedWithItsPlace_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("line"); // 0: it is a text
    QTest::addColumn<int>("offset");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* what, const QByteArray& bytes, int line, int offset, const char* says) {
        QTest::newRow(what) << bytes << line << offset << QString::fromLatin1(says);
    };
    row("empty", "", 0, 0, "");
    row("UTF-8", "a\nä → 𝄞\t\r\n", 0, 0, "");
    row("UTF-8 with a mark", "\xef\xbb\xbfint x;\n", 0, 0, "");
    row("the last character of Unicode", "\xf4\x8f\xbf\xbf", 0, 0, "");
    row("Latin-1", "a\n// Gl\xe4ttung\n", 2, 7, "0xe4");
    row("Latin-1 behind CRLF", "a\r\nb\r\n\xe9", 3, 6, "line 3, byte offset 6");
    row("Latin-1 behind lone CR", "a\rb\r\xe9", 3, 4, "line 3");
    row("GBK", "// \xd6\xd0\xce\xc4\n", 1, 3, "0xd6");
    row("Shift-JIS", "// \x83J\x81[\n", 1, 3, "0x83");
    row("cut short at the end", "cut \xe2\x86", 1, 4, "incomplete character");
    row("cut short within", "\xe2\x86x", 1, 0, "incomplete character");
    row("a continuation alone", "x\x80", 1, 1, "cannot start a character");
    row("overlong in two bytes", "\xc0\xaf", 1, 0, "overlong");
    row("overlong in three bytes", "\xe0\x80\xaf", 1, 0, "overlong");
    row("overlong in four bytes", "\xf0\x80\x80\xaf", 1, 0, "overlong");
    row("a surrogate", "ab\xed\xa0\x80", 1, 2, "surrogate");
    row("beyond Unicode", "\xf4\x90\x80\x80", 1, 0, "last character");
    row("a byte of no encoding", "\xff", 1, 0, "not valid in UTF-8");
    row("a zero byte", QByteArray("a\n\nb\0", 5), 3, 4, "binary");
    row("UTF-16", QByteArray("\xff\xfei\0n\0t\0", 8), 1, 0, "UTF-16 (little-endian)");
    row("UTF-16, the other way", QByteArray("\xfe\xff\0i\0n", 6), 1, 0, "UTF-16 (big-endian)");
    row("UTF-32", QByteArray("\xff\xfe\0\0i\0\0\0", 8), 1, 0, "UTF-32 (little-endian)");
}

void TestBase::whatIsNoTextIsRefusedWithItsPlace()
{
    QFETCH(QByteArray, bytes);
    QFETCH(int, line);
    QFETCH(int, offset);
    QFETCH(QString, says);
    const auto text = textOf(bytes.toStdString(), "mine.cpp");
    QCOMPARE(text.has_value(), line == 0);
    if (text)
        return;
    const Error& error = text.error();
    QCOMPARE(q(error.code), QStringLiteral("file/not-text"));
    QCOMPARE(error.evidence.at("line").get<int>(), line);
    QCOMPARE(error.evidence.at("offset").get<int>(), offset);
    const QString place = QStringLiteral("line %1, byte offset %2").arg(line).arg(offset);
    QVERIFY2(error.text.starts_with("mine.cpp is ") && q(error.text).contains(place) && q(error.text).contains(says),
        error.text.c_str());
}

void TestBase::aTextLosesItsByteOrderMarkAndForeignLineEnds()
{
    QCOMPARE(
        *textOf("\xef\xbb\xbf#include <x>\r\nint a;\rint b;\n", "a"), std::string("#include <x>\nint a;\nint b;\n"));
    QCOMPARE(*textOf("\xef\xbb\xbf", "a"), std::string());
    QVERIFY(checkText("\xef\xbb\xbf\r\n", "a").has_value());
}

void TestBase::aFileThatCannotBeReadSaysWhy()
{
    const QTemporaryDir folder;
    const std::filesystem::path base = folder.path().toStdString();
    const auto complaint = [](const std::filesystem::path& path) {
        const auto text = readTextFile(path, 1000);
        return text ? QString() : q(text.error().code + ": " + text.error().text);
    };
    QVERIFY(complaint(base / "nothing").startsWith(QStringLiteral("file/missing: ")));
    QVERIFY(complaint(base).endsWith(QStringLiteral("it is a folder")));
    QVERIFY(complaint("/dev/zero").endsWith(QStringLiteral("it is not a regular file")));
    QVERIFY(complaint(base / std::string(300, 'x')).startsWith(QStringLiteral("file/unreadable: ")));
    QVERIFY(complaint("/proc/self/mem").startsWith(QStringLiteral("file/unreadable: "))); // reading it is an error
    QVERIFY(complaint("/proc/self/environ-of-nobody").startsWith(QStringLiteral("file/missing: ")));
    std::ofstream(base / "large") << std::string(1001, 'x');
    QVERIFY(complaint(base / "large").startsWith(QStringLiteral("file/too-large: ")));
    std::ofstream(base / "fits") << std::string(1000, 'x');
    QCOMPARE(complaint(base / "fits"), QString());
    // A name that is no UTF-8 does not spoil the message.
    std::ofstream(base / "gl\xe4tt.cpp") << "// \xe4";
    QVERIFY(complaint(base / "gl\xe4tt.cpp").contains(QStringLiteral("gl\ufffdtt.cpp is not UTF-8: line 1")));
    std::filesystem::remove(base / "gl\xe4tt.cpp"); // which the folder's object cannot name
    // The JSON of such a text is text as well.
    QCOMPARE(dumped(nlohmann::json("gl\xe4tt")), std::string("\"gl\xef\xbf\xbdtt\""));
}

void TestBase::aNamedFileIsReplacedWholeAndASessionNever()
{
    const QTemporaryDir folder;
    const std::filesystem::path base = folder.path().toStdString();
    const auto complaint = [](const std::filesystem::path& path) {
        const auto saved = saveFile(path, "new");
        return saved ? QString() : QString::fromStdString(saved.error().code + ": " + saved.error().text);
    };
    QCOMPARE(complaint(base / "new.cpp"), QString());
    QCOMPARE(*readFile(base / "new.cpp"), std::string("new"));
    std::ofstream(base / "old.cpp") << "old and longer";
    std::filesystem::permissions(base / "old.cpp", std::filesystem::perms(0640));
    std::filesystem::create_symlink("old.cpp", base / "link.cpp");
    QCOMPARE(complaint(base / "link.cpp"), QString());
    QVERIFY(std::filesystem::is_symlink(base / "link.cpp"));
    QCOMPARE(*readFile(base / "old.cpp"), std::string("new"));
    QCOMPARE(std::filesystem::status(base / "old.cpp").permissions(), std::filesystem::perms(0640));
    // A session is left alone, whatever it is called.
    const std::string session = std::string("SQLite format 3", 16) + "and its pages";
    std::ofstream(base / "kept.cpp") << session;
    QVERIFY(complaint(base / "kept.cpp").startsWith(QStringLiteral("file/unwritable: ")));
    QCOMPARE(*readFile(base / "kept.cpp"), session);
    // A pipe and a device are written into; they stay what they are.
    QCOMPARE(mkfifo((base / "pipe").c_str(), 0600), 0);
    std::string got(3, ' ');
    const int reader = open((base / "pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    QCOMPARE(complaint(base / "pipe"), QString());
    QCOMPARE(read(reader, got.data(), 3), ssize_t(3));
    ::close(reader);
    QCOMPARE(got, std::string("new"));
    QVERIFY(std::filesystem::is_fifo(base / "pipe"));
    QVERIFY(complaint("/dev/full").startsWith(QStringLiteral("file/unwritable: ")));
    QVERIFY(std::filesystem::is_character_file("/dev/full"));
    QVERIFY(complaint(base).contains(QStringLiteral("it is a folder")));
    QVERIFY(complaint(base / "none" / "file").contains(QStringLiteral("there is no folder")));
    const auto files = std::distance(std::filesystem::directory_iterator(base), std::filesystem::directory_iterator());
    QCOMPARE(files, 5); // nothing half written is left
}

void TestBase::jsonIsReadToALimitedDepth()
{
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + "7" + std::string(depth, ']'); };
    QVERIFY(!parsedJson(nested(deepestJson)).is_discarded());
    QVERIFY(parsedJson(nested(deepestJson + 1)).is_discarded());
    QVERIFY(parsedJson(nested(5'000'000)).is_discarded());
    QVERIFY_EXCEPTION_THROWN(parsedStrictly(nested(deepestJson + 1)), SyntaxError);
    // Lists that stand behind one another, and brackets inside a text, are no depth.
    std::string many = "[[]";
    for (std::size_t i = 0; i < 2 * deepestJson; ++i)
        many += ",[]";
    QVERIFY(!parsedJson(many + "]").is_discarded());
    QVERIFY(!parsedJson("\"\\\"" + std::string(2 * deepestJson, '[') + "\"").is_discarded());
    QVERIFY(parsedJson("]]]]").is_discarded());
}

void TestBase::anExceptionThatNobodyCatchesEndsWithALine()
{
    QCOMPARE(whatFailed(std::make_exception_ptr(std::runtime_error("no room"))), std::string("no room"));
    QCOMPARE(whatFailed(std::make_exception_ptr(7)), std::string("an exception of an unknown type"));
    int ends[2];
    QVERIFY(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        installLastResort("tilewright-test", 41);
        [](const std::exception_ptr& thrown) noexcept { std::rethrow_exception(thrown); }(
            std::make_exception_ptr(std::runtime_error("of the test")));
    }
    ::close(ends[1]);
    int status = 0;
    QVERIFY(child > 0 && waitpid(child, &status, 0) == child);
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 41);
    char said[512] = {};
    QVERIFY(read(ends[0], said, sizeof said - 1) > 0);
    ::close(ends[0]);
    QVERIFY2(QByteArray(said).startsWith("tilewright-test: internal error: of the test."), said);
}

void TestBase::foreignWordsFitOneLine()
{
    QCOMPARE(oneLine(" bad \x1b[2J\x1b[31m\r\n\n line\ttwo\x07 \xc2\x9b\xe2\x80\xaehi\xff\n", 300),
        std::string("bad [2J [31m line two hi\xef\xbf\xbd"));
    QCOMPARE(oneLine("余额不足", 7), std::string("余额…"));
    QCOMPARE(oneLine("余额", 6), std::string("余额"));
    QCOMPARE(oneLine("a  ", 1), std::string("a"));
}

void TestBase::printableTextIsValidUtf8()
{
    const std::string dirty = std::string("ok \xc3\xa9 \xff\xc3") + '\x01' + "\tend\n";
    const QByteArray clean = QByteArray::fromStdString(printable(dirty));
    QCOMPARE(QString::fromUtf8(clean), QStringLiteral("ok é \ufffd\ufffd \tend\n"));
}

void TestBase::whatTookTimeIsNeverToldAsNone_data()
{
    QTest::addColumn<qint64>("ns");
    QTest::addColumn<QString>("words");
    const auto row = [](qint64 ns, const char* words) { QTest::newRow(words) << ns << QString::fromUtf8(words); };
    row(0, "0 s");
    row(1, "0.001 µs");
    row(34'600, "35 µs");
    row(99'499, "99 µs");
    row(99'600, "0.1 ms");
    row(35'000'000, "35 ms");
    row(99'499'999, "99 ms");
    row(99'600'000, "0.1 s");
    row(400'000'000, "0.4 s");
    row(994'999'999, "0.99 s");
    row(996'000'000, "0.996 s");
    row(1'000'000'000, "1 s");
    row(12'500'000'000, "12.5 s");
    row(59'949'000'000, "59.9 s");
    row(59'960'000'000, "1 min 00 s");
    row(245'000'000'000, "4 min 05 s");
    row(3'599'600'000'000, "1 h 0 min");
    row(11'520'000'000'000, "3 h 12 min");
}

void TestBase::whatTookTimeIsNeverToldAsNone()
{
    QFETCH(qint64, ns);
    QFETCH(QString, words);
    QCOMPARE(QString::fromStdString(timeText(std::chrono::nanoseconds(ns))), words);
}

void TestBase::countsOfSecondsRunUpAndDownByWholeOnes()
{
    using namespace std::chrono;
    QCOMPARE(elapsedText(350ms), std::string("0.35 s"));
    QCOMPARE(elapsedText(12'900ms), std::string("12 s"));
    QCOMPARE(elapsedText(59'990ms), std::string("59 s"));
    QCOMPARE(remainingText(350ms), std::string("0.35 s"));
    QCOMPARE(remainingText(12'100ms), std::string("13 s"));
    QCOMPARE(remainingText(-5s), std::string("0 s"));
}

void TestBase::aCopyOfAChunkedVectorKeepsItsValues()
{
    Chunked<int, 4> numbers;
    for (int i = 0; i < 10; ++i)
        numbers.push_back(i);
    const Chunked<int, 4> copy = numbers;
    numbers.edit(5) = 50;
    numbers.push_back(10);
    QCOMPARE(copy[5], 5);
    QCOMPARE(copy.size(), std::size_t(10));
    QCOMPARE(numbers[5], 50);
    QCOMPARE(&copy[0], &numbers[0]); // untouched chunks stay shared
    QVERIFY(!(copy == numbers));
}

void TestBase::aCopyOfAShardedMapKeepsItsValues()
{
    Sharded<int> numbers;
    const auto key = [](int i) { return sha256(std::to_string(i)); };
    for (int i = 0; i < 2000; ++i)
        numbers.add(key(i), i);
    const Sharded<int> copy = numbers;
    numbers.add(key(5), 50); // the first stays
    numbers.add(key(2000), 2000);
    QCOMPARE(copy.size(), std::size_t(2000));
    QCOMPARE(numbers.size(), std::size_t(2001));
    QCOMPARE(*numbers.find(key(5)), 5);
    QVERIFY(numbers.contains(key(2000)));
    QVERIFY(!copy.contains(key(2000)));
    for (int i = 0; i < 2000; ++i)
        QVERIFY(copy.find(key(i)) && *copy.find(key(i)) == i);
    QVERIFY(!(copy == numbers));
    Sharded<int> same = copy;
    same.add(key(1), 1);
    QVERIFY(same == copy);
    same.remove(key(1));
    same.remove(key(3000)); // it stands nowhere
    QCOMPARE(same.size(), std::size_t(1999));
    QVERIFY(!same.contains(key(1)) && copy.contains(key(1)));
    same.add(key(1), 1);
    QVERIFY(same == copy);
    for (int i = 0; i < 2000; ++i)
        same.remove(key(i));
    QVERIFY(same == Sharded<int>());
}

void TestBase::aCacheThatCannotBeWrittenLiesWhereOnlyThisUserWrites()
{
    namespace fs = std::filesystem;
    const QTemporaryDir temporary;
    const fs::path root = temporary.path().toStdString();
    const QByteArray before = qgetenv("TMPDIR"), cache = qgetenv("XDG_CACHE_HOME");
    const auto restore = qScopeGuard([&] {
        before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before);
        cache.isNull() ? qunsetenv("XDG_CACHE_HOME") : qputenv("XDG_CACHE_HOME", cache);
    });
    qputenv("TMPDIR", temporary.path().toLocal8Bit());
    qputenv("XDG_CACHE_HOME", temporary.path().toLocal8Bit());
    QCOMPARE(cacheFolder().string(), (root / "tilewright").string());

    qputenv("XDG_CACHE_HOME", "/proc/self"); // no folder can be made there, not even by root
    const fs::path own = cacheFolder();
    QCOMPARE(own.parent_path().string(), root.string());
    QVERIFY(fs::status(own).permissions() == fs::perms::owner_all);
    QCOMPARE(cacheFolder().string(), own.string());

    fs::permissions(own, fs::perms::all); // anyone may have put something there
    const fs::path fresh = cacheFolder();
    QVERIFY(fresh != own);
    QCOMPARE(fresh.parent_path().string(), root.string());
    QVERIFY(isPrivateFolder(fresh));
    QCOMPARE(cacheFolder().string(), fresh.string());
}

void TestBase::aFolderThatOthersCanChangeKeepsNothingOfOurs()
{
    namespace fs = std::filesystem;
    const QTemporaryDir temporary;
    const fs::path root = temporary.path().toStdString(), shared = root / "shared", inside = shared / "mine";
    const QByteArray home = qgetenv("HOME"), data = qgetenv("XDG_DATA_HOME");
    const auto restore = qScopeGuard([&] {
        home.isNull() ? qunsetenv("HOME") : qputenv("HOME", home);
        data.isNull() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", data);
    });
    fs::create_directories(inside);
    QVERIFY(isSafeFolder(inside));
    QVERIFY(isSafeFolder(root / "not/there/yet"));
    fs::permissions(shared, fs::perms::all);
    QVERIFY(!isSafeFolder(shared));
    QVERIFY(!isSafeFolder(inside)); // others can put another folder in its place
    QVERIFY(!isSafeFolder(inside / "not/there/yet"));
    fs::create_directory_symlink(inside, root / "link");
    QVERIFY(!isSafeFolder(root / "link"));
    fs::permissions(shared, fs::perms::all | fs::perms::sticky_bit);
    QVERIFY(!isSafeFolder(shared));
    QVERIFY(isSafeFolder(inside));
    if (geteuid() == 0) { // only root can give a folder away
        const fs::path foreign = root / "foreign";
        fs::create_directories(foreign);
        QVERIFY(chown(foreign.c_str(), 12345, 12345) == 0);
        QVERIFY(!isSafeFolder(foreign));
        QVERIFY(!isSafeFolder(foreign / "below"));
    }
    qputenv("XDG_DATA_HOME", shared.c_str());
    fs::permissions(shared, fs::perms::all);
    fs::create_directories(root / "home");
    qputenv("HOME", (root / "home").c_str());
    QCOMPARE(dataFolder().string(), (root / "home/.local/share/tilewright").string());
    QVERIFY(dataFolderNotice().starts_with((shared / "tilewright").string() + " is not used"));
    QVERIFY(dataFolderNotice().ends_with("stored in " + dataFolder().string()));
    qputenv("XDG_DATA_HOME", (root / "home").c_str());
    QCOMPARE(dataFolderNotice(), std::string());
    qunsetenv("XDG_DATA_HOME");
    QCOMPARE(dataFolderNotice(), std::string());
    qunsetenv("XDG_DATA_HOME");
    qunsetenv("HOME");
    QVERIFY(dataFolder().is_absolute());
    QVERIFY(isSafeFolder(dataFolder()));
}

void TestBase::numbersAreWrittenAsByTheCLocale()
{
    QCOMPARE(fixedText(1234567.891, 2), std::string("1234567.89"));
    QCOMPARE(fixedText(-0.0004, 3), std::string("-0.000"));
    QCOMPARE(fixedText(2.5, 0), std::string("2"));
    QCOMPARE(generalText(0.1), std::string("0.1"));
    QCOMPARE(generalText(1.5e9, 3), std::string("1.5e+09"));
    QCOMPARE(generalText(100000, 6), std::string("100000"));
    QCOMPARE(generalText(NAN), std::string("nan"));
    for (const double value : {0.0, 1.0 / 3, 1e-300, 1e300, 123456.5, 99999.5, -7.0}) {
        char text[400];
        std::snprintf(text, sizeof text, "%.3f", value);
        QCOMPARE(fixedText(value, 3), std::string(text));
        std::snprintf(text, sizeof text, "%g", value);
        QCOMPARE(generalText(value), std::string(text));
    }
}

void TestBase::numbersAreReadAsByTheCLocale()
{
    QCOMPARE(decimalOf("1.5").value_or(0), 1.5);
    QCOMPARE(decimalOf("+2e3").value_or(0), 2000.0);
    for (const char* text : {"", " 1", "1 ", "1,5", "1.5x", "inf", "nan", "--1", "+-1"})
        QVERIFY2(!decimalOf(text), text);
    const auto leading = leadingDecimal("  +60 %");
    QVERIFY(leading && leading->value == 60 && leading->length == 5);
    QVERIFY(!leadingDecimal("several"));
}

void TestBase::wordsAreQuotedForTheShell()
{
    QCOMPARE(shellQuoted("/data/kernels/gemm-2,4"), std::string("/data/kernels/gemm-2,4"));
    QCOMPARE(shellQuoted("/data/my kernels"), std::string("'/data/my kernels'"));
    QCOMPARE(shellQuoted("it's"), std::string("'it'\\''s'"));
    QCOMPARE(shellQuoted(""), std::string("''"));
    QCOMPARE(shellQuoted("$HOME;*"), std::string("'$HOME;*'"));
}

void TestBase::casesChangeInAsciiAlone()
{
    QCOMPARE(lowered("TITLE İ"), std::string("title İ"));
    QCOMPARE(uppered("title ı"), std::string("TITLE ı"));
}

TILEWRIGHT_TEST(TestBase)
#include "test_base.moc"
