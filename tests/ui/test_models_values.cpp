// SPDX-License-Identifier: GPL-3.0-or-later
// Values behind the screens for models: the models file while it is edited, the check of a pasted reply, the words.
#include "core/base/files.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/fixture.h"
#include "ui/conversation/conversation_view.h"
#include "ui/models/candidate_model.h"
#include "ui/models/island_model.h"
#include "ui/models/statistics_model.h"
#include "ui/prompts/reply_box.h"
#include "ui/settings/form_grid.h"
#include "ui/settings/model_card.h"
#include "ui/settings/models_book.h"
#include "ui/welcome/session_choices.h"

#include <QAbstractItemModelTester>
#include <QTemporaryDir>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

ModelCatalogue catalogue() { return loadCatalogue().value(); }

/// An endpoint of one's own with one model.
ModelsDraft twoEntries()
{
    ModelsDraft draft;
    draft.addEndpoint("vllm");
    draft.addModel("vllm", "Qwen/Qwen3-Coder");
    return draft;
}

const DraftEntry endpoint{DraftPart::Endpoint, 0}, model{DraftPart::Model, 0};

} // namespace

class TestModelsValues : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyTemplateMakesAnEndpointThatIsSoundOrAsksForItsAddress();
    void allMistakesOfAFormAreFoundAtOnce();
    void whatIsWrittenIsWhatTheCommandLineReads();
    void aMistakeIsToldAtItsField_data();
    void aMistakeIsToldAtItsField();
    void fieldsWithoutAnEditorStay();
    void renamingAnEndpointTakesItsModelsAlong();
    void removingAnEndpointTakesItsModelsAway();
    void aModelThatIsSwitchedOffIsNoMistakeAndNotUsable();
    void undoTakesBackOneStepAndTheFileFollows();
    void whatAnotherProgramWroteIsNeverWrittenOverUnseen();
    void aChangeOutsideIsReadWhereNothingHereIsUnsaved();
    void aFileWhoseFolderIsNotThereYetIsNoticedWhenItComes();
    void aFileThatWasBrokenAndMendedOutsideIsReadWithoutAChoice();
    void aFileThatWasBrokenOrRemovedOutsideLosesNothing();
    void aFileThatCannotBeReadIsNeverOverwritten();
    void numbersAreReadAsPeopleTypeThem();
    void headersAreReadAsPeopleTypeThem();
    void anUnknownPriceIsNeverZero();
    void aTestTellsWhatItFoundFromWhatIsAssumed();
    void aPastedReplyIsCheckedAsTheRunWould();
    void theProposalIsMarkedInItsReply();
    void noPromptIsExplainedInWords();
    void meansOfTooFewAreNotShown();
    void whatWasWithdrawnIsNoPartOfAnIslandsMix();
    void unknownNichesAreNotCells();
    void aTunerWithNothingToTuneIsRefusedInTheEnginesWords();
    void aSessionByModelsNamesItsFile();
    void anUnpricedModelAndACostLimitDoNotGoTogether();
};

void TestModelsValues::aTestTellsWhatItFoundFromWhatIsAssumed()
{
    ModelSpec spec;
    spec.topP = 0.9;
    spec.temperature = 0.5;
    ModelReply reply;
    reply.state = ReplyState::Complete;
    reply.usageSource = UsageSource::Reported;
    const ProbeReport report = probeReport(reply, triedByProbe(spec, ModelProtocol::OpenAiChat));
    Capabilities after = spec.capabilities;
    after.temperature = false;
    const QStringList lines = probeWords(report, spec.capabilities, after);
    QVERIFY(lines.contains(u"Found: supports top-p, token counts while streaming"_s));
    QVERIFY(lines.contains(u"Found: does not support temperature"_s));
    QVERIFY(lines.contains(u"Assumed, not tested: seed, stop words, several replies"_s));

    const ModelSpec plain;
    reply.usageSource = UsageSource::Estimated;
    const QString words = probeWords(
        probeReport(reply, triedByProbe(plain, ModelProtocol::Anthropic)), plain.capabilities, plain.capabilities)
                              .join(u'\n');
    QVERIFY2(!words.contains(u"Found"), qPrintable(words));
    QVERIFY2(words.contains(u"Assumed, not tested: temperature, top-p, seed"_s), qPrintable(words));
}

void TestModelsValues::everyTemplateMakesAnEndpointThatIsSoundOrAsksForItsAddress()
{
    ModelsDraft draft;
    for (const EndpointTemplate& known : endpointTemplates()) {
        const DraftEntry added = draft.addEndpoint(known.name);
        const DraftProblem problem = draft.problemOf(added, catalogue());
        if (known.url.empty())
            QCOMPARE(QString::fromStdString(problem.field), u"url"_s);
        else
            QVERIFY2(problem.reason.empty(), (known.name + ": " + problem.reason).c_str());
    }
    QCOMPARE(draft.count(DraftPart::Endpoint), endpointTemplates().size());
}

void TestModelsValues::allMistakesOfAFormAreFoundAtOnce()
{
    ModelsDraft draft = twoEntries();
    draft.set(model, "temperature", "warm");
    draft.set(model, "max_output_tokens", -5);
    draft.set(model, "price", {{"input", "dear"}, {"output", 1}, {"date", "2026-11-01"}});
    const auto problems = draft.problemsOf(model, catalogue());
    QCOMPARE(problems.size(), std::size_t(3));
    for (const char* field : {"temperature", "max_output_tokens", "price.input"})
        QVERIFY2(problems.contains(field), field);
    QVERIFY(twoEntries().problemsOf(model, catalogue()).empty());
}

void TestModelsValues::whatIsWrittenIsWhatTheCommandLineReads()
{
    ModelsDraft draft = twoEntries();
    draft.set(model, "temperature", 0.8);
    draft.set(model, "price.input", 0);
    draft.set(model, "price.output", 0);
    draft.set(model, "price.date", "2026-11-21");
    draft.set({}, "cost_usd", 12.5);
    const auto file = parseModelsFile(draft.text(), catalogue(), "models.json");
    QVERIFY2(file.has_value(), file ? "" : file.error().text.c_str());
    QCOMPARE(file->models.front().temperature, std::optional(0.8));
    QVERIFY(file->models.front().price.has_value());
    QCOMPARE(file->limits.usd, 12.5);
    QCOMPARE(ModelsDraft::from(draft.text()).value(), draft);
}

void TestModelsValues::aMistakeIsToldAtItsField_data()
{
    QTest::addColumn<int>("part");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("value");
    const int ofEndpoint = static_cast<int>(DraftPart::Endpoint), ofModel = static_cast<int>(DraftPart::Model);
    QTest::newRow("address") << ofEndpoint << u"url"_s << u"ftp://host"_s;
    QTest::newRow("plain http") << ofEndpoint << u"url"_s << u"http://example.org/v1"_s;
    QTest::newRow("a key instead of its name") << ofEndpoint << u"key"_s << u"sk-canary-0123456789"_s;
    QTest::newRow("calls") << ofEndpoint << u"max_in_flight"_s << u"many"_s;
    QTest::newRow("name") << ofModel << u"name"_s << u"two words"_s;
    QTest::newRow("weight") << ofModel << u"weight"_s << u"-1"_s;
    QTest::newRow("temperature") << ofModel << u"temperature"_s << u"hot"_s;
    QTest::newRow("headers") << ofEndpoint << u"headers"_s << u"no colon"_s;
    QTest::newRow("time of a call") << ofEndpoint << u"timeouts.total_s"_s << u"-5"_s;
    QTest::newRow("tokens a minute") << ofEndpoint << u"tokens_per_minute"_s << u"1.5"_s;
    QTest::newRow("top-p") << ofModel << u"top_p"_s << u"2"_s;
    QTest::newRow("context") << ofModel << u"capabilities.context_tokens"_s << u"long"_s;
}

void TestModelsValues::aMistakeIsToldAtItsField()
{
    QFETCH(int, part);
    QFETCH(QString, field);
    QFETCH(QString, value);
    ModelsDraft draft = twoEntries();
    const DraftEntry entry{static_cast<DraftPart>(part), 0};
    draft.set(entry, field.toStdString(), numberOrText(value));
    const DraftProblem problem = draft.problemOf(entry, catalogue());
    QCOMPARE(QString::fromStdString(problem.field), field);
    QVERIFY(!problem.reason.empty());
    QVERIFY2(problem.reason.find("canary") == std::string::npos, problem.reason.c_str());
    QVERIFY(!draft.isSound(catalogue()));
}

void TestModelsValues::fieldsWithoutAnEditorStay()
{
    const std::string text = R"({"format": 1,
      "endpoints": [{"name": "vllm", "template": "vllm", "headers": {"X-Title": "t"}, "timeouts": {"total_s": 60}}],
      "models": [{"name": "a", "endpoint": "vllm", "model": "m", "top_p": 0.9}],
      "islands": {"A": {"a": 1}}})";
    ModelsDraft draft = ModelsDraft::from(text).value();
    draft.set(model, "name", "b");
    draft.set(model, "weight", 2);
    const auto file = parseModelsFile(draft.text(), catalogue(), "models.json").value();
    QCOMPARE(file.endpoints.front().headers.at("X-Title"), std::string("t"));
    QCOMPARE(file.endpoints.front().timeouts.total, std::chrono::milliseconds(60'000));
    QCOMPARE(file.models.front().topP, std::optional(0.9));
    QCOMPARE(file.islands.at("A").at("b"), 1.0);
}

void TestModelsValues::renamingAnEndpointTakesItsModelsAlong()
{
    ModelsDraft draft = twoEntries();
    draft.set(endpoint, "name", "workstation");
    QCOMPARE(draft.textAt(model, "endpoint"), std::string("workstation"));
    QVERIFY(draft.isSound(catalogue()));
}

void TestModelsValues::removingAnEndpointTakesItsModelsAway()
{
    ModelsDraft draft = twoEntries();
    draft.addEndpoint("ollama");
    draft.addModel("ollama", "qwen");
    draft.remove(endpoint);
    QCOMPARE(draft.count(DraftPart::Model), std::size_t(1));
    QCOMPARE(draft.textAt(model, "endpoint"), std::string("ollama"));
}

void TestModelsValues::aModelThatIsSwitchedOffIsNoMistakeAndNotUsable()
{
    QTemporaryDir folder;
    ModelsBook book(folder.filePath(u"models.json"_s));
    ModelsDraft draft = twoEntries();
    book.change(draft, u"add"_s);
    QCOMPARE(book.usable().size(), std::size_t(1));
    draft.set(model, "weight", 0);
    book.change(draft, u"off"_s);
    QCOMPARE(book.trouble(), QString());
    QVERIFY(book.usable().empty());
}

void TestModelsValues::undoTakesBackOneStepAndTheFileFollows()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"models/models.json"_s);
    ModelsBook book(path);
    ModelsDraft draft = twoEntries();
    book.change(draft, u"add"_s);
    draft.remove(model);
    book.change(draft, u"remove"_s);
    QCOMPARE(book.undoText(), u"remove"_s);
    book.undo();
    QCOMPARE(book.draft().count(DraftPart::Model), std::size_t(1));
    QCOMPARE(ModelsBook(path).draft(), book.draft());
    book.redo();
    QCOMPARE(ModelsBook(path).draft().count(DraftPart::Model), std::size_t(0));
    draft.set(endpoint, "url", "ftp://nowhere"); // a mistake waits, the file stays sound
    book.change(draft, u"address"_s);
    QVERIFY(!book.trouble().isEmpty());
    QCOMPARE(ModelsBook(path).draft().textAt(endpoint, "url"), std::string());
}

namespace {

/// Two programs at one models file: the window's book, and an editor that replaces the file as editors do.
struct SharedFile {
    QTemporaryDir folder;
    QString path = folder.filePath(u"models.json"_s);

    void write(const QByteArray& bytes) const
    {
        const QString draft = path + u"~"_s;
        QFile file(draft);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        file.close();
        QVERIFY(std::rename(draft.toLocal8Bit().constData(), path.toLocal8Bit().constData()) == 0);
    }
    void write(const ModelsDraft& draft) const { write(QByteArray::fromStdString(draft.text())); }
    ModelsDraft onDisk() const { return ModelsBook(path).draft(); }
};

ModelsDraft weighted(double weight)
{
    ModelsDraft draft = twoEntries();
    draft.set(model, "weight", weight);
    return draft;
}

} // namespace

void TestModelsValues::whatAnotherProgramWroteIsNeverWrittenOverUnseen()
{
    SharedFile file;
    ModelsBook book(file.path);
    book.change(weighted(1), u"add"_s);
    file.write(weighted(7)); // and no time to notice it
    book.change(weighted(2), u"weight"_s);
    QVERIFY(!book.clash().isEmpty());
    QCOMPARE(file.onDisk(), weighted(7));
    QCOMPARE(book.draft(), weighted(2)); // nothing typed is lost either

    book.keepMine();
    QCOMPARE(book.clash() + book.trouble(), QString());
    QCOMPARE(file.onDisk(), weighted(2));
    book.undo(); // theirs
    QCOMPARE(file.onDisk(), weighted(7));
    book.undo();
    QCOMPARE(file.onDisk(), weighted(2));
    book.undo();
    QCOMPARE(file.onDisk(), weighted(1));

    file.write(weighted(8));
    book.change(weighted(3), u"weight"_s);
    QVERIFY(!book.clash().isEmpty());
    book.takeTheirs();
    QCOMPARE(book.draft(), weighted(8));
    QCOMPARE(book.clash() + book.trouble(), QString());
    book.undo();
    QCOMPARE(file.onDisk(), weighted(3));
}

void TestModelsValues::aChangeOutsideIsReadWhereNothingHereIsUnsaved()
{
    SharedFile file;
    ModelsBook book(file.path);
    book.change(weighted(1), u"add"_s);
    QSignalSpy told(&book, &ModelsBook::changedOutside);
    file.write(weighted(5));
    QTRY_COMPARE_WITH_TIMEOUT(book.draft(), weighted(5), patience);
    QCOMPARE(told.count(), 1);
    QVERIFY(book.isTakenOver() && book.clash().isEmpty());
    file.write(weighted(6)); // the file that took the name is watched as well
    QTRY_COMPARE_WITH_TIMEOUT(book.draft(), weighted(6), patience);
    book.undo();
    QCOMPARE(file.onDisk(), weighted(5));
    book.undo();
    QCOMPARE(file.onDisk(), weighted(1));
    FileWatch witness;
    witness.follow(file.path);
    QSignalSpy written(&witness, &FileWatch::touched);
    book.redo();
    QTRY_VERIFY_WITH_TIMEOUT(!written.isEmpty(), patience);
    file.write(weighted(9));
    QTRY_COMPARE_WITH_TIMEOUT(book.draft(), weighted(9), patience);
    QCOMPARE(told.count(), 3); // what was written here was nothing new
}

void TestModelsValues::aFileWhoseFolderIsNotThereYetIsNoticedWhenItComes()
{
    QTemporaryDir home;
    SharedFile file;
    file.path = home.filePath(u"tilewright/models/models.json"_s);
    ModelsBook book(file.path);
    QVERIFY(QDir().mkpath(QFileInfo(file.path).path()));
    file.write(weighted(5));
    QTRY_COMPARE_WITH_TIMEOUT(book.draft(), weighted(5), patience);
}

void TestModelsValues::aFileThatWasBrokenAndMendedOutsideIsReadWithoutAChoice()
{
    SharedFile file;
    ModelsBook book(file.path);
    book.change(weighted(1), u"add"_s);
    QSignalSpy told(&book, &ModelsBook::changedOutside);
    file.write("{\n  no");
    QTRY_COMPARE_WITH_TIMEOUT(told.count(), 1, patience);
    QVERIFY2(told[0][0].toString().contains(u"line 2"_s), qPrintable(told[0][0].toString()));
    QVERIFY2(told[0][1].toString().contains(u"a running session continues"_s), qPrintable(told[0][1].toString()));
    file.write(weighted(2));
    QTRY_COMPARE_WITH_TIMEOUT(book.draft(), weighted(2), patience);
    QCOMPARE(book.clash() + book.trouble(), QString());
    book.undo();
    QCOMPARE(file.onDisk(), weighted(1));
}

void TestModelsValues::aFileThatWasBrokenOrRemovedOutsideLosesNothing()
{
    SharedFile file;
    ModelsBook book(file.path);
    book.change(weighted(1), u"add"_s);
    file.write("{ no");
    QTRY_VERIFY_WITH_TIMEOUT(!book.clash().isEmpty(), patience);
    QVERIFY(!book.canTakeTheirs());
    QCOMPARE(book.draft(), weighted(1));
    book.keepMine();
    QCOMPARE(file.onDisk(), weighted(1));
    QFile aside(file.path + u".broken"_s);
    QVERIFY(aside.open(QIODevice::ReadOnly));
    QCOMPARE(aside.readAll(), QByteArray("{ no"));

    QVERIFY(QFile::remove(file.path));
    QTRY_VERIFY2_WITH_TIMEOUT(book.clash().contains(u"removed"_s), qPrintable(book.clash()), patience);
    QCOMPARE(book.draft(), weighted(1));
    file.write(weighted(1)); // somebody put it back as it was: nothing is to be chosen
    QTRY_COMPARE_WITH_TIMEOUT(book.clash() + book.trouble(), QString(), patience);
}

void TestModelsValues::aFileThatCannotBeReadIsNeverOverwritten()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"models.json"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{ by hand, and not finished");
    file.close();
    ModelsBook book(path);
    QVERIFY(book.trouble().contains(path));
    book.change(twoEntries(), u"add"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("{ by hand, and not finished"));
    QVERIFY(!book.isReadable());
    QCOMPARE(book.draft().count(DraftPart::Endpoint), std::size_t(0)); // nothing is taken that is not saved
    file.close();

    const QString aside = book.asidePath();
    book.moveAside();
    QVERIFY(book.isReadable() && book.trouble().isEmpty());
    QVERIFY(!QFileInfo::exists(path));
    QFile moved(aside);
    QVERIFY(moved.open(QIODevice::ReadOnly));
    QCOMPARE(moved.readAll(), QByteArray("{ by hand, and not finished"));
    book.change(twoEntries(), u"add"_s);
    QCOMPARE(ModelsBook(path).draft(), twoEntries());
}

void TestModelsValues::numbersAreReadAsPeopleTypeThem()
{
    QCOMPARE(numberOrText(u"0,8"_s).get<double>(), 0.8);
    QVERIFY(numberOrText(u"16 384"_s).is_number_integer());
    QCOMPARE(numberOrText(u"16 384"_s).get<int>(), 16384);
    QVERIFY(numberOrText(u" "_s).is_null());
    QVERIFY(numberOrText(u"hot"_s).is_string());
    QVERIFY(numberOrText(u"nan"_s).is_string());
}

void TestModelsValues::headersAreReadAsPeopleTypeThem()
{
    const ModelsDraft::Json headers = headersOrText(u" HTTP-Referer : https://example.org/a:b \n\nX-Title:\n"_s);
    QCOMPARE(headers.size(), std::size_t(2));
    QCOMPARE(headers.at("HTTP-Referer").get<std::string>(), std::string("https://example.org/a:b"));
    QCOMPARE(headers.at("X-Title").get<std::string>(), std::string());
    QCOMPARE(headerLines(headers), u"HTTP-Referer: https://example.org/a:b\nX-Title: "_s);
    QVERIFY(headersOrText(u" \n"_s).is_null());
    QVERIFY(headersOrText(u"no colon"_s).is_string());
    QVERIFY(headersOrText(u"X-Title: a\nX-Title: b"_s).is_string());
    QCOMPARE(headerLines(headersOrText(u"no colon"_s)), u"no colon"_s);
}

void TestModelsValues::anUnknownPriceIsNeverZero()
{
    QCOMPARE(dollars(std::nullopt), u"unknown"_s);
    QCOMPARE(dollars(0.0), u"$0"_s);
    QCOMPARE(dollars(0.00123), u"$0.0012"_s);
    QCOMPARE(dollars(12.4), u"$12.40"_s);
    QVERIFY(priceWords(std::nullopt).contains(u"unknown"_s));
    QCOMPARE(spentWords(0, 2, 900), u"unknown"_s);
    QCOMPARE(spentWords(1'200'000, 1, 900), u"at least $1.20"_s);
    QCOMPARE(spentWords(0, 0, 0), u"–"_s);
}

void TestModelsValues::aPastedReplyIsCheckedAsTheRunWould()
{
    const std::string parent = "a\n// EVOLVE-BLOCK-START\nint one = 1;\nint two = 2;\n// EVOLVE-BLOCK-END\nz\n";
    const auto check
        = [&parent](const std::string& reply) { return checkReply(parent, "candidate.cpp", reply, AskedFor::Patch); };
    const ReplyCheck good
        = check("<reasoning>r</reasoning><diff>\n@@ -3,2 +3,2 @@\n int one = 1;\n-int two = 2;\n+int two "
                "= 3;\n</diff><expected_impact>e</expected_impact>");
    QCOMPARE(good.parts.size(), std::size_t(1));
    QVERIFY2(good.parts[0].applies, qPrintable(good.parts[0].refusal));
    QCOMPARE(good.parts[0].added, 1);
    QCOMPARE(good.parts[0].removed, 1);
    QVERIFY(good.parts[0].repairs.isEmpty());
    const ReplyCheck noted = check("<diff>\n--- candidate.cpp\n+++ candidate.cpp\n@@ -3,7 +3,9 @@\n int one = 1;\n"
                                   "-int two = 2;\n+int two = 3;\n</diff>");
    QVERIFY(noted.parts[0].applies);
    QVERIFY(noted.parts[0].repairs.isEmpty());
    QCOMPARE(noted.parts[0].notes, QStringList{u"hunk 1: the @@ line has wrong counts"_s});
    QCOMPARE(wordsOf(noted),
        (QStringList{
            u"The patch applies: +1 −1 lines, no repair needed"_s, u"noted: hunk 1: the @@ line has wrong counts"_s}));
    const ReplyCheck repaired
        = check("<diff>\n int one = 1;\n-int two = 2;\n+int two = 3;\n</diff>"); // no hunk header at all
    QVERIFY(repaired.parts[0].applies);
    QVERIFY(!repaired.parts[0].repairs.isEmpty());
    const ReplyCheck bad = check("<diff>\n@@ -3,2 +3,2 @@\n int one = 1;\n-int two = 22;\n+int two = 3;\n</diff>");
    QVERIFY(!bad.parts[0].applies);
    QCOMPARE(bad.parts[0].rule, u"patch/no-match"_s);
    QVERIFY(wordsOf(bad).first().contains(u"patch/no-match"_s));
    QVERIFY(check("  \n").parts.empty());
}

void TestModelsValues::theProposalIsMarkedInItsReply()
{
    const std::string reply
        = "Two ideas.\n<proposal>\n<diff>\n-a\n+b\n</diff>\n</proposal>\n<proposal>\n<diff>\n-c\n+d\n"
          "</diff>\n</proposal>\n";
    const auto marked = [&reply](int part) {
        QStringList lines;
        for (const CodeLine& line : replyLines(reply, part))
            if (line.isChosen)
                lines << line.text;
        return lines.join(u' ');
    };
    QVERIFY(marked(1).contains(u"-a +b"_s));
    QVERIFY(!marked(1).contains(u"-c"_s));
    QVERIFY(marked(2).contains(u"-c +d"_s));
    QCOMPARE(marked(0), QString());
}

void TestModelsValues::noPromptIsExplainedInWords()
{
    test::FixtureRun run;
    run.grow(40);
    const RunState& state = run.state();
    QVERIFY(noPromptReason(state, state.candidate(CandidateId{1})->proposal).contains(u"seed"_s));
    for (const Candidate& candidate : state.candidates) {
        const Proposal* proposal = state.proposal(candidate.proposal);
        if (proposal && proposal->proposer == "mutator") {
            QVERIFY(noPromptReason(state, candidate.proposal).startsWith(u"No prompt: "_s));
            return;
        }
    }
    QFAIL("the fixture has no candidate of the mutator");
}

void TestModelsValues::meansOfTooFewAreNotShown()
{
    StatisticsModel statistics;
    QAbstractItemModelTester tester(&statistics, QAbstractItemModelTester::FailureReportingMode::Fatal);
    test::FixtureRun run;
    const auto cell = [&statistics](const QString& name, StatisticsModel::Column column) {
        for (int row = 0; row < statistics.rowCount(); ++row)
            if (statistics.index(row, 0).data().toString() == name)
                return statistics.index(row, static_cast<int>(column)).data().toString();
        return QString();
    };
    run.answer(run.ask("writer", "Make it fast."), "reply 1", 1);
    statistics.show(*run.snapshot(), StatisticsModel::Grouping::Model);
    QCOMPARE(cell(u"writer"_s, StatisticsModel::Column::Gain), u"n = 1, too few"_s);
    QCOMPARE(cell(u"writer"_s, StatisticsModel::Column::Cost), u"$0.0123"_s);
    for (int i = 0; i < 5; ++i)
        run.answer(run.ask("writer", "Make it fast."), "reply " + std::to_string(i + 2), 1);
    statistics.show(*run.snapshot(), StatisticsModel::Grouping::Model);
    QVERIFY(cell(u"writer"_s, StatisticsModel::Column::Gain).contains(u"n = 6"_s));
    QCOMPARE(cell(u"writer"_s, StatisticsModel::Column::Accepted), u"100.0 %"_s);
    QCOMPARE(cell(u"writer"_s, StatisticsModel::Column::Clean), u"100.0 %"_s);
    statistics.show(*run.snapshot(), StatisticsModel::Grouping::Template);
    QVERIFY(statistics.rowCount() >= 1);
}

void TestModelsValues::whatWasWithdrawnIsNoPartOfAnIslandsMix()
{
    test::FixtureRun run;
    run.grow(30);
    IslandModel islands;
    islands.show(run.snapshot());
    const auto before = islands.offered(0);
    Proposal written;
    written.id = {static_cast<std::int64_t>(run.state().proposals.size()) + 1};
    written.island = {1};
    written.proposer = "person";
    written.parents = {CandidateId{1}};
    run.record(events::Proposed{written});
    Candidate made;
    made.id = {static_cast<std::int64_t>(run.state().candidates.size()) + 1};
    made.island = {1};
    made.proposal = written.id;
    made.program = sha256("by hand");
    made.parents = {CandidateId{1}};
    run.record(events::CandidateMade{made});
    islands.show(run.snapshot());
    CandidateModel candidates;
    candidates.show(run.snapshot());
    QCOMPARE(candidates.standing(), candidates.rowCount());
    QCOMPARE(islands.offered(0).at("user"), 1);
    run.record(events::HandwrittenWithdrawn{made.id});
    islands.show(run.snapshot());
    QVERIFY(islands.offered(0) == before);
    candidates.show(run.snapshot());
    QCOMPARE(candidates.standing(), candidates.rowCount() - 1);
    IslandModel opened; // on the session as it is now
    opened.show(run.snapshot());
    QVERIFY(opened.offered(0) == before);
}

void TestModelsValues::unknownNichesAreNotCells()
{
    test::FixtureRun run;
    run.grow(60);
    auto snapshot = std::make_shared<Snapshot>(*run.snapshot());
    Island& island = snapshot->run.islands[0];
    const auto before = island.niches.size();
    island.niches["unknown,1"] = CandidateId{1};
    IslandModel islands;
    islands.show(snapshot);
    QVERIFY(islands.index(0, static_cast<int>(IslandModel::Column::Cells))
                .data()
                .toString()
                .startsWith(QString::number(before) + u" /"_s));
}

void TestModelsValues::aTunerWithNothingToTuneIsRefusedInTheEnginesWords()
{
    const auto shipped = loadTaskPack(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32-cpu");
    QVERIFY(shipped.has_value());
    SessionChoices choices;
    choices.pack = std::make_shared<const TaskPack>(*shipped);
    QCOMPARE(problemOf(choices, Section::Proposer), QString());
    choices.proposer = u"tuner"_s;
    QCOMPARE(problemOf(choices, Section::Proposer),
        u"The proposer tuner cannot be used: the seed of gemm-fp32-cpu has no tunables."_s);
    QVERIFY(!isValid(choices));
    TaskPack tunable = *shipped;
    std::string& seed = tunable.files.at(tunable.task.sources.front());
    const std::string marker = "// EVOLVE-BLOCK-START\n";
    QVERIFY(seed.find(marker) != std::string::npos);
    seed.insert(seed.find(marker) + marker.size(), "constexpr int MC = 64; // tune: 32 64\n");
    choices.pack = std::make_shared<const TaskPack>(tunable);
    QCOMPARE(problemOf(choices, Section::Proposer), QString());
}

void TestModelsValues::aSessionByModelsNamesItsFile()
{
    SessionChoices choices;
    choices.proposer = u"model"_s;
    choices.modelsFile = u"/data/models.json"_s;
    choices.path = u"/data/gemm-1.tilewright"_s;
    QVERIFY(!problemOf(choices, Section::Proposer).isEmpty());
    choices.weights = {{"writer", 2}};
    QVERIFY(problemOf(choices, Section::Proposer).isEmpty());
    QCOMPARE(proposerWords(choices), u"model:/data/models.json"_s);
    choices.weightsChanged = true;
    QCOMPARE(proposerWords(choices), u"model:/data/gemm-1.models.json"_s);
    choices.limitTokens = true;
    choices.millionTokens = 1.5;
    QCOMPARE(sessionOf(choices, true).settings.budget.tokens, std::int64_t(1'500'000));
    QVERIFY(commandLineOf(choices).contains(u"--tokens 1500000"_s));
    choices.proposer = u"mutator"_s;
    QCOMPARE(sessionOf(choices, true).settings.budget.tokens, std::int64_t(0));
}

void TestModelsValues::anUnpricedModelAndACostLimitDoNotGoTogether()
{
    SessionChoices choices;
    choices.proposer = u"model"_s;
    choices.weights = {{"writer", 1}};
    choices.unpriced = {u"writer"_s};
    QVERIFY(problemOf(choices, Section::Budget).isEmpty());
    choices.limitCost = true;
    QVERIFY(problemOf(choices, Section::Budget).contains(u"writer"_s));
}

TILEWRIGHT_TEST(TestModelsValues)
#include "test_models_values.moc"
