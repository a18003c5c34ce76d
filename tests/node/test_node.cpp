// SPDX-License-Identifier: GPL-3.0-or-later
// The node's parts: gates on made-up results, object rules on really built objects, children, sandbox, and one guest.
#include "core/base/files.h"
#include "core/base/random.h"
#include "core/device/core_split.h"
#include "core/device/cpu.h"
#include "core/node/checker.h"
#include "core/node/child_process.h"
#include "core/node/compiler_end.h"
#include "core/node/core_clock.h"
#include "core/node/cpu_timer.h"
#include "core/node/cpu_timing.h"
#include "core/node/elf_rules.h"
#include "core/node/gates.h"
#include "core/node/inputs.h"
#include "core/node/machine_trouble.h"
#include "core/node/output_gates.h"
#include "core/node/timing_record.h"
#include "tests/node/building_stage.h"
#include "tests/node/node_files.h"
#include "tests/test_program.h"

#include <QFile>
#include <QTest>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <limits>
#include <sched.h>

using namespace tilewright;
using namespace tilewright::test;
using namespace tilewright::testing;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

/// An honest product and its truth.
struct Product {
    ProductShape shape;
    std::vector<float> a, b, c;
    ReferenceProduct truth;

    ProductView view() const { return {shape, a, b, c}; }
};

Product productOf(ProductShape shape, InputKind kind, std::uint64_t seed)
{
    Product p{shape, {}, {}, {}, {}};
    p.a.resize(static_cast<std::size_t>(shape.sizeA()));
    p.b.resize(static_cast<std::size_t>(shape.sizeB()));
    p.c.resize(static_cast<std::size_t>(shape.sizeC()));
    fillInput(p.a, kind, 0, seed);
    fillInput(p.b, kind, 1, seed);
    p.truth.values.resize(p.c.size());
    p.truth.magnitudes.resize(p.c.size());
    for (std::int64_t i = 0; i < shape.rows; ++i)
        for (std::int64_t j = 0; j < shape.columns; ++j) {
            const auto at = static_cast<std::size_t>(i * shape.columns + j);
            float sum = 0;
            for (std::int64_t k = 0; k < shape.depth; ++k) {
                const float x = p.a[static_cast<std::size_t>(i * shape.depth + k)];
                const float y = p.b[static_cast<std::size_t>(k * shape.columns + j)];
                sum += x * y;
                p.truth.values[at] += static_cast<double>(x) * static_cast<double>(y);
                p.truth.magnitudes[at] += std::abs(static_cast<double>(x) * static_cast<double>(y));
            }
            p.c[at] = sum;
        }
    return p;
}

std::string program(const std::string& body) { return "// EVOLVE-BLOCK-START\n" + body + "\n// EVOLVE-BLOCK-END\n"; }

} // namespace

class TestNode : public QObject, BuildingStage
{
    Q_OBJECT

private Q_SLOTS:
    void whatASandboxTellsOfASignalIsThatSignal()
    {
        QCOMPARE(withoutWrapper({137, 0, false}).signal, 9); // as bubblewrap ends when its child was killed
        QCOMPARE(withoutWrapper({1, 0, false}).signal, 0);
        QCOMPARE(withoutWrapper({255, 0, false}).signal, 0); // a code like another
        QCOMPARE(withoutWrapper({-1, 11, false}).signal, 11);
    }

    void initTestCase();
    void honestProductsPassEveryGate_data();
    void honestProductsPassEveryGate();
    void wrongProductsAreRefusedByTheirGate();
    void theTimedCheckSeesOneWrongElement();
    void theTimedCheckDoesNotCryWolf();
    void aSumThatCancelsIsHeldAgainstItsTerms();
    void aLooseTaskIsRefused();
    void otherOperationsAreRefusedByName();
    void operationsAreTakenAsFarAsTheCpuCanJudgeThem();
    void anOperationsOutputsAreHeldAgainstTheirTruth();
    void unannouncedShapesAreNobodysTaskShapes();
    void quickInputsLookNormal();
    void outputIsCutAndDeadlinesHold();
    void aNetworkOfTheSandboxWouldBeSeen();
    void theSandboxShowsNoHomeAndNoNetwork();
    void builtObjectsAreHeldToTheRules_data();
    void builtObjectsAreHeldToTheRules();
    void damagedObjectsAreRefusedWithoutACrash();
    void theSameSourceIsBuiltOnce();
    void aCancelledBuildEndsAndLeavesNothing();
    void aDamagedObjectIsBuiltAgain();
    void aFolderThatCannotBeWrittenIsNoOutcomeAndIsNotRemembered_data();
    void aFolderThatCannotBeWrittenIsNoOutcomeAndIsNotRemembered();
    void foldersOfProcessesThatAreNoMoreAreRemoved();
    void howACompilerEndedTellsWhoseFaultItIs_data();
    void howACompilerEndedTellsWhoseFaultItIs();
    void constraintsHoldForEveryProgram_data();
    void constraintsHoldForEveryProgram();
    void whatTheMachineLacksRefusesNoProgram();
    void whatAnAuditFoundIsKept();
    void whoCompilesToTheIncumbentsCodeIsStillHeldAgainstTheBaseline();
    void withoutAVendorTheAuditIsTheBound();
    void theSeedIsRightInARealGuest();
    void aSampleOnADisturbedCoreIsNoShorterThanTheProcessorAllows();
    void theVendorIsRightWhateverTheOrderOfTheDims();
    void theVendorSaysWhatItIsInTheProcessThatIsTimed();
    void fastMathThatTheTaskDoesNotAllowIsRefusedBeforeTheBuild();
    void fastMathThatMacrosAndInlineAssemblyHideIsRefusedAfterTheBuild_data();
    void fastMathThatMacrosAndInlineAssemblyHideIsRefusedAfterTheBuild();
    void aGuestThatCrashesSaysWhere();
};

void TestNode::initTestCase()
{
    setUp();
    QVERIFY2(hasCompiler(), "these tests build programs: g++ is needed");
}

void TestNode::honestProductsPassEveryGate_data()
{
    QTest::addColumn<int>("kind");
    for (const InputKind kind : {InputKind::Normal, InputKind::Scaled, InputKind::Mixed, InputKind::Integer})
        QTest::newRow(nameOf(kind).c_str()) << static_cast<int>(kind);
}

void TestNode::honestProductsPassEveryGate()
{
    QFETCH(int, kind);
    const Product p = productOf({37, 41, 301}, static_cast<InputKind>(kind), 3);
    QCOMPARE(codeOf(checkWritten(p.view(), 0xffffffffu)), QStringLiteral("fine"));
    QCOMPARE(codeOf(checkNorm(p.view(), p.truth, 2e-5)), QStringLiteral("fine"));
    QCOMPARE(codeOf(checkElements(p.view(), p.truth, Dtype::Fp32)), QStringLiteral("fine"));
    if (static_cast<InputKind>(kind) == InputKind::Integer)
        QCOMPARE(codeOf(checkExact(p.view(), p.truth)), QStringLiteral("fine"));
}

/// One sum of many terms may be near zero by chance: an honest rounding error is large beside it.
void TestNode::aSumThatCancelsIsHeldAgainstItsTerms()
{
    Product p = productOf({1, 1, 8273}, InputKind::Normal, 3);
    p.truth.values[0] = 0.001;
    p.c[0] = 0.0012f;
    QCOMPARE(codeOf(checkNorm(p.view(), p.truth, 2e-5)), QStringLiteral("fine"));
    p.c[0] = 0.02f; // more than rounding explains
    QCOMPARE(codeOf(checkNorm(p.view(), p.truth, 2e-5)), QStringLiteral("verify/norm"));
    Product many = productOf({37, 41, 301}, InputKind::Normal, 3); // where there are many, nothing is looser for it
    double squares = 0, terms = 0;
    for (std::size_t i = 0; i < many.truth.values.size(); ++i) {
        squares += many.truth.values[i] * many.truth.values[i];
        terms += many.truth.magnitudes[i] * many.truth.magnitudes[i];
    }
    QCOMPARE(relativeError(1, squares, terms, 301), 1 / std::sqrt(squares));
}

void TestNode::wrongProductsAreRefusedByTheirGate()
{
    Product p = productOf({37, 41, 301}, InputKind::Normal, 3);
    p.c[5] = std::bit_cast<float>(0xffffffffu);
    QCOMPARE(codeOf(checkWritten(p.view(), 0xffffffffu)), QStringLiteral("verify/poison"));
    QCOMPARE(codeOf(checkNorm(p.view(), p.truth, 2e-5)), QStringLiteral("verify/norm"));
    p.c[5] = static_cast<float>(p.truth.values[5] + 1e3);
    const Error off = checkNorm(p.view(), p.truth, 2e-5).error();
    QVERIFY(off.evidence.at("index") == (nlohmann::json{0, 5})); // where it is worst
    QCOMPARE(off.evidence.at("want").get<double>(), p.truth.values[5]);
    QCOMPARE(off.evidence.at("got").get<float>(), p.c[5]);
    p.c[5] = INFINITY;
    QCOMPARE(codeOf(checkWritten(p.view(), 0xffffffffu)), QStringLiteral("verify/nan"));
    p.c[5] = std::numeric_limits<float>::quiet_NaN(); // of a division of zeros, say
    QCOMPARE(codeOf(checkWritten(p.view(), 0xffffffffu)), QStringLiteral("verify/nan"));
    // Computed from an element that nobody wrote: said so, whatever became of the sign.
    volatile float unwritten = std::bit_cast<float>(0xffffffffu);
    for (const float propagated : {unwritten + 1.5f, unwritten * -2.0f, std::abs(unwritten), 3.0f - unwritten}) {
        p.c[5] = propagated;
        const Error found = checkWritten(p.view(), 0xffffffffu).error();
        QCOMPARE(q(found.code), QStringLiteral("verify/poison"));
        QVERIFY2(found.text.find("computed from an output element that was never written") != std::string::npos,
            found.text.c_str());
        QVERIFY(found.hint.find("before adding to it") != std::string::npos);
    }
    p.c[5] = static_cast<float>(p.truth.values[5] * 1.001);
    QCOMPARE(codeOf(checkElements(p.view(), p.truth, Dtype::Fp32)), QStringLiteral("verify/elementwise"));
    const Error error = checkElements(p.view(), p.truth, Dtype::Fp32).error();
    QCOMPARE(error.evidence.at("index").at(0).get<int>(), 0);
    QCOMPARE(error.evidence.at("index").at(1).get<int>(), 5);
    Product integers = productOf({20, 20, 50}, InputKind::Integer, 3);
    integers.c[7] += 1;
    QCOMPARE(codeOf(checkExact(integers.view(), integers.truth)), QStringLiteral("verify/exact"));
}

void TestNode::theTimedCheckSeesOneWrongElement()
{
    Product p = productOf({64, 64, 256}, InputKind::Normal, 9);
    p.c[777] *= 1.001f;
    int seen = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed)
        seen += !checkFreivalds(p.view(), seed).has_value();
    QCOMPARE(seen, 50); // a sum with one wrong term is wrong whatever its sign
    p.c[777] = NAN;
    QCOMPARE(codeOf(checkFreivalds(p.view(), 1)), QStringLiteral("verify/timed"));
    const std::vector<float> zeros(p.c.size(), 0);
    QCOMPARE(codeOf(checkFreivalds({p.shape, p.a, p.b, zeros}, 1)), QStringLiteral("verify/timed"));
}

void TestNode::theTimedCheckDoesNotCryWolf()
{
    for (const ProductShape shape : {ProductShape{64, 64, 256}, ProductShape{33, 65, 41}, ProductShape{20, 10, 2048}})
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const Product p = productOf(shape, InputKind::Normal, seed);
            QCOMPARE(codeOf(checkFreivalds(p.view(), seed)), QStringLiteral("fine"));
        }
}

void TestNode::aLooseTaskIsRefused()
{
    QCOMPARE(codeOf(calibrateGates(m_pack.task)), QStringLiteral("fine"));
    Task loose = m_pack.task;
    loose.numeric.tau = 0.01;
    loose.numeric.error = ErrorMeasure::Normwise;
    QCOMPARE(codeOf(calibrateGates(loose)), QStringLiteral("task/loose"));
    Task tight = m_pack.task;
    tight.numeric.tau = 1e-12;
    QCOMPARE(codeOf(calibrateGates(tight)), QStringLiteral("task/tight"));
}

void TestNode::otherOperationsAreRefusedByName()
{
    QCOMPARE(codeOf(checkIsProduct(m_pack.task)), QStringLiteral("fine"));
    Task other = m_pack.task;
    other.tensors[0].dtype = Dtype::Bf16;
    QCOMPARE(codeOf(checkIsProduct(other)), QStringLiteral("task/unsupported"));
    // Bounds, timed checks and the vendor are of fp32 and bf16: a program in TF32 could not rank.
    Task gpu = loadTaskPack(std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "kernels" / "gemm-fp32")->task;
    QCOMPARE(codeOf(checkCanBeEvaluated(gpu)), QStringLiteral("fine"));
    gpu.numeric.allowTf32 = true;
    QCOMPARE(codeOf(checkCanBeEvaluated(gpu)), QStringLiteral("task/unsupported"));
}

void TestNode::operationsAreTakenAsFarAsTheCpuCanJudgeThem()
{
    Task task = m_pack.task;
    task.vendor.clear();
    task.numeric.bound = NumericBound::Ulp;
    QVERIFY(!isProduct(task));
    QCOMPARE(codeOf(checkCanBeEvaluated(task)), QStringLiteral("fine"));
    QCOMPARE(codeOf(checkCanBeEvaluated(m_pack.task)), QStringLiteral("fine"));
    const auto refused = [&](auto&& change) {
        Task other = task;
        change(other);
        return codeOf(checkCanBeEvaluated(other)) == QStringLiteral("task/unsupported");
    };
    QVERIFY(refused([](Task& other) { other.tensors[1].dtype = Dtype::Fp64; }));
    QVERIFY(refused([](Task& other) { other.target = Target::Outside; }));
    QVERIFY(refused([](Task& other) { other.vendor = "openblas-sgemm-1t"; }));
    QVERIFY(refused([](Task& other) { other.tensors.resize(11, other.tensors.front()); }));
    QVERIFY(refused([](Task& other) { other.dims.resize(60, other.dims.front()); }));
}

void TestNode::anOperationsOutputsAreHeldAgainstTheirTruth()
{
    Task task = m_pack.task;
    task.vendor.clear();
    task.numeric.bound = NumericBound::Ulp;
    const Shape shape{2, 3, 4}; // C is 2 x 3
    const std::vector<float> found{1, 2, 3, 4, 5, 6};
    ReferenceProduct truth{{1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}};
    const auto verdict = [&](InputKind kind) { return codeOf(checkOutputs(task, shape, kind, {found}, {truth})); };
    QCOMPARE(verdict(InputKind::Normal), QStringLiteral("fine"));
    truth.values[4] = 5 + 5 * 0x1.0p-22; // four roundings away: honest
    QCOMPARE(verdict(InputKind::Normal), QStringLiteral("fine"));
    QCOMPARE(verdict(InputKind::Integer), QStringLiteral("fine")); // an operation may round whole numbers
    task.numeric.bound = NumericBound::Exact;
    QCOMPARE(verdict(InputKind::Normal), QStringLiteral("verify/exact"));
    task.numeric.bound = NumericBound::Ulp;
    truth.values[4] = 5 + 5 * 0x1.0p-18;
    QCOMPARE(verdict(InputKind::Normal), QStringLiteral("verify/elementwise"));
    truth.values[4] = 6;
    QCOMPARE(verdict(InputKind::Normal), QStringLiteral("verify/norm"));
    truth.values[4] = std::numeric_limits<double>::quiet_NaN();
    QCOMPARE(verdict(InputKind::Normal), QStringLiteral("task/reference"));
}

void TestNode::unannouncedShapesAreNobodysTaskShapes()
{
    const auto shapes = unannouncedShapes(m_pack.task, 5, 50);
    QCOMPARE(shapes.size(), std::size_t(50));
    for (const Shape& shape : shapes)
        QVERIFY(std::ranges::find(m_pack.task.train, shape) == m_pack.task.train.end());
    QVERIFY(unannouncedShapes(m_pack.task, 6, 50) != shapes);
    Task even = m_pack.task;
    even.dims[0].multiple = 16;
    QVERIFY(unannouncedShapes(even, 5, 3).empty());
}

void TestNode::quickInputsLookNormal()
{
    std::vector<float> values(100000);
    fillQuickly(values, 42);
    double sum = 0, squares = 0;
    for (const float value : values) {
        sum += static_cast<double>(value);
        squares += static_cast<double>(value) * static_cast<double>(value);
    }
    QVERIFY(std::abs(sum / 1e5) < 0.02);
    QVERIFY(std::abs(squares / 1e5 - 1) < 0.02);
    std::vector<float> others(100000);
    fillQuickly(others, 43);
    QVERIFY(values != others);
    QVERIFY(digestOf(values) != digestOf(others));
    values[99] += 1;
    const auto before = digestOf(values);
    std::swap(values[5], values[6]);
    QVERIFY(digestOf(values) != before);
}

void TestNode::outputIsCutAndDeadlinesHold()
{
    ChildSetup setup;
    setup.command = {"/bin/sh", "-c", "yes | head -c 1000000; exit 3"};
    const auto noisy = runToEnd(setup, 20s, 1000);
    QVERIFY(noisy.has_value());
    QCOMPARE(noisy->output.size(), std::size_t(1000));
    QVERIFY(noisy->outputCut);
    QCOMPARE(noisy->status.code, 3);
    setup.command = {"/bin/sh", "-c", "while :; do :; done"};
    const auto endless = runToEnd(setup, 200ms, 1000);
    QVERIFY(endless->status.timedOut);
    const auto unwanted = runToEnd(setup, 600s, 1000, [] { return true; });
    QVERIFY(unwanted->cancelled);
    QVERIFY(!unwanted->status.timedOut);
    setup.command = {"/no/such/program"};
    QCOMPARE(runToEnd(setup, 5s, 1000)->status.code, 127);
}

/// The network interfaces that a text of the form of /proc/net/dev lists.
static QStringList interfacesIn(const std::string& text)
{
    QStringList names;
    for (const QString& line : QString::fromStdString(text).split(u'\n'))
        if (line.contains(u':'))
            names << line.section(u':', 0, 0).trimmed();
    return names;
}

void TestNode::aNetworkOfTheSandboxWouldBeSeen()
{
    QFile file(QStringLiteral("/proc/net/dev")); // outside
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QStringList outside = interfacesIn(file.readAll().toStdString());
    QVERIFY2(outside.contains(QStringLiteral("lo")), qPrintable(outside.join(u' ')));
    QCOMPARE(interfacesIn("Inter-|   Receive  |  Transmit\n face |bytes\n    lo:  40   1\n  eth0: 132 7\n"),
        QStringList({QStringLiteral("lo"), QStringLiteral("eth0")}));
    ChildSetup look; // a process that nothing confines sees what this one sees
    look.command = {"/bin/cat", "/proc/net/dev"};
    const auto listed = runToEnd(look, 10s, 65536);
    QVERIFY(listed.has_value());
    QCOMPARE(interfacesIn(listed->output), outside);
}

void TestNode::theSandboxShowsNoHomeAndNoNetwork()
{
    if (!m_sandbox->isFull())
        QSKIP("bubblewrap cannot run here; the isolation is 'reduced' and says so");
    const auto inside = [&](const std::string& command) {
        ChildSetup setup;
        setup.command = m_sandbox->wrap(
            {.command = {"/bin/sh", "-c", command}, .readOnly = {}, .writable = {}, .environment = {}});
        return runToEnd(setup, 10s, 4096)->status.code;
    };
    QCOMPARE(inside("true"), 0);
    QVERIFY(inside("test -e /etc/passwd") != 0);
    QVERIFY(inside("test -e /root/. && ls /root/.* >/dev/null 2>&1") != 0);
    ChildSetup look; // /sys is not there; the kernel's own list is
    look.command = m_sandbox->wrap(
        {.command = {"/bin/cat", "/proc/net/dev"}, .readOnly = {}, .writable = {}, .environment = {}});
    const auto listed = runToEnd(look, 10s, 65536);
    QVERIFY(listed.has_value() && listed->status.clean());
    QStringList ways = interfacesIn(listed->output);
    QVERIFY2(ways.contains(QStringLiteral("lo")), qPrintable(ways.join(u' ')));
    // Some kernels put these into every network namespace; they are down and lead nowhere.
    for (const char* nowhere :
        {"lo", "tunl0", "sit0", "gre0", "gretap0", "erspan0", "ip_vti0", "ip6_vti0", "ip6tnl0", "ip6gre0"})
        ways.removeAll(QString::fromLatin1(nowhere));
    QVERIFY2(ways.isEmpty(), qPrintable(ways.join(u' ')));
    QVERIFY(inside("touch /usr/x") != 0);
    QVERIFY(inside("test -n \"$HOME$DISPLAY$PATH_OF_OURS\"") != 0);
}

void TestNode::builtObjectsAreHeldToTheRules_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QByteArray>("rule");
    const auto row = [](const char* name, const QByteArray& source, const char* rule) {
        QTest::newRow(name) << source << QByteArray(rule);
    };
    const QByteArray run = "extern \"C\" void tilewright_run(const Args& a) { a.C[0] = 0; }\n";
    const auto with = [](const char* body) {
        return QByteArray("extern \"C\" void tilewright_run(const Args& a) { ") + body + " }\n";
    };
    row("fine", run, "");
    row("no entry", "int x() { return 1; }", "build/no-entry");
    row("error", "int x = ;", "build/error");
    row("constructor", "__attribute__((constructor)) void f() { asm volatile(\"\"); }\n" + run, "build/constructor");
    row("static", with("static int n; a.C[0] = n++;"), "build/writable-data");
    row("thread local", "thread_local int n; " + with("a.C[0] = n++;"), "build/tls");
    row("malloc", "extern \"C\" void* malloc(unsigned long); " + with("a.C[0] = *(float*)malloc(4);"),
        "build/undefined-symbol");
    row("foreign include", "#include \"/etc/hostname\"\n" + run, "build/error");
    row("table", "static constexpr int t[4] = {1, 2, 3, 4}; " + with("a.C[0] = t[a.dims.M & 3];"), "");
    row("mathematics", "#include <math.h>\n" + with("a.C[0] = expf(a.A[0]) + sqrtf(a.B[0]);"), "");
}

void TestNode::builtObjectsAreHeldToTheRules()
{
    QFETCH(QByteArray, source);
    QFETCH(QByteArray, rule);
    const BuildOutcome outcome = m_builder->buildCandidate(m_pack.task, program(source.toStdString()));
    QCOMPARE(QByteArray::fromStdString(outcome.rule), rule);
    QCOMPARE(outcome.ok, rule.isEmpty());
    QCOMPARE(outcome.text.empty(), rule.isEmpty());
    QVERIFY(outcome.log.find("/tmp") == std::string::npos);
}

void TestNode::damagedObjectsAreRefusedWithoutACrash()
{
    const BuildOutcome outcome = m_builder->buildCandidate(m_pack.task, m_pack.seed());
    QVERIFY(outcome.ok);
    const std::string object = *readFile(*m_builder->artifactPath(outcome.artifact));
    QVERIFY(checkObject(object).has_value());
    QCOMPARE(codeOf(checkObject("")), QStringLiteral("build/object"));
    for (std::size_t length = 0; length < object.size(); length += 97)
        QVERIFY(!checkObject(std::string_view(object).substr(0, length)).has_value());
    for (std::uint64_t round = 0; round < 2000; ++round) {
        CounterRandom random(1, 2, round);
        std::string damaged = object;
        for (int i = 0; i < 8; ++i)
            damaged[random.below(round % 2 ? 64 : damaged.size())] = static_cast<char>(random.next());
        const auto checked = checkObject(damaged);
        QVERIFY(checked.has_value() || checked.error().code.starts_with("build/"));
    }
}

void TestNode::theSameSourceIsBuiltOnce()
{
    const std::string source = program("// once\nextern \"C\" void tilewright_run(const Args& a) { a.C[0] = 42; }");
    const BuildOutcome first = m_builder->buildCandidate(m_pack.task, source);
    const BuildOutcome second = m_builder->buildCandidate(m_pack.task, source);
    QVERIFY(!first.cached);
    QVERIFY(second.cached);
    QCOMPARE(second.artifact.hex(), first.artifact.hex());
    QVERIFY(second.resources == first.resources);
}

void TestNode::aCancelledBuildEndsAndLeavesNothing()
{
    const std::string source = program("// stop\nextern \"C\" void tilewright_run(const Args& a) { a.C[0] = 43; }");
    const BuildOutcome stopped = m_builder->buildCandidate(m_pack.task, source, [] { return true; });
    QVERIFY(!stopped.ok);
    QCOMPARE(QString::fromStdString(stopped.rule), QStringLiteral("cancelled"));
    const BuildOutcome again = m_builder->buildCandidate(m_pack.task, source);
    QVERIFY(again.ok);
    QVERIFY(!again.cached);
}

void TestNode::aDamagedObjectIsBuiltAgain()
{
    const std::string source = program("// whole\nextern \"C\" void tilewright_run(const Args& a) { a.C[0] = 44; }");
    const BuildOutcome built = m_builder->buildCandidate(m_pack.task, source);
    const auto path = m_builder->artifactPath(built.artifact);
    QVERIFY(path.has_value());
    std::string bytes = *readFile(*path);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    QVERIFY(writeText("", *path, bytes).has_value());
    QCOMPARE(codeOf(m_builder->artifactPath(built.artifact)), QStringLiteral("build/no-artifact"));
    const BuildOutcome again = m_builder->buildCandidate(m_pack.task, source);
    QVERIFY(again.ok && !again.cached);
    QVERIFY(m_builder->artifactPath(again.artifact).has_value());
}

void TestNode::aFolderThatCannotBeWrittenIsNoOutcomeAndIsNotRemembered_data()
{
    QTest::addColumn<bool>("scratch"); // else the cache
    QTest::newRow("the temporary folder is missing") << true;
    QTest::newRow("the cache is not a folder") << false;
}

void TestNode::aFolderThatCannotBeWrittenIsNoOutcomeAndIsNotRemembered()
{
    QFETCH(bool, scratch);
    const fs::path folder = fs::path(m_folder.path().toStdString()) / (scratch ? "scratch" : "taken");
    const fs::path cache = scratch ? folder / "cache" : folder;
    const Builder builder(*m_sandbox, cache, {});
    if (!scratch)
        QVERIFY(writeText("", cache, "a file").has_value());
    const QByteArray before = qgetenv("TMPDIR");
    if (scratch)
        qputenv("TMPDIR", QByteArray::fromStdString((folder / "gone").string()));
    // One that builds and one that does not: neither is blamed.
    const BuildOutcome good = builder.buildCandidate(m_pack.task, m_pack.seed());
    const BuildOutcome bad = builder.buildCandidate(m_pack.task, program("nonsense"));
    const auto reference = builder.buildReference(m_pack);
    if (before.isNull())
        qunsetenv("TMPDIR");
    else
        qputenv("TMPDIR", before);
    const std::string place = (scratch ? folder / "gone" : cache).string();
    for (const BuildOutcome& outcome : {good, bad}) {
        QVERIFY(!outcome.ok);
        QCOMPARE(q(outcome.rule), QStringLiteral("machine/folder"));
        QVERIFY2(outcome.text.find(place) != std::string::npos, outcome.text.c_str());
        QVERIFY(!outcome.hint.empty());
    }
    QCOMPARE(codeOf(reference), QStringLiteral("machine/folder"));
    if (!scratch)
        fs::remove(cache);
    const BuildOutcome later = builder.buildCandidate(m_pack.task, m_pack.seed());
    QVERIFY2(later.ok && !later.cached, later.text.c_str());
    QCOMPARE(q(builder.buildCandidate(m_pack.task, program("nonsense")).rule), QStringLiteral("build/error"));
}

void TestNode::foldersOfProcessesThatAreNoMoreAreRemoved()
{
    const QTemporaryDir place;
    const QByteArray before = qgetenv("TMPDIR");
    qputenv("TMPDIR", place.path().toUtf8());
    const auto aged = [](const fs::path& folder) {
        fs::last_write_time(folder, fs::file_time_type::clock::now() - std::chrono::hours(1));
        return folder;
    };
    const auto held = ScratchFolder::make("scratch-build");
    const fs::path root = place.path().toStdString();
    const fs::path left = root / "scratch-build-Left01", fresh = root / "scratch-build-Fresh1", other = root / "else-1";
    for (const fs::path& folder : {left, fresh, other})
        fs::create_directory(folder);
    const bool isWritten = writeText("", left / "unit.cpp", "int x;").has_value();
    aged(held->path());
    aged(left);
    aged(other);
    ScratchFolder::removeLeft("scratch-build");
    if (before.isNull())
        qunsetenv("TMPDIR");
    else
        qputenv("TMPDIR", before);
    QVERIFY(isWritten);
    QVERIFY2(!fs::exists(left), "nobody holds it");
    QVERIFY2(fs::exists(held->path()), "a process that lives holds it");
    QVERIFY2(fs::exists(fresh), "it may be about to be held");
    QVERIFY(fs::exists(other));
}

void TestNode::howACompilerEndedTellsWhoseFaultItIs_data()
{
    QTest::addColumn<QString>("log");
    QTest::addColumn<int>("signal");
    QTest::addColumn<int>("circumstance"); // 0 none, 1 timed out, 2 no room, 3 a process was ended for memory
    QTest::addColumn<QString>("rule");
    QTest::addColumn<bool>("kept");
    const auto row = [](const char* name, const char* log, int signal, int circumstance, const char* rule, bool kept) {
        QTest::newRow(name) << QString::fromLatin1(log) << signal << circumstance << QString::fromLatin1(rule) << kept;
    };
    const char* killed = "g++: fatal error: Killed signal terminated program cc1plus";
    row("an error", "candidate.cpp:3:1: error: expected ';'", 0, 0, "build/error", true);
    row("a program for the GPU", "candidate.cpp:19:5: error: ‘__device__’ does not name a type", 0, 0, "build/error",
        true);
    row("too long", "", SIGKILL, 1, "build/limit", false);
    row("too much", "cc1plus: out of memory allocating 65536 bytes", 0, 0, "build/limit", false);
    row("a file without end", "g++: fatal error: File size limit exceeded signal terminated program as", 0, 0,
        "build/limit", false);
    row("a crash", "candidate.cpp:3:1: internal compiler error: in fold", 0, 0, "build/crash", true);
    row("ended for memory", killed, 0, 3, "machine/memory", false);
    row("ended by a signal for memory", "", SIGKILL, 3, "machine/memory", false);
    row("its child ended by somebody", killed, 0, 0, "machine/killed", false);
    row("the linker ended by somebody", "collect2: fatal error: ld terminated with signal 9 [Killed]", 0, 0,
        "machine/killed", false);
    row("ended by somebody", "", SIGKILL, 0, "machine/killed", false);
    row("an error that quotes it", "candidate.cpp:1:2: error: #error Killed signal terminated program cc1plus", 0, 0,
        "build/error", true);
    row("too long by its own clock", "g++: fatal error: CPU time limit exceeded signal terminated program cc1plus", 0,
        0, "build/limit", false);
    row("ended at its deadline", killed, SIGKILL, 1, "build/limit", false);
    row("no room", "ld: final link failed: No space left on device", 0, 2, "machine/no-room", false);
    row("says that there is no room, and there is", "#error No space left on device", 0, 0, "build/limit", false);
    row("an error while others were ended", "candidate.cpp:3:1: error: expected ';'", 0, 3, "build/error", true);
}

void TestNode::howACompilerEndedTellsWhoseFaultItIs()
{
    QFETCH(QString, log);
    QFETCH(int, signal);
    QFETCH(int, circumstance);
    QFETCH(QString, rule);
    QFETCH(bool, kept);
    CompilerEnd end;
    end.status.code = signal ? -1 : 1;
    end.status.signal = signal;
    end.status.timedOut = circumstance == 1;
    end.log = log.toStdString();
    end.ranOutOfRoom = circumstance == 2;
    end.endedForMemory = circumstance == 3;
    const CompilerVerdict verdict = verdictOf(end);
    QCOMPARE(q(verdict.rule), rule);
    QCOMPARE(verdict.isKept, kept);
    QVERIFY(!verdict.text.empty());
}

void TestNode::constraintsHoldForEveryProgram_data()
{
    QTest::addColumn<QByteArray>("constraint");
    QTest::addColumn<QString>("rule");
    QTest::newRow("holds") << QByteArray("// require: MR % 4 == 0") << QString();
    QTest::newRow("broken") << QByteArray("// require: MR * NR <= 16") << QStringLiteral("static/require");
    QTest::newRow("of nothing known") << QByteArray("// require: KC > 1") << QStringLiteral("static/require");
}

void TestNode::constraintsHoldForEveryProgram()
{
    QFETCH(QByteArray, constraint);
    QFETCH(QString, rule);
    const BuildOutcome built = m_builder->buildCandidate(m_pack.task,
        program("constexpr int MR = 4; // tune: 4 8\nconstexpr int NR = 8; // tune: 8 16\n" + constraint.toStdString()
            + "\nextern \"C\" void tilewright_run(const Args& a) { a.C[0] = MR * NR; }"));
    QCOMPARE(q(built.rule), rule);
    QCOMPARE(built.ok, rule.isEmpty());
    QVERIFY2(
        rule.isEmpty() || built.text.find(constraint.mid(12).toStdString()) != std::string::npos, built.text.c_str());
}

namespace {

/// A confirmation that found the candidate `times` as fast as the vendor; without one where 0.
TimingRecord confirmed(const TimeRequest& request, const Task& task, const DeviceJob& job, double times)
{
    TimingRecord record(request, task, job);
    record.names = {"incumbent", "candidate", "vendor", "baseline"};
    record.begin(1, {{64, 64, 64}}, {{65, 64, 64}});
    record.launches = 12;
    for (ShapeRecord& shape : record.records)
        for (int block = 0; block < 3; ++block) {
            std::vector<std::string> who{"incumbent", "candidate", "baseline"};
            std::vector<double> ns{100, 100, 100};
            std::vector<std::vector<double>> ratios{{0.0}, {0.0}, {0.0}};
            if (times > 0) {
                who.emplace_back("vendor");
                ns.push_back(100 * times);
                ratios.push_back({std::log(times)});
            }
            record.file(shape, who, ns, ratios, 2);
        }
    return record;
}

bool passed(const TimingRecord& record, const char* rule)
{
    return std::ranges::find(record.passed, rule) != record.passed.end();
}

} // namespace

void TestNode::whatTheMachineLacksRefusesNoProgram()
{
    for (const char* rule : {"build/no-compiler", "build/no-nvrtc", "build/no-headers", "build/no-artifact",
             "run/start", "machine/memory", "machine/killed", "device/toolkit", "task/reference", "cancelled"})
        QVERIFY2(isNodesOwnRule(rule), rule);
    for (const char* rule : {"build/error", "build/limit", "build/crash", "build/include", "plan/grid", "run/exit",
             "run/timeout", "verify/norm", "time/uneven"})
        QVERIFY2(!isNodesOwnRule(rule), rule);
}

void TestNode::whatAnAuditFoundIsKept()
{
    Task task = m_pack.task;
    task.limits.quarantineOverVendor = 1.3;
    TimeRequest request;
    request.purpose = Purpose::Confirm;
    request.vendor = true;
    const DeviceJob job;
    const auto judged = [&](TimingRecord& record, EvaluationResult& result) {
        return [&] { record.judge(result, 0.004, [](const Shape&) { return 1.0; }); };
    };
    EvaluationResult result;
    TimingRecord caught = confirmed(request, task, job, 2);
    judged(caught, result)();
    QCOMPARE(result.outcome, Outcome::Quarantined);
    const auto finding = [] { return Result<void>(fail("verify/norm", "it is wrong", "", {{"shape", {64, 64, 64}}})); };
    QVERIFY(caught.lookInto(result, finding, judged(caught, result)).has_value());
    QCOMPARE(result.outcome, Outcome::Quarantined);
    QCOMPARE(q(result.rule), QStringLiteral("audit/vendor"));
    QVERIFY2(result.text.find("it is wrong") != std::string::npos, result.text.c_str());
    QCOMPARE(result.evidence.at("audit").at("rule").get<std::string>(), std::string("verify/norm"));
    QVERIFY(result.evidence.at("audit").at("evidence").contains("shape"));
    nlohmann::json environment;
    caught.tell(environment);
    QVERIFY(!environment.at("audited").get<bool>() && !environment.at("audit").at("cleared").get<bool>());
    QVERIFY(passed(caught, "roofline") && !passed(caught, "audit") && !passed(caught, "vendor-bound"));

    TimingRecord cleared = confirmed(request, task, job, 2);
    judged(cleared, result)();
    QVERIFY(cleared
                .lookInto(
                    result, [] { return Result<void>(); }, judged(cleared, result))
                .has_value());
    QCOMPARE(result.outcome, Outcome::Ranked);
    QVERIFY(result.evidence.is_null() && result.rule.empty() && passed(cleared, "audit"));

    // An audit that this machine could not do has found nothing.
    TimingRecord hindered = confirmed(request, task, job, 2);
    judged(hindered, result)();
    QCOMPARE(codeOf(hindered.lookInto(
                 result, [] { return Result<void>(fail("machine/memory", "none")); }, judged(hindered, result))),
        QStringLiteral("machine/memory"));
}

void TestNode::whoCompilesToTheIncumbentsCodeIsStillHeldAgainstTheBaseline()
{
    TimeRequest request;
    request.purpose = Purpose::Confirm;
    request.candidate = request.incumbent = sha256("the best one's machine code");
    request.baseline = sha256("the seed's");
    Task task = m_pack.task;
    task.vendor.clear();
    const DeviceJob job;
    TimingRecord record(request, task, job);
    record.names = {"incumbent", "candidate", "vendor", "baseline"};
    record.begin(1, {{64, 64, 64}}, {});
    for (int block = 0; block < 3; ++block)
        record.file(record.records.front(), {"candidate", "baseline"}, {100, 3000}, {{0.0}, {std::log(30)}}, 2);
    record.shareRatios();
    EvaluationResult result;
    record.judge(result, 0.004, [](const Shape&) { return 1.0; });
    QVERIFY(result.score && result.versusIncumbent);
    QCOMPARE(std::round(result.score->value), 30.0);
    QCOMPARE(result.versusIncumbent->value, 1.0);
    QVERIFY(result.shapes.front().versusBaseline->value > 29 && result.shapes.front().baselineNs == 3000);

    // The seed itself is all three.
    request.baseline = request.incumbent;
    TimingRecord seed(request, task, job);
    seed.names = record.names;
    seed.begin(1, {{64, 64, 64}}, {});
    seed.file(seed.records.front(), {"candidate"}, {100}, {{0.0}}, 2);
    seed.shareRatios();
    seed.judge(result, 0.004, [](const Shape&) { return 1.0; });
    QVERIFY(result.score);
    QCOMPARE(result.score->value, 1.0);
}

void TestNode::withoutAVendorTheAuditIsTheBound()
{
    TimeRequest request;
    request.purpose = Purpose::Confirm;
    request.vendor = true;
    const DeviceJob job;
    EvaluationResult result;
    TimingRecord record = confirmed(request, m_pack.task, job, 0);
    record.vendorMissing = "libopenblas.so.0 is not there";
    const auto judge = [&] { record.judge(result, 0.004, [](const Shape&) { return 1.0; }); };
    judge();
    QCOMPARE(result.outcome, Outcome::Quarantined);
    QCOMPARE(q(result.rule), QStringLiteral("audit/no-vendor"));
    QVERIFY(record
                .lookInto(
                    result, [] { return Result<void>(); }, judge)
                .has_value());
    QCOMPARE(result.outcome, Outcome::Ranked);
    QVERIFY(!result.vsVendor);
    nlohmann::json environment;
    record.tell(environment);
    QCOMPARE(environment.at("vendor_missing").get<std::string>(), record.vendorMissing);
    // How near its time comes to the shortest that is believed, which judging anew has not changed.
    const MeasuredChecks told = MeasuredChecks::fromJson(environment.at("measured_checks"));
    QVERIFY(told.find("roofline"));
    QVERIFY(told.find("roofline")->measured > 0 && told.find("roofline")->measured < 1);
    // A task without a vendor has no such bound.
    Task alone = m_pack.task;
    alone.vendor.clear();
    TimingRecord free = confirmed(request, alone, job, 0);
    free.judge(result, 0.004, [](const Shape&) { return 1.0; });
    QCOMPARE(result.outcome, Outcome::Ranked);
}

void TestNode::theSeedIsRightInARealGuest()
{
    Task task = m_pack.task; // small shapes are enough here
    task.train = {{31, 17, 20}};
    task.heldout.clear();
    const auto reference = Reference::load(*m_builder, m_pack);
    QVERIFY2(reference.has_value(), reference ? "" : reference.error().text.c_str());
    const BuildOutcome built = m_builder->buildCandidate(task, m_pack.seed());
    QVERIFY(built.ok);
    CheckPlan plan;
    plan.seedText = "test";
    auto arena = Arena::start(*m_sandbox, worker, *m_builder->artifactPath(built.artifact), task,
        Checker::shapesOf(task, plan), splitCores());
    QVERIFY2(arena.has_value(), arena ? "" : arena.error().text.c_str());
    const auto passed = Checker(task, **reference, **arena).check(plan);
    QVERIFY2(passed.has_value(), passed ? "" : passed.error().text.c_str());
    QVERIFY(passed->names.size() >= 8);
    for (const char* check : {"norm", "elementwise", "unannounced-shapes"}) {
        const MeasuredCheck* measured = passed->measured.find(check);
        QVERIFY2(measured, check);
        QVERIFY2(measured->measured > 0 && measured->measured <= measured->limit, check);
        QVERIFY2(measured->shape.size() == 3 && !measured->inputs.empty(), check);
    }
    QCOMPARE(passed->measured.find("norm")->limit, task.numeric.tau);
    CpuTimer timer(task, **reference, splitCores().measuring, "test");
    std::vector<Contestant> contestants{{"candidate", arena->get()}};
    const auto block = timer.block(task.train.front(), contestants, 2);
    QVERIFY2(block.has_value(), block ? "" : block.error().text.c_str());
    QVERIFY(block->medianNs.front() > 0);
    QVERIFY(block->launches >= 4);
    const MeasuredCheck* timed = timer.measured().find("timed-launches");
    QVERIFY(timed);
    QVERIFY(timed->measured > 0 && timed->measured <= timed->limit);
    QCOMPARE(timed->shape, task.train.front());
    contestants.front().name = "vendor"; // what others measure is not the candidate's
    CpuTimer others(task, **reference, splitCores().measuring, "test");
    QVERIFY(others.block(task.train.front(), contestants, 1).has_value());
    QVERIFY(others.measured().all().empty());
}

void TestNode::aSampleOnADisturbedCoreIsNoShorterThanTheProcessorAllows()
{
    const CoreSplit cores = splitCores();
    if (!cores.hasOwnClock())
        QSKIP("on one core the program's own processor time is its time");
    const Task& task = m_pack.task;
    const Shape shape{128, 128, 64};
    const BuildOutcome built = m_builder->buildCandidate(task, m_pack.seed());
    QVERIFY(built.ok);
    CoreKeptAwake awake(cores.measuring); // a core that sleeps between calls is slower at first
    auto arena
        = Arena::start(*m_sandbox, worker, *m_builder->artifactPath(built.artifact), task, {shape}, cores, &awake);
    QVERIFY2(arena.has_value(), arena ? "" : arena.error().text.c_str());
    QVERIFY((*arena)->bind(shape, Placement::FlushLeft).has_value());
    const auto shortest = [&](int calls) {
        auto least = std::chrono::nanoseconds::max();
        for (int i = 0; i < calls; ++i)
            if (const auto time = (*arena)->run(std::chrono::seconds(10)))
                least = std::min(least, *time);
        return least;
    };
    std::atomic<bool> isOver = false;
    std::thread other([&] { // takes the core for a moment, again and again
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(static_cast<std::size_t>(cores.measuring), &set);
        sched_setaffinity(0, sizeof set, &set);
        while (!isOver) {
            const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(30);
            while (std::chrono::steady_clock::now() < end) { }
            std::this_thread::sleep_for(std::chrono::microseconds(150));
        }
    });
    const auto disturbed = shortest(150);
    isOver = true;
    other.join();
    constexpr double mhz = 8000; // no processor is faster
    QVERIFY2(static_cast<double>(disturbed.count()) > floorNs(task, shape, mhz, 0),
        (std::to_string(disturbed.count()) + " ns").c_str());
}

void TestNode::theVendorIsRightWhateverTheOrderOfTheDims()
{
    Task task = m_pack.task;
    std::ranges::reverse(task.dims);
    const Shape shape{37, 19, 50}; // K, N, M
    auto arena = Arena::start(*m_sandbox, worker, "vendor:" + task.vendor, task, {shape}, splitCores());
    QVERIFY2(arena.has_value(), arena ? "" : arena.error().text.c_str());
    const auto reference = Reference::load(*m_builder, m_pack);
    QVERIFY2(reference.has_value(), reference ? "" : reference.error().text.c_str());
    CpuTimer timer(task, **reference, splitCores().measuring, "vendor"); // every timed launch is checked
    std::vector<Contestant> contestants{{"vendor", arena->get()}};
    const auto block = timer.block(shape, contestants, 1);
    QVERIFY2(block.has_value(), block ? "" : block.error().text.c_str());
}

void TestNode::theVendorSaysWhatItIsInTheProcessThatIsTimed()
{
    const Task& task = m_pack.task;
    const auto textOf = [&](const std::string& object) {
        const auto arena = Arena::start(*m_sandbox, worker, object, task, {{8, 8, 8}}, splitCores());
        return arena ? (*arena)->vendorText() : arena.error().text;
    };
    const std::string own = textOf("vendor:" + task.vendor), other = textOf("vendor:" + task.vendor + "/Haswell");
    const nlohmann::json library = describeVendor(other, nlohmann::json::array());
    QCOMPARE(q(library.at("name").get<std::string>()), u"OpenBLAS"_qs);
    QVERIFY(!library.at("version").get<std::string>().empty());
    QCOMPARE(q(library.at("core_type").get<std::string>()), u"Haswell"_qs);
    QVERIFY(own.starts_with("OpenBLAS "));
}

void TestNode::fastMathThatTheTaskDoesNotAllowIsRefusedBeforeTheBuild()
{
    Task task = m_pack.task;
    const std::string pragma = program("#pragma GCC optimize(\"fast-math\")"),
                      approximate = program("float y = __expf(1.0f);");
    QCOMPARE(codeOf(checkSource(task, pragma)), u"static/fast-math"_qs);
    QCOMPARE(codeOf(checkSource(task, approximate)), u"static/fast-math"_qs);
    task.numeric.allowApproximations = true;
    QCOMPARE(codeOf(checkSource(task, pragma)), u"static/fast-math"_qs);
    QCOMPARE(codeOf(checkSource(task, approximate)), u"fine"_qs);
    task.numeric.allowFastMath = true;
    QCOMPARE(codeOf(checkSource(task, pragma)), u"fine"_qs);
}

void TestNode::fastMathThatMacrosAndInlineAssemblyHideIsRefusedAfterTheBuild_data()
{
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, const char* text) { QTest::newRow(name) << QString::fromLatin1(text); };
    row("attribute by a macro", "#define O optimize\n__attribute__((O(\"fast-math\"))) void f() {}");
    row("a macro around it", "#define O optimize\n#define Q(x) __attribute__((x))\nQ(O(\"fast-math\")) void f() {}");
    row("pasted by a macro",
        "#define P(a, b) P2(a, b)\n#define P2(a, b) a##b\n"
        "#define O P(opti, mize)\n__attribute__((O(\"Ofast\"))) void f() {}");
    row("pragma by a macro", "#define S(x) #x\n#define PR(x) _Pragma(S(x))\nPR(GCC optimize \"Ofast\")");
    row("behind a #line",
        "#define O optimize\n#line 1 \"/usr/include/stdio.h\"\n"
        "__attribute__((O(\"fast-math\"))) void f() {}");
    row("escape in assembly", "void f(unsigned x) { asm(\"\\x6c\" \"dmxcsr %0\" ::\"m\"(x)); }");
    row("dialects in assembly", "void f(unsigned x) { asm(\"ldm{x|y}csr %0\" ::\"m\"(x)); }");
    row("assembler's macro", "asm(\".macro q a, b; \\\\a\\\\b; .endm\");");
    row("bytes as numbers", "asm(\".long 0x0ae90f\");");
    row("bytes as a text", "void f() { asm(\".ascii \\\"\\\\x90\\\"\"); }");
    row("bytes as a filling", "asm(\".fill 1, 1, 0x90\");");
    row("restored state", "void f(void* p) { __builtin_ia32_fxrstor(p); }");
    row("approximation by a macro",
        "#include <immintrin.h>\n#define R(x) _mm_rc##x\n__m128 f(__m128 a) "
        "{ return R(p_ps)(a); }");
}

void TestNode::fastMathThatMacrosAndInlineAssemblyHideIsRefusedAfterTheBuild()
{
    QFETCH(QString, text);
    if (!hasCompiler())
        QSKIP("no g++ here");
    const std::string source
        = program(text.toStdString() + "\nextern \"C\" void tilewright_run(const Args& a) { a.C[0] = 1; }");
    Task task = m_pack.task;
    QCOMPARE(q(m_builder->buildCandidate(task, source).rule), u"static/fast-math"_qs);
    task.numeric.allowFastMath = true;
    const BuildOutcome allowed = m_builder->buildCandidate(task, source);
    QVERIFY2(allowed.ok, (allowed.rule + ": " + allowed.text).c_str());
}

void TestNode::aGuestThatCrashesSaysWhere()
{
    Task task = m_pack.task;
    task.train = {{8, 8, 8}};
    const auto runOf = [&](const std::string& body) -> QString {
        const BuildOutcome built = m_builder->buildCandidate(
            task, program("extern \"C\" void tilewright_run(const Args& a) { " + body + " }"));
        if (!built.ok)
            return q(built.rule);
        auto arena = Arena::start(
            *m_sandbox, worker, *m_builder->artifactPath(built.artifact), task, task.train, splitCores());
        if (!arena)
            return q(arena.error().code);
        if (auto bound = (*arena)->bind(task.train.front(), Placement::FlushRight); !bound)
            return codeOf(bound);
        return codeOf((*arena)->run(500ms));
    };
    QCOMPARE(runOf("a.C[0] = 1;"), QStringLiteral("fine"));
    QCOMPARE(runOf("a.C[64] = 1;"), QStringLiteral("verify/out-of-bounds-write"));
    QCOMPARE(runOf("a.C[0] = a.A[64];"), QStringLiteral("verify/out-of-bounds-read"));
    QCOMPARE(runOf("const_cast<float*>(a.A)[3] = 1;"), QStringLiteral("verify/input-write"));
    QCOMPARE(runOf("*(volatile int*)8 = 1;"), QStringLiteral("run/crash"));
    QCOMPARE(runOf("for (;;) asm volatile(\"\");"), QStringLiteral("run/timeout"));
#if defined(__x86_64__)
    QCOMPARE(runOf("long r = 39; asm volatile(\"syscall\" : \"+a\"(r) :: \"rcx\", \"r11\", \"memory\");"),
        QStringLiteral("run/syscall"));
    QCOMPARE(runOf("asm volatile(\"rdtsc\" ::: \"rax\", \"rdx\");"), QStringLiteral("run/clock"));
    QCOMPARE(runOf("asm volatile(\"syscall\" :: \"a\"(231L), \"D\"(0L) : \"rcx\", \"r11\", \"memory\");"),
        QStringLiteral("run/exit"));
#endif
}

TILEWRIGHT_TEST(TestNode)
#include "test_node.moc"
