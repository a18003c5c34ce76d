// SPDX-License-Identifier: GPL-3.0-or-later
// Listings: what tools print, by recorded transcripts; and real ones, of a CPU program by objdump, of a GPU program by
// NVRTC where it is, held against what was measured.
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/device/cpu.h"
#include "core/node/disassembler.h"
#include "core/node/listing_maker.h"
#include "core/node/listing_text.h"
#include "core/node/loop_digest.h"
#include "core/node/sass_digest.h"
#include "tests/node/node_files.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <map>

using namespace tilewright;
using namespace tilewright::test;
namespace fs = std::filesystem;

namespace {

const fs::path bin = TILEWRIGHT_BIN_DIR;

std::string fixture(const char* name) { return *readFile(root / "tests/node/fixtures" / name); }
std::map<std::string, std::int64_t> countsOf(std::string_view text, ListingForm form)
{
    const auto list = countInstructions(text, form);
    return {list.begin(), list.end()};
}

std::string firstLine(const Listing& listing) { return listing.text.substr(0, listing.text.find('\n')); }

/// A machine's worth of builders, with a cache of its own.
struct Builders {
    QTemporaryDir folder;
    Sandbox sandbox{bin / "tilewright-worker"};
    Builder cpu{sandbox, fs::path(folder.path().toStdString()) / "cache", {}};
    CudaBuilder gpu;
    ListingMaker maker{sandbox, cpu, gpu, {}};

    explicit Builders(const std::string& secret)
        : gpu(sandbox, bin / "tilewright-cuda-worker", fs::path(folder.path().toStdString()) / "cache", {}, secret)
    {
    }
};

/// What a session asks for after this build.
ListingRequest gpuRequest(ListingForm form, const BuildOutcome& built)
{
    ListingRequest request;
    request.form = form;
    request.artifact = built.artifact;
    request.builtBy = "NVRTC 0.0 on a GPU of the test";
    request.architecture = "sm_90a";
    request.ptx = Hash::fromHex(built.resources.at("ptx_sha256").get<std::string>());
    request.cubin = Hash::fromHex(built.resources.at("cubin_sha256").get<std::string>());
    for (const nlohmann::json& kernel : built.resources.at("kernels"))
        request.kernels.push_back(kernel.at("kernel"));
    return request;
}

/// PATH as it was before, once this is gone.
class OtherPath
{
public:
    explicit OtherPath(const std::string& path)
        : m_before(qgetenv("PATH"))
    {
        qputenv("PATH", QByteArray::fromStdString(path));
    }
    ~OtherPath() { qputenv("PATH", m_before); }
    OtherPath(const OtherPath&) = delete;
    OtherPath& operator=(const OtherPath&) = delete;

private:
    QByteArray m_before;
};

} // namespace

class TestListing : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theHottestLoopIsCounted()
    {
        const std::string code
            = "0000000000001100 <float (anonymous namespace)::multiply_tile<14>(Args const&, int)>:\n"
              "    1100:\tvxorps zmm3,zmm3,zmm3\n"
              "    1104:\tvmovups zmm0,ZMMWORD PTR [rsi]\n" // the loop begins here
              "    1108:\tvbroadcastss zmm1,DWORD PTR [rdi]\n"
              "    110c:\tvfmadd231ps zmm3,zmm0,zmm1\n"
              "    1110:\tvfmadd231ps zmm4,zmm0,DWORD PTR [rdi+0x4]{1to16}\n"
              "    1114:\tvmovaps ZMMWORD PTR [rsp+0x40],zmm4\n"
              "    1118:\tvmovaps zmm5,ZMMWORD PTR [rsp+0x80]\n"
              "    111c:\tvpermps zmm6,zmm5,zmm4\n"
              "    1120:\tvmovups ZMMWORD PTR [rdx],zmm6\n"
              "    1124:\tjne    1104 <(anonymous namespace)::multiply_tile<14>(Args const&, int)+0x4>\n"
              "    1128:\tjmp    1100 <(anonymous namespace)::multiply_tile<14>(Args const&, int)>\n"
              "    112c:\tret\n\n"
              "0000000000001200 <edges>:\n"
              "    1200:\tvmovss xmm0,DWORD PTR [rsi]\n"
              "    1204:\tvfmadd231ss xmm1,xmm0,DWORD PTR [rdi]\n"
              "    1208:\tjne    1200 <edges>\n";
        const auto loop = hottestLoop(code);
        QVERIFY(loop);
        LoopMix wanted;
        wanted.function = "multiply_tile<14>";
        wanted.instructions = 9;
        wanted.fused = wanted.chains = 2;
        wanted.loads = 1;
        wanted.broadcasts = 2;
        wanted.stores = wanted.shuffles = wanted.spillStores = wanted.spillLoads = 1;
        wanted.bits = 512;
        QCOMPARE(loop->json(), wanted.json());
        QVERIFY(LoopMix::fromJson(wanted.json()) == wanted);
        QVERIFY(!LoopMix::fromJson(nlohmann::json("none")));
        const std::vector<std::string> findings = loopFindings(*loop, 512);
        QVERIFY2(findings.at(0).find("1 store and 1 load of it") != std::string::npos, findings.at(0).c_str());
        QVERIFY2(findings.at(1).find("load-bound: 4 reads") != std::string::npos, findings.at(1).c_str());
        QVERIFY(!hottestLoop("0000000000001200 <f>:\n    1200:\tadd    rax,0x1\n    1204:\tjne    1200 <f>\n"));
        QVERIFY(!hottestLoop("no code at all"));
    }

    void narrowOrWaitingLoopsAreTold()
    {
        LoopMix mix;
        mix.fused = 4;
        mix.chains = 2;
        mix.loads = 2;
        mix.bits = 256;
        const std::vector<std::string> findings = loopFindings(mix, 512);
        QCOMPARE(findings.size(), std::size_t(2));
        QVERIFY2(findings[0].find("latency-bound") != std::string::npos, findings[0].c_str());
        QVERIFY2(findings[1].find("256 bits; the device has vectors of 512") != std::string::npos, findings[1].c_str());
        mix.chains = 8;
        mix.bits = 512;
        QVERIFY(loopFindings(mix, 512).empty());
    }

    /// Of the kernels of tests/node/fixtures/hot_loops.cu.
    void theHottestLoopOfEachKernelIsCounted_data()
    {
        QTest::addColumn<QString>("words");
        const auto row = [](const char* kernel, const QString& words) { QTest::newRow(kernel) << words; };
        row("scalar",
            QStringLiteral(
                "hot loop of scalar, per iteration: 4 multiply-adds, 8 loads from global memory (32 bits) in 29 "
                "instructions"));
        row("straight",
            QStringLiteral("code of straight, without a loop: 4 other operations, 1 load from global memory (128 "
                           "bits), 1 store to global memory (128 bits) in 18 instructions"));
        row("tiled",
            QStringLiteral(
                "hot loop of tiled, per iteration: 128 multiply-adds, 2 asynchronous copies (128 bits), 16 loads from "
                "shared memory (128 bits), 2 barriers, 1 wait for copies or tensor cores in 167 instructions"));
        row("warps",
            QStringLiteral("hot loop of warps, per iteration: 2 HMMA.16816.F32.BF16 of the tensor cores, 8 loads from "
                           "global memory (32 bits), 4 shuffles in 35 instructions"));
        // Its loops that wait for a barrier and elect a thread are none of the hottest.
        row("warpgroup",
            QStringLiteral(
                "hot loop of warpgroup, per iteration: 4 HGMMA.64x8x16.F32.BF16 of the tensor cores, 2 copies of "
                "the copy engine, 1 barrier, 2 waits for copies or tensor cores in 76 instructions"));
        row("spilled",
            QStringLiteral(
                "hot loop of spilled, per iteration: 4 multiply-adds, 8 loads from global memory (32 bits), 4 "
                "stores and 4 loads of local memory in 46 instructions"));
        // Its shuffles stand a second time behind the kernel, for warps that have diverged: no loop.
        row("lanes",
            QStringLiteral(
                "hot loop of lanes, per iteration: 9 other operations, 1 special function, 1 load from global "
                "memory (32 bits), 5 shuffles in 26 instructions"));
    }
    void theHottestLoopOfEachKernelIsCounted()
    {
        QFETCH(QString, words);
        const std::string kernel = QTest::currentDataTag();
        for (const char* tool : {"nvdisasm", "cuobjdump"}) {
            const auto sass = readSass(fixture(("hot_loops." + std::string(tool) + ".txt").c_str()));
            QVERIFY(sass);
            const std::vector<GpuLoopMix> loops = hottestLoops(*sass);
            QCOMPARE(
                loops.size(), std::size_t(std::string(tool) == "nvdisasm" ? 7 : 2)); // the latter shows two of them
            const auto loop = std::ranges::find(loops, kernel, &GpuLoopMix::kernel);
            if (loop == loops.end())
                continue;
            QCOMPARE(q(loopWords(*loop)), words);
            QVERIFY(GpuLoopMix::fromJson(loop->json()) == *loop);
        }
    }

    void whatSlowsAKernelDownIsTold()
    {
        const auto sass = readSass(fixture("hot_loops.nvdisasm.txt"));
        QVERIFY(sass);
        const std::vector<GpuLoopMix> loops = hottestLoops(*sass);
        const GpuLoopLimits hopper{4, "bf16", true}, plain{4, "", true};
        const auto told = [&](const char* kernel, const GpuLoopLimits& limits) {
            const auto loop = std::ranges::find(loops, kernel, &GpuLoopMix::kernel);
            return loop == loops.end() ? std::string("no such kernel") : joined(loopFindings(*loop, limits), "\n");
        };
        QVERIFY2(told("scalar", plain)
                     .starts_with("The hot loop moves 256 bits per iteration with 8 loads from global memory "
                                  "of fewer than 128 bits: 2 accesses of 128 bits would do"),
            told("scalar", plain).c_str());
        QVERIFY(told("scalar", plain).find("bound by its accesses to memory: 8 per iteration for 4 operations")
            != std::string::npos);
        QVERIFY(told("scalar", hopper).find("No instruction of the tensor cores, which multiply bf16")
            != std::string::npos);
        QVERIFY(told("warps", hopper).find("used by warps (HMMA)") != std::string::npos);
        QVERIFY(told("spilled", plain)
                    .starts_with("The hot loop goes through local memory: 4 stores and 4 loads per iteration."));
        QVERIFY(told("lanes", plain).find("5 times per iteration beside 9 operations") != std::string::npos);
        for (const char* good : {"straight", "tiled"})
            QCOMPARE(told(good, plain), std::string());
        QCOMPARE(told("warpgroup", hopper), std::string());
        GpuLoopMix small;
        small.fused = 16;
        small.barriers = 2;
        QCOMPARE(loopFindings(small, {}).size(), std::size_t(1));
        QVERIFY(loopFindings(small, {}).front().find("2 barriers for 16 multiply-adds") != std::string::npos);
    }

    void whatIsNoSassHasNoLoop()
    {
        for (const char* text : {"", "no code at all", ".text.empty:\n", "Function : f\n        /*zz*/ FFMA ;\n"})
            QVERIFY(hottestLoops(text).empty());
        // A jump to where nothing stands, and one into itself.
        const auto odd = hottestLoops(
            "Function : f\n/*0000*/ FFMA R0, R1, R2, R3 ;\n/*0010*/ @P0 BRA 0x777 ;\n/*0020*/ BRA 0x20 ;\n");
        QCOMPARE(odd.size(), std::size_t(1));
        QVERIFY(!odd.front().isLoop);
        QCOMPARE(odd.front().fused, 1);
        QVERIFY(!GpuLoopMix::fromJson(nlohmann::json("none")));
        QVERIFY(!GpuLoopMix::fromJson({{"fused", "many"}}));
    }

    void aBuiltGpuProgramTellsOfItsHotLoops()
    {
        Builders builders("hot");
        const TaskPack pack = *loadTaskPack(root / "kernels/gemm-fp32");
        if (!builders.gpu.isAvailable())
            QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
        const bool isShown = Disassembler::toolFor(ListingForm::Sass).has_value();
        const BuildOutcome built = builders.gpu.buildCandidate(pack.task, pack.seed(), h200Facts());
        QVERIFY2(built.ok, built.text.c_str());
        const nlohmann::json& kernel = built.resources.at("kernels").front();
        QCOMPARE(kernel.contains("hot_loop"), isShown); // without a disassembler it is built all the same
        if (!isShown)
            QSKIP("neither nvdisasm nor cuobjdump is installed here");
        const auto loop = GpuLoopMix::fromJson(kernel.at("hot_loop"));
        QVERIFY(loop && loop->fused > 0 && !loop->globalLoads.empty());
        QCOMPARE(loop->kernel, kernel.at("kernel").get<std::string>());
    }

    void aBuiltProgramTellsOfItsHotLoop()
    {
        if (!Disassembler::toolFor(ListingForm::Assembly))
            QSKIP("objdump is not installed here");
        Builders builders("hot");
        const TaskPack pack = *loadTaskPack(root / "kernels/gemm-fp32-cpu");
        const BuildOutcome built = builders.cpu.buildCandidate(pack.task, pack.seed());
        QVERIFY2(built.ok, built.text.c_str());
        const auto loop = LoopMix::fromJson(built.resources.value("hot_loop", nlohmann::json()));
        QVERIFY(loop && loop->fused + loop->arithmetic > 0);
        QVERIFY(!loop->function.empty());
    }

    void listingsAreComparedWithoutWhatMovesByItself()
    {
        Listing listing;
        listing.text
            = "; What was measured.\n\n0000000000001130 <run>:\n    1130:\tcall   1200 <(anonymous "
              "namespace)::cut<int>(int, int)+0xd0>\n    1134:\tlea    rdi,[rip+0x2ec5]        # 4000 <table>\n"
              "    113b:\tadd    eax,0x10\n";
        QCOMPARE(comparableText(listing),
            std::string("<run>:\n\tcall   <(anonymous namespace)::cut<int>(int, int)>\n\tlea    rdi,[rip]        # "
                        "<table>\n\tadd    eax,0x10\n"));
        listing.form = ListingForm::Sass;
        listing.text
            = "// x\n        /*0010*/                   FFMA R0, R1, R2, R0 ;\n"
              "        /*0020*/              @!P0 BRA 0x1a0 ;\n        /*0030*/  IADD3 R1, R1, 0x10, RZ ;\n.L_x_1:\n";
        QCOMPARE(comparableText(listing),
            std::string("                   FFMA R0, R1, R2, R0 ;\n              @!P0 BRA ;\n  IADD3 R1, R1, 0x10, RZ "
                        ";\n.L_x_1:\n"));
        listing.form = ListingForm::Ptx;
        listing.text = "// x\n\nmov.u32 %r1, 0x1000;\n";
        QCOMPARE(comparableText(listing), std::string("mov.u32 %r1, 0x1000;\n"));
        listing.text = {};
        QCOMPARE(comparableText(listing), std::string());
    }

    void onlyTheProgramsFunctionsAreShownOfAnObject()
    {
        const auto text = readObjdump(fixture("unit.objdump.txt"));
        QVERIFY2(text.has_value(), text ? "" : text.error().text.c_str());
        QVERIFY(text->starts_with("0000000000001020 <float dot<2>(float const*, float const*, int)>:\n"));
        QVERIFY(text->find("<tilewright_run>:\n") != std::string::npos);
        QVERIFY(text->find("<__popcountdi2>:") == std::string::npos); // but its call stands there
        QVERIFY2(text->ends_with("\n; Omitted, by name functions of the compiler's library or the linker: "
                                 "expf@plt-0x10, expf@plt, __popcountdi2.\n"),
            text->substr(text->size() - 150).c_str());
        QVERIFY(text->find("<elsewhere(float)>:") != std::string::npos); // in a section of its own
        QVERIFY(text->find("<__popcountdi2>\n") != std::string::npos);
        QVERIFY(text->find("file format") == std::string::npos);
        auto counts = countsOf(*text, ListingForm::Assembly);
        QCOMPARE(counts["movss"], 6);
        QCOMPARE(counts["stos"], 1); // and not its prefix
        QCOMPARE(counts["ret"], 3);
        QVERIFY(!counts.contains("rep"));
        QCOMPARE(codeOf(readObjdump("objdump: unit.so: file format not recognized\n")), QStringLiteral("tool/output"));
        QCOMPARE(codeOf(readObjdump("")), QStringLiteral("tool/output"));
    }

    /// Both tools show the same kernels of tests/node/fixtures/two_kernels.cubin.
    void sassIsTheSameWhicheverToolShowsIt()
    {
        const auto one = readSass(fixture("two_kernels.nvdisasm.txt"));
        const auto other = readSass(fixture("two_kernels.cuobjdump.txt"));
        QVERIFY(one.has_value() && other.has_value());
        QVERIFY(one->find("        /*0050*/                   LDG.E R3, desc[UR4][R2.64] ;\n") != std::string::npos);
        QVERIFY(other->find("        /*0050*/                   LDG.E R3, desc[UR4][R2.64] ;\n") != std::string::npos);
        QVERIFY(other->find("Function : plain") != std::string::npos);
        QVERIFY(other->find("0x000fe2") == std::string::npos); // no encodings
        QCOMPARE(countsOf(*one, ListingForm::Sass), countsOf(*other, ListingForm::Sass));
        auto counts = countsOf(*one, ListingForm::Sass);
        QCOMPARE(counts["LDG"], 2);
        QCOMPARE(counts["STG"], 2);
        QCOMPARE(counts["BAR"], 1);
        QCOMPARE(codeOf(readSass("nvdisasm fatal   : Unsupported cubin\n")), QStringLiteral("tool/output"));
    }

    void instructionsOfPtxAreCountedAsTheyStand()
    {
        const std::string text = R"(// made up
.version 8.8
.target sm_90a
.global .align 4 .b8 table[4] = {1, 2, 3, 4};
.visible .entry gemm(.param .align 64 .b8 gemm_param_0[64])
.maxntid 256, 1, 1
{
	.reg .pred %p<3>;
	mov.u32 	%r1, %tid.x; /* two
	fma.rn.f32 %no, %no, %no, %no; */ add.s32 	%r2, %r1, 1;
$L__BB0_1:
	@%p1 bra 	$L__BB0_1;
	{ .reg .b16 t; mov.b16 t, 1; }
	ld.global.v4.f32 	{%f1, %f2, %f3, %f4}, [%rd1];
	ld.shared.f32 	%f5, [%r1];
	cp.async.cg.shared.global [%r1], [%rd1], 16;
	call.uni
	helper,
	(
	param0
	);
	fma.rn.f32 	%f6, %f1, %f2, %f3; fma.rn.f32 %f6, %f1, %f2, %f3;
	ret;
}
)";
        const std::map<std::string, std::int64_t> expected{{"mov", 2}, {"add", 1}, {"bra", 1}, {"ld.global", 1},
            {"ld.shared", 1}, {"cp", 1}, {"call", 1}, {"fma", 2}, {"ret", 1}};
        QCOMPARE(countsOf(text, ListingForm::Ptx), expected);
        const Listing listing = listingOf(ListingForm::Ptx, "x", text, false);
        QCOMPARE(instructionWords(listing, 3), std::string("fma 2, mov 2, add 1, others 6"));
    }

    void aLongListingTellsWhatIsLeftOut()
    {
        std::string text;
        for (int i = 0; i < 30000; ++i)
            text += "\tret;\n";
        const Listing listing = listingOf(ListingForm::Ptx, "first\nwords \x1b[31m", text, false);
        QCOMPARE(firstLine(listing), std::string("// first words  [31m"));
        QCOMPARE(listing.lines, std::int64_t(mostListingLines));
        QCOMPARE(std::int64_t(std::count(listing.text.begin(), listing.text.end(), '\n')), listing.lines);
        QCOMPARE(listing.leftOut, std::int64_t(30000 + 2 - (19000 - 1)));
        QVERIFY2(
            listing.text.ends_with("// Lines 19000 to 30002, the last 11003, are omitted: the listing is too long.\n"),
            listing.text.substr(listing.text.size() - 120).c_str());
        const Listing wide = listingOf(ListingForm::Assembly, "x", std::string(5'000'000, 'x'), false);
        QVERIFY(wide.text.size() < mostListingBytes);
        QCOMPARE(wide.leftOut, 1);
        const Listing cut = listingOf(ListingForm::Sass, "x", "        /*0000*/ EXIT ;\n", true);
        QVERIFY(cut.instructions.empty()); // nobody knows how many there are
        QVERIFY(cut.text.ends_with("are omitted: the listing is too long.\n"));
    }

    void theAssemblyIsOfTheObjectThatWasMeasured()
    {
        Builders here("a");
        const TaskPack pack = *loadTaskPack(root / "kernels/gemm-fp32-cpu");
        if (findTool("objdump").empty() || here.cpu.compiler().empty())
            QSKIP("objdump and g++ are needed");
        const BuildOutcome built = here.cpu.buildCandidate(pack.task, pack.seed());
        QVERIFY2(built.ok, built.text.c_str());
        ListingRequest request;
        request.artifact = built.artifact;
        request.builtBy = "g++ 1.2.3 on a CPU of the test";
        const auto kept = here.maker.make(request, pack.task, pack.seed(), never);
        QVERIFY2(kept.has_value(), kept ? "" : kept.error().line().c_str());
        QVERIFY(kept->code == ListedCode::AsBuilt);
        QVERIFY2(firstLine(*kept).find("from the build cache, built by g++ 1.2.3") != std::string::npos,
            firstLine(*kept).c_str());
        QVERIFY(kept->text.find("<tilewright_run>:") != std::string::npos);
        QVERIFY(kept->instructions.size() > 5);
        QCOMPARE(kept->tool, std::string("objdump"));

        Builders elsewhere("b"); // where the cache knows nothing of it
        const auto again = elsewhere.maker.make(request, pack.task, pack.seed(), never);
        QVERIFY(again.has_value() && again->code == ListedCode::AsBuilt);
        QVERIFY2(firstLine(*again).find("byte for byte the same") != std::string::npos, firstLine(*again).c_str());
        QCOMPARE(again->text.substr(again->text.find('\n')), kept->text.substr(kept->text.find('\n')));

        request.artifact = sha256("another machine's");
        const auto other = elsewhere.maker.make(request, pack.task, pack.seed(), never);
        QVERIFY(other.has_value() && other->code == ListedCode::Other);
        QVERIFY2(firstLine(*other).starts_with("; This is NOT the assembly of the code that was built")
                && firstLine(*other).find("g++ 1.2.3 on a CPU of the test") != std::string::npos,
            firstLine(*other).c_str());
        request.artifact = {};
        const auto unknown = elsewhere.maker.make(request, pack.task, pack.seed(), never);
        QVERIFY(unknown.has_value() && unknown->code == ListedCode::Unknown);
    }

    void whatKeepsAListingFromBeingMadeIsTold()
    {
        Builders here("a");
        const TaskPack pack = *loadTaskPack(root / "kernels/gemm-fp32-cpu");
        ListingRequest request;
        request.form = ListingForm::Ptx;
        QCOMPARE(codeOf(here.maker.make(request, pack.task, pack.seed(), never)), QStringLiteral("listing/form"));
        request.form = ListingForm::Assembly;
        const std::string broken = "// EVOLVE-BLOCK-START\nthis is no C++\n// EVOLVE-BLOCK-END\n";
        if (findTool("objdump").empty())
            QSKIP("objdump is needed");
        const auto unbuilt = here.maker.make(request, pack.task, broken, never);
        QCOMPARE(codeOf(unbuilt), QStringLiteral("listing/rebuild"));
        QVERIFY2(unbuilt.error().text.find("does not build here") != std::string::npos, unbuilt.error().text.c_str());
        QCOMPARE(
            codeOf(here.maker.make(request, pack.task, pack.seed(), [] { return true; })), QStringLiteral("cancelled"));
        const OtherPath nowhere("/nowhere");
        if (findTool("objdump").empty()) { // else it stands where a toolkit would
            const auto missing = here.maker.make(request, pack.task, pack.seed(), never);
            QCOMPARE(codeOf(missing), QStringLiteral("tool/missing"));
            QVERIFY(missing.error().hint.find("binutils") != std::string::npos);
        }
    }

    void thePtxIsWhatTheMeasuredBuildWrote()
    {
        Builders here("a"), elsewhere("b");
        const TaskPack pack = *loadTaskPack(root / "kernels/gemm-fp32");
        if (!here.gpu.isAvailable())
            QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
        const BuildOutcome built = here.gpu.buildCandidate(pack.task, pack.seed(), h200Facts());
        QVERIFY2(built.ok, built.text.c_str());
        const ListingRequest request = gpuRequest(ListingForm::Ptx, built);
        // Another node draws other shapes that nobody announced: its artefact differs, and the code is the same.
        for (Builders* one : {&here, &elsewhere}) {
            const auto ptx = one->maker.make(request, pack.task, pack.seed(), never);
            QVERIFY2(ptx.has_value(), ptx ? "" : ptx.error().line().c_str());
            QVERIFY2(ptx->code == ListedCode::AsBuilt, firstLine(*ptx).c_str());
            QVERIFY2(firstLine(*ptx).find("for sm_90a, byte for byte the same") != std::string::npos,
                firstLine(*ptx).c_str());
            QVERIFY(ptx->text.find(".target sm_90a") != std::string::npos);
            for (const std::string& kernel : request.kernels)
                QVERIFY(ptx->text.find(kernel.substr(0, kernel.find('<'))) != std::string::npos);
            QVERIFY(!ptx->instructions.empty());
            QVERIFY(ptx->compiler.starts_with("NVRTC "));
        }
        ListingRequest older = request;
        older.architecture = "sm_80";
        const auto other = here.maker.make(older, pack.task, pack.seed(), never);
        QVERIFY2(other.has_value(), other ? "" : other.error().line().c_str());
        QVERIFY(other->code == ListedCode::Other);
        QVERIFY(firstLine(*other).starts_with("// This is NOT the PTX of the code that was built"));
        ListingRequest untold = request;
        untold.ptx = {};
        QVERIFY(here.maker.make(untold, pack.task, pack.seed(), never)->code == ListedCode::Unknown);
        untold.kernels.clear();
        QCOMPARE(codeOf(here.maker.make(untold, pack.task, pack.seed(), never)), QStringLiteral("listing/record"));
        untold = request;
        untold.architecture = "sm_90a -I/etc";
        QCOMPARE(codeOf(here.maker.make(untold, pack.task, pack.seed(), never)), QStringLiteral("listing/record"));
    }

    void sassNeedsADisassemblerAndSaysWhichPackageBringsIt()
    {
        Builders here("a");
        const TaskPack pack = *loadTaskPack(root / "kernels/gemm-fp32");
        ListingRequest request;
        request.form = ListingForm::Sass;
        if (const OtherPath nowhere("/nowhere"); findTool("nvdisasm").empty() && findTool("cuobjdump").empty()) {
            const auto missing = here.maker.make(request, pack.task, pack.seed(), never);
            QCOMPARE(codeOf(missing), QStringLiteral("tool/missing"));
            QVERIFY(missing.error().hint.find("cuda-nvdisasm") != std::string::npos);
        }
        if (!here.gpu.isAvailable())
            QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
        const BuildOutcome built = here.gpu.buildCandidate(pack.task, pack.seed(), h200Facts());
        QVERIFY2(built.ok, built.text.c_str());
        request = gpuRequest(ListingForm::Sass, built);
        // Where there is none, one that shows a transcript.
        const fs::path folder = fs::path(here.folder.path().toStdString()) / "tools";
        fs::create_directories(folder);
        std::ofstream(folder / "nvdisasm") << "#!/bin/sh\ncat <<'END'\n"
                                           << fixture("two_kernels.nvdisasm.txt") << "END\n";
        fs::permissions(folder / "nvdisasm", fs::perms::owner_all);
        const OtherPath withTool(folder.string() + ":" + qgetenv("PATH").toStdString());
        const auto kept = here.maker.make(request, pack.task, pack.seed(), never);
        QVERIFY2(kept.has_value(), kept ? "" : kept.error().line().c_str());
        QVERIFY(kept->code == ListedCode::AsBuilt);
        QVERIFY(firstLine(*kept).find("from the build cache") != std::string::npos);
        QCOMPARE(kept->tool, std::string("nvdisasm"));
        Builders elsewhere("b");
        const auto again = elsewhere.maker.make(request, pack.task, pack.seed(), never);
        QVERIFY2(again.has_value(), again ? "" : again.error().line().c_str());
        QVERIFY2(again->code == ListedCode::AsBuilt, firstLine(*again).c_str()); // the same cubin
        request.cubin = {}; // a session of an older version
        QVERIFY(elsewhere.maker.make(request, pack.task, pack.seed(), never)->code == ListedCode::Unknown);
        request.ptx = sha256("another compiler's");
        QVERIFY(elsewhere.maker.make(request, pack.task, pack.seed(), never)->code == ListedCode::Other);
    }
};

TILEWRIGHT_TEST(TestListing)
#include "test_listing.moc"
