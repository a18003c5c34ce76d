// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA half without a GPU: arithmetic of the device, plans out of recorded cubins, static rules, gates on what a
// worker reports; and, where NVRTC is, real builds in the sandbox.
#include "core/base/files.h"
#include "core/base/random.h"
#include "core/device/cpu.h"
#include "core/node/cubin.h"
#include "core/node/cuda_builder.h"
#include "core/node/cuda_device.h"
#include "core/node/cuda_plan.h"
#include "core/node/cuda_sweep.h"
#include "core/node/gates.h"
#include "core/node/gpu_gates.h"
#include "core/node/ptx_rules.h"
#include "core/protocol/device_names.h"
#include "core/protocol/gpu_canary.h"
#include "core/protocol/gpu_kernels.h"
#include "core/source/candidate_header.h"
#include "kernels/include/tilewright/plan.h"
#include "tests/node/node_files.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstring>
#include <fstream>

using namespace tilewright;
using namespace tilewright::test;
namespace fs = std::filesystem;
namespace contract = tilewright_contract;

namespace {

std::string fixture(const char* name) { return *readFile(root / "tests/node/fixtures" / name); }

std::string recordOf(const contract::Plan& plan) { return {reinterpret_cast<const char*>(&plan), sizeof plan}; }

contract::Plan honestPlan()
{
    contract::Plan plan{};
    plan.add("gemm", 16, 256);
    return plan;
}

} // namespace

class TestCuda : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aWorkerThatIsSilentIsNotWaitedForLong();
    void occupancyFollowsTheScarcestResource_data();
    void occupancyFollowsTheScarcestResource();
    void theFloorIsTheSlowerOfComputingAndMoving();
    void aPlanIsWrittenTheSameByEveryCompiler();
    void plansAreReadFromARecordedCubin();
    void kernelsTellWhatTheyNeed();
    void modulesThatCallOthersAreRefused();
    void damagedCubinsAreRefusedWithoutACrash();
    void absurdPlansAreRefusedByTheirField_data();
    void absurdPlansAreRefusedByTheirField();
    void clustersThatDoNotFitAreToldInFigures();
    void randomRecordsNeverLeadToALaunchThatIsNotPossible();
    void onlyListedHeadersMayBeIncluded_data();
    void onlyListedHeadersMayBeIncluded();
    void headersThatAMachineLacksAreNamed();
    void timersAndPinnedLinesAreSeenInPtx();
    void timersAndPinnedLinesAreSeenHoweverTheyAreSpelled_data();
    void timersAndPinnedLinesAreSeenHoweverTheyAreSpelled();
    void variablesOfAModuleAreSeenInPtx();
    void gatesJudgeWhatAWorkerFound();
    void theTimedCheckJudgesWhatAWorkerFound();
    void theVersionOfTheVendorLibraryIsReadAsItsReleasesAreNamed();
    void aCoarseOutputIsJudgedByItsOwnRoundingAndByWholeRows();
    void devicesAreFoundByTheirNames();
    void programsAreBuiltToTheirRules_data();
    void programsAreBuiltToTheirRules();
    void aBuiltProgramHasAPlanForEveryShape();
    void plansForOtherSizesKeepTheCodeUnlessTheyNeedMore();
    void aSweepOfABuiltProgramIsPlannedAndRequested();
    void theOwnKernelsAndTheReferenceBuild();
    void aToolkitThatDoesNotKnowTheGpuIsNamed();
    void withoutStaticRulesAttacksAreBuiltAsTheyAre_data();
    void withoutStaticRulesAttacksAreBuiltAsTheyAre();

private:
    CudaBuilder* builder();

    QTemporaryDir m_folder;
    TaskPack m_pack;
    std::unique_ptr<Sandbox> m_sandbox;
    std::unique_ptr<CudaBuilder> m_builder;
};

void TestCuda::initTestCase() { m_pack = *loadTaskPack(root / "kernels/gemm-fp32"); }

void TestCuda::aWorkerThatIsSilentIsNotWaitedForLong()
{
    using namespace std::chrono_literals;
    const Shape largest{8192, 8192, 8192};
    const std::vector<std::string> pair{"candidate", "incumbent", "incumbent", "candidate"};
    // Who is new there may be slow; who took half a second may take two and a half.
    QVERIFY(blockLimit(m_pack.task, largest, pair, {}) > 40s);
    QVERIFY(blockLimit(m_pack.task, largest, pair, {{"candidate", 5e8}, {"incumbent", 5e8}}) < 13s);
    QVERIFY(blockLimit(m_pack.task, largest, pair, {{"candidate", 5e8}, {"incumbent", 5e8}}) > 12s);
    QVERIFY(blockLimit(m_pack.task, {512, 512, 512}, pair, {}) < 2500ms);
    // The vendor's library is to be loaded, and tries its proposals.
    QVERIFY(blockLimit(m_pack.task, {512, 512, 512}, {"vendor", "candidate", "vendor"}, {}) > 5s);
    // It never asks for more patience than without a figure.
    QCOMPARE(blockLimit(m_pack.task, largest, pair, {{"candidate", 1e15}, {"incumbent", 1e15}}),
        blockLimit(m_pack.task, largest, pair, {}));
}

CudaBuilder* TestCuda::builder()
{
    if (!m_sandbox) {
        m_sandbox = std::make_unique<Sandbox>(fs::path(TILEWRIGHT_BIN_DIR) / "tilewright-worker");
        m_builder = std::make_unique<CudaBuilder>(
            *m_sandbox, cudaWorker, fs::path(m_folder.path().toStdString()) / "cache", std::vector<int>{}, "secret");
    }
    return m_builder.get();
}

void TestCuda::occupancyFollowsTheScarcestResource_data()
{
    QTest::addColumn<int>("registers");
    QTest::addColumn<int>("threads");
    QTest::addColumn<int>("shared");
    QTest::addColumn<int>("blocks");
    QTest::addColumn<QString>("limit");
    // By the occupancy calculator of CUDA 13 for compute capability 9.0.
    QTest::newRow("registers") << 128 << 256 << 0 << 2 << "registers";
    QTest::newRow("shared memory") << 32 << 256 << 57344 << 4 << "shared";
    QTest::newRow("threads") << 16 << 1024 << 0 << 2 << "threads";
    QTest::newRow("blocks") << 16 << 32 << 0 << 32 << "blocks";
    QTest::newRow("nothing fits") << 255 << 1024 << 0 << 0 << "registers";
}

void TestCuda::occupancyFollowsTheScarcestResource()
{
    QFETCH(int, registers);
    QFETCH(int, threads);
    QFETCH(int, shared);
    const Occupancy occupancy = occupancyOf(h200Facts(), {registers, threads, shared});
    QTEST(occupancy.blocks, "blocks");
    QTEST(q(occupancy.limit), "limit");
}

void TestCuda::theFloorIsTheSlowerOfComputingAndMoving()
{
    QCOMPARE(h200Facts().architecture(), std::string("sm_90a"));
    const double peak = h200Facts().fp32Peak(), bandwidth = h200Facts().bandwidth();
    QVERIFY(std::abs(peak / 66.9e12 - 1) < 0.01);
    QVERIFY(std::abs(bandwidth / 4.917e12 - 1) < 0.01);
    QCOMPARE(rooflineNs(peak, bandwidth / 2, peak, bandwidth), 0.9e9);
    QCOMPARE(rooflineNs(peak / 4, bandwidth / 2, peak, bandwidth), 0.45e9);
}

void TestCuda::aPlanIsWrittenTheSameByEveryCompiler()
{
    // What the host's compiler evaluates is what a device compiler leaves in a cubin.
    constexpr contract::Plan plan = [] {
        contract::Plan p{};
        const int arguments[] = {64, -2};
        p.add_instance("tiled", arguments, 8, 256, 232448, 2);
        p.map2d(0, contract::DType::F32, 512, 512, 2048, 32, 64, contract::Swizzle::B128);
        p.add("plain", 1024, 256);
        return p;
    }();
    static_assert(plan.launches == 2 && plan.maps == 1);
    const auto read = readPlan(recordOf(plan), m_pack.task, {512, 512, 512}, h200Facts());
    QVERIFY2(read, read ? "" : read.error().text.c_str());
    QCOMPARE(read->launches[0].entry, std::string("tiled<64,-2>"));
    QCOMPARE(GpuPlan::fromJson(read->json()), *read);
}

void TestCuda::plansAreReadFromARecordedCubin()
{
    const std::string bytes = fixture("two_plans.cubin");
    const auto cubin = Cubin::parse(bytes);
    QVERIFY(cubin);
    const CubinSymbol* table = cubin->symbol("recorded_plans");
    QVERIFY(table);
    QCOMPARE(table->bytes.size(), 2 * planRecordBytes());
    const auto large = readPlan(table->bytes.substr(0, planRecordBytes()), m_pack.task, {512, 512, 512}, h200Facts());
    QVERIFY2(large, large ? "" : large.error().text.c_str());
    QCOMPARE(large->launches.size(), 2u);
    QCOMPARE(large->launches[0].entry, std::string("tiled<64,-2>"));
    QCOMPARE(large->launches[0].grid[0], 8u);
    QCOMPARE(large->launches[0].cluster[0], 2u);
    QCOMPARE(large->launches[0].dynamicShared, 232448u);
    QCOMPARE(large->launches[0].user[3], 7);
    QVERIFY(large->launches[0].cooperative);
    QCOMPARE(large->workspaceBytes, 4096u);
    QCOMPARE(large->maps.size(), 1u);
    QCOMPARE(large->maps[0].swizzle, 3);
    const auto small = readPlan(table->bytes.substr(planRecordBytes()), m_pack.task, {8, 512, 512}, h200Facts());
    QVERIFY(small);
    QCOMPARE(small->launches.size(), 1u);
    QCOMPARE(small->launches[0].entry, std::string("plain"));
}

void TestCuda::kernelsTellWhatTheyNeed()
{
    const std::string bytes = fixture("two_kernels.cubin");
    const auto cubin = Cubin::parse(bytes);
    QVERIFY(cubin);
    QVERIFY(checkCubin(*cubin));
    const CubinKernel* plain = cubin->kernel("plain");
    QVERIFY(plain && cubin->kernel("_Z5tiledILi64ELin2EEv4Args"));
    QVERIFY(plain->registers > 0 && plain->registers <= 255);
    QCOMPARE(plain->parameters, 1);
    QCOMPARE(plain->parameterBytes, 1152);
    QCOMPARE(plain->staticShared, 1024 + 512); // what the driver keeps for itself counts in
}

void TestCuda::modulesThatCallOthersAreRefused()
{
    const std::string bytes = fixture("writable.cubin");
    const auto cubin = Cubin::parse(bytes);
    QVERIFY(cubin);
    QCOMPARE(cubin->variables().size(), 2u); // printf's text is one
    QCOMPARE(std::ranges::count(cubin->variables(), false, &CubinVariable::isInitialised), 1);
    QCOMPARE(codeOf(checkCubin(*cubin)), QStringLiteral("build/undefined-symbol"));
    const CubinSymbol* print = cubin->symbol("vprintf");
    QVERIFY(print && print->undefined);
}

void TestCuda::damagedCubinsAreRefusedWithoutACrash()
{
    const std::string whole = fixture("two_kernels.cubin");
    int parsed = 0;
    for (std::size_t length = 0; length < whole.size() / 2; length += 97)
        parsed += Cubin::parse(std::string_view(whole).substr(0, length)).has_value();
    QCOMPARE(parsed, 0); // the section table stands behind that
    CounterRandom random(1, 2, 3);
    for (int i = 0; i < 3000; ++i) {
        std::string damaged = whole;
        for (int k = 0; k < 8; ++k)
            damaged[random.below(damaged.size())] = static_cast<char>(random.next());
        if (const auto cubin = Cubin::parse(damaged))
            parsed += checkCubin(*cubin).has_value();
    }
    QVERIFY(parsed > 0);
}

void TestCuda::absurdPlansAreRefusedByTheirField_data()
{
    QTest::addColumn<QByteArray>("record");
    QTest::addColumn<QString>("code");
    const auto row = [](const char* name, const char* code, auto change) {
        contract::Plan plan = honestPlan();
        change(plan);
        const std::string bytes = recordOf(plan);
        QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()))
                            << QString::fromLatin1(code);
    };
    row("honest", "fine", [](contract::Plan&) {});
    row("no launch", "plan/launches", [](contract::Plan& p) { p.launches = 0; });
    row("a million launches", "plan/launches", [](contract::Plan& p) { p.launches = 1000000; });
    row("negative maps", "plan/maps", [](contract::Plan& p) { p.maps = -1; });
    row("a terabyte of workspace", "plan/workspace", [](contract::Plan& p) { p.workspace_bytes = 1ull << 40; });
    row("no name", "plan/name", [](contract::Plan& p) { p.launch[0].kernel[0] = 0; });
    row("a name without end", "plan/name", [](contract::Plan& p) { std::memset(p.launch[0].kernel, 'x', 96); });
    row("code for a name", "plan/name", [](contract::Plan& p) { std::strcpy(p.launch[0].kernel, "f);g("); });
    row("empty grid", "plan/grid", [](contract::Plan& p) { p.launch[0].grid[1] = 0; });
    row("endless grid", "plan/grid", [](contract::Plan& p) { p.launch[0].grid[0] = 0xffffffff; });
    row("too many threads", "plan/block", [](contract::Plan& p) { p.launch[0].block[0] = 2048; });
    row("threads that overflow", "plan/block", [](contract::Plan& p) {
        p.launch[0].block[0] = p.launch[0].block[1] = 1024;
        p.launch[0].block[2] = 64;
    });
    row("cluster beside its grid", "plan/cluster", [](contract::Plan& p) { p.launch[0].cluster[0] = 3; });
    row("cluster that overflows", "plan/cluster",
        [](contract::Plan& p) { p.launch[0].cluster[0] = p.launch[0].cluster[1] = 0x10000; });
    row("absurd shared memory", "plan/shared", [](contract::Plan& p) { p.launch[0].dynamic_smem = 1u << 30; });
    row("unknown flag", "plan/flags", [](contract::Plan& p) { p.launch[0].flags = 4; });
    row("a first launch that overlaps with what is not the plan's", "plan/flags",
        [](contract::Plan& p) { p.launch[0].flags = contract::PROGRAMMATIC; });
    row("the same with others behind it", "plan/flags", [](contract::Plan& p) {
        p.add("second", 16, 256);
        p.launch[0].flags = contract::PROGRAMMATIC | contract::COOPERATIVE;
    });
    row("a second launch that overlaps with the first", "fine",
        [](contract::Plan& p) { p.add("second", 16, 256).flags = contract::PROGRAMMATIC; });
    const auto map = [](contract::Plan& p) -> contract::TensorMapRequest& {
        p.map2d(0, contract::DType::F32, 128, 64, 512, 32, 32);
        return p.map[0];
    };
    row("honest map", "fine", [&](contract::Plan& p) { map(p); });
    row("map of no buffer", "plan/tensor-map", [&](contract::Plan& p) { map(p).buffer = 9; });
    row("map behind its buffer", "plan/tensor-map", [&](contract::Plan& p) { map(p).dim[1] = 65; });
    row("map far behind its buffer", "plan/tensor-map", [&](contract::Plan& p) { map(p).stride[0] = 1ull << 39; });
    row("map that overflows", "plan/tensor-map", [&](contract::Plan& p) { map(p).offset = ~0ull - 15; });
    row("map of rank 6", "plan/tensor-map", [&](contract::Plan& p) { map(p).rank = 6; });
    row("map of an unknown type", "plan/tensor-map",
        [&](contract::Plan& p) { map(p).dtype = static_cast<contract::DType>(77); });
}

void TestCuda::clustersThatDoNotFitAreToldInFigures()
{
    const auto why = [&](std::uint32_t cluster, int major) {
        contract::Plan plan{};
        plan.add("gemm", 12, 128).cluster[0] = cluster;
        CudaFacts facts = h200Facts();
        facts.major = major;
        const std::string record(reinterpret_cast<const char*>(&plan), sizeof plan);
        const auto read = readPlan(record, m_pack.task, {64, 64, 128}, facts);
        return read ? std::string("fine") : read.error().text;
    };
    QCOMPARE(why(4, 9), std::string("fine"));
    for (const auto& [cluster, major, text] :
        {std::tuple{64u, 9, "'gemm' has clusters of 64×1×1 blocks: a cluster has 1 to 16"},
            std::tuple{8u, 9, "'gemm' has clusters of 8×1×1 blocks, which do not divide its grid of 12×1×1"},
            std::tuple{4u, 8, "'gemm' has clusters of 4×1×1 blocks: this GPU has none"}})
        QVERIFY2(why(cluster, major).find(text) != std::string::npos, why(cluster, major).c_str());
}

void TestCuda::absurdPlansAreRefusedByTheirField()
{
    QFETCH(QByteArray, record);
    const auto read = readPlan(record.toStdString(), m_pack.task, {64, 64, 128}, h200Facts());
    QTEST(codeOf(read), "code");
}

void TestCuda::randomRecordsNeverLeadToALaunchThatIsNotPossible()
{
    CounterRandom random(7, 7, 7);
    const std::string honest = recordOf(honestPlan());
    int read = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string record = honest;
        for (int k = 0; k < 3; ++k)
            record[random.below(i % 2 ? 64 : record.size())] = static_cast<char>(random.next());
        const auto plan = readPlan(record, m_pack.task, {64, 64, 128}, h200Facts());
        if (!plan)
            continue;
        ++read;
        for (const GpuLaunch& launch : plan->launches) {
            QVERIFY(launch.block[0] * launch.block[1] * launch.block[2] <= 1024);
            QVERIFY(launch.dynamicShared <= 232448u);
        }
        for (const GpuTensorMap& map : plan->maps)
            QVERIFY(map.buffer <= 3 && map.rank <= 5 && map.dtype <= 8);
    }
    QVERIFY(read > 100);
}

void TestCuda::onlyListedHeadersMayBeIncluded_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<bool>("allowed");
    QTest::newRow("none") << "int x;" << true;
    QTest::newRow("listed") << "#include <cuda_fp16.h>\n" << true;
    QTest::newRow("contract") << "  #  include \"tilewright/plan.h\"\n" << true;
    QTest::newRow("words in a comment") << "// #include </etc/passwd>\n/*\n#include <x>\n*/" << true;
    QTest::newRow("words in a literal") << "const char* s = \"#include <x>\";" << true;
    QTest::newRow("digit separators") << "int a = 1'000, b = 2'0;\n#include <mma.h>\n" << true;
    QTest::newRow("absolute") << "#include \"/etc/passwd\"\n" << false;
    QTest::newRow("system") << "#include <stdio.h>\n" << false;
    QTest::newRow("upwards") << "#include \"../cuda_fp16.h\"\n" << false;
    QTest::newRow("by a macro") << "#define H <stdio.h>\n#include H\n" << false;
    QTest::newRow("joined lines") << "#inc\\\nlude </etc/passwd>\n" << false;
    QTest::newRow("after a comment") << "/**/ # /**/ include /**/ </etc/passwd>\n" << false;
    QTest::newRow("digraph") << "%:include </etc/passwd>\n" << false;
    QTest::newRow("asked for") << "#if __has_include(</etc/shadow>)\n#endif\n" << false;
    QTest::newRow("behind a literal that opens a comment") << "const char* s = \"/*\";\n#include </etc/passwd>\n//*/\n"
                                                           << false;
    QTest::newRow("behind a character that opens a literal") << "char c = '\"';\n#include </etc/passwd>\n//\"\n"
                                                             << false;
    QTest::newRow("behind a raw literal") << "auto s = R\"(\")\";\n#include </etc/passwd>\n//\"\n" << false;
    QTest::newRow("behind an apostrophe that is left open") << "#if 0\ndon't\n#endif\n#include </etc/passwd>\n"
                                                            << false;
}

void TestCuda::onlyListedHeadersMayBeIncluded()
{
    QFETCH(QString, source);
    QFETCH(bool, allowed);
    const std::string found = forbiddenInclude(source.toStdString());
    QVERIFY2(found.empty() == allowed, found.c_str());
}

void TestCuda::headersThatAMachineLacksAreNamed()
{
    QCOMPARE(missingHeader("cooperative_groups/details/info.h(167): catastrophic error: could not open source file "
                           "\"cuda/std/type_traits\" (no directories in search list)\n"),
        std::string("cuda/std/type_traits"));
    QVERIFY(missingHeader("candidate.cu(3): error: identifier \"x\" is undefined\n").empty());
    // CUDA 13 keeps libcu++ apart, CUDA 12 did not.
    for (const char* place : {"cccl/", ""}) {
        const QTemporaryDir folder;
        const fs::path include = folder.path().toStdString();
        const auto write = [&](const std::string& name, const char* text) {
            fs::create_directories((include / name).parent_path());
            std::ofstream(include / name) << text;
        };
        write("cooperative_groups.h", "#include \"cooperative_groups/info.h\"\n");
        write("cooperative_groups/info.h", "#include <nv/target>\n");
        write(std::string(place) + "nv/target", "#include \"detail/preprocessor\"\n");
        write(std::string(place) + "nv/detail/preprocessor", "\n");
        const auto headers = readHeaders(include);
        for (const char* name : {"cooperative_groups.h", "cooperative_groups/info.h", "nv/target",
                 "nv/detail/preprocessor", "detail/preprocessor"})
            QVERIFY2(headers.contains(name), name);
    }
}

void TestCuda::timersAndPinnedLinesAreSeenInPtx()
{
    QVERIFY(
        forbiddenInstruction(".visible .entry evict_last_tile(\n)\n{\nld.global.f32 %f1, [%rd1];\nret;\n}").empty());
    QVERIFY(!forbiddenInstruction("mov.u64 %rd1, %globaltimer;").empty());
    QVERIFY(!forbiddenInstruction("@%p1 ld.global.L1::evict_last.f32 %f1, [%rd1];").empty());
    QVERIFY(!forbiddenInstruction("{ createpolicy.fractional.L2::evict_last.b64 %rd2, 1.0; }").empty());
    QVERIFY(!forbiddenInstruction("\tprefetch.global.L2::evict_last [%rd1];").empty());
    QVERIFY(!forbiddenInstruction("{ .reg .u64 t; mov.u64 t, %globaltimer; }").empty());
    QVERIFY(!forbiddenInstruction("again: @%p1\n createpolicy.fractional.L2::evict_first.b64 t, 1.0;").empty());
    QVERIFY(!forbiddenInstruction("@%p1 discard.global.L2 [%rd1], 128;").empty());
    QVERIFY(!forbiddenInstruction("applypriority.global.L2::evict_normal [%rd1], 128;").empty());
    QVERIFY(!forbiddenInstruction("ld.global.L2::cache_hint.f32 %f1, [%rd1], %rd2;").empty());
    QVERIFY(!forbiddenInstruction("@%p2 nanosleep.u32 %r1;").empty());
    QVERIFY(forbiddenInstruction("// nanosleep.u32 20;\n.visible .entry nanosleep(\n)\n{\nret;\n}").empty());
    QVERIFY(forbiddenInstruction("// %globaltimer\n.file 1 \"%globaltimer\"\nmov.u32 %discard, 1;ret;").empty());
}

void TestCuda::timersAndPinnedLinesAreSeenHoweverTheyAreSpelled_data()
{
    QTest::addColumn<QString>("ptx");
    for (const char* ptx : {"@ q nanosleep.u32 20;", "@! q nanosleep.u32 20;", "@ ! q nanosleep.u32 20;",
             "@q/**/nanosleep.u32 20;", "L1 : nanosleep.u32 20;", "nanosleep .u32 20;", ".loc 1 43 5nanosleep.u32 20;",
             ".loc 1 43 5\nnanosleep.u32 20;", "/* /* */ nanosleep.u32 20; // */", "// \\\nnanosleep.u32 20;",
             "prefetch .global.L2::evict_last [%rd1];", "@ q prefetch.global.L2::evict_last [%rd1];",
             "ld.global.L2 :: cache_hint.f32 %f1, [%rd1], %rd2;", "mov.u64 t, %globaltimer/**/;",
             "mov.u32 t, %globaltimer_lo;", ".pragma \"\\\"; nanosleep.u32 20; //\";", ".pragma \"//\"; ret;"})
        QTest::newRow(ptx) << QString::fromLatin1(ptx);
}

void TestCuda::timersAndPinnedLinesAreSeenHoweverTheyAreSpelled()
{
    QFETCH(QString, ptx);
    QVERIFY(!forbiddenInstruction(".visible .entry k()\n{\n.reg .pred q;\n" + ptx.toStdString() + "\nret;\n}").empty());
}

void TestCuda::variablesOfAModuleAreSeenInPtx()
{
    const std::vector<CubinVariable> variables{{"BM", true}, {"NONE", false}, {"table", true}, {"pointer", true},
        {"behind", true}, {"counter", true}, {"zero", false}, {"$__calls__43", false}, {"$__idle__44", false},
        {"glued", false}, {"nobody", false}};
    const auto found = moduleVariables(".global .align 4 .u32 BM = 64;\n.global .align 4 .u32 NONE;\n"
                                       ".visible .global .align 4 .b8 table[16] = {1};\n"
                                       ".global .align 8 .u64 pointer = generic(behind);\n.global .u32 behind = 1;\n"
                                       ".global .align 4 .u32 counter = 1;\n.global .u32 zero;\n.visible .entry k()\n"
                                       "{\n"
                                       "mov.u64 %rd1, table;\n.reg .u32 t; L : @ p atom.global.add.u32 t, [counter], 1;"
                                       "\nld.global.u32 %r2, [zero];\n// BM NONE\n"
                                       ".global/**/.u32 calls; mov.u64 t, calls; .global.align 4 .b32 idle[64];\n"
                                       ".global .u32 .align 4glued; st.global.u32 [glued], 1;ret;\n}\n",
        variables);
    QCOMPARE(found.used, (std::vector<std::string>{"table", "behind"}));
    QCOMPARE(found.written, (std::vector<std::string>{"counter", "zero", "$__calls__43", "glued", "nobody"}));
}

void TestCuda::gatesJudgeWhatAWorkerFound()
{
    VerifyReply right;
    right.differenceSquares = 1e-14;
    right.referenceSquares = 1;
    right.worstExcess = 0.5;
    right.worstIndex = 0;
    const ProductShape shape{64, 64, 128};
    const auto judged = [&](auto change, InputKind kind = InputKind::Normal) {
        VerifyReply found = right;
        change(found);
        return codeOf(checkVerified(found, m_pack.task, shape, kind));
    };
    QCOMPARE(judged([](VerifyReply&) {}), QStringLiteral("fine"));
    const auto measured = checkVerified(right, m_pack.task, shape, InputKind::Normal);
    QCOMPARE(measured->all(),
        (std::vector<MeasuredCheck>{{"norm", 1e-7, m_pack.task.numeric.tau}, {"elementwise", 0.5, 1}}));
    QVERIFY(checkVerified(right, m_pack.task, shape, InputKind::Integer)->all().empty()); // exact: no magnitude
    QCOMPARE(judged([](VerifyReply& r) { r.unwritten = 1; }), QStringLiteral("verify/poison"));
    QCOMPARE(judged([](VerifyReply& r) { r.notFinite = 1; }), QStringLiteral("verify/nan"));
    QCOMPARE(judged([](VerifyReply& r) { r.differenceSquares = 1e-8; }), QStringLiteral("verify/norm"));
    QCOMPARE(judged([](VerifyReply& r) { r.differenceSquares = std::nan(""); }), QStringLiteral("verify/norm"));
    QCOMPARE(judged([](VerifyReply& r) { r.worstExcess = 1.5; }), QStringLiteral("verify/elementwise"));
    QCOMPARE(judged([](VerifyReply& r) { r.worstExcess = std::nan(""); }), QStringLiteral("verify/elementwise"));
    QCOMPARE(judged([](VerifyReply& r) { r.differing = 1; }), QStringLiteral("verify/determinism"));
    QCOMPARE(judged([](VerifyReply& r) { r.inputsChanged = 1; }), QStringLiteral("verify/input-write"));
    QCOMPARE(judged([](VerifyReply& r) { r.zonesChanged = 1; }), QStringLiteral("verify/out-of-bounds-write"));
    QCOMPARE(judged([](VerifyReply& r) { r.inexact = 1; }, InputKind::Integer), QStringLiteral("verify/exact"));
}

void TestCuda::theTimedCheckJudgesWhatAWorkerFound()
{
    const ProductShape shape{4096, 2048, 512};
    const double u = 0.15 * 0x1.0p-23 * std::sqrt(512.0);
    BlockSample right{"candidate", 1000, 3 * u, u * u, 1, 0, -1, 0, 0, 0, {}};
    const auto measured = checkTimed(right, m_pack.task, shape);
    QCOMPARE(measured->all().size(), std::size_t(1));
    QCOMPARE(measured->all().front().check, std::string("timed-launches"));
    QVERIFY(measured->all().front().measured > 0.5); // of the mean; the worst row takes 3/8
    QVERIFY(measured->all().front().measured < 1);
    BlockSample worst = right, often = right, nan = right, input = right;
    worst.worst = 9 * u;
    often.differences = 4 * u * u;
    nan.worst = std::nan("");
    input.inputsChanged = 1;
    QCOMPARE(codeOf(checkTimed(worst, m_pack.task, shape)), QStringLiteral("verify/timed"));
    QCOMPARE(codeOf(checkTimed(often, m_pack.task, shape)), QStringLiteral("verify/timed"));
    QCOMPARE(codeOf(checkTimed(nan, m_pack.task, shape)), QStringLiteral("verify/timed"));
    QCOMPARE(codeOf(checkTimed(input, m_pack.task, shape)), QStringLiteral("verify/input-write"));
}

void TestCuda::theVersionOfTheVendorLibraryIsReadAsItsReleasesAreNamed()
{
    QCOMPARE(cublasLtVersion(130100), std::string("13.1.0"));
    QCOMPARE(cublasLtVersion(120304), std::string("12.3.4"));
    QCOMPARE(cublasLtVersion(12103), std::string("11.11.3"));
    QCOMPARE(cublasLtVersion(10200), std::string("10.2.0"));
}

void TestCuda::aCoarseOutputIsJudgedByItsOwnRoundingAndByWholeRows()
{
    const TaskPack pack = *loadTaskPack(root / "kernels/gemm-bf16");
    const ProductShape shape{4096, 2048, 512};
    const double u = 0.42 * 0x1.0p-8;
    BlockSample right{"candidate", 1000, 3 * u, u * u, 1, 0.9, -1, 0, 0, 0, {}};
    QVERIFY(checkTimed(right, pack.task, shape));
    QCOMPARE(codeOf(checkTimed(right, m_pack.task, shape)), QStringLiteral("verify/timed")); // far too coarse for fp32
    right.rowsExcess = 1.1;
    QCOMPARE(codeOf(checkTimed(right, pack.task, shape)), QStringLiteral("verify/timed"));
    QCOMPARE(codeOf(checkIsProduct(pack.task)), QStringLiteral("fine"));
    QCOMPARE(codeOf(calibrateGates(pack.task)), QStringLiteral("fine"));
    Task loose = pack.task;
    loose.numeric.tau = 0.05;
    loose.numeric.error = ErrorMeasure::Normwise;
    QCOMPARE(codeOf(calibrateGates(loose)), QStringLiteral("task/loose")); // fp8 inputs would pass
}

void TestCuda::devicesAreFoundByTheirNames()
{
    HelloReply hello;
    for (const char* id : {"cpu0", "GPU-a", "GPU-b"})
        hello.devices.push_back({id, "", "", "", nullptr});
    QCOMPARE(deviceNamed(hello, "cpu")->id, std::string("cpu0"));
    QCOMPARE(deviceNamed(hello, "cuda:1")->id, std::string("GPU-b"));
    QCOMPARE(deviceNamed(hello, "GPU-a")->id, std::string("GPU-a"));
    HelloReply none; // it is told why there is none, also over the wire
    none.whyNoGpu = "CUDA_VISIBLE_DEVICES='' hides every GPU of this machine";
    none.noGpuHint = "unset it";
    none = std::get<HelloReply>(*replyFromJson(toJson(none)));
    const Error hidden = noSuchDevice(none, "cuda:0");
    QVERIFY2(hidden.text.ends_with("it has none: CUDA_VISIBLE_DEVICES='' hides every GPU of this machine"),
        hidden.text.c_str());
    QCOMPARE(hidden.hint, std::string("unset it"));
    // What stands for a device that nobody named, or for all of them, is not told as a device's name.
    for (const char* any : {"cuda:0", "cuda:all", "GPU-a"})
        QVERIFY2(noSuchDevice(none, any).text.starts_with(
                     "an NVIDIA GPU is needed, but none is usable on this machine; it has "),
            noSuchDevice(none, any).text.c_str());
    QVERIFY(noSuchDevice(hello, "cuda:7").text.starts_with("this machine has no device 'cuda:7'; it has cpu ("));
    QVERIFY(!noSuchDevice(none, "cpu").text.ends_with("machine"));
    QVERIFY(!deviceNamed(hello, "cuda:2"));
    QCOMPARE(devicesNamed(hello, "cuda:all").value().size(), std::size_t(2));
    QCOMPARE(devicesNamed(hello, "cuda:1,GPU-a").value().back()->id, std::string("GPU-a"));
    QCOMPARE(devicesNamed(hello, "cuda:0,GPU-a").value().size(), std::size_t(1)); // the same one
    QCOMPARE(codeOf(devicesNamed(hello, "cuda:0,cuda:2")), QStringLiteral("device/missing"));
    for (const char* list : {"cpu", "cuda:0", "cuda:all", "cuda:0,cuda:1", "GPU-a,cuda:3"})
        QVERIFY2(checkDeviceList(list), list);
    const auto said
        = [](const char* list) { return checkDeviceList(list) ? "fine" : checkDeviceList(list).error().text; };
    for (const char* nonsense : {"", ",", "cuda:0,", "cuda:x", "cuda:", "cuda:-1", "gpu"}) {
        QVERIFY2(said(nonsense).ends_with("' is not a device name"), nonsense);
        QCOMPARE(codeOf(checkDeviceList(nonsense)), QStringLiteral("usage"));
        QCOMPARE(checkDeviceList(nonsense).error().hint,
            std::string("use cpu, cuda:0, cuda:1, … or a GPU's UUID; several GPUs are cuda:0,cuda:1 or cuda:all"));
        QCOMPARE(checkDeviceName(nonsense).error().hint,
            std::string("use cpu, cuda:0, cuda:1, … or a GPU's UUID")); // where one is measured on
    }
    QCOMPARE(said("cuda:0,cuda:0"), std::string("'cuda:0,cuda:0' names cuda:0 twice"));
    QCOMPARE(said("cpu,cpu"), std::string("'cpu,cpu' names cpu twice"));
    QCOMPARE(said("cpu,cuda:0"), std::string("'cpu,cuda:0' names the CPU together with other devices"));
    QCOMPARE(said("cuda:0,cuda:all"), std::string("'cuda:0,cuda:all' names other devices in addition to all GPUs"));
    QVERIFY(isDeviceName("cuda:0") && !isDeviceName("cuda:") && !isDeviceName("cuda:x") && !isDeviceName("gpu"));
}

void TestCuda::programsAreBuiltToTheirRules_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("rule");
    const QString kernel = QStringLiteral("extern \"C\" __global__ void k(const __grid_constant__ Args a) { %1 }\n");
    const QString plan = QStringLiteral(
        "TW_FN Plan tilewright_plan(Dims d, Device v) { Plan p{}; %1 p.add(\"k\", 1, 32); return p; }\n");
    const QString honest = kernel.arg(QStringLiteral("a.C[0] = a.A[0];")), works = plan.arg(QString());
    const auto row = [](const char* name, const char* rule, const QString& source) {
        QTest::newRow(name) << source << QString::fromLatin1(rule);
    };
    row("the seed", "", q(m_pack.seed()));
    row("an honest one", "", honest + works);
    row("constants and tables", "",
        QStringLiteral("constexpr int N = 3; __device__ const float table[4] = {1, 2, 3, 4};\n")
            + kernel.arg(QStringLiteral("a.C[0] = table[threadIdx.x & N];")) + works);
    row("constants that are zero", "",
        QStringLiteral("constexpr int NONE = 0;\n") + kernel.arg(QStringLiteral("a.C[NONE] = a.A[NONE];")) + works);
    row("headers it may include, after a comment", "",
        QStringLiteral("// one\n// two\n#include <cuda_fp16.h>\n") + honest + works);
    row("headers it may include", "", QStringLiteral("#include <cuda_bf16.h>\n#include <mma.h>\n") + honest + works);
    row("cooperative groups", "",
        QStringLiteral("#include <cooperative_groups.h>\n")
            + kernel.arg(QStringLiteral("auto tile = cooperative_groups::tiled_partition<32>("
                                        "cooperative_groups::this_thread_block()); a.C[0] = tile.shfl(a.A[0], 1);"))
            + works);
    row("an error", "build/error", honest.left(40) + works);
    row("no plan", "build/no-entry", honest);
    row("a plan without end", "build/plan", honest + plan.arg(QStringLiteral("for (;;) ++d.M;")));
    row("a plan that writes behind its arrays", "build/plan",
        honest + plan.arg(QStringLiteral("for (int i = 0; i < 9; ++i) p.launch[i].user[0] = 1;")));
    row("a plan that remembers", "build/plan",
        QStringLiteral("__device__ int calls;\n") + honest + plan.arg(QStringLiteral("d.M += calls;")));
    row("a cooperative launch of more blocks than fit at once", "plan/grid",
        honest + plan.arg(QStringLiteral("p.add(\"k\", 32768, 32).flags = COOPERATIVE;")));
    row("a cooperative launch that fits", "",
        honest + plan.arg(QStringLiteral("p.add(\"k\", v.sms, 32).flags = COOPERATIVE;")));
    row("an absurd plan", "plan/workspace", honest + plan.arg(QStringLiteral("p.workspace_bytes = ~0ull;")));
    row("a plan hidden by a comment", "build/error", honest + works + QStringLiteral("/*"));
    row("no such kernel", "build/no-kernel",
        kernel.arg(QString()).replace(QStringLiteral(" k("), QStringLiteral(" other(")) + works);
    row("other arguments", "build/arguments",
        QStringLiteral("struct Large { char c[4000]; };\nextern \"C\" __global__ void k(Large l) { }\n") + works);
    row("a writable variable", "build/writable-data",
        QStringLiteral("__device__ int calls;\n") + kernel.arg(QStringLiteral("a.C[0] = calls++;")) + works);
    row("an initialised one that is written", "build/writable-data",
        QStringLiteral("__device__ int calls = 1;\n") + kernel.arg(QStringLiteral("a.C[0] = calls++;")) + works);
    row("one whose address is taken: it is loaded anew before each launch", "",
        QStringLiteral("__device__ int calls = 1;\n") + kernel.arg(QStringLiteral("a.C[0] = atomicAdd(&calls, 1);"))
            + works);
    const QString assembly = QStringLiteral("asm volatile(\"%1 { .reg .u64 t; .reg .u32 n; mov.u64 t, calls; "
                                            "ld.global.u32 n, [t]; st.global.u32 [t], n; }\");");
    for (const char* declared : {".global.u32 calls;", ".global/**/.u32 calls;", ".global.align 4 .b32 calls[64];"})
        row(declared, "build/writable-data", kernel.arg(assembly.arg(QString::fromLatin1(declared))) + works);
    row("constants that are only named in the program", "",
        QStringLiteral("constexpr int BM = 64, PAD = 0; __device__ float zeros[4];\n") + kernel.arg(QString()) + works);
    row("malloc", "build/undefined-symbol", kernel.arg(QStringLiteral("a.C[0] = *(float*)malloc(4);")) + works);
    row("printf", "build/undefined-symbol", kernel.arg(QStringLiteral("printf(\"x\");")) + works);
    row("the global timer", "build/instruction",
        kernel.arg(QStringLiteral(
            "unsigned long long t; asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(t)); a.C[0] = t;"))
            + works);
    row("a system's file", "build/include", QStringLiteral("#include </etc/passwd>\n") + honest + works);
}

void TestCuda::programsAreBuiltToTheirRules()
{
    if (!builder()->isAvailable())
        QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
    QFETCH(QString, source);
    QFETCH(QString, rule);
    if (source.contains(QStringLiteral("#include <c")) && CudaToolkit::find()->include.empty())
        QSKIP("this toolkit has no headers");
    const BuildOutcome built = builder()->buildCandidate(m_pack.task, source.toStdString(), h200Facts());
    QVERIFY2(q(built.rule) == rule, (built.rule + ": " + built.text + "\n" + built.log).c_str());
    QCOMPARE(built.ok, rule.isEmpty());
    if (built.ok)
        QVERIFY(built.resources.at("registers").get<int>() > 0);
}

void TestCuda::aBuiltProgramHasAPlanForEveryShape()
{
    if (!builder()->isAvailable())
        QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
    const BuildOutcome built = builder()->buildCandidate(m_pack.task, m_pack.seed(), h200Facts());
    QVERIFY2(built.ok, built.text.c_str());
    const auto artifact = builder()->artifact(built.artifact);
    QVERIFY(artifact);
    QVERIFY2(builder()->artifact(built.artifact).value() == *artifact, "it is read and held against its hash once");
    for (const auto* list : {&m_pack.task.train, &m_pack.task.heldout, &m_pack.task.verify})
        for (const Shape& shape : *list)
            QVERIFY2((*artifact)->planFor(shape), shapeText(shape).c_str());
    int unannounced = 0;
    for (const auto& plan : (*artifact)->plans)
        unannounced += plan.unannounced;
    QCOMPARE(unannounced, 3);
    QVERIFY(Cubin::parse((*artifact)->cubin));
    const BuildOutcome again = builder()->buildCandidate(m_pack.task, m_pack.seed(), h200Facts());
    QVERIFY(again.cached);
    QCOMPARE(again.artifact, built.artifact);
}

/// The seed, with a tile of its own where `condition` holds.
static std::string seedWithAnotherTileWhere(const TaskPack& pack, const std::string& condition)
{
    std::string text = pack.seed();
    const std::string plain
        = "TW_FN Launch& add_product(Plan& plan, Dims d, Device device) { return Large::add(plan, d); }";
    text.replace(text.find(plain), plain.size(),
        "using Other = Product<TX / 2, TY * 2, TM, TN, BK>;\n"
        "TW_FN Launch& add_product(Plan& plan, Dims d, Device device)\n"
        "{ return ("
            + condition + ") ? Other::add(plan, d) : Large::add(plan, d); }");
    return text;
}

void TestCuda::plansForOtherSizesKeepTheCodeUnlessTheyNeedMore()
{
    if (!builder()->isAvailable())
        QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
    const BuildOutcome built
        = builder()->buildCandidate(m_pack.task, seedWithAnotherTileWhere(m_pack, "d.M == 7777"), h200Facts());
    QVERIFY2(built.ok, built.text.c_str());
    const auto artifact = builder()->artifact(built.artifact);
    QVERIFY(artifact);
    const auto same = builder()->planned(m_pack.task, built.artifact, {{40, 41, 42}, {9000, 3, 5}}, h200Facts(), never);
    QVERIFY2(same, same ? "" : same.error().text.c_str());
    QCOMPARE(same->plans.size(), std::size_t(2));
    QVERIFY(same->cubinHash == (*artifact)->cubinHash && same->cubin == (*artifact)->cubin);
    QVERIFY(Cubin::parse(same->cubin)->kernel(same->planFor({9000, 3, 5})->launches.front().entry));
    QCOMPARE(same->planFor({9000, 3, 5})->launches.front().grid[1], (9000u + 7) / 8);
    const auto more = builder()->planned(m_pack.task, built.artifact, {{40, 41, 42}, {7777, 3, 5}}, h200Facts(), never);
    QVERIFY2(more, more ? "" : more.error().text.c_str());
    QVERIFY(more->cubinHash != (*artifact)->cubinHash);
    const std::string other = more->planFor({7777, 3, 5})->launches.front().entry;
    QVERIFY(other != more->planFor({40, 41, 42})->launches.front().entry);
    QVERIFY(Cubin::parse(more->cubin)->kernel(other) && !Cubin::parse((*artifact)->cubin)->kernel(other));
    const auto unknown = builder()->planned(m_pack.task, sha256("nothing"), {{1, 1, 1}}, h200Facts(), never);
    QCOMPARE(q(unknown ? "" : unknown.error().code), QStringLiteral("build/no-artifact"));
    const BuildOutcome refuses = builder()->buildCandidate(
        m_pack.task, seedWithAnotherTileWhere(m_pack, "d.M == 7777 && (plan.launches = 99)"), h200Facts());
    QVERIFY2(refuses.ok, refuses.text.c_str());
    const auto absurd = builder()->planned(m_pack.task, refuses.artifact, {{7777, 3, 5}}, h200Facts(), never);
    QVERIFY2(!absurd, "a plan that is not possible on a size that the task does not list");
    QVERIFY2(absurd.error().code.starts_with("plan/") || absurd.error().code.starts_with("build/"),
        absurd.error().code.c_str());
}

void TestCuda::aSweepOfABuiltProgramIsPlannedAndRequested()
{
    if (!builder()->isAvailable())
        QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
    const Task& task = m_pack.task;
    const BuildOutcome built = builder()->buildCandidate(task, m_pack.seed(), h200Facts());
    QVERIFY2(built.ok, built.text.c_str());
    ShapeSweep sweep(task, 5, gpuSweepCaps(task), sizeConstants(builder()->sourceOf(built.artifact)));
    std::vector<Shape> shapes = sweep.residues();
    for (const auto& more : {sweep.suggested(512), sweep.pairs(512)})
        shapes.insert(shapes.end(), more.begin(), more.end());
    std::ranges::sort(shapes);
    shapes.erase(std::unique(shapes.begin(), shapes.end()), shapes.end());
    const auto planned = builder()->planned(task, built.artifact, shapes, h200Facts(), never);
    QVERIFY2(planned, planned ? "" : planned.error().text.c_str());
    const auto checks = sweepChecksOf(task, *planned, shapes, "secret");
    QVERIFY2(checks, checks ? "" : checks.error().text.c_str());
    QCOMPARE(checks->launches.size(), shapes.size());
    std::size_t requests = 0;
    for (const GpuProcess::Verification& verification : checks->verifications)
        requests += verification.requests.size();
    QCOMPARE(requests, shapes.size());
    QVERIFY(checks->verifications.size() * 16 < shapes.size()); // many in one go
    for (const CheckedLaunch& launch : checks->launches)
        QVERIFY(launch.kind == InputKind::Integer);
    // What the worker has room for holds each of them.
    GpuProcessSetup memory;
    memory.formats = gpuFormatsOf(task);
    setBuffers(memory, task);
    for (const Shape& shape : shapes)
        for (std::size_t i = 0; i < task.tensors.size(); ++i)
            QVERIFY(std::uint64_t(task.elementsOf(task.tensors[i], shape)) * bytesOf(task.tensors[i].dtype)
                <= memory.bufferBytes[i]);
}

void TestCuda::theOwnKernelsAndTheReferenceBuild()
{
    if (!builder()->isAvailable())
        QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
    const std::string reference = cudaReferenceHeader(m_pack.task, "reference.cu") + m_pack.files.at("reference.cu");
    const auto built = builder()->buildTrusted(reference, "reference.cu", h200Facts());
    QVERIFY2(built, built ? "" : built.error().text.c_str());
    QVERIFY(Cubin::parse(*built)->kernel("tilewright_reference"));
    const auto kernels = builder()->buildTrusted(gpuKernels({}) + gpuCanaryText, "kernels.cu", h200Facts());
    QVERIFY2(kernels, kernels ? "" : kernels.error().text.c_str());
    QVERIFY(Cubin::parse(*kernels)->kernel("tw_canary") && Cubin::parse(*kernels)->kernel("tw_before"));
}

void TestCuda::aToolkitThatDoesNotKnowTheGpuIsNamed()
{
    if (!builder()->isAvailable())
        QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
    CudaFacts future = h200Facts();
    future.major = 99;
    const BuildOutcome built = builder()->buildCandidate(m_pack.task, m_pack.seed(), future);
    QCOMPARE(q(built.rule), QStringLiteral("device/toolkit"));
    QVERIFY2(built.text.starts_with("NVRTC "), built.text.c_str());
    QVERIFY2(built.text.find("does not support compute capability 99.0") != std::string::npos, built.text.c_str());
    QVERIFY2(built.hint.find("newer CUDA toolkit") != std::string::npos, built.hint.c_str());
    // One that it knows no more wants the opposite.
    future.major = 1;
    const BuildOutcome past = builder()->buildCandidate(m_pack.task, m_pack.seed(), future);
    QCOMPARE(q(past.rule), QStringLiteral("device/toolkit-too-new"));
    QVERIFY2(past.hint.find("install CUDA toolkit 12") != std::string::npos, past.hint.c_str());
    // Whoever is advised to set CUDA_HOME is told that it is set, and to what is no toolkit.
    const QByteArray home = qgetenv("CUDA_HOME");
    qputenv("CUDA_HOME", "/nonexistent");
    CudaBuilder astray(*m_sandbox, cudaWorker, fs::path(m_folder.path().toStdString()) / "cache", {}, "secret");
    home.isEmpty() ? qunsetenv("CUDA_HOME") : qputenv("CUDA_HOME", home);
    if (astray.isAvailable()) {
        const BuildOutcome lost = astray.buildCandidate(m_pack.task, m_pack.seed(), future);
        QVERIFY2(lost.hint.find("CUDA_HOME is set to /nonexistent, where there is no NVRTC") != std::string::npos,
            lost.hint.c_str());
    }
}

void TestCuda::withoutStaticRulesAttacksAreBuiltAsTheyAre_data()
{
    QTest::addColumn<QString>("rule"); // of the build
    // What else the sandbox of the compiler has to say.
    QTest::newRow("includes_passwd.cu") << QStringLiteral("build/error");
    QTest::newRow("includes_by_macro.cu") << QStringLiteral("build/no-headers");
    for (const char* file : {"counts_its_calls.cu", "counts_in_an_initialised_variable.cu", "pins_lines_in_l2.cu",
             "discards_lines.cu", "changes_the_priority_of_lines.cu", "makes_a_policy_for_l2.cu",
             "fails_an_assertion.cu", "waits_by_the_global_timer.cu", "allocates.cu", "prints.cu"})
        QTest::newRow(file) << QString(); // what they do is for the GPU worker and the gates to meet
}

void TestCuda::withoutStaticRulesAttacksAreBuiltAsTheyAre()
{
    if (!builder()->isAvailable())
        QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
    const std::string source = *readFile(root / "tests/attacks/cuda" / QTest::currentDataTag());
    const BuildOutcome usual = builder()->buildCandidate(m_pack.task, source, h200Facts());
    QVERIFY(!usual.ok);
    CudaBuilder lenient(*m_sandbox, cudaWorker, fs::path(m_folder.path().toStdString()) / "cache", std::vector<int>{},
        "secret", StaticRules::Off); // one cache: what one of both has built is not the other's answer
    const BuildOutcome built = lenient.buildCandidate(m_pack.task, source, h200Facts());
    QTEST(q(built.rule), "rule");
    QVERIFY(built.log.find("root:x:0") == std::string::npos);
    QCOMPARE(q(builder()->buildCandidate(m_pack.task, source, h200Facts()).rule), q(usual.rule));
}

TILEWRIGHT_TEST(TestCuda)
#include "test_cuda.moc"
