// SPDX-License-Identifier: GPL-3.0-or-later
// A bundle as somebody without Tilewright has it: built from its own sources by its one command, it verifies the
// exported program, finds a wrong and a slower one, and gives attacks and honest twins of tests/attacks/cpu the
// verdicts that Tilewright gives them: ten of each, which TILEWRIGHT_COMMIT (a commit's hash) chooses.
#include "tests/cli/cli_run.h"
#include "tests/export/exported_demo.h"
#include "tests/test_program.h"

#include "core/base/files.h"

#include <QDir>
#include <QJsonArray>
#include <set>

using namespace tilewright;
using namespace Qt::StringLiterals;
using tilewright::testing::ExportedDemo;
namespace fs = std::filesystem;

namespace {

constexpr int buildLimitMs = 1'200'000, verifyLimitMs = 600'000;
constexpr std::size_t ofEach = 10;

const fs::path corpus = TILEWRIGHT_SOURCE_DIR "/tests/attacks/cpu";

/// The source, with the product that most of them share in the place of the line that asks for it.
std::string attackText(const std::string& file)
{
    constexpr std::string_view wanted = "//@ product.inc\n";
    std::string text = readFile(corpus / file).value_or("");
    if (const std::size_t at = text.find(wanted); at != std::string::npos)
        text.replace(at, wanted.size(), readFile(corpus / "product.inc").value_or(""));
    return text;
}

/// Those whose turn it is.
template <typename T, typename Name> std::vector<T> chosen(std::vector<T> all, Name nameOfOne)
{
    const std::string rotation = qgetenv("TILEWRIGHT_COMMIT").toStdString();
    std::ranges::sort(all, {}, [&](const T& one) { return sha256(rotation + nameOfOne(one)).hex(); });
    all.resize(std::min(all.size(), ofEach));
    return all;
}

} // namespace

class TestExportedHarness : public QObject
{
    Q_OBJECT

    std::unique_ptr<ExportedDemo> m_demo;
    QString m_bundle;
    nlohmann::json m_attacks;

    Run inBundle(const QString& command, const QStringList& words, int limitMs) const
    {
        QProcess process;
        process.setWorkingDirectory(m_bundle);
        process.start(m_bundle + u'/' + command, words);
        if (!process.waitForFinished(limitMs)) {
            process.kill();
            process.waitForFinished(patience);
            return {-1, process.readAllStandardOutput(), "it hung: " + process.readAllStandardError()};
        }
        return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    }

    Run verified(const std::string& text, const QStringList& further) const
    {
        const QString program = m_demo->folder.filePath(u"program.cpp"_s);
        ExportedDemo::orThrow(saveFile(program.toStdString(), text));
        return inBundle(u"verify"_s, QStringList{u"--json"_s, u"--program"_s, program} + further, verifyLimitMs);
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_demo = std::make_unique<ExportedDemo>();
        m_attacks = nlohmann::json::parse(readFile(corpus / "attacks.json").value_or("[]"));
        QVERIFY(m_attacks.size() > 100);
        const QString made = m_demo->folder.filePath(u"made"_s);
        const Run run
            = runToItsEnd(environmentIn(m_demo->folder), {u"export"_s, q(m_demo->file()), u"best"_s, u"--to"_s, made});
        QVERIFY2(run.exitCode == 0, run.err);
        m_bundle = m_demo->folder.filePath(u"carried elsewhere"_s);
        QVERIFY(QDir().rename(made, m_bundle));
        const Run built = inBundle(u"build"_s, {}, buildLimitMs);
        QVERIFY2(built.exitCode == 0, built.out + built.err);
    }

    void theExportedProgramIsVerified()
    {
        const Run run = inBundle(u"verify"_s, {u"--json"_s}, verifyLimitMs);
        const QJsonObject json = run.json();
        // Another machine, or a busy one, may be slower than the record; wrong it is nowhere.
        QVERIFY2(run.exitCode == 0 || run.exitCode == 3, run.out + run.err);
        QCOMPARE(json[u"outcome"].toString(), u"ranked"_s);
        QVERIFY(json[u"is_exported_program"].toBool());
        QVERIFY(json[u"changed_files"].toArray().isEmpty());
        const QJsonArray passed = json[u"passed"].toArray();
        for (const char* rule : {"build", "poison", "guard-pages", "size-sweep", "timed-launches", "roofline"})
            QVERIFY2(passed.contains(QLatin1String(rule)), rule);
        QVERIFY(json[u"score"][u"lo"].toDouble() > 1);
        QCOMPARE(json[u"shapes"].toArray().size(),
            static_cast<qsizetype>(m_demo->pack.task.train.size() + m_demo->pack.task.heldout.size()));
    }

    void aSlowerProgramIsCalledSlower()
    {
        const Run run = verified(m_demo->pack.seed(), {});
        QVERIFY2(run.exitCode == 3, run.out + run.err);
        QCOMPARE(run.json()[u"judgement"].toString(), u"slower"_s);
        QVERIFY(run.json()[u"vs_incumbent"][u"hi"].toDouble() < 0.5);
    }

    void aChangedFileIsNamed()
    {
        const QString file = m_bundle + u"/REPORT.html"_s;
        const std::string before = *readFile(file.toStdString());
        QVERIFY(saveFile(file.toStdString(), before + "<!-- planted -->"));
        const Run run = inBundle(u"verify"_s, {u"--json"_s, u"--quick"_s}, verifyLimitMs);
        QVERIFY(saveFile(file.toStdString(), before));
        QVERIFY2(run.exitCode == 0, run.out + run.err);
        QCOMPARE(run.json()[u"changed_files"].toArray(), QJsonArray{u"REPORT.html"_s});
    }

    void anAttackGetsTheVerdictOfTilewright_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QStringList>("rules");
        QTest::addColumn<QString>("outcome");
        std::vector<nlohmann::json> all;
        for (const nlohmann::json& attack : m_attacks) {
#if !defined(__x86_64__)
            if (attack.value("x86_only", false))
                continue;
#endif
            all.push_back(attack);
        }
        for (const nlohmann::json& attack :
            chosen(all, [](const nlohmann::json& one) { return one.at("file").get<std::string>(); })) {
            QStringList rules;
            for (const nlohmann::json& rule : attack.at("rules"))
                rules << q(rule.get<std::string>());
            const std::string file = attack.at("file");
            QTest::newRow(file.c_str()) << q(file) << rules << q(attack.at("outcome").get<std::string>());
        }
    }

    void anAttackGetsTheVerdictOfTilewright()
    {
        QFETCH(QString, file);
        QFETCH(QStringList, rules);
        QFETCH(QString, outcome);
        const Run run = verified(attackText(file.toStdString()), {u"--quick"_s});
        const QJsonObject json = run.json();
        if (outcome == u"no_gain"_s && json[u"outcome"] == u"ranked"_s)
            return; // it does honest work; what it tried gains nothing beside the exported program
        QVERIFY2(run.exitCode == 1, run.out + run.err);
        QVERIFY2(rules.contains(json[u"rule"].toString()), run.out);
        if (outcome != u"no_gain"_s && json[u"rule"].toString() == rules.first())
            QCOMPARE(json[u"outcome"].toString(), outcome);
    }

    void anHonestTwinRanks_data()
    {
        QTest::addColumn<QString>("file");
        std::set<std::string> twins{"honest.cpp"};
        for (const nlohmann::json& attack : m_attacks)
            twins.insert(attack.at("twin").get<std::string>());
        for (const std::string& twin :
            chosen(std::vector<std::string>(twins.begin(), twins.end()), [](const std::string& name) { return name; }))
            QTest::newRow(twin.c_str()) << q(twin);
    }

    void anHonestTwinRanks()
    {
        QFETCH(QString, file);
        const Run run = verified(attackText(file.toStdString()), {u"--quick"_s});
        QVERIFY2(run.exitCode == 0, run.out + run.err);
        QCOMPARE(run.json()[u"outcome"].toString(), u"ranked"_s);
    }
};

TILEWRIGHT_TEST(TestExportedHarness)
#include "test_exported_harness.moc"
