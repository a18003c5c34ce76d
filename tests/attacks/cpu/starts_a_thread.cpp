// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Computes on a second thread.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" int pthread_create(unsigned long*, const void*, void* (*)(void*), void*);

extern "C" void tilewright_run(const Args& args)
{
    unsigned long thread;
    pthread_create(&thread, nullptr, nullptr, nullptr);
    multiply(args);
}
// EVOLVE-BLOCK-END
