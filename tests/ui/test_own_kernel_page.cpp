// SPDX-License-Identifier: GPL-3.0-or-later
// "Bring your own kernel" as a person does it: a file, a function, sizes; written and checked for real; a session with
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

/// A window on the page, and a person's folder of files.
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
        Bench desk;
        QVERIFY(desk.page().isVisible());
        desk.choose(scale);
        QTRY_VERIFY_WITH_TIMEOUT(desk.work().isDescribed(), patience);
        QCOMPARE(desk.page().findChild<QComboBox*>(u"kernelFunction"_s)->currentText(), u"scale, line 2"_s);
        QCOMPARE(desk.page().findChild<QLineEdit*>(u"parameterShape:0"_s)->text(), u"n"_s);
        QVERIFY(desk.words("suppositions").contains(u"[n]"_s)); // what was supposed is said
        desk.type(u"field:name"_s, u"my-scale"_s);
        desk.type(u"field:train"_s, u"4096, 1001"_s);
        desk.type(u"field:held-out"_s, u"none"_s);
        desk.type(u"field:verify"_s, u"17"_s);
        QVERIFY2(desk.button("kernelCheck")->isEnabled(), qPrintable(desk.words("kernelFindings")));
        QVERIFY(!desk.button("kernelStart")->isEnabled());
        QTest::mouseClick(desk.button("kernelCheck"), Qt::LeftButton);
        QVERIFY(desk.work().isBusy());
        QTRY_VERIFY_WITH_TIMEOUT(!desk.work().isBusy(), patience);
        QVERIFY2(desk.work().stage() == KernelWork::Stage::Good,
            qPrintable(desk.words("kernelWord") + desk.words("kernelRemedy")));
        QVERIFY(desk.words("kernelWord").contains(u"cheats are refused"_s));
        QTest::mouseClick(desk.button("kernelStart"), Qt::LeftButton);
        NewSessionPage& welcome = desk.stage.window->welcome();
        QVERIFY(!desk.page().isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(
            welcome.tasks().chosen() && welcome.tasks().chosen()->task.name == "my-scale", patience);
        QTRY_VERIFY_WITH_TIMEOUT(welcome.choices().pack && welcome.choices().pack->task.name == "my-scale", patience);
    }

    void aNewSessionIsSetUpInItsPlaceAndItIsKept()
    {
        Bench desk;
        desk.choose(scale);
        QTRY_VERIFY_WITH_TIMEOUT(desk.work().isDescribed(), patience);
        desk.stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(desk.stage.window.get(), patience));
        QTest::keyClick(desk.stage.window.get(), Qt::Key_N, Qt::ControlModifier);
        QVERIFY(!desk.page().isVisible());
        QVERIFY(desk.stage.window->welcome().tasks().isVisible());
        QTest::mouseClick(desk.stage.find<QPushButton>(u"ownKernelAside"_s), Qt::LeftButton);
        QVERIFY(desk.page().isVisible() && desk.work().isDescribed());
    }

    void aKernelThatIsWrongIsNotStarted()
    {
        Bench desk;
        desk.choose("void bad(const float* x, float* y, int n) { for (int i = 0; i <= n; ++i) y[i] = x[i]; }\n");
        QTRY_VERIFY_WITH_TIMEOUT(desk.work().isDescribed(), patience);
        desk.type(u"field:train"_s, u"1001"_s);
        desk.type(u"field:held-out"_s, u"none"_s);
        QTest::mouseClick(desk.button("kernelCheck"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.work().isBusy(), patience);
        QCOMPARE(desk.work().stage(), KernelWork::Stage::Refused);
        QVERIFY2(
            desk.words("kernelRemedy").contains(u"outside of its tensors"_s), qPrintable(desk.words("kernelRemedy")));
        QVERIFY(desk.words("kernelRemedy").contains(u"marked as not checked"_s));
        QVERIFY(!desk.button("kernelStart")->isEnabled());
        // What is mended counts anew.
        desk.type(u"field:train"_s, u"1002"_s);
        QCOMPARE(desk.work().stage(), KernelWork::Stage::Described);
        QVERIFY(desk.words("kernelWord").isEmpty());
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
            << QByteArray("template <int B> __global__ void f(float* y, int n) {}\n") << u"which instance is meant"_s;
    }

    void whatCannotBeTakenIsSaid()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        Bench desk;
        desk.choose(text);
        QTRY_VERIFY2_WITH_TIMEOUT(
            desk.words("kernelFileNote").contains(says), qPrintable(desk.words("kernelFileNote")), patience);
        QVERIFY(!desk.button("kernelCheck")->isEnabled());
        QVERIFY(!desk.page().findChild<QLineEdit*>(u"field:train"_s)->isVisible());
    }

    void aCudaKernelIsTakenWithItsLaunch()
    {
        Bench desk;
        desk.choose(
            "__global__ void scale(const float* x, float* y, int n)\n"
            "{\n    const int i = blockIdx.x * 256 + threadIdx.x;\n    if (i < n)\n        y[i] = 2 * x[i];\n}\n"
            "int main() { int count = 1 << 20; scale<<<(count + 255) / 256, 256>>>(a, b, count); }\n",
            u"mine.cu"_s);
        QTRY_VERIFY_WITH_TIMEOUT(desk.work().isDescribed(), patience);
        auto* grid = desk.page().findChild<QLineEdit*>(u"field:grid"_s);
        QVERIFY(grid->isVisible());
        QCOMPARE(grid->text(), u"(n + 255) / 256"_s);
        QCOMPARE(desk.page().findChild<QLineEdit*>(u"field:block"_s)->text(), u"256"_s);
        QVERIFY2(desk.words("suppositions").contains(u"launched as in line 7"_s)
                && desk.words("suppositions").contains(u"main() in line 7"_s),
            qPrintable(desk.words("suppositions")));
        desk.type(u"field:grid"_s, u"rows"_s);
        auto* problem = desk.page().findChild<QLabel*>(u"problem:grid"_s);
        QVERIFY(problem->isVisible() && problem->text().contains(u"rows"_s));
        QVERIFY(!desk.button("kernelCheck")->isEnabled());
        desk.type(u"field:grid"_s, u"ceil_div(n, 256)"_s);
        desk.type(u"field:train"_s, u"4096, 1001"_s);
        desk.type(u"field:held-out"_s, u"none"_s);
        desk.type(u"field:name"_s, u"my-gpu-scale"_s);
        QVERIFY2(desk.button("kernelCheck")->isEnabled(), qPrintable(desk.words("kernelFindings")));
        QTest::mouseClick(desk.button("kernelCheck"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.work().isBusy(), patience);
        // Where there is a GPU it is checked; where there is none, that is said, and nothing is pretended.
        const bool good = desk.work().stage() == KernelWork::Stage::Good;
        QVERIFY2(good || desk.work().stage() == KernelWork::Stage::Unchecked,
            qPrintable(desk.words("kernelWord") + desk.words("kernelRemedy")));
        QVERIFY(good || desk.words("kernelWord").contains(u"not checked"_s));
        QVERIFY(good || desk.words("kernelRemedy").contains(u"tasks --check"_s));
        QCOMPARE(desk.button("kernelStart")->isEnabled(), good);
    }

    void aLaunchThatTheFileDoesNotTellIsAskedFor()
    {
        Bench desk;
        desk.choose("__global__ void scale(const float* x, float* y, int n) { }\n", u"mine.cu"_s);
        QTRY_VERIFY_WITH_TIMEOUT(desk.work().isDescribed(), patience);
        QVERIFY(desk.words("kernelFindings").contains(u"grid: is not said"_s));
        QVERIFY(!desk.button("kernelCheck")->isEnabled());
        desk.type(u"field:grid"_s, u"ceil_div(n, 128), 1"_s);
        desk.type(u"field:block"_s, u"128, 16"_s);
        QVERIFY(desk.words("kernelFindings").contains(u"2048 threads"_s));
        desk.type(u"field:block"_s, u"128"_s);
        QVERIFY2(desk.button("kernelCheck")->isEnabled(), qPrintable(desk.words("kernelFindings")));
        // A function for the CPU is not launched.
        desk.choose(scale);
        QTRY_VERIFY_WITH_TIMEOUT(
            desk.work().isDescribed() && desk.work().description().target == Target::Cpp, patience);
        QVERIFY(!desk.page().findChild<QLineEdit*>(u"field:grid"_s)->isVisible());
    }

    void aCudaFileWithoutAKernelIsSaid()
    {
        Bench desk;
        desk.choose("__device__ float twice(float x) { return 2 * x; }\n", u"mine.cu"_s);
        QTRY_VERIFY2_WITH_TIMEOUT(desk.words("kernelFileNote").contains(u"No kernel was found"_s),
            qPrintable(desk.words("kernelFileNote")), patience);
        QVERIFY(!desk.button("kernelCheck")->isEnabled());
    }

    void aFileThatIsNotThereIsSaid()
    {
        Bench desk;
        desk.type(u"kernelFile"_s, u"/nonexistent/kernel.cpp"_s);
        QTRY_VERIFY_WITH_TIMEOUT(desk.words("kernelFileNote").contains(u"/nonexistent/kernel.cpp"_s)
                && !desk.work().isBusy() && !desk.work().isDescribed(),
            patience);
    }

    void aTensorThatIsReadAndWrittenAtOnceIsToldWithTheWayOut()
    {
        Bench desk;
        desk.choose("void grow(float* x, int n) { for (int i = 0; i < n; ++i) x[i] = 2 * x[i]; }\n");
        QTRY_VERIFY_WITH_TIMEOUT(desk.work().isDescribed(), patience);
        const QString supposed = desk.words("suppositions");
        QVERIFY2(supposed.contains(u"('x[i] = … x' in line 1)"_s)
                && supposed.contains(u"from an input of its own ('const float* x_before') and write the result to x"_s),
            qPrintable(supposed));
        auto* is = desk.page().findChild<QComboBox*>(u"parameterKind:0"_s);
        is->setCurrentIndex(is->findText(u"input"_s));
        Q_EMIT is->activated(is->currentIndex());
        QVERIFY2(desk.words("kernelFindings").contains(u"write what it computes to an output of its own"_s),
            qPrintable(desk.words("kernelFindings")));
        QVERIFY(!desk.button("kernelCheck")->isEnabled());
    }

    void whatIsTypedIsJudgedAtOnce()
    {
        Bench desk;
        desk.choose(scale);
        QTRY_VERIFY_WITH_TIMEOUT(desk.work().isDescribed(), patience);
        desk.type(u"field:train"_s, u"many"_s);
        auto* problem = desk.page().findChild<QLabel*>(u"problem:train"_s);
        QVERIFY(problem->isVisible() && problem->text().contains(u"not a whole number"_s));
        QVERIFY(!desk.button("kernelCheck")->isEnabled());
        desk.type(u"field:train"_s, u"0"_s);
        QVERIFY(desk.words("kernelFindings").contains(u"sizes are from 1"_s));
        desk.type(u"field:train"_s, u"1000"_s);
        QVERIFY(desk.button("kernelCheck")->isEnabled());
        desk.type(u"parameterShape:0"_s, u"rows"_s);
        QVERIFY(desk.words("kernelFindings").contains(u"'rows' is neither a dimension nor a size"_s));
        desk.type(u"parameterShape:0"_s, u"n"_s);
        QVERIFY(desk.button("kernelCheck")->isEnabled());
    }

    void aSizeMayBeAConstant()
    {
        Bench desk;
        desk.choose(
            "void f(const float* x, float* y, int n, int width) { for (int i = 0; i < n; ++i) y[i] = width * x[i]; "
            "}\n");
        QTRY_VERIFY_WITH_TIMEOUT(desk.work().isDescribed(), patience);
        auto* kind = desk.page().findChild<QComboBox*>(u"parameterKind:3"_s);
        kind->setFocus();
        QTest::keyClick(kind, Qt::Key_Down);
        QTRY_COMPARE_WITH_TIMEOUT(desk.work().description().dims.size(), std::size_t(1), patience);
        QVERIFY(desk.words("kernelFindings").contains(u"width"_s)); // its value is asked for, the shapes follow
        desk.type(u"parameterShape:3"_s, u"3"_s);
        QCOMPARE(desk.page().findChild<QLineEdit*>(u"parameterShape:0"_s)->text(), u"n"_s);
        QVERIFY2(desk.button("kernelCheck")->isEnabled(), qPrintable(desk.words("kernelFindings")));
    }

    void aFileThatIsMendedInAnEditorIsReadAgain()
    {
        Bench desk;
        desk.choose("int nothing;\n");
        QTRY_VERIFY_WITH_TIMEOUT(desk.words("kernelFileNote").contains(u"No function was found"_s), patience);
        desk.save("void bad(const float* x, float* y, int n) { for (int i = 0; i <= n; ++i) y[i] = x[i]; }\n");
        QTRY_VERIFY_WITH_TIMEOUT(desk.work().isDescribed(), patience);
        QVERIFY(!desk.words("kernelFileNote").contains(u"No function"_s));
        desk.type(u"field:train"_s, u"1001"_s);
        desk.type(u"field:held-out"_s, u"none"_s);
        QTest::mouseClick(desk.button("kernelCheck"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.work().isBusy(), patience);
        QCOMPARE(desk.work().stage(), KernelWork::Stage::Refused);

        // Mended: the old verdict goes, what was said by hand stays, and the text that is checked is the new one.
        desk.save("void bad(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i]; }\n");
        QTRY_COMPARE_WITH_TIMEOUT(desk.work().stage(), KernelWork::Stage::Described, patience);
        QVERIFY2(desk.words("kernelWord").contains(u"mine.cpp has changed and was read again"_s),
            qPrintable(desk.words("kernelWord")));
        QVERIFY(!desk.words("kernelRemedy").contains(u"outside"_s));
        QCOMPARE(desk.work().description().train, (std::vector<Shape>{{1001}}));
        QTest::mouseClick(desk.button("kernelCheck"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.work().isBusy(), patience);
        QVERIFY2(desk.work().stage() == KernelWork::Stage::Good, qPrintable(desk.words("kernelWord")));
    }

    void otherParametersAreTakenOverOnlyWhenThePersonSaysSo()
    {
        Bench desk;
        desk.choose(scale);
        QTRY_VERIFY_WITH_TIMEOUT(desk.work().isDescribed(), patience);
        desk.type(u"field:title"_s, u"Mine"_s);
        QVERIFY(!desk.button("readKernelAgain")->isVisible());
        desk.save("void scale(const float* x, const float* by, float* y, int n)\n"
                  "{ for (int i = 0; i < n; ++i) y[i] = by[i] * x[i]; }\n"
                  "void other(const float* a, float* b, int n) { for (int i = 0; i < n; ++i) b[i] = a[i]; }\n");
        QTRY_VERIFY_WITH_TIMEOUT(desk.button("readKernelAgain")->isVisible(), patience);
        QVERIFY(desk.words("kernelFileNote").contains(u"takes other parameters now"_s));
        QVERIFY(!desk.button("kernelCheck")->isEnabled()); // of a text that is not there any more
        QCOMPARE(desk.work().description().parameters.size(), std::size_t(3));
        QCOMPARE(desk.work().description().title, std::string("Mine"));
        QTest::mouseClick(desk.button("readKernelAgain"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(desk.work().description().parameters.size(), std::size_t(4), patience);
        QCOMPARE(desk.work().description().function, std::string("scale")); // the same, though another stands behind it
        QVERIFY(!desk.button("readKernelAgain")->isVisible() && desk.button("kernelCheck")->isEnabled());
    }

    void aReferenceThatIsMendedIsReadAgain()
    {
        Bench desk;
        desk.choose(scale);
        QTRY_VERIFY_WITH_TIMEOUT(desk.work().isDescribed(), patience);
        const QByteArray plain = "void plain(const float* x, double* y, int n) { for (int i = 0; i < n; ++i) y[i] = ";
        desk.work().openReference(desk.write(plain + "3.0 * x[i]; }\n", u"plain.cpp"_s));
        QTRY_COMPARE_WITH_TIMEOUT(desk.work().description().referenceFunction, std::string("plain"), patience);
        desk.save(plain + "2.0 * x[i]; }\n", u"plain.cpp"_s);
        QTRY_VERIFY_WITH_TIMEOUT(desk.work().description().referenceSource.contains("2.0"), patience);
    }

    void nothingOfAnotherTaskStandsBeside()
    {
        Bench desk;
        const auto* box = desk.stage.find<QComboBox>(u"startFrom"_s);
        const auto* reason = desk.stage.find<QLabel>(u"choicesNote"_s);
        QVERIFY(!box->isVisible() && !reason->isVisible());
        for (const QToolButton* section : desk.stage.window->welcome().findChildren<QToolButton*>())
            QVERIFY2(!section->isVisible() || section->text() != nameOf(Section::Proposer), "a choice of another task");
        QVERIFY(desk.stage.find<QWidget>(u"recentSessions"_s)->isVisible());
        QTest::mouseClick(desk.button("kernelBack"), Qt::LeftButton);
        QVERIFY(box->isVisible());
    }

    void theWayBackKeepsTheDescription()
    {
        Bench desk;
        desk.choose(scale);
        QTRY_VERIFY_WITH_TIMEOUT(desk.work().isDescribed(), patience);
        QTest::mouseClick(desk.button("kernelBack"), Qt::LeftButton);
        QVERIFY(!desk.page().isVisible());
        QTest::mouseClick(desk.stage.find<QPushButton>(u"ownKernelAside"_s), Qt::LeftButton);
        QVERIFY(desk.page().isVisible() && desk.work().isDescribed());
    }
};

int main(int argc, char** argv)
{
    const QTemporaryDir data; // the person's own packs are not looked at
    qputenv("XDG_DATA_HOME", data.path().toLocal8Bit());
    qputenv("XDG_CACHE_HOME", (data.path() + u"/cache"_s).toLocal8Bit());
    QApplication app(argc, argv);
    Theme::instance().apply(ThemeKind::Dark);
    TestOwnKernelPage test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_own_kernel_page.moc"
