// SPDX-License-Identifier: GPL-3.0-or-later
// The harness of a bundle is whole: every include resolves inside of it, every source is compiled once, it needs no Qt.
// And the program it is built to, taken from this build, judges what is quickly judged. test-exported-harness compiles
// a bundle's own sources.
#include "tests/cli/cli_run.h"
#include "tests/export/exported_demo.h"
#include "tests/test_program.h"

#include "core/base/files.h"

#include <QRegularExpression>
#include <set>

using namespace tilewright;
using namespace Qt::StringLiterals;
using tilewright::testing::ExportedDemo;
namespace fs = std::filesystem;

namespace {

constexpr const char* sourcesBegin = "harness/src/";

QStringList includesIn(const std::string& text)
{
    static const QRegularExpression line(
        u"^[ \t]*#[ \t]*include[ \t]*([\"<][^\">]+)[\">]"_s, QRegularExpression::MultilineOption);
    QStringList names;
    auto found = line.globalMatch(q(text));
    while (found.hasNext())
        names << found.next().captured(1);
    return names;
}

} // namespace

class TestExportHarness : public QObject
{
    Q_OBJECT

    std::unique_ptr<ExportedDemo> m_demo;
    Bundle m_bundle;

    Run harness(const QStringList& words) const
    {
        QProcess process;
        process.setProcessEnvironment(environmentIn(m_demo->folder));
        process.start(QStringLiteral(TILEWRIGHT_HARNESS), words);
        if (!process.waitForFinished(patience))
            process.kill();
        return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    }

    static Bundle bundleWith(const ExportedDemo& demo)
    {
        const ExportRecord record = demo.bestRecord();
        ExportInput input = demo.input(record);
        input.sources = ExportedDemo::orThrow(findHarnessSources());
        return ExportedDemo::orThrow(bundleOf(input));
    }

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("TILEWRIGHT_SHARE", TILEWRIGHT_SOURCE_DIR);
        m_demo = std::make_unique<ExportedDemo>();
        m_bundle = bundleWith(*m_demo);
    }

    void everyIncludeResolvesInsideOfTheHarness()
    {
        int sources = 0;
        for (const auto& [path, file] : m_bundle) {
            const bool isSource = path.starts_with(sourcesBegin) || path.starts_with("harness/units/");
            if (!isSource && !path.starts_with("harness/third-party/"))
                continue;
            sources += isSource ? 1 : 0;
            for (const QString& include : includesIn(file.text)) {
                const std::string name = include.mid(1).toStdString();
                if (include.startsWith(u'"'))
                    QVERIFY2(m_bundle.contains(sourcesBegin + name), (path + " includes " + name).c_str());
                else if (name.starts_with("nlohmann/"))
                    QVERIFY2(m_bundle.contains("harness/third-party/" + name), (path + " includes " + name).c_str());
                else if (isSource) // a system header: of C and C++, not of Qt or another package
                    QVERIFY2(!name.starts_with("Q")
                            && (name.find('/') == std::string::npos || name.starts_with("sys/")
                                || name.starts_with("linux/") || name.starts_with("asm/")),
                        (path + " includes " + name).c_str());
            }
        }
        QVERIFY(sources > 150);
    }

    void everySourceIsCompiledOnce()
    {
        std::multiset<std::string> compiled;
        for (const auto& [path, file] : m_bundle)
            if (path.starts_with("harness/units/"))
                for (const QString& include : includesIn(file.text))
                    compiled.insert(include.mid(1).toStdString());
        for (const auto& [path, file] : m_bundle)
            if (path.starts_with(sourcesBegin) && path.ends_with(".cpp"))
                QVERIFY2(compiled.count(path.substr(std::string(sourcesBegin).size())) == 1, path.c_str());
        QVERIFY(compiled.contains("core/source/plan_header.cpp") && compiled.contains("core/node/cpu_sweep.cpp"));
    }

    void sourcesAreThoseOfTheNodeUnchanged()
    {
        for (const char* path : {"core/node/gates.cpp", "core/node/cpu_timing.cpp", "core/worker/guest.cpp"})
            QCOMPARE(
                m_bundle.at(std::string(sourcesBegin) + path).text, *readFile(fs::path(TILEWRIGHT_SOURCE_DIR) / path));
        QVERIFY(m_bundle.at("harness/src/core/source/plan_header.cpp").text.find("struct Plan") != std::string::npos);
        QVERIFY(m_bundle.contains("harness/LICENSES/Apache-2.0.txt") && m_bundle.contains("harness/LICENSES/MIT.txt"));
        QVERIFY(m_bundle.at("build").isExecutable && m_bundle.at("verify").isExecutable);
    }

    void onlyAGpusHarnessHasTheGpusWorker()
    {
        const ExportedDemo gpu("gemm-h200");
        const Bundle bundle = bundleWith(gpu);
        const std::string path = std::string(sourcesBegin) + "core/worker/cuda/nvrtc.cpp";
        QVERIFY(bundle.contains(path) && !m_bundle.contains(path));
        QVERIFY(bundle.at("build").text.find("link tilewright-cuda-worker") != std::string::npos);
        QVERIFY(m_bundle.at("build").text.find("link tilewright-cuda-worker") == std::string::npos);
    }

    void aSourceThatIsNotThereIsNamed()
    {
        const auto closure = harnessClosure(m_demo->folder.path().toStdString(), {"app/node/main.cpp"});
        QVERIFY(!closure);
        QCOMPARE(closure.error().code, std::string("export/no-harness"));
        QVERIFY(closure.error().text.find("app/node/main.cpp") != std::string::npos);
    }

    void aProgramThatDoesNotBuildIsWrong()
    {
        const fs::path to = m_demo->folder.filePath(u"bundle"_s).toStdString();
        QVERIFY(writeBundle(m_bundle, to));
        const fs::path program = m_demo->folder.filePath(u"program.cpp"_s).toStdString();
        QVERIFY(saveFile(program, m_bundle.at("source/program.cpp").text + "\nint broken(\n"));
        const Run run
            = harness({u"--bundle"_s, q(to.string()), u"--program"_s, q(program.string()), u"--quick"_s, u"--json"_s});
        QVERIFY2(run.exitCode == 1, run.out + run.err);
        const QJsonObject json = run.json();
        QCOMPARE(json[u"judgement"].toString(), u"wrong"_s);
        QCOMPARE(json[u"rule"].toString(), u"build/error"_s);
        QVERIFY(json[u"log"].toString().contains(u"error:"_s));
        QCOMPARE(json[u"is_exported_program"].toBool(), false);
    }

    void aDamagedBundleIsNotJudged()
    {
        const fs::path to = m_demo->folder.filePath(u"damaged"_s).toStdString();
        QVERIFY(writeBundle(m_bundle, to));
        QVERIFY(saveFile(to / "harness/exported.cpp", m_bundle.at("harness/exported.cpp").text + "\n// changed\n"));
        const Run changed = harness({u"--bundle"_s, q(to.string()), u"--quick"_s});
        QCOMPARE(changed.exitCode, 2);
        QVERIFY2(changed.err.contains("damaged") && changed.err.count('\n') == 1, changed.err);
        fs::remove(to / "report.json");
        const Run missing = harness({u"--bundle"_s, q(to.string())});
        QCOMPARE(missing.exitCode, 2);
        QVERIFY2(missing.err.contains("report.json") && missing.err.count('\n') == 1, missing.err);
        QCOMPARE(harness({u"--nonsense"_s}).exitCode, 2);
        QCOMPARE(harness({u"--help"_s}).exitCode, 0);
    }
};

TILEWRIGHT_TEST(TestExportHarness)
#include "test_export_harness.moc"
