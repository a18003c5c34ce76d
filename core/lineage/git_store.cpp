// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lineage/git_store.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <git2.h>
#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace tilewright {

namespace git {
template <typename T, void (*Free)(T*)> struct Freed {
    void operator()(T* object) const { Free(object); }
};
using OdbObject = std::unique_ptr<git_odb_object, Freed<git_odb_object, git_odb_object_free>>;
using Odb = std::unique_ptr<git_odb, Freed<git_odb, git_odb_free>>;
using Repository = std::unique_ptr<git_repository, Freed<git_repository, git_repository_free>>;
using PackBuilder = std::unique_ptr<git_packbuilder, Freed<git_packbuilder, git_packbuilder_free>>;
} // namespace git

namespace {

namespace fs = std::filesystem;

/// Stands in the folder before anything else does, and is locked while the repository is written.
constexpr const char* markerFile = "tilewright-lineage";
constexpr int memoryPriority = 999; ///< before packs and loose objects, as git2/sys/mempack.h asks
constexpr std::size_t mostPacks = 16; ///< small ones: git reads the index of each pack for every object
constexpr std::size_t largePack = 8192; ///< objects; looking for deltas among more takes seconds, so it stays as it is

/// Once for the process. The configuration of user and system is not read: the repository is the same for all.
void beginGit()
{
    static const bool begun = [] {
        git_libgit2_init();
        for (const int level :
            {GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL, GIT_CONFIG_LEVEL_PROGRAMDATA})
            git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "");
        git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
        git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0); // of what was hashed when it was put
        return true;
    }();
    (void)begun;
}

std::unexpected<Error> systemError(const fs::path& path, int number)
{
    const std::string name = path.string(), reason = std::strerror(number);
    if (number == ENOSPC || number == EDQUOT)
        return fail(
            "lineage/full", name + " cannot be written: " + reason, "free some space, or choose another folder");
    if (number == ENOENT || number == ENOTDIR)
        return fail(
            "lineage/missing", name + " cannot be created: its folder does not exist", "create the folder first");
    return fail("lineage/unwritable", name + " cannot be written: " + reason, "choose a folder of your own with --to");
}

/// What libgit2 reports for the newest failed call about the repository in this folder.
std::unexpected<Error> gitError(const fs::path& folder, int code)
{
    const git_error* last = git_error_last();
    const std::string words = last && last->message ? last->message : "no reason given";
    if (code == GIT_EOWNER)
        return fail("lineage/foreign-owner", folder.string() + " belongs to another user",
            "choose a folder of your own with --to");
    for (const int number : {ENOSPC, EDQUOT, EACCES, EPERM, EROFS})
        if (words.find(std::strerror(number)) != std::string::npos)
            return systemError(folder, number);
    if (code == GIT_ENOTFOUND || code == GIT_EINVALID)
        return fail("lineage/damaged", "the repository " + folder.string() + " is damaged: " + oneLine(words, 200),
            "remove the folder and write it again");
    return fail("lineage/git", "the repository " + folder.string() + " cannot be written: " + oneLine(words, 200),
        "remove the folder and write it again");
}

std::string hexOf(const git_oid& id)
{
    char text[GIT_OID_HEXSZ + 1];
    return git_oid_tostr(text, sizeof text, &id);
}

git_oid idOf(const GitId& hex)
{
    git_oid id{};
    git_oid_fromstr(&id, hex.c_str()); // of our own making, or checked by parsedRefs()
    return id;
}

std::string personLine(const char* role, const GitPerson& person, std::int64_t seconds)
{
    return std::string(role) + " " + person.name + " <" + person.email + "> " + std::to_string(seconds) + " +0000\n";
}

/// An empty folder, or none: one can be made there.
bool isFree(const fs::path& folder)
{
    std::error_code problem;
    const fs::file_status status = fs::symlink_status(folder, problem);
    if (!fs::exists(status))
        return true;
    return fs::is_directory(status) && fs::is_empty(folder, problem) && !problem;
}

/// Of a folder that is there: it belongs to the user that this process runs as.
bool isOwn(const fs::path& folder)
{
    struct stat status {
    };
    return ::stat(folder.c_str(), &status) != 0 || status.st_uid == ::geteuid();
}

/// Names that stand in files of their own below refs/; a symbolic one with the words that stand there.
Result<void> addLooseRefs(const fs::path& folder, RefNames& refs)
{
    std::error_code problem;
    fs::recursive_directory_iterator files(folder / "refs", problem);
    for (; !problem && files != fs::recursive_directory_iterator(); files.increment(problem)) {
        std::error_code unknown;
        if (!files->is_regular_file(unknown) || files->path().extension() == ".lock")
            continue;
        const auto text = readFile(files->path());
        if (!text)
            return std::unexpected(text.error());
        refs[files->path().lexically_relative(folder).generic_string()] = trimmed(*text);
    }
    return {};
}

bool isOwned(const std::string& name, const std::vector<std::string>& owned)
{
    return std::ranges::any_of(owned, [&](const std::string& begin) { return name.starts_with(begin); });
}

/// The bytes on the disk, then the name: a file that is there whole or not at all.
Result<void> replaceFile(const fs::path& path, const std::string& bytes)
{
    const fs::path lock = path.string() + ".lock";
    const int file = ::open(lock.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0 && errno == EEXIST)
        return fail("lineage/locked", "another git process changes the names of the repository: " + lock.string(),
            "try again; if no git runs there, remove that file");
    if (file < 0)
        return systemError(lock, errno);
    int problem = 0;
    for (std::size_t done = 0; done < bytes.size() && problem == 0;) {
        const ssize_t written = ::write(file, bytes.data() + done, bytes.size() - done);
        if (written >= 0)
            done += static_cast<std::size_t>(written);
        else if (errno != EINTR)
            problem = errno;
    }
    if (problem == 0 && ::fsync(file) != 0)
        problem = errno;
    ::close(file);
    if (problem == 0 && ::rename(lock.c_str(), path.c_str()) != 0)
        problem = errno;
    if (problem != 0) {
        ::unlink(lock.c_str());
        return systemError(path, problem);
    }
    return {};
}

/// The objects of one pack.
std::vector<git_oid> objectsOf(const fs::path& index)
{
    std::vector<git_oid> ids;
    git_odb* raw = nullptr;
    git_odb_backend* pack = nullptr;
    if (git_odb_new(&raw) != 0)
        return ids;
    const git::Odb odb(raw);
    if (git_odb_backend_one_pack(&pack, index.c_str()) != 0 || git_odb_add_backend(raw, pack, 1) != 0)
        return ids;
    git_odb_foreach(
        raw,
        [](const git_oid* id, void* all) {
            static_cast<std::vector<git_oid>*>(all)->push_back(*id);
            return 0;
        },
        &ids);
    return ids;
}

struct Pack {
    fs::path index;
    std::vector<git_oid> objects;
};

/// Packs that are merged into one: the smallest ones, as long as the next is not larger than twice all before it. So
/// each object is packed again a number of times that grows with the logarithm of their count alone.
std::vector<Pack> smallPacks(const fs::path& folder)
{
    std::vector<Pack> packs;
    std::error_code problem;
    for (const fs::directory_entry& file : fs::directory_iterator(folder, problem)) {
        fs::path keep = file.path();
        if (file.path().extension() == ".idx" && !fs::exists(keep.replace_extension(".keep"), problem))
            packs.push_back({file.path(), {}});
    }
    if (packs.size() <= mostPacks)
        return {};
    for (Pack& pack : packs)
        pack.objects = objectsOf(pack.index);
    std::erase_if(packs, [](const Pack& pack) { return pack.objects.size() >= largePack; });
    if (packs.size() <= mostPacks)
        return {};
    std::ranges::sort(packs, {}, [](const Pack& pack) { return pack.objects.size(); });
    std::size_t sum = 0, taken = 0;
    while (taken < packs.size() && (taken < 2 || packs[taken].objects.size() <= 2 * sum))
        sum += packs[taken++].objects.size();
    packs.resize(taken);
    return packs;
}

} // namespace

struct GitStore::Handles {
    git::Repository repository;
    git::Odb odb;
    git_odb_backend* memory = nullptr; ///< the odb's
    int lock = -1;

    ~Handles()
    {
        if (lock >= 0)
            ::close(lock);
    }

    /// Also again, after packs were removed: libgit2 keeps a list of them.
    int open(const fs::path& folder)
    {
        odb.reset();
        repository.reset();
        git_repository* rawRepository = nullptr;
        git_odb* rawOdb = nullptr;
        if (const int failed = git_repository_open_bare(&rawRepository, folder.c_str()))
            return failed;
        repository.reset(rawRepository);
        if (const int failed = git_repository_odb(&rawOdb, rawRepository))
            return failed;
        odb.reset(rawOdb);
        if (const int failed = git_mempack_new(&memory))
            return failed;
        return git_odb_add_backend(rawOdb, memory, memoryPriority);
    }
};

GitStore::GitStore(fs::path folder)
    : m_folder(std::move(folder))
    , m_git(std::make_unique<Handles>())
{
}

GitStore::~GitStore() = default;

Result<std::unique_ptr<GitStore>> GitStore::open(const fs::path& folder, const std::string& head)
{
    beginGit();
    std::error_code problem;
    const fs::path marker = folder / markerFile;
    if (isFree(folder)) {
        if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST)
            return systemError(folder, errno);
    } else if (!fs::is_regular_file(fs::symlink_status(marker, problem))) {
        return fail("lineage/not-ours",
            folder.string() + " exists already, and was not written by Tilewright: nothing was written",
            "name another folder with --to, or move it away");
    }
    if (!isOwn(folder))
        return fail("lineage/foreign-owner", folder.string() + " belongs to another user",
            "choose a folder of your own with --to");
    std::unique_ptr<GitStore> store(new GitStore(folder));
    store->m_git->lock = ::open(marker.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (store->m_git->lock < 0)
        return systemError(marker, errno);
    if (::flock(store->m_git->lock, LOCK_EX | LOCK_NB) != 0)
        return fail("lineage/locked", "another process writes the repository " + folder.string(),
            "wait until it is done, or choose another folder with --to");
    git_repository_init_options options;
    git_repository_init_options_init(&options, GIT_REPOSITORY_INIT_OPTIONS_VERSION);
    options.flags = GIT_REPOSITORY_INIT_BARE;
    options.initial_head = head.c_str();
    options.description = "Lineage of a Tilewright session; written by tilewright-cli lineage";
    if (!fs::exists(folder / "packed-refs", problem)) { // nothing was written yet, or its making was cut off
        git_repository* made = nullptr;
        if (const int failed = git_repository_init_ext(&made, folder.c_str(), &options))
            return gitError(folder, failed);
        git_repository_free(made);
    }
    if (const int failed = store->m_git->open(folder))
        return gitError(folder, failed);
    if (auto read = store->readRefs(); !read)
        return std::unexpected(read.error());
    return store;
}

Result<void> GitStore::readRefs()
{
    std::error_code problem;
    const fs::path packed = m_folder / "packed-refs";
    m_refs.clear();
    m_packed.clear();
    if (fs::exists(packed, problem)) {
        const auto text = readFile(packed);
        auto refs = text ? parsedRefs(*text) : std::unexpected(text.error());
        if (!refs)
            return std::unexpected(refs.error());
        m_refs = m_packed = std::move(*refs);
    }
    return addLooseRefs(m_folder, m_refs);
}

bool GitStore::has(const GitId& id) const
{
    const git_oid oid = idOf(id);
    return git_odb_exists_ext(m_git->odb.get(), &oid, GIT_ODB_LOOKUP_NO_REFRESH) != 0;
}

Result<GitId> GitStore::put(int type, const std::string& bytes, const char* name)
{
    const auto kind = static_cast<git_object_t>(type);
    git_oid oid{};
    if (const int failed = git_odb_hash(&oid, bytes.data(), bytes.size(), kind))
        return gitError(m_folder, failed);
    GitId id = hexOf(oid);
    if (has(id))
        return id;
    // Straight into memory: git_odb_write() reads the folder of packs anew for each object.
    if (const int failed = m_git->memory->write(m_git->memory, &oid, bytes.data(), bytes.size(), kind))
        return gitError(m_folder, failed);
    m_fresh.emplace_back(id, name);
    return id;
}

Result<GitId> GitStore::putBlob(const std::string& bytes, const char* name)
{
    return put(GIT_OBJECT_BLOB, bytes, name);
}

Result<GitId> GitStore::putTree(const GitTree& tree, const char* name)
{
    GitTree sorted = tree;
    std::ranges::sort(sorted); // files and folders of one tree have names of one length each, so their order is plain
    std::string bytes;
    for (const auto& [entry, id] : sorted) {
        const git_oid oid = idOf(id);
        bytes += (entry.size() == 2 ? "40000 " : "100644 ") + entry + '\0';
        bytes.append(reinterpret_cast<const char*>(oid.id), GIT_OID_RAWSZ);
    }
    return put(GIT_OBJECT_TREE, bytes, name);
}

Result<GitId> GitStore::putCommit(const GitCommit& commit)
{
    std::string bytes = "tree " + commit.tree + "\n";
    for (const GitId& parent : commit.parents)
        bytes += "parent " + parent + "\n";
    bytes += personLine("author", commit.author, commit.authored);
    bytes += personLine("committer", commit.committer, commit.committed) + "\n" + commit.message;
    return put(GIT_OBJECT_COMMIT, bytes, "");
}

Result<std::string> GitStore::blob(const GitId& id) const
{
    const git_oid oid = idOf(id);
    git_odb_object* raw = nullptr;
    if (const int failed = git_odb_read(&raw, m_git->odb.get(), &oid))
        return gitError(m_folder, failed);
    const git::OdbObject object(raw);
    return std::string(static_cast<const char*>(git_odb_object_data(raw)), git_odb_object_size(raw));
}

Result<std::int64_t> GitStore::committedAt(const GitId& id) const
{
    const auto text = blob(id);
    if (!text)
        return std::unexpected(text.error());
    for (const std::string_view line : splitLines(*text)) {
        if (line.empty())
            break;
        if (!line.starts_with("committer "))
            continue;
        const std::size_t end = line.rfind(' '), begin = line.rfind(' ', end - 1);
        std::int64_t seconds = 0;
        std::from_chars(line.data() + begin + 1, line.data() + end, seconds);
        return seconds;
    }
    return fail("lineage/damaged", "the repository " + m_folder.string() + " contains a commit without a date: " + id,
        "remove the folder and write it again");
}

Result<void> GitStore::writePack()
{
    if (m_fresh.empty())
        return {};
    git_packbuilder* raw = nullptr;
    if (const int failed = git_packbuilder_new(&raw, m_git->repository.get()))
        return gitError(m_folder, failed);
    const git::PackBuilder builder(raw);
    if (m_fresh.size() > largePack) // all that there are; fewer objects are written while a run measures
        git_packbuilder_set_threads(raw, 0);
    for (const auto& [id, name] : m_fresh) {
        const git_oid oid = idOf(id);
        if (const int failed = git_packbuilder_insert(raw, &oid, name))
            return gitError(m_folder, failed);
    }
    if (const int failed = git_packbuilder_write(raw, nullptr, 0, nullptr, nullptr))
        return gitError(m_folder, failed);
    git_mempack_reset(m_git->memory);
    m_fresh.clear();
    git_odb_refresh(m_git->odb.get());
    return {};
}

Result<void> GitStore::mergePacks()
{
    const std::vector<Pack> packs = smallPacks(m_folder / "objects" / "pack");
    if (packs.empty())
        return {};
    git_packbuilder* raw = nullptr;
    if (const int failed = git_packbuilder_new(&raw, m_git->repository.get()))
        return gitError(m_folder, failed);
    {
        const git::PackBuilder builder(raw);
        for (const Pack& pack : packs)
            for (const git_oid& oid : pack.objects)
                if (const int failed = git_packbuilder_insert(raw, &oid, nullptr))
                    return gitError(m_folder, failed);
        if (const int failed = git_packbuilder_write(raw, nullptr, 0, nullptr, nullptr))
            return gitError(m_folder, failed);
        const std::string merged = std::string("pack-") + hexOf(*git_packbuilder_hash(raw));
        for (const Pack& pack : packs) {
            std::error_code problem;
            if (pack.index.stem() == merged) // it held all that the others hold
                continue;
            fs::path file = pack.index;
            fs::remove(file, problem); // first: without its index nobody looks for the pack
            fs::remove(file.replace_extension(".pack"), problem);
        }
    }
    const int failed = m_git->open(m_folder);
    return failed ? gitError(m_folder, failed) : Result<void>();
}

Result<void> GitStore::write(const RefNames& names, const std::vector<std::string>& owned)
{
    if (auto written = writePack(); !written)
        return written;
    RefNames all = names;
    for (const auto& [name, id] : m_packed)
        if (!isOwned(name, owned))
            all[name] = id;
    if (auto done = replaceFile(m_folder / "packed-refs", packedRefsText(all)); !done)
        return done;
    for (const auto& [name, id] : m_refs) {
        std::error_code problem; // a file of that name would hide the line in packed-refs
        if (isOwned(name, owned))
            fs::remove(m_folder / name, problem);
    }
    m_refs = m_packed = std::move(all);
    return mergePacks();
}

} // namespace tilewright
