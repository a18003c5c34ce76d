// SPDX-License-Identifier: GPL-3.0-or-later
// The library of schemes: what is kept, from where, and what a damaged file costs.
#include "core/base/files.h"
#include "core/tensor/known_schemes.h"
#include "core/tensor/scheme_library.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace tilewright;
using namespace tilewright::tensor;

namespace {

Provenance found(std::uint64_t seed)
{
    Provenance from;
    from.kind = Provenance::Kind::Found;
    from.seed = seed;
    from.threads = 2;
    from.seconds = 0.25;
    from.version = "0.1.0";
    from.date = "2026-12-01T03:00:00Z";
    return from;
}

} // namespace

class TestSchemeLibrary : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::filesystem::path folder(const char* name) const
    {
        return m_folder.filePath(QString::fromUtf8(name)).toStdString();
    }

private Q_SLOTS:
    void whatIsKeptIsThereWithWhereItIsFrom()
    {
        const auto place = folder("kept");
        QVERIFY(schemesIn(place).schemes.empty()); // there is no folder yet
        const auto kept = keepScheme(place, strassen(), found(7));
        QVERIFY(kept);
        Provenance imported;
        imported.kind = Provenance::Kind::Imported;
        imported.file = "w.npz";
        imported.sha256 = "ab";
        QVERIFY(keepScheme(place, schoolbook({1, 2, 2}), imported));
        const SchemeLibrary library = schemesIn(place);
        QVERIFY(library.damaged.empty());
        QCOMPARE(library.schemes.size(), std::size_t(2));
        QCOMPARE(library.schemes[0].from, imported); // the smaller format first
        QCOMPARE(library.schemes[1].from, found(7));
        QVERIFY(library.schemes[1].scheme.u == strassen().u && library.schemes[1].scheme.w == strassen().w);
    }

    void theSameFromTheSamePlaceIsKeptOnce()
    {
        const auto place = folder("once");
        Provenance later = found(7);
        later.date = "2026-12-02T03:00:00Z";
        later.seconds = 1;
        QVERIFY(keepScheme(place, strassen(), found(7)));
        QCOMPARE(keepScheme(place, strassen(), later)->from, found(7));
        QVERIFY(keepScheme(place, strassen(), found(8)));
        QCOMPARE(schemesIn(place).schemes.size(), std::size_t(2));
    }

    void aDamagedFileTakesNothingWithIt()
    {
        const auto place = folder("damaged");
        const auto kept = keepScheme(place, winogradVariant(), found(1));
        QVERIFY(kept);
        std::string wrong = *readFile(kept->file);
        const std::size_t w = wrong.find("\"w\"");
        wrong.replace(wrong.find('1', w), 1, "3"); // a coefficient
        QVERIFY(saveFile(place / "wrong.json", wrong));
        QVERIFY(saveFile(place / "text.json", "{\"library\": 1"));
        const SchemeLibrary library = schemesIn(place);
        QCOMPARE(library.schemes.size(), std::size_t(1));
        QCOMPARE(library.damaged.size(), std::size_t(2));
        for (const Error& each : library.damaged) {
            QCOMPARE(each.code, std::string("tensor/library"));
            QVERIFY(!each.line().contains('\n'));
        }
        QCOMPARE(*readFile(place / "wrong.json"), wrong); // left as it is
    }

    void whatIsRemovedIsGone()
    {
        const auto place = folder("removed");
        const auto kept = keepScheme(place, strassen(), found(1));
        QVERIFY(kept && removeScheme(*kept));
        QVERIFY(schemesIn(place).schemes.empty());
        QVERIFY(!removeScheme(builtInSchemes().front()));
    }

    void aFolderThatCannotBeMadeIsNamed()
    {
        QVERIFY(saveFile(folder("file"), "no folder"));
        const auto kept = keepScheme(folder("file"), strassen(), found(1));
        QVERIFY(!kept);
        QCOMPARE(kept.error().code, std::string("tensor/library"));
    }
};

TILEWRIGHT_TEST(TestSchemeLibrary)
#include "test_scheme_library.moc"
