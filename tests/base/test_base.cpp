// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/chunked.h"
#include "core/base/expression.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/ids.h"
#include "core/base/random.h"
#include "core/base/sharded.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "tests/test_program.h"

#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <set>

using namespace tilewright;

class TestBase : public QObject
{
    Q_OBJECT

private Q_SLOTS:
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
    void whereATextIsGarbledIsFound();
    void whatTookTimeIsNeverToldAsNone_data();
    void whatTookTimeIsNeverToldAsNone();
    void countsOfSecondsRunUpAndDownByWholeOnes();
    void aCopyOfAChunkedVectorKeepsItsValues();
    void aCopyOfAShardedMapKeepsItsValues();
    void aCacheThatCannotBeWrittenLiesWhereOnlyThisUserWrites();
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

void TestBase::whereATextIsGarbledIsFound()
{
    QCOMPARE(garbledLine(""), std::size_t(0));
    QCOMPARE(garbledLine("a\nä → \t\r\n"), std::size_t(0));
    QCOMPARE(garbledLine("a\nb\xff\n"), std::size_t(2));
    QCOMPARE(garbledLine(std::string_view("a\n\nb\0", 5)), std::size_t(3));
    QCOMPARE(garbledLine("cut short \xe2\x86"), std::size_t(1));
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
    QCOMPARE(cacheFolder().string(), std::string("/proc/self/tilewright"));
}

TILEWRIGHT_TEST(TestBase)
#include "test_base.moc"
