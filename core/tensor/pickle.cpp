// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/pickle.h"

#include <map>

namespace tilewright::tensor {
namespace {

constexpr std::size_t mostNodes = 100'000;

struct PickleProblem {
    std::string what;
};

class PickleReader
{
public:
    explicit PickleReader(std::string_view bytes)
        : m_rest(bytes)
    {
    }

    Pickle read()
    {
        for (;;) {
            const auto code = static_cast<unsigned char>(taken(1)[0]);
            if (code == '.') {
                m_pickle.root = pop();
                return std::move(m_pickle);
            }
            execute(code);
        }
    }

private:
    using Kind = PickleNode::Kind;

    void execute(unsigned char code)
    {
        switch (code) {
        case 0x80: // PROTO
            taken(1);
            break;
        case 0x95: // FRAME
            taken(8);
            break;
        case '(':
            m_marks.push_back(m_stack.size());
            break;
        case 'N':
            push(Kind::None);
            break;
        case 0x88:
        case 0x89:
            push(Kind::Truth).number = code == 0x88 ? 1 : 0;
            break;
        case 'J':
            push(Kind::Number).number = static_cast<std::int32_t>(number(4));
            break;
        case 'K':
            push(Kind::Number).number = static_cast<std::int64_t>(number(1));
            break;
        case 'M':
            push(Kind::Number).number = static_cast<std::int64_t>(number(2));
            break;
        case 0x8a: // LONG1
            push(Kind::Number).number = longNumber(number(1));
            break;
        case 'X':
        case 0x8c:
        case 0x8d:
            push(Kind::Text).text = taken(number(code == 'X' ? 4 : code == 0x8c ? 1 : 8));
            break;
        case 'B':
        case 'T':
            push(Kind::Bytes).text = taken(number(4));
            break;
        case 'C':
        case 'U':
            push(Kind::Bytes).text = taken(number(1));
            break;
        case 0x8e:
            push(Kind::Bytes).text = taken(number(8));
            break;
        case ')':
        case ']':
            push(Kind::Sequence);
            break;
        case 't':
            sequence(itemsFromMark());
            break;
        case 0x85:
        case 0x86:
        case 0x87:
            sequence(itemsOfTop(code - 0x84u));
            break;
        case 'a':
            append(itemsOfTop(1));
            break;
        case 'e':
            append(itemsFromMark());
            break;
        case 'c': {
            const std::string module = line();
            push(Kind::Global).text = module + " " + line();
            break;
        }
        case 0x93: { // STACK_GLOBAL
            const auto names = itemsOfTop(2);
            push(Kind::Global).text = names[0]->text + " " + names[1]->text;
            break;
        }
        case 'R':
        case 0x81: { // REDUCE, NEWOBJ
            auto made = itemsOfTop(2);
            push(Kind::Object).items = std::move(made);
            break;
        }
        case 'b': {
            const PickleNode* const state = pop();
            if (top().kind != Kind::Object)
                throw PickleProblem{"a state of what is no object"};
            top().state = state;
            break;
        }
        case 'q':
            m_memo[number(1)] = &top();
            break;
        case 'r':
            m_memo[number(4)] = &top();
            break;
        case 0x94: // MEMOIZE
            m_memo[m_memo.size()] = &top();
            break;
        case 'h':
            recall(number(1));
            break;
        case 'j':
            recall(number(4));
            break;
        default:
            throw PickleProblem{"the operation " + std::to_string(code) + ", which arrays do not need"};
        }
    }

    std::string_view takenView(std::size_t count)
    {
        if (count > m_rest.size())
            throw PickleProblem{"no end"};
        const std::string_view bytes = m_rest.substr(0, count);
        m_rest.remove_prefix(count);
        return bytes;
    }
    std::string taken(std::size_t count) { return std::string(takenView(count)); }
    /// Little-endian, without sign.
    std::uint64_t number(std::size_t bytes)
    {
        std::uint64_t value = 0;
        const std::string_view all = takenView(bytes);
        for (std::size_t i = 0; i < bytes; ++i)
            value |= std::uint64_t(static_cast<unsigned char>(all[i])) << (8 * i);
        return value;
    }
    std::int64_t longNumber(std::uint64_t bytes)
    {
        if (bytes > 8)
            throw PickleProblem{"a number of more than 64 bits"};
        if (bytes == 0)
            return 0;
        const std::uint64_t value = number(bytes);
        const auto shift = static_cast<unsigned>(64 - 8 * bytes);
        return static_cast<std::int64_t>(value << shift) >> shift;
    }
    std::string line()
    {
        const std::size_t end = m_rest.find('\n');
        if (end == std::string_view::npos || end > 200)
            throw PickleProblem{"a name without an end"};
        std::string text = taken(end);
        taken(1);
        return text;
    }

    PickleNode& push(Kind kind)
    {
        if (m_pickle.nodes.size() >= mostNodes)
            throw PickleProblem{"more than " + std::to_string(mostNodes) + " parts"};
        PickleNode& node = m_pickle.nodes.emplace_back();
        node.kind = kind;
        m_stack.push_back(&node);
        return node;
    }
    PickleNode& top()
    {
        if (m_stack.size() <= floor())
            throw PickleProblem{"an operation without its operand"};
        return *m_stack.back();
    }
    PickleNode* pop()
    {
        PickleNode* const node = &top();
        m_stack.pop_back();
        return node;
    }
    std::size_t floor() const { return m_marks.empty() ? 0 : m_marks.back(); }
    std::vector<const PickleNode*> itemsOfTop(std::size_t count)
    {
        std::vector<const PickleNode*> items(count);
        for (std::size_t i = count; i-- > 0;)
            items[i] = pop();
        return items;
    }
    std::vector<const PickleNode*> itemsFromMark()
    {
        if (m_marks.empty() || m_marks.back() > m_stack.size())
            throw PickleProblem{"a sequence without its beginning"};
        const auto first = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
        std::vector<const PickleNode*> items(first, m_stack.end());
        m_stack.erase(first, m_stack.end());
        m_marks.pop_back();
        return items;
    }
    void sequence(std::vector<const PickleNode*> items) { push(Kind::Sequence).items = std::move(items); }
    void append(const std::vector<const PickleNode*>& items)
    {
        PickleNode& list = top();
        if (list.kind != Kind::Sequence || list.items.size() + items.size() > mostNodes)
            throw PickleProblem{"items of what is no list"};
        list.items.insert(list.items.end(), items.begin(), items.end());
    }
    void recall(std::uint64_t name)
    {
        const auto found = m_memo.find(name);
        if (found == m_memo.end() || m_stack.size() > mostNodes)
            throw PickleProblem{"a part that is not there"};
        m_stack.push_back(found->second);
    }

    std::string_view m_rest;
    Pickle m_pickle;
    std::vector<PickleNode*> m_stack;
    std::vector<std::size_t> m_marks;
    std::map<std::uint64_t, PickleNode*> m_memo;
};

} // namespace

Result<Pickle> pickleIn(std::string_view bytes)
{
    try {
        return PickleReader(bytes).read();
    } catch (const PickleProblem& problem) {
        return fail("tensor/file", "the pickled part of the file cannot be read: it has " + problem.what);
    }
}

} // namespace tilewright::tensor
