// SPDX-License-Identifier: GPL-3.0-or-later
// Prompt templates that a user saves in a run: what they change, for whom, and what is said against bad ones. Against
// a real engine; the prompts are those that a user would be asked.
#include "core/engine/engine.h"
#include "core/prompt/template_use.h"
#include "tests/engine/dry_run.h"
#include "tests/engine/engine_driver.h"
#include "tests/engine/person.h"
#include "tests/test_program.h"

#include <algorithm>
#include <regex>

using namespace tilewright;
using namespace tilewright::testing;

namespace {

/// An engine that asks a user, and what it asked.
class Run
{
public:
    explicit Run(const TaskPack& pack, const QString& path = {})
        : driver({}, path)
    {
        if (!path.isEmpty())
            return;
        NewSession session;
        session.path = driver.path();
        session.pack = pack;
        session.settings.proposer = "manual";
        session.settings.budget.evaluations = 40;
        session.startNow = false;
        driver.engine.create(session);
    }

    bool reaches(std::size_t modelRequests)
    {
        return QTest::qWaitFor([&] { return driver.run().modelRequests.size() >= modelRequests; }, patience);
    }
    std::string text(const Hash& hash) { return driver.text(hash); }
    std::string prompt(std::int64_t modelRequest) { return text(driver.run().modelRequest({modelRequest})->prompt); }
    PromptPreview preview(const PromptDraft& draft) { return driver.preview(draft); }
    /// Answers an open prompt with a program that works.
    void answer(std::int64_t modelRequest)
    {
        const CandidateId parent = driver.run().modelRequest({modelRequest})->parents.front();
        const std::string program = text(driver.run().candidate(parent)->source);
        driver.execute(
            commands::AnswerRequest{ModelRequestId{modelRequest}, goodReply(program, static_cast<int>(modelRequest))});
    }

    EngineDriver driver;

private:
};

} // namespace

class TestTemplates : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();

private Q_SLOTS:
    void aTemplateChangesThePromptsOfItsIslandAndNoOther()
    {
        Run plain(m_pack), steered(m_pack);
        plain.driver.execute(commands::Run{});
        QVERIFY(plain.reaches(4));
        const RunState untouched = plain.driver.run();
        const auto ofB = std::ranges::find(untouched.modelRequests, islandB, &ModelRequest::island);
        QVERIFY(ofB != untouched.modelRequests.end());
        const std::string name = ofB->promptName, words = "Think of cache lines first.\n";
        const std::string standing = steered.preview({islandB, name, {}, {}}).standing;
        QVERIFY(standing.find("{{> situation}}") != std::string::npos);
        steered.driver.execute(commands::SaveTemplate{{islandB, name, words + standing, {}}, "cache lines"});
        QVERIFY(steered.driver.failures.isEmpty());
        steered.driver.execute(commands::Run{});
        QVERIFY(steered.reaches(4));
        for (std::int64_t id = 1; id <= 4; ++id) {
            const ModelRequest &before = *untouched.modelRequest({id}),
                               &after = *steered.driver.run().modelRequest({id});
            QCOMPARE(after.island, before.island);
            if (after.island == islandB) {
                QCOMPARE(steered.prompt(id), words + plain.prompt(id));
                QVERIFY(after.promptVersion != before.promptVersion);
            } else {
                QCOMPARE(steered.prompt(id), plain.prompt(id));
                QCOMPARE(after.promptVersion, before.promptVersion);
            }
        }
    }

    void whatIsSavedForAllGivesWayToAnIslandsOwnAndIsTakenAwayAgain()
    {
        Run run(m_pack);
        const std::string standing = run.preview({{}, "explore", {}, {}}).standing;
        run.driver.execute(commands::SaveTemplate{{{}, "explore", "Of all.\n" + standing, {}}, ""});
        run.driver.execute(commands::SaveTemplate{{islandB, "explore", "Of B.\n" + standing, {}}, ""});
        QCOMPARE(run.preview({islandB, "explore", {}, {}}).standing, "Of B.\n" + standing);
        QCOMPARE(run.preview({islandB, "explore", {}, {}}).below, "Of all.\n" + standing);
        QCOMPARE(run.preview({IslandId{1}, "explore", {}, {}}).standing, "Of all.\n" + standing);
        run.driver.execute(commands::SaveTemplate{{islandB, "explore", {}, {}}, ""});
        QCOMPARE(run.preview({islandB, "explore", {}, {}}).standing, "Of all.\n" + standing);
        run.driver.execute(commands::SaveTemplate{{{}, "explore", {}, {}}, ""});
        QCOMPARE(run.preview({islandB, "explore", {}, {}}).standing, standing);
        QVERIFY(run.driver.failures.isEmpty());
        // Taking away what is not there is said, and so is saving the same again.
        run.driver.execute(commands::SaveTemplate{{{}, "explore", {}, {}}, ""});
        run.driver.execute(commands::SaveTemplate{{{}, "explore", "Once.\n" + standing, {}}, ""});
        run.driver.execute(commands::SaveTemplate{{{}, "explore", "Once.\n" + standing, {}}, ""});
        QCOMPARE(run.driver.failures, (QStringList{QStringLiteral("prompt/template"), QStringLiteral("prompt/same")}));
        QCOMPARE(run.driver.run().newestTemplate({}, "explore")->number, 2);
    }

    void aVersionThatIsTakenAwayGivesWayToTheOneBeforeIt()
    {
        Run run(m_pack);
        const std::string shipped = run.preview({{}, "explore", {}, {}}).standing;
        const auto standing = [&run] { return run.preview({{}, "explore", {}, {}}).standing; };
        const auto save = [&run](const std::optional<std::string>& text) {
            run.driver.execute(commands::SaveTemplate{{{}, "explore", text, {}}, ""});
        };
        const std::string first = "One.\n" + shipped, second = "Two.\n" + shipped, third = "Three.\n" + shipped;
        save(first);
        save(second);
        save({});
        QCOMPARE(standing(), first);
        const TemplateVersion* newest = run.driver.run().newestTemplate({}, "explore");
        QCOMPARE(newest->held(), 1);
        save(third); // a number of its own: the second is still in the record
        QCOMPARE(run.driver.run().newestTemplate({}, "explore")->number, 3);
        save({});
        QCOMPARE(standing(), first);
        save({});
        QCOMPARE(standing(), shipped);
        QVERIFY(run.driver.failures.isEmpty());
        std::vector<std::pair<std::string, std::string>> told;
        for (const RunChange& change : run.driver.run().changes)
            if (change.what == "template explore")
                told.emplace_back(change.from, change.to);
        QVERIFY((told
            == std::vector<std::pair<std::string, std::string>>{{"", "version 1"}, {"version 1", "version 2"},
                {"version 2", "version 1 again"}, {"version 1", "version 3"}, {"version 3", "version 1 again"},
                {"version 1", "deleted"}}));
        save({});
        QCOMPARE(run.driver.failures, QStringList{QStringLiteral("prompt/template")});
        save("Four.\n" + shipped); // to take a text away is no version
        QCOMPARE(run.driver.run().newestTemplate({}, "explore")->number, 4);
    }

    void ordersAboutATemplateAreTakenBackNewestFirstWhetherTheySavedOrTookAway()
    {
        Run run(m_pack);
        const std::string shipped = run.preview({{}, "explore", {}, {}}).standing;
        const auto standing = [&run] { return run.preview({{}, "explore", {}, {}}).standing; };
        const auto save = [&run](const std::optional<std::string>& text) {
            run.driver.execute(commands::SaveTemplate{{{}, "explore", text, {}}, ""});
        };
        const auto undo = [&run] { run.driver.execute(commands::UndoTemplate{{}, "explore"}); };
        const std::string first = "One.\n" + shipped, second = "Two.\n" + shipped;
        save(first);
        save(second);
        save({}); // the second away
        save({}); // and the first
        QCOMPARE(standing(), shipped);
        undo();
        QCOMPARE(standing(), first);
        undo();
        QCOMPARE(standing(), second);
        QCOMPARE(run.driver.run().newestTemplate({}, "explore")->held(), 2);
        save({}); // what was brought back is taken away as before
        QCOMPARE(standing(), first);
        undo();
        QCOMPARE(standing(), second);
        undo(); // that it was saved
        QCOMPARE(standing(), first);
        QVERIFY(newestTemplateOrder(run.driver.run().templates, {}, "explore"));
        undo();
        QCOMPARE(standing(), shipped);
        QVERIFY(!newestTemplateOrder(run.driver.run().templates, {}, "explore"));
        QVERIFY(run.driver.failures.isEmpty());
        undo();
        QCOMPARE(run.driver.failures, QStringList{QStringLiteral("prompt/template")});
        const RunState before = run.driver.run();
        QVERIFY(run.driver.close());
        run.driver.engine.open(run.driver.path());
        QVERIFY(run.driver.run().templates == before.templates); // as its events tell it
    }

    void aTemplateThatDoesNotHoldTogetherIsRefusedAndNothingChanges()
    {
        Run run(m_pack);
        const auto refused = [&](const PromptDraft& draft) {
            run.driver.failures.clear();
            run.driver.execute(commands::SaveTemplate{draft, ""});
            return run.driver.failures.value(0);
        };
        QCOMPARE(refused({{}, "explore", "Use {{colour}}.\n", {}}), QStringLiteral("prompt/placeholder"));
        QCOMPARE(refused({{}, "explore", "{{#code}}open\n", {}}), QStringLiteral("prompt/section"));
        QCOMPARE(refused({{}, "explore", "{{> nowhere}}\n", {}}), QStringLiteral("prompt/missing"));
        QCOMPARE(refused({{}, "situation", "{{> situation}}\n", {}}), QStringLiteral("prompt/section"));
        QCOMPARE(refused({{}, "poem", "Roses are red.\n", {}}), QStringLiteral("prompt/template"));
        QCOMPARE(refused({IslandId{9}, "explore", "Go.\n", {}}), QStringLiteral("island/unknown"));
        for (const char* blank :
            {"", "\n\n"}) { // a model would be told nothing; to take a version away is another order
            QCOMPARE(refused({{}, "explore", blank, {}}), QStringLiteral("prompt/blank"));
            QCOMPARE(run.preview({{}, "explore", blank, {}}).error.value_or(Error{}).code, std::string("prompt/blank"));
        }
        QVERIFY(run.driver.run().templates.empty());
        const PromptPreview shown = run.preview({{}, "explore", "One.\nTwo {{colour}}.\n", {}});
        QVERIFY(shown.error.has_value());
        QCOMPARE(shown.error->code, std::string("prompt/placeholder"));
        QCOMPARE(shown.error->evidence.at("line").get<int>(), 2);
    }

    void aPreviewIsThePromptThatWouldBeSent()
    {
        // A question that is open already moves the textbook's ideas on, and is told: without that both read alike.
        TaskPack pack = m_pack;
        pack.moves.clear();
        Run run(pack);
        run.driver.execute(commands::Run{});
        QVERIFY(run.reaches(1));
        const ModelRequest& asked = *run.driver.run().modelRequest({1});
        const PromptPreview shown = run.preview({asked.island, asked.promptName, {}, asked.parents.front()});
        QVERIFY2(!shown.error, shown.error ? shown.error->text.c_str() : "");
        QCOMPARE(
            std::regex_replace(shown.prompt.user, std::regex(" Other requests change[^\n]*likely to be new\\."), ""),
            run.prompt(1));
        QCOMPARE(shown.prompt.system, run.text(asked.system));
        QCOMPARE(shown.prompt.templateVersion, asked.promptVersion);
        // What was put in stands where the spans say.
        bool foundCode = false;
        for (const FilledSpan& span : shown.prompt.userSpans)
            if (span.placeholder == "code") {
                foundCode = true;
                QVERIFY(shown.prompt.user.substr(span.at, span.size).find(m_pack.seed()) != std::string::npos);
            }
        QVERIFY(foundCode);
        int tokens = 0;
        for (const auto& [name, part] : shown.parts)
            tokens += part;
        QCOMPARE(tokens, shown.prompt.estimatedTokens); // what stands beside a sum adds up to it
        // The system text and parts are shown by a template that they belong to.
        QCOMPARE(run.preview({{}, "system", {}, {}}).shownBy, std::string("exploit"));
        QCOMPARE(run.preview({{}, "whole_reply", {}, {}}).shownBy, std::string("rewrite"));
        QCOMPARE(run.preview({{}, "repair", {}, {}}).error->code, std::string("prompt/request"));
        QCOMPARE(run.preview({{}, "poem", {}, {}}).error->code, std::string("prompt/template"));
    }

    void versionsAreCountedApartAndSurviveAReopening()
    {
        Run run(m_pack);
        run.driver.execute(commands::Run{});
        QVERIFY(run.reaches(4));
        const std::string standing = run.preview({{}, "explore", {}, {}}).standing;
        for (std::int64_t id = 1; id <= 4; ++id)
            run.answer(id);
        QVERIFY(run.reaches(8));
        run.driver.execute(commands::SaveTemplate{{{}, "explore", "Be brief.\n" + standing, {}}, "shorter"});
        for (std::int64_t id = 5; id <= 8; ++id)
            run.answer(id);
        QVERIFY(run.reaches(12));
        for (std::int64_t id = 9; id <= 12; ++id)
            run.answer(id);
        QVERIFY(QTest::qWaitFor([&] { return run.driver.run().evaluationsDone >= 13; }, patience));
        run.driver.execute(commands::Stop{});
        QVERIFY(run.driver.waitForEnd());
        const RunState& state = run.driver.ended->run;
        const auto ofExplore = [&](std::int64_t from, std::int64_t to) {
            return std::ranges::count_if(state.modelRequests, [&](const ModelRequest& modelRequest) {
                return modelRequest.promptName == "explore" && modelRequest.id.value >= from
                    && modelRequest.id.value <= to;
            });
        };
        const auto last = static_cast<std::int64_t>(state.modelRequests.size());
        const std::vector<TemplateUse> uses = templateUses(state, {}, "explore");
        QCOMPARE(uses.size(), std::size_t(2));
        QCOMPARE(uses[0].version, 0);
        QCOMPARE(std::ptrdiff_t(uses[0].statistics.asked), ofExplore(1, 8));
        QCOMPARE(uses[1].version, 1);
        QCOMPARE(std::ptrdiff_t(uses[1].statistics.asked), ofExplore(9, last));
        QVERIFY(uses[0].statistics.applied > 0 && uses[0].statistics.applied <= uses[0].statistics.asked);
        // What was asked under the new one has the new text, and is told by its number.
        for (const ModelRequest& modelRequest : state.modelRequests)
            if (modelRequest.promptName == "explore")
                QVERIFY(versionsOfPrompt(state, modelRequest)
                    == (VersionsOfPrompt{modelRequest.id.value > 8 ? 1 : 0, 0, false}));
            else
                QVERIFY(versionsOfPrompt(state, modelRequest) == VersionsOfPrompt{});
        for (const ModelRequest& modelRequest : state.modelRequests)
            if (modelRequest.promptName == "explore")
                QCOMPARE(run.prompt(modelRequest.id.value).starts_with("Be brief.\n"), modelRequest.id.value > 8);
        QVERIFY(run.driver.close());
        Run again(m_pack, run.driver.path());
        again.driver.engine.open(run.driver.path());
        QCOMPARE(again.driver.run().templates, state.templates);
        QVERIFY(again.preview({{}, "explore", {}, {}}).standing.starts_with("Be brief.\n"));
    }
};

TILEWRIGHT_TEST(TestTemplates)
#include "test_templates.moc"
