// SPDX-License-Identifier: GPL-3.0-or-later
// The docks of one mode: they can be moved, floated, closed and put back, and stand at the next start as they were
// left. GUI thread.
#pragma once

#include "ui/session/settings.h"

#include <QMainWindow>
#include <QTimer>
#include <functional>
#include <optional>

namespace tilewright::ui {

class DockTitle;

class Workspace : public QMainWindow
{
    Q_OBJECT

public:
    /// `name`: of the mode, under which its layouts are kept. `version`: another one is not taken up any more.
    Workspace(Settings& settings, const QString& name, int version, QWidget* parent);

    /// Where docks stand and how large they are where nothing else is known.
    void setArrangement(std::function<void()> arrange) { m_arrange = std::move(arrange); }
    /// Narrow for three columns; such windows have layouts of their own.
    bool isNarrow() const;
    void setNarrowVariant();
    /// The window is too narrow, for its text, for columns at both sides: what stands there shares one, as tabs. Such
    /// windows have layouts of their own, too.
    bool isSlim() const;
    /// Windows of different shape have layouts of their own: the part of the name that tells them apart.
    void setVariants(std::function<QString()> variant) { m_variantNow = std::move(variant); }
    QDockWidget* addDock(const QString& name, const QString& title, DockTitle* bar, QWidget* content);
    const QList<QDockWidget*>& docks() const { return m_docks; }
    const QString& name() const { return m_name; }

    void saveLayout();
    void resetLayout();
    /// How the docks stand now, for takeUp().
    QByteArray layoutNow() const;
    /// False: it is none, or of another version; then nothing changes.
    bool takeUp(const QByteArray& layout);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QString shape() const; ///< of the window, as a part of the name of a layout
    /// Its shape and the size of its text: large text squeezes docks, and what it made of them is not for small text.
    QString variant() const;
    void followVariant();
    /// The user's layout for windows of this shape, or the one that is made for it.
    void takeUpLayout();
    void settle();

    Settings& m_settings;
    QString m_name;
    int m_version;
    QList<QDockWidget*> m_docks;
    std::function<void()> m_arrange;
    std::function<QString()> m_variantNow;
    std::optional<QString> m_variant; ///< whose layout is shown; none before the first show
    QTimer m_note; ///< until docks that moved have come to rest
    QByteArray m_noted; ///< how they stood last while the window had the variant's shape; empty: not known yet
    bool m_isUnsettled = false; ///< a layout was taken up while sizes around the docks were still about to change
    bool m_isKept = false; ///< it was saved before the text changed its size; since then text alone has changed it
};

} // namespace tilewright::ui
