// SPDX-License-Identifier: GPL-3.0-or-later
// Programs of schemes: they are compiled, and right in integers; what follows no program is refused.
#include "core/tensor/code.h"
#include "core/tensor/known_schemes.h"
#include "core/tensor/transforms.h"
#include "tests/test_program.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace tilewright;
using namespace tilewright::tensor;

namespace {

/// What the self-test prints after it was compiled.
QByteArray outputOfSelfTest(const Scheme& scheme, const CodeOptions& options)
{
    const auto text = selfTestOf(scheme, options);
    QTemporaryDir folder;
    QFile file(folder.filePath(q("test.cpp")));
    if (!text || !file.open(QIODevice::WriteOnly))
        return "no text";
    file.write(text->c_str());
    file.close();
    QProcess process;
    process.start(q("g++"),
        {q("-std=c++20"), q("-O1"), q("-Wall"), q("-Werror"), file.fileName(), q("-o"), folder.filePath(q("test"))});
    if (!process.waitForFinished(-1) || process.exitCode() != 0)
        return process.readAllStandardError();
    process.start(folder.filePath(q("test")), QStringList());
    process.waitForFinished(-1);
    return process.readAllStandardOutput();
}

std::string seedProgram()
{
    QFile file(QStringLiteral(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32-cpu/seed.cpp"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

} // namespace

class TestSchemeCode : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void programsAreRightInIntegers()
    {
        CodeOptions two;
        two.levels = 2;
        QCOMPARE(outputOfSelfTest(winogradVariant(), two), QByteArray("exact\n"));
        CodeOptions withLeaf;
        withLeaf.leaf = seedProgram();
        QCOMPARE(outputOfSelfTest(*composed(strassen(), schoolbook({1, 2, 3})), withLeaf), QByteArray("exact\n"));
    }

    void productsThatAreZeroAreLeftOut()
    {
        Scheme scheme = emptyScheme({2, 2, 2}, Ring::Integers, 8);
        const Scheme seven = strassen();
        for (int product = 0; product < 7; ++product)
            for (int entry = 0; entry < 4; ++entry) {
                scheme.u.at(entry, product) = seven.u.at(entry, product);
                scheme.v.at(entry, product) = seven.v.at(entry, product);
                scheme.w.at(entry, product) = seven.w.at(entry, product);
            }
        scheme.v.at(0, 7) = scheme.w.at(0, 7) = Coefficient{1};
        const auto text = programOf(scheme, {});
        QVERIFY(text.has_value());
        QVERIFY(text->find("7 products") != std::string::npos);
        QVERIFY(text->find(" m7") == std::string::npos);
    }

    void theSelfTestFindsAWrongProgram()
    {
        std::string text = *selfTestOf(strassen(), {});
        const std::size_t sign = text.find("-1.0f}");
        QVERIFY(sign != std::string::npos);
        text.erase(sign, 1);
        QTemporaryDir folder;
        QFile file(folder.filePath(q("test.cpp")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.c_str());
        file.close();
        QCOMPARE(
            QProcess::execute(q("g++"), {q("-std=c++20"), file.fileName(), q("-o"), folder.filePath(q("test"))}), 0);
        QProcess process;
        process.start(folder.filePath(q("test")), QStringList());
        QVERIFY(process.waitForFinished(-1));
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(process.readAllStandardOutput().contains("element"));
    }

    void whatNoProgramFollowsFromIsRefusedWithTheReason()
    {
        const auto codeOf = [](const Scheme& scheme, const CodeOptions& options = {}) {
            const auto program = programOf(scheme, options);
            return program ? std::string("program") : program.error().code;
        };
        QCOMPARE(q(codeOf(*reducedMod2(strassen()))), q("tensor/mod2"));
        Scheme third = strassen();
        third.ring = Ring::Rationals;
        for (int entry = 0; entry < 4; ++entry) {
            third.u.at(entry, 0) = *productOf(third.u.at(entry, 0), *coefficientIn("1/3"));
            third.v.at(entry, 0) = *productOf(third.v.at(entry, 0), Coefficient{3});
        }
        QCOMPARE(q(codeOf(third)), q("tensor/fraction"));
        Scheme wrong = strassen();
        wrong.u.at(0, 0) = Coefficient{};
        QCOMPARE(q(codeOf(wrong)), q("tensor/wrong"));
        CodeOptions options;
        options.leaf = "int main() { }";
        QCOMPARE(q(codeOf(strassen(), options)), q("tensor/leaf"));
        options = {};
        options.levels = 9;
        QCOMPARE(q(codeOf(strassen(), options)), q("tensor/code"));
    }
};

TILEWRIGHT_TEST(TestSchemeCode)
#include "test_scheme_code.moc"
