// SPDX-License-Identifier: GPL-3.0-or-later
// The stretch of run time that a timeline shows: zoomed, moved, or following the newest. Pure; nanoseconds.
#pragma once

#include <QString>
#include <vector>

namespace tilewright::ui {

struct TimeTick {
    double ns = 0;
    QString label;
};

class TimeAxis
{
public:
    double from() const { return m_from; }
    double to() const { return m_from + m_length; }
    double length() const { return m_length; }
    /// Everything is in view, and stays so while the run goes on.
    bool isFitted() const { return m_fitted; }
    bool follows() const { return m_follows; }

    /// How long the run is by now. A fitted axis shows all of it, a following one keeps its end in view.
    void setEnd(double ns);
    void fit();
    /// The newest stays in view, at this zoom.
    void follow();
    void unfollow() { m_follows = false; }
    /// Around a time that keeps its place. A following axis that is zoomed keeps following.
    void zoom(double factor, double aroundNs);
    void panBy(double ns);
    void showFrom(double ns);
    /// Moves as little as needed to have these times in view.
    void reveal(double fromNs, double toNs);

    double end() const { return m_end; }
    /// Round times in view, at least `apart` of the length from each other.
    std::vector<TimeTick> ticks(double apart) const;

private:
    void settle();

    double m_end = 0, m_from = 0, m_length = 1e9;
    bool m_fitted = true, m_follows = false;
};

/// "0.250 s", "0:12", "4:05", "1:02:00": as exact as `step` asks for.
QString timeLabel(double ns, double stepNs);

} // namespace tilewright::ui
