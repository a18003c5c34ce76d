// SPDX-License-Identifier: GPL-3.0-or-later
// What an author claimed stands beside what was measured: in the inspector and in Review.
#include "core/engine/snapshot.h"
#include "tests/model/claimed_run.h"
#include "ui/evolve/figures_card.h"
#include "ui/review/claim_card.h"
#include "ui/shapes/effect_axis.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

class TestClaims : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void theInspectorSetsTheClaimBesideTheMeasurement()
    {
        const RunState run = testing::claimedRun();
        FiguresCard card;
        card.resize(400, 200);
        const auto claimed = [&](std::int64_t id) {
            card.show(run, *run.candidate({id}));
            auto* label = card.findChild<QLabel*>(u"claimedChange"_s);
            return label->isVisibleTo(&card) ? label->property("text").toString() : QString();
        };
        QCOMPARE(claimed(2), u"◇ claimed +10.0 %, 5.0 points more than measured"_s);
        auto* axis = card.findChild<EffectAxis*>();
        QVERIFY2(axis->accessibleName().contains(u"claimed +10.0 %"_s), qPrintable(axis->accessibleName()));
        const QImage with = axis->grab().toImage();
        QCOMPARE(claimed(5), u"claimed: says nothing"_s);
        QVERIFY(!axis->accessibleName().contains(u"claimed"_s));
        QVERIFY(axis->grab().toImage() != with);
        QCOMPARE(claimed(1), QString()); // the seed claims nothing
    }

    void theDistanceIsToldInPoints()
    {
        const ParentChange change{{1}, {1.05, 1.04, 1.06}, true, 0.01};
        QCOMPARE(claimWords(1.05, change), u"claimed +5.0 %, as measured"_s);
        QCOMPARE(claimWords(1.02, change), u"claimed +2.0 %, 3.0 points less than measured"_s);
        QCOMPARE(claimWords(1.08, std::nullopt), u"claimed +8.0 %"_s);
    }

    void reviewTellsHowPastClaimsStoodUp()
    {
        Snapshot snapshot;
        snapshot.run = testing::claimedRun();
        ClaimCard card;
        card.show(snapshot, *snapshot.run.candidate({2}));
        const QString record = card.findChild<QLabel*>(u"claimRecord"_s)->text();
        QVERIFY2(record.startsWith(u"Its past claims: 10.0 points too much, median of 3"_s), qPrintable(record));
    }
};

QTEST_MAIN(TestClaims)
#include "test_claims.moc"
