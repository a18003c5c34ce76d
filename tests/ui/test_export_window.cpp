// SPDX-License-Identifier: GPL-3.0-or-later
// Export from the window: what can be chosen, what is refused before anything begins, what is written and what is not.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/growing_session.h"
#include "tests/ui/theatre.h"
#include "ui/exporting/export_dialog.h"
#include "ui/exporting/report_pdf.h"

#include "core/base/files.h"
#include "core/store/packed_session.h"
#include "core/store/session_reader.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QTest>

#include <sys/resource.h>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

/// The window shows a shipped session, whose file the export reads.
struct ExportStage : Theatre {
    std::string file = folder.filePath(u"demo.tilewright"_s).toStdString();
    std::shared_ptr<Snapshot> snapshot;

    explicit ExportStage(const std::string& name = "gemm-cpu")
        : Theatre(0)
    {
        if (!unpackSession(TILEWRIGHT_SOURCE_DIR "/resources/demo/" + name + ".tilewright.zst", file))
            qFatal("the demo cannot be unpacked");
        auto reader = SessionReader::open(file).value();
        snapshot = std::make_shared<Snapshot>();
        snapshot->run = reader->load().value();
        snapshot->pack = std::make_shared<const TaskPack>(reader->pack(snapshot->run).value());
        snapshot->status.sessionOpen = true;
        snapshot->status.readOnly = true; // nothing is measured here
        snapshot->status.sessionPath = file;
        client.publish(snapshot);
    }
    ExportDialog& open(const QString& action = u"session.export-winner"_s)
    {
        window->actions()[action].trigger();
        return *find<ExportDialog>(u"exportWinner"_s);
    }
    QString said() { return find<QLabel>(u"exportSaid"_s)->text(); }
    QPushButton& begin() { return *find<QPushButton>(u"exportBegin"_s); }
    void write(const QString& path) { find<QLineEdit>(u"exportFolder"_s)->setText(path); }
    bool ends()
    {
        return QTest::qWaitFor(
            [this] {
                const auto* cancel = find<QPushButton>(u"exportCancel"_s);
                return begin().isEnabled() || find<QPushButton>(u"exportOpenFolder"_s)->isVisible()
                    || !cancel->isVisible();
            },
            6 * patience);
    }
};

} // namespace

class TestExportWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theBestIsChosenAndAllConfirmedOnesAreOffered()
    {
        ExportStage stage;
        stage.open();
        const auto* box = stage.find<QComboBox>(u"exportCandidate"_s);
        QCOMPARE(box->currentData().toLongLong(), stage.snapshot->run.best()->id.value);
        const std::vector<CandidateId> offered = exportableOf(stage.snapshot->run);
        QVERIFY(!offered.empty());
        QCOMPARE(static_cast<std::size_t>(box->count()), offered.size());
        for (const CandidateId id : offered)
            QVERIFY(stage.snapshot->run.candidate(id)->confirmed);
        QVERIFY(stage.begin().isEnabled());
        QVERIFY(!stage.find<QCheckBox>(u"exportSealed"_s)->isEnabled()); // the session is read-only
    }

    void aCandidateWithoutConfirmationIsRefused()
    {
        ExportStage stage;
        CandidateId unconfirmed;
        for (const Candidate& candidate : stage.snapshot->run.candidates)
            if (!candidate.confirmed && !candidate.migrated)
                unconfirmed = candidate.id;
        QVERIFY(unconfirmed);
        stage.window->selection().select(unconfirmed);
        QVERIFY(!stage.window->actions()[u"candidate.export"_s].isEnabled());
        QVERIFY(!stage.window->actions().reasonOf(u"candidate.export"_s).isEmpty());
        stage.open().showFor(unconfirmed);
        QVERIFY(!stage.begin().isEnabled());
        QVERIFY(stage.said().contains(q(candidateName(unconfirmed))));
        stage.window->selection().select(stage.snapshot->run.best()->id);
        QVERIFY(stage.window->actions()[u"candidate.export"_s].isEnabled());
    }

    void whatIsThereIsLeftAlone()
    {
        ExportStage stage;
        stage.open();
        const QString taken = stage.folder.filePath(u"taken"_s);
        QVERIFY(QDir().mkpath(taken));
        QVERIFY(saveFile((taken + u"/mine"_s).toStdString(), "mine"));
        stage.write(taken);
        QVERIFY(!stage.begin().isEnabled());
        QVERIFY(stage.said().contains(taken));
        stage.write(stage.folder.filePath(u"no/such"_s));
        QVERIFY(!stage.begin().isEnabled());
        stage.write({});
        QVERIFY(!stage.begin().isEnabled());
        QCOMPARE(readFile((taken + u"/mine"_s).toStdString()).value(), std::string("mine"));
    }

    void aKeyThatIsMissingIsSaid()
    {
        ExportStage stage;
        stage.open();
        stage.find<QCheckBox>(u"exportSign"_s)->setChecked(true);
        QVERIFY(!stage.begin().isEnabled());
        const QString key = stage.folder.filePath(u"no-key"_s);
        stage.find<QLineEdit>(u"exportKey"_s)->setText(key);
        QVERIFY(!stage.begin().isEnabled());
        QVERIFY(stage.said().contains(key));
        QVERIFY(saveFile(key.toStdString(), "not a key\n")); // ssh-keygen refuses it: nothing is written
        stage.find<QLineEdit>(u"exportKey"_s)->setText({});
        stage.find<QLineEdit>(u"exportKey"_s)->setText(key);
        stage.find<QCheckBox>(u"exportHarness"_s)->setChecked(false);
        stage.find<QCheckBox>(u"exportPdf"_s)->setChecked(false);
        const QString folder = stage.find<QLineEdit>(u"exportFolder"_s)->text();
        stage.begin().click();
        QVERIFY(!stage.begin().isEnabled());
        QVERIFY(stage.ends());
        QVERIFY(!QDir(folder).exists());
        QVERIFY(!stage.said().isEmpty());
    }

    void theFolderHasTheSameAsThatOfTheCommandLineAndThePdf()
    {
        ExportStage stage;
        stage.open();
        stage.find<QCheckBox>(u"exportHarness"_s)->setChecked(false);
        const QString folder = stage.find<QLineEdit>(u"exportFolder"_s)->text();
        QVERIFY(!QDir(folder).exists());
        stage.begin().click();
        QVERIFY(stage.ends());
        QVERIFY2(QDir(folder).exists(), qPrintable(stage.said()));
        QVERIFY(stage.find<QPushButton>(u"exportOpenReport"_s)->isVisible());
        const auto damaged = damagedFilesIn(folder.toStdString());
        QVERIFY(damaged && damaged->empty());
        const auto expected
            = exportedFrom(stage.file, candidateName(stage.snapshot->run.best()->id), std::nullopt).value();
        for (const auto& [path, made] : expected.bundle)
            QVERIFY2(readFile(folder.toStdString() + "/" + path), path.c_str());
        QVERIFY(readFile(folder.toStdString() + "/" + reportPdf).value().starts_with("%PDF-"));
        QCOMPARE(stage.client.calls, QStringList()); // the engine was told nothing
    }

    void cancelledNothingIsWritten()
    {
        ExportStage stage;
        ExportDialog& dialog = stage.open();
        const QString folder = stage.find<QLineEdit>(u"exportFolder"_s)->text();
        stage.begin().click();
        dialog.close(); // cancels, and stays
        QVERIFY(dialog.isVisible());
        QVERIFY(stage.ends());
        QVERIFY(!QDir(folder).exists());
        dialog.close();
        QVERIFY(!dialog.isVisible());
    }

    void theNodeThatMeasuresRunsAtTheWindowsPriority()
    {
        GrowingSession recorded("[[50, 60, 70]]"); // the demo's task has no sealed shapes
        recorded.growTo(100);
        ExportStage stage;
        const QString script = stage.folder.filePath(u"node"_s), seen = stage.folder.filePath(u"niceness"_s);
        // It says at what priority it was started, and nothing else.
        const QString text = u"#!/bin/sh\nnice >%1.new && mv %1.new %1\nexec sleep 600\n"_s.arg(seen);
        QVERIFY(saveFile(script.toStdString(), text.toStdString()));
        QVERIFY(QFile::setPermissions(script, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        const QByteArray before = qgetenv("TILEWRIGHT_NODE");
        const auto restored = qScopeGuard(
            [&before] { before.isNull() ? qunsetenv("TILEWRIGHT_NODE") : qputenv("TILEWRIGHT_NODE", before); });
        qputenv("TILEWRIGHT_NODE", script.toLocal8Bit());
        stage.client.publish(recorded.snapshot());
        ExportDialog& dialog = stage.open();
        QVERIFY(stage.find<QCheckBox>(u"exportSealed"_s)->isEnabled());
        stage.begin().click();
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(seen), patience);
        QCOMPARE(std::stoi(readFile(seen.toStdString()).value()), getpriority(PRIO_PROCESS, 0));
        dialog.close(); // cancels
        QVERIFY(stage.ends());
        QVERIFY(!QDir(stage.find<QLineEdit>(u"exportFolder"_s)->text()).exists());
    }

    void everyPlotOfTheReportIsInThePrintedForm_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("CPU") << u"gemm-cpu"_s;
        QTest::newRow("GPU") << u"gemm-h200"_s;
    }

    void everyPlotOfTheReportIsInThePrintedForm()
    {
        QFETCH(QString, name);
        ExportStage stage(name.toStdString());
        const auto exported
            = exportedFrom(stage.file, candidateName(stage.snapshot->run.best()->id), std::nullopt).value();
        const std::string& html = exported.bundle.at("REPORT.html").text;
        const PrintedReport printed = printedReport(html);
        const auto countOf = [](const std::string& text, const QString& part) { return q(text).count(part); };
        QCOMPARE(static_cast<qsizetype>(printed.plots.size()), countOf(html, u"<svg "_s));
        QVERIFY(!printed.plots.empty());
        QCOMPARE(countOf(printed.html, u"<img "_s), static_cast<qsizetype>(printed.plots.size()));
        for (const char* part : {"<tr", "<td", "<h2>", "<pre>", "<li>"})
            QCOMPARE(countOf(printed.html, QString::fromLatin1(part)), countOf(html, QString::fromLatin1(part)));
        for (const char* left : {"var(", "<svg", "<details", "CanvasText", "<section"})
            QVERIFY2(printed.html.find(left) == std::string::npos, left);
        for (const auto& [file, svg] : printed.plots)
            QVERIFY(svg.find("class=") == std::string::npos && svg.find("xmlns=") != std::string::npos);
        const auto pdf = pdfOf(printed, u"c-0001"_s);
        QVERIFY(pdf && pdf->starts_with("%PDF-"));
        // qEnvironmentVariable("TILEWRIGHT_KEEP_PDF"): a folder to look at the pages in.
        if (const QString keep = qEnvironmentVariable("TILEWRIGHT_KEEP_PDF"); !keep.isEmpty())
            QVERIFY(saveFile((keep + u'/' + name + u".pdf"_s).toStdString(), *pdf));
    }
};

TILEWRIGHT_TEST(TestExportWindow)

#include "test_export_window.moc"
