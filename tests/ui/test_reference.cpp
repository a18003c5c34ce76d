// SPDX-License-Identifier: GPL-3.0-or-later
// The reference that a person chose: table and inspector tell each candidate's speed against it.
#include "core/model/parent_change.h"
#include "tests/ui/theatre.h"
#include "ui/evolve/candidate_table.h"
#include "ui/models/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table.h"

#include <QLabel>
#include <QSignalSpy>
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
        selection.select({1});
        selection.setReference(chosen); // lets go
        QVERIFY(!line->isVisible());
        QCOMPARE(header(), u"vs parent"_s);
    }
};

QTEST_MAIN(TestReference)
#include "test_reference.moc"
