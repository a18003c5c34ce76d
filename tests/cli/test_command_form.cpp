// SPDX-License-Identifier: GPL-3.0-or-later
// Which words and options each command of `control` takes: what does not belong to it is refused, never left aside.
#include "core/control/candidate_requests.h"
#include "core/control/command_form.h"
#include "tests/test_program.h"

#include <QTest>
#include <algorithm>
#include <map>
#include <set>

using namespace tilewright;

namespace {

using Names = std::vector<std::string>;

const Names allOptions{"--reason", "--source", "--island", "--evaluations", "--wall-time", "--no-gain", "--tokens",
    "--cost-usd", "--replies", "--interval", "--text", "--tag", "--weight", "--count", "--repeats", "--against",
    "--shapes", "--device", "--models", "--cancel", "--from-now-on"};

constexpr std::size_t many = 100;

/// What a user may write after the command: at most so many words, and these options.
struct Form {
    std::size_t words;
    std::set<std::string> options;
};

const std::map<std::string, Form>& forms()
{
    static const std::map<std::string, Form> all{{"status", {0, {}}}, {"run", {0, {}}}, {"pause", {0, {"--cancel"}}},
        {"step", {0, {}}}, {"step-islands", {0, {}}}, {"stop", {0, {}}},
        {"budget", {0, {"--evaluations", "--wall-time", "--tokens", "--cost-usd", "--no-gain", "--replies"}}},
        {"proposer", {1, {"--models"}}}, {"resume-model", {1, {}}},
        {"policy", {1, {"--island", "--proposer", "--from-now-on"}}}, {"review-limit", {1, {}}}, {"reviews", {0, {}}},
        {"approve", {many, {"--reason", "--source"}}}, {"edit", {1, {"--reason", "--source"}}},
        {"reject", {many, {"--reason"}}}, {"defer", {many, {"--reason"}}}, {"undo", {many, {"--event"}}},
        {"history", {0, {}}}, {"hint", {1, {"--island"}}}, {"insights", {1, {}}},
        {"template", {1, {"--source", "--island", "--reason"}}}, {"template-reset", {1, {"--island", "--reason"}}},
        {"islands", {0, {}}}, {"island", {3, {}}}, {"migration", {1, {"--interval"}}}, {"star", {many, {}}},
        {"unstar", {many, {}}}, {"tag", {many, {"--tag"}}}, {"untag", {many, {"--tag"}}}, {"note", {many, {"--text"}}},
        {"unnote", {many, {}}}, {"pin", {many, {}}}, {"unpin", {many, {}}}, {"ban", {many, {}}}, {"unban", {many, {}}},
        {"boost", {many, {"--weight"}}}, {"unmark", {many, {}}}, {"more", {many, {"--count"}}},
        {"idea", {many, {"--text", "--count"}}}, {"translate", {many, {}}}, {"judge", {many, {}}},
        {"send", {2, {"--source", "--island"}}}, {"cancel-request", {many, {}}}, {"copy", {many, {"--island"}}},
        {"move", {many, {"--island"}}}, {"unplace", {many, {}}}, {"inject", {1, {"--source", "--island", "--reason"}}},
        {"withdraw", {many, {}}}, {"rerun", {many, {"--repeats", "--against", "--shapes", "--device"}}},
        {"profile", {many, {"--repeats", "--against", "--shapes", "--device"}}}, {"unrun", {many, {}}}};
    return all;
}

} // namespace

class TestCommandForm : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sendTakesTheTemplateThatHoldsWhereNoTextIsGiven()
    {
        const auto send = std::ranges::find_if(
            candidateRequests(), [](const CandidateRequest& each) { return each.form.name == std::string("send"); });
        QVERIFY(send != candidateRequests().end());
        const auto draftOf = [&](const nlohmann::json& request) {
            const auto made = send->command(request, RunState{}, CandidateId{7});
            const auto* const once = made ? std::get_if<commands::SendPrompt>(&*made) : nullptr;
            return once ? std::optional(once->draft) : std::nullopt;
        };
        const auto plain = draftOf({{"name", "exploit"}}), own = draftOf({{"name", "exploit"}, {"text", "Be brief."}});
        QVERIFY(plain && own);
        QVERIFY(!plain->text.has_value());
        QCOMPARE(plain->parent.value, std::int64_t(7));
        QCOMPARE(q(own->text.value_or("")), q("Be brief."));
        QVERIFY(!draftOf({{"name", "exploit"}, {"text", ""}}));
    }

    void whatDoesNotBelongToACommandIsRefusedByItsName_data()
    {
        QTest::addColumn<QString>("name");
        for (const ControlCommand& command : controlCommands())
            QTest::newRow(command.name) << QString::fromLatin1(command.name);
    }

    void whatDoesNotBelongToACommandIsRefusedByItsName()
    {
        QFETCH(QString, name);
        QVERIFY2(forms().contains(name.toStdString()), "a new command needs its line in the table of this test");
        const Form& form = forms().at(name.toStdString());
        const auto command = std::ranges::find(controlCommands(), name.toStdString(), &ControlCommand::name);
        const auto says = [&](const Result<void>& refused, const std::string& what) {
            return !refused && refused.error().code == "usage"
                && refused.error().text.starts_with(what + " cannot be used with " + command->name + ": ")
                && refused.error().text.find('\n') == std::string::npos;
        };
        for (const std::string& option : allOptions) {
            const Result<void> checked = checkForm(*command, {}, {option});
            QVERIFY2(form.options.contains(option) ? bool(checked) : says(checked, option), option.c_str());
        }
        for (std::size_t count = 0; count < 6; ++count) {
            Names words;
            while (words.size() < count)
                words.push_back("word" + std::to_string(words.size()));
            const Result<void> checked = checkForm(*command, words, {});
            const std::string first = "'word" + std::to_string(form.words) + "'";
            QVERIFY2(count <= form.words ? bool(checked) : says(checked, first), first.c_str());
        }
    }

    void theRefusalSaysWhatTheCommandTakes()
    {
        const auto textOf = [](const char* name, const Names& words, const Names& options) {
            const auto command = std::ranges::find(controlCommands(), std::string(name), &ControlCommand::name);
            const Result<void> checked = checkForm(*command, words, options);
            return checked ? std::string() : checked.error().text;
        };
        QCOMPARE(textOf("more", {"c-0001"}, {"--count", "--island"}),
            std::string("--island cannot be used with more: more takes CANDIDATE..., --count"));
        QCOMPARE(
            textOf("status", {"x", "y"}, {}), std::string("'x' cannot be used with status: status takes no arguments"));
        QCOMPARE(textOf("pause", {"now", "please"}, {}),
            std::string("'now' cannot be used with pause: pause takes --cancel"));
    }
};

TILEWRIGHT_TEST(TestCommandForm)
#include "test_command_form.moc"
