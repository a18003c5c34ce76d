// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/zip_archive.h"

#include "core/base/text.h"

#include <memory>
#include <zip.h>

namespace tilewright::tensor {
namespace {

struct DiscardZip {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
using OpenZip = std::unique_ptr<zip_t, DiscardZip>;

std::string messageOf(zip_error_t& error)
{
    const std::string text = oneLine(zip_error_strerror(&error), 120);
    zip_error_fini(&error);
    return text;
}

/// Reads from the bytes, which must stay.
Result<OpenZip> openedZip(std::string_view bytes)
{
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* const source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
    zip_t* const archive = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
    if (!archive) {
        if (source)
            zip_source_free(source);
        return fail("tensor/file", "the file is no readable ZIP archive: " + messageOf(error));
    }
    zip_error_fini(&error);
    if (static_cast<std::size_t>(zip_get_num_entries(archive, 0)) > mostZipEntries) {
        zip_discard(archive);
        return fail("tensor/file", "the archive has more than " + std::to_string(mostZipEntries) + " entries");
    }
    return OpenZip(archive);
}

} // namespace

Result<std::vector<std::string>> namesInZip(std::string_view bytes)
{
    const auto archive = openedZip(bytes);
    if (!archive)
        return std::unexpected(archive.error());
    std::vector<std::string> names;
    for (zip_int64_t i = 0; i < zip_get_num_entries(archive->get(), 0); ++i)
        if (const char* name = zip_get_name(archive->get(), static_cast<zip_uint64_t>(i), 0))
            names.emplace_back(name);
    return names;
}

Result<std::string> unpackedFromZip(std::string_view bytes, const std::string& name)
{
    const auto archive = openedZip(bytes);
    if (!archive)
        return std::unexpected(archive.error());
    const std::string shown = oneLine(name, 60);
    const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(
        zip_fopen(archive->get(), name.c_str(), 0), zip_fclose);
    if (!file)
        return fail("tensor/file",
            "the entry " + shown + " of the archive cannot be read: " + oneLine(zip_strerror(archive->get()), 120));
    std::string unpacked;
    char buffer[65536];
    for (;;) {
        const zip_int64_t got = zip_fread(file.get(), buffer, sizeof buffer);
        if (got < 0)
            return fail("tensor/file", "the entry " + shown + " of the archive is damaged");
        if (got == 0)
            return unpacked;
        unpacked.append(buffer, static_cast<std::size_t>(got));
        if (unpacked.size() > largestZipEntry)
            return fail("tensor/file", "the entry " + shown + " of the archive is larger than 16 MiB");
    }
}

Result<std::string> zipOf(const std::vector<ZipEntry>& entries)
{
    const auto failed
        = [](zip_error_t& error) { return fail("tensor/file", "the archive cannot be made: " + messageOf(error)); };
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* const source = zip_source_buffer_create(nullptr, 0, 0, &error);
    if (!source)
        return failed(error);
    zip_source_keep(source); // zip_close() lets go of one, and the bytes are read behind it
    const std::unique_ptr<zip_source_t, void (*)(zip_source_t*)> kept(source, zip_source_free);
    OpenZip archive(zip_open_from_source(source, ZIP_TRUNCATE, &error));
    if (!archive) {
        zip_source_free(source);
        return failed(error);
    }
    for (const ZipEntry& entry : entries) {
        zip_source_t* const content = zip_source_buffer(archive.get(), entry.bytes.data(), entry.bytes.size(), 0);
        const zip_int64_t index
            = content ? zip_file_add(archive.get(), entry.name.c_str(), content, ZIP_FL_OVERWRITE) : -1;
        if (index < 0) {
            if (content)
                zip_source_free(content);
            return fail("tensor/file", "the archive cannot be made: " + oneLine(zip_strerror(archive.get()), 120));
        }
        // The same bytes for the same entries.
        zip_file_set_dostime(archive.get(), static_cast<zip_uint64_t>(index), 0, (1 << 5) | 1, 0);
    }
    if (zip_close(archive.get()) != 0)
        return fail("tensor/file", "the archive cannot be made: " + oneLine(zip_strerror(archive.get()), 120));
    static_cast<void>(archive.release());
    zip_stat_t size;
    zip_stat_init(&size);
    if (zip_source_stat(source, &size) != 0 || (size.valid & ZIP_STAT_SIZE) == 0 || zip_source_open(source) != 0)
        return failed(*zip_source_error(source));
    std::string bytes(static_cast<std::size_t>(size.size), '\0');
    const zip_int64_t got = zip_source_read(source, bytes.data(), bytes.size());
    zip_source_close(source);
    if (got != static_cast<zip_int64_t>(bytes.size()))
        return fail("tensor/file", "the archive cannot be made: its end is missing");
    return bytes;
}

} // namespace tilewright::tensor
