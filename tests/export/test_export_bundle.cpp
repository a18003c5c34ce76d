// SPDX-License-Identifier: GPL-3.0-or-later
// A bundle is there whole or not at all, overwrites nothing, and its manifest notices what was changed.
#include "tests/export/exported_demo.h"
#include "tests/test_program.h"

#include "core/base/files.h"
#include "core/patch/patch.h"
#include "tests/patience.h"

#include <QDir>
#include <QProcess>

using namespace tilewright;
using namespace Qt::StringLiterals;
using tilewright::testing::ExportedDemo;
namespace fs = std::filesystem;

class TestExportBundle : public QObject
{
    Q_OBJECT

    std::unique_ptr<ExportedDemo> m_demo;
    QTemporaryDir m_folder;

    fs::path in(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }
    Bundle bundle() const
    {
        const ExportRecord record = m_demo->bestRecord();
        return ExportedDemo::orThrow(bundleOf(m_demo->input(record)));
    }
    /// Files and folders, hidden ones too.
    QStringList entries() const
    {
        return QDir(m_folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    }

private Q_SLOTS:
    void initTestCase() { m_demo = std::make_unique<ExportedDemo>(); }
    void init() { QVERIFY(m_folder.isValid()); }

    void patchesLeadFromTheSeedToTheProgram()
    {
        const Bundle files = bundle();
        const auto applied = applyDiff(files.at("source/seed.cpp").text, files.at("patches/against-seed.patch").text);
        QVERIFY(applied);
        QCOMPARE(applied->text, files.at("source/program.cpp").text);
        const auto onParent
            = applyDiff(files.at("source/parent.cpp").text, files.at("patches/against-parent.patch").text);
        QVERIFY(onParent);
        QCOMPARE(onParent->text, files.at("source/program.cpp").text);
    }

    void theTaskIsTheSessionsTask()
    {
        const fs::path to = in("task-check");
        QVERIFY(writeBundle(bundle(), to));
        const auto pack = loadTaskPack(to / "task" / m_demo->pack.task.name);
        QVERIFY2(pack, pack ? "" : pack.error().line().c_str());
        QVERIFY(
            pack->task == m_demo->pack.task && pack->files == m_demo->pack.files && pack->moves == m_demo->pack.moves);
        QCOMPARE(sha256(pack->blob()).hex(), m_demo->state.settings.task.hex());
    }

    void theManifestNoticesEveryKindOfDamage()
    {
        const fs::path to = in("manifest");
        QVERIFY(writeBundle(bundle(), to));
        QCOMPARE(damagedFilesIn(to)->size(), std::size_t(0));
        QVERIFY(saveFile(to / "source/program.cpp", *readFile(to / "source/program.cpp") + " "));
        fs::remove(to / "patches/against-seed.patch");
        QVERIFY(saveFile(to / "source/added.cpp", "int x;\n"));
        QCOMPARE(*damagedFilesIn(to),
            (std::vector<std::string>{"patches/against-seed.patch", "source/added.cpp", "source/program.cpp"}));
        QProcess checker;
        checker.setWorkingDirectory(q(to.string()));
        checker.start(u"sha256sum"_s, {u"-c"_s, u"--quiet"_s, u"MANIFEST.sha256"_s});
        QVERIFY(checker.waitForFinished());
        QVERIFY(checker.exitCode() != 0);
    }

    void nothingIsOverwrittenAndNothingIsLeftBehind()
    {
        const Bundle files{{"a.txt", {"a"}}};
        QDir(m_folder.path()).mkpath(u"full"_s);
        QVERIFY(saveFile(in("full") / "mine.txt", "mine"));
        QVERIFY(saveFile(in("file"), "mine"));
        const QStringList before = entries();
        for (const char* name : {"full", "file", ".", "..", "full/", "full/."}) {
            const auto written = writeBundle(files, in(name));
            QVERIFY2(!written, name);
            QCOMPARE(written.error().code, std::string("export/exists"));
        }
        QCOMPARE(writeBundle(files, in("nowhere/out")).error().code, std::string("file/missing"));
        QCOMPARE(entries(), before);
        QCOMPARE(*readFile(in("full") / "mine.txt"), std::string("mine"));
        QDir(m_folder.path()).mkpath(u"empty"_s);
        QVERIFY(writeBundle(files, in("empty")));
        QVERIFY(writeBundle(files, in("slash/")));
        QVERIFY(damagedFilesIn(in("slash"))->empty());
    }

    void aLinkIsNotFollowed()
    {
        QDir(m_folder.path()).mkpath(u"elsewhere"_s);
        fs::create_directory_symlink(in("elsewhere"), in("link"));
        QCOMPARE(writeBundle({{"a.txt", {"a"}}}, in("link")).error().code, std::string("export/exists"));
        QVERIFY(fs::is_empty(in("elsewhere")));
    }

    void aNameThatLeavesTheFolderIsRefused()
    {
        for (const char* name : {"../a", "/a", "a/../../b", "", ".", "a/"}) {
            const auto written = writeBundle({{name, {"text"}}}, in("escape"));
            QVERIFY2(!written, name);
            QCOMPARE(written.error().code, std::string("export/name"));
        }
        QVERIFY(!fs::exists(in("escape")));
    }

    void theProgramThatStandsAloneCompiles()
    {
        const fs::path to = in("alone");
        QVERIFY(writeBundle(bundle(), to));
        QProcess compiler;
        compiler.setWorkingDirectory(q((to / "source").string()));
        compiler.start(u"g++"_s, {u"-std=c++20"_s, u"-fsyntax-only"_s, u"stand-alone.cpp"_s});
        QVERIFY(compiler.waitForFinished());
        QVERIFY2(compiler.exitCode() == 0, compiler.readAllStandardError());
    }

    void theCInterfaceComputesAndAnswersMistakesByStatus()
    {
        const fs::path to = in("interface");
        QVERIFY(writeBundle(bundle(), to));
        QProcess example;
        example.start(q((to / "interface/make-example").string()), QStringList());
        QVERIFY(example.waitForFinished(patience));
        const QByteArray words = example.readAllStandardOutput();
        QVERIFY2(example.exitCode() == 0, words + example.readAllStandardError());
        QVERIFY2(words.startsWith("relative error ") && words.endsWith("ok\n"), words);
        // The header is C, of old and of C++.
        for (const char* language : {"c", "c++"}) {
            QProcess compiler;
            compiler.setWorkingDirectory(q((to / "interface").string()));
            compiler.start(u"g++"_s,
                {u"-x"_s, QLatin1String(language), u"-Wall"_s, u"-Wextra"_s, u"-Werror"_s, u"-pedantic"_s,
                    u"-fsyntax-only"_s, u"tilewright_kernel.h"_s});
            QVERIFY(compiler.waitForFinished(patience));
            QVERIFY2(compiler.exitCode() == 0, compiler.readAllStandardError());
        }
    }

    /// Compiles against PyTorch's headers, where PyTorch is installed.
    void thePyTorchOperatorComputesAndRefusesOtherTypes()
    {
        QString python;
        for (const QString& each : {u"python3"_s, u"/usr/bin/python3"_s}) {
            const QString hasHeaders = u"import os; from torch.utils.cpp_extension import include_paths; "
                                       "assert any(os.path.exists(each + '/ATen/ATen.h') "
                                       "for each in [*include_paths(), '/usr/include'])"_s;
            if (QProcess::execute(each, {u"-c"_s, hasHeaders}) == 0) {
                python = each;
                break;
            }
        }
        if (python.isEmpty())
            QSKIP("no python3 here has the module torch with its headers");
        const fs::path to = in("torch");
        QVERIFY(writeBundle(bundle(), to));
        QProcess check;
        check.start(python, {q((to / "interface/torch/check.py").string())});
        QVERIFY(check.waitForFinished(10 * patience));
        const QByteArray words = check.readAllStandardOutput();
        QVERIFY2(check.exitCode() == 0, words + check.readAllStandardError());
        QVERIFY2(words.contains("relative error ") && words.endsWith("ok\n"), words);
    }

    void aGpusProgramHasItsInterfacesWhereTheHarnessIs()
    {
        const ExportedDemo gpu("gemm-h200");
        const ExportRecord record = gpu.bestRecord();
        ExportInput input = gpu.input(record);
        const Bundle without = ExportedDemo::orThrow(bundleOf(input));
        QVERIFY(without.contains("source/program.cu") && !without.contains("interface/kernel.cpp")
            && !without.contains("interface/torch/operator.cpp"));
        QVERIFY(without.at("README.md").text.find("interface/") == std::string::npos);
        input.sources = ExportedDemo::orThrow(findHarnessSources());
        const Bundle files = ExportedDemo::orThrow(bundleOf(input));
        QVERIFY(files.at("README.md").text.find("./interface/make-example") != std::string::npos);
        const std::string& torch = files.at("interface/torch/operator.cpp").text;
        for (const char* part :
            {"TORCH_LIBRARY_IMPL(tilewright, CUDA, library)", "c10::cuda::CUDAGuard guard(A.device())",
                "c10::cuda::getCurrentCUDAStream().stream())", "checkDevice(B, \"B\", A.device());",
                "at::empty({static_cast<int64_t>(bytes)}, A.options().dtype(at::kByte))"})
            QVERIFY2(torch.find(part) != std::string::npos, part);
        for (const auto& [path, file] : files) {
            const bool isScript = path.ends_with(".sh") || path.starts_with("interface/make-");
            const bool isFilled = file.text.find("@P@") == std::string::npos;
            QVERIFY2(!path.starts_with("interface/") || (isFilled && file.isExecutable == isScript), path.c_str());
            for (std::size_t at = 0; path.starts_with("interface/units/")
                 && (at = file.text.find("#include \"", at)) != std::string::npos;) {
                at += 10;
                const std::string included = file.text.substr(at, file.text.find('"', at) - at);
                QVERIFY2(files.contains("harness/src/" + included), included.c_str());
            }
        }
        QVERIFY(files.contains("harness/src/app/kernel/cuda_kernel.cpp"));
        const fs::path to = in("gpu-interface");
        QVERIFY(writeBundle(files, to));
        const auto compiles = [&to](const QStringList& arguments) {
            QProcess compiler;
            compiler.setWorkingDirectory(q((to / "interface").string()));
            compiler.start(u"g++"_s, QStringList{u"-fsyntax-only"_s} + arguments);
            return compiler.waitForFinished(patience) && compiler.exitCode() == 0 ? QByteArray()
                                                                                  : compiler.readAllStandardError();
        };
        for (const char* language : {"c", "c++"}) {
            const QByteArray said = compiles({u"-x"_s, QLatin1String(language), u"-Wall"_s, u"-Wextra"_s, u"-Werror"_s,
                u"-pedantic"_s, u"tilewright_kernel.h"_s});
            QVERIFY2(said.isEmpty(), said);
        }
        const QByteArray said = compiles({u"-std=c++23"_s, u"-I."_s, u"-I../harness/src"_s, u"-isystem"_s,
            u"../harness/third-party"_s, u"kernel.cpp"_s});
        QVERIFY2(said.isEmpty(), said);
    }
};

TILEWRIGHT_TEST(TestExportBundle)
#include "test_export_bundle.moc"
