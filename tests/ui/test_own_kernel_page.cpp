// SPDX-License-Identifier: GPL-3.0-or-later
// "Bring your own kernel" as a user does it: a file, a function, sizes; written and checked for real; a session with
// it.
#include "tests/patience.h"
#include "tests/ui/theatre.h"
#include "ui/own/own_kernel_page.h"
#include "ui/theme/theme.h"
#include "ui/welcome/new_session_page.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

const QByteArray scale = "float twice(float x) { return 2 * x; }\n"
                         "void scale(const float* x, float* y, int n)\n"
                         "{\n    for (int i = 0; i < n; ++i)\n        y[i] = twice(x[i]);\n}\n";

/// A window on the page, and a user's folder of files.
struct Bench {
    test::Theatre stage{3};
    QTemporaryDir files;

    Bench()
    {
        work().setChecker(QStringLiteral(TILEWRIGHT_CLI));
        QTest::mouseClick(stage.find<QPushButton>(u"ownKernelAside"_s), Qt::LeftButton);
    }
    KernelWork& work() { return page().work(); }
    OwnKernelPage& page() { return stage.window->welcome().ownKernel(); }
    QString words(const char* name) { return page().findChild<QLabel*>(QString::fromLatin1(name))->text(); }
    QPushButton* button(const char* name) { return page().findChild<QPushButton*>(QString::fromLatin1(name)); }

    void type(const QString& name, const QString& text)
    {
        auto* edit = page().findChild<QLineEdit*>(name);
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, text.isEmpty() ? u" "_s : text);
        QTest::keyClick(edit, Qt::Key_Return);
    }
    QString write(const QByteArray& text, const QString& name)
    {
        QFile file(files.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("a file of the test cannot be written");
        return file.fileName();
    }
    void choose(const QByteArray& text, const QString& name = u"mine.cpp"_s)
    {
        type(u"kernelFile"_s, write(text, name));
    }
    /// As most editors save: a new file takes the name.
    void save(const QByteArray& text, const QString& name = u"mine.cpp"_s)
    {
        const QString draft = write(text, u".draft"_s);
        if (std::rename(qPrintable(draft), qPrintable(files.filePath(name))) != 0)
            qFatal("a file of the test cannot be replaced");
    }
};

} // namespace

class TestOwnKernelPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFileThatIsNoTextIsRefusedByItsPlace_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says"); // empty: it is read
        const auto row = [](const char* what, const QByteArray& bytes, const char* says) {
            QTest::newRow(what) << bytes << QString::fromLatin1(says);
        };
        row("cp1252", "// Gl\xe4ttung\n" + scale, "is not UTF-8: line 1, byte offset 5");
        row("gbk", scale + "// \xd6\xd0\xce\xc4\n", "is not UTF-8: line 7, byte offset");
        row("utf-16", "\xff\xfev\0o\0"_ba, "UTF-16 (little-endian)");
        row("binary",
            QByteArray("\x7f"
                       "ELF\0\0",
                6),
            "is a binary file");
        row("large", QByteArray((4 << 20) + 1, ' '), "at most 4194304 are read");
        row("mark and crlf", "\xef\xbb\xbf" + QByteArray(scale).replace("\n", "\r\n"), "");
    }

    /// The choice of a file that is no text leaves the window as it is: nothing is written, nothing can be started.
    void aFileThatIsNoTextIsRefusedByItsPlace()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        Bench bench;
        bench.choose(bytes);
        if (says.isEmpty()) {
            QTRY_COMPARE(bench.work().functions().size(), std::size_t(2));
            return;
        }
        QTRY_VERIFY2(bench.words("kernelFileNote").contains(says), qPrintable(bench.words("kernelFileNote")));
        QVERIFY(bench.work().functions().empty());
        QVERIFY(!bench.button("kernelStart")->isEnabled());
    }

    void aKernelBecomesATaskAndASession()
    {
        Bench context;
        QVERIFY(context.page().isVisible());
        context.choose(scale);
        QTRY_VERIFY_WITH_TIMEOUT(context.work().isDescribed(), patience);
        QCOMPARE(context.page().findChild<QComboBox*>(u"kernelFunction"_s)->currentText(), u"scale, line 2"_s);
        QCOMPARE(context.page().findChild<QLineEdit*>(u"parameterShape:0"_s)->text(), u"n"_s);
        QVERIFY(context.words("suppositions").contains(u"[n]"_s)); // what was supposed is said
        context.type(u"field:name"_s, u"my-scale"_s);
        context.type(u"field:train"_s, u"4096, 1001"_s);
        context.type(u"field:held-out"_s, u"none"_s);
        context.type(u"field:verify"_s, u"17"_s);
        QVERIFY2(context.button("kernelCheck")->isEnabled(), qPrintable(context.words("kernelFindings")));
        QVERIFY(!context.button("kernelStart")->isEnabled());
        QTest::mouseClick(context.button("kernelCheck"), Qt::LeftButton);
        QVERIFY(context.work().isBusy());
        QTRY_VERIFY_WITH_TIMEOUT(!context.work().isBusy(), patience);
        QVERIFY2(context.work().stage() == KernelWork::Stage::Good,
            qPrintable(context.words("kernelWord") + context.words("kernelRemedy")));
        QVERIFY(context.words("kernelWord").contains(u"cheating kernels are refused"_s));
        QTest::mouseClick(context.button("kernelStart"), Qt::LeftButton);
        NewSessionPage& welcome = context.stage.window->welcome();
        QVERIFY(!context.page().isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(
            welcome.tasks().chosen() && welcome.tasks().chosen()->task.name == "my-scale", patience);
        QTRY_VERIFY_WITH_TIMEOUT(welcome.choices().pack && welcome.choices().pack->task.name == "my-scale", patience);
    }

    void aNewSessionIsSetUpInItsPlaceAndItIsKept()
    {
        Bench context;
        context.choose(scale);
        QTRY_VERIFY_WITH_TIMEOUT(context.work().isDescribed(), patience);
        context.stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(context.stage.window.get(), patience));
        QTest::keyClick(context.stage.window.get(), Qt::Key_N, Qt::ControlModifier);
        QVERIFY(!context.page().isVisible());
        QVERIFY(context.stage.window->welcome().tasks().isVisible());
        QTest::mouseClick(context.stage.find<QPushButton>(u"ownKernelAside"_s), Qt::LeftButton);
        QVERIFY(context.page().isVisible() && context.work().isDescribed());
    }

    void aKernelThatIsWrongIsNotStarted()
    {
        Bench context;
        context.choose("void bad(const float* x, float* y, int n) { for (int i = 0; i <= n; ++i) y[i] = x[i]; }\n");
        QTRY_VERIFY_WITH_TIMEOUT(context.work().isDescribed(), patience);
        context.type(u"field:train"_s, u"1001"_s);
        context.type(u"field:held-out"_s, u"none"_s);
        QTest::mouseClick(context.button("kernelCheck"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!context.work().isBusy(), patience);
        QCOMPARE(context.work().stage(), KernelWork::Stage::Refused);
        QVERIFY2(context.words("kernelRemedy").contains(u"outside of its tensors"_s),
            qPrintable(context.words("kernelRemedy")));
        QVERIFY(context.words("kernelRemedy").contains(u"marked as not checked"_s));
        QVERIFY(!context.button("kernelStart")->isEnabled());
        // What is mended counts anew.
        context.type(u"field:train"_s, u"1002"_s);
        QCOMPARE(context.work().stage(), KernelWork::Stage::Described);
        QVERIFY(context.words("kernelWord").isEmpty());
    }

    void whatCannotBeTakenIsSaid_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("nothing in it") << QByteArray("int x;\n") << u"No function was found"_s;
        QTest::newRow("a template") << QByteArray("template <int N> void f(float* y, int n) {}\n")
                                    << u"is a template"_s;
        QTest::newRow("no text") << QByteArray("a\0b", 3) << u"is a binary file, not a text"_s;
        QTest::newRow("a GPU template that nobody launches")
            << QByteArray("template <int B> __global__ void f(float* y, int n) {}\n") << u"the instance is not given"_s;
    }

    void whatCannotBeTakenIsSaid()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        Bench context;
        context.choose(text);
        QTRY_VERIFY2_WITH_TIMEOUT(
            context.words("kernelFileNote").contains(says), qPrintable(context.words("kernelFileNote")), patience);
        QVERIFY(!context.button("kernelCheck")->isEnabled());
        QVERIFY(!context.page().findChild<QLineEdit*>(u"field:train"_s)->isVisible());
    }

    void aCudaKernelIsTakenWithItsLaunch()
    {
        Bench context;
        context.choose(
            "__global__ void scale(const float* x, float* y, int n)\n"
            "{\n    const int i = blockIdx.x * 256 + threadIdx.x;\n    if (i < n)\n        y[i] = 2 * x[i];\n}\n"
            "int main() { int count = 1 << 20; scale<<<(count + 255) / 256, 256>>>(a, b, count); }\n",
            u"mine.cu"_s);
        QTRY_VERIFY_WITH_TIMEOUT(context.work().isDescribed(), patience);
        auto* grid = context.page().findChild<QLineEdit*>(u"field:grid"_s);
        QVERIFY(grid->isVisible());
        QCOMPARE(grid->text(), u"(n + 255) / 256"_s);
        QCOMPARE(context.page().findChild<QLineEdit*>(u"field:block"_s)->text(), u"256"_s);
        QVERIFY2(context.words("suppositions").contains(u"launched as in line 7"_s)
                && context.words("suppositions").contains(u"main() in line 7"_s),
            qPrintable(context.words("suppositions")));
        context.type(u"field:grid"_s, u"rows"_s);
        auto* problem = context.page().findChild<QLabel*>(u"problem:grid"_s);
        QVERIFY(problem->isVisible() && problem->text().contains(u"rows"_s));
        QVERIFY(!context.button("kernelCheck")->isEnabled());
        context.type(u"field:grid"_s, u"ceil_div(n, 256)"_s);
        context.type(u"field:train"_s, u"4096, 1001"_s);
        context.type(u"field:held-out"_s, u"none"_s);
        context.type(u"field:name"_s, u"my-gpu-scale"_s);
        QVERIFY2(context.button("kernelCheck")->isEnabled(), qPrintable(context.words("kernelFindings")));
        QTest::mouseClick(context.button("kernelCheck"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!context.work().isBusy(), patience);
        // Where there is a GPU it is checked; where there is none, that is said, and nothing is pretended.
        const bool good = context.work().stage() == KernelWork::Stage::Good;
        QVERIFY2(good || context.work().stage() == KernelWork::Stage::Unchecked,
            qPrintable(context.words("kernelWord") + context.words("kernelRemedy")));
        QVERIFY(good || context.words("kernelWord").contains(u"not checked"_s));
        QVERIFY(good || context.words("kernelRemedy").contains(u"tasks --check"_s));
        QCOMPARE(context.button("kernelStart")->isEnabled(), good);
    }

    void aLaunchThatTheFileDoesNotTellIsAskedFor()
    {
        Bench context;
        context.choose("__global__ void scale(const float* x, float* y, int n) { }\n", u"mine.cu"_s);
        QTRY_VERIFY_WITH_TIMEOUT(context.work().isDescribed(), patience);
        QVERIFY(context.words("kernelFindings").contains(u"grid: is not given"_s));
        QVERIFY(!context.button("kernelCheck")->isEnabled());
        context.type(u"field:grid"_s, u"ceil_div(n, 128), 1"_s);
        context.type(u"field:block"_s, u"128, 16"_s);
        QVERIFY(context.words("kernelFindings").contains(u"2048 threads"_s));
        context.type(u"field:block"_s, u"128"_s);
        QVERIFY2(context.button("kernelCheck")->isEnabled(), qPrintable(context.words("kernelFindings")));
        // A function for the CPU is not launched.
        context.choose(scale);
        QTRY_VERIFY_WITH_TIMEOUT(
            context.work().isDescribed() && context.work().description().target == Target::Cpp, patience);
        QVERIFY(!context.page().findChild<QLineEdit*>(u"field:grid"_s)->isVisible());
    }

    void aCudaFileWithoutAKernelIsSaid()
    {
        Bench context;
        context.choose("__device__ float twice(float x) { return 2 * x; }\n", u"mine.cu"_s);
        QTRY_VERIFY2_WITH_TIMEOUT(context.words("kernelFileNote").contains(u"No kernel was found"_s),
            qPrintable(context.words("kernelFileNote")), patience);
        QVERIFY(!context.button("kernelCheck")->isEnabled());
    }

    void aFileThatIsNotThereIsSaid()
    {
        Bench context;
        context.type(u"kernelFile"_s, u"/nonexistent/kernel.cpp"_s);
        QTRY_VERIFY_WITH_TIMEOUT(context.words("kernelFileNote").contains(u"/nonexistent/kernel.cpp"_s)
                && !context.work().isBusy() && !context.work().isDescribed(),
            patience);
    }

    void aTensorThatIsReadAndWrittenAtOnceIsToldWithTheWayOut()
    {
        Bench context;
        context.choose("void grow(float* x, int n) { for (int i = 0; i < n; ++i) x[i] = 2 * x[i]; }\n");
        QTRY_VERIFY_WITH_TIMEOUT(context.work().isDescribed(), patience);
        const QString supposed = context.words("suppositions");
        QVERIFY2(supposed.contains(u"('x[i] = … x' in line 1)"_s)
                && supposed.contains(u"from an input ('const float* x_before') and write the result to x"_s),
            qPrintable(supposed));
        auto* is = context.page().findChild<QComboBox*>(u"parameterKind:0"_s);
        is->setCurrentIndex(is->findText(u"input"_s));
        Q_EMIT is->activated(is->currentIndex());
        QVERIFY2(context.words("kernelFindings").contains(u"write results to a separate output"_s),
            qPrintable(context.words("kernelFindings")));
        QVERIFY(!context.button("kernelCheck")->isEnabled());
    }

    void whatIsTypedIsJudgedAtOnce()
    {
        Bench context;
        context.choose(scale);
        QTRY_VERIFY_WITH_TIMEOUT(context.work().isDescribed(), patience);
        context.type(u"field:train"_s, u"many"_s);
        auto* problem = context.page().findChild<QLabel*>(u"problem:train"_s);
        QVERIFY(problem->isVisible() && problem->text().contains(u"not a whole number"_s));
        QVERIFY(!context.button("kernelCheck")->isEnabled());
        context.type(u"field:train"_s, u"0"_s);
        QVERIFY(context.words("kernelFindings").contains(u"sizes are from 1"_s));
        context.type(u"field:train"_s, u"1000"_s);
        QVERIFY(context.button("kernelCheck")->isEnabled());
        context.type(u"parameterShape:0"_s, u"rows"_s);
        QVERIFY(context.words("kernelFindings").contains(u"'rows' is neither a dimension nor a size"_s));
        context.type(u"parameterShape:0"_s, u"n"_s);
        QVERIFY(context.button("kernelCheck")->isEnabled());
    }

    void aSizeMayBeAConstant()
    {
        Bench context;
        context.choose(
            "void f(const float* x, float* y, int n, int width) { for (int i = 0; i < n; ++i) y[i] = width * x[i]; "
            "}\n");
        QTRY_VERIFY_WITH_TIMEOUT(context.work().isDescribed(), patience);
        auto* kind = context.page().findChild<QComboBox*>(u"parameterKind:3"_s);
        kind->setFocus();
        QTest::keyClick(kind, Qt::Key_Down);
        QTRY_COMPARE_WITH_TIMEOUT(context.work().description().dims.size(), std::size_t(1), patience);
        QVERIFY(context.words("kernelFindings").contains(u"width"_s)); // its value is asked for, the shapes follow
        context.type(u"parameterShape:3"_s, u"3"_s);
        QCOMPARE(context.page().findChild<QLineEdit*>(u"parameterShape:0"_s)->text(), u"n"_s);
        QVERIFY2(context.button("kernelCheck")->isEnabled(), qPrintable(context.words("kernelFindings")));
    }

    void aFileThatIsMendedInAnEditorIsReadAgain()
    {
        Bench context;
        context.choose("int nothing;\n");
        QTRY_VERIFY_WITH_TIMEOUT(context.words("kernelFileNote").contains(u"No function was found"_s), patience);
        context.save("void bad(const float* x, float* y, int n) { for (int i = 0; i <= n; ++i) y[i] = x[i]; }\n");
        QTRY_VERIFY_WITH_TIMEOUT(context.work().isDescribed(), patience);
        QVERIFY(!context.words("kernelFileNote").contains(u"No function"_s));
        context.type(u"field:train"_s, u"1001"_s);
        context.type(u"field:held-out"_s, u"none"_s);
        QTest::mouseClick(context.button("kernelCheck"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!context.work().isBusy(), patience);
        QCOMPARE(context.work().stage(), KernelWork::Stage::Refused);

        // Mended: the old verdict goes, what was said by hand stays, and the text that is checked is the new one.
        context.save("void bad(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i]; }\n");
        QTRY_COMPARE_WITH_TIMEOUT(context.work().stage(), KernelWork::Stage::Described, patience);
        QVERIFY2(context.words("kernelWord").contains(u"mine.cpp has changed and was read again"_s),
            qPrintable(context.words("kernelWord")));
        QVERIFY(!context.words("kernelRemedy").contains(u"outside"_s));
        QCOMPARE(context.work().description().train, (std::vector<Shape>{{1001}}));
        QTest::mouseClick(context.button("kernelCheck"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!context.work().isBusy(), patience);
        QVERIFY2(context.work().stage() == KernelWork::Stage::Good, qPrintable(context.words("kernelWord")));
    }

    void otherParametersAreTakenOverOnlyWhenThePersonSaysSo()
    {
        Bench context;
        context.choose(scale);
        QTRY_VERIFY_WITH_TIMEOUT(context.work().isDescribed(), patience);
        context.type(u"field:title"_s, u"Mine"_s);
        QVERIFY(!context.button("readKernelAgain")->isVisible());
        context.save("void scale(const float* x, const float* by, float* y, int n)\n"
                     "{ for (int i = 0; i < n; ++i) y[i] = by[i] * x[i]; }\n"
                     "void other(const float* a, float* b, int n) { for (int i = 0; i < n; ++i) b[i] = a[i]; }\n");
        QTRY_VERIFY_WITH_TIMEOUT(context.button("readKernelAgain")->isVisible(), patience);
        QVERIFY(context.words("kernelFileNote").contains(u"has other parameters now"_s));
        QVERIFY(!context.button("kernelCheck")->isEnabled()); // of a text that is not there any more
        QCOMPARE(context.work().description().parameters.size(), std::size_t(3));
        QCOMPARE(context.work().description().title, std::string("Mine"));
        QTest::mouseClick(context.button("readKernelAgain"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(context.work().description().parameters.size(), std::size_t(4), patience);
        QCOMPARE(
            context.work().description().function, std::string("scale")); // the same, though another stands behind it
        QVERIFY(!context.button("readKernelAgain")->isVisible() && context.button("kernelCheck")->isEnabled());
    }

    void aReferenceThatIsMendedIsReadAgain()
    {
        Bench context;
        context.choose(scale);
        QTRY_VERIFY_WITH_TIMEOUT(context.work().isDescribed(), patience);
        const QByteArray plain = "void plain(const float* x, double* y, int n) { for (int i = 0; i < n; ++i) y[i] = ";
        context.work().openReference(context.write(plain + "3.0 * x[i]; }\n", u"plain.cpp"_s));
        QTRY_COMPARE_WITH_TIMEOUT(context.work().description().referenceFunction, std::string("plain"), patience);
        context.save(plain + "2.0 * x[i]; }\n", u"plain.cpp"_s);
        QTRY_VERIFY_WITH_TIMEOUT(context.work().description().referenceSource.contains("2.0"), patience);
    }

    void nothingOfAnotherTaskStandsBeside()
    {
        Bench context;
        const auto* box = context.stage.find<QComboBox>(u"startFrom"_s);
        const auto* reason = context.stage.find<QLabel>(u"choicesNote"_s);
        QVERIFY(!box->isVisible() && !reason->isVisible());
        for (const QToolButton* section : context.stage.window->welcome().findChildren<QToolButton*>())
            QVERIFY2(!section->isVisible() || section->text() != nameOf(Section::Proposer), "a choice of another task");
        QVERIFY(context.stage.find<QWidget>(u"recentSessions"_s)->isVisible());
        QTest::mouseClick(context.button("kernelBack"), Qt::LeftButton);
        QVERIFY(box->isVisible());
    }

    void theWayBackKeepsTheDescription()
    {
        Bench context;
        context.choose(scale);
        QTRY_VERIFY_WITH_TIMEOUT(context.work().isDescribed(), patience);
        QTest::mouseClick(context.button("kernelBack"), Qt::LeftButton);
        QVERIFY(!context.page().isVisible());
        QTest::mouseClick(context.stage.find<QPushButton>(u"ownKernelAside"_s), Qt::LeftButton);
        QVERIFY(context.page().isVisible() && context.work().isDescribed());
    }
};

int main(int argc, char** argv)
{
    const QTemporaryDir data; // the user's own packs are not looked at
    qputenv("XDG_DATA_HOME", data.path().toLocal8Bit());
    qputenv("XDG_CACHE_HOME", (data.path() + u"/cache"_s).toLocal8Bit());
    QApplication app(argc, argv);
    Theme::instance().apply(ThemeKind::Dark);
    TestOwnKernelPage test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_own_kernel_page.moc"
