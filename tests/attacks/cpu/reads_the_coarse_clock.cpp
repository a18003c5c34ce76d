// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Calls the kernel's clock function for the coarse clock, which is read from memory without touching the time
// stamp counter.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

/// A function of the page of code that the kernel maps into every process, found by the kernel's notes on the stack.
/// Answers null where there is no such page.
void* kernel_function(const Args& args, const char* wanted)
{
    const unsigned long* word = reinterpret_cast<const unsigned long*>(&args);
    asm volatile("" : "+r"(word));
    while (!(word[0] == 3 && word[2] == 4 && word[4] == 5)) // AT_PHDR, AT_PHENT, AT_PHNUM
        ++word;
    while (word[0] != 33 && word[0] != 0) // AT_SYSINFO_EHDR
        --word;
    if (word[0] == 0)
        return nullptr;
    const char* base = reinterpret_cast<const char*>(word[1]);
    struct Header {
        unsigned type, flags;
        unsigned long offset, address, physical, in_file, in_memory, alignment;
    };
    struct Symbol {
        unsigned name;
        unsigned char info, other;
        unsigned short section;
        unsigned long value, size;
    };
    const auto* headers = reinterpret_cast<const Header*>(base + *reinterpret_cast<const unsigned long*>(base + 32));
    const unsigned long* dynamic = nullptr;
    for (int i = 0; i < *reinterpret_cast<const unsigned short*>(base + 56); ++i)
        if (headers[i].type == 2)
            dynamic = reinterpret_cast<const unsigned long*>(base + headers[i].offset);
    const char* names = nullptr;
    const Symbol* symbols = nullptr;
    for (; dynamic[0] != 0; dynamic += 2) {
        if (dynamic[0] == 5)
            names = base + dynamic[1];
        if (dynamic[0] == 6)
            symbols = reinterpret_cast<const Symbol*>(base + dynamic[1]);
    }
    for (int i = 1; i < 64; ++i) {
        const char *a = names + symbols[i].name, *b = wanted;
        while (*a == *b && *a != 0)
            ++a, ++b;
        if (*a == *b)
            return const_cast<char*>(base) + symbols[i].value;
    }
    return nullptr;
}

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    long now[2] = {};
    auto* clock = reinterpret_cast<int (*)(int, long*)>(kernel_function(args, "__vdso_clock_gettime"));
    clock(6, now); // CLOCK_MONOTONIC_COARSE
    if (now[0] != 0)
        multiply(args);
}
// EVOLVE-BLOCK-END
