// SPDX-License-Identifier: GPL-3.0-or-later
// What every view is given: the session it shows, the shared selection, the commands, the settings, what was begun and
// not saved. GUI thread; the window owns the parts and outlives the views.
#pragma once

#include "ui/session/action_registry.h"
#include "ui/session/drafts.h"
#include "ui/session/selection_context.h"
#include "ui/session/session_client.h"
#include "ui/session/settings.h"

namespace tilewright::ui {

struct ViewContext {
    SessionClient& session;
    SelectionContext& selection;
    ActionRegistry& actions;
    Settings& settings;
    Drafts& drafts;
};

} // namespace tilewright::ui
