// SPDX-License-Identifier: GPL-3.0-or-later
// Tool tips of whole sentences are broken into lines, wherever they come from.
#include "tests/test_program.h"
#include "ui/theme/focus_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table.h"

#include <QApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QStandardItemModel>
#include <QTextDocument>
#include <QToolTip>
#include <QtTest>

using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

const QString sentences = u"Scores of different times do not stand on one scale: the baseline ran differently, the "
                          "program is the same, a < b holds as it did, and who wants to be sure measures it again."_s;

void askForTip(QWidget& widget, const QPoint& at)
{
    QToolTip::hideText();
    QHelpEvent help(QEvent::ToolTip, at, widget.mapToGlobal(at));
    QCoreApplication::sendEvent(&widget, &help);
}

int widthOfTip()
{
    for (const QWidget* window : QApplication::topLevelWidgets())
        if (window->inherits("QTipLabel") && window->isVisible())
            return window->width();
    return 0;
}

} // namespace

class TestToolTips : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void wordsOfOneLineStayAsTheyAre()
    {
        QCOMPARE(brokenToolTip({}), QString());
        QCOMPARE(brokenToolTip(u"95 % interval"_s), u"95 % interval"_s);
        QCOMPARE(brokenToolTip(u"one\ntwo"_s), u"one\ntwo"_s);
        const QString rich = u"<p>"_s + sentences + u"</p>"_s;
        QCOMPARE(brokenToolTip(rich), rich);
    }

    void sentencesAreBrokenAndKeepTheirSignsAndLines()
    {
        const QString broken = brokenToolTip(u"first\n"_s + sentences);
        QVERIFY(Qt::mightBeRichText(broken));
        QVERIFY(broken.contains(u"first<br>"_s) && broken.contains(u"a &lt; b"_s));
    }

    void aWidgetsTipIsNoWiderThanAFewWords()
    {
        QLabel label(u"score"_s);
        label.setToolTip(sentences);
        label.show();
        askForTip(label, {2, 2});
        QVERIFY(widthOfTip() > px(240));
        QVERIFY2(widthOfTip() <= px(520), qPrintable(QString::number(widthOfTip())));
        label.setToolTip(u"short"_s);
        askForTip(label, {2, 2});
        QCOMPARE(QToolTip::text(), u"short"_s);
    }

    void rowsAndHeadingsOfATableHaveThemToo()
    {
        QStandardItemModel model(1, 1);
        model.setData(model.index(0, 0), sentences, Qt::ToolTipRole);
        model.setHeaderData(0, Qt::Horizontal, u"heading: "_s + sentences, Qt::ToolTipRole);
        Table table;
        table.setModel(&model);
        table.resize(300, 200);
        table.show();
        askForTip(*table.viewport(), table.visualRect(model.index(0, 0)).center());
        QVERIFY(QToolTip::text().contains(u"Scores of different"_s));
        QVERIFY(widthOfTip() > 0 && widthOfTip() <= px(520));
        askForTip(*table.horizontalHeader()->viewport(), {3, 3});
        QVERIFY(QToolTip::text().contains(u"heading: "_s));
        QVERIFY(widthOfTip() <= px(520));
    }
};

TILEWRIGHT_TEST(TestToolTips)
#include "test_tool_tips.moc"
