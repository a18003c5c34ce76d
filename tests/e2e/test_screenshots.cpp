// SPDX-License-Identifier: GPL-3.0-or-later
// `tilewright --screenshot`: every screen of the shipped demo in every theme, of the wanted size and with something on
// it. What stands there is compared elsewhere; here nothing may be missing, blank, or in the colours of another theme.
#include "tests/e2e/stage.h"
#include "tests/patience.h"
#include "ui/shell/screens.h"

#include <QCryptographicHash>
#include <QDir>
#include <QImage>
#include <QSet>
#include <QtTest>

using namespace tilewright;
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
        QTest::newRow("dark") << u"dark"_s << true;
        QTest::newRow("light") << u"light"_s << false;
        QTest::newRow("contrast") << u"contrast"_s << true;
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
        QVERIFY2(process.waitForFinished(patience) && process.exitStatus() == QProcess::NormalExit
                && process.exitCode() == 0,
            process.readAll().constData());
        QSet<QByteArray> seen;
        for (const Screen& screen : screens()) {
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
        QCOMPARE(QDir(folder.path()).entryList({u"*.png"_s}).size(), static_cast<qsizetype>(screens().size()));
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
