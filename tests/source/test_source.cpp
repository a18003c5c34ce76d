// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/source/change_risks.h"
#include "core/source/program_text.h"
#include "core/source/text_scan.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

namespace {
const std::string program = R"(// a header
#include <stddef.h>
// EVOLVE-BLOCK-START
constexpr int BM = 64;  // tune: 32 64 128
#define LOOP 1 // tune: 0=ijk 1=ikj
constexpr int TM = 8; // a plain comment
// require: BM % 8 == 0
int f(int a) { return a / 2; /* half */ }
// EVOLVE-BLOCK-END
constexpr int OUTSIDE = 4; // tune: 4 8
)";
}

class TestSource : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void blocksAreFoundBetweenTheirMarkers();
    void brokenMarkersAreErrors();
    void tunablesOutsideABlockDoNotCount();
    void settingATunableChangesItsValueOnly();
    void aBrokenConstraintIsNamed();
    void aConstraintOverUnknownNamesIsAnError();
    void aConstraintMayNameAConstantThatIsNotTuned();
    void aConstraintMayNameWhatFollowsFromTunables();
    void commentsAndBlanksDoNotChangeTheIdentity();
    void aTuneValueChangesTheIdentity();
    void commentsInStringsAreText();
    void nichesFollowTheirFeature();
    void aRiskyEditIsNamed_data();
    void aRiskyEditIsNamed();
    void anEditWithoutRiskHasNone_data();
    void anEditWithoutRiskHasNone();
    void hardwareFeaturesAreReadFromCodeAlone();
};

void TestSource::blocksAreFoundBetweenTheirMarkers()
{
    const auto blocks = evolveBlocks(program);
    QVERIFY(blocks.has_value());
    QCOMPARE(blocks->size(), std::size_t(1));
    QCOMPARE(blocks->front().firstLine, std::size_t(3));
    QCOMPARE(blocks->front().lastLine, std::size_t(7));
}

void TestSource::brokenMarkersAreErrors()
{
    QCOMPARE(evolveBlocks("// EVOLVE-BLOCK-START\n").error().code, std::string("source/marker"));
    QCOMPARE(evolveBlocks("// EVOLVE-BLOCK-END\n").error().code, std::string("source/marker"));
    QVERIFY(evolveBlocks("int x;\n")->empty());
}

void TestSource::tunablesOutsideABlockDoNotCount()
{
    const auto tunables = tunablesOf(program);
    QCOMPARE(tunables.size(), std::size_t(2));
    QCOMPARE(tunables[0].name, std::string("BM"));
    QCOMPARE(tunables[0].choices, (std::vector<std::int64_t>{32, 64, 128}));
    QCOMPARE(tunables[1].value, 1);
    QCOMPARE(tunables[1].labels, (std::vector<std::string>{"ijk", "ikj"}));
}

void TestSource::settingATunableChangesItsValueOnly()
{
    const std::string changed = withTunables(program, {{"BM", 128}, {"LOOP", 0}, {"NONE", 3}});
    QVERIFY(changed.find("constexpr int BM = 128;  // tune: 32 64 128") != std::string::npos);
    QVERIFY(changed.find("#define LOOP 0 // tune: 0=ijk 1=ikj") != std::string::npos);
    QCOMPARE(withTunables(changed, {{"BM", 64}, {"LOOP", 1}}), program);
}

void TestSource::aBrokenConstraintIsNamed()
{
    QCOMPARE(*Constraints(program).broken(), std::string());
    QCOMPARE(*Constraints(program).broken({{"BM", 33}}), std::string("BM % 8 == 0"));
}

void TestSource::aConstraintOverUnknownNamesIsAnError()
{
    const auto odd = Constraints("// EVOLVE-BLOCK-START\nnamespace { constexpr int TX = 8; // tune: 4 8\n}\n"
                                 "// require: TX > 1\n// EVOLVE-BLOCK-END\n")
                         .broken();
    QVERIFY(!odd);
    QVERIFY2(
        odd.error().text.find("'TX' is not defined here; a line with a '// tune:' list holds its constant and nothing "
                              "else, as 'constexpr int TX = 8; // tune: 4 8' does; line 2 does not")
            != std::string::npos,
        odd.error().text.c_str());
    const auto broken = Constraints("// EVOLVE-BLOCK-START\n// require: X > 1\n// EVOLVE-BLOCK-END\n").broken();
    QVERIFY(!broken.has_value());
    QCOMPARE(broken.error().code, std::string("tune/constraint"));
}

void TestSource::aConstraintMayNameAConstantThatIsNotTuned()
{
    const std::string text
        = "// EVOLVE-BLOCK-START\nconstexpr int WIDE = 96;\nconstexpr int PARTS = 2; // tune: 1 2 4\n"
          "// require: WIDE / PARTS % 32 == 0\n// EVOLVE-BLOCK-END\n";
    QCOMPARE(Constraints(text).broken({{"PARTS", 1}}).value(), std::string());
    QCOMPARE(Constraints(text).broken({{"PARTS", 2}}).value(), std::string("WIDE / PARTS % 32 == 0"));
}

void TestSource::aConstraintMayNameWhatFollowsFromTunables()
{
    const std::string text
        = "// EVOLVE-BLOCK-START\nconstexpr int STAGES = 2; // tune: 2 4 6\nconstexpr int ROWS = 64;\n"
          "constexpr int BYTES_A = 2 * ROWS, BYTES_B = (ROWS + 64) * 2, LATER = sizeof(int);\n"
          "constexpr unsigned SHARED = 16 + STAGES * (BYTES_A + BYTES_B); // require: SHARED <= 1600\n"
          "// EVOLVE-BLOCK-END\n";
    QCOMPARE(Constraints(text).broken().value(), std::string());
    QCOMPARE(Constraints(text).broken({{"STAGES", 4}}).value(), std::string()); // 1552
    QCOMPARE(Constraints(text).broken({{"STAGES", 6}}).value(), std::string("SHARED <= 1600"));
}

void TestSource::commentsAndBlanksDoNotChangeTheIdentity()
{
    std::string changed = program;
    changed.replace(changed.find("a plain comment"), 15, "other words");
    changed.replace(changed.find("/* half */"), 10, "/* a third */");
    changed.replace(changed.find("// a header"), 11, "// another  ");
    QCOMPARE(programIdentity(changed), programIdentity(program));
    std::string windows;
    for (const char c : program)
        windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
    QCOMPARE(programIdentity(windows), programIdentity(program));
}

void TestSource::aTuneValueChangesTheIdentity()
{
    QVERIFY(programIdentity(withTunables(program, {{"BM", 32}})) != programIdentity(program));
    std::string list = program;
    list.replace(list.find("32 64 128"), 9, "32 64 256");
    QVERIFY(programIdentity(list) != programIdentity(program));
}

void TestSource::commentsInStringsAreText()
{
    const auto lines
        = scanLines("const char* s = \"// not\"; // yes\nauto r = R\"(/* \" */)\"; /* gone */ int x = 1'000;\n");
    QCOMPARE(lines[0].code, std::string("const char* s = \"// not\"; "));
    QCOMPARE(lines[0].comment, std::string(" yes"));
    QCOMPARE(lines[1].code, std::string("auto r = R\"(/* \" */)\";   int x = 1'000;"));
}

void TestSource::nichesFollowTheirFeature()
{
    const NicheAxis volume{"tunables:BM*LOOP", true, 7};
    QCOMPARE(nicheBin(volume, program), std::string("0"));
    QCOMPARE(nicheBin({"tunables:BM*NONE", true, 7}, program), std::string("unknown"));
    const std::string plain = "// EVOLVE-BLOCK-START\nconstexpr int BM = 64;\nconstexpr int LOOP = 64;\n"
                              "constexpr int AREA = BM * LOOP;\n// EVOLVE-BLOCK-END\n";
    QCOMPARE(nicheBin(volume, plain), std::string("2")); // 2^12
    QCOMPARE(nicheBin({"tunables:AREA", true, 7}, plain), std::string("2"));
    QCOMPARE(nicheBin({"code_bytes", true, 5}, program), std::string("0"));
    QCOMPARE(nicheBin({"code_bytes", true, 5}, std::string(1 << 20, 'x')), std::string("4"));
    QCOMPARE(nicheCell({volume, {"code_bytes", true, 5}}, program), std::string("0,0"));
}

void TestSource::aRiskyEditIsNamed_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("risk");
    const auto row = [](const char* before, const char* after, const char* risk) {
        QTest::newRow(risk) << QString::fromUtf8(before) << QString::fromUtf8(after) << QString::fromUtf8(risk);
    };
    row("float acc = 0;\nhalf x;\n", "half acc = 0;\nhalf x;\n", "changes types: float → half");
    row("int a;\n", "int a;\ndouble b;\n", "brings types in: double");
    row("x = y;\n", "x = static_cast<T>(y);\n", "touches casts: static_cast");
    row("float x = y;\n", "float x = (float)y;\n", "touches casts");
    row("c += s;\n", "atomicAdd(&c, s);\n", "touches atomics or memory order: atomicAdd");
    row("c = a * b;\n", "c = _mm512_fmadd_ps(a, b, c);\n", "touches intrinsics or assembly: _mm512_fmadd_ps");
    row("c = a;\n", "asm volatile(\"ld.global %0;\");\n", "touches intrinsics or assembly: asm");
    row("for (;;)\n", "#pragma unroll 4\nfor (;;)\n", "touches pragmas or attributes");
    row("TW_FN Plan tilewright_plan(Dims d, Device v) {\n  p.add(\"gemm\", 4, 256);\n}\nint after;\n",
        "TW_FN Plan tilewright_plan(Dims d, Device v) {\n  p.add(\"gemm\", 8, 256);\n}\nint after;\n",
        "touches the launch plan");
}

void TestSource::aRiskyEditIsNamed()
{
    QFETCH(QString, before);
    QFETCH(QString, after);
    QFETCH(QString, risk);
    const auto risks = changeRisks(before.toStdString(), after.toStdString());
    QCOMPARE(risks, std::vector<std::string>{risk.toStdString()});
}

void TestSource::anEditWithoutRiskHasNone_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    const auto row = [](const char* name, const char* before, const char* after) {
        QTest::newRow(name) << QString::fromUtf8(before) << QString::fromUtf8(after);
    };
    row("another constant", "constexpr int BM = 64;\n", "constexpr int BM = 128;\n");
    row("a loop of a type that is there", "int a;\n", "int a;\nfor (int i = 0; i < 4; ++i) a += i;\n");
    row("a comment about casts", "x = y;\n", "x = y; // no static_cast, no asm\n");
    row("other indentation", "x = (float)y;\n", "    x = (float)y;\n");
    row("a call with a variable", "f(a);\n", "f(a, b);\n");
    row("nothing", "x;\n", "x;\n");
}

void TestSource::anEditWithoutRiskHasNone()
{
    QFETCH(QString, before);
    QFETCH(QString, after);
    QCOMPARE(changeRisks(before.toStdString(), after.toStdString()), std::vector<std::string>{});
}

void TestSource::hardwareFeaturesAreReadFromCodeAlone()
{
    QCOMPARE(hardwareFeatures("asm(\"wgmma.mma_async …\"); asm(\"cp.async.bulk.tensor\");\n"),
        (std::set<std::string>{"wgmma", "tensor memory accelerator"}));
    QCOMPARE(hardwareFeatures("// wgmma would be faster\nint x;\n"), std::set<std::string>{});
    std::string before, after;
    for (int i = 0; i < largeChange + 1; ++i)
        after += "line" + std::to_string(i) + ";\n";
    QCOMPARE(changeRisks(before, after), std::vector<std::string>{"41 changed lines of code"});
}

TILEWRIGHT_TEST(TestSource)
#include "test_source.moc"
