// SPDX-License-Identifier: GPL-3.0-or-later
// `tilewright --screenshot`: every screen of the shipped demo in every theme, of the wanted size and with something on
// it. What stands there is compared elsewhere; here nothing may be missing, blank, or in the colours of another theme:
// of each screen the panes that make it what it is are looked at one by one, and its texts can be read.
#include "app/gui/pictures.h"
#include "core/store/packed_session.h"
#include "tests/e2e/looks.h"
#include "tests/e2e/stage.h"
#include "tests/patience.h"
#include "tests/rotation.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/room.h"

#include <QCryptographicHash>
#include <QDir>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QSet>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::gui;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr int fewestColours = 40; ///< of text with soft edges and a few signs; a blank page has one to five

/// Mean lightness, 0 … 255.
double lightnessOf(const QImage& picture)
{
    double sum = 0;
    for (int y = 0; y < picture.height(); y += 4)
        for (int x = 0; x < picture.width(); x += 4)
            sum += qGray(picture.pixel(x, y));
    return sum / ((picture.width() + 3) / 4) / ((picture.height() + 3) / 4);
}

/// Below the toolbar, right of the modes: what belongs to the screen alone.
QImage pageOf(const QImage& picture) { return picture.copy(80, 80, picture.width() - 80, picture.height() - 110); }

/// What a screen is there for: parts of it by their names, which must hold something in the shipped demo.
struct Panes {
    const char* screen;
    std::vector<const char*> names;
};
const std::vector<Panes> panes{
    {"new-session", {"sectionScroll", "taskShapes", "recentSessions"}},
    {"evolve", {"islandList", "fitnessPlot", "lineageView", "lineageLegend", "candidateTable", "diffView"}},
    {"evolve-code", {"codeView", "logTable"}},
    {"evolve-build-log", {"buildLogView"}},
    {"evolve-evidence", {"evidenceSummary", "evidenceChecks"}},
    {"evolve-runs", {"runsTable", "runFigures"}},
    {"evolve-tables", {"islandTable", "fitnessTable", "lineageTable"}},
    {"evolve-models", {"statisticsTable"}},
    {"evolve-niches", {"nicheView"}},
    {"review", {"reviewQueue", "diffBefore", "diffAfter", "checkList"}},
    {"prompts", {"templateTree", "templateEditor", "promptPreview", "templateVersions"}},
    {"settings", {"lookForm"}},
    {"settings-sessions", {"sessionsForm"}},
    {"settings-devices", {"devicesForm"}},
    {"settings-shortcuts", {"shortcutTable"}},
    {"settings-models", {"modelsTree", "endpointCard"}},
    {"settings-model", {"modelCard"}},
    {"own-kernel", {"ownKernelPage"}},
    {"devices", {"lanesView", "lanesLegend", "conditionsPlot", "noisePlot", "deviceCards", "queueTable"}},
    {"devices-table", {"workTable", "noiseTable", "conditionsTable"}},
};
constexpr double leastInk = 0.004; ///< of a pane: a row of a table, a line of a plot

/// Where a widget is seen in its window.
QRect seenOf(const QWidget& widget)
{
    QRect seen(widget.mapTo(widget.window(), QPoint()), widget.size());
    for (const QWidget* around = widget.parentWidget(); around; around = around->parentWidget()) {
        seen &= QRect(around->mapTo(widget.window(), QPoint()), around->size());
        if (around->isWindow())
            break;
    }
    return seen;
}

/// Labels that cannot be read. Where letters are few and thin none of their pixels has the whole colour.
QStringList unreadable(const QWidget& window, const QImage& picture)
{
    constexpr int fewest = 4;
    QStringList found;
    for (const auto* label : window.findChildren<QLabel*>()) {
        if (!label->isVisible() || !label->isEnabled() || label->text().size() < fewest)
            continue;
        const QRect seen = seenOf(*label);
        if (seen.width() < label->width() / 2 || seen.height() < label->height())
            continue;
        if (const double contrast = test::contrastOf(picture.copy(seen)); contrast < 4.5)
            found << u"\"%1\" has a contrast of %2"_s.arg(label->text().left(40)).arg(contrast, 0, 'f', 2);
    }
    return found;
}

int coloursOf(const QImage& picture)
{
    QSet<QRgb> colours;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            colours.insert(picture.pixel(x, y));
    return static_cast<int>(colours.size());
}

} // namespace

class TestScreenshots : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyScreenIsThere_data()
    {
        QTest::addColumn<QString>("theme");
        QTest::addColumn<bool>("isDark");
        const std::vector<std::pair<const char*, bool>> themes{{"dark", true}, {"light", false}, {"contrast", true}};
        for (std::size_t i = 0; i < themes.size(); ++i)
            if (test::isInRotation("screenshots", i, themes.size(), 1))
                QTest::newRow(themes[i].first) << QString::fromLatin1(themes[i].first) << themes[i].second;
    }

    void everyScreenIsThere()
    {
        QFETCH(QString, theme);
        QFETCH(bool, isDark);
        QTemporaryDir folder;
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QStringLiteral(TILEWRIGHT_BIN_DIR "/tilewright"),
            {u"--screenshot"_s, folder.path(), u"--size"_s, u"1280x800"_s, u"--theme"_s, theme});
        QVERIFY2(process.waitForFinished(3 * patience) && process.exitStatus() == QProcess::NormalExit
                && process.exitCode() == 0,
            process.readAll().constData());
        QSet<QByteArray> seen;
        for (const Picture& screen : pictures()) {
            const QString file = folder.filePath(screen.name + u".png"_s);
            const QImage picture(file);
            QVERIFY2(!picture.isNull(), qPrintable(file));
            QCOMPARE(picture.size(), QSize(1280, 800));
            const QImage page = pageOf(picture);
            QVERIFY2(coloursOf(page) >= fewestColours, qPrintable(u"%1: %2"_s.arg(screen.name).arg(coloursOf(page))));
            QVERIFY2((lightnessOf(page) < 110) == isDark,
                qPrintable(u"%1: lightness %2"_s.arg(screen.name).arg(lightnessOf(page))));
            const QImage plain = page.convertToFormat(QImage::Format_RGB32);
            const QByteArray bytes(reinterpret_cast<const char*>(plain.constBits()), plain.sizeInBytes());
            const QByteArray print = QCryptographicHash::hash(bytes, QCryptographicHash::Sha256);
            QVERIFY2(!seen.contains(print), qPrintable(screen.name + u" looks like another screen"_s));
            seen.insert(print);
        }
        QCOMPARE(QDir(folder.path()).entryList({u"*.png"_s}).size(), static_cast<qsizetype>(pictures().size()));
        // What a button at the right opens stands there, as on a screen that is as large as the window.
        const auto rightPartOf = [&](const QString& name) {
            return QImage(folder.filePath(name + u".png"_s)).copy(1280 / 2, 80, 1280 / 2, 690);
        };
        QVERIFY(differing(rightPartOf(u"popup-rerun"_s), rightPartOf(u"popup-budget"_s)) > 0.05);
    }

    void theDemoThatIsNamedIsShown()
    {
        QTemporaryDir folder;
        const QString cpu = folder.filePath(u"gemm-cpu.tilewright"_s);
        QVERIFY(unpackSession(shippedDemo("gemm-cpu"), cpu.toStdString()));
        const QImage unnamed = evolveOf({}), named = evolveOf({u"--demo"_s, u"gemm-cpu"_s});
        QVERIFY(!unnamed.isNull() && !named.isNull());
        // Panes may still be filling, and how long something waits goes on: which of the two it is like tells.
        const double apart = differing(named, unnamed);
        const double cpuAlike = differing(named, evolveOf({u"--session"_s, cpu}));
        const double gpuAlike = differing(unnamed, evolveOf({u"--demo"_s, u"gemm-h200"_s}));
        const auto words = u"%1 %2 %3"_s.arg(apart).arg(cpuAlike).arg(gpuAlike);
        QVERIFY2(apart > 0.05 && cpuAlike < apart / 2 && gpuAlike < apart / 2, qPrintable(words));
    }

    void everyPaneShowsWhatItHolds_data() { everyScreenIsThere_data(); }
    void everyPaneShowsWhatItHolds()
    {
        QFETCH(QString, theme);
        const Tokens tokens = tokensOf(*themeFromName(theme));
        Theme::instance().apply(*themeFromName(theme));
        test::Stage stage;
        stage.window->resize(1680, 1050);
        stage.window->openDemo(u"gemm-h200"_s);
        QTRY_VERIFY_WITH_TIMEOUT(stage.window->session().isOpen(), patience);
        QStringList found;
        for (const Panes& each : panes) {
            const QImage picture = pictureOf(stage, QLatin1String(each.screen));
            for (const char* name : each.names) {
                const QWidget* pane = shownPane(stage, QLatin1String(name));
                const QString problem
                    = !pane ? u"is not there"_s : test::wrongLook(picture.copy(seenOf(*pane)), tokens, leastInk);
                if (!problem.isEmpty())
                    found << u"%1: %2 %3"_s.arg(QLatin1String(each.screen), QLatin1String(name), problem);
            }
            for (const QString& problem : unreadable(*stage.window, picture))
                found << u"%1: %2"_s.arg(QLatin1String(each.screen), problem);
        }
        found.removeDuplicates();
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
    }

    /// The pictures that the test above must not let through.
    void anEmptyOrWronglyColouredPaneIsSeen()
    {
        Theme::instance().apply(ThemeKind::Dark);
        test::Stage stage;
        stage.window->resize(1680, 1050);
        stage.window->openDemo(u"gemm-h200"_s);
        QTRY_VERIFY_WITH_TIMEOUT(stage.window->session().isOpen(), patience);
        QImage picture = pictureOf(stage, u"evolve"_s);
        const Tokens dark = tokensOf(ThemeKind::Dark);
        for (const char* name : panes[1].names) {
            const QRect place = seenOf(*shownPane(stage, QLatin1String(name)));
            const QImage part = picture.copy(place);
            QCOMPARE(test::wrongLook(part, dark, leastInk), QString());
            QVERIFY(test::wrongLook(part, tokensOf(ThemeKind::Light), leastInk).contains(u"no surface"_s));
            QImage emptied = part;
            emptied.fill(test::groundOf(part));
            QVERIFY(test::wrongLook(emptied, dark, leastInk).contains(u"is empty"_s));
        }
        const QStringList before = unreadable(*stage.window, picture);
        QPainter painter(&picture);
        painter.fillRect(picture.rect(), QColor(0, 0, 0, 200)); // all of it becomes faint
        painter.end();
        QVERIFY(unreadable(*stage.window, picture).size() > before.size() + 10);
    }

private:
    /// Share of the points that differ.
    static double differing(const QImage& one, const QImage& other)
    {
        if (one.isNull() || one.size() != other.size())
            return 1;
        int points = 0;
        for (int y = 0; y < one.height(); ++y)
            for (int x = 0; x < one.width(); ++x)
                points += one.pixel(x, y) != other.pixel(x, y);
        return static_cast<double>(points) / (one.width() * one.height());
    }

    /// The page of the Evolve screen that `tilewright --screenshot` writes with these words; what follows is not
    /// awaited.
    static QImage evolveOf(const QStringList& words)
    {
        QTemporaryDir folder;
        const QString picture = folder.filePath(u"evolve.png"_s);
        QProcess process;
        process.start(QStringLiteral(TILEWRIGHT_BIN_DIR "/tilewright"),
            QStringList{u"--screenshot"_s, folder.path(), u"--size"_s, u"1280x800"_s, u"--theme"_s, u"dark"_s} + words);
        QByteArray said; // a line when a picture is written
        while (!said.contains(picture.toLocal8Bit() + '\n') && process.waitForReadyRead(patience))
            said += process.readAllStandardOutput();
        process.terminate();
        process.waitForFinished(patience);
        const QImage page(picture);
        return page.isNull() ? page : pageOf(page);
    }

    static QImage pictureOf(test::Stage& stage, const QString& name)
    {
        const auto screen = std::ranges::find(pictures(), name, &Picture::name);
        if (screen == pictures().end())
            return {};
        screen->show(*stage.window);
        const auto isAwaited = [&stage] {
            const auto all = stage.window->findChildren<QWidget*>();
            return std::ranges::any_of(
                all, [](const QWidget* each) { return each->isVisible() && each->property(awaited).toBool(); });
        };
        [&] { QTRY_VERIFY_WITH_TIMEOUT(!isAwaited(), patience); }();
        // Plots and texts are drawn when the event loop is idle: until two pictures in a row are the same.
        QImage before, now = stage.window->grab().toImage();
        for (int i = 0; before != now && i < 200; ++i) {
            before = now;
            QTest::qWait(20);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest); // of words that came last
            now = stage.window->grab().toImage();
        }
        return now;
    }

    static const QWidget* shownPane(const test::Stage& stage, const QString& name)
    {
        for (const QWidget* widget : stage.window->findChildren<QWidget*>(name))
            if (widget->isVisible() && !seenOf(*widget).isEmpty())
                return widget;
        return nullptr;
    }
};

int main(int argc, char** argv)
{
    const auto data = tilewright::test::privateDataFolder();
    QApplication app(argc, argv);
    TestScreenshots test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_screenshots.moc"
