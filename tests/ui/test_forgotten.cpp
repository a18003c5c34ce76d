// SPDX-License-Identifier: GPL-3.0-or-later
// What a user put away of what the program keeps comes back: layouts, views of the table of candidates, recent
// sessions; by the button beside the message, and by Run → Undo, newest first.
#include "core/base/folders.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/fits.h"
#include "tests/ui/theatre.h"
#include "ui/docks/layouts_menu.h"
#include "ui/docks/workspace.h"
#include "ui/evolve/views_button.h"
#include "ui/theme/theme.h"
#include "ui/widgets/message_bar.h"

#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <QToolButton>
#include <filesystem>
#include <fstream>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

struct ForgettingStage : Theatre {
    ForgettingStage()
        : Theatre(20)
    {
        open();
    }
    QMenu* opened(const QString& name) const
    {
        auto* menu = find<QMenu>(name);
        Q_EMIT menu->aboutToShow();
        return menu;
    }
    /// Names of what the menu keeps, in their order: what its submenu can forget.
    QStringList kept(const QString& menu) const
    {
        QStringList names;
        if (const QMenu* forget = forgetMenu(menu))
            for (const QAction* action : forget->actions())
                names << action->text();
        return names;
    }
    void keep(const QString& menu, const QString& field, const QString& name) const
    {
        auto* box = opened(menu)->findChild<QLineEdit*>(field);
        box->setText(name);
        QTest::keyClick(box, Qt::Key_Return);
    }
    void forget(const QString& menu, const QString& name) const
    {
        for (QAction* action : forgetMenu(menu)->actions())
            if (action->text() == name)
                return action->trigger();
        QFAIL(qPrintable(name + u" is not kept"_s));
    }
    QAction& undo() const { return window->actions()[u"review.undo"_s]; }
    QString said() const { return find<MessageBar>(u"messageBar"_s)->text(); }
    QPushButton* offer() const { return find<QPushButton>(u"messageOffer"_s); }

private:
    QMenu* forgetMenu(const QString& menu) const
    {
        for (QAction* action : opened(menu)->actions())
            if (action->menu() && action->text() == u"Delete"_s)
                return action->menu();
        return nullptr;
    }
};

const QString layoutsMenu = u"layoutsMenu"_s, viewsMenu = u"viewsMenu"_s;

} // namespace

class TestForgotten : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void aLayoutComesBackByTheButton()
    {
        const ForgettingStage stage;
        for (const QString& name : {u"one"_s, u"two"_s, u"three"_s})
            stage.keep(layoutsMenu, u"layoutName"_s, name);
        QCOMPARE(stage.kept(layoutsMenu), (QStringList{u"one"_s, u"two"_s, u"three"_s}));
        const QByteArray before = stage.settings.layout(stage.window->workspace()->name() + u"-layouts"_s);
        stage.forget(layoutsMenu, u"two"_s);
        QCOMPARE(stage.kept(layoutsMenu), (QStringList{u"one"_s, u"three"_s}));
        QCOMPARE(stage.said(), u"Removed: the layout “two” — Ctrl+Z undoes it"_s);
        QVERIFY(stage.offer()->isVisible());
        QTest::mouseClick(stage.offer(), Qt::LeftButton);
        QCOMPARE(stage.settings.layout(stage.window->workspace()->name() + u"-layouts"_s), before); // in its place
        QVERIFY2(stage.said().startsWith(u"Undone: Removed the layout “two”."_s), qPrintable(stage.said()));
    }

    void aViewComesBackByTheKeys()
    {
        const ForgettingStage stage;
        for (const QString& name : {u"fast"_s, u"wide"_s})
            stage.keep(viewsMenu, u"viewName"_s, name);
        stage.forget(viewsMenu, u"fast"_s);
        QCOMPARE(stage.kept(viewsMenu), QStringList{u"wide"_s});
        stage.undo().trigger();
        QCOMPARE(stage.kept(viewsMenu), (QStringList{u"fast"_s, u"wide"_s}));
        QVERIFY2(stage.said().startsWith(u"Undone: Removed the view “fast”."_s), qPrintable(stage.said()));
    }

    void aRecentSessionComesBackWithoutAnOpenOne()
    {
        Theatre stage;
        const QString here = stage.folder.filePath(u"here.tilewright"_s),
                      gone = stage.folder.filePath(u"gone.tilewright"_s);
        for (const QString& path : {here, gone})
            stage.settings.addRecentFile(path);
        stage.settings.removeRecentFile(gone);
        QCOMPARE(stage.settings.recentFiles(), QStringList{here});
        QAction& undo = stage.window->actions()[u"review.undo"_s];
        QVERIFY(undo.isEnabled());
        undo.trigger();
        QCOMPARE(stage.settings.recentFiles(), (QStringList{gone, here}));
        stage.settings.removeRecentFile(here);
        stage.settings.addRecentFile(here); // opened again meanwhile: once is enough
        QTest::mouseClick(stage.find<QPushButton>(u"messageOffer"_s), Qt::LeftButton);
        QCOMPARE(stage.settings.recentFiles(), (QStringList{here, gone}));
    }

    void aTaskPackIsTakenOffTheListAndComesBack()
    {
        const ForgettingStage stage;
        const std::filesystem::path folder = dataFolder() / "kernels" / "torn";
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "task.json") << "{";
        stage.window->actions()[u"file.new"_s].trigger();
        const auto offers = [&stage] { return stage.window->findChildren<QToolButton*>(u"hidePack"_s); };
        QTRY_COMPARE_WITH_TIMEOUT(offers().size(), 1, patience); // those that came with the program stay
        QVERIFY(offers().front()->isEnabled());
        QCOMPARE(offers().front()->accessibleName(),
            u"Remove %1 from the list"_s.arg(QString::fromStdString(folder.string())));
        offers().front()->click();
        QTRY_VERIFY_WITH_TIMEOUT(offers().isEmpty(), patience);
        QCOMPARE(stage.said(), u"Removed: the task pack torn in the list; its files are kept — Ctrl+Z undoes it"_s);
        QVERIFY(std::filesystem::exists(folder / "task.json"));
        stage.window->actions()[u"file.new"_s].trigger(); // looked for once more
        test::settle(*stage.window);
        QVERIFY(offers().isEmpty());
        QCOMPARE(stage.settings.hiddenPackFolders().size(), 1);
        QTest::mouseClick(stage.offer(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(offers().size(), 1, patience);
        QVERIFY(stage.settings.hiddenPackFolders().isEmpty());
        std::filesystem::remove_all(folder);
    }

    void theNewestOfAllIsTakenBackFirst()
    {
        ForgettingStage stage;
        stage.keep(viewsMenu, u"viewName"_s, u"fast"_s);
        stage.forget(viewsMenu, u"fast"_s);
        stage.run.record(events::HintsChanged{{3}, "smaller"});
        stage.open();
        QTest::mouseClick(stage.offer(), Qt::LeftButton); // what the message is about, not the newest
        QCOMPARE(stage.kept(viewsMenu), QStringList{u"fast"_s});
        stage.undo().trigger();
        QCOMPARE(stage.client.hints.size(), std::size_t(1));
    }

    void anotherSessionForgetsItsSettingsOnly()
    {
        ForgettingStage stage;
        stage.keep(viewsMenu, u"viewName"_s, u"fast"_s);
        stage.forget(viewsMenu, u"fast"_s);
        stage.run.record(events::HintsChanged{{3}, "smaller"});
        stage.open();
        auto other = std::make_shared<Snapshot>(*stage.run.snapshot());
        other->status.sessionPath = "/elsewhere/other.tilewright";
        other->status.readOnly = true; // where no setting can be changed
        stage.client.publish(other);
        stage.undo().trigger();
        QCOMPARE(stage.kept(viewsMenu), QStringList{u"fast"_s});
        stage.undo().trigger();
        QVERIFY(stage.client.hints.empty());
    }

    void aNameThatIsTakenMeanwhileIsNotOverwritten()
    {
        const DockLayout old{u"wide"_s, "old"}, fresh{u"wide"_s, "new"};
        QCOMPARE(withLayoutBack({fresh}, old, 0), (std::vector<DockLayout>{{u"wide (2)"_s, "old"}, fresh}));
        QCOMPARE(withLayoutBack({}, old, 7), std::vector<DockLayout>{old});
        CandidateView oldView;
        oldView.name = u"fast"_s;
        oldView.query = u"score>3"_s;
        CandidateView freshView = oldView;
        freshView.query = u"score>4"_s;
        const std::vector<CandidateView> views = withViewBack({freshView}, oldView, 1);
        QCOMPARE(views.size(), std::size_t(2));
        QCOMPARE(views[1].name, u"fast (2)"_s);
        QCOMPARE(views[1].query, u"score>3"_s);
    }
};

TILEWRIGHT_TEST(TestForgotten)
#include "test_forgotten.moc"
