// SPDX-License-Identifier: GPL-3.0-or-later
// The attacks in CUDA and their honest twins, as far as a machine without a GPU can judge them: what is to be refused
// while it is built is refused there, and every attack has a twin of the same tokens that is built.
#include "core/base/files.h"
#include "core/device/hopper.h"
#include "core/node/cuda_builder.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace tilewright;
namespace fs = std::filesystem;

namespace {

const fs::path root = TILEWRIGHT_SOURCE_DIR;
const fs::path folder = root / "tests/attacks/cuda";
const fs::path worker = fs::path(TILEWRIGHT_BIN_DIR) / "tilewright-cuda-worker";

/// Rules that only a GPU can tell.
bool isOfTheGpu(const std::string& rule)
{
    return rule.empty() || rule.starts_with("verify/") || rule.starts_with("run/") || rule.starts_with("time/");
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
            *m_sandbox, worker, fs::path(m_folder.path().toStdString()) / "cache", std::vector<int>{}, "secret");
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

QTEST_GUILESS_MAIN(TestCudaAttacks)
#include "test_cuda_attacks.moc"
