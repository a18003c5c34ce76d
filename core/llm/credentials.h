// SPDX-License-Identifier: GPL-3.0-or-later
// Where keys hide: names that announce one, and texts that look like one. Used to refuse what a person wrote before it
// gets into a file; what is refused is never repeated. Pure.
#pragma once

#include <string>
#include <string_view>

namespace tilewright {

/// The name of a header, or of a query's parameter, that carries a credential: "x-api-key", "api-key", "apiKey",
/// "access_token", "Authorization", "Cookie", "sig" … The words count, in any case: "max_tokens" and "monkey" do not.
bool namesACredential(std::string_view name);

/// The text begins as providers' keys do ("sk-", "AIza" …), or holds a run of letters and digits that nobody chose.
bool looksLikeAKey(std::string_view text);

/// Whether any parameter of a URL's query or fragment carries a credential, by its name or by its value.
bool carriesACredential(const std::string& url);

/// Why a header must not be set by hand; empty if it may be. The value is never repeated, the name only where it is a
/// known one.
std::string objectionToHeader(const std::string& name, const std::string& value);

} // namespace tilewright
