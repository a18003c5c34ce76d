// SPDX-License-Identifier: GPL-3.0-or-later
// What is posted to a GPU worker ahead of its turn comes back in that order, whatever is asked for in between.
#include "core/device/cpu.h"
#include "core/node/gpu_process.h"
#include "tests/node/node_files.h"
#include "tests/test_program.h"

#include <QTest>
#include <algorithm>

using namespace tilewright;
using namespace tilewright::test;

namespace {

constexpr GpuProcess::Canary right{7, 7}, wrong{7, 8};

BlockRequest block()
{
    BlockRequest request;
    request.order = {"candidate"};
    request.seeds = {1};
    return request;
}

} // namespace

class TestGpuProcess : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        qputenv("TILEWRIGHT_ISOLATION", "reduced");
        m_sandbox = std::make_unique<Sandbox>(std::filesystem::path(TILEWRIGHT_BIN_DIR) / "tilewright-worker");
        qunsetenv("TILEWRIGHT_ISOLATION");
        start(false);
        m_refused = -1;
    }

    /// Only a worker for proofs is asked to leave references open, and then it is told where they are.
    void referencesAreHiddenUnlessForProofs()
    {
        QVERIFY(m_process->openReferences().is_null());
        start(true);
        QCOMPARE(m_process->openReferences().value("at", 0ull), 0x302000000ull);
        QCOMPARE(m_process->openReferences().value("bytes", 0ull), 2ull << 20);
    }

    void theCanaryStandsBehindTheLastCheck()
    {
        QCOMPARE(codeOf(verify(right)), QStringLiteral("fine"));
        QCOMPARE(m_replies, 5);
        QCOMPARE(codeOf(m_process->canary(wrong)), QStringLiteral("fine")); // that one was not asked for
        QCOMPARE(codeOf(m_process->canary(wrong)), QStringLiteral("run/canary"));
        QCOMPARE(codeOf(verify(wrong)), QStringLiteral("fine"));
        QCOMPARE(codeOf(m_process->canary(right)), QStringLiteral("run/canary"));
        QCOMPARE(codeOf(m_process->canary(right)), QStringLiteral("fine"));
    }

    /// Each launch of a group is held to its own limit, which the first has not used up, and the one that hangs is
    /// named.
    void aGroupWhoseSecondLaunchHangsIsEndedByThatLaunchsLimit()
    {
        using namespace std::chrono_literals;
        GpuProcess::Verification group{{VerifyRequest{}, VerifyRequest{}, VerifyRequest{}}, 1h, {1h, 200ms, 1h}, 1h};
        group.requests[1].seed = 666;
        const auto told = [](std::size_t, const Result<GpuProcess::VerifyReplies>& replies) {
            return replies ? Result<void>() : Result<void>(std::unexpected(replies.error()));
        };
        const auto hung = m_process->verify({group}, told, right);
        QCOMPARE(codeOf(hung), QStringLiteral("run/timeout"));
        QCOMPARE(hung.error().evidence.value("item", -1), 1);
        QVERIFY(!m_process->isAlive());
    }

    void aGroupThatIsJudgedIsHeldToTheLimitOfThat()
    {
        using namespace std::chrono_literals;
        GpuProcess::Verification group{{VerifyRequest{}, VerifyRequest{}}, 1h, {1h, 1h}, 1h};
        QVERIFY(m_process->verify(
            {group},
            [](std::size_t, const Result<GpuProcess::VerifyReplies>& replies) {
                return replies ? Result<void>() : Result<void>(std::unexpected(replies.error()));
            },
            right));
    }

    void aProgramThatFailsIsFollowedByACanaryAllTheSame()
    {
        m_refused = 4; // the last one
        QCOMPARE(codeOf(verify(wrong)), QStringLiteral("verify/norm"));
        QCOMPARE(codeOf(m_process->canary(right)), QStringLiteral("run/canary"));
        m_refused = 0; // nothing of the canary was posted then
        QCOMPARE(codeOf(verify(wrong)), QStringLiteral("verify/norm"));
        QCOMPARE(codeOf(m_process->canary(right)), QStringLiteral("fine"));
    }

    void blocksAndLoadsComeInTheirOrder()
    {
        CudaArtifact artifact;
        artifact.cubin = "code";
        artifact.cubinHash = sha256(artifact.cubin);
        QVERIFY(m_process->load("candidate", artifact.cubinHash, artifact));
        for (int i = 0; i < 2; ++i)
            QVERIFY(m_process->postBlock(block()));
        m_process->postCanary(right);
        m_process->postCanary(wrong); // one is enough
        QCOMPARE(timeOfNext(), 1.0);
        QVERIFY(m_process->postBlock(block())); // one more after all
        QCOMPARE(timeOfNext(), 2.0);
        QCOMPARE(timeOfNext(), 3.0);
        QCOMPARE(codeOf(m_process->canary(wrong)), QStringLiteral("run/canary")); // asked for anew: a program ran
    }

    /// The worker refuses a cubin that it has, and the lack of one that it has not.
    void aProgramThatLostItsSlotIsAskedForWithoutItsCubin()
    {
        std::vector<CudaArtifact> artifacts(6);
        for (std::size_t i = 0; i < artifacts.size(); ++i) {
            artifacts[i].cubin = "code " + std::to_string(i);
            artifacts[i].cubinHash = sha256(artifacts[i].cubin);
        }
        for (const std::size_t i : {0, 1, 0, 1, 2, 3, 4, 5, 2, 0, 5, 5, 1}) {
            QVERIFY(m_process->load("candidate", artifacts[i].cubinHash, artifacts[i]));
            QCOMPARE(codeOf(verify(right)), QStringLiteral("fine")); // what was wrong with the load would come here
            QCOMPARE(m_replies, 5);
        }
    }

    /// Nothing of it is there to be asked for later, even where the next was posted before its failure was read.
    void aProgramThatDidNotLoadIsNotParked()
    {
        CudaArtifact broken, sound;
        broken.cubin = "broken";
        sound.cubin = "sound";
        for (CudaArtifact* artifact : {&broken, &sound})
            artifact->cubinHash = sha256(artifact->cubin);
        for (int i = 0; i < 2; ++i) {
            QVERIFY(m_process->load("candidate", broken.cubinHash, broken));
            QCOMPARE(codeOf(m_process->load("candidate", sound.cubinHash, sound)), QStringLiteral("run/load"));
            QVERIFY(m_process->load("candidate", sound.cubinHash, sound));
            QCOMPARE(codeOf(verify(right)), QStringLiteral("fine"));
        }
    }

    void aWrongCanaryBetweenBlocksIsTold()
    {
        QVERIFY(m_process->postBlock(block()));
        m_process->postCanary(wrong);
        QVERIFY(m_process->postBlock(block()));
        QVERIFY(m_process->takeBlock(std::chrono::seconds(5)));
        const auto second = m_process->takeBlock(std::chrono::seconds(5));
        QVERIFY(!second);
        QCOMPARE(second.error().code, std::string("run/canary"));
    }

    /// CUDA IPC is refused between processes of the same number.
    void aVerifierIsNotTheFirstProcessOfItsSandbox()
    {
        const Sandbox sandbox(std::filesystem::path(TILEWRIGHT_BIN_DIR) / "tilewright-worker");
        SandboxRequest request;
        request.command = {"/bin/sh", "-c", "echo $$"};
        const auto isFirst = [&] { return std::ranges::count(sandbox.wrap(request), "--as-pid-1") == 1; };
        QCOMPARE(isFirst(), sandbox.isFull());
        request.isFirstProcess = false;
        QVERIFY(!isFirst());
    }

    void whatNobodyWantsAnyMoreIsNotMistakenForWhatComesNext()
    {
        QVERIFY(m_process->postBlock(block()));
        QVERIFY(m_process->postBlock(block()));
        m_process->postCanary(right);
        m_process->forgetPosted();
        QCOMPARE(codeOf(verify(right)), QStringLiteral("fine"));
        QVERIFY(m_process->postBlock(block()));
        QCOMPARE(timeOfNext(), 3.0);
    }

private:
    Result<void> verify(const GpuProcess::Canary& behind)
    {
        m_replies = 0;
        GpuProcess::Verification one{{VerifyRequest{}}, std::chrono::seconds(5), {}, {}};
        GpuProcess::Verification three{
            {VerifyRequest{}, VerifyRequest{}, VerifyRequest{}}, std::chrono::seconds(5), {}, {}};
        return m_process->verify(
            {one, three, one, one, one},
            [&](std::size_t which, const Result<GpuProcess::VerifyReplies>& replies) -> Result<void> {
                if (!replies || replies->size() != (which == 1 ? 3u : 1u))
                    return fail("test/replies", "others came");
                ++m_replies;
                return static_cast<int>(which) == m_refused ? Result<void>(fail("verify/norm", "wrong"))
                                                            : Result<void>();
            },
            behind);
    }

    double timeOfNext()
    {
        const auto reply = m_process->takeBlock(std::chrono::seconds(5));
        return reply ? reply->samples.front().ns : -1;
    }

    void start(bool openReferences)
    {
        GpuProcessSetup setup;
        setup.worker = TILEWRIGHT_FAKE_GPU_WORKER;
        setup.facts = h200Facts();
        setup.openReferences = openReferences;
        auto started = GpuProcess::start(*m_sandbox, setup);
        QVERIFY2(started, started ? "" : started.error().line().c_str());
        m_process = std::move(*started);
    }

    std::unique_ptr<Sandbox> m_sandbox;
    std::unique_ptr<GpuProcess> m_process;
    int m_replies = 0, m_refused = -1;
};

TILEWRIGHT_TEST(TestGpuProcess)
#include "test_gpu_process.moc"
