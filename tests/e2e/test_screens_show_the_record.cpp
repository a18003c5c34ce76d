// SPDX-License-Identifier: GPL-3.0-or-later
// Review, prompts, lineage, niches, statistics and runs of the shipped demo, and what is chosen and listed on Welcome,
// equal what `tilewright-cli show --json` says of the same file.
#include "tests/e2e/stage.h"
#include "tests/patience.h"
#include "ui/models/display_text.h"
#include "ui/prompts/prompts_page.h"
#include "ui/prompts/templates_page.h"
#include "ui/review/review_page.h"
#include "ui/theme/theme.h"
#include "ui/welcome/recent_row.h"
#include "ui/widgets/table.h"

#include <QCheckBox>
#include <QComboBox>
#include <QJsonArray>
#include <QLabel>
#include <QListView>
#include <QSpinBox>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

const QString none = u"–"_s;

QString timesOf(const QJsonValue& figure) { return figure.isDouble() ? times(figure.toDouble()) : none; }
QString percentOf(const QJsonValue& part) { return part.isDouble() ? percent(part.toDouble()) : none; }

/// Of a candidate of the record: with its sign while it is provisional; the seed is the baseline itself.
QString scoreOf(const QJsonObject& candidate)
{
    const bool isProvisional
        = candidate[u"score"].isDouble() && !candidate[u"confirmed"].toBool() && candidate[u"id"] != u"c-0001"_s;
    return (isProvisional ? u"≈ "_s : QString()) + timesOf(candidate[u"score"]);
}

/// The text below the column of that name.
QString under(const QAbstractItemModel& model, int row, const QString& name)
{
    for (int column = 0; column < model.columnCount(); ++column)
        if (model.headerData(column, Qt::Horizontal).toString() == name)
            return model.index(row, column).data().toString();
    return u"no column "_s + name;
}

QJsonObject objectWith(const QJsonArray& all, const QString& key, const QJsonValue& value)
{
    for (const QJsonValue& one : all)
        if (one[key] == value)
            return one.toObject();
    return {};
}

} // namespace

class TestScreensShowTheRecord : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_stage = std::make_unique<test::Stage>();
        m_stage->window->openDemo(u"gemm-cpu"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_stage->window->session().isOpen(), patience);
        m_record = test::recordOf(*m_stage);
        QVERIFY(m_record[u"candidate_count"].toInt() > 100);
    }
    void cleanupTestCase() { m_stage.reset(); }

    void whatWaitsAndWhatWasDecided()
    {
        m_stage->window->showScreen(u"review"_s);
        QStringList waiting;
        QMap<qint64, QString> decidedAt; // by the event that brought the word
        const QJsonArray reviews = m_record[u"review"][u"reviews"].toArray();
        for (const QJsonValue& review : reviews) {
            const QString decision = review[u"decision"].toString();
            const qint64 at = review[u"decided_by_event"].toInteger();
            if (review[u"undone"].toBool())
                continue; // no word any more
            if (decision == u"waiting"_s || decision == u"deferred"_s)
                waiting << review[u"candidate"].toString();
            else
                decidedAt[at] = u"%1 · %2"_s.arg(review[u"candidate"].toString(),
                    decision == u"edited"_s ? u"edited → "_s + review[u"edited"].toString() : decision);
        }
        QStringList decided = decidedAt.values();
        std::ranges::reverse(decided); // the newest first
        QVERIFY(!waiting.isEmpty() && decided.size() > 5);
        const auto texts = [this](const QString& list) {
            QStringList said;
            const auto* model = m_stage->find<QListView>(list)->model();
            for (int row = 0; row < model->rowCount(); ++row)
                said << model->index(row, 0).data().toString();
            return said;
        };
        QCOMPARE(texts(u"reviewDecided"_s), decided);
        const QStringList queue = texts(u"reviewQueue"_s);
        QCOMPARE(queue.size(), waiting.size());
        for (qsizetype i = 0; i < queue.size(); ++i)
            QVERIFY2(queue[i].startsWith(waiting[i] + u" · "_s), qPrintable(queue[i]));
        QCOMPARE(m_stage->window->session().run().settings.reviewLimit, m_record[u"review"][u"limit"].toInt());
    }

    void theEditThatIsReadAndWhatSpeaksForAndAgainstIt()
    {
        m_stage->window->showScreen(u"review"_s);
        const QJsonArray candidates = m_record[u"candidates"].toArray(), islands = m_record[u"islands"].toArray();
        const QJsonArray reviews = m_record[u"review"][u"reviews"].toArray();
        int read = 0, withRisks = 0;
        for (const QJsonValue& review : reviews) {
            if (review[u"undone"].toBool())
                continue;
            const QString name = review[u"candidate"].toString();
            const QJsonObject candidate = objectWith(candidates, u"id"_s, name);
            m_stage->window->review().choose(candidateFromName(name.toStdString()));
            QCoreApplication::processEvents(); // the lines of checks are laid out
            QCOMPARE(m_stage->find<QLabel>(u"reviewCandidate"_s)->text(), name);
            QStringList parents, risks, told;
            for (const QJsonValue& parent : candidate[u"parents"].toArray())
                parents << parent.toString();
            const QString island = objectWith(islands, u"id"_s, candidate[u"island"])[u"name"].toString();
            const QString about = m_stage->find<QLabel>(u"reviewAbout"_s)->text();
            const QString expected = u"%1 · child of %2 · %3, %4"_s.arg(
                island, parents.join(u" × "_s), candidate[u"proposer"].toString(), candidate[u"focus"].toString());
            QVERIFY2(about.startsWith(expected), qPrintable(about + u" is not "_s + expected));
            for (const QJsonValue& risk : review[u"risks"].toArray())
                risks << u"Risk: "_s + risk.toString();
            const auto lines = m_stage->find<QWidget>(u"checkList"_s)->findChildren<QLabel*>();
            for (const QLabel* line : lines)
                if (line->isVisible() && line->text().startsWith(u"Risk: "_s))
                    told << line->text();
            QCOMPARE(told, risks);
            const bool repaired = !candidate[u"repairs"].toArray().isEmpty();
            const bool toTheLetter = std::ranges::any_of(
                lines, [](const QLabel* line) { return line->isVisible() && line->text() == u"cleanly"_s; });
            QCOMPARE(toTheLetter, !repaired);
            ++read;
            withRisks += !risks.isEmpty();
        }
        QVERIFY(read > 5 && withRisks > 0);
    }

    void versionsOfATemplateAndWhatTheyBrought()
    {
        m_stage->window->showScreen(u"prompts"_s);
        m_stage->window->prompts().templates().choose({{}, "exploit"});
        const auto* versions = m_stage->find<Table>(u"templateVersions"_s)->model();
        const QJsonObject saved = objectWith(m_record[u"templates"].toArray(), u"template"_s, u"exploit"_s);
        QCOMPARE(versions->rowCount(), 2); // that one, and as shipped
        QCOMPARE(under(*versions, 0, u"Version"_s), u"v%1, active, unused"_s.arg(saved[u"version"].toInt()));
        QCOMPARE(under(*versions, 0, u"Description"_s), saved[u"note"].toString());
        QCOMPARE(under(*versions, 0, u"Since"_s), u"evaluation %1"_s.arg(saved[u"evaluations"].toInt()));
        // By the text as a whole, which parts of other templates belong to: a number of the version is not recorded.
        QStringList recorded, shown;
        const QJsonArray statistics = m_record[u"statistics"][u"by_template"].toArray();
        for (const QJsonValue& each : statistics)
            if (each[u"template"] == u"exploit"_s)
                recorded << grouped(each[u"asked"].toInteger()) + u' '
                        + (each[u"proposals"].toInteger() == 0
                                ? none
                                : u"%1 of %2"_s.arg(
                                    grouped(each[u"applied"].toInteger()), grouped(each[u"proposals"].toInteger())));
        for (int row = 0; row < versions->rowCount(); ++row)
            shown << under(*versions, row, u"Requests"_s) + u' '
                    + under(*versions, row, u"Applied"_s).section(u" ["_s, 0, 0);
        recorded.sort();
        shown.sort();
        QCOMPARE(shown, recorded);
    }

    void everyCandidateOfTheLineage()
    {
        m_stage->window->showScreen(u"evolve"_s);
        QAction& twin = m_stage->window->actions()[u"view.table"_s];
        if (!twin.isChecked())
            twin.trigger();
        const auto* lineage = m_stage->find<Table>(u"lineageTable"_s)->model();
        const QJsonArray candidates = m_record[u"candidates"].toArray();
        QCOMPARE(lineage->rowCount(), static_cast<int>(candidates.size()));
        const QString library = m_record[u"best"][u"vendor_library"][u"name"].toString();
        const QString vendorHeading = u"× "_s + (library.isEmpty() ? u"vendor library"_s : library);
        for (int row = 0; row < lineage->rowCount(); ++row) {
            const QString name = under(*lineage, row, u"Candidate"_s);
            const QJsonObject recorded = objectWith(candidates, u"id"_s, name);
            QVERIFY2(!recorded.isEmpty(), qPrintable(name));
            QCOMPARE(under(*lineage, row, u"Island"_s), recorded[u"island"].toString());
            QCOMPARE(under(*lineage, row, u"Gen"_s), QString::number(recorded[u"generation"].toInt()));
            const bool isProvisional
                = recorded[u"score"].isDouble() && !recorded[u"confirmed"].toBool() && name != u"c-0001"_s;
            QCOMPARE(
                under(*lineage, row, u"Score"_s), (isProvisional ? u"≈ "_s : QString()) + timesOf(recorded[u"score"]));
            QCOMPARE(under(*lineage, row, vendorHeading), timesOf(recorded[u"vs_vendor"]));
        }
    }

    void theBestOfEachNiche()
    {
        const auto* niches = m_stage->find<Table>(u"nicheTable"_s)->model();
        const QJsonArray islands = m_record[u"islands"].toArray();
        const QJsonArray candidates = m_record[u"candidates"].toArray();
        const QJsonObject cells = islands[0][u"niches"].toObject();
        QCOMPARE(niches->rowCount(), static_cast<int>(cells.size()));
        QStringList shown, recorded;
        for (int row = 0; row < niches->rowCount(); ++row) {
            const QString name = under(*niches, row, u"Best"_s);
            shown << name;
            QCOMPARE(under(*niches, row, u"Score"_s), scoreOf(objectWith(candidates, u"id"_s, name)));
        }
        for (const QJsonValue& best : cells)
            recorded << best.toString();
        shown.sort();
        recorded.sort();
        QCOMPARE(shown, recorded);
    }

    void whoOfferedWhatAndWhatBecameOfIt()
    {
        const auto* table = m_stage->find<Table>(u"statisticsTable"_s)->model();
        const QJsonArray authors = m_record[u"statistics"][u"by_model"].toArray();
        QCOMPARE(table->rowCount(), static_cast<int>(authors.size()));
        for (int row = 0; row < table->rowCount(); ++row) {
            const QJsonObject author = objectWith(authors, u"model"_s, under(*table, row, u"Name"_s));
            QVERIFY2(!author.isEmpty(), qPrintable(under(*table, row, u"Name"_s)));
            QCOMPARE(under(*table, row, u"Proposals"_s), grouped(author[u"proposals"].toInteger()));
            QCOMPARE(under(*table, row, u"Applied"_s), percentOf(author[u"acceptance_rate"]));
            QCOMPARE(under(*table, row, u"Built"_s), percentOf(author[u"build_rate"]));
            const QString gain = under(*table, row, u"Mean gain, 95 %"_s);
            const QJsonObject mean = author[u"mean_gain"].toObject();
            if (mean.isEmpty())
                QCOMPARE(gain, u"n = %1, too few"_s.arg(author[u"ranked"].toInt()));
            else
                QCOMPARE(gain,
                    u"%1 [%2, %3] n = %4"_s.arg(signedPercent(mean[u"value"].toDouble()),
                        signedPercent(mean[u"lo"].toDouble()), signedPercent(mean[u"hi"].toDouble()),
                        grouped(author[u"ranked"].toInteger())));
        }
    }

    void everyRunOfACandidate()
    {
        const QJsonArray reruns = m_record[u"reruns"].toArray();
        QVERIFY(!reruns.isEmpty());
        const QJsonObject again = reruns[0].toObject(), evaluation = again[u"evaluation"].toObject();
        m_stage->window->selection().select(candidateFromName(again[u"candidate"].toString().toStdString()));
        const auto* runs = m_stage->find<Table>(u"runsTable"_s)->model();
        const QString number = QString::number(evaluation[u"number"].toInt());
        int found = -1;
        for (int row = 0; row < runs->rowCount(); ++row)
            found = under(*runs, row, u"No."_s) == number ? row : found;
        QVERIFY(found >= 0);
        QVERIFY(runs->rowCount() > 1); // added, not in the place of what was measured before
        QCOMPARE(under(*runs, found, u"Purpose"_s), u"re-run"_s);
        QCOMPARE(under(*runs, found, u"Outcome"_s), evaluation[u"outcome"].toString());
        const QJsonValue score = evaluation[u"score"];
        const double value = score[u"value"].toDouble();
        const double half = (score[u"hi"].toDouble() - score[u"lo"].toDouble()) / 2 / value;
        QCOMPARE(under(*runs, found, u"Score"_s), u"%1 ± %2"_s.arg(timesOf(score[u"value"]), percent(half)));
        const QString agreement = under(*runs, found, u"Agreement"_s);
        const bool isDisputed = m_record[u"candidates"]
                                    .toArray()[again[u"candidate"].toString().mid(2).toInt() - 1][u"disputed"]
                                    .toBool();
        QVERIFY2(isDisputed || agreement == u"agrees"_s, qPrintable(agreement));
    }

    void theRowAmongTheRecentSessions()
    {
        m_stage->window->showScreen(u"welcome"_s);
        const QString path = QString::fromStdString(m_stage->window->session().snapshot().status.sessionPath);
        const RecentRow* row = nullptr;
        const auto isLookedAt = [&] {
            for (const RecentRow* each : m_stage->window->findChildren<RecentRow*>())
                if (each->toolTip().startsWith(path))
                    row = each;
            return row && !row->accessibleDescription().isEmpty();
        };
        QTRY_VERIFY_WITH_TIMEOUT(isLookedAt(), patience);
        QCOMPARE(row->accessibleDescription(),
            u"%1 · %2 evaluations, best %3"_s.arg(m_stage->window->session().snapshot().pack
                    ? QString::fromStdString(m_stage->window->session().snapshot().pack->task.title)
                    : QString(),
                grouped(m_record[u"evaluations"].toInteger()), timesOf(m_record[u"best"][u"score"])));
    }

    /// Last: another session is open from here on.
    void whatIsChosenForANewSession()
    {
        m_stage->window->showScreen(u"welcome"_s);
        m_stage->find<QSpinBox>(u"islands"_s)->setValue(2);
        m_stage->find<QSpinBox>(u"seed"_s)->setValue(11);
        m_stage->find<QCheckBox>(u"limitNoGain"_s)->setChecked(true);
        m_stage->find<QSpinBox>(u"noGain"_s)->setValue(23);
        for (const QString& card : {u"review:every"_s, u"proposer:manual"_s}) {
            auto* choice = m_stage->find<QAbstractButton>(card);
            choice->setFocus();
            QTest::keyClick(choice, Qt::Key_Space);
            QVERIFY(choice->isChecked());
        }
        auto* ways = m_stage->find<QComboBox>(u"migrationChoice"_s);
        ways->setFocus();
        QTest::keyClick(ways, Qt::Key_Down);
        QCOMPARE(ways->currentText(), u"off"_s);
        auto* aim = m_stage->find<QComboBox>(u"aimOf:B"_s);
        aim->setFocus();
        QTest::keyClick(aim, Qt::Key_Down);
        const QString aimed = aim->currentText();
        QVERIFY2(aimed.startsWith(u"only "_s), qPrintable(aimed));
        const QString path = m_stage->file(u"chosen.tilewright"_s);
        QVERIFY(m_stage->create(path, 34, u"createPaused"_s));
        QTRY_COMPARE_WITH_TIMEOUT(
            QString::fromStdString(m_stage->window->session().snapshot().status.sessionPath), path, patience);
        const QJsonObject record = test::recordOf(*m_stage), settings = record[u"settings"].toObject();
        QCOMPARE(settings[u"islands"].toInt(), 2);
        QCOMPARE(settings[u"seed"].toInt(), 11);
        QCOMPARE(settings[u"proposer"].toString(), u"manual"_s);
        QCOMPARE(settings[u"budget"][u"evaluations"].toInt(), 34);
        QCOMPARE(settings[u"budget"][u"no_gain"].toInt(), 23);
        QCOMPARE(settings[u"budget"][u"wall_s"].toDouble(), 0.0);
        QCOMPARE(record[u"review"][u"policy"].toObject(), (QJsonObject{{u"*"_s, u"every"_s}}));
        QCOMPARE(record[u"migration"].toString(), u"off"_s);
        const QJsonArray islands = record[u"islands"].toArray();
        QCOMPARE(islands.size(), 2);
        QVERIFY2(islands[1][u"aim"].toString() == aimed.mid(5), qPrintable(islands[1][u"aim"].toString()));
        QCOMPARE(record[u"evaluations_begun"].toInt(), 0);
    }

private:
    std::unique_ptr<test::Stage> m_stage;
    QJsonObject m_record;
};

int main(int argc, char** argv)
{
    const auto data = tilewright::test::privateDataFolder();
    QApplication app(argc, argv);
    Theme::instance().apply(ThemeKind::Dark);
    TestScreensShowTheRecord test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_screens_show_the_record.moc"
