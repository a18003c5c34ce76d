// SPDX-License-Identifier: Apache-2.0
#include "core/node/sandbox.h"

#include "core/base/text.h"
#include "core/node/child_process.h"

#include <cstdlib>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

void add(std::vector<std::string>& command, std::initializer_list<std::string> words)
{
    command.insert(command.end(), words);
}

} // namespace

Sandbox::Sandbox(fs::path worker)
    : m_worker(std::move(worker))
    , m_isolation("sandbox")
{
    if (const char* forced = std::getenv("TILEWRIGHT_ISOLATION"); forced && std::string(forced) == "reduced") {
        m_isolation = "reduced";
        m_reason = "requested by TILEWRIGHT_ISOLATION";
        return;
    }
    ChildSetup probe;
    SandboxRequest nothing;
    nothing.command = {"/usr/bin/true"};
    probe.command = bubblewrap(nothing);
    const auto result = runUndisturbed(probe, std::chrono::seconds(5), 4096);
    if (result && result->status.clean())
        return;
    m_isolation = "reduced";
    m_reason = result && result->status.code == 127 ? "bubblewrap is not installed"
                                                    : "bubblewrap cannot create a sandbox here: "
            + std::string(trimmed(result ? result->output : result.error().text));
}

std::string Sandbox::pathInside(const fs::path& outside, const std::string& inside) const
{
    return isFull() ? inside : outside.string();
}

std::vector<std::string> Sandbox::wrap(const SandboxRequest& request) const
{
    if (isFull())
        return bubblewrap(request);
    std::vector<std::string> command{"/usr/bin/env", "-i"};
    for (const auto& [name, value] : request.environment)
        command.push_back(name + "=" + value);
    add(command,
        {m_worker.string(), "confine", "/usr", "/lib", "/lib64", "/bin", "/etc/alternatives", "/etc/ld.so.cache",
            "/proc", "/dev"});
    for (const auto& [outside, inside] : request.readOnly)
        command.push_back(outside.string());
    if (!request.devices.empty())
        command.emplace_back("/sys");
    add(command, {"--writable", "/dev/null"});
    for (const fs::path& device : request.devices)
        command.push_back(device.string());
    if (!request.devices.empty())
        command.emplace_back("/proc"); // a GPU's driver names its threads there
    if (!request.writable.empty())
        command.push_back(request.writable.string());
    command.push_back("--");
    command.insert(command.end(), request.command.begin(), request.command.end());
    return command;
}

std::vector<std::string> Sandbox::bubblewrap(const SandboxRequest& request) const
{
    std::vector<std::string> command{"bwrap", "--unshare-user", "--unshare-all", "--die-with-parent", "--new-session",
        "--disable-userns", "--clearenv", "--ro-bind", "/usr", "/usr", "--ro-bind-try", "/etc/alternatives",
        "/etc/alternatives", "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache", "--proc", "/proc", "--dev",
        "/dev", "--tmpfs", "/tmp", "--tmpfs", "/home"};
    if (request.isFirstProcess)
        command.emplace_back("--as-pid-1");
    for (const char* name : {"/bin", "/sbin", "/lib", "/lib64", "/lib32"}) {
        std::error_code problem;
        if (fs::is_symlink(name, problem))
            add(command, {"--symlink", fs::read_symlink(name, problem).string(), name});
        else
            add(command, {"--ro-bind-try", name, name});
    }
    for (const auto& [outside, inside] : request.readOnly)
        add(command, {"--ro-bind", outside.string(), inside});
    for (const fs::path& device : request.devices)
        add(command, {"--dev-bind-try", device.string(), device.string()});
    if (!request.devices.empty())
        add(command, {"--ro-bind", "/sys", "/sys"});
    if (!request.writable.empty())
        add(command, {"--bind", request.writable.string(), "/work", "--chdir", "/work"});
    else
        add(command, {"--chdir", "/tmp"});
    for (const auto& [name, value] : request.environment)
        add(command, {"--setenv", name, value});
    if (request.infoFd >= 0)
        add(command, {"--info-fd", std::to_string(request.infoFd)});
    command.push_back("--");
    command.insert(command.end(), request.command.begin(), request.command.end());
    return command;
}

} // namespace tilewright
