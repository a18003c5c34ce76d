// SPDX-License-Identifier: GPL-3.0-or-later
// What came of a reply: the candidates of its edits, refusals with their rules, duplicates, and what is asked again.
#include "core/model/requests/reply_outcome.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

namespace {

struct Answered {
    RunState run;

    Answered()
    {
        RunSettings settings;
        settings.taskName = "t";
        settings.proposer = "manual";
        Candidate seed;
        seed.id = {1};
        seed.island = {1};
        seed.program = sha256("seed");
        put(events::RunCreated{settings});
        put(events::IslandCreated{{1}, "Tiling", "evolve", Focus::Explore});
        put(events::CandidateMade{seed});
    }

    void put(EventBody body)
    {
        if (auto applied = apply(run, {{1}, run.lastSeq + 1, "2026-01-01T00:00:00.000Z", std::move(body)}); !applied)
            qFatal("%s", applied.error().text.c_str());
    }

    ModelRequestId ask(const std::string& place, ProposalId repairs = {})
    {
        ModelRequest modelRequest;
        modelRequest.id = {static_cast<std::int64_t>(run.modelRequests.size()) + 1};
        modelRequest.proposer = "manual";
        modelRequest.place = place;
        modelRequest.island = {1};
        modelRequest.parents = {{1}};
        modelRequest.repairOf = repairs;
        put(events::Asked{modelRequest});
        return modelRequest.id;
    }

    void answer(ModelRequestId modelRequest)
    {
        ModelRequestAnswer answer;
        answer.reply = sha256("reply");
        put(events::Answered{modelRequest, answer, 1});
    }

    ProposalId offer(ModelRequestId modelRequest, int part = 0)
    {
        Proposal proposal;
        proposal.id = {static_cast<std::int64_t>(run.proposals.size()) + 1};
        proposal.island = {1};
        proposal.proposer = "manual";
        proposal.parents = {{1}};
        proposal.modelRequest = modelRequest;
        proposal.part = part;
        put(events::Proposed{proposal});
        return proposal.id;
    }

    CandidateId make(ProposalId proposal)
    {
        Candidate candidate;
        candidate.id = {static_cast<std::int64_t>(run.candidates.size()) + 1};
        candidate.island = {1};
        candidate.proposal = proposal;
        candidate.parents = {{1}};
        candidate.program = sha256(std::to_string(candidate.id.value));
        put(events::CandidateMade{candidate});
        return candidate.id;
    }

    std::string text(ModelRequestId modelRequest) const
    {
        for (const ReplyOutcome& outcome : replyOutcomes(run, "manual", 100))
            if (outcome.modelRequest == modelRequest)
                return describe(run, outcome);
        return {};
    }
};

} // namespace

class TestReplyOutcome : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aReplyThatBecameACandidateIsFollowedUntilItIsMeasured()
    {
        Answered session;
        const ModelRequestId asked = session.ask("0001");
        QVERIFY(replyOutcomes(session.run, "manual", 100).empty()); // not answered
        session.answer(asked);
        QCOMPARE(session.text(asked), std::string("no edit was read yet\n"));
        const ProposalId offered = session.offer(asked);
        QCOMPARE(session.text(asked), std::string("being applied\n"));
        const CandidateId made = session.make(offered);
        QCOMPARE(session.text(asked), std::string("became c-0002: queued\n"));
        QVERIFY(!replyOutcomes(session.run, "manual", 1).front().isOver());
        session.put(events::ReviewAsked{{1}, made, {}, {}});
        QCOMPARE(session.text(asked), std::string("became c-0002: pending review\n"));
        session.put(events::Reviewed{{1}, Decision::Rejected, "person", "no halves", {}});
        QCOMPARE(session.text(asked), std::string("became c-0002: rejected: no halves\n"));
        QVERIFY(replyOutcomes(session.run, "manual", 1).front().isOver());
    }

    void figuresOfAMeasuredCandidateStandInIt()
    {
        Answered session;
        const ModelRequestId asked = session.ask("0001");
        session.answer(asked);
        const CandidateId made = session.make(session.offer(asked));
        Evaluation evaluation;
        evaluation.id = {1};
        evaluation.candidate = made;
        evaluation.against = {1};
        evaluation.result.outcome = Outcome::Ranked;
        evaluation.result.verdict = Verdict::Better;
        evaluation.result.score = Interval{1.92, 1.9, 1.94};
        session.put(events::EvaluationStarted{made});
        session.put(events::Evaluated{evaluation, 1});
        const std::string text = session.text(asked);
        QVERIFY2(text.starts_with("became c-0002: better, 1.92× [1.90, 1.94] baseline, provisional"), text.c_str());
    }

    void eachEditOfAReplyHasALineOfItsOwn()
    {
        Answered session;
        const ModelRequestId asked = session.ask("0007");
        session.answer(asked);
        session.make(session.offer(asked, 1));
        const ProposalId refused = session.offer(asked, 2), same = session.offer(asked, 3);
        session.put(
            events::ProposalRefused{refused, ProposalState::Refused, "patch/ambiguous", "it matches twice", {}});
        session.put(events::ProposalRefused{same, ProposalState::Duplicate, "duplicate", "c-0001", {}});
        session.ask("0008", refused);
        QCOMPARE(session.text(asked),
            std::string(
                "edit 1: became c-0002: queued\nedit 2: refused, patch/ambiguous: it matches twice; asked again in "
                "0008.prompt.md\nedit 3: duplicate of c-0001\n"));
    }

    void onlyTheNewestAreListedAndThoseOfOtherProposersAreNot()
    {
        Answered session;
        for (int i = 0; i < 5; ++i)
            session.answer(session.ask("000" + std::to_string(i)));
        const auto newest = replyOutcomes(session.run, "manual", 2);
        QCOMPARE(newest.size(), std::size_t(2));
        QCOMPARE(newest[0].modelRequest, ModelRequestId{5});
        QVERIFY(replyOutcomes(session.run, "model", 2).empty());
    }
};

TILEWRIGHT_TEST(TestReplyOutcome)
#include "test_reply_outcome.moc"
