// SPDX-License-Identifier: GPL-3.0-or-later
// What a user adds to prompts, each steering command beside an untouched twin: where it has to stand in what is asked
// next it stands, all else is asked byte for byte as of the twin.
#include "tests/engine/twins.h"
#include "tests/test_program.h"

#include <set>

using namespace tilewright;
using namespace tilewright::testing;
using namespace Qt::StringLiterals;

namespace {

/// What was asked of the two, after the steering command.
struct Asked {
    explicit Asked(Twins& twins)
        : untouched(twins.ask(*twins.untouched))
        , steered(twins.ask(twins.steered))
    {
    }

    /// The islands whose next prompt is another than the twin's.
    std::set<IslandId> differing() const
    {
        std::set<IslandId> ids;
        for (const auto& [id, prompt] : untouched)
            if (!steered.contains(id) || steered.at(id).text != prompt.text)
                ids.insert(id);
        return ids;
    }

    /// What stands in the island's prompt besides what stands in the twin's; "" where they differ otherwise.
    std::string added(IslandId id) const
    {
        return insertedInto(untouched.at(id).text, steered.at(id).text).value_or("");
    }

    AskedPrompts untouched, steered;
};

CandidateId bestOn(const RunState& state, IslandId island) { return state.island(island)->best; }

} // namespace

class TestPromptTwins : public QObject
{
    Q_OBJECT

    std::optional<TwinRecord> m_begun;
    const std::set<IslandId> m_all{{1}, {2}, {3}, {4}};

private Q_SLOTS:
    void initTestCase() { m_begun.emplace(gemmPack(), TwinBeginning{}); }

    void twinsOfWhomNoneIsSteeredAreAskedTheSame()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready && twins.beganAlike());
        const Asked asked(twins);
        QCOMPARE(asked.untouched.size(), m_all.size());
        QCOMPARE(asked.differing(), std::set<IslandId>{});
        for (const auto& [id, prompt] : asked.untouched)
            QVERIFY(prompt.text.find("EVOLVE-BLOCK-START") != std::string::npos);
    }

    void aHintOfAnIslandStandsInItsNextPromptAndInNoOther()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        twins.steered.execute(commands::SetHints{islandB, "keep the accumulators in registers\nmind the row's end"});
        const Asked asked(twins);
        QVERIFY(twins.beganAlike());
        QCOMPARE(asked.differing(), std::set<IslandId>{islandB});
        const std::string added = asked.added(islandB);
        QVERIFY2(added.find("keep the accumulators in registers") < added.find("mind the row's end"), added.c_str());
        QVERIFY(added.find("mind the row's end") != std::string::npos);
        QCOMPARE(asked.steered.at(islandB).modelRequest.parents, asked.untouched.at(islandB).modelRequest.parents);
    }

    void aHintToAllStandsInTheNextPromptOfEachBeforeTheIslandsOwn()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        twins.steered.execute(commands::SetHints{islandB, "island B alone hears this"});
        twins.steered.execute(commands::SetHints{{}, "everybody hears this"});
        const Asked asked(twins);
        QVERIFY(twins.beganAlike());
        for (const IslandId id : m_all) {
            const std::string added = asked.added(id);
            QVERIFY2(added.find("everybody hears this") != std::string::npos, added.c_str());
            QCOMPARE(added.find("island B alone hears this") != std::string::npos, id == islandB);
        }
        const std::string ofB = asked.added(islandB);
        QVERIFY(ofB.find("everybody") < ofB.find("island B alone"));
    }

    void aHintThatIsTakenBackLeavesNoTraceInPrompts()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        for (const IslandId id : {islandB, IslandId{}}) {
            twins.steered.execute(commands::SetHints{id, "forget this"});
            twins.steered.execute(commands::SetHints{id, ""});
        }
        QCOMPARE(Asked(twins).differing(), std::set<IslandId>{});
    }

    void aPersonsNoteForTheMemoryStandsInEveryNextPrompt()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        twins.steered.execute(commands::WriteInsights{"Packing B pays from 128 columns on."});
        const Asked asked(twins);
        QVERIFY(twins.beganAlike());
        QCOMPARE(asked.differing(), m_all);
        for (const IslandId id : m_all) {
            const std::string added = asked.added(id);
            QVERIFY2(added.find("Packing B pays from 128 columns on.") != std::string::npos, added.c_str());
            QCOMPARE(asked.steered.at(id).modelRequest.parents, asked.untouched.at(id).modelRequest.parents);
        }
    }

    void aNoteThatIsTakenAwayLeavesNoTraceInPrompts()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        twins.steered.execute(commands::WriteInsights{"Packing B pays from 128 columns on."});
        twins.steered.execute(commands::WriteInsights{""});
        QCOMPARE(Asked(twins).differing(), std::set<IslandId>{});
    }

    void aTemplateOfAllIsInTheNextPromptsThatAreWrittenFromIt()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const AskedPrompts untouched = twins.ask(*twins.untouched);
        const std::string name = untouched.at(islandB).modelRequest.promptName, words = "Think of cache lines first.\n";
        const std::string standing = twins.steered.preview({{}, name, {}, {}}).standing;
        QVERIFY(!standing.empty());
        twins.steered.execute(commands::SaveTemplate{{{}, name, words + standing, {}}, "cache lines"});
        QVERIFY(twins.steered.failures.isEmpty());
        const AskedPrompts steered = twins.ask(twins.steered);
        QVERIFY(twins.beganAlike());
        for (const auto& [id, prompt] : untouched)
            QCOMPARE(steered.at(id).text, prompt.modelRequest.promptName == name ? words + prompt.text : prompt.text);
    }

    void anIdeaIsToldInTheNextPromptOfItsParentsIslandAndInNoOther()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const CandidateId parent = bestOn(twins.state(twins.steered), islandB);
        twins.steered.execute(commands::SetProposer{"manual"}); // somebody who reads
        twins.steered.execute(commands::RequestEdits{parent, 1, "keep two rows of C in registers", {}});
        QVERIFY(twins.steered.failures.isEmpty());
        const IslandId home = twins.state(twins.steered).candidate(parent)->island;
        const Asked asked(twins);
        QVERIFY(twins.beganAlike());
        QCOMPARE(asked.differing(), std::set<IslandId>{home});
        const AskedPrompt& steered = asked.steered.at(home);
        QCOMPARE(steered.modelRequest.parents, std::vector<CandidateId>{parent});
        QCOMPARE(steered.modelRequest.focus, Focus::Explore);
        QVERIFY(steered.text.find("keep two rows of C in registers") != std::string::npos);
        QCOMPARE(steered.modelRequest.ordinal, asked.untouched.at(home).modelRequest.ordinal);
    }

    void aTranslationIsAskedOfTheCandidateAndTheTwinsIslandSearchesOn()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const CandidateId parent = bestOn(twins.state(twins.steered), islandB);
        const IslandId home = twins.state(twins.steered).candidate(parent)->island;
        SteeringPrompt translate;
        translate.templateName = "translate";
        twins.steered.execute(commands::SetProposer{"manual"}); // somebody who reads
        twins.steered.execute(commands::RequestEdits{parent, 1, {}, translate});
        QVERIFY(twins.steered.failures.isEmpty());
        const Asked asked(twins);
        QVERIFY(twins.beganAlike());
        QCOMPARE(asked.differing(), std::set<IslandId>{home});
        const AskedPrompt &steered = asked.steered.at(home), &untouched = asked.untouched.at(home);
        QCOMPARE(steered.modelRequest.promptName, std::string("translate"));
        QVERIFY(untouched.modelRequest.promptName != "translate");
        QCOMPARE(steered.modelRequest.parents, std::vector<CandidateId>{parent});
        QCOMPARE(steered.modelRequest.ordinal, untouched.modelRequest.ordinal);
        QVERIFY(steered.text.find("# The frame to fill") != std::string::npos);
        QVERIFY(untouched.text.find("# The frame to fill") == std::string::npos);
    }

    void aPromptIsSentAsItWasShownAndInThePlaceOfTheTwins()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const CandidateId parent = bestOn(twins.state(twins.steered), islandB);
        twins.steered.execute(commands::SetProposer{"manual"});
        const PromptDraft usual{islandB, "exploit", {}, parent};
        const PromptDraft draft{
            islandB, "exploit", "Just this once.\n" + twins.steered.preview(usual).standing, parent};
        const PromptPreview shown = twins.steered.preview(draft);
        QVERIFY2(!shown.error, shown.error ? shown.error->text.c_str() : "");
        twins.steered.execute(commands::SendPrompt{draft});
        const Asked asked(twins);
        QVERIFY(twins.beganAlike());
        QCOMPARE(asked.differing(), std::set<IslandId>{islandB});
        QCOMPARE(asked.steered.at(islandB).text, shown.prompt.user);
        QCOMPARE(asked.steered.at(islandB).modelRequest.parents, std::vector<CandidateId>{parent});
        QVERIFY(asked.untouched.at(islandB).text.find("Just this once.") == std::string::npos);
    }

    void aWishThatIsDroppedIsInNoPrompt()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const CandidateId parent = bestOn(twins.state(twins.steered), islandB);
        twins.steered.execute(commands::SetProposer{"manual"});
        twins.steered.execute(commands::RequestEdits{parent, 1, "keep two rows of C in registers", {}});
        twins.steered.execute(commands::CancelRequests{parent, {}});
        QVERIFY(twins.steered.failures.isEmpty());
        QCOMPARE(Asked(twins).differing(), std::set<IslandId>{});
    }
};

TILEWRIGHT_TEST(TestPromptTwins)
#include "test_prompt_twins.moc"
