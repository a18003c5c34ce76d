// SPDX-License-Identifier: GPL-3.0-or-later
// The look of the program: current colours, type sizes and measures. One object for the process, GUI thread.
// Everything that paints reads it while painting and repaints on changed(); nobody keeps a colour.
#pragma once

#include "ui/theme/tokens.h"

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPalette>
#include <QString>
#include <set>

namespace tilewright::ui {

enum class Type { Title, Figure, Prose, Body, Strong, Secondary, Tick, Code, Mono, MonoTitle };

class Theme : public QObject
{
    Q_OBJECT

public:
    static Theme& instance();

    ThemeKind kind() const { return m_kind; }
    const Tokens& tokens() const { return m_tokens; }
    QColor island(IslandId island) const { return islandColour(m_tokens, island); }

    /// Sets style, palette and style sheet of the application, then emits changed().
    void apply(ThemeKind kind);

    /// Points of the body text: 9 to 14; what is on screen already follows.
    double fontPoints() const { return m_scale * 9; }
    void setFontPoints(double points);
    /// As the desktop, or TILEWRIGHT_FONT_POINTS, asks for.
    double desktopPoints() const { return m_desktopScale * 9; }
    /// Whether the desktop's own colours were dark or light before this program set its own.
    ThemeKind desktopKind() const { return m_desktopKind; }
    /// Menus, boxes, docks and the text cursor change without moving, fading or blinking.
    bool reducesMotion() const { return m_reducesMotion; }
    void setReducedMotion(bool reduced);

    QFont font(Type type) const;
    /// A length of the 4 px grid, scaled with the application font (12 px body = 1).
    int px(double length) const;

Q_SIGNALS:
    void changed();

private:
    Theme();
    QString styleSheet() const;

    ThemeKind m_kind = ThemeKind::Dark;
    Tokens m_tokens;
    double m_scale = 1, m_desktopScale = 1;
    ThemeKind m_desktopKind = ThemeKind::Dark;
    bool m_reducesMotion = false;
    int m_cursorFlashTime = 0; ///< of the desktop
    std::set<Qt::UIEffect> m_effects; ///< that the desktop asks for
    QString m_sans, m_mono;
};

/// Dark where its text is lighter than its windows.
ThemeKind kindOf(const QPalette& palette);

/// Shorthand for painters.
inline const Tokens& tokens() { return Theme::instance().tokens(); }
inline int px(double length) { return Theme::instance().px(length); }
inline QFont fontOf(Type type) { return Theme::instance().font(type); }

// The program's own icons: 24-grid strokes in currentColor, tinted from the theme while they are painted, so that a
// change of theme needs no new icons. GUI thread.

enum class Tint { Text, Secondary, Accent, Good, Bad, Warning, Button };

/// Empty icon for an unknown name (a test walks over all names in use).
QIcon icon(const QString& name, Tint tint = Tint::Text);
/// The icon as an image of that size in logical pixels.
QPixmap iconPixmap(const QString& name, const QColor& colour, int size, qreal ratio);

} // namespace tilewright::ui
