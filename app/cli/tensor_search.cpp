// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli tensor search: schemes of a low rank by the flip graph over Z2, and their lift to the integers. The
// search has a thread of its own; this one waits for it and for signals.
#include "app/cli/tensor_search.h"

#include "app/cli/cli_options.h"
#include "app/cli/interrupts.h"
#include "core/base/files.h"
#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/tensor/best_known.h"
#include "core/tensor/flip_lift.h"
#include "core/tensor/flip_polish.h"
#include "core/tensor/flip_search.h"
#include "core/tensor/scheme_file.h"
#include "core/tensor/scheme_json.h"
#include "core/tensor/verification.h"

#include <QEventLoop>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <thread>

namespace tilewright::cli {
namespace {

using tensor::FlipSearch, tensor::FlipSearchEnd, tensor::FlipSnapshot, tensor::Scheme;

constexpr int schemesToLift = 8; ///< found ones, before it is said that they do not lift
constexpr std::uint64_t flipsToPolish = 2'000'000;
constexpr double secondsBetweenLines = 10;

const Synopsis tensorSearchSynopsis{"tensor search", " --format N,M,P --rank R [options]",
    "Search for a scheme that multiplies n×m by m×p with R products: a walk in the flip graph over Z2, from smaller\n"
    "formats to larger ones. Every scheme is verified exactly. The same seed and the same number of threads find the "
    "same\nscheme.",
    {{"--format", Value::Text, "N,M,P", "the format; at most 64 entries in each matrix"},
        {"--rank", Value::Count, "R", "number of products to reach"},
        {"--ring", Value::Text, "RING", "z2 (default), or z: found over Z2, then lifted to the integers"},
        {"--seed", Value::Count, "S", "random seed (default 1)"},
        {"--seconds", Value::Seconds, "T", "time limit (default 0: no limit)"},
        {"--threads", Value::Count, "K", "number of threads (default: one per core)"},
        {"--out", Value::Text, "FILE", "file for the scheme: .npz, .exp, or JSON; it must not exist"},
        {"--resume", Value::Text, "FILE",
            "file for the state of the search: continued if it exists, written at the end"},
        {"--json", Value::None, nullptr, "print one JSON object on standard output"}},
    {{Done, "found"}, {Internal, "internal error"}, {Usage, "usage, or not a search that can be continued"},
        {RefusedByRule,
            "not found within the time limit, or found over Z2 without a lift to the integers; the proof is printed"},
        {Missing, "a folder is missing, or a file is not writable"}, {Interrupted, "interrupted"}},
    0};

struct SearchOrder {
    FlipSearch search;
    bool isOverIntegers = false;
    std::optional<std::chrono::duration<double>> limit;
    std::string out, resume;
};

/// What came of it.
struct SearchOutcome {
    std::optional<Scheme> scheme;
    std::optional<tensor::FlipLift> lift; ///< over Z: the last one tried
    int lifts = 0; ///< schemes that were tried to lift
};

Result<tensor::FlipRequest> requestOf(const Options& options)
{
    tensor::FlipRequest request;
    for (const char* needed : {"--format", "--rank"})
        if (!options.has(needed))
            return fail("usage", std::string(needed) + " is missing");
    const auto format = tensor::formatIn(options.text("--format"));
    if (!format)
        return std::unexpected(format.error());
    request.format = *format;
    request.target = static_cast<int>(std::min<std::int64_t>(options.count("--rank", 0), tensor::mostProducts));
    request.seed = static_cast<std::uint64_t>(options.count("--seed", 1));
    request.onlyLiftable = options.text("--ring", "z2") == "z";
    const auto cores = static_cast<std::int64_t>(std::max(1u, std::thread::hardware_concurrency()));
    request.threads = static_cast<int>(std::min<std::int64_t>(
        options.count("--threads", std::min<std::int64_t>(cores, tensor::mostFlipThreads)), 1'000'000));
    return request;
}

Result<FlipSearch> resumedSearch(const Options& options)
{
    const std::string file = options.text("--resume");
    const auto text = readFile(file);
    if (!text)
        return std::unexpected(text.error());
    auto search = FlipSearch::fromJson(parsedJson(*text));
    if (!search)
        return fail(search.error().code, file + ": " + search.error().text, search.error().hint);
    const tensor::FlipRequest& kept = search->request();
    const auto differs = [&](const char* option, std::int64_t value) {
        return options.has(option) && options.count(option, 0) != value;
    };
    if (options.has("--format")) {
        const auto format = tensor::formatIn(options.text("--format"));
        if (!format)
            return std::unexpected(format.error());
        if (*format != kept.format)
            return fail("usage", file + " searches for " + textOf(kept.format), "omit --format");
    }
    if (differs("--rank", kept.target))
        return fail("usage", file + " searches for rank " + std::to_string(kept.target), "omit --rank");
    if (differs("--seed", static_cast<std::int64_t>(kept.seed)))
        return fail("usage", file + " has seed " + std::to_string(kept.seed), "omit --seed");
    if (differs("--threads", kept.threads))
        return fail("usage", file + " goes with " + std::to_string(kept.threads) + " threads", "omit --threads");
    return search;
}

Result<SearchOrder> orderOf(const Options& options)
{
    const std::string ring = options.text("--ring", "z2");
    if (ring != "z2" && ring != "z")
        return fail("usage", "--ring takes z2 or z, not '" + ring + "'");
    const std::string out = options.text("--out"), resume = options.text("--resume");
    std::error_code ignored;
    if (!out.empty() && std::filesystem::exists(out, ignored))
        return fail("tensor/exists", out + " exists", "choose a name that does not exist");
    for (const std::string& file : {out, resume})
        if (const auto folder = std::filesystem::path(file).parent_path();
            !folder.empty() && !std::filesystem::is_directory(folder, ignored))
            return fail("file/unwritable", file + " cannot be written: there is no folder " + folder.string(),
                "create the folder, or choose another one");
    const bool isResumed = !resume.empty() && std::filesystem::exists(resume, ignored);
    const auto begun = [&]() -> Result<FlipSearch> {
        if (isResumed)
            return resumedSearch(options);
        const auto request = requestOf(options);
        return request ? FlipSearch::of(*request) : std::unexpected(request.error());
    };
    auto search = begun();
    if (!search)
        return std::unexpected(search.error());
    SearchOrder order{std::move(*search), ring == "z", std::nullopt, out, resume};
    if (const double seconds = options.seconds("--seconds", 0); seconds > 0)
        order.limit = std::chrono::duration<double>(seconds);
    return order;
}

/// Lines on standard error while it searches: each new lowest rank, and now and then how it stands.
class SearchLines
{
public:
    void operator()(const FlipSnapshot& shot)
    {
        for (; m_steps < shot.staircase.size(); ++m_steps) {
            const tensor::RankStep& step = shot.staircase[m_steps];
            std::fprintf(stderr, "%s rank %d after %s s, %s flips\n", textOf(step.format).c_str(), step.rank,
                fixedText(step.seconds, 2).c_str(), generalText(static_cast<double>(step.flips), 3).c_str());
            m_last = shot.seconds;
        }
        if (shot.seconds - m_last < secondsBetweenLines)
            return;
        m_last = shot.seconds;
        std::string pools;
        for (const auto& [rank, size] : shot.poolSizes)
            pools += " " + std::to_string(rank) + ":" + std::to_string(size);
        std::fprintf(stderr, "%s rank %d, target %d, %s s, %s million flips/s, schemes by rank%s\n",
            textOf(shot.format).c_str(), shot.lowest, shot.target, fixedText(shot.seconds, 0).c_str(),
            fixedText(shot.flipsPerSecond / 1e6, 1).c_str(), pools.c_str());
    }

private:
    std::size_t m_steps = 0;
    double m_last = 0; ///< seconds of searching at the last line
};

/// What a scheme that was found is called.
void nameScheme(Scheme& scheme, const FlipSearch& search)
{
    scheme.name = "flip graph " + textOf(scheme.format) + " with " + std::to_string(scheme.rank());
    scheme.origin = "flip graph, seed " + std::to_string(search.request().seed) + ", threads "
        + std::to_string(search.request().threads) + ", " + fixedText(search.snapshot().seconds, 1) + " s";
}

tilewright::Error notFound(const FlipSearch& search, bool wasInterrupted)
{
    const FlipSnapshot shot = search.snapshot();
    return {wasInterrupted ? "tensor/interrupted" : "tensor/not-found",
        textOf(search.request().format) + " with " + std::to_string(search.request().target)
            + " products was not found: at " + textOf(shot.format) + " rank " + std::to_string(shot.lowest) + " after "
            + fixedText(shot.seconds, 1) + " s",
        "--resume FILE continues a search", nullptr};
}

tilewright::Error noLift(const SearchOutcome& outcome)
{
    const tensor::FlipLift& lift = *outcome.lift;
    std::string why = std::to_string(lift.tried) + " neighbours of the last one: " + std::to_string(lift.impossible)
        + " impossible, " + std::to_string(lift.rational) + " only over the rationals, "
        + std::to_string(lift.undecided) + " undecided";
    nlohmann::json equations = nlohmann::json::array();
    for (const auto& [a, b, c] : lift.proof.equations)
        equations.push_back({a, b, c});
    if (!equations.empty())
        why += "; proof: the conditions modulo 4 of " + std::to_string(equations.size()) + " triples add up to 0 = 1";
    return {"tensor/no-lift",
        "found over Z2, but none of " + std::to_string(outcome.lifts) + " schemes lifts to the integers (" + why + ")",
        "use --ring z2, or a higher rank", {{"equations", equations}}};
}

/// Blocks: on the search's own thread.
Result<SearchOutcome> searched(SearchOrder& order, std::stop_token stop)
{
    SearchLines lines;
    SearchOutcome outcome;
    const std::uint64_t seed = order.search.request().seed;
    const double before = order.search.snapshot().seconds;
    for (int wanted = 1;; ++wanted) {
        std::optional<std::chrono::duration<double>> left;
        if (order.limit)
            left = *order.limit - std::chrono::duration<double>(order.search.snapshot().seconds - before);
        const auto end = order.search.run(wanted, stop, left, std::ref(lines));
        if (!end)
            return std::unexpected(end.error());
        if (*end == FlipSearchEnd::Stopped)
            return outcome.lift ? std::unexpected(noLift(outcome))
                                : std::unexpected(notFound(order.search, stop.stop_requested()));
        const auto found = order.search.found();
        if (!order.isOverIntegers) {
            outcome.scheme = schemeOf(tensor::polished(found.front(), flipsToPolish, seed));
            nameScheme(*outcome.scheme, order.search);
            return outcome;
        }
        for (; outcome.lifts < static_cast<int>(found.size()) && outcome.lifts < schemesToLift; ++outcome.lifts) {
            auto lift = tensor::liftedToIntegers(
                found[static_cast<std::size_t>(outcome.lifts)], tensor::usualNeighbours, seed);
            if (!lift)
                return std::unexpected(lift.error());
            outcome.lift = std::move(*lift);
            if (outcome.lift->scheme) {
                outcome.scheme = outcome.lift->scheme;
                nameScheme(*outcome.scheme, order.search);
                return outcome;
            }
        }
        if (outcome.lifts >= schemesToLift)
            return std::unexpected(noLift(outcome));
        wanted = static_cast<int>(found.size());
    }
}

nlohmann::json jsonOf(const FlipSearch& search, const SearchOutcome* outcome, const std::string& out)
{
    const FlipSnapshot shot = search.snapshot();
    const tensor::FlipStatistics& did = shot.statistics;
    nlohmann::json staircase = nlohmann::json::array();
    for (const tensor::RankStep& step : shot.staircase)
        staircase.push_back(
            {{"format", textOf(step.format)}, {"rank", step.rank}, {"flips", step.flips}, {"seconds", step.seconds}});
    nlohmann::json json{{"format", textOf(search.request().format)}, {"target", search.request().target},
        {"seed", search.request().seed}, {"threads", search.request().threads}, {"seconds", shot.seconds},
        {"flips", did.flips}, {"plus_transitions", did.plusTransitions}, {"paths", did.paths},
        {"ended_at_limit", did.endedAtLimit}, {"ended_reduced", did.endedReduced},
        {"ended_without_flips", did.endedWithoutFlips}, {"without_lift", did.withoutLift}, {"staircase", staircase}};
    if (const auto known = bestKnown(search.request().format, tensor::Ring::Mod2))
        json["best_known_z2"] = {{"rank", known->rank}, {"source", known->source}};
    if (const auto known = bestKnown(search.request().format, tensor::Ring::Integers))
        json["best_known_z"] = {{"rank", known->rank}, {"source", known->source}};
    if (outcome && outcome->scheme) {
        json["rank"] = outcome->scheme->rank();
        json["ring"] = nameIn(tensor::ringNames, outcome->scheme->ring);
        json["scheme"] = parsedJson(ownJson(*outcome->scheme));
        if (!out.empty())
            json["file"] = out;
    }
    return json;
}

Result<void> kept(const SearchOrder& order)
{
    return order.resume.empty() ? Result<void>() : saveFile(order.resume, dumped(order.search.json()) + "\n");
}

/// Errors: tensor/wrong, which is a bug; those of bytesOf() and saveFile().
Result<void> written(const Scheme& scheme, const std::string& out)
{
    if (!verified(scheme).isExact())
        return fail(
            "tensor/wrong", "the scheme that was found is not exact", "report it with format, seed and threads");
    if (out.empty())
        return {};
    const auto bytes = bytesOf(scheme, tensor::formFor(out));
    return bytes ? saveFile(out, *bytes) : std::unexpected(bytes.error());
}

/// The search on a thread of its own, until it ends; a signal asks it to stop.
Result<SearchOutcome> searchedBeside(SearchOrder& order)
{
    Result<SearchOutcome> outcome;
    QEventLoop loop;
    Interrupts interrupts;
    std::jthread worker([&](std::stop_token stop) {
        outcome = searched(order, stop);
        QMetaObject::invokeMethod(&loop, &QEventLoop::quit, Qt::QueuedConnection);
    });
    QObject::connect(&interrupts, &Interrupts::interrupted, &loop, [&worker] { worker.request_stop(); });
    loop.exec();
    worker.join();
    return outcome;
}

} // namespace

int tensorSearch(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(tensorSearchSynopsis, arguments);
    if (!options)
        return code;
    const bool asJson = options->has("--json");
    const auto complained = [&](const Error& error, const FlipSearch* search, const SearchOutcome* outcome = nullptr) {
        if (asJson) {
            nlohmann::json json = search ? jsonOf(*search, outcome, {}) : nlohmann::json::object();
            json.update({{"ok", false}, {"code", error.code}, {"text", error.text}, {"hint", error.hint}});
            if (!error.evidence.is_null())
                json["evidence"] = error.evidence;
            printJson(json);
        }
        complain(error);
        return exitCodeOf(error.code);
    };
    auto order = orderOf(*options);
    if (!order)
        return complained(order.error(), nullptr);
    const auto outcome = searchedBeside(*order);
    if (const auto saved = kept(*order); !saved)
        complain(saved.error());
    if (!outcome)
        return complained(outcome.error(), &order->search);
    const Scheme& scheme = *outcome->scheme;
    if (const auto done = written(scheme, order->out); !done) {
        if (!asJson)
            std::printf("%s\n", ownJson(scheme).c_str()); // it must not be lost
        return complained(done.error(), &order->search, &*outcome);
    }
    if (asJson) {
        nlohmann::json json = jsonOf(order->search, &*outcome, order->out);
        json["ok"] = true;
        printJson(json);
        return Done;
    }
    const FlipSnapshot shot = order->search.snapshot();
    std::printf("%s with %d products over %s, verified exactly: seed %llu, %d threads, %s s, %s flips%s\n",
        textOf(scheme.format).c_str(), scheme.rank(), nameIn(tensor::ringNames, scheme.ring).c_str(),
        static_cast<unsigned long long>(order->search.request().seed), order->search.request().threads,
        fixedText(shot.seconds, 2).c_str(), generalText(static_cast<double>(shot.statistics.flips), 3).c_str(),
        order->out.empty() ? "; --out FILE writes the scheme" : (", in " + order->out).c_str());
    return Done;
}

} // namespace tilewright::cli
