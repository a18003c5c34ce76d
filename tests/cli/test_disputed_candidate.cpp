// SPDX-License-Identifier: GPL-3.0-or-later
// A candidate whose figures a re-run contradicts is called disputed by every command that shows them.
#include "tests/cli/cli_run.h"
#include "tests/test_program.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

class TestDisputedCandidate : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString session() const { return m_folder.filePath(u"demo.tilewright"_s); }
    Run cli(const QStringList& arguments) const { return runToItsEnd(environmentIn(m_folder), arguments); }

    static QByteArray lineWith(const Run& run, const QByteArray& start)
    {
        for (const QByteArray& line : run.out.split('\n'))
            if (line.startsWith(start))
                return line;
        return {};
    }
    static bool isReason(const QString& text)
    {
        return text.startsWith(
                   u"Disputed: a re-run of c-0122 (evaluation 110, against c-0079) contradicts its figures: "_s)
            && text.contains(u"its score was 38.663 [36.939, 39.313] and is 32.784 [31.795, 33.886] now"_s)
            && text.contains(u"re-run both, paired: control FILE rerun c-0122 --against c-0035"_s)
            && text.endsWith(u'.');
    }

private Q_SLOTS:
    void initTestCase()
    {
        const Run run = cli({u"demo"_s, u"gemm-cpu"_s, u"--to"_s, session()});
        QVERIFY2(run.exitCode == Run::good, run.err);
    }

    void theListNamesItInTheOutcomeColumn()
    {
        for (const QStringList& words : {QStringList{}, QStringList{u"--all"_s}}) {
            const Run run = cli(QStringList{u"show"_s, session()} + words);
            QVERIFY2(lineWith(run, "c-0122").contains(" disputed "), run.out);
            QVERIFY2(lineWith(run, "c-0035").contains(" ranked "), run.out);
            QVERIFY2(lineWith(run, "disputed: ").contains("--evidence"), run.out);
        }
        const Run few = cli({u"show"_s, session(), u"--top"_s, u"2"_s});
        QVERIFY2(few.exitCode == Run::good && !few.out.contains("disputed"), few.out);
    }

    void aHigherScoreBelowTheBestIsExplained()
    {
        const Run run = cli({u"show"_s, session()});
        const QByteArray note = lineWith(run, "confirmed with a higher score than the best: ");
        QVERIFY2(note.contains(": c-0122 (neutral beside c-0035, 1.02× [1.01, 1.02]); the direct comparison"), run.out);
        QVERIFY2(note.contains("scores of different times are not comparable"), run.out);
        const Run few = cli({u"show"_s, session(), u"--top"_s, u"2"_s}); // the best, and one that was only screened
        QVERIFY2(lineWith(few, "confirmed with").isEmpty() && !lineWith(few, "~: ").isEmpty(), few.out);
    }

    void itsEvidenceBeginsWithTheReason()
    {
        const Run text = cli({u"show"_s, session(), u"--evidence"_s, u"c-0122"_s});
        QVERIFY2(isReason(QString::fromUtf8(text.out.split('\n').first())), text.out);
        const Run json = cli({u"show"_s, session(), u"--evidence"_s, u"c-0122"_s, u"--json"_s});
        QVERIFY2(isReason(json.json()[u"disputed"].toString()), json.out);
        const Run other = cli({u"show"_s, session(), u"--evidence"_s, u"c-0035"_s, u"--json"_s});
        QVERIFY(other.json()[u"disputed"].isNull() && other.json().contains(u"disputed"_s));
    }

    void aComparisonSaysItUnderItsTable()
    {
        const QStringList words{u"compare"_s, u"--session"_s, session(), u"c-0035"_s, u"c-0122"_s};
        const Run text = cli(words);
        const QByteArray line = lineWith(text, "c-0122: ");
        QVERIFY2(isReason(QString::fromUtf8(line.mid(8))), text.out);
        QVERIFY(text.out.indexOf(line) > text.out.indexOf("\nverdict "));
        QVERIFY2(lineWith(text, "c-0035: ").isEmpty(), text.out);
        const QJsonArray programs = cli(words + QStringList{u"--json"_s}).json()[u"programs"].toArray();
        QVERIFY(programs[0].toObject()[u"disputed"].isNull());
        QVERIFY(isReason(programs[1].toObject()[u"disputed"].toString()));
    }

    void blameSaysItAboveItsTable()
    {
        const Run text = cli({u"blame"_s, session(), u"c-0122"_s});
        QVERIFY2(isReason(QString::fromUtf8(text.out.split('\n').first())), text.out.left(400));
        const Run other = cli({u"blame"_s, session(), u"c-0035"_s});
        QVERIFY2(other.out.startsWith("candidate "), other.out.left(400));
        QVERIFY(isReason(cli({u"blame"_s, session(), u"c-0122"_s, u"--json"_s}).json()[u"disputed"].toString()));
    }
};

TILEWRIGHT_TEST(TestDisputedCandidate)
#include "test_disputed_candidate.moc"
