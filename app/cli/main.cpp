// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli: the headless half of Tilewright. Finds the subcommand; everything else is the subcommand's.
#include "app/cli/subcommands.h"

#include "core/base/files.h"
#include "core/base/folders.h"
#include "core/base/format.h"
#include "core/base/last_resort.h"
#include "core/base/text.h"
#include "core/device/core_split.h"

#include <QCoreApplication>
#include <array>
#include <csignal>
#include <cstdio>
#include <exception>

namespace {

using namespace tilewright::cli;

constexpr std::array commands{
    Subcommand{"blame", "candidate that introduced each line of a program", blame},
    Subcommand{"compare", "compare programs", compare},
    Subcommand{"control", "control a running session", control},
    Subcommand{"demo", "replay a recorded session", demo},
    Subcommand{"doctor", "report this machine's components and the effect of missing ones", doctor},
    Subcommand{"evaluate", "build, check and time one program", evaluate},
    Subcommand{"evolve", "evolve a task's kernel in a new session", evolve},
    Subcommand{"export", "write a candidate with its evidence as a folder to hand over", exportCandidate},
    Subcommand{"lineage", "write the session as a git repository", lineage},
    Subcommand{"listing", "the PTX, SASS or assembly of a candidate", listing},
    Subcommand{"patch", "apply a model's reply to a program", patch},
    Subcommand{"resume", "continue a session", resume},
    Subcommand{"save", "write a candidate's program as a self-contained file", save},
    Subcommand{"show", "show the content of a session", show},
    Subcommand{"task-from", "create a task from your own kernel", taskFrom},
    Subcommand{"tasks", "list the task packs, or check one", tasks},
    Subcommand{"tensor", "verify, lift and compose schemes of matrix multiplication", tensor},
    Subcommand{"tiling", "measure a map of tiles", tiling},
};

void printOverview(std::FILE* to)
{
    std::fprintf(to, "tilewright-cli COMMAND [options]\n\nCommands:\n");
    for (const Subcommand& command : commands)
        std::fprintf(to, "  %-10s %s\n", command.name, command.summary);
    std::fprintf(to,
        "\n'tilewright-cli COMMAND --help' shows the options and exit codes of a command.\nExit codes: 0 done · 1 "
        "internal · 2 usage or invalid input file · 3 patch refused · 4 refused by a rule or\nquarantined · 5 build or "
        "run failure · 6 device, toolkit, file or space missing · 7 session locked · 130 interrupted\n");
}

/// The exit code of a command that has printed: what could not be written is not done.
int afterPrinting(int code)
{
    if (std::fflush(stdout) == 0 && !std::ferror(stdout))
        return code;
    complain("standard output could not be written: its reader has closed it");
    return code == Done ? int(Internal) : code;
}

/// An exception in the handling of an event ends the program here, before it crosses the event loop.
class Application : public QCoreApplication
{
public:
    using QCoreApplication::QCoreApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        try {
            return QCoreApplication::notify(receiver, event);
        } catch (...) {
            std::terminate(); // the last resort says what failed
        }
    }
};

/// What is wrong with the command line itself; empty if every argument is a text.
std::string objectionTo(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i)
        if (const auto checked = tilewright::checkText(argv[i], "argument " + std::to_string(i)); !checked)
            return checked.error().text + " ('" + tilewright::printable(argv[i]) + "')"
                + " — use UTF-8; rename a file whose name is not UTF-8";
    return {};
}

} // namespace

int main(int argc, char** argv)
{
    tilewright::installLastResort("tilewright-cli", Internal);
    std::signal(SIGPIPE, SIG_IGN);
    if (const std::string objection = objectionTo(argc, argv); !objection.empty()) {
        complain(objection);
        return Usage;
    }
    tilewright::leaveMeasuringCore();
    Application application(argc, argv);
    tilewright::leaveUsersLocale();
    QCoreApplication::setApplicationName(QStringLiteral("tilewright-cli"));
    QCoreApplication::setApplicationVersion(QStringLiteral(TILEWRIGHT_VERSION));
    const QStringList arguments = QCoreApplication::arguments().mid(1);
    const QString name = arguments.isEmpty() ? QString() : arguments.first();
    if (name == QStringLiteral("--version")) {
        std::printf("tilewright-cli %s\n", TILEWRIGHT_VERSION);
        return afterPrinting(Done);
    }
    if (name.isEmpty() || name == QStringLiteral("--help") || name == QStringLiteral("-h")) {
        printOverview(name.isEmpty() ? stderr : stdout);
        return name.isEmpty() ? int(Usage) : afterPrinting(Done);
    }
    if (const std::string notice = tilewright::dataFolderNotice(); !notice.empty())
        complain(notice);
    for (const Subcommand& command : commands)
        if (name == QString::fromLatin1(command.name))
            return afterPrinting(command.run(arguments.mid(1)));
    complain("unknown command '" + name.toStdString() + "' (see tilewright-cli --help)");
    return Usage;
}
