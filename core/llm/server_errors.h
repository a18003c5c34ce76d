// SPDX-License-Identifier: GPL-3.0-or-later
// What servers say instead of a reply, in whatever field they say it. Pure.
#pragma once

#include "core/base/result.h"

#include <QDateTime>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright {

/// An error of any of the shapes that servers use: {"error":{…}}, {"error":"…"}, {"errors":[…]}, {"detail":…},
/// {"code":…,"msg":…}, {"object":"error",…}, {"base_resp":{"status_code":…}}, a problem document (RFC 9457), under any
/// spelling of these names ("errMsg", "Error"), in a choice, or in the object that a server wraps its replies in. Its
/// text is the server's; evidence holds {"message", "type", "code", "param", "status"} as far as given. An empty code
/// if it is none.
Error errorObject(const nlohmann::json& json);

/// A lone {"message":"…"}, {"detail":"…"} or {"msg":"…"} in an object with nothing of a reply: perhaps a note of what
/// goes on, the server's reason if nothing else comes. An empty code if it is none.
Error noticeObject(const nlohmann::json& json);

/// What an error field or an error event says, JSON or text.
Error errorOfText(std::string_view text);

/// The words of a page or a text, without tags, scripts and blanks; at most so many bytes.
std::string wordsOfPage(std::string_view page, std::size_t most);

/// Bytes of a server's words that a message shows in the end, once nothing secret is in them; before that there may be
/// more, so that no key is cut in two where it could not be recognised any more.
inline constexpr std::size_t shownOfServer = 300;
/// A server's words as they are taken: in one line, without what a terminal would obey, and not without end.
std::string serverWords(std::string_view words);

// Waits and dates as servers write them in headers and bodies. Pure.

/// "60", "1.5" (seconds), "60s", "60 s", "2 minutes", "6m0s", "1h2m", "120ms", letters of either case. None for what is
/// no duration, is negative or longer than 30 years.
std::optional<std::chrono::milliseconds> durationOf(std::string_view text);

/// A date of a header in one of the three forms of RFC 9110, with "UTC" or "+0000" for GMT; an ISO 8601 time. Invalid
/// for anything else.
QDateTime serverDate(std::string_view text);

} // namespace tilewright
