// SPDX-License-Identifier: GPL-3.0-or-later
// Keys by name: "keychain:NAME" in the desktop's keychain (QtKeychain, never its plain-text fallback), "env:NAME" in
// the environment, "memory:NAME" for this run only. A key itself stands in no file, no setting and no event. Thread:
// the engine's; nothing waits.
#pragma once

#include <QObject>
#ifndef Q_MOC_RUN
#include "core/base/result.h"

#include <functional>
#include <set>
#endif

namespace tilewright {

enum class KeyPlace { None, Variable, Keychain, Memory };

struct KeyName {
    KeyPlace place = KeyPlace::None;
    std::string name;

    bool operator==(const KeyName&) const = default;
};

/// "" is no key at all. A variable's name is one that a shell can set. Error llm/key-name: the text has none of the
/// three forms, or its name looks like a key; it is not repeated in the error, because people paste keys there.
Result<KeyName> parseKeyName(const std::string& text);
/// What may stand in a header: visible ASCII. Blanks and line ends around it are taken off, they come with files.
/// Error llm/key-malformed.
Result<std::string> usableKey(const std::string& raw, const std::string& name);

class KeyRing : public QObject
{
public:
    using Found = std::function<void(Result<std::string>)>;

    explicit KeyRing(QObject* parent = nullptr);

    /// Answers from the event loop, later, once. Errors: llm/key-missing, llm/key-malformed, llm/key-refused (the
    /// keychain is locked or denied it), llm/keychain (there is none; use the environment or memory).
    void find(const KeyName& name, Found found);
    /// Until the program ends, for every key ring in it: what a user typed where no keychain is. From any thread.
    void keepInMemory(const std::string& name, const std::string& key);
    /// Into the keychain. Errors as for find().
    void store(const std::string& name, const std::string& key, std::function<void(Result<void>)> stored);
    /// The key, where nobody has to be asked for it: in the environment or in memory. "" else, or if it is none.
    static std::string atHand(const KeyName& name);
    /// Every key that a key ring of this program handed out or was given. From any thread.
    static std::set<std::string> known();
    /// The environment's variables that a key was looked for in, or that anybody named for one. From any thread.
    static std::set<std::string> variables();
    /// False: this program was built without QtKeychain.
    static bool hasKeychain();

private:
    void findInKeychain(const std::string& name, Found found);
};

} // namespace tilewright
