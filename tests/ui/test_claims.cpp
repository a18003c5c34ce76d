// SPDX-License-Identifier: GPL-3.0-or-later
// What an author claimed stands beside what was measured: in the inspector and in Review.
#include "core/engine/snapshot.h"
#include "core/model/parent_change.h"
#include "tests/model/claimed_run.h"
#include "tests/test_program.h"
#include "ui/evolve/figures_card.h"
#include "ui/models/best_words.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/review/claim_card.h"
#include "ui/shapes/shape_claims.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

/// As a user reads them.
QStringList claimRows(const ClaimCard& card)
{
    QStringList rows;
    for (const auto* words : card.findChildren<QLabel*>(u"claimWords"_s))
        rows << words->accessibleName();
    return rows;
}

} // namespace

class TestClaims : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aClaimReadsTheSameWhereverItStands_data()
    {
        QTest::addColumn<QString>("claim");
        QTest::addColumn<QString>("words");
        for (const QString& same : {u"+8 %"_s, u"8% faster"_s, u"1.08x"_s, u"  +8.0 % "_s})
            QTest::newRow(qPrintable(same)) << same << u"+8.0 %"_s;
        QTest::newRow("words") << u"a few percent,\n either way"_s << u"a few percent, either way"_s;
        QTest::newRow("nothing") << QString() << QString();
    }
    void aClaimReadsTheSameWhereverItStands()
    {
        QFETCH(QString, claim);
        QTEST(claimText(claim.toStdString()), "words");
    }

    void aFigureIsNotPartedFromItsUnit()
    {
        const QChar space(0x00a0);
        QCOMPARE(keptTogether(u"noise floor ± 0.2 % · 95 % interval · c-1 × c-2"_s),
            u"noise floor ±~0.2~% · 95~% interval · c-1~× c-2"_s.replace(u'~', space));
        QCOMPARE(keptTogether(u"%1 of % 5"_s), u"%1 of % 5"_s);
    }

    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void linesEndBetweenPhrases()
    {
        const QString space(QChar::Nbsp);
        QCOMPARE(phrasesTogether(u"1 measured, too few for a mean"_s),
            u"1_measured, too_few_for_a_mean"_s.replace(u"_"_s, space));
        QCOMPARE(phrasesTogether(u"a phrase that is too long for a line of its own"_s),
            u"a phrase that is too long for a line of its own"_s);
    }

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
        QCOMPARE(claimed(2), keptTogether(u"◇ predicted +10.0 %, 5.0 percentage points more than measured"_s));
        auto* axis = card.findChild<EffectAxis*>();
        QVERIFY2(axis->accessibleName().contains(u"predicted +10.0 %"_s), qPrintable(axis->accessibleName()));
        const QImage with = axis->grab().toImage();
        QCOMPARE(claimed(5), u"predicted says nothing"_s);
        QVERIFY(!axis->accessibleName().contains(u"claimed"_s));
        QVERIFY(axis->grab().toImage() != with);
        QCOMPARE(claimed(1), QString()); // the seed claims nothing
    }

    void aCopyOnAnotherIslandHasTheChangeAndTheClaimOfItsOriginal()
    {
        RunState run = testing::claimedRun();
        const Candidate original = *run.candidate({2});
        Candidate copy = original;
        copy.id = {static_cast<std::int64_t>(run.candidates.size()) + 1};
        copy.island = {2};
        copy.parents = {original.id};
        copy.migrated = true;
        run.candidates.push_back(copy);
        const auto change = versusParent(run, original);
        QVERIFY(change && !change->isWithinNoise());
        QVERIFY(versusParent(run, copy) == change);
        FiguresCard card;
        card.resize(400, 200);
        const auto said
            = [&](const QString& name) { return card.findChild<QLabel*>(name)->property("text").toString(); };
        const auto told = [&](const Candidate& candidate) {
            card.show(run, candidate);
            return QStringList{said(u"parentChange"_s), said(u"parentInterval"_s), said(u"claimedChange"_s)};
        };
        const QStringList ofOriginal = told(original);
        QVERIFY(!said(u"figuresNote"_s).contains(u"same"_s));
        QCOMPARE(told(copy), ofOriginal);
        QCOMPARE(said(u"comparedWith"_s), u"vs %1"_s.arg(nameOfCandidate(original.parents.front())));
        QVERIFY2(said(u"figuresNote"_s).startsWith(keptTogether(u"same program as c-0002"_s)),
            qPrintable(said(u"figuresNote"_s)));
        QCOMPARE(changeLines(run, copy), QStringList{u"same program as c-0002"_s} + changeLines(run, original));
    }

    void claimsOfSingleShapesStandBesideWhatWasMeasuredOnThem()
    {
        RunState run = testing::claimedRun();
        const auto timed = [&run](std::int64_t candidate, const std::vector<std::pair<Shape, double>>& scores) {
            Evaluation evaluation;
            evaluation.id = {static_cast<std::int64_t>(run.evaluations.size()) + 1};
            evaluation.candidate = {candidate};
            for (const auto& [shape, score] : scores) {
                ShapeResult result;
                result.shape = shape;
                result.versusBaseline = Interval{score, score * 0.999, score * 1.001};
                evaluation.result.shapes.push_back(result);
            }
            run.evaluations.push_back(evaluation);
            run.candidates.edit(static_cast<std::size_t>(candidate - 1)).latest = evaluation.id;
        };
        const Shape cube{512, 512, 512}, flat{720, 750, 40};
        timed(1, {{cube, 1}, {flat, 1}});
        timed(2, {{cube, 1.08}, {flat, 1.001}});
        Candidate copy = *run.candidate({2});
        copy.id = {6};
        copy.parents = {{2}};
        copy.migrated = true;
        run.candidates.push_back(copy);
        QVERIFY(versusParentOn(run, copy, cube) && versusParentOn(run, copy, cube)->parent == CandidateId{1});
        run.proposals.edit(1).claim = "512³ gains 5 %, +3 % on 720×750×40, +9 % on 64×64×64";
        FiguresCard card;
        card.resize(400, 400);
        card.setVisible(true);
        card.show(run, *run.candidate({2}));
        const auto rows = [&card](const QString& name) {
            QStringList shown;
            for (const QLabel* label : card.findChildren<QLabel*>(name))
                if (label->isVisible())
                    shown << label->text();
            return shown;
        };
        QCOMPARE(rows(u"claimedShape"_s), (QStringList{u"512×512×512"_s, u"720×750×40"_s, u"64×64×64"_s}));
        QCOMPARE(rows(u"shapeChange"_s), (QStringList{u"+8.0 %"_s, u"within noise"_s, QString()}));
        QCOMPARE(rows(u"shapeClaim"_s),
            (QStringList{u"◇ predicted +5.0 %, 3.0 percentage points less than measured"_s,
                u"◇ predicted +3.0 %, 2.9 percentage points more than measured"_s,
                u"◇ predicted +9.0 %; it was not measured on this shape"_s}));
        QStringList axes;
        for (const EffectAxis* axis : card.findChildren<EffectAxis*>())
            axes << axis->accessibleName();
        QVERIFY2(
            axes.filter(u"512×512×512: Change against the parent +8.0 %"_s).size() == 1, qPrintable(axes.join(u'\n')));
        run.evaluations.edit(1).result.shapes[0].split = ShapeSplit::Heldout; // not told before it is confirmed
        card.show(run, *run.candidate({2}));
        QCOMPARE(rows(u"shapeChange"_s), (QStringList{QString(), u"within noise"_s, QString()}));
        card.show(run, *run.candidate({3}));
        QCOMPARE(rows(u"claimedShape"_s), QStringList());
    }

    void theDistanceIsToldInPoints()
    {
        const ParentChange change{{1}, {1.05, 1.04, 1.06}, true, 1, 0.01};
        QCOMPARE(claimWords(1.05, change), u"predicted +5.0 %, as measured"_s);
        QCOMPARE(claimWords(1.02, change), u"predicted +2.0 %, 3.0 percentage points less than measured"_s);
        const ParentChange far{{1}, {24.3, 24, 25}, true, 1, 0.01};
        QCOMPARE(claimWords(1.02, far), u"predicted 1.02×, measured 24.30×"_s); // one unit
        const ParentChange beside{{1}, {4.86, 4.8, 4.9}, true, 1, 0.01}; // it reads "+386 %"
        QCOMPARE(claimWords(5, beside), u"predicted +400 %, measured +386 %"_s);
        QCOMPARE(claimWords(1.08, std::nullopt), u"predicted +8.0 %"_s);
    }

    void reviewTellsHowPastClaimsStoodUp()
    {
        Snapshot snapshot;
        snapshot.run = testing::claimedRun();
        ClaimCard card;
        card.show(snapshot, *snapshot.run.candidate({2}));
        QCOMPARE(claimRows(card),
            (QStringList{u"Expected impact: +10 %"_s,
                u"Accuracy of its past claims: 3 measured, too few for a median"_s,
                u"Edits of mutator: none measured yet"_s}));
        card.show(snapshot, *snapshot.run.candidate({5}));
        QCOMPARE(claimRows(card).value(0), u"says nothing"_s);
        card.show(snapshot, *snapshot.run.candidate({1}));
        QCOMPARE(claimRows(card).value(0), u"No effect claimed."_s);
    }

    void pastClaimsAreToldByAMedianWhereThereAreEnough()
    {
        QCOMPARE(pastClaimsWords({}), QString());
        QCOMPARE(pastClaimsWords({4, 28.27}), u"4 measured, too few for a median"_s);
        QVERIFY(!claimsTooMuch({4, 28.27}));
        QCOMPARE(pastClaimsWords({7, 0.1}), u"10.0 percentage points too high, median of 7"_s);
        QVERIFY(claimsTooMuch({7, 0.1}));
        QCOMPARE(pastClaimsWords({7, -0.031}), u"3.1 percentage points too low, median of 7"_s);
        QVERIFY(!claimsTooMuch({7, -0.031}));
        QCOMPARE(pastClaimsWords({7, 0.0001}), u"as measured, median of 7"_s);
        QCOMPARE(pastClaimsWords({7, -28.27}), u"more than 100 percentage points too low, median of 7"_s);
    }

    void reviewHasARowForEachThingThatIsClaimed()
    {
        Snapshot snapshot;
        snapshot.run = testing::claimedRun();
        ClaimCard card;
        card.resize(280, 200);
        snapshot.run.proposals.edit(1).claim
            = "+4 %, +2 % on 4096×4096×1024 and 512³, more on deep products; registers "
              "160 -> 170, shared memory from 40.5 to 61 KiB, no spills";
        card.show(snapshot, *snapshot.run.candidate({2}));
        QCOMPARE(claimRows(card).mid(0, 6),
            (QStringList{u"Expected impact: +4 %"_s, u"4096×4096×1024, 512×512×512: +2 %"_s, u"more on deep products"_s,
                u"Registers: 160 → 170"_s, u"Shared memory: 40.5 → 61 KiB"_s, u"Spills: no"_s}));
        QVERIFY(card.toolTip().startsWith(u"+4 %, +2 % on"_s)); // as it was written
        snapshot.run.proposals.edit(1).claim = "1.2x";
        card.show(snapshot, *snapshot.run.candidate({2}));
        QCOMPARE(claimRows(card).value(0), u"Expected impact: 1.2x"_s);
        QCOMPARE(claimRows(card).size(), 3); // what stood there is gone
    }
};

TILEWRIGHT_TEST(TestClaims)
#include "test_claims.moc"
