// SPDX-License-Identifier: GPL-3.0-or-later
// The attacks in CUDA and their honest twins, as far as a machine without a GPU can judge them: what is to be refused
// while it is built is refused there, and every attack has a twin of the same tokens that is built.
#include "core/base/files.h"
#include "core/device/cpu.h"
#include "core/node/cuda_builder.h"
#include "tests/node/node_files.h"
#include "tests/test_program.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace tilewright;
using namespace tilewright::test;
namespace fs = std::filesystem;

namespace {

const fs::path folder = root / "tests/attacks/cuda";

/// Rules that only a GPU can tell.
bool isOfTheGpu(const std::string& rule)
{
    return rule.empty() || rule.starts_with("verify/") || rule.starts_with("run/") || rule.starts_with("time/");
}

/// Without comments; a string is one token.
QStringList tokensOf(const std::string& text)
{
    static const QRegularExpression token(
        QStringLiteral("//[^\\n]*|\"(?:\\\\.|[^\"\\\\])*\"|[A-Za-z_]\\w*|\\d[\\w.]*|\\S"));
    QStringList tokens;
    for (auto found = token.globalMatch(QString::fromStdString(text)); found.hasNext();)
        if (const QString each = found.next().captured(); !each.startsWith(QStringLiteral("//")))
            tokens << each;
    return tokens;
}

/// Of the longer text, those that the other does not have in the same order.
qsizetype differingTokens(const QStringList& left, const QStringList& right)
{
    std::vector<qsizetype> common(static_cast<std::size_t>(right.size()) + 1); // longest subsequence so far
    for (const QString& each : left) {
        qsizetype before = 0; // of the row above, one to the left
        for (std::size_t i = 1; i < common.size(); ++i) {
            const qsizetype above = common[i];
            common[i] = each == right[static_cast<qsizetype>(i) - 1] ? before + 1 : std::max(above, common[i - 1]);
            before = above;
        }
    }
    return std::max(left.size(), right.size()) - common.back();
}

} // namespace

class TestCudaAttacks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_told = nlohmann::json::parse(*readFile(folder / "attacks.json"));
        for (const char* name : {"gemm-fp32", "gemm-bf16"})
            m_packs[name] = *loadTaskPack(root / "kernels" / name);
        m_sandbox = std::make_unique<Sandbox>(fs::path(TILEWRIGHT_BIN_DIR) / "tilewright-worker");
        m_builder = std::make_unique<CudaBuilder>(
            *m_sandbox, cudaWorker, fs::path(m_folder.path().toStdString()) / "cache", std::vector<int>{}, "secret");
    }

    void everyFileIsListed()
    {
        QStringList listed;
        for (const nlohmann::json& attack : m_told["attacks"]) {
            const std::string file = attack["file"];
            QVERIFY2(fs::exists(folder / "twins" / file), file.c_str());
            listed << QString::fromStdString(file);
            // Who may rank is listed with the reason why nothing is gained by it.
            QVERIFY2(!saysNothing(attack["rules"]) || attack.contains("why"), file.c_str());
            if (attack.contains("static_off"))
                QVERIFY2(attack["static_off"].contains("why"), file.c_str());
        }
        for (const nlohmann::json& twin : m_told["twins"])
            listed << QString::fromStdString(twin["file"]);
        for (const auto& entry : fs::directory_iterator(folder))
            if (entry.path().extension() == ".cu")
                QVERIFY2(
                    listed.contains(QString::fromStdString(entry.path().filename().string())), entry.path().c_str());
        for (const auto& entry : fs::directory_iterator(folder / "twins"))
            QVERIFY2(listed.contains(QString::fromStdString(entry.path().filename().string())), entry.path().c_str());
    }

    /// A twin proves that a rule knows the attack by what it does, and not by its words.
    void twinsDifferInFewTokens()
    {
        constexpr qsizetype few = 40;
        QCOMPARE(differingTokens(tokensOf("a = b; // c"), tokensOf("a = b + \"c // d\";")), 2);
        for (const nlohmann::json& attack : m_told["attacks"]) {
            const std::string file = attack["file"];
            const qsizetype differing
                = differingTokens(tokensOf(*readFile(folder / file)), tokensOf(*readFile(folder / "twins" / file)));
            QVERIFY2(differing > 0, file.c_str());
            // Who differs in more is listed with the reason, and nobody else is.
            QVERIFY2(
                (differing > few) == attack.contains("twin_differs"), (file + " " + std::to_string(differing)).c_str());
        }
    }

    void attacksAreRefusedWhileTheyAreBuilt_data()
    {
        QTest::addColumn<QStringList>("rules");
        for (const nlohmann::json& attack : m_told["attacks"]) {
            QStringList rules;
            for (const std::string rule : attack["rules"])
                rules << QString::fromStdString(rule);
            QTest::newRow(attack["file"].get<std::string>().c_str()) << rules;
        }
    }
    void attacksAreRefusedWhileTheyAreBuilt()
    {
        if (!m_builder->isAvailable())
            QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
        QFETCH(QStringList, rules);
        if (!limitsWorkerMemory && rules.contains(QStringLiteral("build/limit")))
            QSKIP("a worker that is built with sanitizers has no limit of memory");
        const BuildOutcome built = build(QTest::currentDataTag());
        const bool mayBeBuilt
            = std::ranges::any_of(rules, [](const QString& r) { return isOfTheGpu(r.toStdString()); });
        QVERIFY2(built.ok ? mayBeBuilt : rules.contains(QString::fromStdString(built.rule)),
            (built.rule + ": " + built.text + "\n" + built.log).c_str());
    }

    void honestTwinsAreBuilt_data()
    {
        QTest::addColumn<bool>("isTwin");
        for (const nlohmann::json& attack : m_told["attacks"])
            QTest::newRow(("twins/" + attack["file"].get<std::string>()).c_str()) << true;
        for (const nlohmann::json& twin : m_told["twins"])
            QTest::newRow(twin["file"].get<std::string>().c_str()) << true;
    }
    void honestTwinsAreBuilt()
    {
        if (!m_builder->isAvailable())
            QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
        const BuildOutcome built = build(QTest::currentDataTag());
        QVERIFY2(built.ok, (built.rule + ": " + built.text + "\n" + built.log).c_str());
        QVERIFY(built.log.find("warning") == std::string::npos); // an honest program has nothing to be warned of
    }

private:
    static bool saysNothing(const nlohmann::json& rules) { return std::ranges::find(rules, "") != rules.end(); }

    /// An attack or a twin, for the task that it is of.
    BuildOutcome build(const char* file)
    {
        std::string task = "gemm-fp32";
        for (const nlohmann::json& attack : m_told["attacks"])
            if (attack["file"] == fs::path(file).filename().string())
                task = attack.value("task", task);
        return m_builder->buildCandidate(m_packs.at(task).task, *readFile(folder / file), h200Facts());
    }

    nlohmann::json m_told; ///< attacks.json
    QTemporaryDir m_folder;
    std::map<std::string, TaskPack> m_packs;
    std::unique_ptr<Sandbox> m_sandbox;
    std::unique_ptr<CudaBuilder> m_builder;
};

TILEWRIGHT_TEST(TestCudaAttacks)
#include "test_cuda_attacks.moc"
