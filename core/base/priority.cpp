// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/priority.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tilewright {

void giveWay()
{
    constexpr int behind = 10;
    thread_local const int given
        = setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), behind); // on Linux, of the thread alone
    (void)given; // where it is refused the thread goes on as it is
}

} // namespace tilewright
