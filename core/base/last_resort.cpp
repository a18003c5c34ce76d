// SPDX-License-Identifier: Apache-2.0
#include "core/base/last_resort.h"

#include "core/base/text.h"

#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tilewright {
namespace {

const char* programName = "tilewright";
int codeAtTheEnd = 1;

[[noreturn]] void endWithALine()
{
    const std::string line = lastResortLine(programName, std::current_exception());
    std::fputs(line.c_str(), stderr);
    std::fflush(stderr);
    std::_Exit(codeAtTheEnd);
}

} // namespace

std::string whatFailed(const std::exception_ptr& exception)
{
    try {
        if (exception)
            std::rethrow_exception(exception);
    } catch (const std::exception& problem) {
        return printable(problem.what());
    } catch (...) {
        return "an exception of an unknown type";
    }
    return "std::terminate() without an exception";
}

std::string lastResortLine(const std::string& program, const std::exception_ptr& exception)
{
    return program + ": internal error: " + whatFailed(exception)
        + ". Data recorded in a session file is safe. Report this line and what you did.\n";
}

void installLastResort(const char* program, int exitCode)
{
    programName = program;
    codeAtTheEnd = exitCode;
    std::set_terminate(endWithALine);
}

void giveWay()
{
    constexpr int behind = 10;
    thread_local const int given
        = setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), behind); // on Linux, of the thread alone
    (void)given; // where it is refused the thread goes on as it is
}

} // namespace tilewright
