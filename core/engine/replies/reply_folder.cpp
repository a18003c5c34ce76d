// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/replies/reply_folder.h"

#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/store/session_reader.h"

#include <QDateTime>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace tilewright {
namespace {

constexpr const char *promptEnding = ".prompt.md", *partEnding = ".prompt.part", *replyEnding = ".reply.md";

std::chrono::milliseconds steadyNow()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch());
}

/// The highest number of a prompt, reply or taken place in the folder, 0 if there is none.
std::int64_t highestIn(const QDir& folder)
{
    static const QRegularExpression numbered(QStringLiteral("^(\\d{4,9})\\.(prompt\\.md|prompt\\.part|reply\\.md)$"));
    std::int64_t highest = 0;
    for (const QString& name : folder.entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot))
        if (const auto match = numbered.match(name); match.hasMatch())
            highest = std::max<std::int64_t>(highest, match.captured(1).toLongLong());
    return highest;
}

std::unexpected<Error> folderError(const QString& folder, const QString& reason)
{
    return fail("manual/folder",
        "the folder " + folder.toStdString() + " for prompts and replies cannot be used: " + reason.toStdString(),
        "free some space in it or make it writable, then resume");
}

/// Makes an empty file that was not there. 0, or errno: EEXIST if somebody else has it.
int takeFile(const QString& path)
{
    const int fd = ::open(QFile::encodeName(path).constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    ::close(fd);
    return 0;
}

/// Why this file is no reply that can be read; empty if it may be one.
QString objectionTo(const QFileInfo& info)
{
    if (info.isDir())
        return QStringLiteral("it is a folder");
    if (info.isSymLink() && !info.exists())
        return QStringLiteral("it is a broken link");
    if (info.exists() && !info.isFile())
        return QStringLiteral("it is not a regular file");
    if (info.size() > ReplyFolder::largestReply)
        return QStringLiteral("it is larger than %1 MiB").arg(ReplyFolder::largestReply >> 20);
    return {};
}

Settling::Look lookOf(const QFileInfo& info) { return {info.size(), info.lastModified().toMSecsSinceEpoch()}; }

} // namespace

Writers writersOf(const QString& path)
{
    const int fd = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return Writers::Unknown;
    // A read lease is given only while nobody has the file open for writing. Who opens it in the moment that we hold
    // the lease waits until it is given back; the signal for that is one that does nothing.
    ::fcntl(fd, F_SETSIG, SIGURG);
    const bool isFree = ::fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
    const int problem = errno;
    if (isFree)
        ::fcntl(fd, F_SETLEASE, F_UNLCK);
    ::close(fd);
    if (isFree)
        return Writers::None;
    return problem == EAGAIN || problem == EBUSY ? Writers::Some : Writers::Unknown;
}

bool Settling::settled(const Look& look, std::chrono::milliseconds now)
{
    if (look != m_last) {
        m_last = look;
        m_since = now;
        return false;
    }
    return look.bytes > 0 && now - m_since >= m_quiet;
}

ReplyFolder::ReplyFolder(const QString& folder, std::chrono::milliseconds quiet)
    : m_folder(folder)
    , m_quiet(quiet)
{
    m_timer.setInterval(std::max(std::chrono::milliseconds(20), quiet / 3));
    connect(&m_timer, &QTimer::timeout, this, &ReplyFolder::look);
    // The watcher only hastens the first look; where it does not work (network folders) the timer suffices.
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &ReplyFolder::look);
}

Result<std::string> ReplyFolder::reserve()
{
    QDir folder(m_folder);
    if (!folder.mkpath(QStringLiteral(".")))
        return folderError(m_folder, QStringLiteral("it does not exist and cannot be created"));
    for (;;) {
        m_lastNumber = std::max(m_lastNumber, highestIn(folder)) + 1;
        const std::string place = QStringLiteral("%1").arg(m_lastNumber, 4, 10, QLatin1Char('0')).toStdString();
        const int problem = takeFile(pathOf(place, partEnding));
        if (problem == 0 && !QFileInfo::exists(pathOf(place, promptEnding)))
            return place;
        if (problem != 0 && problem != EEXIST)
            return folderError(m_folder, QString::fromLocal8Bit(std::strerror(problem)));
        if (problem == 0)
            QFile::remove(pathOf(place, partEnding)); // another run wrote its prompt since we looked
    }
}

Result<void> ReplyFolder::put(const std::string& place, const std::string& prompt)
{
    if (!QDir(m_folder).mkpath(QStringLiteral(".")))
        return folderError(m_folder, QStringLiteral("it does not exist and cannot be created"));
    if (!QFileInfo::exists(pathOf(place, promptEnding))) {
        QFile part(pathOf(place, partEnding));
        const QByteArray bytes = QByteArray::fromStdString(prompt);
        const bool written = part.open(QIODevice::WriteOnly) && part.write(bytes) == bytes.size() && part.flush()
            && ::fsync(part.handle()) == 0;
        part.close();
        if (!written || !part.rename(pathOf(place, promptEnding))) // never over a file that is there
            return folderError(m_folder, part.errorString());
    }
    m_awaited.try_emplace(place, m_quiet);
    if (m_watcher.directories().isEmpty())
        m_watcher.addPath(m_folder);
    if (!m_timer.isActive())
        m_timer.start();
    return {};
}

QString ReplyFolder::pathOf(const std::string& place, const char* ending) const
{
    return QDir(m_folder).filePath(QString::fromStdString(place) + QLatin1String(ending));
}

void ReplyFolder::drop(const std::string& place)
{
    m_awaited.erase(place);
    m_complained.erase(place);
}

void ReplyFolder::withdraw(const std::string& place)
{
    drop(place);
    QFile::remove(pathOf(place, promptEnding)); // else whoever looks for prompts without replies would answer it
}

void ReplyFolder::forget()
{
    m_awaited.clear();
    m_read.clear();
    m_complained.clear();
    m_timer.stop();
}

void ReplyFolder::look()
{
    std::map<std::string, QByteArray> found;
    std::map<std::string, QString> complaints;
    for (auto& [place, settling] : m_awaited) {
        const QFileInfo info(pathOf(place, replyEnding));
        if (!info.exists() && !info.isSymLink()) {
            m_complained.erase(place);
            continue;
        }
        QString reason = objectionTo(info);
        const auto now = steadyNow();
        if (reason.isEmpty()) {
            const bool isSettled = settling.settled(lookOf(info), now);
            if (!isSettled && !settling.stayedEmpty(now))
                continue;
            const Writers writers = writersOf(info.filePath());
            if (writers == Writers::Some || (writers == Writers::Unknown && !settling.stoodLong(now)))
                continue;
            reason = isSettled ? QString() : QStringLiteral("it is empty");
        }
        QFile file(info.filePath());
        if (reason.isEmpty() && !file.open(QIODevice::ReadOnly))
            reason = file.errorString();
        const QByteArray reply = reason.isEmpty() ? file.readAll() : QByteArray();
        if (reason.isEmpty() && file.error() != QFileDevice::NoError)
            reason = file.errorString();
        const auto text = textOf(std::string_view(reply.constData(), static_cast<std::size_t>(reply.size())), "it");
        if (reason.isEmpty() && !text)
            reason = QString::fromStdString(text.error().line());
        if (reason.isEmpty())
            found.emplace(place, QByteArray::fromStdString(*text));
        else if (std::exchange(m_complained[place], reason) != reason)
            complaints.emplace(place, reason);
    }
    for (const auto& [place, reason] : complaints)
        Q_EMIT unreadable(place, reason);
    lookAtRead();
    for (const auto& [place, reply] : found) {
        m_read[place] = {m_awaited.at(place).last(), steadyNow() + watchAfter * m_quiet};
        m_awaited.erase(place);
        m_complained.erase(place);
    }
    if (m_awaited.empty() && m_read.empty())
        m_timer.stop();
    for (const auto& [place, reply] : found)
        Q_EMIT arrived(place, reply);
}

void ReplyFolder::lookAtRead()
{
    std::vector<std::string> changed;
    std::erase_if(m_read, [&](const auto& each) {
        const QFileInfo info(pathOf(each.first, replyEnding));
        const bool isChanged = info.exists() && lookOf(info) != each.second.look;
        if (isChanged)
            changed.push_back(each.first);
        return isChanged || !info.exists() || steadyNow() >= each.second.until;
    });
    for (const std::string& place : changed)
        Q_EMIT changedLater(place);
}

namespace {

constexpr std::string_view originBegin = "<!-- tilewright ", originEnd = " -->";

std::optional<PromptOrigin> parsedOrigin(const nlohmann::json& json)
{
    const auto number = [&json](const char* key) -> std::int64_t {
        return json.contains(key) && json[key].is_number_integer() ? json[key].get<std::int64_t>() : 0;
    };
    const auto word = [&json](const char* key) -> std::string {
        return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
    };
    PromptOrigin origin;
    origin.asksForEdit = word("asks") == "edit";
    if (!origin.asksForEdit)
        return word("asks").empty() ? std::nullopt : std::optional(origin);
    origin.as.focus = focusFromName(word("focus"));
    origin.as.island = IslandId{number("island")};
    origin.as.ordinal = number("ordinal");
    origin.as.attempt = static_cast<int>(number("attempt"));
    origin.as.whole = json.contains("whole") && json["whole"] == true;
    if (nameOf(origin.as.focus) != word("focus") || !json.contains("parents") || !json["parents"].is_array())
        return std::nullopt;
    for (const nlohmann::json& parent : json["parents"])
        origin.parents.push_back(Hash::fromHex(parent.is_string() ? parent.get<std::string>() : ""));
    const bool isWhole = origin.as.ordinal > 0 && origin.as.attempt > 0 && !origin.parents.empty()
        && std::ranges::none_of(origin.parents, &Hash::isNull);
    return isWhole ? std::optional(origin) : std::nullopt;
}

} // namespace

bool PromptOrigin::operator==(const PromptOrigin& other) const
{
    return as.island == other.as.island && as.ordinal == other.as.ordinal && as.focus == other.as.focus
        && as.attempt == other.as.attempt && as.whole == other.as.whole && parents == other.parents
        && asksForEdit == other.asksForEdit;
}

std::string originLine(const RunState& state, ModelRequestId id)
{
    const ModelRequest* modelRequest = state.modelRequest(id);
    if (!modelRequest)
        return {};
    nlohmann::json json{{"asks", "edit"}};
    if (modelRequest->asksForSummary() || modelRequest->asksForJudgement()) {
        json["asks"] = modelRequest->promptName;
    } else {
        nlohmann::json parents = nlohmann::json::array();
        for (const CandidateId parent : modelRequest->parents)
            if (const Candidate* known = state.candidate(parent))
                parents.push_back(known->program.hex());
        json["island"] = modelRequest->island.value;
        json["ordinal"] = modelRequest->ordinal;
        json["focus"] = nameOf(modelRequest->focus);
        json["attempt"] = modelRequest->attempt;
        json["whole"] = modelRequest->promptName == "translate";
        json["parents"] = std::move(parents);
    }
    return std::string(originBegin) + dumped(json) + std::string(originEnd) + "\n\n";
}

std::optional<PromptOrigin> originIn(std::string_view prompt)
{
    std::string_view line = trimmed(prompt.substr(0, prompt.find('\n')));
    if (!line.starts_with(originBegin) || !line.ends_with(originEnd)
        || line.size() < originBegin.size() + originEnd.size())
        return std::nullopt;
    line = line.substr(originBegin.size(), line.size() - originBegin.size() - originEnd.size());
    const nlohmann::json json = parsedJson(line);
    return json.is_object() ? parsedOrigin(json) : std::nullopt;
}

namespace {

namespace fs = std::filesystem;

constexpr std::size_t largestReply = std::size_t(8) << 20;

constexpr std::string_view recordedEnding = ".reply.md", askedEnding = ".prompt.md";

/// "0007.reply.md" → 7; -1 for any other name.
long numberOf(const std::string& name)
{
    if (!name.ends_with(recordedEnding) || name.size() < recordedEnding.size() + 4
        || name.size() > recordedEnding.size() + 9)
        return -1;
    const std::string digits = name.substr(0, name.size() - recordedEnding.size());
    const bool plain = std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    return plain ? std::stol(digits) : -1;
}

/// What the prompt beside a reply was written for, where it says so.
std::optional<PromptOrigin> originBeside(fs::path reply)
{
    const std::string name = reply.filename().string();
    reply.replace_filename(name.substr(0, name.size() - recordedEnding.size()) + std::string(askedEnding));
    const auto prompt = readTextFile(reply, largestReply);
    return prompt ? originIn(*prompt) : std::nullopt;
}

Result<std::vector<RecordedReply>> repliesOfFolder(const fs::path& folder)
{
    std::map<long, fs::path> files;
    std::error_code problem;
    for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end; entry.increment(problem))
        if (const long number = numberOf(entry->path().filename().string()); number >= 0)
            files.emplace(number, entry->path());
    if (problem)
        return fail("replay/missing", "the folder " + folder.string() + " cannot be read: " + problem.message(),
            "make it readable, or choose another");
    std::vector<RecordedReply> replies;
    for (const auto& [number, file] : files) {
        const std::optional<PromptOrigin> origin = originBeside(file);
        if (origin && !origin->asksForEdit)
            continue;
        auto text = readTextFile(file, largestReply);
        if (!text)
            return std::unexpected(Error{text.error().code, text.error().text,
                text.error().hint.empty() ? "remove it from the folder, or replace it with the reply"
                                          : text.error().hint,
                text.error().evidence});
        if (trimmed(*text).empty())
            return fail("replay/empty", "the reply " + file.string() + " is empty",
                "remove it from the folder, or replace it with the reply");
        RecordedReply reply;
        reply.text = std::move(*text);
        if (origin) {
            reply.as = origin->as;
            reply.parents = origin->parents;
        }
        replies.push_back(std::move(reply));
    }
    if (replies.empty())
        return fail("replay/empty", "the folder " + folder.string() + " contains no NNNN.reply.md",
            "use the folder of a run with manual replies, or put replies there as 0001.reply.md, 0002.reply.md, …");
    return replies;
}

Result<std::vector<RecordedReply>> repliesOfSession(const std::string& path, const TaskPack& pack)
{
    auto reader = SessionReader::open(path);
    const auto state = reader ? (*reader)->load() : std::unexpected(reader.error());
    if (!state)
        return std::unexpected(state.error());
    const auto recordedPack = (*reader)->pack(*state);
    if (!recordedPack)
        return std::unexpected(recordedPack.error());
    if (state->settings.taskName != pack.task.name || recordedPack->seed() != pack.seed())
        return fail("replay/task",
            "the session " + path + " is of the task " + state->settings.taskName
                + (state->settings.taskName == pack.task.name ? " with another seed" : ", not of " + pack.task.name),
            "its replies fit programs of its own task only");
    std::vector<RecordedReply> replies;
    for (const Proposal& proposal : state->proposals) {
        if (proposal.reply.isNull() || proposal.part > 1)
            continue;
        auto text = (*reader)->text(proposal.reply);
        if (!text)
            return std::unexpected(text.error());
        RecordedReply reply;
        reply.text = std::move(*text);
        reply.finish = proposal.finish;
        reply.moves = proposal.moves;
        reply.as = OfferedAs{proposal.island, proposal.ordinal, proposal.focus, {}, proposal.attempt, proposal.whole};
        for (const CandidateId parent : proposal.parents)
            if (const Candidate* known = state->candidate(parent))
                reply.parents.push_back(known->program);
        replies.push_back(std::move(reply));
    }
    if (replies.empty())
        return fail("replay/empty", "the session " + path + " contains no replies");
    return replies;
}

} // namespace

Result<std::vector<RecordedReply>> recordedReplies(const std::string& path, const TaskPack& pack)
{
    std::error_code problem;
    if (!fs::exists(path, problem))
        return fail("replay/missing", "there is no session or folder " + path, "check the path");
    return fs::is_directory(path, problem) ? repliesOfFolder(path) : repliesOfSession(path, pack);
}

} // namespace tilewright
