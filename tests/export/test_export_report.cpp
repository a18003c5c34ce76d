// SPDX-License-Identifier: GPL-3.0-or-later
// A report says what the session's record says: figures, what got slower, what was rejected, and what is not covered.
#include "core/export/report_plots.h"
#include "tests/export/exported_demo.h"
#include "tests/test_program.h"

#include <QRegularExpression>
#include <QXmlStreamReader>

using namespace tilewright;
using namespace Qt::StringLiterals;
using tilewright::testing::ExportedDemo;

namespace {

QString htmlOf(const ExportedDemo& demo, const ExportRecord& record)
{
    return QString::fromStdString(reportHtml(record, demo.pack.task, sourceCommands(demo.input(record))));
}

/// The text that a reader sees, tags aside; empty where the page is not well-formed.
QString visibleText(const QString& html)
{
    QXmlStreamReader reader(html);
    QString text;
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::Characters)
            text += reader.text();
    return reader.hasError() ? QString() : text;
}

} // namespace

class TestExportReport : public QObject
{
    Q_OBJECT

    std::unique_ptr<ExportedDemo> m_demo;

private Q_SLOTS:
    void initTestCase() { m_demo = std::make_unique<ExportedDemo>(); }

    void figuresAreThoseOfTheConfirmation()
    {
        const ExportRecord record = m_demo->bestRecord();
        const Candidate& best = *m_demo->state.best();
        QCOMPARE(record.candidate, best.id);
        const Evaluation& evaluation = *m_demo->state.evaluation(best.latest);
        QVERIFY(record.result == evaluation.result);
        QVERIFY(record.finding == Finding::Faster);
        const nlohmann::json json = toJson(record);
        QCOMPARE(json.at("figures").at("score").at("value").get<double>(), best.score->value);
        QCOMPARE(json.at("figures").at("shapes").size(), evaluation.result.shapes.size());
        QCOMPARE(json.at("candidate").at("source").get<std::string>(), best.source.hex());
    }

    void slowerShapesAreThoseWhoseWholeIntervalIsBelowOne()
    {
        const ExportRecord record = m_demo->bestRecord();
        const auto vendor = std::ranges::find(record.slower, "vendor library", &SlowerThan::opponent);
        QVERIFY(vendor != record.slower.end() && !vendor->slower.empty());
        std::size_t slower = 0;
        int measured = 0;
        for (const ShapeResult& shape : record.result.shapes) {
            measured += shape.versusVendor ? 1 : 0;
            slower += shape.versusVendor && shape.versusVendor->hi < 1 ? 1 : 0;
        }
        QCOMPARE(vendor->slower.size(), slower);
        QCOMPARE(vendor->measured, measured);
        QCOMPARE(vendor->faster + vendor->undecided + static_cast<int>(slower), measured);
        QVERIFY2(record.findingText.find("slower on " + std::to_string(slower) + " of") != std::string::npos,
            record.findingText.c_str());
        const QString text = visibleText(htmlOf(*m_demo, record));
        for (const SlowerShape& shape : vendor->slower)
            QVERIFY(text.contains(q(shapeText(shape.shape))));
    }

    void theLineageLeadsFromTheSeedToTheCandidate()
    {
        const ExportRecord record = m_demo->bestRecord();
        QVERIFY(record.lineage.size() >= 3);
        QCOMPARE(record.lineage.front().candidate, CandidateId{1});
        QVERIFY(record.lineage.front().diff.empty());
        QCOMPARE(record.lineage.back().candidate, record.candidate);
        for (std::size_t i = 1; i < record.lineage.size(); ++i) {
            const LineageStep& step = record.lineage[i];
            QVERIFY(!step.diff.empty() && step.linesAdded + step.linesRemoved > 0);
            QVERIFY(step.change && step.change->parent == record.lineage[i - 1].candidate);
        }
        int steps = 0;
        for (const Contribution& each : record.contributions)
            steps += each.steps;
        QCOMPARE(steps, static_cast<int>(record.lineage.size()));
    }

    void whatWasRejectedIsCountedByItsRule()
    {
        const ExportRecord record = m_demo->bestRecord();
        std::int64_t byNorm = 0, inReview = 0;
        for (const Candidate& candidate : m_demo->state.candidates)
            byNorm += !candidate.migrated && candidate.rule == "verify/norm" ? 1 : 0;
        for (const Review& review : m_demo->state.reviews)
            inReview += review.decision == Decision::Rejected && !review.undone ? 1 : 0;
        QVERIFY(byNorm > 0 && inReview > 0);
        const auto norm = std::ranges::find(record.rejected, "verify/norm", &RejectedByRule::rule);
        QVERIFY(norm != record.rejected.end());
        QCOMPARE(norm->count, byNorm);
        QCOMPARE(static_cast<std::int64_t>(record.rejectedInReview.size()), inReview);
        QVERIFY(!record.rejectedInReview.front().reason.empty());
    }

    void aSessionOfAGpuHasAReportToo()
    {
        const ExportedDemo demo("gemm-h200");
        const ExportRecord record = demo.bestRecord();
        const QString text = visibleText(htmlOf(demo, record));
        QVERIFY(text.contains(u"NVIDIA H200"_s) && text.contains(u"memcheck"_s) && text.contains(u"judged-outside"_s));
        QVERIFY2(record.findingText.find("Slower than cublasLt") != std::string::npos, record.findingText.c_str());
    }

    void thePageIsWellFormedNeedsNoOtherFileAndRunsNothing()
    {
        const ExportRecord record = m_demo->bestRecord();
        const QString html = htmlOf(*m_demo, record);
        QVERIFY(!visibleText(html).isEmpty());
        QVERIFY(!html.contains(u"<script"_s) && !html.contains(u"<link"_s) && !html.contains(u"<img"_s));
        static const QRegularExpression outside(u"(?:src|href)=|url\\("_s);
        QVERIFY(!html.contains(outside));
        QVERIFY(html.contains(u"prefers-color-scheme: dark"_s) && html.contains(u"@media print"_s));
        QVERIFY(html.count(u"<svg"_s) >= 3);
    }

    void wordsOfASessionAreNoMarkup()
    {
        ExportRecord record = m_demo->bestRecord();
        const std::string nasty = "<script>alert(\"x\")</script> & ]]> \x01\xff";
        record.lineage.back().title = record.lineage.back().reasoning = record.lineage.back().claim = nasty;
        record.rejectedInReview.push_back({record.candidate, nasty, nasty, nasty});
        record.source.session = nasty;
        const QString html = htmlOf(*m_demo, record);
        QVERIFY(!html.contains(u"<script"_s));
        QVERIFY(visibleText(html).contains(u"<script>alert(\"x\")</script> & ]]>"_s));
    }

    void whatIsNotCoveredIsSaid()
    {
        const ExportRecord record = m_demo->bestRecord();
        const QString text = visibleText(htmlOf(*m_demo, record));
        for (const char* word : {"Sizes:", "Alignment and layout:", "Devices:", "NaN", "Determinism:"})
            QVERIFY2(text.contains(QLatin1String(word)), word);
        const auto sweep = std::ranges::find(record.evidence.checks, "size-sweep", &CheckEvidence::check);
        QVERIFY(sweep != record.evidence.checks.end() && sweep->verdict == CheckVerdict::NotChecked);
        QVERIFY(text.contains(u"Checks that were not made: size-sweep."_s));
    }

    void onlyAConfirmedCandidateIsExported()
    {
        int refused = 0;
        for (const Candidate& candidate : m_demo->state.candidates)
            if (!candidate.confirmed && !candidate.migrated) {
                const auto record = m_demo->record(candidate.id);
                QVERIFY(!record);
                QCOMPARE(record.error().code, std::string("export/unconfirmed"));
                ++refused;
            }
        QVERIFY(refused > 50);
        QCOMPARE(m_demo->record(CandidateId{99999}).error().code, std::string("candidate/unknown"));
    }

    void aDisputedCandidateIsCalledSo()
    {
        ExportRecord record = m_demo->bestRecord();
        QVERIFY(record.dispute.empty());
        EvaluationResult worse = record.result;
        worse.purpose = Purpose::Rerun;
        worse.score = Interval{2, 1.9, 2.1};
        for (ShapeResult& shape : worse.shapes)
            shape.versusBaseline = Interval{2, 1.9, 2.1};
        RunState state = m_demo->state;
        const auto add = [&state](EventBody body) {
            return apply(state, Event{state.run, state.lastSeq + 1, "2026-11-30T12:00:00.000Z", std::move(body)});
        };
        const RerunId id{static_cast<std::int64_t>(state.reruns.size()) + 1};
        QVERIFY(add(events::RerunAsked{id, record.candidate}));
        const EvaluationId next{static_cast<std::int64_t>(state.evaluations.size()) + 1};
        QVERIFY(add(events::Evaluated{{next, record.candidate, CandidateId{1}, state.device, worse}, state.runNs}));
        const auto disputed = exportRecordOf(state, record.candidate, m_demo->pack, m_demo->source());
        QVERIFY(disputed);
        QVERIFY(disputed->finding == Finding::Disputed && disputed->findingText.starts_with("Disputed:"));
    }

    void whileItIsDisputedNothingIsCalledFaster()
    {
        QVERIFY(m_demo->bestRecord().reruns.empty());
        const auto record = m_demo->record(CandidateId{122});
        QVERIFY(record && record->finding == Finding::Disputed);
        const QString finding = q(record->findingText);
        QVERIFY2(finding.startsWith(u"Disputed: a re-run of c-0122 (evaluation 110, against c-0079)"_s)
                && finding.contains(
                    u" now; to decide, re-run both, paired: control FILE rerun c-0122 --against c-0035"_s)
                && finding.endsWith(u'.') && !finding.contains(u"aster"_s),
            qPrintable(finding));
        QVERIFY(record->result.vsVendor && record->result.vsVendor->lo > 1.02); // the disputed figures would say so
        const QString text = visibleText(htmlOf(*m_demo, *record));
        QVERIFY(text.contains(finding));
        QVERIFY(!text.contains(u"Faster than"_s) && !text.contains(u"the candidate is faster with"_s));
        QVERIFY(text.contains(u"by the disputed figures"_s));
    }

    void reRunsStandInTheReportWithTheirOwnFigures()
    {
        const auto record = m_demo->record(CandidateId{122});
        QVERIFY(record && record->reruns.size() == 1);
        const RerunFigures& rerun = record->reruns.front();
        const EvaluationResult& result = m_demo->state.evaluation(EvaluationId{110})->result;
        QCOMPARE(rerun.evaluation, EvaluationId{110});
        QCOMPARE(rerun.against, CandidateId{79});
        QVERIFY(rerun.score == result.score && rerun.versusVendor == result.vsVendor && rerun.versusVendor);
        QCOMPARE(rerun.finding, std::string("contradicts the figures"));
        QVERIFY2(q(rerun.askedAtUtc).startsWith(u"20"_s), rerun.askedAtUtc.c_str());
        const QString text = visibleText(htmlOf(*m_demo, *record));
        const qsizetype from = text.indexOf(u"after its confirmation; its other figures"_s);
        QVERIFY2(from >= 0, qPrintable(text));
        const QString table = text.mid(from, text.indexOf(u"Slower shapes"_s, from) - from);
        for (const QString& part : {q(rerun.askedAtUtc), u"c-0079"_s, u"32.78×"_s, u"contradicts the figures"_s})
            QVERIFY2(table.contains(part), qPrintable(table));
        const nlohmann::json json = toJson(*record).at("reruns").at(0);
        QCOMPARE(json.at("evaluation"), 110);
        QCOMPARE(json.at("vs_vendor"), result.vsVendor->json());
        QVERIFY(visibleText(htmlOf(*m_demo, m_demo->bestRecord())).contains(u"was not measured again"_s));
    }

    void labelsOfAPlotAreWhole()
    {
        const auto labelEnds = [](const std::string& label) {
            const QString svg = q(ratioPlot({{label, Interval{1.1, 1, 1.2}}}, "title", "axis"));
            static const QRegularExpression text(QStringLiteral("<text [^>]*x=\"([0-9.]+)\"[^>]*>([^<]*)</text>"));
            for (auto found = text.globalMatch(svg); found.hasNext();)
                if (const auto match = found.next(); match.captured(2) == q(label))
                    return match.captured(1).toDouble();
            return -1.0;
        };
        const double narrow = labelEnds("1×1×1"), wide = labelEnds("16384×16384×16384 (held-out)");
        QVERIFY(narrow > 0);
        QVERIFY2(wide >= 28 * 6.6, qPrintable(QString::number(wide))); // a character of a sans-serif face at 12 px
        QVERIFY(narrow < wide);
    }

    void theUserIsCalledSoAndFactsAreNoJson()
    {
        const ExportRecord record = m_demo->bestRecord();
        QVERIFY(!record.rejectedInReview.empty());
        for (const RejectedInReview& each : record.rejectedInReview)
            QCOMPARE(each.by, std::string("user"));
        const std::string html = reportHtml(record, m_demo->pack.task, {});
        QVERIFY(html.find("fma, sse4_2") != std::string::npos && html.find("[&quot;fma&quot;") == std::string::npos);
        QVERIFY(html.find("void blocks") == std::string::npos);
        const QString text = visibleText(q(html));
        QVERIFY(text.contains(u"source without comments, B8009"_s) && text.contains(u"machine code, B10619"_s));
        QVERIFY(!text.contains(u"code_bytes"_s) && !text.contains(u"text_bytes"_s));
        QVERIFY(text.contains(u"Rules passed, with measured values where recorded"_s));
    }
};

TILEWRIGHT_TEST(TestExportReport)
#include "test_export_report.moc"
