// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a worker's memory is lent to the verifier: until that was refused twice in a row, the second time by a
// verifier that was started for it.
#pragma once

namespace tilewright {

class Lending
{
public:
    bool isOn() const { return m_refusals < most; }
    /// Whether it is worth another try, with a fresh verifier.
    bool refused() { return ++m_refusals < most; }
    void worked() { m_refusals = 0; }

private:
    static constexpr int most = 2;
    int m_refusals = 0;
};

} // namespace tilewright
