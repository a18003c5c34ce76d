// SPDX-License-Identifier: Apache-2.0
#include "core/node/loop_digest.h"

#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <vector>

namespace tilewright {
namespace {

struct Instruction {
    std::uint64_t address = 0;
    std::string_view name, operands;
};

struct Function {
    std::string_view name;
    std::vector<Instruction> instructions;
};

std::optional<std::uint64_t> hexAt(std::string_view text)
{
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return problem == std::errc{} && end != text.data() ? std::optional(value) : std::nullopt;
}

/// "0000000000001100 <f>:" begins a function, "    1100:\tpush   rbp" is an instruction.
std::vector<Function> functionsIn(std::string_view text)
{
    std::vector<Function> functions;
    for (const std::string_view line : splitLines(text)) {
        const std::size_t open = line.find(" <");
        if (open != std::string_view::npos && line.ends_with(">:") && hexAt(line)) {
            functions.push_back({line.substr(open + 2, line.size() - open - 4), {}});
            continue;
        }
        const std::size_t colon = line.find(":\t");
        const auto address = colon == std::string_view::npos ? std::nullopt : hexAt(trimmed(line.substr(0, colon)));
        if (!address || functions.empty())
            continue;
        const std::string_view code = trimmed(line.substr(colon + 2));
        const std::size_t end = std::min(code.find_first_of(" \t"), code.size());
        functions.back().instructions.push_back({*address, code.substr(0, end), trimmed(code.substr(end))});
    }
    return functions;
}

/// From its first instruction to the jump back to it.
struct Loop {
    std::size_t first = 0, last = 0;
};

/// Where a jump within the function goes: "14bf <f+0x3bf>".
std::optional<std::uint64_t> targetOf(const Instruction& instruction)
{
    const bool isX86 = instruction.name.starts_with('j');
    const bool isArm = instruction.name == "b" || instruction.name.starts_with("b.")
        || instruction.name.starts_with("cb") || instruction.name.starts_with("tb");
    if (!isX86 && !isArm)
        return std::nullopt;
    const std::string_view before = instruction.operands.substr(0, instruction.operands.find(" <"));
    const std::size_t comma = before.rfind(','); // behind the register that is tested
    const std::string_view last = comma == std::string_view::npos ? before : before.substr(comma + 1);
    return hexAt(trimmed(last));
}

/// Those that hold no other loop.
std::vector<Loop> innermostLoops(const Function& function)
{
    std::vector<Loop> loops;
    const auto& code = function.instructions;
    for (std::size_t i = 0; i < code.size(); ++i) {
        const auto target = targetOf(code[i]);
        if (!target || *target > code[i].address)
            continue;
        const auto first = std::ranges::lower_bound(code, *target, {}, &Instruction::address);
        if (first != code.end() && first->address == *target)
            loops.push_back({static_cast<std::size_t>(first - code.begin()), i});
    }
    std::vector<Loop> innermost;
    for (const Loop& loop : loops) {
        const auto isInside = [&](const Loop& other) {
            return other.first >= loop.first && other.last <= loop.last
                && (other.first != loop.first || other.last != loop.last);
        };
        if (std::ranges::none_of(loops, isInside))
            innermost.push_back(loop);
    }
    return innermost;
}

bool startsWithAny(std::string_view text, std::initializer_list<std::string_view> heads)
{
    return std::ranges::any_of(heads, [&](std::string_view head) { return text.starts_with(head); });
}

/// 512, 256, 128; 0 for single numbers.
int widthOf(const Instruction& instruction)
{
    const std::string_view operands = instruction.operands;
    if (instruction.name.ends_with("ss") || instruction.name.ends_with("sd"))
        return 0;
    if (operands.find("zmm") != std::string_view::npos)
        return 512;
    if (operands.find("ymm") != std::string_view::npos)
        return 256;
    if (operands.find("xmm") != std::string_view::npos)
        return 128;
    const bool isVector = operands.find(".4s") != std::string_view::npos
        || operands.find(".2d") != std::string_view::npos || operands.find(".8h") != std::string_view::npos;
    return isVector ? 128 : 0;
}

std::string_view firstOperand(const Instruction& instruction)
{
    return trimmed(instruction.operands.substr(0, instruction.operands.find(',')));
}

bool isVectorRegister(std::string_view operand)
{
    return startsWithAny(operand, {"zmm", "ymm", "xmm"})
        || (operand.size() >= 2 && startsWithAny(operand, {"v", "q", "s", "d"}) && operand[1] >= '0'
            && operand[1] <= '9');
}

bool touchesStack(std::string_view operands)
{
    return operands.find("[rsp") != std::string_view::npos || operands.find("[rbp") != std::string_view::npos
        || operands.find("[sp") != std::string_view::npos || operands.find("[x29") != std::string_view::npos;
}

/// What one instruction adds to the mix; destinations of sums are collected.
class Counter
{
public:
    void take(const Instruction& instruction)
    {
        ++m_mix.instructions;
        const std::string_view name = instruction.name, operands = instruction.operands;
        const bool hasMemory = operands.find('[') != std::string_view::npos;
        const bool isToMemory = firstOperand(instruction).find('[') != std::string_view::npos || name.starts_with("st");
        const bool isVector
            = operands.find("mm") != std::string_view::npos || isVectorRegister(firstOperand(instruction));
        if (!isVector)
            return;
        const bool isBroadcast = startsWithAny(name, {"vbroadcast", "movddup", "vmovddup", "ld1r"})
            || operands.find("{1to") != std::string_view::npos;
        if (startsWithAny(name, {"vfmadd", "vfmsub", "vfnmadd", "vfnmsub", "fmla", "fmls", "fmadd", "fmsub"})) {
            ++m_mix.fused;
            noteArithmetic(instruction);
        } else if (isArithmetic(name)) {
            ++m_mix.arithmetic;
            noteArithmetic(instruction);
        } else if (startsWithAny(name,
                       {"vperm", "vshuf", "shuf", "vunpck", "unpck", "vinsert", "vextract", "vpermil", "vpshuf",
                           "valign", "vpalign", "zip", "uzp", "trn", "ext", "ins"})
            || (name == "dup" && !hasMemory)) {
            ++m_mix.shuffles;
        }
        if (!hasMemory)
            return;
        if (isToMemory)
            ++(touchesStack(operands) ? m_mix.spillStores : m_mix.stores);
        else if (touchesStack(operands))
            ++m_mix.spillLoads;
        else
            ++(isBroadcast ? m_mix.broadcasts : m_mix.loads);
    }

    LoopMix mix() const
    {
        LoopMix mix = m_mix;
        mix.chains = static_cast<int>(m_sums.size());
        return mix;
    }

private:
    static bool isArithmetic(std::string_view name)
    {
        const std::string_view plain = name.starts_with('v') ? name.substr(1) : name;
        const bool isFloat
            = plain.ends_with("ps") || plain.ends_with("pd") || plain.ends_with("ss") || plain.ends_with("sd");
        return (isFloat
                   && startsWithAny(plain, {"add", "sub", "mul", "div", "max", "min", "sqrt", "rcp", "rsqrt", "hadd"}))
            || startsWithAny(name, {"vdpbf16", "vpdpbusd", "fadd", "fsub", "fmul", "fdiv", "fmax", "fmin", "fsqrt"});
    }

    void noteArithmetic(const Instruction& instruction)
    {
        m_mix.bits = std::max(m_mix.bits, widthOf(instruction));
        m_sums.insert(firstOperand(instruction));
    }

    LoopMix m_mix;
    std::set<std::string_view> m_sums;
};

/// "multiply_tile" of "(anonymous namespace)::multiply_tile<14>(Args const&, int)".
std::string shortName(std::string_view name)
{
    constexpr std::string_view unnamed = "(anonymous namespace)::";
    std::string text(name);
    for (std::size_t at = text.find(unnamed); at != std::string::npos; at = text.find(unnamed))
        text.erase(at, unnamed.size());
    int depth = 0;
    std::size_t begin = 0, end = text.size();
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
        if (depth == 0 && text[i] == ' ' && end == text.size())
            begin = i + 1; // behind the type that it returns
        if (depth == 0 && text[i] == '(') {
            end = i;
            break;
        }
    }
    return printable(text.substr(begin, end - begin));
}

/// Work of one turn: operations times lanes.
std::int64_t workOf(const LoopMix& mix)
{
    return static_cast<std::int64_t>(2 * mix.fused + mix.arithmetic) * std::max(mix.bits, 32);
}

} // namespace

std::optional<LoopMix> hottestLoop(std::string_view disassembly)
{
    std::optional<LoopMix> hottest;
    const std::vector<Function> functions = functionsIn(disassembly);
    for (const Function& function : functions)
        for (const Loop& loop : innermostLoops(function)) {
            Counter counter;
            for (std::size_t i = loop.first; i <= loop.last; ++i)
                counter.take(function.instructions[i]);
            LoopMix mix = counter.mix();
            if (mix.fused + mix.arithmetic == 0 || (hottest && workOf(mix) <= workOf(*hottest)))
                continue;
            mix.function = shortName(function.name);
            hottest = std::move(mix);
        }
    return hottest;
}

} // namespace tilewright
