// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pack/pack_texts.h"

#include "core/base/block_markers.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/pack/cuda_texts.h"
#include "core/pack/double_text.h"
#include "core/pack/generic_moves.h"
#include "core/pack/host_part.h"
#include "core/source/candidate_header.h"
#include "core/source/compiled_rules.h"
#include "core/source/text_scan.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace tilewright {
namespace {

std::string baseName(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string endingInLine(std::string text)
{
    if (!text.empty() && text.back() != '\n')
        text += '\n';
    return text;
}

/// "function(args.x, args.y, args.dims.rows, 0.5f)"; tensors and dimensions are spelled by the caller.
template <typename Tensor, typename Dim>
std::string callOf(const std::string& function, const KernelDescription& description, Tensor&& tensor, Dim&& dim)
{
    std::string arguments;
    for (const DescribedParameter& parameter : description.parameters) {
        arguments += arguments.empty() ? "" : ", ";
        if (parameter.isTensor())
            arguments += tensor(parameter);
        else
            arguments += parameter.kind == ParameterKind::Dimension ? dim(parameter.name) : parameter.value;
    }
    return function + "(" + arguments + ")";
}

std::string countOf(const DescribedParameter& tensor)
{
    std::string count;
    for (const std::string& extent : tensor.shape) {
        const std::string number = (fixedExtent(extent) ? "" : "dims.") + extent;
        count += count.empty() ? "long(" + number + ")" : " * " + number;
    }
    return count;
}

/// A pointer to a tensor as the function's parameter takes it: `element` is what it points to there.
std::string handedOver(const DescribedParameter& tensor, const std::string& pointer, const std::string& element)
{
    const std::string constant = tensor.isConst ? "const " : "";
    if (tensor.extents.size() < 2 && !tensor.isReference)
        return tensor.isConst || tensor.kind == ParameterKind::Output ? pointer : "(" + element + "*)(" + pointer + ")";
    std::string inner;
    for (std::size_t i = tensor.isReference ? 0 : 1; i < tensor.extents.size(); ++i)
        inner += "[" + std::to_string(tensor.extents[i]) + "]";
    return (tensor.isReference ? "*" : "") + std::string("(") + constant + element + "(*)" + inner + ")(" + pointer
        + ")";
}

std::string referenceHead(const KernelDescription& description)
{
    std::string parameters = "const Dims& dims", magnitudes;
    for (const DescribedParameter* tensor : description.tensors()) {
        const bool input = tensor->kind == ParameterKind::Input;
        parameters += std::string(", ") + (input ? "const float* " : "double* ") + tensor->name;
        if (!input)
            magnitudes += ", double* " + tensor->name + "_magnitude";
    }
    return "extern \"C\" void tilewright_reference(" + parameters + magnitudes + ")\n";
}

std::string productReference(const KernelDescription& description)
{
    const auto t = description.tensors();
    const std::string &a = t[0]->name, &b = t[1]->name, &c = t[2]->name;
    const std::string &m = t[0]->shape[0], &k = t[0]->shape[1], &n = t[1]->shape[1];
    return "// The product in double precision, and beside it the product of the absolute values, which bounds how "
           "much\n"
           "// rounding an honest single precision result may show in each element.\n\n"
        + referenceHead(description) + "{\n    for (long i = 0; i < dims." + m + "; ++i) {\n        double* row = " + c
        + " + i * dims." + n + ";\n        double* row_magnitude = " + c + "_magnitude + i * dims." + n
        + ";\n        for (long j = 0; j < dims." + n
        + "; ++j)\n            row[j] = row_magnitude[j] = 0.0;\n        for (long k = 0; k < dims." + k
        + "; ++k)\n            for (long j = 0; j < dims." + n + "; ++j) {\n                const double term = double("
        + a + "[i * dims." + k + " + k]) * " + b + "[k * dims." + n
        + " + j];\n                row[j] += term;\n                row_magnitude[j] += term < 0.0 ? -term : term;\n"
          "            }\n    }\n}\n";
}

/// The user's kernel itself says what is right, with its sums in double precision.
bool isKernelInDouble(const KernelDescription& description)
{
    return description.truth == TruthSource::Kernel && description.tolerance == Tolerance::Sum
        && description.obstacleToDouble().empty();
}

constexpr const char* wrappedHelp = R"(
namespace {

template <typename Number> Number* tilewright_room(long count)
{
    const unsigned long bytes = (sizeof(Number) * static_cast<unsigned long>(count) + 63) / 64 * 64;
    Number* room = static_cast<Number*>(std::aligned_alloc(64, bytes > 0 ? bytes : 64));
    if (!room)
        std::abort();
    return room;
}

/// Room for a result, full of NaN: what is not written shows.
template <typename Number> Number* tilewright_unwritten(long count)
{
    Number* room = tilewright_room<Number>(count);
    for (long i = 0; i < count; ++i)
        room[i] = __builtin_nanf("");
    return room;
}

[[maybe_unused]] double* tilewright_in_double(const float* values, long count)
{
    double* room = tilewright_room<double>(count);
    for (long i = 0; i < count; ++i)
        room[i] = values[i];
    return room;
}

/// The gates allow roundings by the square root of a sum's terms. What stands around a short sum rounds as well, and
/// what few terms have in common often cancels: LayerNorm of two or three numbers that are nearly the same.
[[maybe_unused]] double tilewright_roundings(long terms)
{
    if (terms >= 16)
        return 1;
    const double others = terms > 2 ? double(terms - 1) : 1;
    return std::sqrt(16.0 / double(terms)) * (1 + 64 / (others * others));
}

template <typename Number> double tilewright_squares(const Number* found, long count)
{
    double squares = 0;
    for (long i = 0; i < count; ++i)
        squares += double(found[i]) * double(found[i]);
    return squares;
}

/// The values in double. Nothing tells how large the terms were that rounded on the way: taken is the element itself or
/// the typical size of the result, whichever is larger, twice, as the values are rounded themselves.
/// `others`: the mean square of results of other signs.
template <typename Number>
void tilewright_judge(const Number* found, long count, double roundings, double* values, double* magnitude,
    double others = 0)
{
    for (long i = 0; i < count; ++i)
        values[i] = found[i];
    const double squares = tilewright_squares(found, count);
    double typical = count > 0 ? std::sqrt(squares / double(count)) : 0;
    if (others > typical * typical && std::isfinite(others))
        typical = std::sqrt(others);
    for (long i = 0; i < count; ++i) {
        const double size = std::fabs(values[i]);
        magnitude[i] = 2 * roundings * (size > typical ? size : typical);
    }
}

} // namespace

)";

/// Of a sum: how large few results are is told by those of the same inputs with other signs.
constexpr const char* fewHelp = R"(
namespace {

constexpr long tilewright_few = 16; // results, whose own size tells little: a sum may be zero by chance
constexpr unsigned tilewright_turns = 4;

/// The same numbers with signs that are drawn anew, for each tensor and turn.
template <typename Number>
Number* tilewright_turned(const Number* values, long count, unsigned tensor, unsigned turn)
{
    Number* room = tilewright_room<Number>(count);
    for (long i = 0; i < count; ++i) {
        unsigned bits = unsigned(i) * 0x9e3779b9u + (tensor * tilewright_turns + turn) * 0x85ebca6bu;
        bits = (bits ^ bits >> 16) * 0x21f0aaadu;
        bits = (bits ^ bits >> 15) * 0x735a2d97u;
        room[i] = bits >> 31 ? -values[i] : values[i];
    }
    return room;
}

} // namespace

)";

/// Calls a plain function that writes float or double, and says of each element how large what rounds there may be.
std::string wrappedReference(const KernelDescription& description)
{
    const bool own = description.truth == TruthSource::Kernel, inDouble = isKernelInDouble(description);
    const std::string& function = own ? description.function : description.referenceFunction;
    std::vector<bool> doubles;
    if (!own)
        if (const auto read = kernelFunctionNamed(description.referenceSource, function, description.macros))
            for (const KernelParameter& parameter : read->parameters)
                doubles.push_back(parameter.dtype == Dtype::Fp64);
    const std::string roundings
        = description.tolerance == Tolerance::Sum ? "tilewright_roundings(dims." + description.reduction + ")" : "1";
    std::string before, after;
    std::size_t at = 0;
    const bool isSum = description.tolerance == Tolerance::Sum;
    std::string isFew, turned, freed, summed;
    std::vector<std::string> spelled, spelledTurned;
    for (const DescribedParameter& parameter : description.parameters) {
        const bool wide = at < doubles.size() && doubles[at];
        ++at;
        if (!parameter.isTensor())
            continue;
        const std::string &name = parameter.name, count = countOf(parameter);
        const bool input = parameter.kind == ParameterKind::Input;
        const std::string element = inDouble || (wide && !input) ? "double" : "float";
        const bool copied = inDouble || !input; // what is written lies aligned, as a kernel's tensors do
        const std::string room = copied ? name + (input ? "_in_double" : "_found") : name;
        spelled.push_back(handedOver(parameter, room, element));
        spelledTurned.push_back(handedOver(parameter, name + "_turned", element));
        if (copied && input)
            before += "    double* " + room + " = tilewright_in_double(" + name + ", " + count + ");\n";
        else if (copied)
            before += "    " + element + "* " + room + " = tilewright_unwritten<" + element + ">(" + count + ");\n";
        if (!input)
            after += "    tilewright_judge(" + room + ", " + count + ", " + roundings + ", " + name + ", " + name
                + "_magnitude" + (isSum ? ", " + name + "_others" : "") + ");\n";
        if (copied)
            after += "    std::free(" + room + ");\n";
        turned += "            " + element + "* " + name + "_turned = "
            + (input ? "tilewright_turned<" + element + ">(" + room + ", " + count + ", "
                        + std::to_string(spelled.size()) + ", turn)"
                     : "tilewright_unwritten<" + element + ">(" + count + ")")
            + ";\n";
        freed += "            std::free(" + name + "_turned);\n";
        if (input)
            continue;
        before += isSum ? "    double " + name + "_others = 0; // the mean square of results of other signs\n" : "";
        isFew += (isFew.empty() ? "" : " || ") + count + " < tilewright_few";
        summed += "            " + name + "_others += tilewright_squares(" + name + "_turned, " + count + ") / double("
            + count + ") / tilewright_turns;\n";
    }
    const auto callWith = [&](const std::vector<std::string>& tensors) {
        std::size_t tensor = 0;
        return callOf(
            function, description, [&](const DescribedParameter&) { return tensors[tensor++]; },
            [](const std::string& dim) { return "dims." + dim; });
    };
    const std::string turns = !isSum
        ? ""
        : "    if (" + isFew + ")\n        for (unsigned turn = 1; turn <= tilewright_turns; ++turn) {\n" + turned
            + "            " + callWith(spelledTurned) + ";\n" + summed + freed + "        }\n";
    return wrappedHelp + std::string(isSum ? fewHelp : "") + referenceHead(description) + "{\n" + before + "    "
        + callWith(spelled) + ";\n" + turns + after + "}\n";
}

nlohmann::ordered_json shapesJson(const std::vector<Shape>& shapes)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Shape& shape : shapes)
        list.push_back(shape);
    return list;
}

nlohmann::ordered_json extentsJson(const std::vector<std::string>& extents)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const std::string& extent : extents)
        if (const auto number = fixedExtent(extent))
            list.push_back(*number);
        else
            list.push_back(extent);
    return list;
}

const char* boundOf(const KernelDescription& description)
{
    if (description.truth == TruthSource::Product)
        return "product";
    switch (description.tolerance) {
    case Tolerance::Exact:
        return "exact";
    case Tolerance::Rounding:
        return "ulp";
    case Tolerance::Sum:
        return "sum";
    }
    return "ulp";
}

std::string toleranceSentence(const KernelDescription& description)
{
    if (description.truth == TruthSource::Product)
        return "each element within the rounding of its own sum in single precision, and of its type";
    switch (description.tolerance) {
    case Tolerance::Exact:
        return "every bit of the result is the same";
    case Tolerance::Rounding:
        return "each element within a few roundings in single precision";
    case Tolerance::Sum:
        return "each element within the rounding of a sum over " + description.reduction + " in single precision";
    }
    return {};
}

std::string seedName(const KernelDescription& description)
{
    return description.target == Target::Cuda ? "seed.cu" : "seed.cpp";
}
std::string referenceName(const KernelDescription& description)
{
    return description.target == Target::Cuda ? "reference.cu" : "reference.cpp";
}

/// C's `restrict` is no word of C++: where the user's text uses it, it means what the compilers call it.
std::string cWords(const std::string& source)
{
    static constexpr std::string_view word = "restrict";
    const auto isOfAName = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (const ScannedLine& line : scanLines(source))
        for (std::size_t at = line.code.find(word); at != std::string::npos; at = line.code.find(word, at + 1)) {
            const std::size_t end = at + word.size();
            const bool isWhole
                = (at == 0 || !isOfAName(line.code[at - 1])) && (end == line.code.size() || !isOfAName(line.code[end]));
            if (isWhole)
                return "#define restrict __restrict\n";
        }
    return {};
}

/// The user's kernel file, and the one of the reference, without the host's code.
HostPart ownPart(const KernelDescription& description)
{
    return hostPartOf(withUnixLineEnds(description.source), description.function, description.macros);
}
HostPart referencePart(const KernelDescription& description)
{
    return hostPartOf(withUnixLineEnds(description.referenceSource), description.referenceFunction, description.macros);
}

/// What stands in front of the user's text.
std::string seedHead(const KernelDescription& description)
{
    const bool marked = !blockMarkers(description.source).empty();
    return "// " + description.name + ": " + baseName(description.fileName)
        + (ownPart(description).leftOut.empty() ? " as it was" : " without code of its host")
        + ", and the entry behind it.\n" + cWords(description.source)
        + (marked ? "" : "// EVOLVE-BLOCK-START\n"); // marked: the user said what may change
}

bool isReferenceWhole(const KernelDescription& description)
{
    return description.truth == TruthSource::File && description.referenceFunction == "tilewright_reference";
}

std::string referenceStart(const KernelDescription& description)
{
    const std::string& text
        = description.truth == TruthSource::Kernel ? description.source : description.referenceSource;
    return "// " + description.name + ": " + truthSentence(description) + ".\n"
        + (isReferenceWhole(description) ? "" : "#include <cmath>\n#include <cstdlib>\n\n") + cWords(text);
}

std::ptrdiff_t linesOf(std::string_view text) { return std::ranges::count(text, '\n'); }

/// Each "FILE:LINE" of a text in which lines of the user's file stand behind `before` others; own: which they are
/// there.
std::string withLinesOf(std::string complaint, const std::string& file, const std::string& ownFile,
    std::ptrdiff_t before, const std::vector<int>& own)
{
    const std::string sign = file + ":";
    for (std::size_t at = complaint.find(sign); at != std::string::npos; at = complaint.find(sign, at + 1)) {
        const char* digits = complaint.data() + at + sign.size();
        std::ptrdiff_t line = 0;
        const auto [end, problem] = std::from_chars(digits, complaint.data() + complaint.size(), line);
        if (problem != std::errc{} || line <= before || line > before + std::ssize(own))
            continue;
        complaint.replace(at, static_cast<std::size_t>(end - (complaint.data() + at)),
            ownFile + ":" + std::to_string(own[static_cast<std::size_t>(line - before) - 1]));
    }
    return complaint;
}

/// What the kernel does itself, its task allows.
nlohmann::ordered_json allowedBy(const KernelDescription& description)
{
    nlohmann::ordered_json allowed = nlohmann::ordered_json::array();
    if (const auto found = findFastMath(description.source); found && found->isApproximation)
        allowed.push_back("approximations");
    return allowed;
}

} // namespace

std::string inOwnLines(const KernelDescription& description, const std::string& complaint)
{
    if (description.target == Target::Cuda)
        return complaint;
    std::string text = withLinesOf(complaint, "candidate.cpp", baseName(description.fileName),
        linesOf(seedHead(description)), ownPart(description).lines);
    if (description.truth == TruthSource::File)
        text = withLinesOf(std::move(text), "reference.cpp", baseName(description.referenceFileName),
            linesOf(referenceStart(description)), referencePart(description).lines);
    return text;
}

std::string launchInWords(const KernelLaunch& launch)
{
    return "grid (" + joined(launch.grid, ", ") + "), block (" + joined(launch.block, ", ") + ")"
        + (launch.shared.empty() ? "" : ", " + launch.shared + " bytes of dynamic shared memory");
}

std::string truthSentence(const KernelDescription& description)
{
    switch (description.truth) {
    case TruthSource::Kernel:
        return "candidates must reproduce what " + description.function + "() computes now"
            + (isKernelInDouble(description) ? ", with its sums in double precision" : "")
            + "; whether that is right is not checked";
    case TruthSource::File:
        return "right is what " + description.referenceFunction + "() in " + baseName(description.referenceFileName)
            + " computes";
    case TruthSource::Product:
        return "right is the matrix product, computed in double precision";
    }
    return {};
}

namespace {

std::vector<Move> movesOf(const KernelDescription& description)
{
    return genericMoves(seedOf(description), seedName(description), description.target);
}

std::string taskJson(const KernelDescription& description, bool hasMoves)
{
    using Json = nlohmann::ordered_json;
    Json dims = Json::object(), tensors = Json::array(), inputs = Json::array();
    for (const Dimension& dim : description.dims)
        dims[dim.name] = {{"min", dim.min}, {"multiple", dim.multiple}};
    for (const DescribedParameter* tensor : description.tensors())
        tensors.push_back({{"name", tensor->name}, {"role", tensor->kind == ParameterKind::Input ? "input" : "output"},
            {"dtype", nameOf(tensor->dtype)}, {"shape", extentsJson(tensor->shape)}});
    for (const InputKind kind : description.inputs)
        inputs.push_back(nameOf(kind));
    Json numeric{{"bound", boundOf(description)}};
    if (description.truth == TruthSource::Product)
        numeric["reduction"] = description.tensors()[0]->shape[1];
    else if (description.tolerance == Tolerance::Sum)
        numeric["reduction"] = description.reduction;
    numeric.update(Json{{"accumulate", "fp32"}, {"error", "componentwise"}, {"tau", description.relativeTolerance()},
        {"allow", allowedBy(description)}});
    const std::int64_t room = std::max<std::int64_t>(65536, 4 * static_cast<std::int64_t>(description.source.size()));
    const bool cuda = description.target == Target::Cuda;
    const std::string ending = cuda ? ".cu" : ".cpp";
    const Json options = cuda ? Json::array() : Json{"-O3", "-march=native"};
    const char* vendor = cuda ? "cublaslt" : "openblas-sgemm-1t";
    const Json task{{"format", 1}, {"name", description.name}, {"title", description.title},
        {"target", nameOf(description.target)},
        {"operation", description.function + "() of " + baseName(description.fileName)}, {"dims", dims},
        {"tensors", tensors}, {"scalars", Json::array()},
        {"cost", {{"flops", description.flops}, {"bytes", description.bytes}}}, {"numeric", numeric},
        {"inputs", inputs},
        {"shapes",
            {{"train", shapesJson(description.train)}, {"heldout", shapesJson(description.heldout)},
                {"sealed", Json::array()}, {"verify", shapesJson(description.verify)}}},
        {"source", {"seed" + ending}}, {"reference", "reference" + ending},
        {"moves", hasMoves ? Json("moves") : Json(nullptr)}, {"baseline", nullptr},
        {"vendor", description.truth == TruthSource::Product ? Json(vendor) : Json(nullptr)},
        {"build", {{"options", options}, {"fast_math", false}}},
        {"limits",
            {{"build_s", cuda ? 60 : 30}, {"workspace_bytes", 67108864}, {"source_bytes", room},
                {"quarantine_over_vendor", cuda ? 1.10 : 1.30}}},
        {"timing", {{"mode", "cold"}, {"threads", 1}}},
        {"niches", {{{"feature", "code_bytes"}, {"scale", "log2"}, {"bins", 7}}}}, {"evaluator", nullptr}};
    return dumped(task, 2) + "\n";
}

} // namespace

std::string taskJsonOf(const KernelDescription& description)
{
    return taskJson(description, !movesOf(description).empty());
}

std::string seedOf(const KernelDescription& description)
{
    if (description.target == Target::Cuda)
        return cudaSeedOf(description);
    const bool marked = !blockMarkers(description.source).empty();
    const std::string head = seedHead(description);
    const std::string entry = "\n" + std::string(snippetBegin)
        + "// What Tilewright calls: hands the tensors over in the order of " + description.function
        + "().\nextern \"C\" void tilewright_run(const Args& args)\n{\n    "
        + callOf(
            description.function, description,
            [](const DescribedParameter& tensor) { return handedOver(tensor, "args." + tensor.name, "float"); },
            [](const std::string& dim) { return "args.dims." + dim; })
        + ";\n}\n" + snippetEnd;
    const std::string text = endingInLine(ownPart(description).text);
    return head + text + entry + (marked ? "" : "// EVOLVE-BLOCK-END\n");
}

std::string referenceOf(const KernelDescription& description)
{
    if (description.target == Target::Cuda)
        return cudaReferenceOf(description);
    if (description.truth == TruthSource::Product)
        return resultLicence + ("// " + description.name + ": " + truthSentence(description) + ".\n")
            + productReference(description);
    const std::string text
        = endingInLine(isKernelInDouble(description) ? inDouble(ownPart(description).text, description.macros).text
                : description.truth == TruthSource::Kernel ? ownPart(description).text
                                                           : referencePart(description).text);
    return referenceStart(description) + text
        + (isReferenceWhole(description) ? std::string() : wrappedReference(description));
}

namespace {

std::string mutationsSentence(std::size_t count, const std::string& seed)
{
    const std::string tunables = "A constant with values to try (`constexpr int N = 4; // tune: 1 2 4 8` in `" + seed
        + "`) is tuned as well.\n";
    if (count == 0)
        return "The built-in mutator found nothing to change in this text. Language models can, and so can you. "
            + tunables;
    return "`moves/` holds " + counted(static_cast<std::int64_t>(count), "generic mutation", "generic mutations")
        + " for the built-in mutator. They were made from the text alone: each program that one\nmakes is built and "
          "checked "
          "like any other. Change or delete them as you like. "
        + tunables;
}

std::string readmeOf(const KernelDescription& description, std::size_t moves)
{
    std::string text = std::string(packMark) + " -->\n# " + description.title + "\n\nThe function `"
        + description.function + "()` of `" + baseName(description.fileName)
        + "` as a task.\n\n- Right: " + truthSentence(description) + ".\n- Tolerance: " + toleranceSentence(description)
        + "; relative error of the whole at most " + dumped(nlohmann::json(description.relativeTolerance()))
        + ".\n- Tensors:";
    for (const DescribedParameter* tensor : description.tensors()) {
        text += " `" + tensor->name + "[" + joined(tensor->shape, ",") + "]` "
            + (tensor->kind == ParameterKind::Input ? "in" : "out");
        text += tensor == description.tensors().back() ? ".\n" : ",";
    }
    for (const DescribedParameter& parameter : description.parameters)
        if (parameter.kind == ParameterKind::Constant)
            text += "- `" + parameter.name + "` is always " + parameter.value + ".\n";
    if (description.target == Target::Cuda)
        text += "- Launched with " + launchInWords(description.launch) + ".\n";
    text += "- Work is counted as `" + description.flops + "` operations and `" + description.bytes
        + "` bytes: figures of GFLOP/s follow from that.\n"
          "\n`"
        + seedName(description) + "` is where the search starts, `" + referenceName(description)
        + "` says what is right, `task.json` holds the rest;\n"
          "`kernels/README.md` of Tilewright explains the fields. Change them by hand as you like, then check:\n\n"
          "```\ntilewright-cli tasks --check THIS-FOLDER --run\n```\n\n"
        + mutationsSentence(moves, seedName(description));
    return text;
}

} // namespace

std::map<std::string, std::string> packTexts(const KernelDescription& description)
{
    const std::vector<Move> moves = movesOf(description);
    std::map<std::string, std::string> texts{{"task.json", taskJson(description, !moves.empty())},
        {seedName(description), seedOf(description)}, {referenceName(description), referenceOf(description)},
        {"README.md", readmeOf(description, moves.size())}};
    for (const Move& move : moves)
        texts["moves/" + move.name + ".patch"] = moveFileOf(move);
    return texts;
}

} // namespace tilewright
