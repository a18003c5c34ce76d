// SPDX-License-Identifier: GPL-3.0-or-later
// Every known trick against a real node: each must end where cpu/attacks.json says, by the rule named there (by one of
// several only where a race, a draw or the system decides which is the first, and the table says so in "why_several"),
// cost only itself, and leave a node that ranks the next honest program. Beside each stands an honest twin with the
// same words and idioms that must rank.
//
// "Static rules off": those that are refused by the rules about the built object run a second time on a node that was
// started without them, so that no such rule hides the absence of a real defence; the table says what catches each
// then, or that nothing has to ("static_off"). Reading the source refuses nothing but its size (static/source-size) and
// what it says of itself (static/require).
//
// With TILEWRIGHT_ROTATION (a commit's hash) the first attack of every rule runs, and a share of the others that the
// hash chooses; without it all of them run.
#ifndef Q_MOC_RUN // moc 6.4 stumbles over what these include
#include "core/base/files.h"
#include "core/base/hash.h"
#include "tests/attacks/attacked_node.h"
#endif

#include <QTest>
#include <algorithm>
#include <array>
#include <set>
#include <tuple>

using namespace tilewright;

namespace {

constexpr int buildSeconds = 5; // the pack's 30 would make the three attacks on the compiler cost a minute and a half
constexpr qint64 costLimitMs = 45'000; // of one attack, on a busy machine
constexpr double noGain = 1.15; // an attack that does honest work may rank, but not because of what it tried

const std::filesystem::path folder = TILEWRIGHT_SOURCE_DIR "/tests/attacks/cpu";

struct Attack {
    std::string file, twin, outcome, tries;
    std::vector<std::string> rules; ///< the one that it breaks; several, the usual one first, where chance decides
    std::string whySeveral; ///< what decides; empty where there is one
    bool reduced = false; ///< the sandbox matters: also in the pass without it
    bool x86Only = false;
    std::vector<std::string> rulesOff; ///< static rules off: what ends it then; "" where it ranks and gains nothing
    std::string whyOff; ///< empty where it is caught by no static rule
};

std::vector<Attack> readAttacks()
{
    std::vector<Attack> attacks;
    for (const auto& json : nlohmann::json::parse(readFile(folder / "attacks.json").value_or("[]")))
        attacks.push_back({json.at("file"), json.at("twin"), json.at("outcome"), json.at("tries"), json.at("rules"),
            json.value("why_several", ""), json.value("reduced", false), json.value("x86_only", false),
            json.value("static_off", nlohmann::json::object()).value("rules", std::vector<std::string>{}),
            json.value("static_off", nlohmann::json::object()).value("why", "")});
    return attacks;
}

/// Whether each attack runs, in the order of the table.
std::vector<bool> chosenBy(const std::string& rotation, const std::vector<Attack>& attacks)
{
    constexpr int oneOf = 12; // those that are not the first of their rule: nearly all have run after some fifty commits
    std::set<std::tuple<std::string, bool, bool>> seen; // by rule, and by the passes that an attack runs in
    std::vector<bool> chosen;
    for (const Attack& attack : attacks) {
        const bool isFirst = seen.emplace(attack.rules.front(), attack.reduced, !attack.rulesOff.empty()).second;
        chosen.push_back(rotation.empty() || isFirst || sha256(rotation + attack.file).bytes[0] % oneOf == 0);
    }
    return chosen;
}

/// The source, with the product that most of them share in the place of the line that asks for it.
std::string textOf(const std::string& file)
{
    constexpr std::string_view wanted = "//@ product.inc\n";
    std::string text = readFile(folder / file).value_or("");
    if (const std::size_t at = text.find(wanted); at != std::string::npos)
        text.replace(at, wanted.size(), readFile(folder / "product.inc").value_or(""));
    return text;
}

} // namespace

class TestAttacksCpu : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void anAttackIsCaughtAndCostsOnlyItself_data();
    void anAttackIsCaughtAndCostsOnlyItself();
    void anHonestTwinRanks_data();
    void anHonestTwinRanks();
    void aSourceThatIsTooLongIsRefused();
    void withoutTheSandboxAnAttackIsCaughtAndCostsOnlyItself_data();
    void withoutTheSandboxAnAttackIsCaughtAndCostsOnlyItself();
    void withoutStaticRulesAnAttackIsCaughtOrGainsNothing_data();
    void withoutStaticRulesAnAttackIsCaughtOrGainsNothing();
    void everyAttackHasATwinAndIsInTheTable();

private:
    void addRows(const std::function<bool(const Attack&)>& wanted) const;
    void expectCaught(AttackedNode& node, const Hash& incumbent);
    bool start(std::unique_ptr<AttackedNode>& node, Hash& incumbent, const QByteArray& isolation,
        const QStringList& arguments = {});

    std::vector<Attack> m_attacks;
    std::vector<bool> m_isChosen; ///< by attack
    TaskPack m_pack;
    std::string m_honest;
    std::unique_ptr<AttackedNode> m_node, m_reduced, m_bare;
    Hash m_incumbent, m_reducedIncumbent, m_bareIncumbent;
};

void TestAttacksCpu::initTestCase()
{
    auto pack = loadTaskPack(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32-cpu");
    QVERIFY(pack);
    m_pack = std::move(*pack);
    m_attacks = readAttacks();
    m_isChosen = chosenBy(qgetenv("TILEWRIGHT_ROTATION").toStdString(), m_attacks);
    m_honest = textOf("honest.cpp");
    QVERIFY(m_attacks.size() > 100);
    QVERIFY2(start(m_node, m_incumbent, ""), "the node does not build the honest program");
}

bool TestAttacksCpu::start(
    std::unique_ptr<AttackedNode>& node, Hash& incumbent, const QByteArray& isolation, const QStringList& arguments)
{
    if (node && node->isRunning())
        return true;
    node = std::make_unique<AttackedNode>(isolation, m_pack, buildSeconds, arguments);
    const BuildReply built = node->build(m_honest);
    incumbent = built.artifact;
    return built.ok;
}

void TestAttacksCpu::addRows(const std::function<bool(const Attack&)>& wanted) const
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < m_attacks.size(); ++i)
        if (m_isChosen[i] && wanted(m_attacks[i]))
            QTest::newRow(m_attacks[i].file.c_str()) << static_cast<int>(i);
}

/// The row's attack on this node, and what is left of the node afterwards.
void TestAttacksCpu::expectCaught(AttackedNode& node, const Hash& incumbent)
{
    QFETCH(int, index);
    const Attack& attack = m_attacks[static_cast<std::size_t>(index)];
#if !defined(__x86_64__)
    if (attack.x86Only)
        QSKIP("written in the assembly language of another processor");
#endif
    const Fate fate = node.evaluate(textOf(attack.file), incumbent);
    // The node first: an attack that takes it along must be known as one that does.
    QVERIFY2(!node.greet().isEmpty(), ("the node is gone or mute after: " + fate.line()).constData());
    const Fate next = node.check(m_honest); // and its twin is timed below
    QVERIFY2(next.outcome == "ranked", ("the next honest program is not right any more: " + next.line()).constData());

    if (attack.outcome == "no_gain" && fate.outcome == "ranked") {
        QVERIFY2(fate.ratio <= noGain, ("it gains by it: " + fate.line()).constData());
        return;
    }
    QVERIFY2(std::ranges::find(attack.rules, fate.rule) != attack.rules.end(), fate.line().constData());
    const std::string expected = fate.rule == attack.rules.front() ? attack.outcome : nameOf(outcomeOfRule(fate.rule));
    QVERIFY2(fate.outcome == expected || attack.outcome == "no_gain", fate.line().constData());
    QVERIFY2(!fate.text.empty(), fate.line().constData());
    // Beyond the build, a finding says where and by how much.
    QVERIFY2(fate.stage == "build" || (fate.evidence.is_object() && fate.evidence.contains("shape")),
        fate.line().constData());
    QVERIFY2(fate.milliseconds < costLimitMs, fate.line().constData());
    // Nothing of the machine leaks through the compiler's words.
    QVERIFY2((fate.log + fate.text + fate.evidence.dump()).find("root:x:0") == std::string::npos,
        "the log quotes a file of this machine");
}

void TestAttacksCpu::anAttackIsCaughtAndCostsOnlyItself_data()
{
    addRows([](const Attack&) { return true; });
}

void TestAttacksCpu::anAttackIsCaughtAndCostsOnlyItself()
{
    QVERIFY(start(m_node, m_incumbent, ""));
    expectCaught(*m_node, m_incumbent);
}

void TestAttacksCpu::anHonestTwinRanks_data()
{
    QTest::addColumn<QString>("file");
    std::set<std::string> twins{"honest.cpp"};
    for (std::size_t i = 0; i < m_attacks.size(); ++i)
        if (m_isChosen[i])
            twins.insert(m_attacks[i].twin);
    for (const std::string& twin : twins)
        QTest::newRow(twin.c_str()) << QString::fromStdString(twin);
}

void TestAttacksCpu::anHonestTwinRanks()
{
    QFETCH(QString, file);
    QVERIFY(start(m_node, m_incumbent, ""));
    const Fate fate = m_node->evaluate(textOf(file.toStdString()), m_incumbent);
    QVERIFY2(fate.outcome == "ranked" && fate.rule.empty(), fate.line().constData());
    QVERIFY2(fate.ratio > 0, fate.line().constData());
}

void TestAttacksCpu::aSourceThatIsTooLongIsRefused()
{
    QVERIFY(start(m_node, m_incumbent, ""));
    std::string padding(static_cast<std::size_t>(m_pack.task.limits.sourceBytes), ' ');
    const Fate fate = m_node->check(m_honest + "/*" + padding + "*/\n");
    QVERIFY2(fate.outcome == "refused" && fate.rule == "static/source-size", fate.line().constData());
}

void TestAttacksCpu::withoutTheSandboxAnAttackIsCaughtAndCostsOnlyItself_data()
{
    addRows([](const Attack& attack) { return attack.reduced; });
}

void TestAttacksCpu::withoutTheSandboxAnAttackIsCaughtAndCostsOnlyItself()
{
    QVERIFY(start(m_reduced, m_reducedIncumbent, "reduced"));
    QCOMPARE(m_reduced->greet(), QByteArray("reduced")); // and it says so
    expectCaught(*m_reduced, m_reducedIncumbent);
}

void TestAttacksCpu::withoutStaticRulesAnAttackIsCaughtOrGainsNothing_data()
{
    addRows([](const Attack& attack) { return !attack.rulesOff.empty(); });
}

void TestAttacksCpu::withoutStaticRulesAnAttackIsCaughtOrGainsNothing()
{
    QFETCH(int, index);
    const Attack& attack = m_attacks[static_cast<std::size_t>(index)];
#if !defined(__x86_64__)
    if (attack.x86Only)
        QSKIP("written in the assembly language of another processor");
#endif
    QVERIFY(start(m_bare, m_bareIncumbent, "", {QStringLiteral("--without-static-rules")}));
    const Fate fate = m_bare->evaluate(textOf(attack.file), m_bareIncumbent);
    QVERIFY2(m_bare->greet().contains("static rules off"), "the node is gone, or does not say what it leaves out");
    const Fate next = m_bare->check(m_honest);
    QVERIFY2(next.outcome == "ranked", ("the next honest program is not right any more: " + next.line()).constData());
    QVERIFY2(std::ranges::find(attack.rulesOff, fate.rule) != attack.rulesOff.end(), fate.line().constData());
    QVERIFY2(!fate.rule.empty() || (fate.outcome == "ranked" && fate.ratio <= noGain), fate.line().constData());
    QVERIFY2(fate.milliseconds < costLimitMs, fate.line().constData());
}

void TestAttacksCpu::everyAttackHasATwinAndIsInTheTable()
{
    std::set<std::string> named{"honest.cpp"};
    for (const Attack& attack : m_attacks) {
        QVERIFY2(!textOf(attack.twin).empty(), attack.twin.c_str());
        QVERIFY2(!attack.rules.empty() && !attack.tries.empty(), attack.file.c_str());
        // One rule each: where several may be the first to see it, the table says what decides.
        QVERIFY2((attack.rules.size() > 1) == !attack.whySeveral.empty(), attack.file.c_str());
        const bool isStatic = std::ranges::any_of(attack.rules, [](const std::string& rule) {
            constexpr std::array rules{"build/undefined-symbol", "build/writable-data", "build/constructor",
                "build/ifunc", "build/tls", "build/library"};
            return std::ranges::find(rules, rule) != rules.end();
        });
        QVERIFY2(isStatic == !attack.rulesOff.empty() && isStatic == !attack.whyOff.empty(), attack.file.c_str());
        named.insert({attack.file, attack.twin});
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".cpp")
            QVERIFY2(named.contains(entry.path().filename().string()), entry.path().c_str());
}

QTEST_GUILESS_MAIN(TestAttacksCpu)
#include "test_attacks_cpu.moc"
