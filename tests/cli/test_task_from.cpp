// SPDX-License-Identifier: GPL-3.0-or-later
// A user's own kernel from the file to a run on the real CPU: written, checked, refused where it must be, evolved.
#include "core/pack/pack_writer.h"
#include "tests/cli/cli_run.h"
#include "tests/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace tilewright;
using namespace Qt::StringLiterals;

namespace {

const QString rowSoftmax = QStringLiteral(TILEWRIGHT_SOURCE_DIR "/kernels/examples/own-kernel/softmax.cpp");

} // namespace

class TestTaskFrom : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    Run cli(const QStringList& arguments) const
    {
        return runToItsEnd(environmentIn(m_folder), arguments, -1); // the test's own limit watches over it
    }

    QString file(const QString& name, const QByteArray& text) const
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("a file of the test cannot be written");
        return file.fileName();
    }

    /// Small sizes: the word on them is the same.
    Run made(const QString& source, const QStringList& more) const
    {
        return cli(QStringList{u"task-from"_s, source, u"--json"_s} + more);
    }

private Q_SLOTS:
    void aSoftmaxBecomesATaskAndItsSeedIsRanked()
    {
        const Run run = made(rowSoftmax,
            {u"--train"_s, u"256x1000,131x2048"_s, u"--heldout"_s, u"333x650"_s, u"--verify"_s, u"1x1,3x17"_s});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY(run.json()[u"ok"_s].toBool());
        QVERIFY(run.json()[u"passed"_s].toArray().contains(u"elementwise"_s));
        const QString folder = run.json()[u"folder"_s].toString();
        QVERIFY(!isPackUnchecked(folder.toStdString()));
        const Run check = cli({u"tasks"_s, u"--check"_s, folder});
        QVERIFY2(check.exitCode == 0 && check.out.contains("cheating kernels are refused"), check.err + check.out);

        // The seed is the baseline and is ranked.
        const QString session = m_folder.filePath(u"own.tilewright"_s);
        const Run evolved = cli({u"evolve"_s, u"--task"_s, folder, u"--session"_s, session, u"--evaluations"_s, u"1"_s,
            u"--islands"_s, u"1"_s, u"--proposer"_s, u"manual:"_s + m_folder.filePath(u"letters"_s)});
        QVERIFY2(evolved.exitCode == 0, evolved.err + evolved.out);
        const QJsonObject shown = cli({u"show"_s, session, u"--json"_s}).json();
        QVERIFY2(QJsonDocument(shown).toJson().contains("\"ranked\""), QJsonDocument(shown).toJson());
    }

    void aKernelThatNothingBuiltInCanChangeSaysWhoCan()
    {
        const QString plain = file(u"plain.cpp"_s,
            "void plain(const float* __restrict x, float* __restrict y, int n) { int i = 0; while (i < n) { y[i] = "
            "x[i]; ++i; } "
            "}\n");
        const QStringList sizes{u"--train"_s, u"1000"_s, u"--heldout"_s, u"none"_s, u"--verify"_s, u"17"_s};
        const Run told = cli(QStringList{u"task-from"_s, plain} + sizes);
        QVERIFY2(told.exitCode == 0, told.err.constData());
        // Each line that is suggested works as it stands; FILE is the user's.
        const QString folder = m_folder.filePath(u"data/tilewright/kernels/plain"_s);
        QVERIFY2(QFile::exists(folder + u"/task.json"_s), told.err.constData());
        const QByteArray byHand = "evolve --task " + folder.toUtf8() + " --proposer manual:";
        QVERIFY2(
            told.out.contains(byHand) && told.out.contains("--proposer model --models FILE"), told.out.constData());
        QVERIFY2(!told.out.contains("evolve --task " + folder.toUtf8() + "\n"), told.out.constData());

        const QString session = m_folder.filePath(u"plain.tilewright"_s);
        QStringList evolve{u"evolve"_s, u"--task"_s, folder, u"--session"_s, session, u"--evaluations"_s, u"1"_s,
            u"--islands"_s, u"1"_s};
        for (const QString& builtIn : {u"mutator"_s, u"random"_s, u"tuner"_s}) {
            const Run refused = cli(evolve + QStringList{u"--proposer"_s, builtIn});
            QCOMPARE(refused.exitCode, 2);
            QVERIFY2(refused.err.contains("the proposer " + builtIn.toUtf8() + " cannot be used")
                    && refused.err.contains("--proposer model --models FILE") && refused.err.contains("manual:DIR")
                    && refused.err.contains("tune: 4 8 16"),
                refused.err.constData());
            QVERIFY(!QFile::exists(session)); // said before there is one
        }
        const Run byDefault = cli(evolve);
        QCOMPARE(byDefault.exitCode, 2);
        evolve << u"--proposer"_s << u"manual:"_s + m_folder.filePath(u"plain-prompts"_s);
        const Run taken = cli(evolve);
        QVERIFY2(taken.exitCode == 0, taken.err.constData());
    }

    void aTunableInTheKernelIsEnoughForWhatIsBuiltIn()
    {
        const QString tuned = file(u"tuned.cpp"_s,
            "constexpr int STEP = 2;  // tune: 1 2 4\n"
            "void tuned(const float* x, float* y, int n) {\n  int i = 0;\n"
            "  for (; i + STEP <= n; i += STEP) for (int k = 0; k < STEP; ++k) y[i + k] = 2 * x[i + k];\n"
            "  for (; i < n; ++i) y[i] = 2 * x[i];\n}\n");
        const Run told
            = cli({u"task-from"_s, tuned, u"--train"_s, u"1000"_s, u"--heldout"_s, u"none"_s, u"--verify"_s, u"17"_s});
        QVERIFY2(told.exitCode == 0, told.err.constData());
        const QString folder = m_folder.filePath(u"data/tilewright/kernels/tuned"_s);
        QVERIFY2(told.out.contains("Evolve it: tilewright-cli evolve --task " + folder.toUtf8()), told.out.constData());
        const QString session = m_folder.filePath(u"tuned.tilewright"_s);
        const Run evolved = cli({u"evolve"_s, u"--task"_s, folder, u"--session"_s, session, u"--evaluations"_s, u"2"_s,
            u"--islands"_s, u"1"_s});
        QVERIFY2(evolved.exitCode == 0, evolved.err.constData());
        const QByteArray shown = cli({u"show"_s, session, u"--json"_s}).out;
        QVERIFY2(shown.contains("mutator"), shown.constData());
    }

    void asManySumsAsOneLikesRankAndWrongOnesFall()
    {
        const Run run = made(rowSoftmax, {u"--name"_s, u"lanes"_s}); // the sizes that are supposed
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY2(run.err.contains("tolerance: the roundings of a sum over columns"), run.err.constData());
        const QString folder = run.json()[u"folder"_s].toString();
        // Sixteen sums of a row, closer to the truth than the one of the kernel; `spoiled` and `ends` make it wrong.
        const auto ruleOf = [&](const QByteArray& spoiled, const QByteArray& ends) {
            const Run found = cli({u"evaluate"_s, u"--task"_s, folder, u"--json"_s, u"--source"_s,
                file(u"lanes.cpp"_s,
                    "#include <cmath>\nextern \"C\" void tilewright_run(const Args& a) {\n"
                    "  const int n = a.dims.columns;\n"
                    "  for (int r = 0; r < a.dims.rows; ++r) {\n"
                    "    const float* in = a.x + long(r) * n; float* out = a.y + long(r) * n;\n"
                    "    float m = in[0], s = 0, p[16] = {}; int c = 0;\n"
                    "    for (int i = 1; i < n; ++i) m = in[i] > m ? in[i] : m;\n"
                    "    for (; c + 16 <= n; c += 16) for (int k = 0; k < 16; ++k) {\n"
                    "      out[c + k] = std::exp(in[c + k] - m); p[k] += out[c + k]; "
                        + spoiled + "}\n    for (; c < n; ++c) { out[c] = std::exp(in[c] - m); s += out[c]; }\n"
                        + "    for (int k = 0; k < 16; ++k) s += p[k];\n" + ends
                        + "    for (int i = 0; i < n; ++i) out[i] /= s; } }\n")});
            return found.exitCode == 0 ? u"ranked"_s : found.json()[u"rule"_s].toString();
        };
        // Inputs are drawn anew each time: which of the two gates for numbers speaks first is open.
        const QStringList offByNumbers{u"verify/norm"_s, u"verify/elementwise"_s};
        QCOMPARE(ruleOf("", ""), u"ranked"_s);
        const QString skips = ruleOf("", "if (n > 16) s -= out[1];"),
                      halves = ruleOf("p[k] = float(_Float16(p[k]));", "");
        QVERIFY2(offByNumbers.contains(skips), qPrintable(skips)); // one element left out
        QVERIFY2(offByNumbers.contains(halves), qPrintable(halves)); // sums in half precision
    }

    void wrongProgramsAreRefusedByThatTask()
    {
        const QString folder = made(rowSoftmax,
            {u"--train"_s, u"64x100"_s, u"--heldout"_s, u"none"_s, u"--verify"_s, u"3x17"_s, u"--name"_s, u"judge"_s})
                                   .json()[u"folder"_s]
                                   .toString();
        const QByteArray entry = "extern \"C\" void tilewright_run(const Args& a) { const long n = long(a.dims.rows) * "
                                 "a.dims.columns; ";
        const auto ruleOf = [&](const QByteArray& body) {
            const Run run = cli({u"evaluate"_s, u"--task"_s, folder, u"--json"_s, u"--quick"_s, u"--source"_s,
                file(u"candidate.cpp"_s, "#include <cmath>\n" + entry + body + " }\n")});
            return run.json()[u"rule"_s].toString();
        };
        QCOMPARE(ruleOf(""), u"verify/poison"_s);
        QCOMPARE(ruleOf("for (long i = 0; i < n; ++i) a.y[i] = 0;"), u"verify/norm"_s);
        QCOMPARE(ruleOf("for (long i = 0; i < n; ++i) a.y[i] = a.x[i];"), u"verify/norm"_s);
        QCOMPARE(ruleOf("for (long i = 0; i <= n; ++i) a.y[i] = 0;"), u"verify/out-of-bounds-write"_s);
        // No maximum taken off, inputs cut to ten bits: close, and not close enough.
        QCOMPARE(
            ruleOf("for (int r = 0; r < a.dims.rows; ++r) { float s = 0; const long at = long(r) * a.dims.columns; "
                   "for (int c = 0; c < a.dims.columns; ++c) { const float x = a.x[at + c]; "
                   "const float cut = float(int(x * 1024)) / 1024; s += a.y[at + c] = std::exp(cut); } "
                   "for (int c = 0; c < a.dims.columns; ++c) a.y[at + c] /= s; }"),
            u"verify/norm"_s);
    }

    void aKernelThatIsWrongIsToldInPlainWords_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("adds to an output that it does not set")
            << QByteArray("void f(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] += x[i]; }") << 4
            << QByteArray("('y[i] +=' in line 1) without setting it");
        QTest::newRow("scales in place")
            << QByteArray("void f(float* x, int n) { for (int i = 0; i < n; ++i) x[i] = 2 * x[i]; }") << 4
            << QByteArray(
                   "('x[i] = … x' in line 1) without setting it. Outputs are filled with arbitrary values before a "
                   "launch, so the check will refuse it. Set it first, or read the previous values from an input "
                   "('const "
                   "float* x_before') and write the result to x");
        QTest::newRow("reads an output where nobody sees it set") << QByteArray(
            "void f(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) { float* p = y; "
            "p[i] = p[i] + x[i]; } }") << 4 << QByteArray("from a separate input");
        QTest::newRow("reaches behind its tensor")
            << QByteArray("void f(const float* x, float* y, int n) { for (int i = 0; i <= n; ++i) y[i] = x[i]; }") << 4
            << QByteArray("outside of its tensors");
        QTest::newRow("always zero") << QByteArray(
            "void f(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = 0 * x[i]; }")
                                     << 4 << QByteArray("the result is zero");
        QTest::newRow("keeps state") << QByteArray("static int calls;\nvoid f(const float* x, float* y, int n) { "
                                                   "++calls; for (int i = 0; i < n; ++i) y[i] = x[i] + calls; }")
                                     << 2 << QByteArray("between two calls");
        QTest::newRow("does not compile") << QByteArray("void f(const float* x, float* y, int n) { y = nothing; }") << 2
                                          << QByteArray("The compiler rejects");
        QTest::newRow("needs the heap") << QByteArray(
            "#include <cstdlib>\nvoid f(const float* x, float* y, int n) { void* p = "
            "std::malloc(n); y[0] = p ? x[0] : 1; std::free(p); }")
                                        << 2 << QByteArray("no heap");
    }

    void aKernelThatIsWrongIsToldInPlainWords()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, code);
        QFETCH(QByteArray, says);
        const Run run = made(file(u"f.cpp"_s, text),
            {u"--train"_s, u"1000"_s, u"--heldout"_s, u"none"_s, u"--verify"_s, u"17"_s, u"--name"_s, u"wrong"_s,
                u"--replace"_s});
        QVERIFY2(run.exitCode == code, run.err.constData());
        QVERIFY2(run.err.contains(says), run.err.constData());
        QVERIFY(isPackUnchecked(run.json()[u"folder"_s].toString().toStdString()));
    }

    void restrictOfCIsUnderstoodAndItsErrorsNameThePersonsOwnLine()
    {
        const QByteArray head
            = "#include <math.h>\n\nvoid half(const float *restrict x, float *restrict y, int n)\n{\n";
        const QStringList sizes{
            u"--train"_s, u"1000"_s, u"--heldout"_s, u"none"_s, u"--verify"_s, u"17"_s, u"--name"_s, u"half"_s};
        const Run wrong
            = made(file(u"half.c"_s, head + "    for (int i = 0; i < n; ++i) y[i] = half_of(x[i]);\n}\n"), sizes);
        QCOMPARE(wrong.exitCode, 2);
        QVERIFY2(wrong.err.contains("half.c:5"), wrong.err.constData()); // as an editor counts
        QVERIFY2(wrong.json()[u"error"_s].toString().contains(u"half.c:5"_s), wrong.out.constData());
        // Mended, under the same name: what has failed does not stand in the way.
        const QString mended = file(u"half.c"_s, head + "    for (int i = 0; i < n; ++i) y[i] = 0.5f * x[i];\n}\n");
        const Run right = made(mended, sizes);
        QVERIFY2(right.exitCode == 0, right.err.constData());
        QVERIFY2(right.err.contains("replacing one that had failed"), right.err.constData());
        QCOMPARE(made(mended, sizes).exitCode, 2); // a good one does
    }

    void aFailedTryThatAPersonWorkedOnIsNotWrittenOver()
    {
        const QString source = file(u"odd.cpp"_s, "void odd(const float* x, float* y, int n) { y = nothing; }\n");
        const QStringList sizes{u"--train"_s, u"1000"_s, u"--heldout"_s, u"none"_s, u"--verify"_s, u"17"_s};
        const Run wrong = made(source, sizes);
        QCOMPARE(wrong.exitCode, 2);
        QFile seed(wrong.json()[u"folder"_s].toString() + u"/seed.cpp"_s);
        QVERIFY2(seed.open(QIODevice::Append) && seed.write("// mine\n") == 8, wrong.out.constData());
        seed.close();
        const Run again = made(source, sizes);
        QVERIFY2(again.exitCode == 2 && again.err.contains("contains a task already"), again.err.constData());
    }

    void aResultThatIsOffSaysWhereTheToleranceIsSaid()
    {
        const QString folder = made(rowSoftmax,
            {u"--train"_s, u"64x100"_s, u"--heldout"_s, u"none"_s, u"--verify"_s, u"3x17"_s, u"--name"_s, u"off"_s})
                                   .json()[u"folder"_s]
                                   .toString();
        const QString zeros = file(u"zeros.cpp"_s,
            "extern \"C\" void tilewright_run(const Args& a) { const long n = long(a.dims.rows) * a.dims.columns; "
            "for (long i = 0; i < n; ++i) a.y[i] = 0; }\n");
        const QStringList call{u"evaluate"_s, u"--task"_s, folder, u"--quick"_s, u"--source"_s, zeros};
        const Run run = cli(call);
        QCOMPARE(run.exitCode, 4);
        QVERIFY2(run.out.contains("task.json under numeric: bound sum over columns")
                && run.out.contains("--tolerance exact, rounding or sum:DIMENSION"),
            run.out.constData());
        QVERIFY(cli(call + QStringList{u"--json"_s}).json()[u"hint"_s].toString().contains(u"--tolerance"_s));
    }

    /// Each at sizes and with inputs that once refused it.
    void honestKernelsOfLongSumsRank_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("options");
        const QStringList rows{u"--train"_s, u"64x4096,64x8192"_s, u"--heldout"_s, u"none"_s, u"--verify"_s, u"3x17"_s};
        QTest::newRow("LayerNorm") << QByteArray(
            "#include <math.h>\n"
            "void norm(float* out, const float* inp, const float* weight, const float* bias, int N, int C) {\n"
            "  for (int n = 0; n < N; n++) { const float* x = inp + n * C; float m = 0.0f;\n"
            "    for (int i = 0; i < C; i++) m += x[i];\n    m = m / C;\n    float v = 0.0f;\n"
            "    for (int i = 0; i < C; i++) { float d = x[i] - m; v += d * d; }\n    v = v / C;\n"
            "    float s = 1.0f / sqrtf(v + 1e-5f);\n"
            "    for (int i = 0; i < C; i++) out[n * C + i] = s * (x[i] - m) * weight[i] + bias[i]; } }\n")
                                   << rows
                + QStringList{u"--shape"_s, u"out=N,C"_s, u"--shape"_s, u"inp=N,C"_s, u"--shape"_s, u"weight=C"_s,
                    u"--shape"_s, u"bias=C"_s};
        QTest::newRow("a dot product") << QByteArray("void norm(const float* x, const float* y, float* out, int n) {\n"
                                                     "  float s = 0; for (int i = 0; i < n; ++i) s += x[i] * y[i];\n"
                                                     "  *out = s; }\n")
                                       << QStringList{u"--train"_s, u"262144,50001"_s, u"--heldout"_s, u"none"_s,
                                              u"--verify"_s, u"1,17,1031"_s, u"--shape"_s, u"out=1"_s, u"--shape"_s,
                                              u"x=n"_s, u"--shape"_s, u"y=n"_s};
        QTest::newRow("whole vectors of aligned memory") << QByteArray(
            "typedef float wide __attribute__((vector_size(64)));\n"
            "void norm(const float* x, const float* b, float* y, int n) {\n"
            "  for (int i = 0; i < n; i += 16) *(wide*)(y + i) = *(const wide*)(x + i) + *(const wide*)(b + i); }\n")
                                                         << QStringList{u"--dimension"_s, u"n=16,16"_s, u"--train"_s,
                                                                u"4096"_s, u"--heldout"_s, u"none"_s, u"--verify"_s,
                                                                u"16,48,1040"_s};
    }

    void honestKernelsOfLongSumsRank()
    {
        QFETCH(QByteArray, text);
        QFETCH(QStringList, options);
        const Run run = made(file(u"norm.cpp"_s, text), options + QStringList{u"--replace"_s});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const QString folder = run.json()[u"folder"_s].toString();
        const Run found = cli({u"evaluate"_s, u"--task"_s, folder, u"--source"_s, folder + u"/seed.cpp"_s});
        QVERIFY2(found.exitCode == 0, found.err + found.out);
    }

    void aRemedyDoesNotRepeatTheToleranceThatIsInUse()
    {
        const QString kernel = file(u"mean.cpp"_s,
            "void mean(const float* x, float* y, int rows, int n) { for (int r = 0; r < rows; ++r) { float s = 0;\n"
            "for (int i = 0; i < n; ++i) s += x[r * n + i]; y[r] = s / n; } }\n");
        const QString wrong = file(u"wrong-mean.cpp"_s,
            "void mean(const float* x, double* y, int rows, int n) { for (int r = 0; r < rows; ++r) { double s = 0;\n"
            "for (int i = 0; i < n; ++i) s += x[r * n + i]; y[r] = s / (n + 1); } }\n");
        const Run run = made(kernel,
            {u"--train"_s, u"64x100"_s, u"--heldout"_s, u"none"_s, u"--verify"_s, u"3x17"_s, u"--reference"_s, wrong,
                u"--tolerance"_s, u"sum:n"_s});
        QCOMPARE(run.exitCode, 4);
        QVERIFY2(run.err.contains("The tolerance is already that of a sum over n (numeric.tau of task.json is 2e-05)"),
            run.err.constData());
    }

    void shapesThatWereSupposedWronglyAreToldWithTheWordThatPutsThemRight()
    {
        const QString sums = file(u"sums.cpp"_s,
            "void sums(const float* x, float* out, int rows, int cols) { float* to = out;\n"
            "for (int r = 0; r < rows; ++r) { float s = 0;\n"
            "for (int c = 0; c < cols; ++c) s += x[r * cols + c];\n to[r] = s; } }\n");
        const QStringList sizes{u"--train"_s, u"64x100"_s, u"--heldout"_s, u"none"_s, u"--verify"_s, u"3x17"_s};
        const Run wrong = made(sums, sizes);
        QVERIFY2(wrong.exitCode == 4, wrong.err.constData());
        QVERIFY2(wrong.err.contains("supposed: every tensor has the shape [rows,cols], row by row")
                && wrong.err.contains("--shape out=rows if out has one value for each of rows"),
            wrong.err.constData());
        // Evolved all the same it says on what ground.
        const QString folder = wrong.json()[u"folder"_s].toString();
        const Run evolved = cli({u"evolve"_s, u"--task"_s, folder, u"--session"_s,
            m_folder.filePath(u"unchecked.tilewright"_s), u"--evaluations"_s, u"1"_s, u"--islands"_s, u"1"_s,
            u"--proposer"_s, u"manual:"_s + m_folder.filePath(u"unchecked-letters"_s)});
        QVERIFY2(evolved.err.contains("has not passed its check")
                && evolved.err.contains("tilewright-cli tasks --check " + folder.toUtf8() + " --run"),
            evolved.err.constData());
        // A sum over the columns takes the tolerance of a sum.
        const Run right = made(
            sums, sizes + QStringList{u"--shape"_s, u"out=rows"_s, u"--replace"_s, u"--tolerance"_s, u"sum:cols"_s});
        QVERIFY2(right.exitCode == 0 && !right.err.contains("if the kernel uses another"), right.err.constData());
    }

    void aReferenceOfOnesOwnDecides()
    {
        const QString kernel = file(u"scale.cpp"_s,
            "void scale(const float* x, float* y, int n, float a) { for (int i = 0; i < n; ++i) y[i] = a * x[i]; }\n");
        const QStringList sizes{u"--train"_s, u"1000"_s, u"--heldout"_s, u"none"_s, u"--verify"_s, u"17"_s,
            u"--constant"_s, u"a=3.0f"_s, u"--reference"_s};
        const QByteArray plain
            = "void plain(const float* x, double* y, int n, float a) { for (int i = 0; i < n; ++i) y[i] = ";
        const Run right = made(kernel, sizes + QStringList{file(u"right.cpp"_s, plain + "double(a) * x[i]; }\n")});
        QVERIFY2(right.exitCode == 0, right.err.constData());
        const Run wrong
            = made(kernel, sizes + QStringList{file(u"wrong.cpp"_s, plain + "double(a) + x[i]; }\n"), u"--replace"_s});
        QVERIFY2(wrong.exitCode == 4 && wrong.err.contains("The results of the kernel and the reference differ"),
            wrong.err.constData());
    }

    void whatIsReadAndWrittenAtOnceIsRefusedWithTheWayOut()
    {
        const QString source = file(
            u"f.cpp"_s, "void f(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] += x[i]; }\n");
        const Run both = made(source, {u"--role"_s, u"y=inout"_s});
        QVERIFY2(both.exitCode == 2 && both.err.contains("an input that it reads and an output that it writes"),
            both.err.constData());
        const Run input = made(source, {u"--role"_s, u"y=input"_s});
        QVERIFY2(
            input.exitCode == 2 && input.err.contains("write results to a separate output"), input.err.constData());
    }

    void badCallsAreUsage_data()
    {
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<int>("code");
        QTest::newRow("no such function") << QStringList{u"--function"_s, u"g"_s} << 2;
        QTest::newRow("no such parameter") << QStringList{u"--shape"_s, u"z=n"_s} << 2;
        QTest::newRow("no such dimension") << QStringList{u"--shape"_s, u"x=q"_s} << 2;
        QTest::newRow("inout") << QStringList{u"--role"_s, u"y=inout"_s} << 2;
        QTest::newRow("size 0") << QStringList{u"--train"_s, u"0"_s} << 2;
        QTest::newRow("no size") << QStringList{u"--train"_s, u"many"_s} << 2;
        QTest::newRow("a product that is none") << QStringList{u"--right"_s, u"product"_s} << 2;
        QTest::newRow("unknown inputs") << QStringList{u"--inputs"_s, u"normal,huge"_s} << 2;
        QTest::newRow("no such reference") << QStringList{u"--reference"_s, u"/nonexistent.cpp:f"_s} << 6;
        QTest::newRow("a task's name that is taken") << QStringList{u"--name"_s, u"gemm-fp32-cpu"_s} << 2;
        QTest::newRow("only looked at") << QStringList{u"--dry-run"_s} << 0;
        QTest::newRow("only listed") << QStringList{u"--list"_s} << 0;
    }

    void badCallsAreUsage()
    {
        QFETCH(QStringList, more);
        QFETCH(int, code);
        const QString source = file(
            u"f.cpp"_s, "void f(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i]; }\n");
        const Run run = made(source, more);
        QVERIFY2(run.exitCode == code, run.err.constData());
        QVERIFY(code == 0 || !run.err.isEmpty());
        QVERIFY(!run.json().isEmpty());
    }

    void aTaskThatIsThereIsNotWrittenOver()
    {
        const QStringList options{u"--train"_s, u"64x100"_s, u"--heldout"_s, u"none"_s, u"--verify"_s, u"3x17"_s,
            u"--name"_s, u"kept"_s, u"--no-check"_s};
        const Run first = made(rowSoftmax, options);
        QVERIFY2(first.exitCode == 0, first.err.constData());
        QFile seed(first.json()[u"folder"_s].toString() + u"/seed.cpp"_s);
        QVERIFY(seed.open(QIODevice::Append) && seed.write("// mine\n") == 8);
        seed.close();
        const Run again = made(rowSoftmax, options);
        QCOMPARE(again.exitCode, 2);
        QVERIFY2(again.err.contains("contains a task already"), again.err.constData());
        QVERIFY(seed.open(QIODevice::ReadOnly) && seed.readAll().endsWith("// mine\n"));
        seed.close();
        QCOMPARE(made(rowSoftmax, options + QStringList{u"--replace"_s}).exitCode, 0);
        QVERIFY(seed.open(QIODevice::ReadOnly) && !seed.readAll().endsWith("// mine\n"));
    }

    void aFileThatIsNotThereIsMissing()
    {
        QCOMPARE(made(u"/nonexistent.cpp"_s, {}).exitCode, 6);
        QCOMPARE(cli({u"task-from"_s}).exitCode, 2);
        QCOMPARE(cli({u"task-from"_s, u"--help"_s}).exitCode, 0);
    }
};

TILEWRIGHT_TEST(TestTaskFrom)
#include "test_task_from.moc"
