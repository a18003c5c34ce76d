// SPDX-License-Identifier: GPL-3.0-or-later
// The Prompts mode's templates as a user uses them, over a made-up run.
#include "core/stats/statistics.h"
#include "tests/locales.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/fits.h"
#include "tests/ui/theatre.h"
#include "ui/diff/split_diff.h"
#include "ui/models/display_text.h"
#include "ui/prompts/prompt_preview_pane.h"
#include "ui/prompts/prompts_page.h"
#include "ui/prompts/template_editor.h"
#include "ui/prompts/template_picker.h"
#include "ui/prompts/templates_page.h"
#include "ui/prompts/version_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/find_box.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/table.h"

#include <QAbstractItemModelTester>
#include <QCompleter>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <QTreeView>
#include <cmath>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

struct TemplatesStage : test::Theatre {
    TemplatesStage()
    {
        open();
        window->showScreen(u"prompts"_s);
    }
    TemplatesPage& page() { return window->prompts().templates(); }
    TemplateEditor* editor() const { return find<TemplateEditor>(u"templateEditor"_s); }
    QPushButton* button(const QString& name) const { return find<QPushButton>(name); }
    QString finding() const { return find<QLabel>(u"templateFinding"_s)->text(); }
    QString preview() const { return find<QPlainTextEdit>(u"promptPreview"_s)->toPlainText(); }
    bool isLoaded() const { return !editor()->toPlainText().isEmpty() && !preview().isEmpty(); }
    void write(const QString& words)
    {
        editor()->moveCursor(QTextCursor::End);
        editor()->setFocus();
        QTest::keyClicks(editor(), words);
    }
    QLineEdit* note() const { return find<QLineEdit>(u"templateNote"_s); }
    /// The engine has this text of the template as its newest version.
    void save(const QString& words)
    {
        run.put(events::TemplateSaved{{}, "exploit", run.store(words.toStdString()), {}, 0});
        open();
    }
    bool chooseVersion(const QString& name)
    {
        auto* table = find<Table>(u"templateVersions"_s);
        for (int row = 0; row < table->model()->rowCount(); ++row)
            if (table->model()->index(row, 0).data().toString() == name) {
                table->selectRow(row);
                return true;
            }
        return false;
    }
    /// The newest call to the engine.
    QString last() const { return client.calls.isEmpty() ? QString() : client.calls.last(); }
};

} // namespace

class TestTemplatesScreen : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void thePreviewIsTheSameInEveryLocale()
    {
        tilewright::testing::Locales locales;
        locales.folder();
        QCOMPARE(q(locales.trouble()), QString());
        QString plain;
        for (const std::string& name : {std::string("C"), std::string("de_DE"), std::string("tr_TR"),
                 std::string("ar_EG"), std::string("hi_IN")}) {
            const tilewright::testing::InLocale in(locales, name);
            QVERIFY2(in.isSet(), name.c_str());
            TemplatesStage stage;
            QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
            const QString said = stage.preview() + stage.find<QLabel>(u"previewTokens"_s)->text();
            plain = plain.isEmpty() ? said : plain;
            QCOMPARE(said, plain);
        }
    }

    void thePreviewFollowsWhoIsTheBest()
    {
        TemplatesStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        const CandidateId before = stage.run.state().incumbent;
        CandidateId other;
        for (const Candidate& each : stage.run.state().candidates)
            if (each.isRanked() && each.confirmed && each.id != before && !each.migrated)
                other = each.id;
        QVERIFY(other);
        stage.run.record(events::IncumbentChanged{other});
        stage.open();
        QTRY_VERIFY_WITH_TIMEOUT(stage.preview().contains(u"# The program: "_s + nameOfCandidate(other)), patience);
    }

    void theTextThatHoldsAndThePromptThatItMakesAreShown()
    {
        TemplatesStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        QVERIFY(stage.editor()->toPlainText().contains(u"{{> situation}}"_s));
        QVERIFY(stage.preview().contains(u"# The program: "_s));
        QVERIFY(!stage.preview().contains(u"{{"_s));
        QVERIFY(stage.find<QLabel>(u"previewTokens"_s)->text().contains(u"of at most 12"_s));
        QVERIFY(stage.find<QLabel>(u"previewCost"_s)->text().startsWith(u"≈ $0.0"_s));
        const QAbstractItemModel* rows = stage.find<PlaceholderList>(u"placeholders"_s)->model();
        bool codeCosts = false;
        for (int row = 0; row < rows->rowCount(); ++row)
            if (rows->index(row, 0).data().toString() == u"{{code}}"_s)
                codeCosts = rows->index(row, 0).data(Qt::UserRole + 3).toString().startsWith(u"≈ "_s);
        QVERIFY(codeCosts);
        QVERIFY(!stage.button(u"saveTemplate"_s)->isEnabled());
        QVERIFY(!stage.button(u"revertTemplate"_s)->isEnabled());
    }

    void whatIsTypedIsPreviewedSavedWithItsNoteAndNotLostMeanwhile()
    {
        TemplatesStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        const QString before = stage.editor()->toPlainText();
        stage.write(u"Mind the edges."_s);
        QTRY_VERIFY_WITH_TIMEOUT(stage.preview().contains(u"Mind the edges."_s), patience);
        QTRY_VERIFY_WITH_TIMEOUT(stage.button(u"saveTemplate"_s)->isEnabled(), patience);
        stage.page().choose({{}, "explore"});
        QTRY_VERIFY_WITH_TIMEOUT(stage.editor()->toPlainText().contains(u"new direction"_s), patience);
        QVERIFY(!stage.button(u"saveTemplate"_s)->isEnabled());
        stage.page().choose({{}, "exploit"});
        QTRY_COMPARE_WITH_TIMEOUT(stage.editor()->toPlainText(), before + u"Mind the edges."_s, patience);
        stage.find<QLineEdit>(u"templateNote"_s)->setText(u"edges first"_s);
        QTRY_VERIFY_WITH_TIMEOUT(stage.button(u"saveTemplate"_s)->isEnabled(), patience);
        stage.button(u"compareTemplate"_s)->click();
        QTRY_VERIFY_WITH_TIMEOUT(stage.find<SplitDiff>(u"templateDiff"_s)->changes() == 1, patience);
        QTest::mouseClick(stage.button(u"saveTemplate"_s), Qt::LeftButton);
        QCOMPARE(
            stage.last(), u"template 0 exploit %1 edges first"_s.arg((before + u"Mind the edges."_s).toUtf8().size()));
        stage.button(u"compareTemplate"_s)->click();
        QTest::mouseClick(stage.button(u"revertTemplate"_s), Qt::LeftButton);
        QCOMPARE(stage.editor()->toPlainText(), before);
    }

    void aDraftThatAVersionTakesThePlaceOfCanBeTakenBack()
    {
        TemplatesStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        const QString shipped = stage.editor()->toPlainText(), first = shipped + u"The first."_s;
        stage.save(first);
        QTRY_COMPARE_WITH_TIMEOUT(stage.editor()->toPlainText(), first, patience);
        stage.write(u" Mine."_s);
        stage.note()->setText(u"edges first"_s);
        const QString mine = first + u" Mine."_s;
        const auto open = [&](const QString& version) {
            QVERIFY(stage.chooseVersion(version));
            QTest::mouseClick(stage.button(u"openVersion"_s), Qt::LeftButton);
        };
        const auto* said = stage.find<MessageBar>(u"messageBar"_s);
        open(u"v1, active, unused"_s); // the draft was of its text
        QTRY_COMPARE_WITH_TIMEOUT(stage.editor()->toPlainText(), first, patience);
        QVERIFY2(
            said->text().contains(u"Draft discarded: the template “exploit” (Prompts)."_s), qPrintable(said->text()));
        QCOMPARE(stage.note()->text(), QString());
        QTest::mouseClick(stage.button(u"messageOffer"_s), Qt::LeftButton);
        QCOMPARE(stage.editor()->toPlainText(), mine);
        QCOMPARE(stage.note()->text(), u"edges first"_s);
        open(u"default"_s);
        QTRY_COMPARE_WITH_TIMEOUT(stage.editor()->toPlainText(), shipped, patience);
        stage.editor()->undo(); // the text's own brings it back as well
        QCOMPARE(stage.editor()->toPlainText(), mine);
        QCOMPARE(stage.note()->text(), u"edges first"_s);
        QTest::mouseClick(stage.button(u"takeTemplateAway"_s), Qt::LeftButton);
        QCOMPARE(stage.last(), u"template 0 exploit 0"_s);
        QTRY_COMPARE_WITH_TIMEOUT(stage.editor()->toPlainText(), first, patience); // until the engine has taken it
        stage.page().choose({{}, "explore"});
        QTRY_VERIFY_WITH_TIMEOUT(stage.editor()->toPlainText().contains(u"new direction"_s), patience);
        QTest::mouseClick(stage.button(u"messageOffer"_s), Qt::LeftButton); // from wherever one is
        QTRY_COMPARE_WITH_TIMEOUT(stage.editor()->toPlainText(), mine, patience);
        QCOMPARE(stage.note()->text(), u"edges first"_s);
    }

    void whatAVersionIsToBeCalledStaysWithItsDraft()
    {
        TemplatesStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        const QString before = stage.editor()->toPlainText();
        stage.write(u"Mine."_s);
        stage.note()->setText(u"edges first"_s);
        stage.page().choose({{}, "explore"});
        QCOMPARE(stage.note()->text(), QString());
        stage.page().choose({{}, "exploit"});
        QCOMPARE(stage.note()->text(), u"edges first"_s);
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        stage.run.put(events::TemplateSaved{{}, "explore", stage.run.store("another"), {}, 0}); // of another template
        stage.open();
        QCOMPARE(stage.note()->text(), u"edges first"_s);
        QTRY_VERIFY_WITH_TIMEOUT(stage.button(u"saveTemplate"_s)->isEnabled(), patience);
        QTest::mouseClick(stage.button(u"saveTemplate"_s), Qt::LeftButton);
        stage.save(before + u"Mine."_s);
        QTRY_COMPARE_WITH_TIMEOUT(stage.note()->text(), QString(), patience); // it is the version's now
        QVERIFY(!stage.note()->isUndoAvailable());
    }

    void thatATextWasSavedIsSaidAndCanBeTakenBackThere()
    {
        TemplatesStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        stage.write(u"Mind the edges."_s);
        QTRY_VERIFY_WITH_TIMEOUT(stage.button(u"saveTemplate"_s)->isEnabled(), patience);
        const std::string text = stage.editor()->toPlainText().toStdString();
        QTest::mouseClick(stage.button(u"saveTemplate"_s), Qt::LeftButton);
        stage.run.record(events::TemplateSaved{{}, "exploit", stage.run.store(text), ""});
        stage.open();
        QCOMPARE(stage.find<MessageBar>(u"messageBar"_s)->text(),
            u"Saved version 1 of the template exploit for all islands."_s);
        QTest::mouseClick(stage.button(u"messageOffer"_s), Qt::LeftButton);
        QCOMPARE(stage.last(), u"template undone 0 exploit"_s);
    }

    void anEarlierVersionIsComparedWithoutBeingOpened()
    {
        TemplatesStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        const QString shipped = stage.editor()->toPlainText(), first = shipped + u"\nOne.\n"_s;
        stage.save(first);
        stage.save(first + u"Two.\n"_s);
        QTRY_COMPARE_WITH_TIMEOUT(stage.editor()->toPlainText(), first + u"Two.\n"_s, patience);
        auto* compare = stage.button(u"compareTemplate"_s);
        QVERIFY(!compare->isEnabled()); // nothing is edited, and no earlier one is chosen
        const auto* diff = stage.find<SplitDiff>(u"templateDiff"_s);
        QVERIFY(stage.chooseVersion(u"v1"_s));
        compare->click();
        QTRY_COMPARE_WITH_TIMEOUT(diff->added(), 1, patience);
        const auto* place = stage.find<QLabel>(u"templatePlace"_s);
        QCOMPARE(place->text(), u"− v1 · + active"_s);
        QVERIFY(stage.chooseVersion(u"default"_s));
        QTRY_COMPARE_WITH_TIMEOUT(diff->added(), 3, patience); // with the line between
        compare->click();
        stage.write(u"Mine."_s);
        const QString mine = stage.editor()->toPlainText();
        QVERIFY(stage.chooseVersion(u"v1"_s));
        compare->click();
        QTRY_COMPARE_WITH_TIMEOUT(diff->added(), 2, patience);
        QCOMPARE(place->text(), u"− v1 · + yours"_s);
        QVERIFY(stage.chooseVersion(u"v2, active, unused"_s)); // what holds
        QTRY_COMPARE_WITH_TIMEOUT(diff->added(), 1, patience);
        compare->click();
        QCOMPARE(stage.editor()->toPlainText(), mine); // nothing was put in its place
        QVERIFY(place->text().startsWith(u"line "_s));
    }

    void wordsAreFoundInTheTemplateInWhatDiffersAndInThePreview()
    {
        TemplatesStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        QAction& find = stage.window->actions()[u"view.find"_s];
        const auto opensOver = [&](QPlainTextEdit* view) {
            const FindLine* line = FindLine::of(*view);
            const bool was = line->isVisible();
            find.trigger();
            const bool is = line->isVisible();
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
            return !was && is;
        };
        QVERIFY(find.isEnabled());
        QVERIFY(opensOver(stage.editor()));
        auto* preview = stage.find<QPlainTextEdit>(u"promptPreview"_s);
        preview->setFocus();
        QVERIFY(opensOver(preview));
        stage.write(u"Mine."_s);
        QTRY_VERIFY_WITH_TIMEOUT(stage.button(u"compareTemplate"_s)->isEnabled(), patience);
        stage.button(u"compareTemplate"_s)->click();
        const auto* diff = stage.find<SplitDiff>(u"templateDiff"_s);
        const auto finds = [diff] { // above the column, which makes room
            return std::ranges::any_of(
                diff->findChildren<FindLine*>(), [](const FindLine* line) { return line->isVisible(); });
        };
        QVERIFY(!finds());
        find.trigger();
        QVERIFY(finds());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(!finds());
        for (const QString& mode : {u"welcome"_s, u"devices"_s, u"settings"_s}) { // nothing to find in
            stage.window->showScreen(mode);
            QVERIFY(!find.isEnabled());
        }
        // No plot is seen on Prompts and Settings either.
        const QAction& fit = stage.window->actions()[u"view.fit"_s];
        QVERIFY(!fit.isEnabled());
        stage.window->showScreen(u"prompts"_s);
        QVERIFY(find.isEnabled() && !fit.isEnabled());
        stage.window->showScreen(u"evolve"_s);
        QVERIFY(find.isEnabled() && fit.isEnabled());
    }

    void theKeyThatSavesSavesTheTemplate()
    {
        TemplatesStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        const auto isCopied = [&stage] { return stage.window->findChild<QFileDialog*>() != nullptr; };
        const QString before = stage.editor()->toPlainText();
        QTest::keyClick(stage.editor(), Qt::Key_S, Qt::ControlModifier); // there is nothing to save
        QVERIFY(!isCopied() && stage.client.calls.isEmpty());
        stage.write(u"Mind the edges."_s);
        QTest::keyClick(stage.editor(), Qt::Key_S, Qt::ControlModifier); // at once: it is looked at first
        const QString saved = u"template 0 exploit %1"_s.arg((before + u"Mind the edges."_s).toUtf8().size());
        QTRY_COMPARE_WITH_TIMEOUT(stage.last(), saved, patience);
        QVERIFY(!isCopied());
        auto* note = stage.find<QLineEdit>(u"templateNote"_s);
        note->setText(u"edges first"_s);
        note->setFocus();
        QTest::keyClick(note, Qt::Key_S, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(stage.last(), saved + u" edges first"_s, patience);
        // What does not hold together is not saved by a key either.
        const auto calls = stage.client.calls.size();
        stage.write(u" {{colour}}"_s);
        QTest::keyClick(stage.editor(), Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(stage.finding().contains(u"colour"_s), patience);
        QCOMPARE(stage.client.calls.size(), calls);
    }

    void whatDiffersIsReadAsSentences()
    {
        TemplatesStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        const QString last = u"finished"_s;
        stage.write(u"Mind the edges of the matrix for every shape of the list, "_s.repeated(8) + last);
        QTRY_VERIFY_WITH_TIMEOUT(stage.button(u"compareTemplate"_s)->isEnabled(), patience);
        stage.button(u"compareTemplate"_s)->click();
        auto* diff = stage.find<SplitDiff>(u"templateDiff"_s);
        QTRY_VERIFY_WITH_TIMEOUT(diff->changes() == 1, patience);
        const auto* view = diff->findChild<CodeView*>(u"diffUnified"_s);
        QCOMPARE(view->language(), u"conversation"_s); // its prose is no program
        const auto isWrapped = [&] {
            const auto fits = [view](const CodeLine& row) { return row.text.size() <= view->columns(); };
            const auto ends = [&last](const CodeLine& row) { return row.text.endsWith(last); };
            return std::ranges::all_of(view->lines(), fits) && std::ranges::any_of(view->lines(), ends);
        };
        QTRY_VERIFY_WITH_TIMEOUT(isWrapped(), patience);
    }

    void theNoteComesBeforeTheButtonThatSavesIt()
    {
        TemplatesStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        stage.write(u"Mind the edges."_s);
        QTRY_VERIFY_WITH_TIMEOUT(stage.button(u"saveTemplate"_s)->isEnabled(), patience);
        stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        auto* note = stage.find<QLineEdit>(u"templateNote"_s);
        note->setFocus();
        QTest::keyClick(note, Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), stage.button(u"saveTemplate"_s));
        QTest::keyClick(stage.button(u"saveTemplate"_s), Qt::Key_Backtab);
        QCOMPARE(QApplication::focusWidget(), note);
        QTest::keyClick(note, Qt::Key_Tab);
        QTest::keyClick(stage.button(u"saveTemplate"_s), Qt::Key_Space);
        QVERIFY(stage.last().startsWith(u"template 0 exploit"_s));
        QCOMPARE(QApplication::focusWidget(), stage.editor()); // and no button that takes a version away
    }

    void aVersionThatWasSavedElsewhereIsTold()
    {
        TemplatesStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        const auto* news = stage.find<QLabel>(u"templateNews"_s);
        const auto save = [&stage](const QString& words, int again) {
            stage.run.put(events::TemplateSaved{{}, "exploit", sha256(words.toStdString()), {}, again});
            stage.open();
        };
        QVERIFY(news->isHidden());
        const QString before = stage.editor()->toPlainText();
        stage.write(u"Mind the edges."_s);
        QTRY_VERIFY_WITH_TIMEOUT(stage.button(u"saveTemplate"_s)->isEnabled(), patience);
        QTest::mouseClick(stage.button(u"saveTemplate"_s), Qt::LeftButton);
        save(before + u"Mind the edges."_s, 0);
        QVERIFY(news->isHidden()); // it was saved here
        stage.write(u"A draft."_s);
        save(before + u"From the command line."_s, 0);
        QVERIFY(!news->isHidden());
        QCOMPARE(news->text(),
            u"Exploit: v2 was saved and is active. Your draft is kept; “Compare” shows the differences."_s);
        QVERIFY(stage.editor()->toPlainText().endsWith(u"A draft."_s));
        QCOMPARE(stage.button(u"takeTemplateAway"_s)->toolTip(), u"Delete v2; v1 becomes active"_s);
        save(before + u"Mind the edges."_s, 1);
        QVERIFY2(news->text().contains(u"v1 is active again"_s), qPrintable(news->text()));
        stage.page().choose({{}, "explore"});
        QVERIFY(news->isHidden());
    }

    void aMistakeIsNamedMarkedAndCannotBeSaved()
    {
        TemplatesStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        const QString before = stage.preview();
        QVERIFY(!before.isEmpty());
        stage.write(u"{{colour}}"_s);
        QTRY_VERIFY_WITH_TIMEOUT(stage.finding().contains(u"unknown placeholder 'colour'"_s), patience);
        QVERIFY(!stage.button(u"saveTemplate"_s)->isEnabled());
        const auto* note = stage.find<QLabel>(u"previewNote"_s);
        QTRY_VERIFY_WITH_TIMEOUT(note->property("tone") == u"warning"_s, patience);
        QCOMPARE(stage.preview(), before); // what could be made before stays, and is said to be that
        for (int i = 0; i < 10; ++i)
            QTest::keyClick(stage.editor(), Qt::Key_Backspace);
        QTRY_VERIFY_WITH_TIMEOUT(!stage.finding().contains(u"unknown placeholder"_s), patience);
    }

    void placeholdersAreCompletedAndPicked()
    {
        TemplatesStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        const QString before = stage.editor()->toPlainText();
        stage.write(u"{{bott"_s);
        QCOMPARE(stage.editor()->completer().currentCompletion(), u"bottleneck"_s);
        Q_EMIT stage.editor()->completer().activated(u"bottleneck"_s);
        QCOMPARE(stage.editor()->toPlainText(), before + u"{{bottleneck}}"_s);
        auto* list = stage.find<PlaceholderList>(u"placeholders"_s);
        Q_EMIT list->activated(list->model()->index(0, 0));
        QCOMPARE(stage.editor()->toPlainText(), before + u"{{bottleneck}}{{accuracy}}"_s);
    }

    void anIslandGetsATextOfItsOwn()
    {
        TemplatesStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        const QAbstractItemModel* tree = stage.find<QTreeView>(u"templateTree"_s)->model();
        QCOMPARE(tree->rowCount(), 12);
        stage.page().choose({IslandId{2}, "exploit"});
        QCOMPARE(tree->rowCount(tree->index(2, 0)), 1);
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        { // its badge stands in the middle of its row
            auto* view = stage.find<QTreeView>(u"templateTree"_s);
            const QModelIndex own = tree->index(0, 0, tree->index(2, 0));
            view->expandAll();
            view->setCurrentIndex({});
            const QRect row = view->visualRect(own);
            QVERIFY(view->isVisible() && !row.isEmpty());
            const QImage shown = view->viewport()->grab(row).toImage();
            const QRgb colour = Theme::instance().island(IslandId{2}).rgb();
            int first = shown.height(), last = -1;
            for (int y = 0; y < shown.height(); ++y)
                for (int x = 0; x < shown.width(); ++x)
                    if (shown.pixel(x, y) == colour) {
                        first = std::min(first, y);
                        last = std::max(last, y);
                    }
            QVERIFY(last > first);
            QVERIFY2(std::abs(first + last + 1 - shown.height()) <= 2 * shown.devicePixelRatio(),
                qPrintable(u"%1 to %2 of %3"_s.arg(first).arg(last).arg(shown.height())));
        }
        stage.write(u"For B."_s);
        QTRY_VERIFY_WITH_TIMEOUT(stage.button(u"saveTemplate"_s)->isEnabled(), patience);
        QTest::mouseClick(stage.button(u"saveTemplate"_s), Qt::LeftButton);
        QVERIFY(stage.last().startsWith(u"template 2 exploit "_s));
    }

    void aRecordedSessionIsReadOnly()
    {
        TemplatesStage stage;
        auto shown = std::make_shared<Snapshot>(*stage.run.snapshot());
        shown->status.readOnly = true;
        stage.client.publish(shown);
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        QVERIFY(stage.editor()->isReadOnly());
        const QString before = stage.editor()->toPlainText();
        Q_EMIT stage.find<PlaceholderList>(u"placeholders"_s)->picked(u"code"_s);
        QCOMPARE(stage.editor()->toPlainText(), before);
        QVERIFY(!stage.button(u"saveTemplate"_s)->isEnabled());
        QVERIFY(!stage.button(u"takeTemplateAway"_s)->isEnabled());
    }

    void aPromptIsSentOnceAndLeadsToItsCandidate()
    {
        TemplatesStage stage;
        const auto asked = [&] {
            auto shown = std::make_shared<Snapshot>(*stage.run.snapshot());
            shown->run.settings.proposer = "model:models.json";
            stage.client.publish(shown);
        };
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        QPushButton *send = stage.button(u"sendOnce"_s), *back = stage.button(u"takeSendBack"_s);
        QVERIFY(!send->isEnabled());
        QVERIFY2(send->toolTip().contains(u"takes no prompts"_s), qPrintable(send->toolTip()));
        const QString beside = stage.find<QLabel>(u"sendOnceState"_s)->text(); // where nobody has to look for it
        QVERIFY2(beside.contains(u"No model is used in this session"_s), qPrintable(beside));
        QVERIFY(beside.contains(u"href=\"run.proposer\""_s) && beside.contains(u"menu Run"_s));
        asked();
        QTRY_VERIFY_WITH_TIMEOUT(send->isEnabled(), patience);
        stage.write(u" Once."_s);
        QVERIFY(!send->isEnabled()); // its prompt is not shown yet
        QTRY_VERIFY_WITH_TIMEOUT(send->isEnabled(), patience);
        QTest::mouseClick(send, Qt::LeftButton);
        QCOMPARE(stage.client.candidateCommands.size(), std::size_t(1));
        const commands::SendPrompt once = std::get<commands::SendPrompt>(stage.client.candidateCommands[0]);
        QCOMPARE(once.draft.name, std::string("exploit"));
        QVERIFY(once.draft.text && once.draft.text->ends_with(" Once."));
        QCOMPARE(once.draft.parent, stage.run.state().incumbent);
        QVERIFY(!send->isEnabled()); // the engine has yet to take it
        auto* state = stage.find<QLabel>(u"sendOnceState"_s);
        Q_EMIT stage.client.failed(u"prompt/budget"_s, u"too long"_s, u"allow more"_s);
        QCOMPARE(state->text(), u"Not sent: too long — allow more"_s);
        QVERIFY(!back->isVisible());

        SteeringRequest steering;
        steering.id = SteeringRequestId{static_cast<std::int64_t>(stage.run.state().steeringRequests.size()) + 1};
        steering.parent = once.draft.parent;
        steering.prompt
            = {"exploit", stage.run.state().candidate(steering.parent)->island, {}, "exploit", sha256("once")};
        asked();
        QTRY_VERIFY_WITH_TIMEOUT(send->isEnabled(), patience);
        QTest::mouseClick(send, Qt::LeftButton);
        stage.run.record(events::SteeringRequested{steering});
        asked();
        QVERIFY2(state->text().endsWith(u": waiting to be sent"_s), qPrintable(state->text()));
        QTRY_VERIFY_WITH_TIMEOUT(send->isEnabled() && back->isVisible(), patience);
        QTest::mouseClick(back, Qt::LeftButton);
        QVERIFY(stage.client.candidateCommands.back()
            == CandidateCommand(commands::CancelRequests{steering.parent, steering.id}));

        ModelRequest modelRequest;
        modelRequest.id = ModelRequestId{static_cast<std::int64_t>(stage.run.state().modelRequests.size()) + 1};
        modelRequest.proposer = "model";
        modelRequest.model = "writer";
        modelRequest.promptName = "exploit";
        modelRequest.parents = {steering.parent};
        modelRequest.steering = steering.id;
        stage.run.record(events::Asked{modelRequest});
        asked();
        QVERIFY2(state->text().endsWith(u": sent to writer, waiting for the reply"_s), qPrintable(state->text()));
        QVERIFY(!back->isVisible());
        Proposal proposal;
        proposal.id = ProposalId{static_cast<std::int64_t>(stage.run.state().proposals.size()) + 1};
        proposal.island = IslandId{1};
        proposal.proposer = "model";
        proposal.parents = {steering.parent};
        proposal.modelRequest = modelRequest.id;
        proposal.steering = steering.id;
        stage.run.record(events::Answered{modelRequest.id, {}, 0});
        Proposal refused = proposal;
        refused.state = ProposalState::Refused;
        refused.rule = "patch/no-match";
        stage.run.record(events::Proposed{refused});
        asked();
        QVERIFY2(state->text().endsWith(u": the reply was refused: the edit matches no place in its parent"_s),
            qPrintable(state->text()));
        proposal.id = ProposalId{refused.id.value + 1};
        stage.run.record(events::Proposed{proposal});
        Candidate made = *stage.run.state().candidate(steering.parent);
        made.id = CandidateId{static_cast<std::int64_t>(stage.run.state().candidates.size()) + 1};
        made.parents = {steering.parent};
        made.proposal = proposal.id;
        stage.run.record(events::CandidateMade{made});
        asked();
        const QString name = QString::fromStdString(candidateName(made.id));
        QVERIFY2(state->text().contains(u"<a href=\"%1\">%1</a> is the result"_s.arg(name)), qPrintable(state->text()));
        Q_EMIT state->linkActivated(name);
        QCOMPARE(stage.window->selection().current(), made.id);
    }

    void thePreviewSaysWhereItsTokensComeFrom()
    {
        TemplatesStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        const auto* note = stage.find<QLabel>(u"previewNote"_s);
        auto* pane = stage.window->findChild<PromptPreviewPane*>();
        QVERIFY(note && pane);
        QCOMPARE(note->text(),
            u"tokens estimated: the server of writer has reported no counts since this session was opened"_s);
        PromptPreview preview;
        pane->show(preview);
        QCOMPARE(note->text(), u"no model is used: no limit, no cost · tokens estimated"_s);
        preview.room.tokensPerByte = 0.2;
        preview.prompt.trimmed = {"2 of 3 inspirations", "examples"};
        pane->show(preview);
        QCOMPARE(note->text(), u"left out: 2 of 3 inspirations, examples · tokens estimated from earlier replies"_s);
        preview.error = Error{"prompt/request", "nothing to show", "", nullptr};
        pane->show(preview);
        QVERIFY(!note->isVisible());
    }

    void thePreviewSaysWhyThereIsNoLimitAndNoCost()
    {
        TemplatesStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        auto* pane = stage.window->findChild<PromptPreviewPane*>();
        const auto said = [&](const std::string& proposer, const PromptRoom& room) {
            auto shown = std::make_shared<Snapshot>(*stage.run.snapshot());
            shown->run.settings.proposer = proposer;
            stage.client.publish(shown);
            PromptPreview preview;
            preview.shownBy = "explore";
            preview.prompt.user = "Make it faster.";
            preview.prompt.estimatedTokens = 1000;
            preview.room = room;
            pane->show(preview);
            QStringList words;
            for (const char* label : {"previewTokens", "previewCost", "previewNote"})
                words << stage.find<QLabel>(QLatin1String(label))->text();
            return words.join(u'|');
        };
        const QString tokens = u"≈ %1 tokens"_s.arg(grouped(1000));
        QCOMPARE(said("mutator", {}), tokens + u"||no model is used: no limit, no cost · tokens estimated"_s);
        QCOMPARE(said("model:models.json", {}),
            tokens
                + u", limit unknown|cost unknown|tokens estimated: no server has reported counts since this session was opened"_s);
        const PromptRoom priced{12'000, 0.2, "writer", 3e-6, 15e-6};
        QCOMPARE(said("model:models.json", priced),
            tokens + u" of at most %1|≈ $0.0030 to send|tokens estimated from earlier replies"_s.arg(grouped(12'000)));
        for (int i = 0; i < 2; ++i) // of 900 tokens each
            stage.run.answer(stage.run.ask("writer", "Make it faster."), "A reply.", 1);
        QCOMPARE(said("model:models.json", priced),
            tokens
                + u" of at most %1|≈ $0.0030 + reply ≈ $0.01|tokens estimated from earlier replies"_s.arg(
                    grouped(12'000)));
        QVERIFY(stage.find<QLabel>(u"previewCost"_s)->toolTip().contains(u"2 replies"_s));
    }

    void withoutASessionThePageSaysSo()
    {
        test::Theatre stage;
        stage.window->showScreen(u"prompts"_s);
        QVERIFY(stage.find<QLabel>(u"noTemplates"_s)->text().startsWith(u"No session is open."_s));
        QVERIFY(!stage.find<TemplateEditor>(u"templateEditor"_s)->isVisible());
    }

    void anEmptyTextIsNotSavedAndTakesNoVersionAway()
    {
        TemplatesStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        stage.editor()->setPlainText({});
        QTRY_VERIFY2_WITH_TIMEOUT(
            stage.finding().startsWith(u"✗ the template contains no text"_s), qPrintable(stage.finding()), patience);
        QVERIFY(!stage.find<QPushButton>(u"saveTemplate"_s)->isEnabled());
        QTest::keyClick(stage.editor(), Qt::Key_S, Qt::ControlModifier);
        QVERIFY2(stage.client.calls.isEmpty(), qPrintable(stage.client.calls.join(u' ')));
    }

    void aPlaceholderWithoutAValueIsAWarning()
    {
        TemplatesStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        stage.editor()->setPlainText(u"{{hints}}\n{{code}}\n"_s); // nobody has said anything
        QTRY_VERIFY2_WITH_TIMEOUT(
            stage.finding().startsWith(u"⚠ {{hints}} has no value for c-"_s), qPrintable(stage.finding()), patience);
        QCOMPARE(stage.find<QLabel>(u"templateFinding"_s)->property("tone").toString(), u"warning"_s);
        const auto ground = [&](int line) {
            const auto formats = stage.editor()->document()->findBlockByNumber(line).layout()->formats();
            return formats.isEmpty() ? QColor() : formats.first().format.background().color();
        };
        QCOMPARE(ground(0), tokens().warningPill);
        QCOMPARE(ground(1), tokens().selected);
        QVERIFY(stage.button(u"saveTemplate"_s)->isEnabled()); // a warning keeps nobody from saving
        stage.editor()->setPlainText(u"{{}}\n"_s);
        QTRY_VERIFY_WITH_TIMEOUT(stage.finding().contains(u"without a name"_s), patience);
        QTRY_VERIFY_WITH_TIMEOUT(!stage.button(u"saveTemplate"_s)->isEnabled(), patience);
    }

    void whatIsNotSavedIsARowOfTheVersions()
    {
        TemplatesStage stage;
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        const auto* versions = stage.find<QTableView>(u"templateVersions"_s)->model();
        const auto column = [](VersionModel::Column each) { return static_cast<int>(each); };
        const int saved = versions->rowCount();
        QCOMPARE(versions->index(saved - 1, column(VersionModel::Column::By)).data().toString(), u"Tilewright"_s);
        stage.editor()->appendPlainText(u"Be brief."_s);
        QCOMPARE(versions->rowCount(), saved + 1);
        const auto draft
            = [&](VersionModel::Column each) { return versions->index(0, column(each)).data().toString(); };
        QCOMPARE(draft(VersionModel::Column::Version), u"draft"_s);
        QCOMPARE(draft(VersionModel::Column::By), u"you"_s);
        QCOMPARE(draft(VersionModel::Column::Accepted), u"–"_s);
        stage.find<QLineEdit>(u"templateNote"_s)->setText(u"shorten it"_s);
        QCOMPARE(draft(VersionModel::Column::Note), u"shorten it"_s);
        stage.button(u"revertTemplate"_s)->click();
        QCOMPARE(versions->rowCount(), saved);
    }

    void aShareStandsWithItsInterval()
    {
        TemplatesStage stage;
        const ModelRequestId asked = stage.run.ask("writer", "Make it faster.");
        stage.run.answer(asked, "A reply.", 1);
        VersionModel versions;
        versions.show(stage.run.state(), {{}, "explore"});
        const auto accepted = static_cast<int>(VersionModel::Column::Accepted);
        bool any = false;
        for (int row = 0; row < versions.rowCount(); ++row) {
            const PromptStatistics& figures = versions.at(row)->figures;
            const auto interval = wilsonInterval(figures.applied, figures.proposals);
            if (!interval)
                continue;
            any = true;
            const QString shown = versions.index(row, accepted).data().toString();
            QVERIFY2(shown.startsWith(u"%1 of %2 ["_s.arg(figures.applied).arg(figures.proposals)), qPrintable(shown));
            QVERIFY2(shown.endsWith(percent(interval->high) + u']'), qPrintable(shown));
        }
        QVERIFY(any);
        QVERIFY(versions.headerData(accepted, Qt::Horizontal, Qt::ToolTipRole).toString().contains(u"Wilson"_s));
    }

    void aMeanGainIsDrawnWithItsIntervalOnceThereAreEnough()
    {
        TemplatesStage stage;
        stage.page().choose({{}, "explore"});
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        auto* table = stage.find<Table>(u"templateVersions"_s);
        const auto gain = [&] { return table->model()->index(0, static_cast<int>(VersionModel::Column::Gain)); };
        const auto learn = [&](int answers) {
            for (int i = 0; i < answers; ++i)
                stage.run.answer(stage.run.ask("writer", "Make it faster."), "A reply.", 1);
            auto shown = std::make_shared<Snapshot>(*stage.run.snapshot());
            shown->statistics
                = std::make_shared<const RunStatistics>(); // the figures of versions are made anew with it
            stage.client.publish(shown);
        };
        /// What is neither ground nor the axis's own line, at the height of the dot.
        const auto drawn = [&] {
            const QRectF axis = GainDelegate::axisIn(table->visualRect(gain()));
            const QImage shown = table->viewport()->grab().toImage();
            const int y = static_cast<int>(axis.center().y());
            int ink = 0;
            for (const QColor& colour : {tokens().good, tokens().bad, tokens().secondary})
                for (int x = static_cast<int>(axis.left()); x < static_cast<int>(axis.right()); ++x)
                    ink += shown.pixelColor(x, y) == colour ? 1 : 0;
            return ink;
        };
        learn(3);
        QVERIFY2(gain().data().toString().startsWith(u"n = 3"_s), qPrintable(gain().data().toString()));
        QVERIFY(!gain().data(VersionModel::GainRole).isValid()); // and no dot that looks like a mean
        learn(3);
        QVERIFY2(gain().data().toString().endsWith(u"n = 6"_s), qPrintable(gain().data().toString()));
        const auto ratio = [&](VersionModel::Role role) { return gain().data(role).toDouble(); };
        QVERIFY(ratio(VersionModel::GainLowRole) <= ratio(VersionModel::GainRole));
        QVERIFY(ratio(VersionModel::GainRole) <= ratio(VersionModel::GainHighRole));
        QVERIFY(std::abs(std::log(ratio(VersionModel::GainHighRole))) <= ratio(VersionModel::GainReachRole));
        QVERIFY2(drawn() >= 5, qPrintable(QString::number(drawn()))); // the dot at least
        QVERIFY(table->visualRect(gain()).width()
            >= px(104) + QFontMetrics(table->font()).horizontalAdvance(gain().data().toString()));
    }

    /// A mean with its interval, who saved it and when: nothing is scrolled to in the smallest window.
    void allFiguresOfTheVersionsAreInSight()
    {
        TemplatesStage stage;
        stage.window->resize(1280, 800);
        stage.page().choose({{}, "explore"});
        QTRY_VERIFY_WITH_TIMEOUT(stage.isLoaded(), patience);
        for (int i = 0; i < 6; ++i)
            stage.run.answer(stage.run.ask("writer", "Make it faster."), "A reply.", 1);
        auto shown = std::make_shared<Snapshot>(*stage.run.snapshot());
        shown->statistics = std::make_shared<const RunStatistics>();
        stage.client.publish(shown);
        test::settle(*stage.window);
        const auto* table = stage.find<Table>(u"templateVersions"_s);
        QVERIFY(table->isVisible());
        const QString gain = table->model()->index(0, static_cast<int>(VersionModel::Column::Gain)).data().toString();
        QVERIFY2(gain.endsWith(u"n = 6"_s), qPrintable(gain));
        QTRY_COMPARE_WITH_TIMEOUT(table->horizontalScrollBar()->maximum(), 0, patience);
        for (int column = 0; column < table->model()->columnCount(); ++column)
            QVERIFY(!table->isColumnHidden(column));
        const auto note = static_cast<int>(VersionModel::Column::Note);
        QVERIFY2(table->columnWidth(note) >= px(120), qPrintable(QString::number(table->columnWidth(note))));
    }

    void theModelsKeepTheirWord()
    {
        TemplatesStage stage;
        VersionModel versions;
        TemplateTree tree;
        QAbstractItemModelTester versionsTester(&versions), treeTester(&tree);
        const auto shelf = TemplateShelf::load();
        QVERIFY(shelf.has_value());
        for (const char* name : {"exploit", "system", "reply"}) {
            versions.show(stage.run.state(), {{}, name});
            QVERIFY(versions.rowCount() >= 1);
            QVERIFY(versions.at(versions.rowCount() - 1)->live);
        }
        tree.show(*shelf, stage.run.state(), {});
        tree.show(*shelf, stage.run.state(), {{IslandId{1}, "judge"}});
        QVERIFY(tree.indexOf({IslandId{1}, "judge"}).isValid());
        QVERIFY(!tree.indexOf({IslandId{2}, "judge"}).isValid());
    }
};

TILEWRIGHT_TEST(TestTemplatesScreen)
#include "test_templates_screen.moc"
