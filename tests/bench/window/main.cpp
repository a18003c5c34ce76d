// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window on a long session: how long until it can be used, until a session's first picture, until all of it
// is there, and how long a user who filters, pans, zooms and selects waits for each picture while new candidates
// come.
//   bench-window [--file SESSION] [--candidates N] [--rate N] [--seconds N] [--keep FILE]
// Without a session one is written first. Each figure stands beside its limit; where one is
// missed the exit code is 1.
#include "app/gui/guarded_application.h"
#include "core/base/clock.h"
#include "tests/bench/limits.h"
#include "tests/bench/window/input_meter.h"
#include "tests/bench/window/long_session.h"
#include "ui/session/threaded_engine_client.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme.h"

#include <QCommandLineParser>
#include <QEventLoop>
#include <QFile>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QTemporaryDir>
#include <QTimer>
#include <QWheelEvent>
#include <cstdio>
#include <ctime>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::bench;
using namespace Qt::StringLiterals;

namespace {

/// Seconds since the kernel started this process, to a hundredth.
double processAge()
{
    QFile file(u"/proc/self/stat"_s);
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray text = file.readAll();
    const double started = text.mid(text.lastIndexOf(')') + 2).split(' ').value(19).toDouble()
        / static_cast<double>(sysconf(_SC_CLK_TCK));
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9 - started;
}

void tell(const std::string& what, double ms, double limit)
{
    std::printf("%-44s %9.1f ms", what.c_str(), ms);
    if (limit > 0)
        std::printf("  limit %5.0f ms  %s", limit, bench::limits.hold(ms, limit));
    std::printf("\n");
    std::fflush(stdout);
}

void tell(const std::string& what, std::vector<double> times, double limit)
{
    if (times.empty())
        return;
    std::ranges::sort(times);
    const auto at = [&times](double share) { return times[static_cast<std::size_t>(share * (times.size() - 1.0))]; };
    std::printf("%-12s %5zu inputs  p50 %6.1f  p99 %6.1f  max %6.1f ms", what.c_str(), times.size(), at(0.5), at(0.99),
        times.back());
    if (limit > 0)
        std::printf("  limit of p99 %3.0f ms  %s", limit, bench::limits.hold(at(0.99), limit));
    std::printf("\n");
}

/// The run goes on without a node: candidates of the mill, published ten times a second as the engine does.
class Growth : public QObject
{
public:
    Growth(ui::ThreadedEngineClient& client, const SnapshotPtr& from, const CandidateMill& mill, int rate)
        : m_client(client)
        , m_snapshot(*from)
        , m_mill(mill)
        , m_perTick(std::max(1, rate / 10))
    {
        m_timer.setInterval(100);
        connect(&m_timer, &QTimer::timeout, this, [this] { grow(); });
        record(events::PhaseChanged{events::Phase::Running, {}, m_snapshot.run.runNs});
        m_timer.start();
    }
    int added() const { return m_added; }

private:
    void record(EventBody body)
    {
        RunState& run = m_snapshot.run;
        (void)apply(run, Event{run.run, run.lastSeq + 1, SystemClock().utc(), std::move(body)});
    }
    void grow()
    {
        for (int i = 0; i < m_perTick; ++i) {
            const int number = static_cast<int>(m_snapshot.run.candidates.size()) + 1;
            m_mill.add(number, sha256(std::to_string(number)), m_snapshot.run,
                [this](EventBody body) { record(std::move(body)); });
            ++m_added;
        }
        ++m_snapshot.version;
        m_snapshot.status.phase = m_snapshot.run.phase;
        m_snapshot.status.runNs = m_snapshot.run.runNs;
        Q_EMIT m_client.published(std::make_shared<const Snapshot>(m_snapshot));
    }

    ui::ThreadedEngineClient& m_client;
    Snapshot m_snapshot;
    const CandidateMill& m_mill;
    int m_perTick, m_added = 0;
    QTimer m_timer;
};

/// A user's inputs, one every 40 ms: three of a kind, then the next kind.
class Person : public QObject
{
public:
    Person(InputMeter& meter, const ui::MainWindow& window)
        : m_meter(meter)
        , m_filter(window.findChild<QWidget*>(u"candidateFilter"_s))
        , m_table(window.findChild<QWidget*>(u"candidateTable"_s))
        , m_lineage(window.findChild<QWidget*>(u"lineageView"_s))
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.setInterval(5);
        connect(&m_timer, &QTimer::timeout, this, [this] {
            const double due = m_sent * intervalMs, now = static_cast<double>(m_since.nsecsElapsed()) / 1e6;
            if (now >= due && m_meter.isIdle())
                act(now - due);
        });
        m_since.start();
        m_timer.start();
    }
    bool sees() const { return m_filter && m_table && m_lineage; }

private:
    static constexpr double intervalMs = 40;

    void key(const char* kind, QWidget* to, int code, const QString& text, double late)
    {
        m_meter.send(kind, to, new QKeyEvent(QEvent::KeyPress, code, Qt::NoModifier, text), late);
    }
    void mouse(const char* kind, QWidget* to, QEvent::Type type, QPointF at, double late)
    {
        const bool moves = type == QEvent::MouseMove, ends = type == QEvent::MouseButtonRelease;
        m_meter.send(kind, to,
            new QMouseEvent(type, at, to->mapToGlobal(at), moves ? Qt::NoButton : Qt::LeftButton,
                ends ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier),
            late);
    }
    void act(double late)
    {
        const int round = m_sent / 15, step = m_sent % 15;
        ++m_sent;
        const QPointF middle = m_lineage->rect().center();
        const QString typed = u"score>1"_s;
        if (step < 3) {
            if (round % 3 == 2)
                key("filter", m_filter, Qt::Key_Backspace, {}, late);
            else
                key("filter", m_filter, Qt::Key_A, typed.mid((round * 3 + step) % typed.size(), 1), late);
        } else if (step < 6) {
            key("select", m_table, Qt::Key_Down, {}, late);
        } else if (step < 9) {
            const int turn = round % 2 ? 120 : -120;
            m_meter.send("zoom", m_lineage,
                new QWheelEvent(middle, m_lineage->mapToGlobal(middle), {}, {0, turn}, Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false),
                late);
        } else if (step == 9) {
            mouse("pan", m_lineage, QEvent::MouseButtonPress, middle, late);
        } else if (step < 14) {
            mouse("pan", m_lineage, QEvent::MouseMove, middle + QPointF(12 * (step - 9), 5), late);
        } else {
            mouse("pan", m_lineage, QEvent::MouseButtonRelease, middle + QPointF(60, 5), late);
        }
    }

    InputMeter& m_meter;
    QWidget *m_filter, *m_table, *m_lineage;
    int m_sent = 0;
    QElapsedTimer m_since;
    QTimer m_timer;
};

double residentMiB()
{
    QFile file(u"/proc/self/statm"_s);
    return file.open(QIODevice::ReadOnly)
        ? file.readAll().split(' ').value(1).toDouble() * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20)
        : 0;
}

} // namespace

int main(int argc, char** argv)
{
    if (const QString problem = gui::displayProblem(); !problem.isEmpty()) {
        std::fprintf(stderr, "bench-window: %s\n", qPrintable(problem));
        return 2;
    }
    InputMeter app(argc, argv);
    QTemporaryDir folder;
    ui::Settings settings(folder.filePath(u"settings.ini"_s));
    ui::Theme::instance().apply(ui::ThemeKind::Dark);
    ui::ThreadedEngineClient client;
    ui::MainWindow window(client, settings);
    window.resize(1680, 1050);
    window.show();
    bool painted = false;
    app.setPainted([&painted] { painted = true; });
    const auto waitFor = [](const std::function<bool()>& there, int seconds) {
        QEventLoop loop;
        QTimer look;
        QObject::connect(&look, &QTimer::timeout, &loop, [&] {
            if (there())
                loop.quit();
        });
        look.start(10);
        QTimer::singleShot(seconds * 1000, &loop, &QEventLoop::quit);
        loop.exec();
        return there();
    };
    waitFor([&painted] { return painted; }, 10);
    tell("start to usable window", processAge() * 1e3, 500);

    QCommandLineParser options;
    options.addOptions({{u"file"_s, u"session that is opened"_s, u"file"_s},
        {u"keep"_s, u"written and kept"_s, u"file"_s}, {u"candidates"_s, u"of the session"_s, u"n"_s, u"100000"_s},
        {u"rate"_s, u"new ones a second"_s, u"n"_s, u"20"_s}, {u"seconds"_s, u"of inputs"_s, u"n"_s, u"30"_s}});
    options.process(app);
    const auto complain = [](const Error& error) {
        std::fprintf(stderr, "bench-window: %s\n", error.line().c_str());
        return 1;
    };
    const auto mill = CandidateMill::fromDemo(folder.path().toStdString());
    if (!mill)
        return complain(mill.error());
    QString file = options.value(u"file"_s);
    if (file.isEmpty()) {
        file = options.isSet(u"keep"_s) ? options.value(u"keep"_s) : folder.filePath(u"long.tilewright"_s);
        const int candidates = options.value(u"candidates"_s).toInt();
        if (auto written = writeLongSession(file.toStdString(), candidates, *mill); !written)
            return complain(written.error());
    }

    QElapsedTimer since;
    std::optional<double> first, whole;
    const ui::SessionClient& session = window.session();
    app.setPainted([&] {
        const Snapshot& now = session.snapshot();
        if (now.run.candidates.empty())
            return;
        const double ms = static_cast<double>(since.nsecsElapsed()) / 1e6;
        if (!first)
            first = ms;
        if (!whole && !now.status.opening)
            whole = ms;
    });
    since.start();
    window.openFile(file);
    if (!waitFor([&] { return whole.has_value(); }, 600))
        return 1;
    std::printf("%zu candidates, %zu evaluations, %.0f MiB in memory\n", session.run().candidates.size(),
        session.run().evaluations.size(), residentMiB());
    tell("opening to first picture", *first, 1000);
    tell("opening to all of it", *whole, 0);

    waitFor([] { return false; }, 3); // layouts of other threads
    Person person(app, window);
    if (!person.sees())
        return 1;
    client.invoke([](Engine& engine) { engine.blockSignals(true); }); // the run that grows is not the engine's
    Growth growth(client, session.pointer(), *mill, options.value(u"rate"_s).toInt());
    waitFor([] { return false; }, options.value(u"seconds"_s).toInt());
    std::vector<double> all;
    for (const auto& [kind, times] : app.times()) {
        tell(kind, times, 0);
        all.insert(all.end(), times.begin(), times.end());
    }
    std::printf("%d candidates came meanwhile\n", growth.added());
    tell("all", all, 50);
    return bench::limits.exitCode();
}
