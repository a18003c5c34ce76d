// SPDX-License-Identifier: Apache-2.0
#include "core/node/sass_digest.h"

#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace tilewright {
namespace {

struct SassInstruction {
    std::uint64_t address = 0;
    bool isPredicated = false, isNever = false; ///< never: "@!PT", as compilers write what only has to stand there
    std::string_view name; ///< with its modifiers: "LDG.E.128"
    std::string_view operands;
};

struct SassKernel {
    std::string_view symbol;
    std::vector<SassInstruction> code;
    std::map<std::string_view, std::size_t> labels; ///< ".L_x_5" → the instruction behind it
};

bool isAddressDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

std::optional<std::uint64_t> sassAddress(std::string_view text)
{
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return problem == std::errc{} && end != text.data() ? std::optional(value) : std::nullopt;
}

bool beginsWithAny(std::string_view text, std::initializer_list<std::string_view> heads)
{
    return std::ranges::any_of(heads, [&](std::string_view head) { return text.starts_with(head); });
}

/// "/*0070*/  @P0 BRA `(.L_x_1) ;", which may begin with '{' where two are issued together.
std::optional<SassInstruction> instructionOf(std::string_view line)
{
    const std::size_t end = line.find("*/");
    if (!line.starts_with("/*") || end == std::string_view::npos
        || !std::ranges::all_of(line.substr(2, end - 2), isAddressDigit))
        return std::nullopt;
    const auto address = sassAddress(line.substr(2, end - 2));
    std::string_view text = trimmed(line.substr(end + 2));
    if (text.starts_with('{'))
        text = trimmed(text.substr(1));
    text = trimmed(text.substr(0, text.find(';')));
    SassInstruction instruction{address.value_or(0), text.starts_with('@'), text.starts_with("@!PT "), {}, {}};
    if (instruction.isPredicated)
        text = trimmed(text.substr(std::min(text.find(' '), text.size())));
    const std::size_t name = std::min(text.find(' '), text.size());
    instruction.name = text.substr(0, name);
    instruction.operands = trimmed(text.substr(name));
    return address && !instruction.name.empty() ? std::optional(instruction) : std::nullopt;
}

/// nvdisasm begins a kernel with ".text.NAME:" and has labels, cuobjdump begins one with "Function : NAME" and jumps to
/// addresses.
std::vector<SassKernel> kernelsIn(std::string_view sass)
{
    constexpr std::string_view section = ".text.", function = "Function : ";
    std::vector<SassKernel> kernels;
    for (const std::string_view raw : splitLines(sass)) {
        const std::string_view line = trimmed(raw);
        if (line.starts_with(function)) {
            kernels.push_back({trimmed(line.substr(function.size())), {}, {}});
        } else if (line.starts_with(section) && line.ends_with(':')) {
            kernels.push_back({line.substr(section.size(), line.size() - section.size() - 1), {}, {}});
        } else if (kernels.empty()) {
            continue;
        } else if (const auto instruction = instructionOf(line)) {
            kernels.back().code.push_back(*instruction);
        } else if (line.ends_with(':') && line.find(' ') == std::string_view::npos) {
            kernels.back().labels[line.substr(0, line.size() - 1)] = kernels.back().code.size();
        }
    }
    std::erase_if(kernels, [](const SassKernel& kernel) { return kernel.code.empty(); });
    return kernels;
}

/// Where a branch or call goes, as an index into the code; none for other instructions and for what is computed.
std::optional<std::size_t> targetOf(const SassKernel& kernel, const SassInstruction& instruction)
{
    if (!beginsWithAny(instruction.name, {"BRA", "JMP", "CALL"}))
        return std::nullopt;
    const std::string_view operands = instruction.operands;
    if (const std::size_t open = operands.find("`("); open != std::string_view::npos) {
        const auto found = kernel.labels.find(operands.substr(open + 2, operands.rfind(')') - open - 2));
        return found != kernel.labels.end() && found->second < kernel.code.size() ? std::optional(found->second)
                                                                                  : std::nullopt;
    }
    const std::size_t number = operands.rfind("0x");
    const auto address = number == std::string_view::npos ? std::nullopt : sassAddress(operands.substr(number + 2));
    if (!address)
        return std::nullopt;
    const auto found = std::ranges::lower_bound(kernel.code, *address, {}, &SassInstruction::address);
    return found != kernel.code.end() && found->address == *address
        ? std::optional(static_cast<std::size_t>(found - kernel.code.begin()))
        : std::nullopt;
}

/// Whether nothing behind it is reached from it but where it goes.
bool endsItsBlock(const SassInstruction& instruction)
{
    if (instruction.isPredicated)
        return false;
    if (beginsWithAny(instruction.name, {"EXIT", "RET", "BRX", "JMX", "KILL"}))
        return true;
    // "BRA.DIV UR7, …", "BRA.U UP0, …" and "BRA P1, …" depend on their first operand.
    return beginsWithAny(instruction.name, {"BRA", "JMP"}) && instruction.operands.find(',') == std::string_view::npos
        && instruction.name.find(".ANY") == std::string_view::npos;
}

/// Instructions that follow each other without a way in or out between them.
struct SassBlock {
    std::size_t first = 0, last = 0;
    std::vector<std::size_t> next, before;
};

/// What may be executed after what.
class FlowGraph
{
public:
    explicit FlowGraph(const SassKernel& kernel)
        : m_kernel(kernel)
    {
        findBlocks();
        connect();
        findOrder();
        findDominators();
    }

    /// From its first instruction to the jump back to it; the code between that leaves it for good is none of it.
    struct Loop {
        std::size_t first = 0, last = 0;
        std::vector<std::size_t> code;
    };
    /// A jump back closes a loop where its target is on every way to it. Other jumps back come from code that the
    /// compiler moved to the kernel's end.
    std::vector<Loop> loops() const
    {
        std::map<std::size_t, std::vector<std::size_t>> jumpsBack; // by the block that they go to
        for (std::size_t from = 0; from < m_blocks.size(); ++from)
            for (const std::size_t head : m_blocks[from].next)
                if (m_blocks[head].first <= m_blocks[from].last && dominates(head, from))
                    jumpsBack[head].push_back(from);
        std::vector<Loop> loops;
        for (const auto& [head, froms] : jumpsBack)
            loops.push_back(loopOf(head, froms));
        return loops;
    }
    /// All that may be executed: what pads the code is left out.
    std::vector<std::size_t> reached() const
    {
        std::vector<std::size_t> code;
        for (std::size_t i = 0; i < m_blockOf.size(); ++i)
            if (m_place[m_blockOf[i]] != none)
                code.push_back(i);
        return code;
    }

private:
    static constexpr std::size_t none = ~std::size_t(0);

    void findBlocks()
    {
        const auto& code = m_kernel.code;
        std::vector<bool> begins(code.size() + 1, false);
        begins[0] = true;
        for (std::size_t i = 0; i < code.size(); ++i) {
            const auto target = targetOf(m_kernel, code[i]);
            if (target)
                begins[*target] = true;
            if (target || endsItsBlock(code[i]))
                begins[i + 1] = true;
        }
        m_blockOf.resize(code.size());
        for (std::size_t i = 0; i < code.size(); ++i) {
            if (begins[i])
                m_blocks.push_back({i, i, {}, {}});
            m_blocks.back().last = i;
            m_blockOf[i] = m_blocks.size() - 1;
        }
    }

    void connect()
    {
        for (std::size_t block = 0; block < m_blocks.size(); ++block) {
            const SassInstruction& last = m_kernel.code[m_blocks[block].last];
            if (const auto target = targetOf(m_kernel, last))
                m_blocks[block].next.push_back(m_blockOf[*target]);
            if (!endsItsBlock(last) && block + 1 < m_blocks.size())
                m_blocks[block].next.push_back(block + 1);
            for (const std::size_t next : m_blocks[block].next)
                m_blocks[next].before.push_back(block);
        }
    }

    /// Reverse postorder of the blocks that are reached from the first.
    void findOrder()
    {
        m_place.assign(m_blocks.size(), none);
        std::vector<bool> isSeen(m_blocks.size(), false);
        std::vector<std::pair<std::size_t, std::size_t>> way{{0, 0}}; // a block, and which of its next is due
        isSeen[0] = true;
        while (!way.empty()) {
            auto& [block, due] = way.back();
            if (due == m_blocks[block].next.size()) {
                m_order.push_back(block);
                way.pop_back();
            } else if (const std::size_t next = m_blocks[block].next[due++]; !isSeen[next]) {
                isSeen[next] = true;
                way.emplace_back(next, 0);
            }
        }
        std::ranges::reverse(m_order);
        for (std::size_t i = 0; i < m_order.size(); ++i)
            m_place[m_order[i]] = i;
    }

    /// Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", 2001; in places of the order.
    void findDominators()
    {
        m_dominator.assign(m_order.size(), none);
        m_dominator[0] = 0;
        for (bool isChanged = true; isChanged;) {
            isChanged = false;
            for (std::size_t place = 1; place < m_order.size(); ++place) {
                std::size_t nearest = none;
                for (const std::size_t before : m_blocks[m_order[place]].before) {
                    const std::size_t from = m_place[before];
                    if (from != none && m_dominator[from] != none)
                        nearest = nearest == none ? from : commonOf(nearest, from);
                }
                isChanged = isChanged || m_dominator[place] != nearest;
                m_dominator[place] = nearest;
            }
        }
    }

    std::size_t commonOf(std::size_t one, std::size_t other) const
    {
        while (one != other)
            (one > other ? one : other) = m_dominator[std::max(one, other)];
        return one;
    }

    bool dominates(std::size_t head, std::size_t block) const
    {
        std::size_t place = m_place[block];
        if (place == none || m_place[head] == none)
            return false;
        while (place > m_place[head])
            place = m_dominator[place];
        return place == m_place[head];
    }

    Loop loopOf(std::size_t head, const std::vector<std::size_t>& froms) const
    {
        std::vector<bool> isIn(m_blocks.size(), false);
        std::vector<std::size_t> open;
        const auto add = [&](std::size_t block) {
            if (!isIn[block])
                open.push_back(block);
            isIn[block] = true;
        };
        isIn[head] = true;
        std::ranges::for_each(froms, add);
        while (!open.empty()) {
            const std::size_t block = open.back();
            open.pop_back();
            std::ranges::for_each(m_blocks[block].before, add);
        }
        Loop loop{m_blocks[head].first, m_blocks[froms.back()].last, {}};
        for (std::size_t i = loop.first; i <= loop.last; ++i)
            if (isIn[m_blockOf[i]])
                loop.code.push_back(i);
        return loop;
    }

    const SassKernel& m_kernel;
    std::vector<SassBlock> m_blocks;
    std::vector<std::size_t> m_blockOf; ///< by instruction
    std::vector<std::size_t> m_order, m_place, m_dominator;
};

/// The part of a name between two dots, or before the first.
bool hasPart(std::string_view name, std::string_view part)
{
    while (!name.empty()) {
        const std::size_t dot = std::min(name.find('.'), name.size());
        if (name.substr(0, dot) == part)
            return true;
        name.remove_prefix(std::min(dot + 1, name.size()));
    }
    return false;
}

/// Bits that a thread moves: 32 where the name says nothing.
int widthOf(std::string_view name)
{
    for (const auto& [part, bits] :
        {std::pair{"256", 256}, {"128", 128}, {"64", 64}, {"U16", 16}, {"S16", 16}, {"U8", 8}, {"S8", 8}})
        if (hasPart(name, part))
            return bits;
    return 32;
}

/// "M88.4" moves four 8×8 matrices of 16 bits: 32 bits a thread for each.
int widthOfMatrices(std::string_view name)
{
    constexpr int ofEach = 32;
    return ofEach * (name.ends_with(".4") ? 4 : name.ends_with(".2") ? 2 : 1);
}

void take(const SassInstruction& instruction, GpuLoopMix& mix)
{
    const std::string_view name = instruction.name, head = name.substr(0, name.find('.'));
    if (head == "NOP" || instruction.isNever)
        return;
    ++mix.instructions;
    const auto isAnyOf
        = [&](std::initializer_list<std::string_view> names) { return std::ranges::find(names, head) != names.end(); };
    if (isAnyOf({"FFMA", "FFMA32I", "FFMA2", "DFMA", "HFMA2"})) {
        // "HFMA2.MMA R4, -RZ, RZ, 0, 0" puts a constant into a register.
        if (instruction.operands.find("RZ, RZ") == std::string_view::npos)
            ++mix.fused;
    } else if (head.ends_with("MMA")) { // HMMA, IMMA, DMMA, HGMMA, QGMMA, UTCHMMA, …
        if (mix.tensor++ == 0)
            mix.tensorKind = name;
    } else if (isAnyOf({"FADD", "FADD2", "FADD32I", "FMUL", "FMUL2", "FMUL32I", "FMNMX", "FMNMX3", "FCHK", "DADD",
                   "DMUL", "HADD2", "HMUL2", "HMNMX2"})) {
        ++mix.arithmetic;
    } else if (head == "MUFU") {
        ++mix.special;
    } else if (isAnyOf({"LDG", "LD"})) {
        ++mix.globalLoads[widthOf(name)];
    } else if (isAnyOf({"STG", "ST"})) {
        ++mix.globalStores[widthOf(name)];
    } else if (head == "LDS") {
        ++mix.sharedLoads[widthOf(name)];
    } else if (head == "STS") {
        ++mix.sharedStores[widthOf(name)];
    } else if (head == "LDSM") {
        ++mix.sharedLoads[widthOfMatrices(name)];
    } else if (head == "STSM") {
        ++mix.sharedStores[widthOfMatrices(name)];
    } else if (head == "LDGSTS") {
        ++mix.asyncCopies[widthOf(name)];
    } else if (isAnyOf({"UBLKCP", "UBLKRED", "UTMALDG", "UTMASTG", "UTMAREDG"})) {
        ++mix.bulkCopies;
    } else if (beginsWithAny(head, {"ATOM", "RED", "SUATOM"}) && !beginsWithAny(head, {"REDUX"})) {
        ++mix.atomics;
    } else if (isAnyOf({"SHFL", "MOVM", "REDUX", "CREDUX"})) {
        ++mix.shuffles;
    } else if (isAnyOf({"BAR", "BARRIER"})) {
        ++mix.barriers;
    } else if (isAnyOf({"DEPBAR", "UTMACMDFLUSH"}) || name.starts_with("WARPGROUP.DEPBAR")
        || name.starts_with("SYNCS.PHASECHK")) {
        ++mix.waits;
    } else if (head == "LDL") {
        ++mix.spillLoads;
    } else if (head == "STL") {
        ++mix.spillStores;
    }
}

GpuLoopMix mixOf(const SassKernel& kernel, const std::vector<std::size_t>& code)
{
    GpuLoopMix mix;
    mix.kernel = printable(kernel.symbol);
    for (const std::size_t i : code)
        take(kernel.code[i], mix);
    return mix;
}

/// It does more than to wait for something, or to start the copy engine.
bool works(const GpuLoopMix& mix) { return workOf(mix) > 0 || accessesOf(mix) > 0; }

bool isHotter(const GpuLoopMix& one, const GpuLoopMix& other)
{
    return std::pair(workOf(one), accessesOf(one)) > std::pair(workOf(other), accessesOf(other));
}

GpuLoopMix hottestOf(const SassKernel& kernel)
{
    struct Counted {
        FlowGraph::Loop loop;
        GpuLoopMix mix;
    };
    const FlowGraph graph(kernel);
    std::vector<Counted> working;
    for (FlowGraph::Loop& loop : graph.loops())
        if (GpuLoopMix mix = mixOf(kernel, loop.code); works(mix))
            working.push_back({std::move(loop), std::move(mix)});
    const Counted* hottest = nullptr;
    for (const Counted& each : working) {
        const auto isInside = [&](const Counted& other) {
            return other.loop.first >= each.loop.first && other.loop.last <= each.loop.last
                && other.loop.code.size() < each.loop.code.size();
        };
        if (std::ranges::none_of(working, isInside) && (!hottest || isHotter(each.mix, hottest->mix)))
            hottest = &each;
    }
    if (hottest)
        return hottest->mix;
    GpuLoopMix mix = mixOf(kernel, graph.reached());
    mix.isLoop = false;
    return mix;
}

} // namespace

std::vector<GpuLoopMix> hottestLoops(std::string_view sass)
{
    std::vector<GpuLoopMix> loops;
    for (const SassKernel& kernel : kernelsIn(sass))
        loops.push_back(hottestOf(kernel));
    return loops;
}

} // namespace tilewright
