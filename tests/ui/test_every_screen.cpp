// SPDX-License-Identifier: GPL-3.0-or-later
// A walk over every widget of every screen at the usual sizes of windows: nothing is cut off, nothing lies upon its
// neighbour, no page is to be scrolled sideways (in English), tables keep headings and figures whole. The environment
// says how large the text is (TILEWRIGHT_FONT_POINTS), whether texts are as long as a translation's
// (TILEWRIGHT_LONGER_TEXTS) and how many device pixels a logical one has (QT_SCALE_FACTOR), and the theme, if not the
// dark one (TILEWRIGHT_WALK_THEME). One window for the whole walk: what a screen leaves behind must not spoil the next.
#include "app/gui/pictures.h"
#include "tests/patience.h"
#include "tests/rotation.h"
#include "tests/ui/fits.h"
#include "tests/ui/longer_texts.h"
#include "tests/ui/painted_texts.h"
#include "ui/own/own_kernel_page.h"
#include "ui/shell/status_line.h"
#include "ui/theme/theme.h"
#include "ui/welcome/new_session_page.h"
#include "ui/welcome/proposer_picker.h"

#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTest>

using namespace tilewright;
using namespace tilewright::gui;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

void showTaskForNothingBuiltIn(Theatre& stage, const QTemporaryDir&)
{
    TaskPack bare = findTaskPack("gemm-fp32-cpu").value();
    bare.moves.clear();
    NewSessionPage& page = stage.window->welcome();
    page.tasks().show({{"/packs/bare", bare}});
    page.proposers().choose(u"mutator"_s);
    stage.window->showScreen(u"welcome"_s);
    page.showChoices();
    QVERIFY(stage.find<QPushButton>(u"useInstead:manual"_s)->isVisible());
}

void showTwoModelsFiles(Theatre& stage, const QTemporaryDir&)
{
    ModelsBook& book = stage.window->models();
    ModelsDraft draft = book.draft(), other = draft;
    other.set({DraftPart::Limits, 0}, "tokens", 1000);
    draft.set({DraftPart::Limits, 0}, "tokens", 2000);
    write(book.path(), QByteArray::fromStdString(other.text()));
    book.change(draft, u"limits"_s);
    std::ranges::find(pictures(), u"settings-models"_s, &Picture::name)->show(*stage.window);
    QVERIFY(stage.find<QWidget>(u"modelsClash"_s)->isVisible());
}

void showChangedKernel(Theatre& stage, const QTemporaryDir& folder)
{
    std::ranges::find(pictures(), u"own-kernel"_s, &Picture::name)->show(*stage.window);
    KernelWork& work = stage.window->welcome().ownKernel().work();
    const QString path = folder.filePath(u"kernel.cpp"_s);
    write(path, "void scale(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = 2 * x[i]; }\n");
    work.openFile(path);
    QTRY_VERIFY_WITH_TIMEOUT(work.isDescribed(), patience);
    write(
        path, "void scale(const float* x, float* y, int m, int n) { for (int i = 0; i < n; ++i) y[i] = m * x[i]; }\n");
    QTRY_VERIFY_WITH_TIMEOUT(!work.outdated().isEmpty(), patience);
}

void showRunThatWaits(Theatre& stage, const QTemporaryDir&)
{
    stage.run.record(events::ReviewPolicyChanged{{}, ReviewPolicy::Risky});
    stage.run.record(events::ReviewLimitChanged{1}); // as many as wait
    stage.open();
    stage.window->showScreen(u"evolve"_s);
    QVERIFY(stage.find<QPushButton>(u"waitsForYou"_s)->isVisible());
}

constexpr std::pair<const char*, void (*)(Theatre&, const QTemporaryDir&)> seldomSeen[]{
    {"a task for which nothing is built in", showTaskForNothingBuiltIn}, {"two models files", showTwoModelsFiles},
    {"a kernel that has changed", showChangedKernel}, {"edits that hold the run up", showRunThatWaits}};

/// What stands there is read at a glance.
QStringList longTextsOfTheStatusLine(const QWidget& window)
{
    constexpr qsizetype most = 80;
    QStringList found;
    for (const auto* label : window.findChild<StatusLine*>()->findChildren<QLabel*>())
        if (label->text().size() > most)
            found
                << u"%1 has %2 characters: %3"_s.arg(label->objectName()).arg(label->text().size()).arg(label->text());
    return found;
}

} // namespace

class TestEveryScreen : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        Theme::instance().apply(themeFromName(qEnvironmentVariable("TILEWRIGHT_WALK_THEME")).value_or(ThemeKind::Dark));
        m_stage = std::make_unique<Theatre>();
        setScene(*m_stage);
    }
    void cleanupTestCase() { m_stage.reset(); }

    void everythingHasRoom_data()
    {
        QTest::addColumn<QString>("screen");
        // With longer texts every second screen a commit; the walk in English takes all of them.
        const bool isLonger = qEnvironmentVariableIsSet("TILEWRIGHT_LONGER_TEXTS");
        const std::size_t count = pictures().size();
        for (std::size_t i = 0; i < count; ++i)
            if (!isLonger || test::isInRotation("every-screen", i, count, (count + 1) / 2))
                QTest::newRow(qPrintable(pictures()[i].name)) << pictures()[i].name;
    }

    void everythingHasRoom()
    {
        QFETCH(QString, screen);
        const auto asked = std::ranges::find(pictures(), screen, &Picture::name);
        QStringList found;
        for (const QSize& size : sizes()) {
            m_stage->window->resize(size);
            for (QWidget* over : windowsOver(*m_stage->window))
                over->close();
            settle(*m_stage->window); // what was closed is gone then
            asked->show(*m_stage->window);
            settle(*m_stage->window);
            QCOMPARE(m_stage->window->size(), size); // a minimum size beyond the screen would show here
            QStringList here = problemsOf(*m_stage->window);
            QCOMPARE(!windowsOver(*m_stage->window).isEmpty(), asked->opens);
            for (const QWidget* over : windowsOver(*m_stage->window))
                if (over->width() > size.width() || over->height() > size.height())
                    here << u"%1 is %2×%3"_s.arg(over->objectName()).arg(over->width()).arg(over->height());
            if (!qEnvironmentVariableIsSet("TILEWRIGHT_LONGER_TEXTS"))
                here << longTextsOfTheStatusLine(*m_stage->window);
            for (const QString& problem : here)
                found << u"%1×%2: %3"_s.arg(size.width()).arg(size.height()).arg(problem);
        }
        found.removeDuplicates();
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
    }

    void whatIsSeldomSeenHasRoomAsWell_data()
    {
        QTest::addColumn<QString>("state");
        for (const auto& [state, show] : seldomSeen)
            QTest::newRow(state) << QString::fromLatin1(state);
    }

    /// What a screen shows only when something is amiss, which no name of pictures() brings about.
    void whatIsSeldomSeenHasRoomAsWell()
    {
        QFETCH(QString, state);
        const QTemporaryDir folder;
        for (QWidget* over : windowsOver(*m_stage->window))
            over->close();
        for (const auto& [name, show] : seldomSeen)
            if (state == QLatin1String(name))
                show(*m_stage, folder);
        QStringList found;
        for (const QSize& size : sizes()) {
            m_stage->window->resize(size);
            settle(*m_stage->window);
            for (const QString& problem : problemsOf(*m_stage->window))
                found << u"%1×%2: %3"_s.arg(size.width()).arg(size.height()).arg(problem);
        }
        found.removeDuplicates();
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
    }

    /// A page whose least width depends on the width it has would be resized for ever, until the stack is used up.
    void everyPageComesToRestAtAnyWidth()
    {
        for (const char* other : {"QT_SCALE_FACTOR", "TILEWRIGHT_LONGER_TEXTS", "TILEWRIGHT_WALK_THEME"})
            if (qEnvironmentVariableIsSet(other))
                QSKIP("looked at in English, at scale 1 and in one theme");
        for (const QString& screen : {u"new-session"_s, u"evolve"_s, u"review"_s, u"prompts"_s, u"compare"_s,
                 u"devices"_s, u"settings-models"_s, u"settings"_s})
            for (int width = 1100; width < 2000; width += 47) {
                m_stage->window->resize(width, 800);
                std::ranges::find(pictures(), screen, &Picture::name)->show(*m_stage->window);
                settle(*m_stage->window);
                for (const auto* area : m_stage->window->findChildren<QScrollArea*>())
                    if (area->isVisible() && area->widget() && area->widgetResizable())
                        QVERIFY2(area->widget()->width() >= area->viewport()->width(), qPrintable(screen));
            }
    }

private:
    /// What does not fit, but for what may be scrolled where texts are longer or larger than the usual English ones.
    static QStringList problemsOf(QWidget& window)
    {
        QStringList problems = misfits(window) + paintedMisfits(window);
        const bool isLonger = qEnvironmentVariableIsSet("TILEWRIGHT_LONGER_TEXTS");
        const bool isUsual = !isLonger && QApplication::font().pointSizeF() < 10;
        if (isLonger) // pages may be wider than the smallest window
            problems.removeIf([](const QString& each) { return each.contains(u"to be scrolled sideways"_s); });
        if (!isUsual) // tabs have buttons that scroll them
            problems.removeIf([](const QString& each) { return each.contains(u"is cut at an edge of QTabBar"_s); });
        return problems;
    }

    /// What a fraction of a pixel changes shows in the smallest window, if anywhere.
    static QList<QSize> sizes()
    {
        const QSize smallest(1280, 800);
        return qEnvironmentVariableIsSet("QT_SCALE_FACTOR")
            ? QList<QSize>{smallest}
            : QList<QSize>{smallest, QSize(1680, 1050), QSize(2560, 1440)};
    }

    std::unique_ptr<Theatre> m_stage;
};

int main(int argc, char** argv)
{
    QTemporaryDir data; // the user's own sessions are not looked at
    qputenv("XDG_DATA_HOME", data.path().toLocal8Bit());
    QApplication app(argc, argv);
    LongerTexts longer;
    if (qEnvironmentVariableIsSet("TILEWRIGHT_LONGER_TEXTS"))
        QCoreApplication::installTranslator(&longer);
    TestEveryScreen test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_every_screen.moc"
