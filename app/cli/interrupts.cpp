// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupts.h"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace tilewright::cli {
namespace {

volatile sig_atomic_t pipeEnd = -1;

void onSignal(int signal)
{
    const auto byte = static_cast<char>(signal);
    if (pipeEnd >= 0)
        (void)!::write(pipeEnd, &byte, 1);
}

} // namespace

Interrupts::Interrupts()
{
    if (::pipe2(m_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    pipeEnd = m_pipe[1];
    struct sigaction action {
    };
    action.sa_handler = onSignal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    struct sigaction before {
    };
    ::sigaction(SIGHUP, nullptr, &before);
    if (before.sa_handler != SIG_IGN) // nohup: who started it wants it to outlive the terminal
        ::sigaction(SIGHUP, &action, nullptr);
    m_notifier = std::make_unique<QSocketNotifier>(m_pipe[0], QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
        char bytes[16];
        const auto got = ::read(m_pipe[0], bytes, sizeof bytes);
        for (ssize_t i = 0; i < got; ++i)
            Q_EMIT interrupted(bytes[i]);
    });
}

Interrupts::~Interrupts()
{
    ::signal(SIGINT, SIG_DFL);
    ::signal(SIGTERM, SIG_DFL);
    struct sigaction now {
    };
    ::sigaction(SIGHUP, nullptr, &now);
    if (now.sa_handler == onSignal)
        ::signal(SIGHUP, SIG_DFL);
    pipeEnd = -1;
    m_notifier.reset();
    ::close(m_pipe[0]);
    ::close(m_pipe[1]);
}

} // namespace tilewright::cli
