// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/numpy_array.h"

#include "core/base/text.h"
#include "core/tensor/pickle.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace tilewright::tensor {
namespace {

constexpr std::string_view numpyMagic = "\x93NUMPY";

std::unexpected<Error> badArray(const std::string& why)
{
    return fail("tensor/file", "the NumPy array cannot be read: " + why);
}

struct ArrayHeader {
    std::string type; ///< "<i8", "|O"
    bool isFortran = false;
    std::vector<std::size_t> shape;
};

/// How many numbers the shape has; none where they are too many.
std::optional<std::size_t> countOf(const std::vector<std::size_t>& shape)
{
    std::size_t count = 1;
    for (const std::size_t size : shape) {
        if (size > mostNumbers || count * size > mostNumbers)
            return std::nullopt;
        count *= size;
    }
    return count;
}

/// The value of a key of the header, which is a Python dictionary: up to the comma or bracket that ends it.
std::optional<std::string_view> valueOfKey(std::string_view header, std::string_view key)
{
    const std::size_t at = header.find("'" + std::string(key) + "'");
    const std::size_t colon = at == std::string_view::npos ? at : header.find(':', at);
    if (colon == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = trimmed(header.substr(colon + 1));
    if (rest.starts_with('('))
        return rest.substr(1, rest.find(')') - 1);
    if (rest.starts_with('\''))
        return rest.substr(1, rest.find('\'', 1) - 1);
    return trimmed(rest.substr(0, rest.find_first_of(",}")));
}

std::optional<ArrayHeader> headerIn(std::string_view text)
{
    ArrayHeader header;
    const auto type = valueOfKey(text, "descr"), order = valueOfKey(text, "fortran_order");
    auto shape = valueOfKey(text, "shape");
    if (!type || !order || !shape)
        return std::nullopt;
    header.type = *type;
    header.isFortran = *order == "True";
    while (!trimmed(*shape).empty()) {
        const std::string_view part = trimmed(shape->substr(0, shape->find(',')));
        std::size_t size = 0;
        const auto [end, problem] = std::from_chars(part.data(), part.data() + part.size(), size);
        if (problem != std::errc{} || end != part.data() + part.size() || header.shape.size() == 8)
            return std::nullopt;
        header.shape.push_back(size);
        const std::size_t comma = shape->find(',');
        shape = comma == std::string_view::npos ? std::string_view() : shape->substr(comma + 1);
    }
    return header;
}

template <typename T> T valueAt(const char* bytes)
{
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

/// One number of a type such as "i8" (little-endian).
std::optional<Coefficient> numberAt(const char* bytes, std::string_view type)
{
    if (type == "b1" || type == "u1")
        return coefficientOf(std::int64_t(valueAt<std::uint8_t>(bytes)));
    if (type == "i1")
        return coefficientOf(std::int64_t(valueAt<std::int8_t>(bytes)));
    if (type == "i2")
        return coefficientOf(std::int64_t(valueAt<std::int16_t>(bytes)));
    if (type == "u2")
        return coefficientOf(std::int64_t(valueAt<std::uint16_t>(bytes)));
    if (type == "i4")
        return coefficientOf(std::int64_t(valueAt<std::int32_t>(bytes)));
    if (type == "u4")
        return coefficientOf(std::int64_t(valueAt<std::uint32_t>(bytes)));
    if (type == "i8")
        return coefficientOf(valueAt<std::int64_t>(bytes));
    if (type == "u8")
        return coefficientOf(static_cast<std::int64_t>(
            std::min<std::uint64_t>(valueAt<std::uint64_t>(bytes), std::uint64_t(largestNumber) + 1)));
    if (type == "f4")
        return coefficientOf(double(valueAt<float>(bytes)), 0.0);
    if (type == "f8")
        return coefficientOf(valueAt<double>(bytes), 0.0);
    if (type == "c8")
        return coefficientOf(double(valueAt<float>(bytes)), double(valueAt<float>(bytes + 4)));
    if (type == "c16")
        return coefficientOf(valueAt<double>(bytes), valueAt<double>(bytes + 8));
    return std::nullopt;
}

Result<NumpyArray> numbersIn(std::string_view bytes, const ArrayHeader& header)
{
    constexpr std::array known{"b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8", "c8", "c16"};
    const std::string type = header.type.empty() ? std::string() : header.type.substr(1);
    if (std::ranges::find(known, type) == known.end() || header.type[0] == '>')
        return badArray("its type '" + oneLine(header.type, 20) + "' is not supported");
    const std::size_t size = static_cast<std::size_t>(std::stoi(type.substr(1)));
    const auto count = countOf(header.shape);
    if (!count)
        return badArray("it has more than " + std::to_string(mostNumbers) + " numbers");
    if (bytes.size() < *count * size)
        return badArray("its end is missing");
    NumpyArray array{header.shape, std::vector<Coefficient>(*count), {}};
    std::vector<std::size_t> index(header.shape.size());
    for (std::size_t i = 0; i < *count; ++i) {
        std::size_t place = i;
        if (header.isFortran) { // the first index runs fastest
            place = 0;
            std::size_t stride = 1;
            for (std::size_t d = 0; d < index.size(); ++d) {
                place += index[d] * stride;
                stride *= header.shape[d];
            }
            for (std::size_t d = index.size(); d-- > 0 && ++index[d] == header.shape[d];)
                index[d] = 0;
        }
        const auto value = numberAt(bytes.data() + place * size, type);
        if (!value)
            return badArray("its number " + std::to_string(i + 1) + " is no fraction of integers up to "
                + std::to_string(largestNumber));
        array.values[i] = *value;
    }
    return array;
}

using Node = PickleNode;

bool isArrayObject(const Node& node)
{
    return node.kind == Node::Kind::Object && node.items.size() == 2 && node.items[0]->kind == Node::Kind::Global
        && node.items[0]->text.ends_with("multiarray _reconstruct") && node.state
        && node.state->kind == Node::Kind::Sequence && node.state->items.size() >= 5;
}

/// "<i8" of the object that describes a type.
std::string typeIn(const Node& node)
{
    if (node.kind != Node::Kind::Object || node.items[0]->text != "numpy dtype"
        || node.items[1]->kind != Node::Kind::Sequence || node.items[1]->items.empty())
        return {};
    const bool hasOrder = node.state && node.state->kind == Node::Kind::Sequence && node.state->items.size() >= 2
        && node.state->items[1]->text.size() == 1;
    return (hasOrder ? node.state->items[1]->text : std::string("|")) + node.items[1]->items[0]->text;
}

/// Bytes of an array; protocol 2 has them as Latin-1 text that a codec encodes.
std::optional<std::string> bytesIn(const Node& node)
{
    if (node.kind == Node::Kind::Bytes)
        return node.text;
    if (node.kind != Node::Kind::Object || node.items[0]->text != "_codecs encode"
        || node.items[1]->kind != Node::Kind::Sequence || node.items[1]->items.empty())
        return std::nullopt;
    std::string bytes;
    const std::string& text = node.items[1]->items[0]->text;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c < 0x80) {
            bytes += text[i];
            continue;
        }
        if ((c & 0xfc) != 0xc0 || i + 1 == text.size())
            return std::nullopt;
        bytes += static_cast<char>((c & 3) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3f));
    }
    return bytes;
}

Result<NumpyArray> pickledArray(const Node& node, int depth);

Result<NumpyArray> arrayList(const std::vector<const Node*>& items, int depth)
{
    constexpr std::size_t mostArrays = 3; // of which several may share the same bytes
    if (items.empty() || items.size() > mostArrays || depth > 0)
        return badArray("it is no list of up to three arrays");
    NumpyArray list{{items.size()}, {}, {}};
    for (const Node* item : items) {
        auto array = pickledArray(*item, depth + 1);
        if (!array)
            return array;
        list.arrays.push_back(std::move(*array));
    }
    return list;
}

Result<NumpyArray> pickledArray(const Node& node, int depth)
{
    if (node.kind == Node::Kind::Sequence)
        return arrayList(node.items, depth);
    if (!isArrayObject(node))
        return badArray("it holds what is no array");
    const auto& state = node.state->items; // version, shape, type, whether in Fortran's order, data
    if (state[1]->kind != Node::Kind::Sequence || state[1]->items.size() > 8)
        return badArray("it holds an array without a shape");
    ArrayHeader header;
    for (const Node* size : state[1]->items) {
        if (size->kind != Node::Kind::Number || size->number < 0)
            return badArray("it holds an array without a shape");
        header.shape.push_back(static_cast<std::size_t>(size->number));
    }
    header.type = typeIn(*state[2]);
    header.isFortran = state[3]->number != 0;
    if (header.type.starts_with("|O"))
        return arrayList(state[4]->items, depth);
    const auto bytes = bytesIn(*state[4]);
    return bytes ? numbersIn(*bytes, header) : badArray("it holds an array without numbers");
}

/// The shortest type that has all numbers.
std::string typeFor(const NumpyArray& array)
{
    std::string type = "|i1";
    for (const Coefficient& value : array.values) {
        if (!value.isReal())
            return "<c16";
        if (!value.isInteger())
            type = "<f8";
        else if ((value.re < -128 || value.re > 127) && type == "|i1")
            type = "<i4";
    }
    return type;
}

template <typename T> void appendValue(std::string& bytes, T value)
{
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string numberBytes(const NumpyArray& array, const std::string& type)
{
    std::string bytes;
    for (const Coefficient& value : array.values) {
        const double den = static_cast<double>(value.den);
        if (type == "|i1")
            appendValue(bytes, static_cast<std::int8_t>(value.re));
        else if (type == "<i4")
            appendValue(bytes, static_cast<std::int32_t>(value.re));
        else
            appendValue(bytes, static_cast<double>(value.re) / den);
        if (type == "<c16")
            appendValue(bytes, static_cast<double>(value.im) / den);
    }
    return bytes;
}

// What NumPy's own pickles of arrays consist of, in protocol 3.

std::string pickledNumber(std::size_t number)
{
    std::string bytes = "J";
    appendValue(bytes, static_cast<std::int32_t>(number));
    return bytes;
}

std::string pickledText(std::string_view text)
{
    std::string bytes = "X";
    appendValue(bytes, static_cast<std::uint32_t>(text.size()));
    return bytes.append(text);
}

std::string pickledBytes(std::string_view data)
{
    std::string bytes = "B";
    appendValue(bytes, static_cast<std::uint32_t>(data.size()));
    return bytes.append(data);
}

std::string pickledShape(const std::vector<std::size_t>& shape)
{
    std::string bytes = "(";
    for (const std::size_t size : shape)
        bytes += pickledNumber(size);
    return bytes + "t";
}

/// _reconstruct(ndarray, (0,), b"b") with the state (1, shape, dtype(name, False, True), False, data).
std::string pickledObject(const std::vector<std::size_t>& shape, const std::string& type, const std::string& data)
{
    const std::string falseCode = "\x89", trueCode = "\x88";
    const bool isObject = type[1] == 'O';
    const std::string name = isObject ? "O8" : type.substr(1);
    const std::string typeState = "(" + pickledNumber(3) + pickledText(type.substr(0, 1)) + "NNN"
        + pickledNumber(std::size_t(0) - 1) + pickledNumber(std::size_t(0) - 1) + pickledNumber(isObject ? 63 : 0)
        + "tb";
    return "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\n" + pickledShape({0}) + pickledBytes("b") + "\x87R("
        + pickledNumber(1) + pickledShape(shape) + "cnumpy\ndtype\n" + pickledText(name) + falseCode + trueCode
        + "\x87R" + typeState + falseCode + data + "tb";
}

} // namespace

Result<NumpyArray> numpyArrayIn(std::string_view bytes)
{
    constexpr std::size_t shortest = 10, longestHeader = 65536;
    if (bytes.size() < shortest || !bytes.starts_with(numpyMagic))
        return badArray("it does not begin as one");
    const bool isFirstVersion = bytes[6] == 1;
    if (!isFirstVersion && (bytes[6] > 3 || bytes[6] < 1 || bytes.size() < 12))
        return badArray("its version is not supported");
    const std::size_t length
        = isFirstVersion ? valueAt<std::uint16_t>(bytes.data() + 8) : valueAt<std::uint32_t>(bytes.data() + 8);
    const std::size_t start = isFirstVersion ? 10 : 12;
    if (length > longestHeader || bytes.size() < start + length)
        return badArray("its header is damaged");
    const auto header = headerIn(bytes.substr(start, length));
    if (!header)
        return badArray("its header is damaged");
    const std::string_view rest = bytes.substr(start + length);
    if (!header->type.starts_with("|O"))
        return numbersIn(rest, *header);
    const auto pickle = pickleIn(rest);
    if (!pickle)
        return std::unexpected(pickle.error());
    return pickledArray(*pickle->root, 0);
}

std::string numpyBytes(const NumpyArray& array)
{
    const std::string type = array.isList() ? "|O" : typeFor(array);
    std::string shape;
    for (const std::size_t size : array.shape)
        shape += std::to_string(size) + ",";
    std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    header.resize((numpyMagic.size() + 4 + header.size() + 64) / 64 * 64 - numpyMagic.size() - 4 - 1, ' ');
    header += '\n';
    std::string bytes = std::string(numpyMagic) + '\x01' + '\0';
    appendValue(bytes, static_cast<std::uint16_t>(header.size()));
    bytes += header;
    if (!array.isList())
        return bytes + numberBytes(array, type);
    std::string items = "](";
    for (const NumpyArray& each : array.arrays) {
        const std::string itsType = typeFor(each);
        items += pickledObject(each.shape, itsType, pickledBytes(numberBytes(each, itsType)));
    }
    return bytes + "\x80\x03" + pickledObject(array.shape, "|O", items + "e") + ".";
}

} // namespace tilewright::tensor
