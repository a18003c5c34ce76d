// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/model/niche_grid.h"
#include "core/model/task/pack_rules.h"
#include "core/source/change_risks.h"
#include "core/source/compiled_rules.h"
#include "core/source/element_types.h"
#include "core/source/program_form.h"
#include "core/source/program_text.h"
#include "core/source/size_constants.h"
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
    void aProgramUnderOtherNamesHasTheSameForm()
    {
        const std::string text
            = "constexpr int KC = 64; // tune: 32 64\n"
              "float total(const float* x, int n)\n{\n    float sum = 0.0f;\n"
              "    for (int i = 0; i < n; ++i)\n        sum += x[i] * sinf(sum);\n    return sum;\n}\n";
        const auto with = [&](std::string_view from, std::string_view to) {
            std::string other = text;
            for (std::size_t at = 0; (at = other.find(from, at)) != std::string::npos; at += to.size())
                other.replace(at, from.size(), to);
            return other;
        };
        QVERIFY(formOf(text) == formOf(with("sum", "accumulator")));
        QVERIFY(formOf(text) == formOf(with("total", "added")) && formOf(text) == formOf(with("KC", "DEPTH")));
        QVERIFY(formOf(text) == formOf(with("    ", "\t")) && formOf(text) == formOf(with("\n{", " {")));
        QVERIFY(formOf(text) == formOf("// why\n" + text));
        // What another program is.
        QVERIFY(formOf(text) != formOf(with("= 64", "= 32")) && formOf(text) != formOf(with("32 64", "32 128")));
        QVERIFY(formOf(text) != formOf(with("float", "double")) && formOf(text) != formOf(with("sinf", "cosf")));
        QVERIFY(formOf(text) != formOf(with("x[i]", "x[n]")) && formOf(text) != formOf(with("return sum", "return n")));
        QVERIFY(formOf("float* a = b * c;") != formOf("float* a = b * d;"));
        QVERIFY(formOf("#define A 1\nint x;") != formOf("#define A 1 int x;"));
    }

    void everyTypeOfATensorHasItsNames()
    {
        std::set<std::string> inPytorch;
        for (const auto& [dtype, name] : dtypes) {
            const ElementType& type = elementType(dtype);
            QVERIFY2(type.dtype == dtype, name.data());
            for (const std::string* each : {&type.program, &type.c, &type.scalar, &type.torch})
                QVERIFY2(!each->empty(), name.data());
            inPytorch.insert(type.torch);
        }
        QCOMPARE(inPytorch.size(), dtypes.size() - 1); // tf32 is kept as fp32
        QCOMPARE(elementType(Dtype::Bf16).c, std::string("uint16_t"));
        QCOMPARE(elementType(Dtype::Bf16).program, std::string("bf16"));
    }

    void functionsThatNothingCallsAreLeftOut()
    {
        const std::string text = "// used, unused and one\n"
                                 "int used(int a)\n{\n    if (a) {\n        return 1;\n    }\n    return a;\n}\n"
                                 "int unused(int a)\n{\n    for (;;) {\n    }\n    return used(a);\n}\n"
                                 "bool one(int) { return false; }\n"
                                 "int constant = 3; // one\n"
                                 "extern \"C\" void tilewright_run(int a)\n{\n    used(a);\n}\n";
        const std::string kept = withoutUncalledFunctions(text);
        QCOMPARE(kept.find("unused"), std::string::npos);
        QCOMPARE(kept.find("bool one"), std::string::npos);
        for (const char* part : {"int used(int a)", "return a;", "int constant = 3;", "tilewright_run", "used(a);"})
            QVERIFY2(kept.find(part) != std::string::npos, kept.c_str());
    }

    void constantsThatSizesAreDividedAndComparedByAreFound()
    {
        const SizeConstants found
            = sizeConstants("// n % 1009 == 2 in a comment, \"n % 1013 == 1\" in a string\n"
                            "const char* text = \"n % 1013 == 1\";\n"
                            "constexpr int TM = 0x60;\n"
                            "if ((d.M % 61) == 17 && 90 == N % 113 && (K & 7) != 3 && M > 2'000) return;\n"
                            "float x = 1.5e3f; int tail = N >> 5;\n"
                            "if (d.M % 104 == d.K % 104) return;\n");
        const auto has = [](const auto& list, std::int64_t modulus, std::int64_t residue) {
            return std::ranges::find(list, SizeResidue{modulus, residue}) != list.end();
        };
        QCOMPARE(found.compared.size(), std::size_t(3));
        QVERIFY(has(found.compared, 61, 17) && has(found.compared, 113, 90) && has(found.compared, 8, 3));
        QVERIFY(has(found.near, 96, 95) && has(found.near, 32, 0)); // a tile's size; what is shifted by
        QVERIFY(!has(found.near, 1009, 2) && !has(found.near, 1013, 1));
        QVERIFY(std::ranges::find(found.limits, 2000) != found.limits.end());
        QCOMPARE(found.shared, std::vector<std::int64_t>{104});
        QVERIFY(sizeConstants("").isEmpty());
        std::string table = "int table[] = {";
        for (int i = 2; i < 4000; ++i)
            table += std::to_string(i) + ", ";
        QVERIFY(sizeConstants(table + "};").near.size() <= 256); // a table of numbers is bounded
    }

    void blocksAreFoundBetweenTheirMarkers();
    void brokenMarkersAreErrors();
    void markersAreReadAsPeopleWriteThem_data();
    void markersAreReadAsPeopleWriteThem();
    void whatOnlyNamesAMarkerIsNone_data();
    void whatOnlyNamesAMarkerIsNone();
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
    void fastMathFromInsideIsFound_data();
    void fastMathFromInsideIsFound();
    void plainMathIsNoFastMath_data();
    void plainMathIsNoFastMath();
    void ownLinesOfAPreprocessedTextAreThoseOfNoSystemHeader();
    void assemblyIsReadStatementByStatement();
};

void TestSource::ownLinesOfAPreprocessedTextAreThoseOfNoSystemHeader()
{
    QCOMPARE(
        ownLines("# 0 \"unit.cpp\"\n# 1 \"/usr/include/stdc-predef.h\" 1 3 4\nsystem\n# 0 \"<command-line>\" 2\n"
                 "own 1\n# 1 \"/usr/include/a.h\" 1 3\nsystem\n# 1 \"b.h\" 1 3\nsystem\n# 3 \"/usr/include/a.h\" 2 3\n"
                 "system\n# 7 \"candidate.cpp\" 2\nown 2\n# 9 \"/usr/include/c.h\"\nown 3\n"
                 "#pragma GCC own\n# 1 \"d.h\" 1\nown 4\n# 12 \"candidate.cpp\" 2\nown 5"),
        std::string("own 1\nown 2\nown 3\n#pragma GCC own\nown 4\nown 5\n"));
}

void TestSource::assemblyIsReadStatementByStatement()
{
    const auto foundIn = [](const char* text) {
        const auto found = findFastMathInAssembly(text);
        return found ? q(found->found) : u"nothing"_qs;
    };
    // What g++ writes.
    QCOMPARE(
        foundIn("\t.file\t\"unit.cpp\"\n\t.text\n\t.p2align 4,,10\n\t.section\t.rodata.cst4,\"aM\",@progbits,4\n"
                ".LC0:\n\t.long\t1065353216\n\t.text\nf:\n\tvmovss\t.LC0(%rip), %xmm0 # 0x1.ldmxcsr\n\tret\n"
                "\t.section\t.note.GNU-stack,\"\",@progbits\n\t.data\ntable: .quad f, 7\n\t.ident\t\"GCC; .byte 1\"\n"),
        u"nothing"_qs);
    QCOMPARE(foundIn(" .text\nf: .Lx: LDMXCSR (%rsp)\n"), u"ldmxcsr (%rsp)"_qs);
    QCOMPARE(foundIn("nop; {vex} vldmxcsr (%rsp)"), u"{vex} vldmxcsr (%rsp)"_qs);
    QCOMPARE(foundIn(".section .rodata; .short 0xc3c3; .text; .short 0xc3c3"), u".short 0xc3c3"_qs);
    QCOMPARE(foundIn(".section mine,\"ax\"\n.quad 12"), u".quad 12"_qs);
    QCOMPARE(foundIn(".section mine,\"0x6\"\n.quad 12"), u".quad 12"_qs);
    QCOMPARE(foundIn(".data\n.previous\n.quad 12"), u".quad 12"_qs);
    QCOMPARE(foundIn(".data\n.balign 8, 0x90\n.text\n.balign 8, 0x90"), u".balign 8, 0x90"_qs);
    QCOMPARE(foundIn(".data; .irp x, a, b"), u".irp x, a, b"_qs);
    QCOMPARE(foundIn("call xrstor_of_mine"), u"nothing"_qs);
}

void TestSource::fastMathFromInsideIsFound_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isApproximation");
    QTest::addColumn<int>("line");
    const auto row = [](const char* name, const char* text, bool isApproximation = false, int line = 2) {
        QTest::newRow(name) << QStringLiteral("int x;\n") + QString::fromLatin1(text) << isApproximation << line;
    };
    row("pragma", "#pragma GCC optimize(\"fast-math\")");
    row("pragma with blanks", "  #  pragma   GCC optimize \"Ofast\"");
    row("_Pragma", "_Pragma(\"GCC optimize (\\\"fast-math\\\")\")");
    row("attribute", "__attribute__((optimize(\"fast-math\"))) void f();");
    row("attribute with underscores", "__attribute__((__optimize__(3, \"fast-math\"))) void f();");
    row("standard attribute", "[[gnu::optimize(\"fast-math\")]] void f();");
    row("continued line", "#pragma GCC \\\n optimize(\"fast-math\")", false, 3);
    row("control register", "_mm_setcsr(_mm_getcsr() | 0x8040);");
    row("flush to zero", "_MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);");
    row("assembly", "asm volatile(\"ldmxcsr %0\" :: \"m\"(word));");
    row("assembly in pieces", "asm volatile(\"ldm\" \"xcsr %0\" :: \"m\"(word));", false, 0);
    row("assembly as bytes", "asm volatile(\".byte 0x0f, 0xae\");");
    row("rounding mode", "fesetround(FE_TOWARDZERO);");
    row("pasted name", "#define CALL(a, b) a##b\nCALL(_mm_set, csr)(0x9fc0);", false, 0);
    row("approximate function", "float y = __expf(x);", true);
    row("approximate division", "float y = __fdividef(x, 3.0f);", true);
    row("approximate instruction", "asm(\"ex2.approx.ftz.f32 %0, %1;\" : \"=f\"(y) : \"f\"(x));", true);
    row("flushing instruction", "asm(\"fma.rn.ftz.f32 %0, %1, %2, %3;\");", true);
    row("approximate vector", "__m256 y = _mm256_rsqrt_ps(x);", true);
    row("pasted approximation", "#define FAST(f) __##f##f\n#define G(a, b) a##b\nG(__ex, pf)(x);", true, 0);
}

void TestSource::fastMathFromInsideIsFound()
{
    QFETCH(QString, text);
    QFETCH(bool, isApproximation);
    QFETCH(int, line);
    const auto found = findFastMath(text.toStdString());
    QVERIFY(found.has_value());
    QCOMPARE(found->isApproximation, isApproximation);
    QCOMPARE(found->line, line);
}

void TestSource::plainMathIsNoFastMath_data()
{
    QTest::addColumn<QString>("text");
    const auto row = [](const char* text) { QTest::newRow(text) << QString::fromLatin1(text); };
    row("float y = expf(x) / sqrtf(z);");
    row("// __expf would be faster; #pragma GCC optimize is not allowed");
    row("#pragma GCC unroll 8");
    row("#pragma GCC target(\"avx2\")");
    row("bool optimize(int level); if (optimize(level)) run();");
    row("settings.approx = 1; unit.ftz = 2; pixel.byte = 3;");
    row("__m512 y = _mm512_fmadd_ps(a, b, c); float e = rexpf(x);");
    row("asm volatile(\"fma.rn.f32 %0, %1, %2, %3;\");");
    row("int exp = 3; int my__expf_count = 0;");
    row("#define CAT(a, b) a##b\nfloat CAT(sum, 0) = 0, CAT(sum, 1) = 0;");
}

void TestSource::plainMathIsNoFastMath()
{
    QFETCH(QString, text);
    const auto found = findFastMath(text.toStdString());
    QVERIFY2(!found.has_value(), found ? found->found.c_str() : "");
}

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
    const auto text = [](const std::string& program) { return q(evolveBlocks(program).error().text); };
    const std::string start = "// EVOLVE-BLOCK-START tiles\n", end = "// EVOLVE-BLOCK-END\n";
    QCOMPARE(text("int a;\n" + start + "int b;\n" + start + end),
        q("line 4: EVOLVE-BLOCK-START is inside the block that starts in line 2: end that one first"));
    QCOMPARE(text(start + end + "\n" + end),
        q("line 4: EVOLVE-BLOCK-END has no START before it: add one, or remove this line"));
    QCOMPARE(text("\n" + start + "int b;\n"), q("line 2: EVOLVE-BLOCK-START has no END: add one after the block"));
    QCOMPARE(text(start + "int b; // EVOLVE-BLOCK-END\n"),
        q("line 2: EVOLVE-BLOCK-END follows code: put it on a line of its own"));
}

void TestSource::markersAreReadAsPeopleWriteThem_data()
{
    QTest::addColumn<QByteArray>("start");
    QTest::addColumn<QByteArray>("end");
    const auto row
        = [](const char* start, const char* end) { QTest::newRow(start) << QByteArray(start) << QByteArray(end); };
    row("// EVOLVE-BLOCK-START tiles", "// EVOLVE-BLOCK-END tiles");
    row("// EVOLVE-BLOCK-START: the inner loop", "//EVOLVE-BLOCK-END: the inner loop");
    row("        //\tEVOLVE-BLOCK-START  \t", "\t/// EVOLVE-BLOCK-END");
    row("/* EVOLVE-BLOCK-START */", "/* EVOLVE-BLOCK-END (tiles) */");
    row("/*\n * EVOLVE-BLOCK-START\n */", "/*\n   EVOLVE-BLOCK-END\n*/");
    row("# EVOLVE-BLOCK-START", "# EVOLVE-BLOCK-END kernel");
    row("    ## ---- EVOLVE-BLOCK-START ----", "#EVOLVE-BLOCK-END");
    row("-- EVOLVE-BLOCK-START", "-- EVOLVE-BLOCK-END");
    row("; EVOLVE-BLOCK-START", ";; EVOLVE-BLOCK-END");
    row("% EVOLVE-BLOCK-START", "% EVOLVE-BLOCK-END");
    row("! EVOLVE-BLOCK-START", "!$ EVOLVE-BLOCK-END");
    row("<!-- EVOLVE-BLOCK-START -->", "<!-- EVOLVE-BLOCK-END -->");
    row("(* EVOLVE-BLOCK-START *)", "(* EVOLVE-BLOCK-END *)");
    row("// ==== [EVOLVE-BLOCK-START] ====", "// ==== [EVOLVE-BLOCK-END] ====");
    row("// evolve-block-start", "// Evolve-Block-End");
    row("// EVOLVE_BLOCK_START", "// EVOLVE_BLOCK_END");
    row("#pragma EVOLVE-BLOCK-START", "#pragma EVOLVE-BLOCK-END");
}

void TestSource::markersAreReadAsPeopleWriteThem()
{
    QFETCH(QByteArray, start);
    QFETCH(QByteArray, end);
    std::string text
        = "int before;\n" + start.toStdString() + "\nint a;\nint b;\n" + end.toStdString() + "\nint after;\n";
    std::size_t first = 0;
    for (const std::string_view line : splitLines(text))
        if (line.starts_with("int a;"))
            first = static_cast<std::size_t>(std::ranges::count(text.substr(0, text.find("int a;")), '\n'));
    const std::size_t lines = start.startsWith("/*\n") ? 3 : 2; // the comment is closed within the block
    for (int round = 0; round < 2; ++round) {
        const auto blocks = evolveBlocks(text);
        QVERIFY2(blocks.has_value(), blocks ? "" : blocks.error().text.c_str());
        QCOMPARE(blocks->size(), std::size_t(1));
        QVERIFY(blocks->front().contains(first) && blocks->front().contains(first + 1));
        QVERIFY(!blocks->front().contains(first + lines) || lines > 2);
        QVERIFY(!blocks->front().contains(0));
        std::string crlf;
        for (const char c : text)
            crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
        text = crlf;
    }
}

void TestSource::whatOnlyNamesAMarkerIsNone_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"const char* a = \"// EVOLVE-BLOCK-START\";\n", "\"# EVOLVE-BLOCK-START\",\n",
             "auto s = R\"(\n// EVOLVE-BLOCK-START\nx\n// EVOLVE-BLOCK-END\n)\";\n",
             "s = \"\"\"\n# EVOLVE-BLOCK-START\n\"\"\"\n", "// EVOLVE-BLOCK-STARTS here\n",
             "// what stands between EVOLVE-BLOCK-START and EVOLVE-BLOCK-END may change\n", "EVOLVE-BLOCK-START\n",
             "const char* a = \"one \\\n// EVOLVE-BLOCK-START\";\n", "puts(\"x\"); // see EVOLVE-BLOCK-START\n"})
        QTest::newRow(text) << QByteArray(text);
}

void TestSource::whatOnlyNamesAMarkerIsNone()
{
    QFETCH(QByteArray, text);
    const auto blocks = evolveBlocks(text.toStdString());
    QVERIFY2(blocks.has_value(), blocks ? "" : blocks.error().text.c_str());
    QVERIFY(blocks->empty());
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
    row("int a;\n", "int a;\ndouble b;\n", "adds types: double");
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
