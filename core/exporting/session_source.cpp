// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exporting/session_source.h"

#include "core/store/session_reader.h"

namespace tilewright {
namespace {

class SessionSource : public RunSource
{
public:
    explicit SessionSource(std::unique_ptr<SessionReader> reader)
        : m_reader(std::move(reader))
    {
    }

    Result<void> follow(RunState& state, const Each& each) override { return m_reader->follow(state, each); }
    Result<std::string> text(const Hash& hash) override { return m_reader->text(hash); }

private:
    std::unique_ptr<SessionReader> m_reader;
};

} // namespace

Result<std::unique_ptr<RunSource>> openRunSource(const std::string& session)
{
    auto reader = SessionReader::open(session);
    if (!reader)
        return std::unexpected(reader.error());
    return std::make_unique<SessionSource>(std::move(*reader));
}

} // namespace tilewright
