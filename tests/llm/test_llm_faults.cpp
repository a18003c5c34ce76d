// SPDX-License-Identifier: GPL-3.0-or-later
// The 48 faults of model servers that the clients are tested against, and by which test. The table below is checked:
// each number has a test, and each test that it names is there.
//
// fault | what happens | test_llm_…: test
// 01 | a whole reply instead of a stream | streams: fault01_aServerThatDoesNotStreamIsRead
// 02 | chunks of one byte | streams: fault02_aStreamByteByByteIsRead
// 03 | a character split | streams: fault03_aCharacterSplitOverPacketsStaysWhole
// 04 | CRLF split | streams: fault04_aLineEndSplitOverPacketsIsOneLineEnd
// 05 | lines ended by CR | streams: fault05_linesThatEndWithCrAloneAreRead
// 06 | events of several, empty and missing data lines | streams: fault06_eventsOfSeveralDataLinesAndWithoutDataAreRead
// 07 | comments and pings only | streams: fault07_commentsAndPingsKeepAStreamAlive
// 08 | usage without choices | streams: fault08_theUsageChunkHasNoChoices
// 09 | usage in every chunk | streams: fault09_usageInEveryChunkIsNotSummed
// 10 | no usage | streams: fault10_withoutUsageTokensAreEstimatedAndSaidToBe
// 11 | no terminal event | streams: fault11_aStreamWithoutItsTerminalEventIsIncomplete
// 11 |  | streams: fault11_chatWithoutDoneButWithEveryReasonIsWhole
// 12 | closed inside an event | streams: fault12_aStreamThatEndsInsideAnEventIsIncomplete
// 13 | closed inside a chunked frame | connections: fault13_aConnectionThatClosesInsideAChunkLeavesAnIncompleteReply
// 14 | a length that is too large | connections: fault14_aLengthThatIsTooLargeMattersOnlyWithoutAnEnding
// 15 | a reset | connections: fault15_aResetBeforeTheAnswerIsTriedAgainByUsAlone
// 15 |  | connections: fault15_aKeptConnectionThatDiedIsReplacedWithoutAHiddenSecondRequest
// 15 |  | connections: fault15_aResetInsideTheTextIsNotTriedAgain
// 16 | refused, not found | connections: fault16_aRefusedConnectionIsTriedSixTimesAndThenReported
// 16 |  | connections: fault16_aHostThatIsNotFoundIsReported
// 17 | accepted, never answered | connections: fault17_aServerThatNeverAnswersEndsByTheFirstByteClock
// 17 |  | connections: fault17_headersAloneAreNoFirstByte
// 17 |  | connections: fault17_aHandshakeThatNeverEndsIsTriedAgain
// 18 | a stall | connections: fault18_aStreamThatStallsEndsByTheInactivityClock
// 18 |  | connections: fault18_aConnectionThatStaysOpenAfterTheEndHoldsNothingUp
// 19 | a drip | connections: fault19_aDripThatNeverEndsEndsByTheTotalClock
// 20 | failures that pass | connections: fault20_passingFailuresAreTriedAgain
// 21 | Retry-After in all forms | connections: fault21_theServersOwnPauseIsKept
// 21 |  | connections: fault21_aPauseOfMinutesIsReportedInsteadOfWaited
// 22 | quota, spending cap | calls: fault22and23_whatCannotGetBetterIsNotTriedAgain
// 23 | 401 to 422 | calls: fault22and23_whatCannotGetBetterIsNotTriedAgain
// 24 | an unsupported parameter | calls: fault24_aRefusedParameterIsLeftOutOnceAndRemembered
// 24 |  | calls: fault24_aLimitsOtherNameIsTriedOnce
// 25 | the context exceeded | calls: fault25_aPromptLongerThanTheContextIsNotTriedAgain
// 26 | an error inside a stream | streams: fault26_anErrorAsFirstEventIsTriedAgain
// 26 |  | streams: fault26_anErrorInsideTheTextLeavesAnIncompleteReply
// 26 |  | streams: fault26_vllmsErrorShapeIsUnderstood
// 27 | an error with status 200 | streams: fault27_anErrorInABodyWithStatus200IsAnError
// 28 | pages, empty bodies | streams: fault28_pagesAndEmptyBodiesAreNoReplies
// 29 | a wrong content type | streams: fault29_theContentTypeDecidesNothing
// 30 | JSON that cannot be read | streams: fault30_anEventThatCannotBeReadCostsThatEventAlone
// 31 | unknown events and fields | streams: fault31_unknownEventsAndFieldsAreIgnored
// 32 | answers without text | streams: fault32_emptyAnswersAreNotTakenForAnswers
// 33 | cut at the limit | streams: fault33_anAnswerCutAtItsLimitIsMarkedTruncated
// 34 | several answers interleaved | streams: fault34_severalAnswersThatComeInterleavedAreToldApart
// 34 |  | streams: fault34_geminisCandidatesThatComeInterleavedAreToldApart
// 34 |  | streams: fault34_oneOfSeveralAnswersWithoutItsReasonIsIncomplete
// 35 | thoughts in the content | streams: fault35_thoughtsInTheContentAreNoPartOfTheAnswer
// 36 | a packed body | streams: fault36_aPackedBodyIsUnpacked
// 37 | redirects | connections: fault37_aRedirectToAnotherServerIsNotFollowed
// 37 |  | connections: fault37_aRedirectWithinTheServerKeepsMethodAndBody
// 37 |  | connections: fault37_redirectsInACircleEnd
// 37 |  | connections: fault37_aRedirectThatWouldMakeAPostAGetIsNotFollowed
// 38 | certificates | connections: fault38_aCertificateOfAnOwnAuthorityIsTrustedWhenItsFileIsNamed
// 38 |  | connections: fault38_certificatesThatDoNotHoldAreRefusedAndTheKeyStaysHere
// 38 |  | connections: fault38_aCertificateFileThatHoldsNoneIsReported
// 39 | proxies | connections: fault39_aProxyThatWantsAPasswordOrRefusesIsNamed
// 39 |  | connections: fault39_aCallThroughAProxyWorks
// 40 | cancelling and destroying | calls: fault40_cancelWorksAtEveryPoint
// 40 |  | calls: fault40_cancellingAndDeletingInsideASlotIsSafe
// 40 |  | calls: fault40_destroyingTheClientEndsItsCallsSilently
// 41 | forty at once | connections: fault41_fortyCallsRunAtOnceAndASlowOneHoldsNobodyUp
// 41 |  | connections: fault41_fortyConnectionsReallyFlyAtTheSameTime
// 42 | keys that break or come back | calls: fault42_aKeyThatNoHeaderCanCarryIsNotSent
// 42 |  | calls: fault42_aKeyThatTheServerSendsBackIsBlottedOut
// 43 | a huge event, an endless line | streams: fault43_aHugeEventIsReadAndAnEndlessLineIsNot
// 43 |  | streams: fault43_aStreamWithoutEndIsClosedAndBookedAtTheOutputLimit
// 44 | Ollama's lines | streams: fault44_ollamasLinesAreReadHoweverTheyAreSplit
// 44 |  | streams: fault44_aPromptThatOllamaCutIsNoticed
// 45 | lists of models | calls: fault45_modelsAreListedPageByPage
// 45 |  | calls: fault45_aListThatIsEmptyMissingOrNonsenseIsTold
// 46 | forms of addresses | values: fault46_addressesAreJoinedWithoutDoublingOrLosingAnything
// 47 | a changed clock | calls: fault47_aChangedDateDoesNotLengthenAPause
// 48 | the end of the program | calls: fault48_whatWasRecordedWhenTheProgramEndsIsWholeAndSaysWhatWasUnderWay
//
// Every fault is played in each of the five protocols, but for these; checked as well:
// fault not in: protocols, because
// 05 not in: ollama-chat, because its replies are lines of JSON, which end with LF
// 06 not in: ollama-chat, because a line of JSON has no fields
// 07 not in: ollama-chat, because lines of JSON know neither comments nor pings
// 08 not in: openai-responses anthropic gemini ollama-chat, because only chunks of Chat Completions carry choices
// 09 not in: ollama-chat, because its counts stand in the last line alone
// 34 not in: openai-responses anthropic ollama-chat, because one request has one answer there
// 44 not in: openai-chat openai-responses anthropic gemini, because their streams are server-sent events
// 46 not in: one call, because joining an address sends nothing: its table has rows for each form instead
#include "core/base/files.h"
#include "core/base/text.h"
#include "tests/test_program.h"

#include <QTest>
#include <map>
#include <set>

using namespace tilewright;

namespace {

std::string textOf(const std::string& name)
{
    return readFile(std::string(TILEWRIGHT_SOURCE_DIR "/tests/llm/test_llm_") + name + ".cpp").value_or("");
}

struct Row {
    int fault = 0;
    std::string file, test;
};

std::vector<Row> rows()
{
    std::vector<Row> found;
    const std::string text = textOf("faults");
    for (const std::string_view line : splitLines(text)) {
        const std::size_t first = line.find(" | "), second = line.rfind(" | ");
        const std::size_t colon = line.rfind(": ");
        if (!line.starts_with("// ") || first == second || colon == std::string_view::npos || line[3] < '0'
            || line[3] > '4')
            continue;
        found.push_back({std::stoi(std::string(line.substr(3, 2))),
            std::string(line.substr(second + 3, colon - second - 3)), std::string(line.substr(colon + 2))});
    }
    return found;
}

/// What stands behind "// NN not in: ".
std::map<int, std::string> exceptions()
{
    std::map<int, std::string> found;
    const std::string text = textOf("faults");
    constexpr std::string_view mark = " not in: ";
    for (const std::string_view line : splitLines(text))
        if (line.size() > 5 && line.starts_with("// ") && line.substr(5).starts_with(mark))
            found[std::stoi(std::string(line.substr(3, 2)))] = std::string(line.substr(5 + mark.size()));
    return found;
}

/// A test's rows, as its file gives them: empty if it has none.
std::string dataOf(const std::string& text, const std::string& test)
{
    const std::size_t begin = text.find("void " + test + "_data()");
    return begin == std::string::npos ? std::string() : text.substr(begin, text.find("void " + test + "()") - begin);
}

} // namespace

class TestLlmFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFaultHasATestThatIsThere()
    {
        constexpr int faults = 48;
        std::set<int> covered;
        std::map<std::string, std::string> texts;
        for (const Row& row : rows()) {
            std::string& text = texts[row.file];
            if (text.empty())
                text = textOf(row.file);
            QVERIFY2(text.find(row.test + "()") != std::string::npos, (row.file + ": " + row.test).c_str());
            QVERIFY(row.fault >= 1 && row.fault <= faults);
            covered.insert(row.fault);
        }
        for (int fault = 1; fault <= faults; ++fault)
            QVERIFY2(covered.contains(fault), std::to_string(fault).c_str());
    }

    void everyFaultIsPlayedInEachProtocolThatIsNotNamedAsAnException()
    {
        const std::map<int, std::string> excepted = exceptions();
        std::set<int> inAll;
        for (const Row& row : rows()) {
            const std::string data = dataOf(textOf(row.file), row.test);
            bool named = !data.empty();
            for (const char* protocol : {"OpenAiChat", "OpenAiResponses", "Anthropic", "Gemini", "OllamaChat"})
                named = named && data.find(std::string("ModelProtocol::") + protocol) != std::string::npos;
            if (named || data.find("allProtocols()") != std::string::npos
                || data.find(": modelProtocols)") != std::string::npos)
                inAll.insert(row.fault);
        }
        for (int fault = 1; fault <= 48; ++fault) {
            QVERIFY2(inAll.contains(fault) != excepted.contains(fault), std::to_string(fault).c_str());
            if (excepted.contains(fault))
                QVERIFY2(excepted.at(fault).find(", because ") != std::string::npos, std::to_string(fault).c_str());
        }
    }

    void everyTestOfAFaultIsInTheTable()
    {
        std::set<std::string> listed;
        for (const Row& row : rows())
            listed.insert(row.test);
        int found = 0;
        for (const char* file : {"values", "streams", "connections", "calls"}) {
            const std::string text = textOf(file);
            for (std::size_t at = text.find("void fault"); at != std::string::npos;
                 at = text.find("void fault", at + 1)) {
                const std::string name = text.substr(at + 5, text.find('(', at) - at - 5);
                if (name.ends_with("_data"))
                    continue;
                ++found;
                QVERIFY2(listed.contains(name), name.c_str());
            }
        }
        QVERIFY(found > 50);
    }
};

TILEWRIGHT_TEST(TestLlmFaults)
#include "test_llm_faults.moc"
