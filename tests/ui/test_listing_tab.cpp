// SPDX-License-Identifier: GPL-3.0-or-later
// The inspector's tab of compiled code: what it asks for and when, what it shows while it waits, when it gets an answer
// and when there is none.
#include "tests/test_program.h"
#include "tests/ui/theatre.h"
#include "ui/evolve/candidate_inspector.h"
#include "ui/evolve/evolve_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/find_box.h"
#include "ui/widgets/segments.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

Listing someListing(ListingForm form = ListingForm::Assembly)
{
    Listing listing;
    listing.form = form;
    listing.code = ListedCode::AsBuilt;
    listing.text = "; This is the assembly of what was measured.\n\n1000:\tmov rax, 1\n1004:\tret\n1005:\tmov rax, 2\n";
    listing.instructions = {{"mov", 2}, {"ret", 1}};
    listing.lines = 5;
    return listing;
}

struct ListingStage : Theatre {
    CandidateId one, other;

    ListingStage()
        : Theatre(60)
    {
        open();
        for (const Candidate& candidate : run.state().candidates)
            if (candidate.isRanked() && candidate.isOver() && !candidate.migrated) {
                other = one;
                one = candidate.id;
            }
        window->showScreen(u"evolve"_s);
        window->selection().select(one);
    }
    /// As if the same programs were for a GPU.
    void openForGpu()
    {
        auto snapshot = std::make_shared<Snapshot>(*run.snapshot());
        auto pack = std::make_shared<TaskPack>(*run.pack());
        pack->task.target = Target::Cuda;
        snapshot->pack = pack;
        client.publish(snapshot);
    }
    void look() { window->evolve().inspector().setTab(TextTabs::Compiled); }
    CodeView& view() { return *find<CodeView>(u"listingText"_s); }
    QString facts() { return find<QLabel>(u"listingFacts"_s)->text(); }
    QString tab() { return find<QTabBar>(u"inspectorTabs"_s)->tabText(TextTabs::Compiled); }
    bool isAsked(std::size_t times)
    {
        return QTest::qWaitFor([&] { return client.listings.size() == times; }, 5000);
    }
    /// Whoever is chosen now is asked for as the second: nothing was in between.
    void asksNextFor(CandidateId id)
    {
        window->selection().select(id);
        QVERIFY(isAsked(2));
        QCOMPARE(client.listings[1].candidate, id);
    }
};

} // namespace

class TestListingTab : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Light); }

    void nothingIsAskedBeforeSomebodyLooks()
    {
        ListingStage stage;
        stage.window->selection().select(stage.other);
        stage.window->selection().select(stage.one);
        QVERIFY(stage.client.listings.empty());
        QCOMPARE(stage.tab(), u"Asm"_s);
        stage.look();
        QVERIFY(stage.isAsked(1)); // had the other's been asked for, it would stand first
        QCOMPARE(stage.client.listings[0].candidate, stage.one);
        QVERIFY(stage.client.listings[0].form == ListingForm::Assembly);
        QVERIFY(!stage.find<Segments>(u"listingForms"_s)->isVisible());
        QVERIFY(stage.view().placeholderText().startsWith(u"Waiting: "_s));
        QSignalSpy bar(&stage.window->evolve().inspector(), &CandidateInspector::loading);
        QVERIFY(bar.wait(5000)); // it takes long
        QVERIFY(bar.takeFirst().at(0).toBool());
        stage.client.tellListing(stage.client.listings[0].tag, {someListing(), {}});
        QCOMPARE(bar.size(), 1);
        QVERIFY(!bar.first().at(0).toBool());
        QVERIFY(stage.view().toPlainText().contains(u"ret"_s));
        QCOMPARE(stage.view().lines().back().number, 5);
        QCOMPARE(stage.facts(), u"The code that was measured.\nInstructions: mov 2, ret 1"_s);
        // Looking away and back, and news of others, ask for nothing more.
        stage.window->evolve().inspector().setTab(TextTabs::Code);
        stage.look();
        stage.run.grow(3);
        stage.open();
        stage.asksNextFor(stage.other);
    }

    void whoGoesOnIsShownNothingOfTheOneBefore()
    {
        ListingStage stage;
        stage.look();
        QVERIFY(stage.isAsked(1));
        stage.client.tellListing(stage.client.listings[0].tag, {someListing(), {}});
        stage.window->selection().select(stage.other);
        QVERIFY(stage.view().toPlainText().isEmpty());
        QVERIFY(!stage.find<QPushButton>(u"copyListing"_s)->isEnabled());
        QVERIFY(stage.isAsked(2));
        QCOMPARE(stage.client.listings[1].candidate, stage.other);
        stage.window->selection().select(stage.one);
        QCOMPARE(stage.client.dropped, std::vector<quint64>{stage.client.listings[1].tag});
        stage.client.tellListing(stage.client.listings[1].tag, {someListing(), {}}); // too late
        QVERIFY(stage.view().toPlainText().isEmpty());
        QVERIFY(stage.isAsked(3));
    }

    void aGpuProgramHasTwoFormsAndAChoice()
    {
        ListingStage stage;
        stage.openForGpu();
        stage.window->selection().select(stage.other);
        stage.look();
        QCOMPARE(stage.tab(), u"Asm"_s);
        QVERIFY(stage.isAsked(1));
        QVERIFY(stage.client.listings[0].form == ListingForm::Ptx);
        auto* forms = stage.find<Segments>(u"listingForms"_s);
        QVERIFY(forms->isVisible());
        stage.client.tellListing(stage.client.listings[0].tag, {someListing(ListingForm::Ptx), {}});
        QTest::mouseClick(forms->findChildren<QPushButton*>()[1], Qt::LeftButton);
        QVERIFY(stage.view().toPlainText().isEmpty());
        QVERIFY(stage.isAsked(2));
        QVERIFY(stage.client.listings[1].form == ListingForm::Sass);
        stage.client.tellListing(stage.client.listings[1].tag,
            {{},
                {"tool/missing", "neither nvdisasm nor cuobjdump is installed", "the package cuda-nvdisasm", nullptr}});
        QCOMPARE(stage.view().placeholderText(),
            u"neither nvdisasm nor cuobjdump is installed. To do: the package cuda-nvdisasm."_s);
        QVERIFY(forms->isEnabled()); // PTX is there all the same
        QTest::mouseClick(stage.find<QPushButton>(u"askForListingAgain"_s), Qt::LeftButton);
        QVERIFY(stage.isAsked(3));
    }

    void whatWaitsToBeMeasuredIsNotCalledMeasured()
    {
        ListingStage stage;
        const CandidateId waits = stage.run.awaitReview({});
        stage.open();
        stage.look();
        QVERIFY(stage.isAsked(1));
        stage.asksNextFor(waits);
        stage.client.tellListing(stage.client.listings[1].tag, {someListing(), {}});
        QVERIFY2(stage.facts().startsWith(u"The code that was built; not measured yet."_s), qPrintable(stage.facts()));
    }

    void whatIsNotTheMeasuredCodeIsCalledSo()
    {
        ListingStage stage;
        stage.look();
        QVERIFY(stage.isAsked(1));
        Listing listing = someListing();
        listing.code = ListedCode::Other;
        listing.leftOut = 12345;
        stage.client.tellListing(stage.client.listings[0].tag, {listing, {}});
        QVERIFY2(stage.facts().startsWith(u"Differs from the code that was measured"_s), qPrintable(stage.facts()));
        QVERIFY2(stage.facts().contains(u"12\u202f345 lines at the end are omitted"_s), qPrintable(stage.facts()));
        QCOMPARE(stage.find<QLabel>(u"listingFacts"_s)->property("tone").toString(), u"warning"_s);
    }

    void whatNeverBuiltSaysWhyAndAsksNobody()
    {
        ListingStage stage;
        stage.look();
        QVERIFY(stage.isAsked(1));
        const auto failed = std::ranges::find_if(stage.run.state().candidates,
            [](const Candidate& candidate) { return candidate.isOver() && candidate.outcome == Outcome::BuildFailed; });
        if (failed == stage.run.state().candidates.end())
            QSKIP("every made-up program builds");
        stage.window->selection().select((*failed).id);
        QVERIFY2(stage.view().placeholderText().contains(u"never built"_s), qPrintable(stage.view().placeholderText()));
        stage.asksNextFor(stage.other);
    }

    void wordsAreFoundAndTheTextIsCopied()
    {
        ListingStage stage;
        stage.look();
        QVERIFY(stage.isAsked(1));
        stage.client.tellListing(stage.client.listings[0].tag, {someListing(), {}});
        QTest::mouseClick(stage.find<QPushButton>(u"copyListing"_s), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), QString::fromStdString(someListing().text));
        auto* find = stage.find<FindBox>(u"listingFind"_s);
        stage.window->actions()[u"view.find"_s].trigger();
        QVERIFY(find->hasFocus());
        QTest::keyClicks(find, u"mov"_s);
        const auto line = [&] { return stage.view().textCursor().blockNumber(); };
        QCOMPARE(line(), 2);
        QTest::keyClick(find, Qt::Key_Return);
        QCOMPARE(line(), 4);
        QTest::keyClick(find, Qt::Key_Return); // around the end
        QCOMPARE(line(), 2);
        QTest::keyClick(find, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(line(), 4);
        QTest::keyClicks(find, u"x"_s);
        QCOMPARE(find->toolTip(), u"Not found."_s);
        QTest::keyClick(find, Qt::Key_Escape);
        QVERIFY(find->text().isEmpty());
    }

    void nothingStaysWhenTheSessionIsClosed()
    {
        ListingStage stage;
        stage.look();
        QVERIFY(stage.isAsked(1));
        stage.client.publish(std::make_shared<const Snapshot>());
        QCOMPARE(stage.client.dropped, std::vector<quint64>{stage.client.listings[0].tag});
        stage.client.tellListing(stage.client.listings[0].tag, {someListing(), {}});
        QVERIFY(stage.view().toPlainText().isEmpty());
    }
};

TILEWRIGHT_TEST(TestListingTab)

#include "test_listing_tab.moc"
