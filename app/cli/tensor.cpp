// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli tensor: schemes of matrix multiplication. Finds the command; everything else is the command's.
#include "app/cli/subcommands.h"
#include "app/cli/tensor_commands.h"
#include "app/cli/tensor_search.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/tensor/measures.h"

#include <algorithm>
#include <filesystem>

namespace tilewright::cli {
namespace {

const std::vector<TensorCommand>& tensorCommands()
{
    static const std::vector<TensorCommand> commands{
        {"verify", "SCHEME ...", "whether schemes are exact, over which ring, and with which layout of C", 1, 16,
            {"--format"}, verifyScheme},
        {"show", "SCHEME", "products and figures of a scheme; --out converts it", 1, 1, {"--format", "--out", "--as"},
            showScheme},
        {"lift", "SCHEME", "from Z2 to Z or Q, or the proof that there is no lift", 1, 1,
            {"--format", "--out", "--as", "--branches", "--seed"}, liftScheme},
        {"compose", "SCHEME [SCHEME ...]", "the tensor product, the first outermost; or another form of one", 1, 6,
            {"--format", "--out", "--as", "--rotate", "--transpose", "--extend", "--mod2"}, composeSchemes},
        {"code", "SCHEME", "a program for GEMM tasks on a CPU that multiplies blocks by the scheme", 1, 1,
            {"--format", "--out", "--levels", "--cutoff", "--leaf", "--self-test"}, writeSchemeCode},
        {"task", "SCHEME", "a task of its own, for evaluate and evolve, whose seed multiplies blocks by the scheme", 1,
            1, {"--format", "--from", "--out", "--levels", "--cutoff", "--leaf"}, writeSchemeTask},
        {"game", "FORMAT", "TensorGame: subtract products until nothing is left; commands on standard input", 1, 1,
            {"--mod2", "--out", "--as"}, playTensorGame},
    };
    return commands;
}

const Synopsis& tensorSynopsis()
{
    static const std::string summary = [] {
        std::string text = "Schemes that multiply matrices with fewer products than the definition. A SCHEME is a file "
                           "(.json, .npz, .exp)\n  or strassen, winograd or schoolbook:NxMxP. Commands:\n";
        for (const TensorCommand& command : tensorCommands()) {
            std::string what = std::string(command.name) + " " + command.arguments;
            what.resize(std::max<std::size_t>(what.size(), 30), ' ');
            text += "    " + what + " " + command.summary + "\n";
        }
        text += "    search [options]               find one by a walk in the flip graph; see tensor search --help\n";
        text.pop_back();
        return text;
    }();
    static const Synopsis synopsis{"tensor", " COMMAND [WORDS] [options]", summary.c_str(),
        {{"--format", Value::Text, "NxMxP", "scheme of this format, if a .npz file has several"},
            {"--out", Value::Text, "FILE",
                "write the scheme, or with code the program, to a new file; with task, the pack to a new folder, which "
                "names the task"},
            {"--as", Value::Text, "FORM", "form of --out: json, collection, npz or exp; default: from the file name"},
            {"--branches", Value::Count, "N", "for lift: solutions to follow before the result is undecided (16)"},
            {"--seed", Value::Count, "N", "for lift: random seed for choices among solutions (1)"},
            {"--rotate", Value::None, nullptr, "for compose: then NxMxP becomes MxPxN"},
            {"--transpose", Value::None, nullptr, "for compose: then NxMxP becomes PxMxN"},
            {"--extend", Value::Text, "D=N", "for compose: then extend n, m or p by N, by the definition"},
            {"--mod2", Value::None, nullptr, "for compose: then the scheme over Z2; for game: play over Z2"},
            {"--levels", Value::Count, "N", "for code and task: levels of recursion, 1 to 4 (1)"},
            {"--cutoff", Value::Count, "N",
                "for code and task: the smallest dimension for which a level is used (256)"},
            {"--leaf", Value::Text, "FILE",
                "for code and task: the program used below the cut-off, such as one written by save"},
            {"--from", Value::Text, "TASK",
                "for task: the CPU product whose reference, inputs and build options it takes over (gemm-fp32-cpu)"},
            {"--self-test", Value::Text, "FILE",
                "for code: write a program that checks it with integers, element by element"},
            {"--json", Value::None, nullptr, "print one JSON object on standard output"}},
        {{Done, "done"}, {Internal, "internal error"},
            {Usage, "usage, not a scheme, an unsupported format, or a file that exists already"},
            {RefusedByRule, "a scheme is wrong, has no lift, or was not found; an unsolved game"},
            {Missing, "file missing or not writable"}},
        1, 17};
    return synopsis;
}

} // namespace

int tensor(const QStringList& arguments)
{
    if (arguments.value(0) == QStringLiteral("search")) // its options are its own
        return tensorSearch(arguments.mid(1));
    const auto [options, code] = Options::parse(tensorSynopsis(), arguments);
    if (!options)
        return code;
    const std::string name = options->positionals()[0];
    const std::vector<std::string> words(options->positionals().begin() + 1, options->positionals().end());
    const auto command
        = std::ranges::find_if(tensorCommands(), [&](const TensorCommand& each) { return name == each.name; });
    if (command == tensorCommands().end())
        return refuseTensor({"usage", "unknown command 'tensor " + oneLine(name, 40) + "'",
            "see tilewright-cli tensor --help", nullptr});
    if (words.size() < command->fewestWords)
        return refuseTensor(
            {"usage", std::string("tensor ") + command->name + " needs: " + command->arguments, {}, nullptr});
    if (words.size() > command->mostWords)
        return refuseTensor(
            {"usage", "unexpected argument '" + oneLine(words[command->mostWords], 40) + "' of tensor " + command->name,
                {}, nullptr});
    for (const Option& option : tensorSynopsis().options)
        if (options->has(option.name) && option.name != std::string_view("--json")
            && std::ranges::none_of(
                command->options, [&](const char* known) { return std::string_view(known) == option.name; }))
            return refuseTensor(
                {"usage", std::string(option.name) + " is not an option of tensor " + command->name, {}, nullptr});
    return command->run(words, *options);
}

Result<tensor::ImportedScheme> schemeNamed(const std::string& word, const Options& options)
{
    std::optional<tensor::Format> format;
    if (options.has("--format")) {
        const auto read = tensor::formatIn(options.text("--format"));
        if (!read)
            return std::unexpected(read.error());
        format = *read;
    }
    return tensor::schemeAt(word, format);
}

Result<void> writeScheme(const tensor::Scheme& scheme, const Options& options)
{
    if (!options.has("--out"))
        return options.has("--as") ? fail("usage", "--as requires --out") : Result<void>();
    const std::string path = options.text("--out");
    const auto form = options.has("--as") ? valueIn(tensor::schemeForms, options.text("--as")) : tensor::formFor(path);
    if (!form)
        return fail("tensor/form", "'" + oneLine(options.text("--as"), 40) + "' is not a form of schemes",
            "use json, collection, npz or exp");
    const auto bytes = tensor::bytesOf(scheme, *form);
    return bytes ? saveNewFile(path, *bytes) : std::unexpected(bytes.error());
}

Result<void> saveNewFile(const std::string& path, std::string_view bytes)
{
    std::error_code none;
    if (std::filesystem::is_regular_file(path, none))
        return fail("tensor/exists", oneLine(path, 200) + " exists already", "choose another name");
    return saveFile(path, bytes);
}

std::string headingOf(const tensor::Scheme& scheme)
{
    return (scheme.name.empty() ? "" : printable(scheme.name) + ": ") + tensor::textOf(scheme.format) + ", rank "
        + std::to_string(scheme.rank()) + ", over " + nameIn(tensor::ringNames, scheme.ring);
}

nlohmann::json figuresOf(const tensor::Scheme& scheme, int reducedAdditions)
{
    const auto exponent = tensor::exponentOf(scheme);
    return {{"name", scheme.name}, {"provenance", scheme.origin}, {"format", tensor::textOf(scheme.format)},
        {"rank", scheme.rank()}, {"ring", nameIn(tensor::ringNames, scheme.ring)},
        {"naive_rank", scheme.format.naiveRank()}, {"nonzeros", tensor::nonzerosOf(scheme)},
        {"additions", tensor::naiveAdditionsOf(scheme)}, {"additions_reduced", reducedAdditions},
        {"ternary", tensor::isTernary(scheme)}, {"largest_coefficient", tensor::largestCoefficientOf(scheme)},
        {"growth_factor",
            scheme.ring == tensor::Ring::Mod2 ? nlohmann::json(nullptr)
                                              : nlohmann::json(tensor::growthFactorOf(scheme))},
        {"exponent", exponent ? nlohmann::json(*exponent) : nlohmann::json(nullptr)}};
}

int refuseTensor(const Error& error)
{
    complain(error);
    return exitCodeOf(error.code);
}

} // namespace tilewright::cli
