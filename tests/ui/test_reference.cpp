// SPDX-License-Identifier: GPL-3.0-or-later
// The reference that a user chose: table and inspector tell each candidate's speed against it.
#include "core/model/parent_change.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/theatre.h"
#include "ui/evolve/candidate_table.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table.h"

#include <QLabel>
#include <QSignalSpy>
#include <QSplitter>
#include <QTableView>
#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

class TestReference : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void tableAndInspectorCompareWithWhoWasChosen()
    {
        Theatre stage(60);
        stage.open();
        const RunState& run = stage.run.state();
        const CandidateId chosen = run.best()->id;
        const auto* table = stage.find<Table>(u"candidateTable"_s);
        const QAbstractItemModel& model = *table->model();
        constexpr int column = static_cast<int>(CandidateModel::Column::Parent);
        const auto header = [&] { return model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(); };
        QCOMPARE(header(), u"vs parent"_s);
        SelectionContext& selection = stage.window->selection();
        QSignalSpy retold(&model, &QAbstractItemModel::headerDataChanged);
        selection.setReference(chosen);
        QCOMPARE(retold.count(), 1); // else the heading keeps its old name over new figures
        QCOMPARE(header(), u"vs "_s + nameOfCandidate(chosen));
        int told = 0, unlikeParent = 0;
        for (int row = 0; row < model.rowCount(); ++row) {
            const CandidateId id{model.index(row, 0).data(CandidateModel::IdRole).toLongLong()};
            const auto change = versusOther(run, *run.candidate(id), chosen);
            const QString shown = model.index(row, column).data().toString();
            QCOMPARE(shown,
                !change                       ? u"–"_s
                    : change->isWithinNoise() ? u"within noise"_s
                                              : signedPercent(change->ratio.value));
            told += change.has_value();
            unlikeParent += change && change != versusParent(run, *run.candidate(id));
            QVERIFY(id != chosen || !change); // itself has none
        }
        QVERIFY(told > 5 && unlikeParent > 5);
        // Ordered by what is shown.
        const_cast<QAbstractItemModel&>(model).sort(column, Qt::DescendingOrder);
        double last = 1e9;
        for (int row = 0; row < model.rowCount(); ++row) {
            const CandidateId id{model.index(row, 0).data(CandidateModel::IdRole).toLongLong()};
            const auto change = versusOther(run, *run.candidate(id), chosen);
            QVERIFY(!change || change->ratio.value <= last);
            last = change ? change->ratio.value : last;
        }
        selection.select({1});
        const auto* line = stage.find<QLabel>(u"versusReference"_s);
        QVERIFY(line->isVisible());
        QVERIFY2(line->text()
                     .replace(QChar::Nbsp, u' ')
                     .startsWith(u"vs %1, your reference: "_s.arg(nameOfCandidate(chosen))),
            qPrintable(line->text()));
        selection.select(chosen);
        QVERIFY(!line->isVisible());
        const auto* is = stage.find<QLabel>(u"isReference"_s);
        QVERIFY(is->isVisible());
        QVERIFY2(is->accessibleName().startsWith(u"This is your reference"_s)
                && is->accessibleName().contains(u"Ctrl+B on another"_s),
            qPrintable(is->accessibleName()));
        Q_EMIT const_cast<QLabel*>(is)->linkActivated(u"parents"_s);
        QVERIFY(!is->isVisible() && !selection.reference());
        selection.setReference(chosen);
        QVERIFY(is->isVisible());
        selection.select({1});
        QVERIFY(!is->isVisible());
        selection.setReference(chosen); // lets go
        QVERIFY(!line->isVisible());
        QCOMPARE(header(), u"vs parent"_s);
    }

    void textsHaveHalfOfTheInspectorAndAPersonsDivisionIsKept()
    {
        Theatre stage(60);
        stage.open();
        stage.window->resize(1680, 1050);
        stage.window->selection().select(stage.run.state().best()->id);
        auto* split = stage.find<QSplitter>(u"inspectorSplit"_s);
        QTRY_VERIFY_WITH_TIMEOUT(split->height() > 600, patience);
        QVERIFY2(split->sizes()[1] * 100 >= split->height() * 45, qPrintable(QString::number(split->sizes()[1])));
        QVERIFY(stage.find<QWidget>(u"diffView"_s)->height() > 16 * QFontMetrics(fontOf(Type::Code)).lineSpacing());
        split->setSizes({300, split->height() - 300});
        Q_EMIT split->splitterMoved(300, 1); // as a mouse does it
        QSplitter later(Qt::Vertical);
        later.addWidget(new QWidget);
        later.addWidget(new QWidget);
        QVERIFY(later.restoreState(stage.settings.layout(u"inspector-split"_s)));
        QVERIFY(later.sizes()[0] < later.sizes()[1]);
        stage.window->showScreen(u"evolve"_s);
        stage.window->actions()[u"view.reset"_s].trigger();
        QVERIFY2(split->sizes()[0] > split->sizes()[1], "the layout as it is at first has its division as well");
        QVERIFY(later.restoreState(stage.settings.layout(u"inspector-split"_s)));
        QVERIFY(later.sizes()[0] > later.sizes()[1]);
    }

    void aLowInspectorShowsAShapeAllTheSame()
    {
        Theatre stage(60);
        stage.open();
        stage.window->resize(1280, 800);
        stage.window->selection().select(stage.run.state().best()->id);
        auto* split = stage.find<QSplitter>(u"inspectorSplit"_s);
        QTRY_VERIFY_WITH_TIMEOUT(split->height() < 700, patience);
        const auto* table = stage.find<QTableView>(u"shapeTable"_s);
        QVERIFY(table);
        const auto seen = [&] {
            const QRect row = table->visualRect(table->model()->index(0, 0));
            const QRect inSight = table->viewport()->visibleRegion().boundingRect();
            return inSight.top() <= row.top() && inSight.bottom() >= row.bottom();
        };
        QTRY_VERIFY_WITH_TIMEOUT(seen(), patience);
    }

    void theBestAndAPersonsStarHaveSignsAndWordsOfTheirOwn()
    {
        Theatre stage(60);
        stage.open();
        const CandidateId best = stage.run.state().best()->id;
        Marks marks;
        marks.starred = true;
        stage.run.put(events::Marked{best, marks});
        stage.open();
        const auto* table = stage.find<Table>(u"candidateTable"_s);
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const QModelIndex name = table->model()->index(row, 0);
            const bool isIt = name.data(CandidateModel::IdRole).toLongLong() == best.value;
            QCOMPARE(name.data(Qt::AccessibleTextRole).toString().endsWith(u", best of the run, starred"_s), isIt);
            QCOMPARE(name.data(Qt::ToolTipRole).toString(), isIt ? u"best of the run\nstarred"_s : QString());
        }
        const QImage filled = iconPixmap(u"star"_s, Qt::black, 24, 1).toImage();
        const QImage hollow = iconPixmap(u"star-outline"_s, Qt::black, 24, 1).toImage();
        QVERIFY(qAlpha(filled.pixel(12, 12)) > 200 && qAlpha(hollow.pixel(12, 12)) < 50); // by shape, not colour
    }
};

TILEWRIGHT_TEST(TestReference)
#include "test_reference.moc"
