// SPDX-License-Identifier: GPL-3.0-or-later
// Help: the pages of docs/ in the window, and the paragraph that explains a figure.
#include "core/base/files.h"
#include "core/base/folders.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/theatre.h"
#include "ui/lab/lab_page.h"
#include "ui/shell/documentation.h"

#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

class TestDocumentation : public QObject
{
    Q_OBJECT

    static QStringList headingsOf(const QString& page)
    {
        const auto text = readFile(sharedFolder() / "docs" / page.toStdString());
        QStringList headings;
        for (const QString& line : QString::fromStdString(text.value_or("")).split(u'\n'))
            if (line.startsWith(u'#'))
                headings << line.section(u' ', 1).trimmed();
        return headings;
    }

private Q_SLOTS:
    void eachExplanationNamesAHeadingAndAPartOfTheWindow()
    {
        Theatre stage;
        stage.open();
        stage.window->selection().select(stage.run.state().best()->id);
        stage.window->showScreen(u"lab"_s); // its pages are made when they are shown
        for (const LabPage::Page page : {LabPage::Page::Strassen, LabPage::Page::Game, LabPage::Page::Search,
                 LabPage::Page::Tiling, LabPage::Page::Tunables})
            stage.window->lab().showPage(page);
        for (const Explanation& each : explanations()) {
            QVERIFY2(headingsOf(each.place.page).contains(each.place.heading), qPrintable(each.place.heading));
            QVERIFY2(stage.window->findChild<QWidget*>(each.object), qPrintable(each.object));
        }
    }

    void whatIsThisOpensTheParagraphAboutTheFocusedPart()
    {
        Theatre stage;
        stage.open();
        stage.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(stage.window.get(), patience));
        auto* meter = stage.find<QWidget>(u"evaluationsMeter"_s);
        meter->setFocusPolicy(Qt::StrongFocus);
        meter->setFocus();
        const auto place = explanationOf(meter);
        QVERIFY(place);
        QCOMPARE(place->heading, u"Budgets"_s);
        QVERIFY(!explanationOf(stage.window.get()));
        stage.window->actions()[u"help.docs"_s].trigger();
        auto* page = stage.window->findChild<DocumentationPage*>();
        QVERIFY(page && page->isVisible());
        auto* text = page->findChild<QTextBrowser*>(u"documentationText"_s);
        QVERIFY2(text->toPlainText().contains(u"Getting started"_s), qPrintable(text->toPlainText().left(200)));
        page->open(*place);
        QVERIFY(text->source().path().endsWith(u"/docs/steering.md"_s));
        QCOMPARE(text->textCursor().block().text(), u"Budgets"_s);
        // A link to another heading, and to another page.
        Q_EMIT text->anchorClicked(QUrl(u"#undo"_s));
        QCOMPARE(text->textCursor().block().text(), u"Undo"_s);
        Q_EMIT text->anchorClicked(QUrl(u"models.md#how-a-run-uses-models"_s));
        QVERIFY(text->source().path().endsWith(u"/docs/models.md"_s));
        QCOMPARE(text->textCursor().block().text(), u"How a run uses models"_s);
    }

    void aPageIsSavedAsPdfAndHtml()
    {
        Theatre stage;
        stage.window->actions()[u"help.docs"_s].trigger();
        auto* page = stage.window->findChild<DocumentationPage*>();
        page->open({u"worksheets/strassen.md"_s, {}});
        const QString pdf = stage.folder.filePath(u"sheet.pdf"_s), html = stage.folder.filePath(u"sheet.html"_s);
        QVERIFY(page->save(pdf) && page->save(html));
        QVERIFY(readFile(pdf.toStdString()).value_or("").starts_with("%PDF"));
        QVERIFY(readFile(html.toStdString()).value_or("").find("Strassen") != std::string::npos);
        QVERIFY(!page->save(stage.folder.filePath(u"none/sheet.pdf"_s)));
    }
};

TILEWRIGHT_TEST(TestDocumentation)
#include "test_documentation.moc"
