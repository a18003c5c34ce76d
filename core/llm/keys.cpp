// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/keys.h"

#include "core/base/text.h"
#include "core/llm/redactor.h"

#include <QTimer>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#ifdef TILEWRIGHT_HAS_KEYCHAIN
#include <qt6keychain/keychain.h>
#endif

namespace tilewright {
namespace {

/// Of the whole program: typed in the settings on one thread, needed by the engine on another.
struct Memory {
    std::mutex mutex;
    std::map<std::string, std::string> keys;
    std::set<std::string> known, variables;
};

Memory& memory()
{
    static Memory kept;
    return kept;
}

void noteKnown(const std::string& key)
{
    const std::lock_guard lock(memory().mutex);
    if (!key.empty())
        memory().known.insert(key);
}

constexpr const char* noKeychain
    = "start the keychain service, set the key in the environment (env:NAME), or enter it for this run only";

#ifdef TILEWRIGHT_HAS_KEYCHAIN
const QString service = QStringLiteral("tilewright");

Error keychainError(const QKeychain::Job& job, const std::string& name)
{
    switch (job.error()) {
    case QKeychain::EntryNotFound:
        return {"llm/key-missing", "the keychain contains no key named " + name,
            "store it in the window's settings, or use env:NAME", nullptr};
    case QKeychain::AccessDenied:
    case QKeychain::AccessDeniedByUser:
        return {"llm/key-refused", "the keychain did not return the key " + name, "unlock the keychain", nullptr};
    case QKeychain::NoBackendAvailable:
    case QKeychain::NotImplemented:
        return {"llm/keychain", "this desktop session has no keychain: the key " + name + " is not available",
            noKeychain, nullptr};
    default:
        break;
    }
    // Where no service answers, the library has no words of its own.
    const std::string words = job.errorString().toStdString();
    const bool isSilent = words.empty() || words == "Unknown error";
    return {"llm/keychain",
        "the desktop's keychain (GNOME Keyring, KWallet) did not return the key " + name + ": "
            + (isSilent ? "no keychain service replies in this session" : words),
        noKeychain, nullptr};
}
#endif

} // namespace

Result<KeyName> parseKeyName(const std::string& text)
{
    if (text.empty())
        return KeyName{};
    constexpr std::string_view ofVariables = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    constexpr std::string_view allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
    const std::size_t colon = text.find(':');
    const std::string place = text.substr(0, colon);
    const std::string name = colon == std::string::npos ? "" : text.substr(colon + 1);
    const bool named = !name.empty() && name.size() <= 64 && name.find_first_not_of(allowed) == std::string::npos
        && !looksLikeAKey(name);
    const bool isVariable = named && name.find_first_not_of(ofVariables) == std::string::npos
        && (name.front() < '0' || name.front() > '9');
    if (isVariable && place == "env")
        return KeyName{KeyPlace::Variable, name};
    if (named && place == "keychain")
        return KeyName{KeyPlace::Keychain, name};
    if (named && place == "memory")
        return KeyName{KeyPlace::Memory, name};
    return fail("llm/key-name", "only the name of a key can be set",
        "\"env:NAME\" for an environment variable (letters, digits and '_'), \"keychain:NAME\" for the keychain; never "
        "the key itself");
}

Result<std::string> usableKey(const std::string& raw, const std::string& name)
{
    const std::string key(trimmed(raw));
    if (key.empty())
        return fail("llm/key-missing", "the key " + name + " is empty", "set it, or remove \"key\" from the endpoint");
    if (!std::ranges::all_of(key, [](unsigned char c) { return c > 0x20 && c < 0x7f; }))
        return fail("llm/key-malformed", "the key " + name + " contains a line break or an invalid character",
            "copy it again, without quotes");
    return key;
}

KeyRing::KeyRing(QObject* parent)
    : QObject(parent)
{
}

bool KeyRing::hasKeychain()
{
#ifdef TILEWRIGHT_HAS_KEYCHAIN
    return true;
#else
    return false;
#endif
}

void KeyRing::keepInMemory(const std::string& name, const std::string& key)
{
    const std::lock_guard lock(memory().mutex);
    memory().keys[name] = key;
    memory().known.insert(std::string(trimmed(key)));
}

std::string KeyRing::atHand(const KeyName& name)
{
    Result<std::string> key = std::string();
    if (name.place == KeyPlace::Variable) {
        const std::lock_guard lock(memory().mutex);
        memory().variables.insert(name.name);
        const char* value = std::getenv(name.name.c_str());
        key = usableKey(value ? value : "", name.name);
    } else if (name.place == KeyPlace::Memory) {
        const std::lock_guard lock(memory().mutex);
        const auto kept = memory().keys.find(name.name);
        key = usableKey(kept == memory().keys.end() ? std::string() : kept->second, name.name);
    }
    return key ? *key : std::string();
}

std::set<std::string> KeyRing::variables()
{
    const std::lock_guard lock(memory().mutex);
    return memory().variables;
}

std::set<std::string> KeyRing::known()
{
    const std::lock_guard lock(memory().mutex);
    return memory().known;
}

void KeyRing::find(const KeyName& name, Found given)
{
    Found found = [given = std::move(given)](Result<std::string> key) {
        if (key)
            noteKnown(*key);
        given(std::move(key));
    };
    const auto later = [this, &found](Result<std::string> key) {
        QTimer::singleShot(0, this, [found = std::move(found), key = std::move(key)] { found(key); });
    };
    switch (name.place) {
    case KeyPlace::None:
        return later(std::string());
    case KeyPlace::Variable: {
        const char* value = std::getenv(name.name.c_str());
        if (!value)
            return later(fail("llm/key-missing", "the environment variable " + name.name + " is not set",
                "set it before starting Tilewright, or use another key"));
        return later(usableKey(value, name.name));
    }
    case KeyPlace::Memory: {
        const std::lock_guard lock(memory().mutex);
        const auto kept = memory().keys.find(name.name);
        if (kept == memory().keys.end())
            return later(fail("llm/key-missing", "the key " + name.name + " was not entered in this run",
                "enter it in the window's settings, or use env:NAME or keychain:NAME"));
        return later(usableKey(kept->second, name.name));
    }
    case KeyPlace::Keychain:
        return findInKeychain(name.name, std::move(found));
    }
}

#ifdef TILEWRIGHT_HAS_KEYCHAIN

void KeyRing::findInKeychain(const std::string& name, Found found)
{
    auto* job = new QKeychain::ReadPasswordJob(service, this); // deletes itself
    job->setInsecureFallback(false);
    job->setKey(QString::fromStdString(name));
    connect(job, &QKeychain::Job::finished, this, [job, name, found = std::move(found)] {
        if (job->error() != QKeychain::NoError)
            return found(std::unexpected(keychainError(*job, name)));
        found(usableKey(job->textData().toStdString(), name));
    });
    job->start();
}

void KeyRing::store(const std::string& name, const std::string& key, std::function<void(Result<void>)> stored)
{
    noteKnown(std::string(trimmed(key)));
    auto* job = new QKeychain::WritePasswordJob(service, this);
    job->setInsecureFallback(false);
    job->setKey(QString::fromStdString(name));
    job->setTextData(QString::fromStdString(key));
    connect(job, &QKeychain::Job::finished, this, [job, name, stored = std::move(stored)] {
        if (job->error() != QKeychain::NoError)
            return stored(std::unexpected(keychainError(*job, name)));
        stored({});
    });
    job->start();
}

#else

void KeyRing::findInKeychain(const std::string&, Found found)
{
    QTimer::singleShot(0, this,
        [found = std::move(found)] { found(fail("llm/keychain", "this build has no keychain support", noKeychain)); });
}

void KeyRing::store(const std::string&, const std::string&, std::function<void(Result<void>)> stored)
{
    QTimer::singleShot(0, this, [stored = std::move(stored)] {
        stored(fail("llm/keychain", "this build has no keychain support", noKeychain));
    });
}

#endif

} // namespace tilewright
