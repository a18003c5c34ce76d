// SPDX-License-Identifier: GPL-3.0-or-later
// Softmax, LayerNorm and RMSNorm in the forms in which people write them pass the gates at the usual hidden sizes, with
// every kind of inputs; wrong ones do not. The truth is in double precision, its magnitudes are those of the reference
// that task-from writes.
#include "core/node/cpu_timer.h"
#include "tests/node/norm_forms.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;
using namespace tilewright::forms;

namespace {

/// As task-from describes it: a sum over the columns, with the limit that follows from the longest one.
Task taskOf(std::int64_t longest)
{
    Task task;
    task.target = Target::Cpp;
    task.dims = {{"rows", 1, 1}, {"columns", 1, 1}};
    task.tensors = {{"x", TensorRole::Input, Dtype::Fp32, {"rows", "columns"}},
        {"gamma", TensorRole::Input, Dtype::Fp32, {"columns"}}, {"beta", TensorRole::Input, Dtype::Fp32, {"columns"}},
        {"y", TensorRole::Output, Dtype::Fp32, {"rows", "columns"}}};
    task.numeric.bound = NumericBound::Sum;
    task.numeric.reduction = "columns";
    task.numeric.tau = std::max(2e-5, 3 * std::sqrt(static_cast<double>(longest)) * 0x1.0p-24);
    return task;
}

/// The verdict on these sizes with these inputs; empty where all gates pass.
QString verdictOn(const Task& task, const Form& form, const Shape& shape, InputKind kind)
{
    const Computed found = computed(form, shape, kind, 7);
    const auto verdict = checkOutputs(task, shape, kind, {found.y}, {found.truth});
    return verdict ? QString() : q(verdict.error().code + ": " + verdict.error().text);
}

constexpr InputKind kinds[]{InputKind::Normal, InputKind::Scaled, InputKind::Mixed, InputKind::Integer};

} // namespace

class TestLongSums : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyHonestFormPasses_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<int>("columns");
        for (const int columns : {768, 4096, 8192, 16384})
            for (int which = 0; which < static_cast<int>(honestForms().size()); ++which)
                QTest::addRow("%s, %d columns", honestForms()[static_cast<std::size_t>(which)].name, columns)
                    << which << columns;
    }

    void everyHonestFormPasses()
    {
        QFETCH(int, which);
        QFETCH(int, columns);
        for (const InputKind kind : kinds)
            QCOMPARE(verdictOn(taskOf(columns), honestForms()[static_cast<std::size_t>(which)], {64, columns}, kind),
                QString());
    }

    void aWrongOneFailsOnItsOwnSizes_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<int>("columns");
        const QByteArrayList onlyOnSmall{"LayerNorm, mean by n - 1", "LayerNorm without the tail"};
        for (const int columns : {4096, 8192, 16384})
            for (int which = 0; which < static_cast<int>(wrongForms().size()); ++which) {
                const char* name = wrongForms()[static_cast<std::size_t>(which)].name;
                if (!onlyOnSmall.contains(name)) // a mean near zero, sizes without a tail: nothing is wrong here
                    QTest::addRow("%s, %d columns", name, columns) << which << columns;
            }
    }

    /// A program that is wrong at this size alone is seen there, whatever small shapes say.
    void aWrongOneFailsOnItsOwnSizes()
    {
        QFETCH(int, which);
        QFETCH(int, columns);
        const Form form = wrongForms()[static_cast<std::size_t>(which)];
        QString found;
        for (const InputKind kind : kinds)
            if (found.isEmpty())
                found = verdictOn(taskOf(columns), form, {64, columns}, kind);
        QVERIFY(found.startsWith(QStringLiteral("verify/")));
    }

    void aWrongOneFailsOnTheShapesOfATask_data()
    {
        QTest::addColumn<int>("which");
        for (int which = 0; which < static_cast<int>(wrongForms().size()); ++which)
            QTest::addRow("%s", wrongForms()[static_cast<std::size_t>(which)].name) << which;
    }

    void aWrongOneFailsOnTheShapesOfATask()
    {
        QFETCH(int, which);
        const Form wrong = wrongForms()[static_cast<std::size_t>(which)];
        const auto isHonest = [&](const Form& form) { return form.operation == wrong.operation; };
        const std::vector<Form> honest = honestForms();
        const Form right = *std::ranges::find_if(honest, isHonest);
        int refused = 0, passed = 0;
        for (const Shape& shape : {Shape{17, 31}, Shape{3, 257}, Shape{37, 1009}, Shape{64, 4096}})
            for (const InputKind kind : kinds) {
                refused += !verdictOn(taskOf(4096), wrong, shape, kind).isEmpty();
                passed += verdictOn(taskOf(4096), right, shape, kind).isEmpty();
            }
        QCOMPARE(passed, 16);
        QVERIFY(refused > 0);
    }

    void aRowThatIsSkippedIsSeen()
    {
        Computed found = computed(honestForms().front(), {64, 8192}, InputKind::Normal, 7);
        std::fill_n(found.y.begin() + 13 * 8192, 8192, 0.0f);
        const auto verdict = checkOutputs(taskOf(8192), {64, 8192}, InputKind::Normal, {found.y}, {found.truth});
        QVERIFY(!verdict && verdict.error().code == "verify/norm");
    }

    /// A dot product may be zero by chance: what it rounds to is held against the size that such products have.
    void aSampleWithoutATimeDoesNotCount()
    {
        QVERIFY(isUndisturbed(1e6, 0) && isUndisturbed(1e6, 11'000));
        QVERIFY(!isUndisturbed(0, 0) && !isUndisturbed(-5, 0));
        QVERIFY(!isUndisturbed(1e6, 13'000));
    }

    void whatRoundsInOneDirectionMayGrowWithTheLengthOfTheSum()
    {
        QCOMPARE(roundingGrowth(Rounding::ByChance, 1 << 20), 1.0);
        QCOMPARE(roundingGrowth(Rounding::OneWay, 256), 1.0);
        QCOMPARE(roundingGrowth(Rounding::OneWay, 4096), 4.0);
        QCOMPARE(normLimit(4e-3, Rounding::ByChance, 4096), 4e-3);
        // A wide limit of a narrow type grows by what the sum adds, not by a factor.
        QVERIFY(normLimit(4e-3, Rounding::OneWay, 4096) < 4.2e-3);
    }

    void aTruthThatCannotBeComparedIsNamed()
    {
        Task task = taskOf(8);
        const std::vector<float> y(8);
        const auto verdict = [&](double value) {
            const ReferenceProduct truth{std::vector<double>(8, value), std::vector<double>(8, 1)};
            const auto checked = checkOutputs(task, {1, 8}, InputKind::Normal, {y}, {truth});
            return checked ? std::string() : checked.error().code + ": " + checked.error().text;
        };
        QVERIFY(verdict(1e300).starts_with(
            "task/reference: the task's reference returns 1e+300, above the range of float"));
        QVERIFY(verdict(NAN).starts_with("task/reference: the task's reference returns NaN or infinity"));
    }
};

TILEWRIGHT_TEST(TestLongSums)
#include "test_long_sums.moc"
