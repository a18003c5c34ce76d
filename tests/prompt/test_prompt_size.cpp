// SPDX-License-Identifier: GPL-3.0-or-later
// How long prompts are, besides the programs in them: over the requests that the strategy draws at several times of the
// recorded runs that are shipped.
#include "core/base/text.h"
#include "core/evolve/selection.h"
#include "core/prompt/insights.h"
#include "core/prompt/request_text.h"
#include "tests/prompt/shipped_session.h"
#include "tests/test_program.h"

#include <QTest>
#include <algorithm>
#include <cstdio>

using namespace tilewright;
using namespace tilewright::testing;

namespace {

constexpr double mostTokens = 1500; ///< of a median request, without the texts of programs
constexpr double charactersAToken = 4;
constexpr int partsOfRun = 4, requestsAnIsland = 4, edits = 3;

double tokensOf(std::string_view text)
{
    return static_cast<double>(std::ranges::count_if(text, [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    })) / charactersAToken;
}

/// The text without what is fenced in it.
std::string withoutFences(std::string_view text)
{
    std::string kept;
    std::string_view fence;
    for (const std::string_view line : splitLines(text)) {
        const std::size_t ticks = std::min(line.find_first_not_of('`'), line.size());
        if (fence.empty() && ticks >= 3)
            fence = line.substr(0, ticks);
        else if (!fence.empty() && line == fence)
            fence = {};
        else if (fence.empty())
            kept.append(line) += '\n';
    }
    return kept;
}

/// The text without the programs: the parent, and how the best, other good ones and a second parent differ from it.
std::string withoutPrograms(const std::string& text, const std::vector<FilledSpan>& spans)
{
    std::string kept;
    std::size_t at = 0;
    for (const FilledSpan& span : spans) {
        if (span.placeholder != "code" && span.placeholder != "inspirations" && span.placeholder != "other")
            continue;
        kept += text.substr(at, span.at - at);
        if (span.placeholder != "code")
            kept += withoutFences(std::string_view(text).substr(span.at, span.size));
        at = span.at + span.size;
    }
    return kept + text.substr(at);
}

/// Heading → tokens, in the order of the text.
using Sections = std::vector<std::pair<std::string, double>>;

Sections sectionsOf(const RenderedPrompt& prompt)
{
    Sections sections;
    for (const auto& [name, text] :
        {std::pair(std::string("system"), withoutPrograms(prompt.system, prompt.systemSpans)),
            std::pair(std::string("user"), withoutPrograms(prompt.user, prompt.userSpans))}) {
        sections.emplace_back(name + ": beginning", 0);
        for (const std::string_view line : splitLines(text)) {
            if (line.starts_with("# "))
                sections.emplace_back(name + ": " + std::string(line.substr(2, line.find(':') - 2)), 0);
            sections.back().second += tokensOf(line) + 1 / charactersAToken;
        }
    }
    return sections;
}

double sumOf(const Sections& sections)
{
    double sum = 0;
    for (const auto& [heading, tokens] : sections)
        sum += tokens;
    return sum;
}

double medianOf(std::vector<double> values)
{
    std::ranges::sort(values);
    return values.empty() ? 0 : (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

/// Prompts by template.
using Prompts = std::map<std::string, std::vector<Sections>>;

/// What the islands ask next at this time of the run, and a repair of each program that failed by then.
void addPrompts(Prompts& prompts, const PromptWriter& writer, const ShippedSession& session)
{
    const ProposerView view = session.view();
    const auto ask = [&](const ProposalRequest& request, const std::string& templateName) {
        PromptRequest wanted{view, request};
        wanted.directions = templateName.empty() ? edits : 1;
        wanted.insights = insightText(session.state, view.pack.moves);
        wanted.templateName = templateName;
        const auto prompt = writer.render(wanted);
        QVERIFY2(prompt.has_value(), prompt ? "" : prompt.error().text.c_str());
        prompts[prompt->templateName].push_back(sectionsOf(*prompt));
        if (qEnvironmentVariable("TILEWRIGHT_PROMPT_SECTIONS") == QLatin1String("texts"))
            std::printf("%s\n---\n%s\n=====\n", withoutPrograms(prompt->system, prompt->systemSpans).c_str(),
                withoutPrograms(prompt->user, prompt->userSpans).c_str());
    };
    for (const Island& island : session.state.islands)
        for (int ordinal = 1; ordinal <= requestsAnIsland; ++ordinal)
            if (ProposalRequest request = drawnRequest(session.state, island, 1000 + ordinal); !request.parents.empty())
                ask(fittingRequest(session.state, std::move(request)), {});
    for (const Candidate& candidate : session.state.candidates)
        if (isDefective(candidate) && session.texts.contains(candidate.source))
            ask({candidate.island, 1, Focus::Repair, {candidate.id}}, "repair");
}

void print(const std::string& name, const Prompts& prompts)
{
    for (const auto& [templateName, all] : prompts) {
        std::map<std::string, std::vector<double>> bySection;
        std::vector<std::string> order;
        for (const Sections& sections : all)
            for (const auto& [heading, tokens] : sections)
                if (bySection.try_emplace(heading).second)
                    order.push_back(heading);
        for (const Sections& sections : all)
            for (const std::string& heading : order) {
                double sum = 0;
                for (const auto& [other, tokens] : sections)
                    sum += heading == other ? tokens : 0;
                bySection[heading].push_back(sum);
            }
        std::vector<double> sums;
        std::ranges::transform(all, std::back_inserter(sums), sumOf);
        std::printf("%s, %s, %zu prompts: median %.0f, largest %.0f\n", name.c_str(), templateName.c_str(), all.size(),
            medianOf(sums), std::ranges::max(sums));
        for (const std::string& heading : order)
            std::printf("  %-50s %6.0f %6.0f\n", heading.c_str(), medianOf(bySection[heading]),
                std::ranges::max(bySection[heading]));
    }
}

} // namespace

class TestPromptSize : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aMedianRequestHasFewTokensBesideThePrograms_data()
    {
        QTest::addColumn<QString>("session");
        QTest::newRow("CPU") << QStringLiteral("gemm-cpu");
        QTest::newRow("GPU") << QStringLiteral("gemm-h200");
    }

    /// TILEWRIGHT_PROMPT_SECTIONS=1 prints the tokens of each section, median and largest; =texts also the texts.
    void aMedianRequestHasFewTokensBesideThePrograms()
    {
        QFETCH(const QString, session);
        const PromptWriter writer = shippedWriter();
        Prompts prompts;
        for (int part = 1; part <= partsOfRun; ++part) {
            ShippedSession shipped(session.toStdString(), static_cast<double>(part) / partsOfRun);
            shipped.state.settings.proposer = "model:models.json"; // which asks about the programs near the best
            addPrompts(prompts, writer, shipped);
        }
        if (qEnvironmentVariableIsSet("TILEWRIGHT_PROMPT_SECTIONS"))
            print(session.toStdString(), prompts);
        std::vector<double> sums, repairs;
        for (const auto& [name, all] : prompts)
            std::ranges::transform(all, std::back_inserter(name == "repair" ? repairs : sums), sumOf);
        QCOMPARE(sums.size(), std::size_t(partsOfRun * requestsAnIsland * 4)); // four islands
        const double median = medianOf(sums), repair = medianOf(repairs);
        QVERIFY2(median > 500 && median <= mostTokens, std::to_string(median).c_str());
        QVERIFY2(repair <= mostTokens, std::to_string(repair).c_str());
    }

    void programsDoNotCountAndEverythingElseDoes()
    {
        const ShippedSession session;
        const RenderedPrompt prompt = rendered(shippedWriter(), session, "crossover");
        const std::string words
            = withoutPrograms(prompt.system, prompt.systemSpans) + withoutPrograms(prompt.user, prompt.userSpans);
        QVERIFY(words.find("constexpr int TILE_ROWS") == std::string::npos);
        QVERIFY(words.find("struct Args") != std::string::npos && words.find("GFLOP/s") != std::string::npos);
        QVERIFY(words.find("From the program above") != std::string::npos);
        QVERIFY(std::abs(sumOf(sectionsOf(prompt)) - tokensOf(words)) < 3);
        QCOMPARE(tokensOf("8×6 tiles"), 9 / charactersAToken);
        QCOMPARE(withoutFences("a\n```cpp\nb\n```\nc\n"), std::string("a\nc\n"));
    }
};

TILEWRIGHT_TEST(TestPromptSize)
#include "test_prompt_size.moc"
