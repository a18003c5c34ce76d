// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of the guided demos, and what each of their steps shows.
#include "core/base/format.h"
#include "core/tensor/known_schemes.h"
#include "ui/lab/game_page.h"
#include "ui/lab/guided_demo.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/steps_page.h"
#include "ui/lab/strassen_page.h"
#include "ui/lab/tiling_page.h"
#include "ui/lab/tunables_page.h"
#include "ui/models/display_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

using Page = LabPage::Page;
using Show = std::function<void(LabPage&)>;

Show scheme(tensor::Scheme (*make)(), int product, int multiply = 20, int add = 1, int levels = 1)
{
    return [=](LabPage& lab) {
        lab.showPage(Page::Strassen);
        lab.lab().setScheme(make());
        lab.lab().setProduct(product);
        lab.strassen().setPrices(multiply, add, levels);
    };
}

tensor::Scheme definition() { return tensor::schoolbook({2, 2, 2}); }

/// What the presenter may say and ask, one text a step.
GuidedDemo withNotes(GuidedDemo demo, const QStringList& notes)
{
    for (std::size_t step = 0; step < demo.steps.size() && step < static_cast<std::size_t>(notes.size()); ++step)
        demo.steps[step].notes = notes[static_cast<qsizetype>(step)];
    return demo;
}

GuidedDemo strassenDemo()
{
    return withNotes(
        {u"strassen"_s, LabPage::tr("Strassen in five minutes"), u"worksheets/strassen.md"_s,
            {{LabPage::tr(
                  "By definition, the product of two 2×2 matrices takes 8 multiplications and 4 additions. Here is the "
                  "first of the eight: A11 B11, which goes into C11."),
                 scheme(definition, 0)},
                {LabPage::tr(
                     "Each entry of C is the sum of two such products. With blocks instead of numbers the same formula "
                     "multiplies large matrices."),
                    scheme(definition, 1)},
                {LabPage::tr("In 1969 Volker Strassen found a way with 7 multiplications. The first product multiplies "
                             "a sum of "
                             "entries of A with a sum of entries of B. It goes into C11 and into C22."),
                    scheme(tensor::strassen, 0)},
                {LabPage::tr(
                     "m5 goes into C12 with + and into C11 with −. What one product has too much for an entry, another "
                     "one takes away again."),
                    scheme(tensor::strassen, 4)},
                {LabPage::tr(
                     "With all seven products every entry of C is complete. C11 = m1 + m4 − m5 + m7: multiply it out, "
                     "and only A11 B11 + A12 B21 is left."),
                    scheme(tensor::strassen, 6)},
                {LabPage::tr("Is it right? The program compares the factor of every product A B in every entry of C: "
                             "4 · 4 · 4 = 64 of them, in exact integers. A single wrong sign would show."),
                    scheme(tensor::strassen, 6)},
                {LabPage::tr("One multiplication is saved, 14 additions are new. If a multiplication costs 20 and an "
                             "addition 1, "
                             "164 become 158."),
                    scheme(tensor::strassen, 6)},
                {LabPage::tr(
                     "If a multiplication costs only 10, Strassen loses. At one level it wins if a multiplication "
                     "costs more than 14 additions. Question: which entries make a multiplication that expensive?"),
                    scheme(tensor::strassen, 6, 10)},
                {LabPage::tr("Winograd's variant computes shared sums once: 15 additions instead of 18. It wins if a "
                             "multiplication costs more than 11 additions."),
                    scheme(tensor::winogradVariant, 0)},
                {LabPage::tr(
                     "Blocks can be multiplied by the same trick, again and again. Then n³ becomes n to the power "
                     "2.807. The plot counts operations; what memory costs it does not know, so where it pays must be "
                     "measured."),
                    scheme(tensor::winogradVariant, 6, 1, 1, 6)}}},
        {LabPage::tr("Have the class write the eight products of a 2×2 product first."),
            LabPage::tr("Blocks: say that the entries may be matrices, as long as the order of factors is kept."),
            LabPage::tr("Strassen set out to prove that eight are needed, and found a scheme with seven."),
            LabPage::tr("Question: m1 brings A11 B22 into C11, where it does not belong. Which product removes it?"),
            LabPage::tr("Expand C11 on the board; it takes a minute."),
            LabPage::tr("Exact means integers, all entries, no samples: a proof by computation."),
            LabPage::tr("Have the class compute 164 and 158 with the costs on the screen."),
            LabPage::tr("Answer: blocks. A product of blocks costs n³, their sum n²."),
            LabPage::tr("Winograd's 15 additions reuse sums. The bound of the rounding error is larger in exchange."),
            LabPage::tr(
                "Where it pays in practice depends on memory: blocks of some hundred rows, and not always then.")});
}

Show gpuTile(const GpuTile& tile)
{
    return [=](LabPage& lab) {
        lab.showPage(Page::Tiling);
        lab.tiling().setDevice(TilingPage::Device::Gpu);
        lab.lab().setGpuTile(tile);
    };
}

Show cpuTile(const CpuTile& tile)
{
    return [=](LabPage& lab) {
        lab.showPage(Page::Tiling);
        lab.tiling().setDevice(TilingPage::Device::Cpu);
        lab.lab().setCpuTile(tile);
    };
}

GuidedDemo tilesDemo()
{
    return withNotes(
        {u"tiles"_s, LabPage::tr("Why tiles have a best size"), u"worksheets/tiles.md"_s,
            {{LabPage::tr("A block of threads computes one tile of C. It reads the rows of A and the columns of B that "
                          "the tile "
                          "needs, slab by slab. The smaller the tile, the more often the same values are read again."),
                 gpuTile({16, 16, 16, 2, 64, 4})},
                {LabPage::tr("A 16×16 tile does 4 operations for each byte that it reads. The roofline shows the "
                             "consequence: far "
                             "left of the ridge, memory sets the pace."),
                    gpuTile({16, 16, 16, 2, 64, 4})},
                {LabPage::tr("Twice the side gives twice the operations per byte. 32×32 is still left of the ridge."),
                    gpuTile({32, 32, 16, 2, 64, 4})},
                {LabPage::tr("128×128 lies right of the ridge: now the arithmetic units can be kept busy. Each thread "
                             "holds a part "
                             "of the tile in its registers."),
                    gpuTile({128, 128, 16, 3, 256, 4})},
                {LabPage::tr("128×256 is better still, but look at the registers: 128 sums a thread, and only one "
                             "block fits on a "
                             "multiprocessor."),
                    gpuTile({128, 256, 16, 3, 256, 4})},
                {LabPage::tr(
                     "256×256 with 256 threads needs more registers than a thread can have. The compiler keeps sums in "
                     "memory, and the gain is lost: the tile is too large."),
                    gpuTile({256, 256, 16, 2, 256, 4})},
                {LabPage::tr("Shared memory is the other limit: 6 stages of slabs with BK = 64 do not fit."),
                    gpuTile({128, 256, 64, 6, 256, 4})},
                {LabPage::tr("A CPU core has the same conflict. 2×16 sums are too few: the core waits for each result "
                             "before it can "
                             "add to it again."),
                    cpuTile({2, 16, 256, 96, 4096, 4})},
                {LabPage::tr(
                     "14×48 sums are too many for its vector registers. Between the two lies the best size, and where "
                     "exactly is measured, not computed."),
                    cpuTile({14, 48, 256, 96, 4096, 4})},
                {LabPage::tr(
                     "Open a session (the demo of the CPU task has one) and choose MR or NR here: every point is a "
                     "measured "
                     "program, and the line through the best of each value has a top."),
                    [](LabPage& lab) { lab.showPage(Page::Tunables); }}}},
        {LabPage::tr("Play the animation once before you speak."),
            LabPage::tr("Compute 2 · 16 · 16 / (32 · 4) on the board."),
            LabPage::tr("Doubling the side doubles the operations per byte: volume grows faster than surface."),
            LabPage::tr("The ridge is peak divided by bandwidth. Question: where is it for your own machine?"),
            LabPage::tr("Occupancy is low, and the kernel is still fast: many independent sums hide the latency."),
            LabPage::tr("Spilled registers go to memory and cause the traffic that the tile should avoid."),
            LabPage::tr("Have the class compute the bytes of 6 stages with BK = 64."),
            LabPage::tr("Latency times throughput: 4 cycles · 2 per cycle = 8 independent sums."),
            LabPage::tr("Good sizes form a range. Measure fills the map and shows the best ones."),
            LabPage::tr("Each point differs in other constants too. Question: which measurement would show the effect "
                        "of MR alone?")});
}

tensor::GameMove moveOf(const tensor::Scheme& scheme, int product)
{
    tensor::GameMove move;
    const auto take = [&](const tensor::Factor& factor, std::vector<int>& into) {
        for (int entry = 0; entry < factor.entries(); ++entry)
            into.push_back(static_cast<int>(factor.at(entry, product).re));
    };
    take(scheme.u, move.u);
    take(scheme.v, move.v);
    take(scheme.w, move.w);
    return move;
}

Show gameAfter(tensor::Scheme (*make)(), int moves)
{
    return [=](LabPage& lab) {
        lab.showPage(Page::Game);
        std::vector<tensor::GameMove> played;
        const tensor::Scheme scheme = make();
        for (int product = 0; product < moves; ++product)
            played.push_back(moveOf(scheme, product));
        lab.game().replay({2, 2, 2}, played);
    };
}

GuidedDemo gameDemo()
{
    return withNotes(
        {u"game"_s, LabPage::tr("The tensor game"), u"worksheets/tensor-game.md"_s,
            {{LabPage::tr("The tensor of the 2×2 product: a 1 wherever an entry of A times an entry of B is part of an "
                          "entry of C. "
                          "There are 8 of them."),
                 gameAfter(definition, 0)},
                {LabPage::tr("A move subtracts one product: a sum of entries of A, times a sum of entries of B, into "
                             "some entries "
                             "of C. This one is A11 B11 into C11. It removes a single 1."),
                    gameAfter(definition, 1)},
                {LabPage::tr(
                     "Eight such moves end the game. That is the definition of the product: 8 multiplications."),
                    gameAfter(definition, 8)},
                {LabPage::tr("The aim is fewer moves. Strassen's first move makes things worse at first: it changes "
                             "many entries, "
                             "and more of them are not zero than before."),
                    gameAfter(tensor::strassen, 1)},
                {LabPage::tr(
                     "After four moves, the residual still has many entries. A player who always chooses the move "
                     "that clears the most entries never reaches this position. This makes the game hard."),
                    gameAfter(tensor::strassen, 4)},
                {LabPage::tr(
                     "The seventh move ends it. Seven moves are seven multiplications, and Show as scheme makes a "
                     "scheme of "
                     "them."),
                    gameAfter(tensor::strassen, 7)},
                {LabPage::tr("Now you. Click coefficients, or type a move; Hint shows a move of the shortest solution "
                             "that a search finds. "
                             "DeepMind's AlphaTensor (2022) learned this game and found schemes that nobody knew."),
                    gameAfter(tensor::strassen, 0)}}},
        {LabPage::tr("Three directions: entries of A, of B, of C. Count the ones with the class."),
            LabPage::tr("Rank one: an outer product of three vectors."),
            LabPage::tr("Each move removes one of the 8 entries, so 8 moves are needed."),
            LabPage::tr(
                "Count the entries before and after: there are more. The first move of the best solution looks bad."),
            LabPage::tr("A greedy player fails here. Question: in which other puzzles does a greedy choice fail?"),
            LabPage::tr("Seven is the minimum: that six are not enough was proved in 1971."),
            LabPage::tr("Give five minutes. Search from here completes a game that is stuck.")});
}

constexpr const char* recordedTask = "gemm-fp32-cpu";

/// The scores over a tunable of the recorded session. It is opened unless another session is open, which stays.
Show recorded(const char* tunable)
{
    return [=](LabPage& lab) {
        lab.showPage(Page::Tunables);
        lab.wantRecordedSession();
        lab.tunables().choose(tunable);
    };
}

/// Why there are no recorded figures; "" where there are.
QString missingRecord(const LabPage& lab)
{
    const Snapshot& session = lab.session();
    if (session.pack && session.pack->task.name == recordedTask && session.run.best())
        return {};
    return !session.pack ? LabPage::tr("The recorded session is being opened.")
                         : LabPage::tr("Another session is open. Close it, or open the demo from the File menu, to see "
                                       "the recorded figures.");
}

QString deviceOf(const RunState& run)
{
    const nlohmann::json facts = deviceFactsOf(run);
    const auto name = facts.is_object() ? facts.find("name") : facts.end();
    return facts.is_object() && name != facts.end() && name->is_string() ? text(name->get<std::string>())
                                                                         : LabPage::tr("an unknown device");
}

/// As the page beside it counts them.
bool isCounted(const Candidate& candidate)
{
    return candidate.isRanked() && !candidate.migrated && !candidate.takenBack;
}

QString recordedBest(LabPage& lab)
{
    if (const QString missing = missingRecord(lab); !missing.isEmpty())
        return missing;
    const RunState& run = lab.session().run;
    const Candidate& best = *run.best();
    const auto ranked = std::ranges::count_if(run.candidates, isCounted);
    const QString device = deviceOf(run), count = QString::number(ranked), name = nameOfCandidate(best.id),
                  score = text(timesText(*best.score));
    return best.vsVendor
        ? LabPage::tr("Recorded on %1: %2 ranked candidates; the best, %3, has %4 the speed of the seed and %5 that of "
                      "OpenBLAS.")
              .arg(device, count, name, score, text(timesText(*best.vsVendor)))
        : LabPage::tr("Recorded on %1: %2 ranked candidates; the best, %3, has %4 the speed of the seed.")
              .arg(device, count, name, score);
}

/// A step of the recorded session's way to its best program; `last`: the last one.
constexpr int last = 1 << 20;

Show recordedStep(int step)
{
    return [=](LabPage& lab) {
        lab.showPage(Page::Steps);
        lab.wantRecordedSession();
        lab.steps().choose(step);
    };
}

/// What the step gained, as the session recorded it.
QString gainOfStep(LabPage& lab)
{
    if (const QString missing = missingRecord(lab); !missing.isEmpty())
        return missing;
    const auto& steps = lab.steps().steps();
    if (steps.empty())
        return {};
    const KernelStep& step = steps[static_cast<std::size_t>(lab.steps().step())];
    const QString device = deviceOf(lab.session().run), name = nameOfCandidate(step.candidate),
                  score = text(timesText(step.score));
    return step.change ? LabPage::tr("Recorded on %1: %2 has %3 the speed of the seed, and %4 that of the step before.")
                             .arg(device, name, score, text(timesText(step.change->ratio)))
                       : LabPage::tr("Recorded on %1: %2 is the seed, whose speed is 1.").arg(device, name);
}

GuidedDemo kernelDemo()
{
    const auto step = [](int number, const QString& caption) {
        return DemoStep{caption, recordedStep(number), {}, gainOfStep};
    };
    return withNotes(
        {u"kernel"_s, LabPage::tr("How a kernel got fast"), u"worksheets/kernel.md"_s,
            {{LabPage::tr("A recorded run on one CPU core. It begins with a program that computes C one number at a "
                          "time. Every point of the plot is a program that was built, checked and timed."),
                 recordedStep(0), {}, recordedBest},
                step(1,
                    LabPage::tr("Loop order. The seed reads B down a column, and each number comes from another cache "
                                "line. With NR columns of C at once the inner loop reads a row of B in order, and the "
                                "compiler can use vectors.")),
                step(2,
                    LabPage::tr("Tiles. With MR rows of C at once, each number loaded from B is used MR times. But the "
                                "bounds of the inner loops are not constants: the sums stay in memory.")),
                step(3,
                    LabPage::tr(
                        "Packing B. A tile reads a few columns of B, which lie a whole row apart. A copy in the "
                        "order of use is read front to back. Making it costs time on every launch.")),
                step(4,
                    LabPage::tr("Packing A. On its own, this step may gain nothing. It fills the last tile up with "
                                "zeros, so that every tile is a whole one: the next step needs that.")),
                step(5,
                    LabPage::tr(
                        "Registers. Both bounds of a tile are constants now. The compiler unrolls the loops and "
                        "keeps all MR × NR sums in registers for the whole depth.")),
                step(6,
                    LabPage::tr("Vectors. The program says what the compiler had to find before: load B, broadcast one "
                                "number of A for each row, multiply and add. Compare the two loops in the change.")),
                step(7,
                    LabPage::tr("A larger tile in registers. More sums per load, until the sums no longer fit. On "
                                "AVX-512, 6 rows of 48 columns take 18 of the 32 vector registers.")),
                step(8,
                    LabPage::tr(
                        "Cache blocks. KC cuts the depth so that panels of B stay in the fastest caches; MC cuts "
                        "the rows so that the block of A stays in L2.")),
                step(9,
                    LabPage::tr(
                        "Storing C. The first block of depth writes over C, so nothing is cleared before. Whole "
                        "tiles are stored with bounds that are known.")),
                step(last,
                    LabPage::tr("Tuning. The program stays as it is, and the tuner tries other values of MR, NR, KC "
                                "and MC. Each version is a candidate of its own.")),
                {LabPage::tr(
                     "All constants at once, on the right: a line is one program, and its colour is its score. The "
                     "good ones run together through some axes, and spread out on those that matter little."),
                    recorded("NR"), {}, recordedBest},
                {LabPage::tr(
                     "Candidates differ in several constants, so this plot does not show the effect of one alone. "
                     "Measure in the tiling explorer varies two constants and keeps the others. Question: which "
                     "two would you sweep first?"),
                    cpuTile({10, 48, 256, 192, 4096, 4}), {}, {}}}},
        {LabPage::tr(
             "Ask before the figure: how many times faster can the same arithmetic become, with the same compiler on "
             "the same core?"),
            LabPage::tr("One line of the program changes. Let the class guess the gain before you show it."),
            LabPage::tr(
                "Draw the inner loop with MR = 1 and MR = 4 on the board, and count loads for each multiply-add."),
            LabPage::tr("Ask for which shapes a copy of B pays: those where many rows of C use it."),
            LabPage::tr("A step that gains nothing can still be right. Ask how a search finds the step behind it."),
            LabPage::tr("Show the change: two bounds became constants. Ask why the compiler could not do this before."),
            LabPage::tr("On AVX-512 a vector holds 16 floats, on AVX2 8. Ask what NR must be a multiple of."),
            LabPage::tr("Let the class compute the registers of MR 10 and NR 48: 30 for the sums, at least 3 for B."),
            LabPage::tr("Compare MC · KC · 4 bytes with the L2 cache in the list of figures on the tiling page."),
            LabPage::tr("Ask which shapes gain most: those with a short depth, where storing is a large share."),
            LabPage::tr("The steps are small now. Ask whether their 95 % intervals overlap, and what follows."),
            LabPage::tr(
                "Drag along the score's axis near its top: what is left shows which constants the good ones share."),
            LabPage::tr("A sweep of the map takes some minutes. Start it before the break, or show a recorded one.")});
}

} // namespace

const std::vector<GuidedDemo>& guidedDemos()
{
    static const std::vector<GuidedDemo> all{
        strassenDemo(), schemeToKernelDemo(), tilesDemo(), gameDemo(), kernelDemo()};
    return all;
}

} // namespace tilewright::ui
