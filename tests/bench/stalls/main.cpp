// SPDX-License-Identifier: GPL-3.0-or-later
// How long does the window's event loop stall during a whole run? Opens the window as the program does, makes a new
// session in a folder that goes away, runs it to its end and prints how long an input would have waited that came at a
// random moment (p50, p99, the share of time with more than 16 and 100 ms), and the longest stall, as one JSON object.
//   bench-stalls [--task NAME|FOLDER] [--evaluations N] [--seed N]
#include "app/gui/guarded_application.h"
#include "app/gui/stall_meter.h"
#include "core/device/core_split.h"
#include "ui/session/threaded_engine_client.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QTemporaryDir>
#include <cstdio>

using namespace tilewright;
using namespace Qt::StringLiterals;

namespace {

int complain(const QString& line)
{
    std::fprintf(stderr, "bench-stalls: %s\n", qPrintable(line));
    return 2;
}

/// Waits for the run's end, then prints and closes the window.
class Watch : public QObject
{
public:
    explicit Watch(ui::MainWindow& window)
        : m_window(window)
    {
        connect(&window.session(), &ui::SessionClient::failed, this,
            [this](const QString&, const QString& text, const QString& hint) {
                complain(text + u" — "_s + hint);
                m_window.close();
            });
        connect(&window.session(), &ui::SessionClient::changed, this, [this] { look(); });
    }

    bool finished = false;

private:
    void look()
    {
        const Snapshot& now = m_window.session().snapshot();
        if (now.status.phase == events::Phase::Running && !m_meter)
            m_meter.emplace();
        else if (m_meter && !m_told && now.status.phase != events::Phase::Running)
            tell(now);
    }

    void tell(const Snapshot& now)
    {
        m_told = true;
        finished = now.status.phase == events::Phase::Finished;
        const gui::StallSummary stalls = m_meter->summary();
        const Candidate* best = now.run.best();
        const nlohmann::json json{{"task", now.run.settings.taskName}, {"evaluations", now.run.evaluationsStarted},
            {"wall_s", static_cast<double>(now.run.runNs) * 1e-9}, {"ended", now.run.phaseReason},
            {"best", best ? nlohmann::json(best->score->value) : nlohmann::json(nullptr)}, {"ticks", stalls.ticks},
            {"p50_ms", stalls.p50Ms}, {"p99_ms", stalls.p99Ms}, {"max_ms", stalls.maxMs},
            {"over_16_ms", stalls.overFrame}, {"over_100_ms", stalls.overTenth}};
        std::printf("%s\n", json.dump().c_str());
        m_window.close();
    }

    ui::MainWindow& m_window;
    std::optional<gui::StallMeter> m_meter; ///< from the start of the run on
    bool m_told = false;
};

} // namespace

int main(int argc, char** argv)
{
    leaveMeasuringCore();
    if (const QString problem = gui::displayProblem(); !problem.isEmpty())
        return complain(problem);
    QApplication app(argc, argv);
    QCommandLineParser options;
    options.addOptions({{u"task"_s, u"task pack"_s, u"name"_s, u"gemm-fp32-cpu"_s},
        {u"evaluations"_s, u"budget"_s, u"n"_s, u"300"_s}, {u"seed"_s, u"of the run"_s, u"n"_s, u"1"_s}});
    options.process(app);
    const auto pack = findTaskPack(options.value(u"task"_s).toStdString());
    const int evaluations = options.value(u"evaluations"_s).toInt();
    if (!pack || evaluations < 1)
        return complain(pack ? u"--evaluations takes a number"_s : QString::fromStdString(pack.error().text));

    QTemporaryDir folder;
    ui::Settings settings(folder.filePath(u"settings.ini"_s));
    ui::Theme::instance().apply(ui::ThemeKind::Dark);
    ui::ThreadedEngineClient client;
    ui::MainWindow window(client, settings);
    window.resize(1680, 1050);
    window.show();
    Watch watch(window);
    NewSession session;
    session.path = folder.filePath(u"stalls.tilewright"_s);
    session.pack = *pack;
    session.settings.taskName = pack->task.name;
    session.settings.task = sha256(pack->blob());
    session.settings.seed = options.value(u"seed"_s).toULongLong();
    session.settings.budget.evaluations = evaluations;
    client.create(session);
    QApplication::exec();
    return watch.finished ? 0 : 1;
}
