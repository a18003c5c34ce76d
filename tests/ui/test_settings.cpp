// SPDX-License-Identifier: GPL-3.0-or-later
// The Settings screen: each choice does what it says at once, is kept, and is the same as where else it can be made.
#include "app/gui/pictures.h"
#include "tests/patience.h"
#include "tests/rotation.h"
#include "tests/test_program.h"
#include "tests/ui/fits.h"
#include "ui/devices/devices_page.h"
#include "ui/diff/split_diff.h"
#include "ui/docks/workspace.h"
#include "ui/settings/models_page.h"
#include "ui/settings/settings_page.h"
#include "ui/shell/finder.h"
#include "ui/shell/message_log.h"
#include "ui/theme/theme.h"
#include "ui/welcome/device_picker.h"
#include "ui/welcome/machine_card.h"
#include "ui/welcome/new_session_page.h"
#include "ui/widgets/table.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QStyle>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::gui;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

/// A line for each name that the two do not tell the same of.
QString differences(const QMap<QString, QString>& found, const QMap<QString, QString>& expected)
{
    QStringList lines;
    QMap<QString, QString> names = found;
    names.insert(expected);
    for (const QString& name : names.keys())
        if (found.value(name) != expected.value(name))
            lines << u"%1: “%2” in place of “%3”"_s.arg(name, found.value(name), expected.value(name));
    return lines.join(u'\n');
}

struct SettingsStage : Theatre {
    explicit SettingsStage(SettingsSection section)
        : Theatre(20)
    {
        open();
        window->actions()[actionOf(section)].trigger();
    }
    template <typename T> T* field(const QString& form, const QString& name) const
    {
        return find<QWidget>(form)->findChild<T*>(u"field:"_s + name);
    }
    /// As a user does who opens the box.
    void choose(const QString& form, const QString& name, const QString& value) const
    {
        auto* box = field<QComboBox>(form, name);
        const int at = box->findData(value);
        QVERIFY2(at >= 0, qPrintable(value));
        box->setCurrentIndex(at);
        Q_EMIT box->activated(at);
    }
    bool isOn(const QString& action) const { return window->actions()[action].isChecked(); }
};

QJsonObject twoGpus()
{
    const auto gpu = [](int index) {
        return QJsonObject{{u"what"_s, u"cuda:%1"_s.arg(index)}, {u"found"_s, true}, {u"needed"_s, false},
            {u"detail"_s, u"NVIDIA H200"_s},
            {u"device"_s,
                QJsonObject{{u"id"_s, u"cuda:%1"_s.arg(index)}, {u"index"_s, index}, {u"name"_s, u"NVIDIA H200"_s},
                    {u"architecture"_s, u"sm_90a"_s}, {u"multiprocessors"_s, 132},
                    {u"memory_bytes"_s, 150'000'000'000.0}}}};
    };
    return {{u"complete"_s, true}, {u"findings"_s, QJsonArray{gpu(0), gpu(1)}}};
}

/// Of the first one that is seen; of a table also where none is, and where texts wrap that of one line: how many lines
/// a row takes depends on how wide its dock is, and docks keep the shares they had.
int heightOfRow(const QAbstractItemView& view)
{
    if (const auto* table = qobject_cast<const QTableView*>(&view))
        return table->wordWrap() ? table->verticalHeader()->defaultSectionSize() : table->rowHeight(0);
    return view.visualRect(view.model()->index(0, 0, view.rootIndex())).height();
}

/// First rows of the tables whose rows are as high as their words need: texts and widths.
QString wrappedRows(const Theatre& stage)
{
    QStringList rows;
    for (const auto* table : stage.window->findChildren<QTableView*>()) {
        if (!table->isVisible() || !table->wordWrap() || !table->model() || table->model()->rowCount() == 0)
            continue;
        QStringList cells;
        for (int column = 0; column < table->model()->columnCount(); ++column)
            cells << u"%1 (%2 wide)"_s.arg(table->model()->index(0, column).data().toString())
                         .arg(table->columnWidth(column));
        rows << table->objectName() + u": "_s + cells.join(u", "_s);
    }
    return rows.join(u'\n');
}

} // namespace

class TestSettings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        Theme::instance().setFontPoints(9);
        Theme::instance().setReducedMotion(false);
        Theme::instance().apply(ThemeKind::Dark);
    }
    void cleanupTestCase() { init(); }

    void eachSectionIsReachedByMenuByListAndByKeys()
    {
        Theatre stage(0);
        stage.window->actions()[u"mode.settings"_s].trigger();
        SettingsPage& page = stage.window->settingsPage();
        QVERIFY(page.isVisible());
        for (const SettingsSection section : settingsSections) {
            stage.window->showScreen(u"welcome"_s);
            stage.window->actions()[actionOf(section)].trigger();
            QVERIFY(page.isVisible() && page.partOf(section).isVisible());
            page.goTo(section == SettingsSection::Models ? SettingsSection::Devices : SettingsSection::Models);
            auto* button = stage.find<QAbstractButton>(u"settingsSection:"_s + actionOf(section));
            button->setFocus();
            QTest::keyClick(button, Qt::Key_Space);
            QVERIFY(page.partOf(section).isVisible() && button->isChecked());
            QCOMPARE(page.section(), section);
        }
        page.goTo(SettingsSection::Appearance);
        page.models().addEndpoint(u"vllm"_s); // what is added is seen
        QCOMPARE(page.section(), SettingsSection::Models);
    }

    void aThemeThatTheStartNamedIsSaidToBeThat()
    {
        const SettingsStage stage(SettingsSection::Appearance);
        const auto isSaid = [&stage] {
            const QList<QLabel*> labels = stage.find<QWidget>(u"lookForm"_s)->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [](const QLabel* each) { return each->text().contains(u"--theme"_s); });
        };
        stage.choose(u"lookForm"_s, u"theme"_s, u"dark"_s);
        QVERIFY(!isSaid());
        Theme::instance().apply(ThemeKind::Contrast);
        QVERIFY(isSaid());
        QCOMPARE(stage.field<QComboBox>(u"lookForm"_s, u"theme"_s)->currentData().toString(), u"contrast"_s);
        stage.choose(u"lookForm"_s, u"theme"_s, u"dark"_s); // here it is chosen
        QCOMPARE(Theme::instance().kind(), ThemeKind::Dark);
        QVERIFY(!isSaid());
    }

    void theThemeIsThatOfTheMenu()
    {
        const SettingsStage stage(SettingsSection::Appearance);
        stage.choose(u"lookForm"_s, u"theme"_s, u"light"_s);
        QCOMPARE(Theme::instance().kind(), ThemeKind::Light);
        QCOMPARE(QApplication::palette().color(QPalette::Window), tokensOf(ThemeKind::Light).window);
        QVERIFY(stage.isOn(u"view.light"_s));
        stage.window->actions()[u"view.contrast"_s].trigger();
        QCOMPARE(stage.field<QComboBox>(u"lookForm"_s, u"theme"_s)->currentData().toString(), u"contrast"_s);
        QCOMPARE(Theme::instance().kind(), ThemeKind::Contrast);
        stage.choose(u"lookForm"_s, u"theme"_s, u"desktop"_s);
        QCOMPARE(Theme::instance().kind(), Theme::instance().desktopKind());
        QVERIFY(stage.isOn(u"view.system"_s) && !stage.isOn(u"view.light"_s));
        const Settings again(stage.folder.filePath(u"settings.ini"_s));
        QVERIFY(!again.chosenTheme());
        QPalette dark;
        dark.setColor(QPalette::Window, Qt::black);
        dark.setColor(QPalette::WindowText, Qt::white);
        QCOMPARE(kindOf(dark), ThemeKind::Dark);
        QCOMPARE(kindOf(QPalette(Qt::white)), ThemeKind::Light);
    }

    void theTextIsAsLargeAsInAWindowMadeForIt_data()
    {
        QTest::addColumn<QString>("screen");
        const QStringList screens{u"settings"_s, u"evolve"_s, u"review"_s, u"prompts"_s, u"devices"_s, u"new-session"_s,
            u"settings-shortcuts"_s};
        for (qsizetype i = 0; i < screens.size(); ++i)
            if (test::isInRotation(
                    "settings", static_cast<std::size_t>(i), static_cast<std::size_t>(screens.size()), 3))
                QTest::newRow(qPrintable(screens[i])) << screens[i];
    }
    /// Lengths and fonts of a window that was there before are those of one that was made afterwards, and back.
    void theTextIsAsLargeAsInAWindowMadeForIt()
    {
        QFETCH(QString, screen);
        const auto show = [&](const Theatre& stage) {
            stage.window->resize(1680, 1050);
            for (const Picture& one : pictures())
                if (one.name == screen)
                    one.show(*stage.window);
            settle(*stage.window);
        };
        /// By name and class: fonts, sizes of signs, heights of rows.
        const auto measures = [](const Theatre& stage) {
            QMap<QString, QString> all;
            for (const auto* view : stage.window->findChildren<QAbstractItemView*>())
                if (view->isVisible() && view->model() && view->model()->rowCount(view->rootIndex()) > 0)
                    all[u"row of "_s + view->objectName()] = u"%1 high"_s.arg(heightOfRow(*view));
            for (const QWidget* widget : stage.window->findChildren<QWidget*>())
                if (widget->isVisible() && !widget->objectName().isEmpty()
                    && !widget->objectName().startsWith(u"qt_"_s))
                    all[widget->objectName() + u' ' + QLatin1String(widget->metaObject()->className())]
                        = u"%1 pt"_s.arg(widget->font().pointSizeF(), 0, 'f', 1)
                        + (qobject_cast<const QAbstractButton*>(widget) ? u", sign of %1"_s.arg(
                               qobject_cast<const QAbstractButton*>(widget)->iconSize().width())
                                                                        : QString());
            return all;
        };
        SettingsStage before(SettingsSection::Appearance);
        setScene(before);
        show(before);
        const auto small = measures(before);
        before.choose(u"lookForm"_s, u"font"_s, u"14"_s);
        QCOMPARE(Theme::instance().fontPoints(), 14.0);
        QCOMPARE(QApplication::font().pointSizeF(), 14.0);
        show(before);
        Theatre after(20);
        setScene(after);
        show(after);
        const auto large = measures(before), fresh = measures(after);
        QCOMPARE(differences(large, fresh), QString());
        QStringList found = misfits(*before.window);
        found.removeDuplicates();
        const QStringList usual = misfits(*after.window); // test_every_screen.cpp is about these
        found.removeIf([&usual](const QString& problem) {
            return usual.contains(problem) || problem.contains(u"sideways"_s); // docks keep the shares they had
        });
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
        QCOMPARE(before.find<QWidget>(u"modeButton:mode.evolve"_s)->size(),
            after.find<QWidget>(u"modeButton:mode.evolve"_s)->size());
        before.choose(u"lookForm"_s, u"font"_s, u"9"_s);
        show(before);
        // What another process tells late may still move a dock.
        QTRY_VERIFY2(differences(measures(before), small).isEmpty(),
            qPrintable(differences(measures(before), small) + u'\n' + wrappedRows(before)));
    }

    void theWayBackToSmallTextLeavesEverythingAsItWas_data() { theTextIsAsLargeAsInAWindowMadeForIt_data(); }
    /// Places, sizes, pictures and scroll bars of all that is seen, after one size of text after the other.
    void theWayBackToSmallTextLeavesEverythingAsItWas()
    {
        QFETCH(QString, screen);
        SettingsStage stage(SettingsSection::Appearance);
        setScene(stage);
        const auto show = [&] {
            stage.window->resize(1680, 1050);
            for (const Picture& one : pictures())
                if (one.name == screen)
                    one.show(*stage.window);
            const auto* diff = stage.window->findChild<SplitDiff*>(u"reviewDiff"_s); // made aside
            (void)QTest::qWaitFor([&] { return !diff || !diff->isVisible() || diff->changes() > 0; }, patience);
            settle(*stage.window);
        };
        struct Seen {
            QString words;
            QRect at;
        };
        const auto look = [&] {
            std::vector<Seen> all;
            for (const QWidget* widget : stage.window->findChildren<QWidget*>()) {
                if (!widget->isVisible())
                    continue;
                const QRect at(widget->mapTo(stage.window.get(), QPoint()), widget->size());
                QString words = QLatin1String(widget->metaObject()->className()) + QChar::Space + widget->objectName();
                if (const auto* label = qobject_cast<const QLabel*>(widget))
                    words += u" with a picture of %1"_s.arg(label->pixmap().width());
                if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
                    words += u" with a sign of %1"_s.arg(button->iconSize().width());
                all.push_back({words, at});
            }
            return all;
        };
        show();
        const std::vector<Seen> before = look();
        stage.window->showScreen(u"settings"_s); // where it is changed
        for (const int points : {10, 11, 12, 13, 14, 9}) {
            stage.choose(u"lookForm"_s, u"font"_s, QString::number(points));
            settle(*stage.window);
        }
        show();
        const auto isNear = [](const QRect& one, const QRect& other) { // docks share out what rounding leaves
            constexpr int few = 4;
            return std::abs(one.left() - other.left()) <= few && std::abs(one.top() - other.top()) <= few
                && std::abs(one.right() - other.right()) <= few && std::abs(one.bottom() - other.bottom()) <= few;
        };
        const auto told = [](const Seen& each) {
            return u"%1 at %2,%3: %4x%5"_s.arg(each.words)
                .arg(each.at.x())
                .arg(each.at.y())
                .arg(each.at.width())
                .arg(each.at.height());
        };
        QStringList gone, came;
        const auto isAsBefore = [&] {
            std::vector<Seen> left = before;
            gone.clear(), came.clear();
            for (const Seen& each : look()) {
                const auto same = std::ranges::find_if(
                    left, [&](const Seen& one) { return one.words == each.words && isNear(one.at, each.at); });
                if (same == left.end())
                    came << told(each);
                else
                    left.erase(same);
            }
            for (const Seen& each : left)
                gone << told(each);
            return gone.isEmpty() && came.isEmpty();
        };
        (void)QTest::qWaitFor(isAsBefore, patience);
        QVERIFY2(gone.isEmpty() && came.isEmpty(),
            qPrintable(gone.mid(0, 6).join(u'\n') + u"\nnow:\n"_s + came.mid(0, 6).join(u'\n')));
    }

    void motionIsReducedAtOnce()
    {
        const SettingsStage stage(SettingsSection::Appearance);
        const int flashes = QApplication::cursorFlashTime();
        QVERIFY(flashes > 0 && stage.window->devices().docks()->isAnimated());
        auto* reduce = stage.field<QCheckBox>(u"lookForm"_s, u"motion"_s);
        reduce->click();
        QVERIFY(Theme::instance().reducesMotion() && stage.settings.reducesMotion());
        QCOMPARE(QApplication::cursorFlashTime(), 0);
        QVERIFY(!stage.window->devices().docks()->isAnimated());
        QCOMPARE(QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration), 0);
        QVERIFY(!QApplication::isEffectEnabled(Qt::UI_AnimateMenu));
        const Theatre later(0); // made while it holds
        QVERIFY(!later.window->devices().docks()->isAnimated());
        reduce->click();
        QCOMPARE(QApplication::cursorFlashTime(), flashes);
        QVERIFY(stage.window->devices().docks()->isAnimated());
    }

    void theLookIsThereAtTheNextStart()
    {
        const QTemporaryDir folder;
        {
            Settings settings(folder.filePath(u"settings.ini"_s));
            settings.setTheme(ThemeKind::Light);
            settings.setFontPoints(11);
            settings.setReducedMotion(true);
        }
        init();
        Settings(folder.filePath(u"settings.ini"_s)).applyLook();
        QCOMPARE(Theme::instance().kind(), ThemeKind::Light);
        QCOMPARE(Theme::instance().fontPoints(), 11.0);
        QVERIFY(Theme::instance().reducesMotion());
    }

    void newSessionsGoToTheFolder()
    {
        SettingsStage stage(SettingsSection::Sessions);
        stage.window->welcome().tasks().show(findTaskPacks());
        auto* folder = stage.field<QLineEdit>(u"sessionsForm"_s, u"folder"_s);
        const auto type = [&](const QString& path) {
            folder->setFocus();
            folder->selectAll();
            QTest::keyClicks(folder, path);
            QTest::keyClick(folder, Qt::Key_Return);
        };
        const QString wanted = stage.folder.filePath(u"mine"_s);
        type(wanted);
        QCOMPARE(stage.settings.sessionsFolder(), wanted);
        const QString file = stage.find<QLineEdit>(u"sessionFile"_s)->text();
        QVERIFY2(file.startsWith(wanted + u'/'), qPrintable(file));
        type(u"not/whole"_s);
        const auto* problem = stage.find<QLabel>(u"problem:folder"_s);
        QVERIFY(problem->isVisible() && !problem->text().isEmpty());
        QCOMPARE(stage.settings.sessionsFolder(), wanted);
        folder->clear();
        folder->setFocus();
        QTest::keyClick(folder, Qt::Key_Return);
        QVERIFY(!problem->isVisible() && stage.settings.ownSessionsFolder().isEmpty());
    }

    void whatIsKeptOfRecentSessions()
    {
        SettingsStage stage(SettingsSection::Sessions);
        for (int i = 0; i < 10; ++i)
            stage.settings.addRecentFile(stage.folder.filePath(u"%1.tilewright"_s.arg(i)));
        QCOMPARE(stage.settings.recentFiles().size(), Settings::usualRecent);
        stage.choose(u"sessionsForm"_s, u"kept"_s, u"4"_s);
        QCOMPARE(stage.settings.recentFiles().size(), 4);
        QVERIFY(stage.settings.recentFiles().first().endsWith(u"9.tilewright"_s)); // the newest stay
        const QStringList kept = stage.settings.recentFiles();
        auto* clear = stage.find<QAbstractButton>(u"forgetRecent"_s);
        QTest::mouseClick(clear, Qt::LeftButton);
        QVERIFY(stage.settings.recentFiles().isEmpty() && !clear->isEnabled());
        stage.window->actions()[u"review.undo"_s].trigger();
        QCOMPARE(stage.settings.recentFiles(), kept);
        stage.choose(u"sessionsForm"_s, u"kept"_s, u"0"_s);
        stage.settings.addRecentFile(stage.folder.filePath(u"new.tilewright"_s));
        QVERIFY(stage.settings.recentFiles().isEmpty());
    }

    void theDeviceOfNewSessions()
    {
        SettingsStage stage(SettingsSection::Devices);
        NewSessionPage& page = stage.window->welcome();
        page.tasks().show(findTaskPacks());
        page.machine().show(twoGpus());
        QTest::mouseClick(stage.find<QAbstractButton>(u"task:gemm-fp32"_s), Qt::LeftButton);
        QCOMPARE(page.choices().device, u"cuda:0"_s); // the first, as long as nobody says otherwise
        stage.choose(u"devicesForm"_s, u"gpu"_s, u"cuda:1"_s);
        QCOMPARE(page.choices().device, u"cuda:1"_s);
        QTest::mouseClick(stage.find<QAbstractButton>(u"task:gemm-fp32-cpu"_s), Qt::LeftButton);
        QCOMPARE(page.choices().device, u"cpu"_s);
        QTest::mouseClick(stage.find<QAbstractButton>(u"task:gemm-fp32"_s), Qt::LeftButton);
        QCOMPARE(page.choices().device, u"cuda:1"_s);
        stage.choose(u"devicesForm"_s, u"gpu"_s, u"cuda:all"_s);
        QCOMPARE(page.choices().devices, 2);
        stage.choose(u"devicesForm"_s, u"gpu"_s, u""_s);
        QCOMPARE(page.choices().device, u"cuda:0"_s);
        stage.settings.setPreferredGpu(u"cuda:7"_s);
        QCOMPARE(page.choices().device, u"cuda:0"_s);
        QVERIFY(stage.field<QComboBox>(u"devicesForm"_s, u"gpu"_s)->currentText().contains(u"not available now"_s));
    }

    void everyActionIsAmongTheShortcutsAndCanBeSearched()
    {
        const SettingsStage stage(SettingsSection::Shortcuts);
        auto* part = &stage.window->settingsPage().partOf(SettingsSection::Shortcuts);
        const QAbstractItemModel& table = *part->findChild<Table*>(u"shortcutTable"_s)->model();
        const auto cell = [&](int row, ShortcutTable::Column column) {
            return table.index(row, static_cast<int>(column)).data().toString();
        };
        QMap<QString, QString> shown;
        for (int row = 0; row < table.rowCount(); ++row)
            shown[cell(row, ShortcutTable::Column::Action)] = cell(row, ShortcutTable::Column::Keys);
        for (const QAction* action : stage.window->actions().all()) {
            const QString name = action->text().remove(u'&').remove(u'…');
            QVERIFY2(shown.contains(name), qPrintable(name));
            if (!action->shortcut().isEmpty())
                QCOMPARE(shown[name], QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText));
        }
        auto* wanted = part->findChild<QLineEdit*>(u"shortcutSearch"_s);
        wanted->setFocus();
        QTest::keyClicks(wanted, u"shift+f5"_s);
        QCOMPARE(table.rowCount(), 1);
        QCOMPARE(cell(0, ShortcutTable::Column::Action), u"Stop"_s);
        wanted->setText(u"no such thing"_s);
        QCOMPARE(table.rowCount(), 0);
    }

    /// Whatever cannot be done now, and in as many lines as it takes.
    void theListOfShortcutsSaysWhatEachActionDoes()
    {
        const SettingsStage stage(SettingsSection::Shortcuts);
        ActionRegistry& actions = stage.window->actions();
        const QString reason = u"It was measured on another machine, and cannot go on here."_s;
        actions.giveReason(u"run.run"_s, reason);
        QCOMPARE(actions[u"run.run"_s].toolTip(), reason);
        ShortcutPage page(actions, stage.window.get());
        page.show();
        test::settle(page);
        const auto* table = page.findChild<Table*>(u"shortcutTable"_s);
        QStringList purposes;
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const auto at
                = [&](ShortcutTable::Column column) { return table->model()->index(row, static_cast<int>(column)); };
            purposes << at(ShortcutTable::Column::Purpose).data().toString();
            for (int column = 0; column < table->model()->columnCount(); ++column) {
                const QRect cell = table->visualRect(at(static_cast<ShortcutTable::Column>(column)));
                const QRect room(0, 0, cell.width() - 2 * px(8), QWIDGETSIZE_MAX);
                const QString words = table->model()->index(row, column).data().toString();
                const QRect needed = table->fontMetrics().boundingRect(room, Qt::TextWordWrap, words);
                QVERIFY2(needed.height() <= cell.height() && needed.width() <= room.width(), qPrintable(words));
            }
        }
        QVERIFY(!purposes.contains(reason));
        QVERIFY(purposes.contains(actions.purposeOf(u"run.run"_s)) && !actions.purposeOf(u"run.run"_s).isEmpty());
        actions.giveReason(u"run.run"_s, {});
        QVERIFY(actions[u"run.run"_s].toolTip().startsWith(actions.purposeOf(u"run.run"_s)));
    }

    void theFinderKnowsEachSetting()
    {
        SettingsStage stage(SettingsSection::Models);
        const std::vector<FinderPlace> places = finderPlaces(*stage.window);
        for (const QString& name :
            {u"Theme"_s, u"Text size"_s, u"Reduce motion"_s, u"Folder"_s, u"Recent sessions"_s, u"Tasks for a GPU"_s}) {
            const auto place = std::ranges::find_if(places,
                [&](const FinderPlace& each) { return each.name == name && each.where.startsWith(u"Settings"_s); });
            QVERIFY2(place != places.end(), qPrintable(name));
            stage.window->showScreen(u"evolve"_s);
            place->go();
            QVERIFY(stage.window->settingsPage().isVisible());
            QCOMPARE(stage.window->focusWidget()->accessibleName(), name);
        }
    }
};

TILEWRIGHT_TEST(TestSettings)

#include "test_settings.moc"
