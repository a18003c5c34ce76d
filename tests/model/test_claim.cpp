// SPDX-License-Identifier: GPL-3.0-or-later
// Claims in words, as numbers; and how an author's claims stood up to measurement.
#include "core/model/claim.h"
#include "core/model/claim_statements.h"
#include "tests/model/claimed_run.h"
#include "tests/test_program.h"

#include <QTest>
#include <cmath>

using namespace tilewright;

class TestClaim : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void numbersAreReadOutOfWords_data()
    {
        QTest::addColumn<QByteArray>("claim");
        QTest::addColumn<double>("ratio"); // 0: none
        const auto row = [](const char* claim, double ratio) { QTest::newRow(claim) << QByteArray(claim) << ratio; };
        row("+4 %", 1.04);
        row("+5 %, more on shallow products", 1.05);
        row("1.2x with kept tiles", 1.2);
        row("1.5×", 1.5);
        row("about 3 to 5 % faster", 1.04);
        row("+2–4 %", 1.03);
        row("8%", 1.08);
        row("8 percent", 1.08);
        row("10 % slower", 0.9);
        row("−3 %", 0.97);
        row("no change expected", 1);
        row("+3 % on 720×750×40, +1 % on 255×257×191", 0);
        row("+3 % on 720x750x40, +2 % overall", 1.02);
        row("5 % faster on 512³", 0);
        row("512^3 gains 5 %", 0);
        row("5 % faster on 720 x 750 x 40", 0);
        row("-20 % registers", 0);
        row("8 % less time", 0);
        row("31 % of the stalls", 0);
        row("fewer bank conflicts", 0);
        row("c-0124 again", 0);
        row("pays only with both of the above", 0);
        row("", 0);
        row("-200 %", 0);
    }
    void numbersAreReadOutOfWords()
    {
        QFETCH(QByteArray, claim);
        QFETCH(double, ratio);
        const auto read = claimedRatio(claim.toStdString());
        QCOMPARE(read.has_value(), ratio > 0);
        if (read)
            QVERIFY2(std::abs(*read - ratio) < 1e-9, qPrintable(QString::number(*read)));
    }

    void claimsOfSingleShapesAreReadOutOfWords_data()
    {
        QTest::addColumn<QByteArray>("claim");
        QTest::addColumn<QString>("read");
        const auto row = [](const char* claim, const char* read) {
            QTest::newRow(claim) << QByteArray(claim) << QString::fromUtf8(read);
        };
        row("+3 % on 720×750×40, +1 % on 255×257×191", "720×750×40 3; 255×257×191 1");
        row("512³ gains 5 %", "512×512×512 5");
        row("5 % at 4096x1024", "4096×1024 5");
        row("2 to 4 % faster on 720 x 750 x 40", "720×750×40 3");
        row("+4 %, and 1.2x on 64²", "64×64 20");
        row("-3 % on 96x96x96; no change on 64x64x64", "96×96×96 -3; 64×64×64 0");
        row("5 % on 512³ and 1024³", "512×512×512 5; 1024×1024×1024 5");
        row("512³ and 1024³ gain 5 %", "512×512×512 5; 1024×1024×1024 5");
        row("+5 % on shape (720×750×40)", "720×750×40 5");
        row("+5 % on 512³, +6 % on 512³", "512×512×512 5"); // what was said first
        row("+4 %", "");
        row("+5 % overall, correct on 512³ as well", ""); // the figure is of all shapes
        row("+3 % on 720x750x40, fewer registers on 512³", "720×750×40 3");
        row("20 % fewer stalls on 512³", "");
        row("tiles of 64x64", "");
        row("1.5x", "");
        row("c-0124x2", "");
        row("", "");
    }
    void claimsOfSingleShapesAreReadOutOfWords()
    {
        QFETCH(QByteArray, claim);
        QFETCH(QString, read);
        QStringList found;
        for (const ShapeClaim& one : shapeClaims(claim.toStdString()))
            found << QString::fromStdString(shapeText(one.shape)) + QLatin1Char(' ')
                    + QString::number(std::round((one.ratio - 1) * 1000) / 10);
        QCOMPARE(found.join(QLatin1String("; ")), read);
    }

    void aClaimIsTakenApart_data()
    {
        QTest::addColumn<QByteArray>("claim");
        QTest::addColumn<QString>("read"); // subject: words; of the speed and of other words no subject
        const auto row = [](const char* claim, const char* read) {
            QTest::newRow(claim) << QByteArray(claim) << QString::fromUtf8(read);
        };
        row("+4 %", "speed: +4 %");
        row("+5 %, more on shallow products", "speed: +5 % | more on shallow products");
        row("2x to 4x for n above 64, nothing below", "speed: 2x to 4x for n above 64 | nothing below");
        row("a few percent,  either way", "a few percent,  either way");
        row("+2 % on 4096×4096×1024, +1 % on 8192×1024×256, shared memory from 40.5 to 61 KiB",
            "4096×4096×1024: +2 % | 8192×1024×256: +1 % | shared memory: 40.5 → 61 KiB");
        row("5 % on 512³ and 1024³", "512×512×512 1024×1024×1024: 5 %");
        row("512³, 1024³ gain 5 %", "512×512×512 1024×1024×1024: gain 5 %");
        row("+4 %, and 1.2x on 64²; Registers: 160 -> 170", "speed: +4 % | 64×64: 1.2x | registers: 160 → 170");
        row("-20 % registers", "registers: -20 %");
        row("+4 % and 8 fewer registers", "speed: +4 % | registers: 8 fewer");
        row("uses 96 KiB of shared memory", "shared memory: uses 96 KiB");
        row("occupancy rises to 25 %, no register spills", "occupancy: rises to 25 % | spills: no");
        row("1,024 fewer registers", "registers: 1,024 fewer");
        row("load and store overlap", "load and store overlap");
        row("+5 % overall and correct on 512³ as well", "+5 % overall and correct on 512³ as well");
        row("20 % fewer stalls on 512³", "20 % fewer stalls on 512³");
        row("because the registers that hold A are freed early", "because the registers that hold A are freed early");
        row("registers are freed as soon as the last tile was read",
            "registers are freed as soon as the last tile was read");
        row("tiles for 64x64", "tiles for 64x64");
        row("512³", "512×512×512");
        row(", ;", "");
        row("", "");
    }
    void aClaimIsTakenApart()
    {
        QFETCH(QByteArray, claim);
        QFETCH(QString, read);
        QStringList found;
        for (const ClaimStatement& one : claimStatements(claim.toStdString())) {
            QStringList subjects;
            for (const Shape& shape : one.shapes)
                subjects << QString::fromStdString(shapeText(shape));
            constexpr const char* resources[] = {"registers", "shared memory", "spills", "occupancy", "machine code"};
            if (one.of == ClaimStatement::Of::Resource)
                subjects << QString::fromLatin1(resources[static_cast<int>(one.resource)]);
            if (one.of == ClaimStatement::Of::Speed)
                subjects << QStringLiteral("speed");
            found << (subjects.isEmpty() ? QString() : subjects.join(QLatin1Char(' ')) + QLatin1String(": "))
                    + QString::fromStdString(one.words);
        }
        QCOMPARE(found.join(QLatin1String(" | ")), read);
    }

    void theRecordIsTheMedianOfWhatWasTooMuch()
    {
        const RunState run = testing::claimedRun();
        QCOMPARE(claimRecordOf(run, "somebody").measured, std::int64_t(0));
        const ClaimRecord record = claimRecordOf(run, "mutator"); // too much by 5, 10 and 20 points
        QCOMPARE(record.measured, std::int64_t(3));
        QVERIFY2(std::abs(record.medianExcess - 0.10) < 1e-9, qPrintable(QString::number(record.medianExcess)));
    }
};

TILEWRIGHT_TEST(TestClaim)
#include "test_claim.moc"
