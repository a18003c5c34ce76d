// SPDX-License-Identifier: Apache-2.0
#include "core/node/elf_rules.h"

#include "core/base/text.h"
#include "core/node/bounded_bytes.h"
#include "core/source/compiled_rules.h"
#include "core/source/program_text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <elf.h>
#include <set>
#include <vector>

namespace tilewright {
namespace {

/// mem* and libm; nothing that reads, writes, allocates or asks the time.
bool isHarmless(std::string_view symbol)
{
    static const std::set<std::string_view> memory{
        "memcpy", "memmove", "memset", "memcmp", "memchr", "__memcpy_chk", "__memmove_chk", "__memset_chk"};
    static const std::set<std::string_view> math{"acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt",
        "ceil", "copysign", "cos", "cosh", "erf", "erfc", "exp", "exp2", "expm1", "fabs", "fdim", "floor", "fma",
        "fmax", "fmin", "fmod", "frexp", "hypot", "ilogb", "ldexp", "lgamma", "llrint", "llround", "log", "log10",
        "log1p", "log2", "logb", "lrint", "lround", "modf", "nan", "nearbyint", "nextafter", "pow", "remainder",
        "remquo", "rint", "round", "scalbln", "scalbn", "sin", "sincos", "sinh", "sqrt", "tan", "tanh", "tgamma",
        "trunc"};
    if (memory.contains(symbol))
        return true;
    std::string_view base = symbol;
    if (base.starts_with("__") && base.ends_with("_finite"))
        base = base.substr(2, base.size() - 9);
    if (math.contains(base))
        return true;
    return (base.ends_with('f') || base.ends_with('l')) && math.contains(base.substr(0, base.size() - 1));
}

std::string textIn(const BoundedBytes& object, std::uint64_t table, std::uint64_t size, std::uint64_t offset)
{
    return textAt(object.part(table, size), offset).value_or("?");
}

std::unexpected<Error> unusableObject(const std::string& why)
{
    return fail("build/object", "the built object cannot be used: " + why);
}

std::unexpected<Error> rule(const std::string& name, const std::string& text, const std::string& culprit)
{
    return fail("build/" + name, text + ": " + culprit, "", {{"found", culprit}});
}

struct Sections {
    std::vector<Elf64_Shdr> headers;
    std::vector<std::string> names;
};

Result<Sections> readSections(const BoundedBytes& object)
{
    const auto header = object.read<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
        return unusableObject("it is not a 64-bit ELF file");
    if (header->e_type != ET_DYN)
        return unusableObject("it is not a shared object");
    if (header->e_shnum == 0 || header->e_shnum > 1000 || header->e_shstrndx >= header->e_shnum)
        return unusableObject("its section table is missing");
    Sections sections;
    for (unsigned i = 0; i < header->e_shnum; ++i) {
        const auto section = object.read<Elf64_Shdr>(header->e_shoff + std::uint64_t(i) * sizeof(Elf64_Shdr));
        if (!section)
            return unusableObject("its section table is cut off");
        sections.headers.push_back(*section);
    }
    const Elf64_Shdr& names = sections.headers[header->e_shstrndx];
    for (const Elf64_Shdr& section : sections.headers)
        sections.names.push_back(textIn(object, names.sh_offset, names.sh_size, section.sh_name));
    return sections;
}

/// Writable sections that the dynamic linker fills and then protects (relro): not the candidate's to write.
bool isLinkersOwn(std::string_view name)
{
    static constexpr std::array<std::string_view, 5> own{
        ".dynamic", ".got", ".got.plt", ".data.rel.ro", ".data.rel.ro.local"};
    return std::ranges::find(own, name) != own.end();
}

Result<void> checkSection(const Elf64_Shdr& section, const std::string& name)
{
    const bool constructor = section.sh_type == SHT_INIT_ARRAY || section.sh_type == SHT_FINI_ARRAY
        || section.sh_type == SHT_PREINIT_ARRAY || name == ".init" || name == ".fini" || name == ".ctors"
        || name == ".dtors";
    if (constructor && section.sh_size > 0)
        return rule("constructor", "code that runs when the program is loaded is not allowed", name);
    if ((section.sh_flags & SHF_TLS) && section.sh_size > 0)
        return rule("tls", "thread-local variables keep state between calls and are not allowed", name);
    if ((section.sh_flags & SHF_WRITE) && (section.sh_flags & SHF_ALLOC) && section.sh_size > 0 && !isLinkersOwn(name))
        return rule("writable-data", "writable globals or statics keep state between calls and are not allowed",
            name + ", " + std::to_string(section.sh_size) + " bytes");
    if ((section.sh_flags & SHF_WRITE) && (section.sh_flags & SHF_EXECINSTR))
        return rule("writable-data", "writable code is not allowed", name);
    return {};
}

Result<bool> checkSymbols(const BoundedBytes& object, const Sections& sections, const Elf64_Shdr& table)
{
    if (table.sh_link >= sections.headers.size())
        return unusableObject("its symbol table names no strings");
    const Elf64_Shdr& strings = sections.headers[table.sh_link];
    bool entry = false;
    for (std::uint64_t at = sizeof(Elf64_Sym); at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
        const auto symbol = object.read<Elf64_Sym>(table.sh_offset + at);
        if (!symbol)
            return unusableObject("its symbol table is cut off");
        const std::string name = textIn(object, strings.sh_offset, strings.sh_size, symbol->st_name);
        if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC)
            return rule("ifunc", "functions chosen by code at load time are not allowed", name);
        // The dynamic table is the one the loader goes by; the other repeats its names with version suffixes.
        if (table.sh_type == SHT_DYNSYM && symbol->st_shndx == SHN_UNDEF && !name.empty() && !isHarmless(name))
            return rule("undefined-symbol", "only mem* and mathematical functions may be called", name);
        entry |= table.sh_type == SHT_DYNSYM && symbol->st_shndx != SHN_UNDEF && name == "tilewright_run";
    }
    return entry;
}

Result<void> checkDynamic(const BoundedBytes& object, const Sections& sections, const Elf64_Shdr& table)
{
    if (table.sh_link >= sections.headers.size())
        return unusableObject("its dynamic section names no strings");
    const Elf64_Shdr& strings = sections.headers[table.sh_link];
    for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= table.sh_size; at += sizeof(Elf64_Dyn)) {
        const auto entry = object.read<Elf64_Dyn>(table.sh_offset + at);
        if (!entry || entry->d_tag == DT_NULL)
            break;
        if (entry->d_tag == DT_INIT || entry->d_tag == DT_INIT_ARRAY || entry->d_tag == DT_PREINIT_ARRAY
            || entry->d_tag == DT_FINI || entry->d_tag == DT_FINI_ARRAY)
            return rule("constructor", "code that runs when the program is loaded is not allowed",
                "dynamic tag " + std::to_string(entry->d_tag));
        if (entry->d_tag == DT_NEEDED) {
            const std::string library = textIn(object, strings.sh_offset, strings.sh_size, entry->d_un.d_val);
            if (library != "libm.so.6" && library != "libc.so.6" && library != "libmvec.so.1")
                return rule("library", "only the C and mathematical libraries may be linked", library);
        }
    }
    return {};
}

/// What the loader goes by: it never looks at sections.
Result<void> checkSegments(const BoundedBytes& object, const Sections& sections)
{
    const auto header = object.read<Elf64_Ehdr>(0);
    for (unsigned i = 0; header && i < header->e_phnum; ++i) {
        const auto segment = object.read<Elf64_Phdr>(header->e_phoff + std::uint64_t(i) * sizeof(Elf64_Phdr));
        if (!segment)
            return unusableObject("its segment table is cut off");
        if ((segment->p_flags & PF_X) && ((segment->p_flags & PF_W) || segment->p_type == PT_GNU_STACK))
            return rule("writable-data", "writable code is not allowed",
                segment->p_type == PT_GNU_STACK ? "an executable stack" : "a segment");
        if (segment->p_type == PT_TLS)
            return rule("tls", "thread-local variables keep state between calls and are not allowed", "a segment");
        const auto isIt = [&](const Elf64_Shdr& section) {
            return section.sh_type == SHT_DYNAMIC && section.sh_offset == segment->p_offset;
        };
        if (segment->p_type == PT_DYNAMIC && std::ranges::none_of(sections.headers, isIt))
            return unusableObject("its dynamic segment is no dynamic section");
    }
    return {};
}

/// A relocation whose value a resolver function computes runs code while the object is loaded, symbol or not.
Result<void> checkRelocations(const BoundedBytes& object, const Elf64_Shdr& table)
{
    constexpr std::uint32_t irelative = 37, irelativeArm = 1032;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Rela) <= table.sh_size; at += sizeof(Elf64_Rela)) {
        const auto relocation = object.read<Elf64_Rela>(table.sh_offset + at);
        if (!relocation)
            return unusableObject("its relocations are cut off");
        const std::uint64_t type = ELF64_R_TYPE(relocation->r_info);
        if (type == irelative || type == irelativeArm)
            return rule("ifunc", "functions chosen by code at load time are not allowed", "an IRELATIVE relocation");
    }
    return {};
}

} // namespace

Result<ObjectFacts> checkObject(std::string_view elf)
{
    const BoundedBytes object(elf);
    const auto sections = readSections(object);
    if (!sections)
        return std::unexpected(sections.error());
    if (auto checked = checkSegments(object, *sections); !checked)
        return std::unexpected(checked.error());
    ObjectFacts facts;
    std::string code;
    bool entry = false;
    for (std::size_t i = 0; i < sections->headers.size(); ++i) {
        const Elf64_Shdr& section = sections->headers[i];
        if (auto checked = checkSection(section, sections->names[i]); !checked)
            return std::unexpected(checked.error());
        const bool isConstant
            = sections->names[i].starts_with(".rodata") || sections->names[i].starts_with(".data.rel.ro");
        if (section.sh_type == SHT_PROGBITS && (isConstant || (section.sh_flags & SHF_EXECINSTR)))
            if (section.sh_offset <= elf.size() && section.sh_size <= elf.size() - section.sh_offset)
                code += sections->names[i] + ' ' + sha256(elf.substr(section.sh_offset, section.sh_size)).hex() + '\n';
        if (section.sh_flags & SHF_EXECINSTR)
            facts.textBytes += static_cast<std::int64_t>(section.sh_size);
        if (sections->names[i].starts_with(".rodata"))
            facts.readOnlyBytes += static_cast<std::int64_t>(section.sh_size);
    }
    for (const Elf64_Shdr& section : sections->headers) {
        if (section.sh_type == SHT_DYNSYM || section.sh_type == SHT_SYMTAB) {
            const auto found = checkSymbols(object, *sections, section);
            if (!found)
                return std::unexpected(found.error());
            entry |= *found;
        }
        if (section.sh_type == SHT_RELA)
            if (auto checked = checkRelocations(object, section); !checked)
                return std::unexpected(checked.error());
        if (section.sh_type == SHT_DYNAMIC)
            if (auto checked = checkDynamic(object, *sections, section); !checked)
                return std::unexpected(checked.error());
    }
    if (!entry)
        return fail("build/no-entry", "the program does not define tilewright_run");
    facts.code = sha256(code);
    return facts;
}

Result<void> checkMath(const Task& task, const std::optional<MathFinding>& found)
{
    if (!found || task.numeric.allowFastMath || (found->isApproximation && task.numeric.allowApproximations))
        return {};
    return fail("static/fast-math",
        "the task does not allow " + std::string(found->isApproximation ? "approximations" : "fast math")
            + ", and the program uses " + "'" + printable(trimmed(found->found)) + "'"
            + (found->line > 0 ? " in line " + std::to_string(found->line) : ""),
        found->isApproximation ? "use the exact function, or allow \"approximations\" in the task's numeric.allow"
                               : "remove it, or set build.fast_math in the task",
        {{"found", found->found}, {"line", found->line}});
}

Result<void> checkSource(const Task& task, std::string_view source)
{
    if (source.size() > static_cast<std::size_t>(task.limits.sourceBytes))
        return fail("static/source-size",
            "the source has " + std::to_string(source.size()) + " bytes, at most "
                + std::to_string(task.limits.sourceBytes) + " are allowed");
    if (auto allowed = checkMath(task, findFastMath(source)); !allowed)
        return allowed;
    const Tunables values = valuesOf(tunablesOf(source));
    const auto broken = Constraints(source).broken(values);
    if (!broken)
        return fail("static/require", broken.error().text, "", broken.error().evidence);
    if (!broken->empty())
        return fail("static/require", "the program violates its own constraint '// require: " + *broken + "'", "",
            {{"require", *broken}, {"tunables", values}});
    return {};
}

} // namespace tilewright
