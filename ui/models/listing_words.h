// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled code as it is shown: which grammar colours it. Pure.
#pragma once

#include "core/model/listing.h"

#include <QString>

namespace tilewright::ui {

/// Of highlight/languages: a name of its grammars.
inline QString languageOf(ListingForm form)
{
    return form == ListingForm::Ptx ? QStringLiteral("ptx")
        : form == ListingForm::Sass ? QStringLiteral("sass")
                                    : QStringLiteral("Intel x86 (NASM)");
}

} // namespace tilewright::ui
