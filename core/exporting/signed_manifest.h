// SPDX-License-Identifier: GPL-3.0-or-later
// The signature of a bundle's manifest by a user's own SSH key: ssh-keygen makes it, the key is not read here.
#pragma once

#include "core/export/bundle.h"

#include <functional>

namespace tilewright {

/// Where ssh-keygen asks for the passphrase of a key: on the terminal of this process, or nowhere but in a program that
/// SSH_ASKPASS names and in an agent.
enum class Passphrase { Terminal, Nowhere };

/// The bundle with a signature of its manifest. key: as `ssh-keygen -Y sign -f` takes it, a private key or the public
/// one of a key that an agent holds. isCancelled: asked a few times a second; may be empty. Blocks. Errors:
/// tool/missing (ssh-keygen), file/missing (the key), export/signature, cancelled.
Result<Bundle> signedBundle(
    Bundle bundle, const std::string& key, Passphrase passphrase, const std::function<bool()>& isCancelled = {});

} // namespace tilewright
