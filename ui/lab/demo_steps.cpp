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
            {{LabPage::tr("By definition, the product of two 2×2 matrices takes 8 multiplications and 4 additions. "
                          "Here is the first of the eight: A11 B11, which goes into C11."),
                 scheme(definition, 0)},
                {LabPage::tr("Each entry of C is the sum of two such products. The entries may be matrices themselves "
                             "(blocks): the same formula multiplies large matrices, as long as the order of the "
                             "factors is kept."),
                    scheme(definition, 1)},
                {LabPage::tr(
                     "In 1969 Volker Strassen found a scheme with 7 multiplications, m1 to m7. A product is a sum or "
                     "difference of entries of A times one of entries of B. m1 goes into C11 and into C22."),
                    scheme(tensor::strassen, 0)},
                {LabPage::tr("m1 brings A11 B22 into C11, where it does not belong. m5 = (A11 + A12) B22 goes into C11 "
                             "with −, which removes it, and into C12 with +. What −m5 adds, another product removes."),
                    scheme(tensor::strassen, 4)},
                {LabPage::tr("With all seven products, every entry of C is complete. C11 = m1 + m4 − m5 + m7: "
                             "multiplied out, only A11 B11 + A12 B21 is left."),
                    scheme(tensor::strassen, 6)},
                {LabPage::tr(
                     "Is it right for all matrices? Multiplied out, each entry of C is a sum of coefficients times "
                     "A-entry times B-entry. The program compares all 4 · 4 · 4 = 64 coefficients with those of the "
                     "definition, 0 or 1, in exact integers. Equal coefficients mean the same formula."),
                    scheme(tensor::strassen, 6)},
                {LabPage::tr(
                     "One multiplication is saved, and 18 additions and subtractions take the place of 4. Suppose that "
                     "a multiplication costs 20 and an addition 1: 8 · 20 + 4 = 164 become 7 · 20 + 18 = 158."),
                    scheme(tensor::strassen, 6)},
                {LabPage::tr("If a multiplication costs only 10, Strassen's scheme needs 88 and the definition 84. At "
                             "one level, it wins if a multiplication costs more than 14 additions. Question: for which "
                             "entries is that so?"),
                    scheme(tensor::strassen, 6, 10)},
                {LabPage::tr(
                     "Winograd's variant computes sums that several products share only once: 15 additions in place of "
                     "18. It wins over the definition if a multiplication costs more than 11 additions."),
                    scheme(tensor::winogradVariant, 0)},
                {LabPage::tr("Products of blocks can be computed by the same scheme, level by level. Each time n "
                             "halves there are 7 products in place of 8, so the operations for n×n matrices grow as n "
                             "to the power log2 7 = 2.807 instead of n³. The plot counts operations only; memory costs "
                             "time as well, so measure where it pays."),
                    scheme(tensor::winogradVariant, 6, 1, 1, 6)}}},
        {LabPage::tr("Have the class write the eight products of a 2×2 product first."),
            LabPage::tr(
                "Say that A11 B11 with blocks is a whole matrix product, and that B11 A11 would be another one."),
            LabPage::tr("Strassen set out to prove that eight are needed, and found a scheme with seven."),
            LabPage::tr("Question: −m5 brings −A12 B22 into C11. Which product removes it? (m7)"),
            LabPage::tr("Expand C11 on the board; it takes a minute."),
            LabPage::tr("Exact means integers, all coefficients, no samples: a proof by computation. It holds for "
                        "blocks too: no step swaps factors."),
            LabPage::tr("Have the class compute 164 and 158 before you show them."),
            LabPage::tr(
                "Answer: blocks. The product of two blocks of size s takes about 2s³ operations, their sum s²."),
            LabPage::tr("The bound of its rounding error is larger than that of Strassen's scheme."),
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

Show measuredMap(const GpuTile& tile)
{
    return [=](LabPage& lab) {
        gpuTile(tile)(lab);
        lab.tiling().map().setMeasured(true);
    };
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

GuidedDemo tilesDemo()
{
    return withNotes(
        {u"tiles"_s, LabPage::tr("Why tiles have a best size"), u"worksheets/tiles.md"_s,
            {{LabPage::tr(
                  "C is cut into tiles. A block of threads, which run together on one multiprocessor (SM), computes "
                  "one tile. For each slab of the depth it loads the rows of A and the columns of B that its tile "
                  "needs. Other tiles load the same rows and columns again: the smaller the tiles, the more often."),
                 gpuTile({16, 16, 16, 2, 64, 4})},
                {LabPage::tr("A 16×16 tile does 2 · 16 · 16 operations with (16 + 16) · 4 bytes, 4 operations for each "
                             "byte. In the roofline, memory is the limit on the slope at the left and arithmetic on "
                             "the flat part. They meet at the ridge, and this tile lies left of it."),
                    gpuTile({16, 16, 16, 2, 64, 4})},
                {LabPage::tr("Twice the side does four times the operations with twice the bytes. 32×32 does 8 "
                             "operations for each byte and is still left of the ridge."),
                    gpuTile({32, 32, 16, 2, 64, 4})},
                {LabPage::tr("64×64 does 16 operations for each byte, right of the ridge. From here on arithmetic is "
                             "the limit, if enough work is in flight while loads are on their way."),
                    gpuTile({64, 64, 16, 3, 256, 4})},
                {LabPage::tr("128×128 reads each number half as often again. Each of its 256 threads keeps 64 running "
                             "sums of C in registers, the fastest storage there is."),
                    gpuTile({128, 128, 16, 3, 256, 4})},
                {LabPage::tr("128×256 keeps 128 running sums in each thread. They take so many registers that an SM "
                             "has room for one block only (the line Occupancy). That is enough here: 128 sums that do "
                             "not depend on each other keep the arithmetic units busy."),
                    gpuTile({128, 256, 16, 3, 256, 4})},
                {LabPage::tr(
                     "256×256 with 256 threads would keep 256 running sums in each thread, and a thread can have 255 "
                     "registers. The compiler keeps the rest in memory. The roofline does not know this cost."),
                    gpuTile({256, 256, 16, 2, 256, 4})},
                {LabPage::tr(
                     "The depth of a slab, BK, and the number of slabs in flight, stages, have a limit too: 6 stages "
                     "of 128×256 with BK = 64 need 576 KiB of shared memory, and an SM has less than half of that."),
                    gpuTile({128, 256, 64, 6, 256, 4})},
                {LabPage::tr(
                     "Computed limits say what cannot work. What is best is measured: each cell of this map is a tile "
                     "that was built, checked and timed. Its fastest tiles lie between the small and the large ones."),
                    measuredMap({128, 256, 16, 3, 256, 4})},
                {LabPage::tr(
                     "On a CPU core a tile can be too small for another reason. 2×16 has only a few vectors of sums, "
                     "and the core must wait for each multiply-add before it can add to the same sum again."),
                    cpuTile({2, 16, 256, 96, 4096, 4})},
                {LabPage::tr("14×48 is too large: 42 vectors of 16 numbers, where AVX-512 has 32 vector registers. "
                             "Some sums are stored and loaded again in the inner loop."),
                    cpuTile({14, 48, 256, 96, 4096, 4})},
                {LabPage::tr("Every point here is a measured program of the open session, at its number of rows of a "
                             "tile, MR. The line joins the best result of each value: it rises, and then it falls."),
                    recorded("MR")}}},
        {LabPage::tr("Play the animation once before you speak."),
            LabPage::tr("Compute 2 · 16 · 16 / (32 · 4) on the board. Elements have 4 bytes."),
            LabPage::tr("Doubling the side doubles the operations per byte: area grows faster than circumference."),
            LabPage::tr("The ridge is peak divided by bandwidth. Question: where is it for your own machine?"),
            LabPage::tr("Count the sums: 128 · 128 / 256 threads = 64 in each thread."),
            LabPage::tr("Low occupancy is not a fault by itself: many independent sums hide the latency as well as "
                        "many threads do."),
            LabPage::tr("Spilled registers go to memory and cause the traffic that the tile should avoid. Question: "
                        "would 512 threads help?"),
            LabPage::tr("Have the class compute (128 + 256) · 64 · 4 bytes · 6 stages."),
            LabPage::tr("The map that comes with Tilewright is recorded on an H200: 128×256 is its fastest tile, "
                        "256×256 one of its slowest."),
            LabPage::tr("Latency times throughput: 4 cycles · 2 per cycle = 8 independent vectors of sums."),
            LabPage::tr("With AVX2, vectors hold 8 numbers and there are 16 registers: 84 vectors."),
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
