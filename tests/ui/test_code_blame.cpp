// SPDX-License-Identifier: GPL-3.0-or-later
// The column beside the code that says who brought each line: what it says of which line, that it follows the selection
// and the measurements of a run, what a click and the keys do, and that a text which is missing is said.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/theatre.h"
#include "ui/evolve/candidate_inspector.h"
#include "ui/evolve/code_blame.h"
#include "ui/evolve/evolve_page.h"
#include "ui/widgets/code_view.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

struct BlameStage : Theatre {
    CandidateId child, other;

    BlameStage()
        : Theatre(60)
    {
        open();
        for (const Candidate& candidate : run.state().candidates) {
            if (candidate.migrated || !candidate.isRanked() || candidate.parents.empty())
                continue;
            other = child;
            child = candidate.id;
        }
        window->showScreen(u"evolve"_s);
        window->evolve().inspector().setTab(TextTabs::Code);
    }
    /// The program of `child`, a line of `other`, and one of its own; nothing can grow after it.
    CandidateId cross()
    {
        const auto textOf
            = [this](CandidateId id) { return run.text(run.state().candidate(id)->source).toStdString(); };
        Candidate made;
        made.id = {static_cast<std::int64_t>(run.state().candidates.size()) + 1};
        made.island = {1};
        made.generation = 99;
        made.parents = {child, other};
        const std::string taken = textOf(other);
        made.source = run.store(textOf(child) + taken.substr(taken.rfind('\n', taken.size() - 2) + 1) + "// own\n");
        made.program = made.source;
        run.record(events::CandidateMade{made});
        open();
        return made.id;
    }
    void look(CandidateId candidate, bool withBlame = true)
    {
        window->selection().select(candidate);
        window->actions()[u"view.blame"_s].setChecked(withBlame);
    }
    CodeView& code() { return *find<CodeView>(u"codeView"_s); }
    NoteColumn& column() { return code().noteColumn(); }
    CodeBlame& blame() { return *window->findChild<CodeBlame*>(); }
    bool isShown()
    {
        return QTest::qWaitFor([this] { return !column().notes().empty(); }, patience);
    }
    /// Worked out here, from the same run.
    Blame expected(CandidateId candidate)
    {
        return blameOf(run.state(), candidate, [this](const Hash& hash) -> Result<std::string> {
            return run.text(hash).toStdString();
        }).value();
    }
    void clickLine(int line)
    {
        const QRectF box = code().cursorRect(QTextCursor(code().document()->findBlockByNumber(line - 1)));
        QTest::mouseClick(&column(), Qt::LeftButton, {}, QPoint(column().width() / 2, box.toRect().center().y()));
    }
    /// A line of a candidate that another one brought; 0: none.
    int foreignLineOf(CandidateId candidate)
    {
        const Blame blame = expected(candidate);
        for (std::size_t i = 0; i < blame.origins.lines.size(); ++i)
            if (blame.origins.lines[i].candidate != candidate)
                return static_cast<int>(i) + 1;
        return 0;
    }
};

} // namespace

class TestCodeBlame : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyLineNamesWhoBroughtIt_data()
    {
        QTest::addColumn<int>("which");
        QTest::newRow("the seed") << 0;
        QTest::newRow("a child") << 1;
        QTest::newRow("a crossover") << 2;
    }

    void everyLineNamesWhoBroughtIt()
    {
        QFETCH(int, which);
        BlameStage stage;
        const CandidateId candidate = which == 0 ? CandidateId{1} : which == 1 ? stage.child : stage.cross();
        stage.look(candidate);
        QVERIFY(stage.isShown());
        const Blame blame = stage.expected(candidate);
        const std::vector<LineNote>& notes = stage.column().notes();
        QCOMPARE(notes.size(), blame.origins.lines.size());
        if (which == 2) {
            QCOMPARE(notes[notes.size() - 2].origin, stage.other.value);
            QCOMPARE(notes.back().origin, candidate.value);
        }
        for (std::size_t i = 0; i < notes.size(); ++i) {
            const Provenance& brought = blame.provenance.at(blame.origins.lines[i].candidate);
            QCOMPARE(notes[i].origin, brought.candidate.value);
            QCOMPARE(notes[i].isNew, brought.candidate == candidate);
            for (const std::string& part : {candidateName(brought.candidate), brought.author, gainText(brought.gain),
                     promptText(brought), costText(brought)}) {
                QVERIFY2(notes[i].words.contains(QString::fromStdString(part)), part.c_str());
                QVERIFY2(notes[i].whole.contains(QString::fromStdString(part)), part.c_str());
            }
        }
    }

    void nothingIsAskedForWhileItIsOff()
    {
        BlameStage stage;
        stage.look(stage.child, false);
        QTRY_VERIFY_WITH_TIMEOUT(!stage.code().lines().empty(), patience);
        QCOMPARE(stage.blame().state(), CodeBlame::State::Off);
        QVERIFY(stage.column().notes().empty());
        QVERIFY(!stage.column().isVisible());
        stage.find<QPushButton>(u"blameToggle"_s)->click();
        QVERIFY(stage.window->actions()[u"view.blame"_s].isChecked());
        QCOMPARE(stage.blame().state(), CodeBlame::State::Computing);
        QVERIFY(!stage.find<QLabel>(u"blameState"_s)->text().isEmpty());
        QVERIFY(stage.isShown());
        QVERIFY(stage.column().isVisible());
        stage.find<QPushButton>(u"blameToggle"_s)->click();
        QVERIFY(stage.column().notes().empty());
    }

    void theNewestSelectionIsTheOneThatIsBlamed()
    {
        BlameStage stage;
        stage.look(stage.child);
        stage.look(CandidateId{1}); // before the answer for the other
        QVERIFY(stage.isShown());
        QCOMPARE(stage.column().notes().size(), stage.code().lines().size());
        for (const LineNote& note : stage.column().notes())
            QCOMPARE(note.origin, 1);
    }

    void aClickShowsTheLineWhereItCameFrom()
    {
        BlameStage stage;
        stage.look(stage.child);
        QVERIFY(stage.isShown());
        const int line = stage.foreignLineOf(stage.child);
        QVERIFY(line > 0);
        const LineOrigin origin = stage.expected(stage.child).origins.lines[static_cast<std::size_t>(line - 1)];
        stage.code().goToLine(line);
        stage.clickLine(line);
        QCOMPARE(stage.window->selection().current(), origin.candidate);
        QTRY_VERIFY_WITH_TIMEOUT(std::ranges::any_of(stage.code().lines(),
                                     [&](const CodeLine& each) {
                                         return each.isChosen && each.number == static_cast<int>(origin.line) + 1;
                                     }),
            patience);
    }

    void theKeysStepThroughTheBlocksAndReadThemAloud()
    {
        BlameStage stage;
        stage.look(stage.child);
        QVERIFY(stage.isShown());
        NoteColumn& column = stage.column();
        QVERIFY(!column.accessibleName().isEmpty());
        QTest::keyClick(&column, Qt::Key_Home);
        const std::vector<LineNote> notes = column.notes();
        QCOMPARE(column.currentLine(), 1);
        QCOMPARE(column.accessibleDescription(), notes[0].whole);
        int line = 1;
        for (std::size_t i = 1; i < notes.size(); ++i)
            if (notes[i].origin != notes[i - 1].origin) {
                QTest::keyClick(&column, Qt::Key_Down);
                line = static_cast<int>(i) + 1;
                QCOMPARE(column.currentLine(), line);
                QCOMPARE(column.accessibleDescription(), notes[i].whole);
            }
        QVERIFY(line > 1);
        QTest::keyClick(&column, Qt::Key_Down); // the last one: it stays
        QCOMPARE(column.currentLine(), line);
        QTest::keyClick(&column, Qt::Key_Up);
        QVERIFY(column.currentLine() < line);
        const std::int64_t origin = notes[static_cast<std::size_t>(column.currentLine() - 1)].origin;
        QTest::keyClick(&column, Qt::Key_Return);
        QCOMPARE(stage.window->selection().current().value, origin);
    }

    void aTextThatIsMissingIsSaid()
    {
        BlameStage stage;
        FixtureRun nothing; // has the seed alone
        stage.client.fixture = &nothing;
        stage.look(stage.child);
        QTRY_COMPARE_WITH_TIMEOUT(stage.blame().state(), CodeBlame::State::Failed, patience);
        QVERIFY(!stage.find<QLabel>(u"blameState"_s)->text().isEmpty());
        QVERIFY(stage.column().notes().empty());
    }

    void aRunThatGoesOnKeepsTheColumn()
    {
        BlameStage stage;
        stage.look(stage.child);
        QVERIFY(stage.isShown());
        const std::vector<LineNote> before = stage.column().notes();
        stage.run.grow(10);
        stage.client.publish(stage.run.snapshot());
        QCOMPARE(stage.blame().state(), CodeBlame::State::Shown);
        QCOMPARE(stage.column().notes().size(), before.size());
    }
};

TILEWRIGHT_TEST(TestCodeBlame)

#include "test_code_blame.moc"
