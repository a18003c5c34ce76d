// SPDX-License-Identifier: GPL-3.0-or-later
// The statistics of models in Evolve: what a user asks for first is in sight, whole, however narrow the window is.
#include "app/gui/pictures.h"
#include "tests/test_program.h"
#include "tests/ui/fits.h"
#include "tests/ui/theatre.h"
#include "ui/evolve/models_panel.h"
#include "ui/models/statistics_model.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

using namespace tilewright;
using namespace tilewright::gui;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

/// One model is in trouble, and says so at length.
struct ModelsStage : Theatre {
    explicit ModelsStage(const QSize& size)
        : Theatre(120)
    {
        window->resize(size);
        run.answer(run.ask("writer", "Make the kernel faster."), "reply", 1);
        run.learn("statistics",
            "cut-depth: +4.2 % [+2.1 %, +6.3 %] over 5 attempts, 1 failed\nprefetch: no clear gain\n"
            "unroll: −1.0 % [−2.0 %, −0.2 %] over 7 attempts\nvectors: +1.1 % [−0.4 %, +2.6 %] over 9 attempts");
        auto snapshot = std::make_shared<Snapshot>(*run.snapshot());
        ModelStatus status;
        status.name = "writer";
        status.condition = ModelCondition::Waiting;
        status.text = "3 failures, waiting 8 s: HTTP 503";
        snapshot->status.models = {status};
        client.publish(snapshot);
        for (const Picture& screen : pictures())
            if (screen.name == u"evolve-models"_s)
                screen.show(*window);
        settle(*window);
    }
};

} // namespace

class TestModelsPanel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void whatIsAskedForFirstStaysInSight_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1680") << QSize(1680, 1050);
        QTest::newRow("1280") << QSize(1280, 800);
    }

    void whatIsAskedForFirstStaysInSight()
    {
        QFETCH(const QSize, size);
        const ModelsStage stage(size);
        const auto* table = stage.find<Table>(u"statisticsTable"_s);
        QVERIFY(table->isVisible() && table->model()->rowCount() > 0);
        QCOMPARE(table->horizontalScrollBar()->value(), 0);
        const auto nameOf
            = [table](int column) { return table->model()->headerData(column, Qt::Horizontal).toString(); };
        QStringList inSight;
        for (int column = 0; column < table->model()->columnCount(); ++column) {
            QVERIFY2(!table->isColumnHidden(column)
                    && table->columnWidth(column) >= table->horizontalHeader()->sectionSizeHint(column),
                qPrintable(nameOf(column)));
            if (table->columnViewportPosition(column) + table->columnWidth(column) <= table->viewport()->width())
                inSight << nameOf(column);
        }
        QCOMPARE(inSight.mid(0, 6),
            (QStringList{u"Name"_s, u"Now"_s, u"Requests"_s, u"Mean gain, 95 %"_s, u"Tokens"_s, u"Cost"_s}));
    }

    void whatTheRunHasLearnedIsSeenInWholeLines_data() { whatIsAskedForFirstStaysInSight_data(); }

    void whatTheRunHasLearnedIsSeenInWholeLines()
    {
        QFETCH(const QSize, size);
        const ModelsStage stage(size);
        const auto* learned = stage.find<QLabel>(u"insightsLearned"_s);
        const auto* area = qobject_cast<QScrollArea*>(learned->parentWidget()->parentWidget()->parentWidget());
        QVERIFY(area && area->isVisible());
        const int line = learned->fontMetrics().lineSpacing();
        QCOMPARE(area->viewport()->height() % line, 0);
        QCOMPARE(area->verticalScrollBar()->maximum() % line, 0);
        QCOMPARE(area->verticalScrollBar()->singleStep(), line);
        QVERIFY2(area->viewport()->height() >= 4 * line, qPrintable(QString::number(area->viewport()->height())));
    }
};

TILEWRIGHT_TEST(TestModelsPanel)
#include "test_models_panel.moc"
