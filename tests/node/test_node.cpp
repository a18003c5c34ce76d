// SPDX-License-Identifier: GPL-3.0-or-later
// The node's parts: gates on made-up results, object rules on really built objects, children, sandbox, and one guest.
#include "core/base/files.h"
#include "core/base/random.h"
#include "core/device/cpu.h"
#include "core/node/builder.h"
#include "core/node/checker.h"
#include "core/node/child_process.h"
#include "core/node/cpu_timer.h"
#include "core/node/elf_rules.h"
#include "core/node/gates.h"
#include "core/node/inputs.h"

#include <QTemporaryDir>
#include <QTest>
#include <cmath>

using namespace tilewright;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

const fs::path gemm = fs::path(TILEWRIGHT_SOURCE_DIR) / "kernels/gemm-fp32-cpu";
const fs::path worker = fs::path(TILEWRIGHT_BIN_DIR) / "tilewright-worker";

QString q(const std::string& text) { return QString::fromStdString(text); }
template <typename T> QString codeOf(const Result<T>& result)
{
    return result ? QStringLiteral("fine") : q(result.error().code);
}

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

class TestNode : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void honestProductsPassEveryGate_data();
    void honestProductsPassEveryGate();
    void wrongProductsAreRefusedByTheirGate();
    void theTimedCheckSeesOneWrongElement();
    void theTimedCheckDoesNotCryWolf();
    void aLooseTaskIsRefused();
    void otherOperationsAreRefusedByName();
    void unannouncedShapesAreNobodysTaskShapes();
    void quickInputsLookNormal();
    void outputIsCutAndDeadlinesHold();
    void theSandboxShowsNoHomeAndNoNetwork();
    void builtObjectsAreHeldToTheRules_data();
    void builtObjectsAreHeldToTheRules();
    void damagedObjectsAreRefusedWithoutACrash();
    void theSameSourceIsBuiltOnce();
    void aCancelledBuildEndsAndLeavesNothing();
    void theSeedIsRightInARealGuest();
    void theVendorIsRightWhateverTheOrderOfTheDims();
    void aGuestThatCrashesSaysWhere();

private:
    QTemporaryDir m_folder;
    TaskPack m_pack;
    std::unique_ptr<Sandbox> m_sandbox;
    std::unique_ptr<Builder> m_builder;
};

void TestNode::initTestCase()
{
    m_pack = *loadTaskPack(gemm);
    m_sandbox = std::make_unique<Sandbox>(worker);
    m_builder
        = std::make_unique<Builder>(*m_sandbox, fs::path(m_folder.path().toStdString()) / "cache", std::vector<int>{});
    QVERIFY2(!m_builder->compiler().empty(), "these tests build programs: g++ is needed");
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

void TestNode::wrongProductsAreRefusedByTheirGate()
{
    Product p = productOf({37, 41, 301}, InputKind::Normal, 3);
    p.c[5] = std::bit_cast<float>(0xffffffffu);
    QCOMPARE(codeOf(checkWritten(p.view(), 0xffffffffu)), QStringLiteral("verify/poison"));
    QCOMPARE(codeOf(checkNorm(p.view(), p.truth, 2e-5)), QStringLiteral("verify/norm"));
    p.c[5] = INFINITY;
    QCOMPARE(codeOf(checkWritten(p.view(), 0xffffffffu)), QStringLiteral("verify/nan"));
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
    QVERIFY(inside("test -e /sys/class/net/eth0") != 0);
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
    QVERIFY(passed->size() >= 8);
    CpuTimer timer(task, splitCores().measuring, "test");
    std::vector<Contestant> contestants{{"candidate", arena->get()}};
    const auto block = timer.block(task.train.front(), contestants, 2);
    QVERIFY2(block.has_value(), block ? "" : block.error().text.c_str());
    QVERIFY(block->medianNs.front() > 0);
    QVERIFY(block->launches >= 4);
}

void TestNode::theVendorIsRightWhateverTheOrderOfTheDims()
{
    Task task = m_pack.task;
    std::ranges::reverse(task.dims);
    const Shape shape{37, 19, 50}; // K, N, M
    auto arena = Arena::start(*m_sandbox, worker, "vendor:" + task.vendor, task, {shape}, splitCores());
    QVERIFY2(arena.has_value(), arena ? "" : arena.error().text.c_str());
    CpuTimer timer(task, splitCores().measuring, "vendor"); // every timed launch is checked
    std::vector<Contestant> contestants{{"vendor", arena->get()}};
    const auto block = timer.block(shape, contestants, 1);
    QVERIFY2(block.has_value(), block ? "" : block.error().text.c_str());
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

QTEST_GUILESS_MAIN(TestNode)
#include "test_node.moc"
