// SPDX-License-Identifier: GPL-3.0-or-later
// What a bench holds its figures against. A limit that was missed is printed beside its figure, and is the program's
// exit code, so that a script can ask. ctest runs no bench: a busy machine would fail them.
#pragma once

namespace tilewright::bench {

class Limits
{
public:
    /// "met" or "MISSED", for the line that tells `figure`; both in the same unit.
    const char* hold(double figure, double limit)
    {
        if (figure <= limit)
            return "met";
        m_missed = true;
        return "MISSED";
    }
    int exitCode() const { return m_missed ? 1 : 0; }

private:
    bool m_missed = false;
};

/// Of this program.
inline Limits limits;

} // namespace tilewright::bench
