// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the window on a made-up run, to look at it: show-fixture [light|dark|contrast] [candidates] [screen] [WxH]
// [live] [asked] [act=ACTION] [grab=FILE]: what changes on, with the candidate of a model chosen, with what an action
// opens, into a picture
#include "app/gui/pictures.h"
#include "tests/ui/fixture.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme.h"
#include "ui/welcome/new_session_page.h"

#include <QApplication>
#include <QScreen>
#include <QTemporaryDir>
#include <QTimer>

using namespace tilewright;
using namespace Qt::StringLiterals;

namespace {

/// Some that wait, for each island in turn as it asks, and one of each word.
void fillReviews(test::FixtureRun& run)
{
    run.record(events::ReviewPolicyChanged{IslandId{}, ReviewPolicy::Every});
    run.record(events::ReviewLimitChanged{4});
    run.decide(run.awaitReview({"touches casts"}), Decision::Rejected, "reads past the end of a row");
    run.decide(run.awaitReview({}), Decision::Approved, {});
    const CandidateId edited = run.awaitReview({"57 changed lines"});
    run.decide(edited, Decision::Edited, "kept the guard", CandidateId{2});
    const ModelRequestId asked = run.ask("writer", "Make the kernel faster.");
    ModelRequestAnswer answer;
    answer.model = "writer";
    answer.reply = run.state().modelRequest(ModelRequestId{1})->answer.reply;
    answer.tokens.input = 6120;
    answer.tokens.outputVisible = 1480;
    answer.costMicroUsd = 40'400;
    run.record(events::Answered{asked, answer, run.state().runNs});
    run.awaitReview({"57 changed lines", "touches intrinsics or assembly: _mm512_fmadd_ps"}, asked);
    run.awaitReview({});
    run.awaitReview({"needed a repair"});
    run.decide(run.awaitReview({"touches casts", "warning: static/clock"}), Decision::Deferred, {});
}

} // namespace

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    const QStringList arguments = app.arguments();
    ui::Theme::instance().apply(ui::themeFromName(arguments.value(1)).value_or(ui::ThemeKind::Dark));
    QTemporaryDir folder;
    ui::Settings settings(folder.filePath(u"settings.ini"_s));
    test::FixtureRun run;
    run.grow(arguments.value(2, u"300"_s).toInt());
    test::RecordedClient client;
    client.fixture = &run;
    ui::MainWindow window(client, settings);
    window.welcome().lookAround();
    const QStringList size = arguments.value(4, u"1680x1050"_s).split(u'x');
    window.resize(size.value(0).toInt(), size.value(1).toInt());
    window.show();
    const QString wanted = arguments.value(3, u"evolve"_s);
    QTimer::singleShot(50, &window, [&] {
        if (arguments.value(2) != u"0"_s) {
            run.answer(run.ask("writer", "Make the kernel faster.\nIt runs at 2.1x of the baseline."),
                "Two ideas.\n<proposal>\n<diff>\n-a\n+b\n</diff>\n</proposal>\n<proposal>\n<diff>\n-c\n+d\n</diff>\n"
                "</proposal>\n",
                2);
            run.learn(
                "statistics", "cut-depth: +4.2 % [+2.1 %, +6.3 %] over 5 attempts, 1 failed\nprefetch: no clear gain");
            run.learn("person", "Keep the tile at 4 rows; the small shapes suffer from more.");
            if (wanted == u"review"_s)
                fillReviews(run);
            std::vector<ModelRequestId> open;
            for (int i = 0; i < 3; ++i)
                open.push_back(run.ask("",
                    "## Goal\nMake the GEMM kernel below faster on this CPU.\n\n## Kernel\n"
                    "constexpr int TILE_ROWS = 4;\nconstexpr int TILE_COLUMNS = 16;\n"));
            auto snapshot = std::make_shared<Snapshot>(*run.snapshot());
            snapshot->status.openModelRequests = open;
            snapshot->status.answersByHand = true;
            snapshot->status.islandTrouble[IslandId{2}] = "writer: 3 failures, waiting 8 s";
            ModelStatus status;
            status.name = "writer";
            status.condition = ModelCondition::Waiting;
            status.text = "3 failures, waiting 8 s: HTTP 503";
            snapshot->status.models = {status};
            snapshot->run.settings.budget.tokens = 2'000'000;
            snapshot->run.settings.budget.costMicroUsd = 25'000'000;
            client.publish(snapshot);
        }
        for (const gui::Picture& screen : gui::pictures())
            if (screen.name == wanted)
                screen.show(window);
        if (arguments.contains(u"asked"_s))
            for (const Candidate& candidate : run.state().candidates)
                if (const Proposal* proposal = run.state().proposal(candidate.proposal);
                    proposal && proposal->modelRequest)
                    window.selection().select(candidate.id);
    });
    for (const QString& argument : arguments)
        if (argument.startsWith(u"act="_s))
            QTimer::singleShot(700, &window, [&window, id = argument.mid(4)] { window.actions()[id].trigger(); });
    for (const QString& argument : arguments)
        if (argument.startsWith(u"grab="_s))
            QTimer::singleShot(1500, &window, [&window, file = argument.mid(5)] {
                const QWidget* popup = QApplication::activePopupWidget();
                (popup ? window.screen()->grabWindow(0) : window.grab()).save(file);
                QApplication::quit();
            });
    QTimer live;
    if (arguments.contains(u"live"_s)) {
        QObject::connect(&live, &QTimer::timeout, &window, [&] {
            run.grow(2);
            client.publish(run.snapshot());
        });
        live.start(100);
    }
    return app.exec();
}
