// SPDX-License-Identifier: GPL-3.0-or-later
// Review policies by island and kind of proposer: what a change sets, how they are read and written, and which edits
// they are about.
#include "core/model/reviews/review_policies.h"
#include "core/model/reviews/review_queue.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

namespace {

const IslandId islandA{1}, islandB{2};

/// Two islands with the seed; edits of any proposer can be made to wait.
struct Waiting {
    RunState run;
    std::int64_t made = 1;

    explicit Waiting(const std::string& proposer)
    {
        RunSettings settings;
        settings.taskName = "t";
        settings.proposer = proposer;
        settings.review[IslandId{}] = defaultReviewPolicies();
        Candidate seed;
        seed.id = {1};
        seed.island = islandA;
        seed.program = sha256("seed");
        put(events::RunCreated{settings});
        put(events::IslandCreated{islandA, "Tiling", "evolve", Focus::Explore});
        put(events::IslandCreated{islandB, "Tuning", "evolve", Focus::Exploit});
        put(events::CandidateMade{seed});
    }

    void put(EventBody body)
    {
        if (auto applied = apply(run, {{1}, run.lastSeq + 1, "2026-01-01T00:00:00.000Z", std::move(body)}); !applied)
            qFatal("%s", applied.error().text.c_str());
    }

    CandidateId wait(IslandId island, const std::string& proposer)
    {
        Proposal proposal;
        proposal.id = {static_cast<std::int64_t>(run.proposals.size()) + 1};
        proposal.island = island;
        proposal.proposer = proposer;
        put(events::Proposed{proposal});
        Candidate candidate;
        candidate.id = {++made};
        candidate.island = island;
        candidate.proposal = proposal.id;
        candidate.parents = {{1}};
        candidate.program = sha256(std::to_string(made));
        put(events::CandidateMade{candidate});
        put(events::ReviewAsked{
            {static_cast<std::int64_t>(run.reviews.size()) + 1}, candidate.id, {"57 changed lines"}, {}});
        return candidate.id;
    }
};

IslandPolicies read(const std::vector<std::string>& all)
{
    IslandPolicies policies;
    for (const std::string& words : all) {
        const auto changes = policyChangesIn(words);
        if (!changes)
            qFatal("%s", changes.error().text.c_str());
        for (const auto& change : *changes)
            setPolicy(policies, change.scope(), change.policy);
    }
    return policies;
}

} // namespace

class TestReviewPolicies : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void builtInProposersAreAutomaticByDefaultAndRepliesAreRisky()
    {
        const ReviewPolicies policies = defaultReviewPolicies();
        for (const ProposerKind kind : {ProposerKind::Mutator, ProposerKind::Tuner, ProposerKind::Random})
            QCOMPARE(policies.of(kind), ReviewPolicy::Automatic);
        for (const ProposerKind kind : {ProposerKind::Model, ProposerKind::Manual, ProposerKind::Replay})
            QCOMPARE(policies.of(kind), ReviewPolicy::Risky);
        QCOMPARE(
            describe(policies), std::string("automatic for mutator, tuner, random; risky for model, manual, replay"));
    }

    void aPolicyOfAllIslandsReachesThoseWithTheirOwn()
    {
        IslandPolicies all = read({"risky", "B:model=every"});
        QCOMPARE(policiesOf(all, islandB).of(ProposerKind::Model), ReviewPolicy::Every);
        QCOMPARE(policiesOf(all, islandB).of(ProposerKind::Mutator), ReviewPolicy::Risky);
        QCOMPARE(policiesOf(all, islandA).of(ProposerKind::Model), ReviewPolicy::Risky);
        setPolicy(all, {{}, ProposerKind::Mutator}, ReviewPolicy::Automatic);
        QCOMPARE(policiesOf(all, islandB).of(ProposerKind::Mutator), ReviewPolicy::Automatic);
        QCOMPARE(policiesOf(all, islandB).of(ProposerKind::Model), ReviewPolicy::Every); // it was not about models
        setPolicy(all, {}, ReviewPolicy::Automatic);
        QVERIFY(policiesOf(all, islandB) == ReviewPolicies());
    }

    void whatDiffersIsChangedAndNothingElse()
    {
        const IslandPolicies from = read({"risky"}), to = read({"by-proposer", "B:every"});
        const auto changes = changesBetween(from, to, 2);
        QCOMPARE(changes.size(), std::size_t(4)); // mutator, tuner and random of all; then island B
        IslandPolicies all = from;
        for (const auto& change : changes) {
            QVERIFY(change.island || change.policy == ReviewPolicy::Automatic);
            setPolicy(all, change.scope(), change.policy);
        }
        for (const IslandId island : {IslandId{}, islandA, islandB})
            QVERIFY(policiesOf(all, island) == policiesOf(to, island));
        QVERIFY(changesBetween(to, to, 2).empty());
    }

    void theWordsOfPoliciesAreReadBack()
    {
        for (const std::vector<std::string>& words : {std::vector<std::string>{}, {"every"}, {"by-proposer"},
                 {"by-proposer", "B:model=every"}, {"model=risky", "B:automatic"}, {"risky", "A:mutator=automatic"}}) {
            const IslandPolicies all = read(words);
            QVERIFY(changesBetween(all, read(policyWords(all, 2)), 2).empty());
        }
        QCOMPARE(policyWords(read({"by-proposer"}), 0), std::vector<std::string>{"by-proposer"});
    }

    void wordsThatAreNoPolicyAreRefusedByName()
    {
        for (const char* words :
            {"", "sometimes", "model=", "=risky", "writer=risky", "b:risky", "B:", "model=by-proposer"}) {
            const auto changes = policyChangesIn(words);
            QVERIFY2(!changes, words);
            QCOMPARE(changes.error().code, std::string("review/policy"));
            QVERIFY(changes.error().text.find(words) != std::string::npos);
        }
    }

    void policiesOfASessionAreWrittenAndReadAndThoseOfBeforeHoldForAllProposers()
    {
        RunSettings settings;
        settings.review = read({"by-proposer", "B:model=every", "A:risky"});
        const EventBody created = events::RunCreated{settings};
        const auto again = eventFromJson(kindOf(created), toJson(created));
        QVERIFY(again.has_value() && *again == created);
        const EventBody changed = events::ReviewPolicyChanged{islandB, ReviewPolicy::Every, ProposerKind::Model};
        const auto same = eventFromJson(kindOf(changed), toJson(changed));
        QVERIFY(same.has_value() && *same == changed);
        nlohmann::json before = toJson(created);
        before["review"] = {{{"island", 0}, {"policy", "risky"}}, {{"island", 2}, {"policy", "automatic"}}};
        const auto old = eventFromJson("run_created", before);
        QVERIFY(old.has_value());
        const RunSettings& held = std::get<events::RunCreated>(*old).settings;
        QVERIFY(held.reviewPoliciesOf(islandA) == ReviewPolicies(ReviewPolicy::Risky));
        QVERIFY(held.reviewPoliciesOf(islandB) == ReviewPolicies(ReviewPolicy::Automatic));
        before["review"] = {{{"island", 0}, {"policy", "risky"}, {"proposer", "nobody"}}};
        QVERIFY(!eventFromJson("run_created", before));
    }

    void onlyEditsOfTheScopeAreLetThrough()
    {
        Waiting session("manual");
        const CandidateId onA = session.wait(islandA, "manual"), byModel = session.wait(islandB, "model"),
                          onB = session.wait(islandB, "manual");
        QCOMPARE(letThroughBy(session.run, {islandB, ProposerKind::Manual}, ReviewPolicy::Automatic),
            std::vector<CandidateId>{onB});
        QCOMPARE(letThroughBy(session.run, {{}, ProposerKind::Manual}, ReviewPolicy::Automatic),
            (std::vector<CandidateId>{onA, onB}));
        QCOMPARE(letThroughBy(session.run, islandB, ReviewPolicy::Automatic), (std::vector<CandidateId>{byModel, onB}));
        QVERIFY(letThroughByPolicies(session.run, {}, defaultReviewPolicies()).empty());
    }

    void anIslandWithAnAutomaticProposerGoesOnWhileEditsOfOthersWait()
    {
        Waiting session("manual");
        session.put(events::ReviewLimitChanged{1});
        session.put(events::IslandSteered{islandB, {{}, {}, 1, {}, 2, {{"mutator", 1}, {"manual", 1}}}});
        session.wait(islandA, "manual");
        session.wait(islandB, "manual");
        QVERIFY(waitsForPerson(session.run, islandA));
        QVERIFY(!mayPropose(session.run, islandA, 0));
        QVERIFY(!waitsForPerson(session.run, islandB));
        QVERIFY(mayPropose(session.run, islandB, 0));
        QVERIFY(mayAsk(session.run, islandB, ProposerKind::Mutator));
        QVERIFY(!mayAsk(session.run, islandB, ProposerKind::Manual));
        session.put(events::ReviewPolicyChanged{islandB, ReviewPolicy::Automatic, ProposerKind::Manual});
        QVERIFY(mayAsk(session.run, islandB, ProposerKind::Manual));
    }

    void aRunOfTheMutatorNeverWaitsUnderTheDefaultPolicies()
    {
        const Waiting session("mutator");
        QVERIFY(kindsAskedOn(session.run, islandA) == (std::vector{ProposerKind::Mutator, ProposerKind::Tuner}));
        QCOMPARE(strictestPolicyOn(session.run, islandA), ReviewPolicy::Automatic);
        QCOMPARE(reviewLimitOn(session.run, islandA), 0);
    }
};

TILEWRIGHT_TEST(TestReviewPolicies)
#include "test_review_policies.moc"
