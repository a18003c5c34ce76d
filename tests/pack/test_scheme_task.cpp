// SPDX-License-Identifier: GPL-3.0-or-later
// A scheme becomes a task pack that loads again, with its own shapes and its exact coefficients; what cannot become one
// is refused.
#include "core/pack/scheme_task.h"
#include "core/tensor/known_schemes.h"
#include "core/tensor/transforms.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace tilewright;

class TestSchemeTask : public QObject
{
    Q_OBJECT

    TaskPack m_from;

    static SchemeTaskOptions options(int levels = 1, int cutoff = 128)
    {
        SchemeTaskOptions made{"derived", {}, {}};
        made.code.levels = levels;
        made.code.cutoff = cutoff;
        return made;
    }
    QString refusal(const tensor::Scheme& scheme, const TaskPack& from, const SchemeTaskOptions& made) const
    {
        const auto pack = schemeTask(scheme, from, made);
        return pack ? QStringLiteral("a task") : q(pack.error().code);
    }

private Q_SLOTS:
    void initTestCase() { m_from = *loadTaskPack(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32-cpu"); }

    void aWrittenTaskLoadsAgainAndSaysWhatItAllows()
    {
        const auto pack = schemeTask(tensor::winogradVariant(), m_from, options(2));
        QVERIFY2(pack.has_value(), pack ? "" : pack.error().text.c_str());
        QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath(QStringLiteral("derived")).toStdString();
        QVERIFY(writeTaskFolder(*pack, folder).has_value());
        const auto loaded = loadTaskPack(folder);
        QVERIFY2(loaded.has_value(), loaded ? "" : loaded.error().text.c_str());
        QCOMPARE(loaded->blob(), pack->blob());

        const Task& task = loaded->task;
        QVERIFY(task.numeric.error == ErrorMeasure::Normwise);
        QCOMPARE(task.numeric.scheme->rank(), 7);
        QCOMPARE(task.numeric.scheme->levels, 2);
        QVERIFY(!task.heldout.empty() && !task.sealed.empty() && task.moves.empty());
        const auto isOdd = [](const Shape& shape) { return std::ranges::any_of(shape, [](auto n) { return n % 2; }); };
        for (const auto* shapes : {&task.train, &task.heldout, &task.sealed, &task.verify})
            QVERIFY(std::ranges::any_of(*shapes, isOdd));
        for (const Shape& shape : task.train) // both levels are used
            QVERIFY(std::ranges::all_of(shape, [](auto size) { return size >= 2 * 128; }));
        QVERIFY(loaded->seed().find("LEVELS = 2; // tune: 1 2\n") != std::string::npos); // no more than the task allows
        QVERIFY(loaded->json.find("[1, 0, 0, 0]") != std::string::npos); // a product on one line
        QCOMPARE(q(writeTaskFolder(*pack, folder).error().code), QStringLiteral("tensor/exists"));
        QCOMPARE(q(writeTaskFolder(*pack, folder / "other").error().code), QStringLiteral("tensor/task"));
    }

    void whatCannotBeFinishedIsTakenAway()
    {
        TaskPack pack = *schemeTask(tensor::strassen(), m_from, options());
        pack.files["none/seed.cpp"] = "text"; // of a folder that nobody made
        QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath(QStringLiteral("derived")).toStdString();
        QVERIFY(checkTaskFolder("derived", folder).has_value());
        QVERIFY(!writeTaskFolder(pack, folder));
        QVERIFY(!std::filesystem::exists(folder));
        std::filesystem::create_directories(folder); // a folder that was there stays
        QVERIFY(!writeTaskFolder(pack, folder));
        QVERIFY(std::filesystem::is_empty(folder));
        QCOMPARE(q(checkTaskFolder("other", folder).error().code), QStringLiteral("tensor/task"));
    }

    void sizesFollowFromLevelsAndCutOff()
    {
        QCOMPARE(leastSizeOf({2, 2, 2}, options(1, 256).code), std::int64_t(256));
        QCOMPARE(leastSizeOf({2, 2, 2}, options(3, 100).code), std::int64_t(400));
        QCOMPARE(leastSizeOf({2, 3, 4}, options(2, 100).code), std::int64_t(400));
        QVERIFY(leastSizeOf({2, 2, 2}, options(4, 512).code) > largestLeastSize);
        QVERIFY(checkBecomesTask(tensor::winogradVariant()).has_value());
        QCOMPARE(
            q(checkBecomesTask(*tensor::reducedMod2(tensor::strassen())).error().code), QStringLiteral("tensor/mod2"));
        QCOMPARE(q(checkSchemeOrigin(schemeTask(tensor::strassen(), m_from, options())->task).error().code),
            QStringLiteral("tensor/task"));
    }

    void otherCoefficientsThanThoseOfASchemeAreRefused()
    {
        TaskPack pack = *schemeTask(tensor::strassen(), m_from, options());
        const std::size_t at = pack.json.find("\"u\"");
        pack.json.replace(pack.json.find("1", at), 1, "2");
        const auto task = parseTask(pack.json);
        QVERIFY(!task);
        QCOMPARE(task.error().evidence.value("field", ""), std::string("numeric.scheme"));
        QVERIFY2(task.error().text.find("a11·b11 in c11 is 2, not 1") != std::string::npos, task.error().text.c_str());
    }

    void halvesAreCarriedExactly()
    {
        tensor::Scheme scheme = tensor::strassen();
        scheme.ring = tensor::Ring::Rationals;
        for (int entry = 0; entry < 4; ++entry) {
            scheme.u.at(entry, 0) = *tensor::productOf(scheme.u.at(entry, 0), *tensor::coefficientIn("1/2"));
            scheme.v.at(entry, 0) = *tensor::productOf(scheme.v.at(entry, 0), tensor::Coefficient{2});
        }
        const auto pack = schemeTask(scheme, m_from, options());
        QVERIFY2(pack.has_value(), pack ? "" : pack.error().text.c_str());
        QCOMPARE(std::ranges::count(pack->task.numeric.scheme->u[0], 0.5), 2);
    }

    void whatFollowsNoTaskIsRefused()
    {
        QCOMPARE(refusal(*tensor::reducedMod2(tensor::strassen()), m_from, options()), QStringLiteral("tensor/mod2"));
        QCOMPARE(refusal(tensor::strassen(), m_from, options(4, 512)), QStringLiteral("tensor/shapes"));
        QCOMPARE(refusal(tensor::strassen(), *schemeTask(tensor::strassen(), m_from, options()), options()),
            QStringLiteral("tensor/task"));
        const auto gpu = loadTaskPack(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32");
        QCOMPARE(refusal(tensor::strassen(), *gpu, options()), QStringLiteral("tensor/task"));
        SchemeTaskOptions named = options();
        named.name = "Not a name";
        QCOMPARE(refusal(tensor::strassen(), m_from, named), QStringLiteral("task/field"));
    }
};

TILEWRIGHT_TEST(TestSchemeTask)
#include "test_scheme_task.moc"
