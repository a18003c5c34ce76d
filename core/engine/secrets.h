// SPDX-License-Identifier: GPL-3.0-or-later
// The keys that must not get into a session, and the words of persons and models without them. Owner: Ledger.
#pragma once

#include "core/llm/redaction.h"
#include "core/model/event.h"

namespace tilewright {

class Secrets
{
public:
    /// Knows the keys of the usual providers, and those that the models file of this proposer names (the person's own,
    /// if another proposer is at work), as far as environment and memory hold them. Those of a keychain are known from
    /// the moment they are handed out.
    explicit Secrets(const std::string& proposer) { learnFrom(proposer); }
    void learnFrom(const std::string& proposer);

    /// The text with every known key blotted out, and nothing else touched: for prompts and replies, whose programs may
    /// hold names that merely begin like a key.
    std::string blottedOut(const std::string& text);
    /// A person's own words, without words that look like a key either.
    std::string personsWords(const std::string& text);
    /// The same for the words of a person or a model that stand in the event itself.
    EventBody blottedOut(EventBody body);
    RunSettings blottedOut(RunSettings settings);

private:
    Redactor m_redactor;
    std::size_t m_learned = 0; ///< of KeyRing::known()
};

} // namespace tilewright
