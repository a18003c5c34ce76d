// SPDX-License-Identifier: GPL-3.0-or-later
// The window's program: decides what is asked, makes the engine thread, the window and nothing else.
#include "app/gui/guarded_application.h"
#include "app/gui/gui_options.h"
#include "app/gui/screenshots.h"
#include "app/gui/stall_meter.h"
#include "core/base/folders.h"
#include "core/base/format.h"
#include "core/base/last_resort.h"
#include "core/control/server.h"
#include "core/device/core_split.h"
#include "core/store/packed_session.h"
#include "core/store/session_reader.h"
#include "ui/lab/guided_demo.h"
#include "ui/lab/lab_page.h"
#include "ui/session/threaded_engine_client.h"
#include "ui/shell/main_window.h"
#include "ui/shell/tour.h"
#include "ui/theme/theme.h"
#include "ui/welcome/new_session_page.h"
#include "ui/widgets/room.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QScreen>
#include <QTemporaryDir>
#include <QTextStream>
#include <QTimer>
#include <filesystem>
#include <optional>

using namespace tilewright;
using namespace Qt::StringLiterals;

namespace {

enum ExitCode { Done = 0, Internal = 1, Usage = 2, Missing = 6 };

int complain(ExitCode code, const QString& line)
{
    QTextStream(stderr) << "tilewright: " << line << '\n';
    return code;
}

/// Screens are grabbed from a copy, so that looking changes nothing. What cannot be shown is found here, before there
/// is a window.
Result<QString> copyInto(const QTemporaryDir& folder, const QString& file)
{
    const QString copy = folder.filePath(QFileInfo(file).fileName());
    const auto reader = SessionReader::open(file.toStdString()); // what was written last stands beside the file yet
    const auto state = reader ? (*reader)->load() : std::unexpected(reader.error());
    const auto pack = state ? (*reader)->pack(*state) : std::unexpected(state.error());
    const auto copied = pack ? (*reader)->copyTo(copy.toStdString()) : std::unexpected(pack.error());
    return copied ? Result<QString>(copy) : std::unexpected(copied.error());
}

ExitCode exitCodeOf(const Error& error)
{
    return error.code == "session/missing" || error.code == "session/full" ? Missing : Usage;
}

int showWindow(int argc, char** argv, const gui::Options& options)
{
    const bool pictures = !options.screenshots.isEmpty();
    QLocale::setDefault(QLocale::c()); // every number on the screen can be copied
    gui::GuardedApplication app(argc, argv);
    gui::showFailures(app);
    leaveUsersLocale();
    QApplication::setApplicationName(u"tilewright"_s);
    QApplication::setApplicationDisplayName(u"Tilewright"_s);
    QApplication::setApplicationVersion(QStringLiteral(TILEWRIGHT_VERSION));
    std::optional<QTemporaryDir> scratch; // for pictures alone: who kills the window finds nothing left behind
    std::unique_ptr<ui::Settings> settings = pictures
        ? std::make_unique<ui::Settings>(scratch.emplace().filePath(u"settings.ini"_s))
        : std::make_unique<ui::Settings>();
    if (pictures) // of a window that was set to this theme
        settings->setTheme(ui::themeFromName(options.theme));
    settings->applyLook();
    ui::Theme::instance().apply(ui::themeFromName(options.theme).value_or(settings->theme()));

    if (std::error_code problem; !options.demo.isEmpty() && !ui::guidedDemo(options.demo)
        && !std::filesystem::exists(shippedDemo(options.demo.toStdString()), problem))
        return complain(Missing,
            u"there is no demo '%1' in %2; gemm-cpu and gemm-h200 come with Tilewright, and the guided demos strassen, scheme-to-kernel, tiles, game and kernel"_s
                .arg(options.demo,
                    QString::fromStdString(shippedDemo(options.demo.toStdString()).parent_path().string())));
    QString file = options.file;
    if (pictures) {
        QString source = options.session.isEmpty() ? options.file : options.session;
        file.clear();
        QDir(scratch->path()).mkpath(u"shipped"_s);
        QStringList demos{u"gemm-h200"_s, u"gemm-cpu"_s}; // the one of a GPU has more to show
        if (!options.demo.isEmpty() && !ui::guidedDemo(options.demo))
            demos = {options.demo};
        for (const QString& name : demos) {
            if (!source.isEmpty())
                break;
            const QString demo = scratch->filePath(u"shipped/%1.tilewright"_s.arg(name));
            const auto unpacked = unpackSession(shippedDemo(name.toStdString()), demo.toStdString());
            if (unpacked)
                source = demo;
            else if (demos.size() == 1)
                return complain(exitCodeOf(unpacked.error()), QString::fromStdString(unpacked.error().line()));
        }
        if (!source.isEmpty()) {
            const Result<QString> copy = copyInto(*scratch, source);
            if (!copy)
                return complain(exitCodeOf(copy.error()), QString::fromStdString(copy.error().line()));
            file = *copy;
        }
        if (!QDir().mkpath(options.screenshots))
            return complain(Missing, u"the folder %1 cannot be created"_s.arg(options.screenshots));
    } else if (!file.isEmpty()) {
        // Who names a file in a terminal is told there what cannot be opened, not in a window that holds nothing else.
        if (const auto reader = SessionReader::open(file.toStdString()); !reader)
            return complain(exitCodeOf(reader.error()), QString::fromStdString(reader.error().line()));
    }

    ui::ThreadedEngineClient client;
    client.invoke([](Engine& engine) { new ControlServer(engine); }); // the engine's child
    ui::MainWindow window(client, *settings);
    gui::StallMeter meter;
    window.welcome().lookAround();
    if (pictures) {
        window.resize(options.size);
        window.show();
    } else {
        window.showWhereLeft();
    }
    if (pictures && window.size() != options.size)
        return complain(Usage,
            u"--size %1x%2: the window's smallest size is %3x%4"_s.arg(options.size.width())
                .arg(options.size.height())
                .arg(window.minimumSizeHint().width())
                .arg(window.minimumSizeHint().height()));
    if (pictures)
        new gui::Screenshots(window, options.screenshots, file); // opens it when its turn comes
    else if (!file.isEmpty())
        window.openFile(file);
    else if (ui::guidedDemo(options.demo)) {
        window.showScreen(u"lab"_s);
        window.lab().beginDemo(options.demo);
    } else if (!options.demo.isEmpty())
        window.openDemo(options.demo);
    if (!pictures && options.quitAfter <= 0 && !ui::guidedDemo(options.demo) && ui::Tour::isNew(*settings))
        QTimer::singleShot(0, &window, [&window] { window.actions()[u"help.tour"_s].trigger(); });
    if (options.quitAfter > 0)
        QTimer::singleShot(static_cast<int>(options.quitAfter * 1000), &window, [&window] { window.close(); });
    const int code = QApplication::exec();
    if (!options.stallLog.isEmpty() && !meter.write(options.stallLog))
        return complain(Missing, u"%1 cannot be written"_s.arg(options.stallLog));
    return code;
}

} // namespace

int main(int argc, char** argv)
{
    installLastResort("tilewright", Internal);
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    const Result<gui::Options> options = gui::parseOptions(arguments);
    if (!options)
        return complain(Usage, QString::fromStdString(options.error().line()));
    if (options->help || options->version) {
        QTextStream(stdout) << (options->help ? gui::helpText()
                                              : u"tilewright %1\n"_s.arg(QStringLiteral(TILEWRIGHT_VERSION)));
        return Done;
    }
    if (const std::string notice = dataFolderNotice(); !notice.empty())
        QTextStream(stderr) << QString::fromStdString(notice) << '\n';
    leaveMeasuringCore();
    std::unique_ptr<QTemporaryFile> screen;
    if (!options->screenshots.isEmpty())
        screen = gui::useUnseenScreen(options->size);
    if (const QString problem = gui::displayProblem(); !problem.isEmpty())
        return complain(Missing, problem);
    return showWindow(argc, argv, *options);
}
