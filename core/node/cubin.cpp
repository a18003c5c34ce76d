// SPDX-License-Identifier: Apache-2.0
#include "core/node/cubin.h"

#include "core/node/bounded_bytes.h"

#include <algorithm>
#include <cstring>
#include <elf.h>

namespace tilewright {
namespace {

/// .nv.info attributes (cuobjdump -elf names them).
constexpr int attributeRegisters = 0x2f, attributeFrame = 0x11, attributeParameter = 0x17;
constexpr int formatSized = 4;
constexpr unsigned mostSections = 100'000;

std::unexpected<Error> unusableCubin(const std::string& why)
{
    return fail("build/object", "the compiled program cannot be used: " + why);
}

struct Section {
    Elf64_Shdr header{};
    std::string name;
    std::string_view bytes;
};

/// .nv.global, .nv.global.init and whatever else can be written and is no block's shared memory.
bool outlivesALaunch(const Section& section)
{
    constexpr std::uint64_t written = SHF_ALLOC | SHF_WRITE;
    return (section.header.sh_flags & written) == written && !section.name.starts_with(".nv.shared");
}

/// Calls visit(attribute, data) for every sized attribute of a .nv.info section.
template <typename Visit> void forAttributes(std::string_view info, Visit visit)
{
    const BoundedBytes bytes(info);
    for (std::uint64_t at = 0;;) {
        const auto format = bytes.read<std::uint8_t>(at), attribute = bytes.read<std::uint8_t>(at + 1);
        const auto size = bytes.read<std::uint16_t>(at + 2);
        if (!format || !attribute || !size)
            return;
        at += 4;
        if (*format != formatSized)
            continue;
        visit(static_cast<int>(*attribute), BoundedBytes(bytes.part(at, *size)));
        at += *size;
    }
}

} // namespace

Result<Cubin> Cubin::parse(std::string_view file)
{
    const BoundedBytes bytes(file);
    const auto header = bytes.read<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
        return unusableCubin("it is not a 64-bit ELF file");
    if (header->e_shnum == 0 || header->e_shnum > mostSections || header->e_shstrndx >= header->e_shnum)
        return unusableCubin("its section table is missing");
    std::vector<Section> sections;
    for (unsigned i = 0; i < header->e_shnum; ++i) {
        const auto section = bytes.read<Elf64_Shdr>(header->e_shoff + std::uint64_t(i) * sizeof(Elf64_Shdr));
        if (!section)
            return unusableCubin("its section table is cut off");
        sections.push_back({*section, {}, {}});
        if (section->sh_type != SHT_NOBITS)
            sections.back().bytes = bytes.part(section->sh_offset, section->sh_size);
    }
    const std::string_view names = sections[header->e_shstrndx].bytes;
    for (Section& section : sections)
        section.name = textAt(names, section.header.sh_name).value_or("");

    Cubin cubin;
    std::vector<std::string> symbolNames;
    for (const Section& table : sections) {
        if (table.header.sh_type != SHT_SYMTAB || table.header.sh_link >= sections.size())
            continue;
        const std::string_view strings = sections[table.header.sh_link].bytes;
        const BoundedBytes entries(table.bytes);
        for (std::uint64_t at = 0; const auto symbol = entries.read<Elf64_Sym>(at); at += sizeof(Elf64_Sym)) {
            CubinSymbol entry;
            entry.name = textAt(strings, symbol->st_name).value_or("");
            symbolNames.push_back(entry.name);
            entry.undefined = symbol->st_shndx == SHN_UNDEF;
            entry.isFunction = ELF64_ST_TYPE(symbol->st_info) == STT_FUNC;
            if (symbol->st_shndx < sections.size() && ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT) {
                const Section& home = sections[symbol->st_shndx];
                entry.bytes = BoundedBytes(home.bytes).part(symbol->st_value, symbol->st_size);
                if (outlivesALaunch(home))
                    cubin.m_variables.push_back({entry.name, home.header.sh_type != SHT_NOBITS});
            }
            if (!entry.name.empty())
                cubin.m_symbols.push_back(std::move(entry));
        }
    }
    for (const Section& section : sections) {
        const auto size = static_cast<std::int64_t>(std::min<std::uint64_t>(section.header.sh_size, INT64_MAX));
        if (!section.name.starts_with(".text."))
            continue;
        CubinKernel kernel;
        kernel.name = section.name.substr(6);
        kernel.codeBytes = size;
        cubin.m_kernels.push_back(std::move(kernel));
    }
    for (const Section& section : sections) {
        for (CubinKernel& kernel : cubin.m_kernels) {
            if (section.name == ".nv.shared." + kernel.name)
                kernel.staticShared
                    = static_cast<std::int64_t>(std::min<std::uint64_t>(section.header.sh_size, INT64_MAX));
            if (section.name == ".nv.info." + kernel.name)
                forAttributes(section.bytes, [&](int attribute, const BoundedBytes& data) {
                    // index, ordinal and offset, then flags with the size above them
                    const auto word = data.read<std::uint32_t>(8);
                    if (attribute != attributeParameter || !word)
                        return;
                    ++kernel.parameters;
                    kernel.parameterBytes = *word >> 18;
                });
        }
        if (section.name == ".nv.info")
            forAttributes(section.bytes, [&](int attribute, const BoundedBytes& data) {
                const auto symbol = data.read<std::uint32_t>(0), value = data.read<std::uint32_t>(4);
                if (!symbol || !value || *symbol >= symbolNames.size())
                    return;
                const auto kernel = std::ranges::find(cubin.m_kernels, symbolNames[*symbol], &CubinKernel::name);
                if (kernel == cubin.m_kernels.end())
                    return;
                if (attribute == attributeRegisters)
                    kernel->registers = static_cast<int>(*value);
                else if (attribute == attributeFrame)
                    kernel->frameBytes = *value;
            });
    }
    return cubin;
}

const CubinKernel* Cubin::kernel(std::string_view name) const
{
    const auto found = std::ranges::find(m_kernels, name, &CubinKernel::name);
    return found == m_kernels.end() ? nullptr : &*found;
}

const CubinSymbol* Cubin::symbol(std::string_view name) const
{
    const auto found = std::ranges::find(m_symbols, name, &CubinSymbol::name);
    return found == m_symbols.end() ? nullptr : &*found;
}

Result<void> checkCubin(const Cubin& cubin)
{
    for (const CubinSymbol& symbol : cubin.symbols())
        if (symbol.undefined && symbol.isFunction)
            return fail("build/undefined-symbol",
                "a program may only call its own functions: " + symbol.name
                    + ". There is no heap and no output on the GPU: remove malloc, new and printf",
                "", {{"found", symbol.name}});
    return {};
}

} // namespace tilewright
