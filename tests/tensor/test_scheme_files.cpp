// SPDX-License-Identifier: GPL-3.0-or-later
// Schemes in files: every form back and forth, both layouts of C, and what is no scheme.
#include "core/base/random.h"
#include "core/tensor/known_schemes.h"
#include "core/tensor/numpy_array.h"
#include "core/tensor/scheme_expressions.h"
#include "core/tensor/scheme_file.h"
#include "core/tensor/scheme_json.h"
#include "core/tensor/transforms.h"
#include "core/tensor/verification.h"
#include "core/tensor/zip_archive.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;
using namespace tilewright::tensor;

namespace {

Scheme uneven()
{
    auto scheme = composed(strassen(), schoolbook({1, 2, 3}));
    return scheme ? *scheme : Scheme{};
}

Scheme withFractions()
{
    Scheme scheme = strassen();
    scheme.ring = Ring::Rationals;
    for (int entry = 0; entry < 4; ++entry) {
        scheme.u.at(entry, 0) = *productOf(scheme.u.at(entry, 0), *coefficientIn("1/2"));
        scheme.v.at(entry, 0) = *productOf(scheme.v.at(entry, 0), Coefficient{2});
    }
    return scheme;
}

Scheme withComplexNumbers()
{
    Scheme scheme = strassen();
    scheme.ring = Ring::Gaussian;
    for (int entry = 0; entry < 4; ++entry) {
        scheme.u.at(entry, 1) = *productOf(scheme.u.at(entry, 1), *coefficientIn("(1+i)/2"));
        scheme.v.at(entry, 1) = *productOf(scheme.v.at(entry, 1), *coefficientIn("1-i"));
    }
    return scheme;
}

bool isSame(const Scheme& a, const Scheme& b) { return a.format == b.format && a.u == b.u && a.v == b.v && a.w == b.w; }

std::string codeOf(const Result<ImportedScheme>& result) { return result ? "read" : result.error().code; }

} // namespace

class TestSchemeFiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFormIsReadAsItWasWritten()
    {
        for (const Scheme& scheme : {strassen(), uneven(), transposed(uneven()), withFractions(), withComplexNumbers(),
                 *reducedMod2(winogradVariant())})
            for (const auto& [form, name] : schemeForms) {
                const auto bytes = bytesOf(scheme, form);
                QVERIFY2(bytes.has_value(), std::string(name).c_str());
                const auto read = schemeInBytes(*bytes, {});
                QVERIFY2(read.has_value(), read ? "" : read.error().line().c_str());
                QVERIFY(isSame(read->scheme, scheme));
                QVERIFY(read->scheme.ring == scheme.ring);
            }
    }

    void bothLayoutsOfCAreTriedAndSaid()
    {
        Scheme swapped = uneven();
        const std::string plain = ownJson(swapped);
        swapped.w = withOtherLayout(swapped.w, swapped.format.n, OutputLayout::Plain);
        const std::string wrongSaid = ownJson(swapped); // says C, has its transpose
        QVERIFY(schemeInBytes(plain, {})->layout == OutputLayout::Plain);
        const auto read = schemeInBytes(wrongSaid, {});
        QVERIFY(read.has_value());
        QVERIFY(read->layout == OutputLayout::Transposed);
        QVERIFY(isSame(read->scheme, uneven()));
    }

    void aWrongSchemeIsRefusedWithItsFirstWrongEntryInBothLayouts()
    {
        Scheme wrong = uneven();
        wrong.u.at(0, 0) = Coefficient{2};
        const auto read = schemeInBytes(ownJson(wrong), {});
        QCOMPARE(q(codeOf(read)), q("tensor/wrong"));
        const QString text = q(read.error().text);
        QVERIFY2(text.contains(q("with C as it is, a11·b11 in c11 is 2, not 1")), qPrintable(text));
        QVERIFY2(text.contains(q("with C transposed, ")), qPrintable(text));
        QVERIFY(!text.contains(QChar(u'\n')));
    }

    void whatIsRightModulo2AloneIsSaidToBe()
    {
        const auto read = schemeInBytes("(a11)*(b11)*(c11)\n(a11)*(b11)*(c11)\n# a comment\n\n(a11)*(b11)*(c11)\n", {});
        QVERIFY(read.has_value());
        QVERIFY(read->isOnlyMod2);
        QVERIFY(read->scheme.ring == Ring::Mod2);
    }

    void aCollectionsFileIsReadByItsOwnFields()
    {
        const char* const text = R"json({"n": [1, 2, 1], "m": 2, "z2": false, "multiplications": ["m1 = (a11) * (b11)"],
            "u": [[1, 0], [0, 1]], "v": [[1, 0], [0, 1]], "w": [[1], [1]]})json";
        const auto read = schemeInBytes(text, {});
        QVERIFY2(read.has_value(), read ? "" : read.error().line().c_str());
        QVERIFY((read->scheme.format == Format{1, 2, 1}));
        // The same with a common sum: (a1 + a2) is defined once; the products are a1 b1 and a2 b2.
        const char* const reduced
            = R"json({"n": [1, 2, 1], "m": 2, "z2": false, "complexity": {"naive": 1, "reduced": 1},
            "u_fresh": [[{"index": 0, "value": 1}, {"index": 1, "value": 1}]], "v_fresh": [], "w_fresh": [],
            "u": [[{"index": 2, "value": 1}, {"index": 1, "value": -1}], [{"index": 1, "value": 1}]],
            "v": [[{"index": 0, "value": 1}], [{"index": 1, "value": 1}]],
            "w": [[{"index": 0, "value": 1}, {"index": 1, "value": 1}]]})json";
        const auto expanded = schemeInBytes(reduced, {});
        QVERIFY2(expanded.has_value(), expanded ? "" : expanded.error().line().c_str());
        QVERIFY(isSame(expanded->scheme, read->scheme));
    }

    void anArchiveWithSeveralSchemesAsksWhich()
    {
        std::vector<ZipEntry> entries;
        for (const Scheme& scheme : {strassen(), uneven()}) {
            const auto bytes = bytesOf(scheme, SchemeForm::Npz);
            const auto names = namesInZip(*bytes);
            entries.push_back({names->front(), *unpackedFromZip(*bytes, names->front())});
        }
        const auto archive = zipOf(entries);
        QVERIFY(archive.has_value());
        QCOMPARE(q(codeOf(schemeInBytes(*archive, {}))), q("tensor/which"));
        QVERIFY(isSame(schemeInBytes(*archive, Format{2, 4, 6})->scheme, uneven()));
        QCOMPARE(q(codeOf(schemeInBytes(*archive, Format{3, 3, 3}))), q("tensor/which"));
    }

    void whatIsNoSchemeIsRefusedInOneLine_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("code");
        const QString file = q("tensor/file");
        QTest::newRow("empty") << QByteArray() << file;
        QTest::newRow("blank") << QByteArray(" \n\t\n") << file;
        QTest::newRow("binary") << QByteArray("\x7f\x00\xff\xfe\x01", 5) << file;
        QTest::newRow("prose") << QByteArray("matrix multiplication\n") << file;
        QTest::newRow("cut JSON") << QByteArray("{\"n\": [2, 2") << file;
        QTest::newRow("other JSON") << QByteArray("{\"a\": 1}") << file;
        QTest::newRow("a list") << QByteArray("[1, 2]") << file;
        QTest::newRow("huge format") << QByteArray(R"({"n": [100, 100, 100], "m": 5, "u": []})") << file;
        QTest::newRow("huge rank") << QByteArray(R"({"n": [2, 2, 2], "m": 100000, "u": []})") << file;
        QTest::newRow("other shape") << QByteArray(R"({"n": [2, 2, 2], "m": 1, "u": [[1]], "v": [[1]], "w": [[1]]})")
                                     << file;
        QTest::newRow("no number") << QByteArray(R"({"n": [1, 1, 1], "m": 1, "u": [["x"]], "v": [[1]], "w": [[1]]})")
                                   << file;
        QTest::newRow("2^64 - 1") << QByteArray(
            R"({"n": [1, 1, 1], "m": 1, "u": [[18446744073709551615]], "v": [[-1]], "w": [[1]]})")
                                  << file;
        QTest::newRow("rounded") << QByteArray(R"({"n": [1, 1, 1], "m": 1, "u": [[0.1]], "v": [[1]], "w": [[1]]})")
                                 << file;
        QTest::newRow("no archive") << QByteArray("PK\x03\x04 nothing") << file;
        QTest::newRow("index 0") << QByteArray("(a01)*(b11)*(c11)\n") << file;
        QTest::newRow("far index") << QByteArray("(a1_65)*(b11)*(c11)\n") << file;
        QTest::newRow("long index") << QByteArray("(a1_99999999999999999999)*(b11)*(c11)\n") << file;
        QTest::newRow("two factors") << QByteArray("(a11)*(b11)\n") << file;
        QTest::newRow("large format") << QByteArray("(a99)*(b99)*(c99)\n") << q("tensor/format");
        QTest::newRow("wrong") << QByteArray("(a11)*(b12)*(c11)\n") << q("tensor/wrong");
    }

    void whatIsNoSchemeIsRefusedInOneLine()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, code);
        const auto read = schemeInBytes(bytes.toStdString(), {});
        QCOMPARE(q(codeOf(read)), code);
        QVERIFY(!read.error().text.empty() && !q(read.error().line()).contains(QChar(u'\n')));
    }

    void damagedFilesNeverCrashNorPassAsTheScheme()
    {
        int refused = 0;
        for (const auto& [form, name] : schemeForms) {
            const std::string whole = *bytesOf(uneven(), form);
            CounterRandom random(7, static_cast<std::uint64_t>(form), 0);
            for (int round = 0; round < 60; ++round) {
                std::string damaged = whole;
                if (round % 2 == 0)
                    damaged.resize(static_cast<std::size_t>(random.below(whole.size())));
                else
                    for (int i = 0; i < 3; ++i)
                        damaged[static_cast<std::size_t>(random.below(whole.size()))]
                            = static_cast<char>(random.below(256));
                const auto read = schemeInBytes(damaged, {});
                refused += read ? 0 : 1;
                QVERIFY(!read || verified(read->scheme).isExact());
                if (!read)
                    QVERIFY2(!q(read.error().line()).contains(QChar(u'\n')), read.error().line().c_str());
            }
            // The array itself, which the archive's checksum guards no longer.
            if (form != SchemeForm::Npz)
                continue;
            const std::string array = *unpackedFromZip(whole, "2,4,6.npy");
            for (int round = 0; round < 400; ++round) {
                std::string damaged = array;
                if (round % 4 == 0)
                    damaged.resize(static_cast<std::size_t>(random.below(array.size())));
                for (int i = 0; i < 2 && !damaged.empty(); ++i)
                    damaged[static_cast<std::size_t>(random.below(damaged.size()))]
                        = static_cast<char>(random.below(256));
                refused += numpyArrayIn(damaged) ? 0 : 1;
            }
        }
        QVERIFY(refused > 150);
    }

    void numbersOfEveryTypeAreRead()
    {
        const NumpyArray complex{{2, 1}, {*coefficientIn("(1-i)/2"), Coefficient{300}}, {}};
        const NumpyArray wide{{1, 2}, {Coefficient{300}, Coefficient{-300}}, {}};
        const NumpyArray list{{2}, {}, {complex, wide}};
        for (const NumpyArray& array : {complex, wide, list}) {
            const auto read = numpyArrayIn(numpyBytes(array));
            QVERIFY2(read.has_value(), read ? "" : read.error().line().c_str());
            QVERIFY(*read == array);
        }
    }
};

TILEWRIGHT_TEST(TestSchemeFiles)
#include "test_scheme_files.moc"
