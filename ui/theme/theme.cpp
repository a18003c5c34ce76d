// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include "core/base/folders.h"
#include "ui/theme/focus_style.h"
#include "ui/theme/rescale.h"

#include <QApplication>
#include <QDirIterator>
#include <QFile>
#include <QFontDatabase>
#include <QIconEngine>
#include <QLabel>
#include <QMainWindow>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <utility>

static void initResources() { Q_INIT_RESOURCE(tilewright); }

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

constexpr Qt::UIEffect uiEffects[] = {Qt::UI_AnimateMenu, Qt::UI_FadeMenu, Qt::UI_AnimateCombo, Qt::UI_AnimateTooltip,
    Qt::UI_FadeTooltip, Qt::UI_AnimateToolBox};

/// A bundle brings fonts along, for machines that have none.
void addShippedFonts()
{
    QDirIterator files(QString::fromStdString((sharedFolder() / "fonts").string()), {u"*.ttf"_s}, QDir::Files);
    while (files.hasNext())
        QFontDatabase::addApplicationFont(files.next());
}

QString firstFamily(const QStringList& wanted, QFontDatabase::SystemFont fallback)
{
    const QStringList present = QFontDatabase::families();
    for (const QString& family : wanted)
        if (present.contains(family))
            return family;
    return QFontDatabase::systemFont(fallback).family();
}

} // namespace

Theme& Theme::instance()
{
    static Theme theme;
    return theme;
}

Theme::Theme()
    : m_tokens(tokensOf(m_kind))
{
    initResources();
    addShippedFonts();
    m_sans = firstFamily({u"Noto Sans"_s, u"Inter"_s, u"DejaVu Sans"_s}, QFontDatabase::GeneralFont);
    m_mono = firstFamily({u"JetBrains Mono"_s, u"Noto Sans Mono"_s, u"DejaVu Sans Mono"_s}, QFontDatabase::FixedFont);
    // 9 pt is the design's body size; a user who asks the desktop for a larger font gets everything larger.
    const double asked = QApplication::font().pointSizeF();
    if (asked > 9.5)
        m_scale = std::min(asked, 14.0) / 9.0;
    if (qEnvironmentVariableIsSet("TILEWRIGHT_FONT_POINTS"))
        m_scale = std::clamp(qEnvironmentVariable("TILEWRIGHT_FONT_POINTS").toDouble(), 9.0, 14.0) / 9.0;
    m_desktopScale = m_scale;
    m_desktopKind = kindOf(QApplication::palette());
    m_cursorFlashTime = QApplication::cursorFlashTime();
    for (const Qt::UIEffect effect : uiEffects)
        if (QApplication::isEffectEnabled(effect))
            m_effects.insert(effect);
}

ThemeKind kindOf(const QPalette& palette)
{
    return palette.color(QPalette::WindowText).lightness() > palette.color(QPalette::Window).lightness()
        ? ThemeKind::Dark
        : ThemeKind::Light;
}

void Theme::setFontPoints(double points)
{
    const double scale = std::clamp(points, 9.0, 14.0) / 9.0, before = std::exchange(m_scale, scale);
    if (qFuzzyCompare(scale, before))
        return;
    rescaleWidgets(scale / before);
    apply(m_kind);
}

void Theme::setReducedMotion(bool reduced)
{
    m_reducesMotion = reduced;
    QApplication::setCursorFlashTime(reduced ? 0 : m_cursorFlashTime);
    for (const Qt::UIEffect effect : uiEffects)
        QApplication::setEffectEnabled(effect, !reduced && m_effects.contains(effect));
    for (QWidget* widget : QApplication::allWidgets())
        if (auto* docks = qobject_cast<QMainWindow*>(widget))
            docks->setAnimated(!reduced);
}

/// A label gives its links their colour when it reads its text.
static void colourLinksAnew()
{
    for (QWidget* each : QApplication::allWidgets())
        if (auto* label = qobject_cast<QLabel*>(each); label && label->text().contains("<a "_L1)) {
            const QString words = label->text();
            label->clear();
            label->setText(words);
        }
}

/// Who was never shown misses a palette that comes while there is no style sheet.
static void tellWhoWasNeverShown()
{
    for (QWidget* each : QApplication::allWidgets())
        if (!each->testAttribute(Qt::WA_WState_Polished) && each->palette().resolveMask() == 0)
            each->setPalette({});
}

void Theme::apply(ThemeKind kind)
{
    m_kind = kind;
    m_tokens = tokensOf(kind);
    const Tokens& t = m_tokens;
    QPalette palette;
    palette.setColor(QPalette::Window, t.window);
    palette.setColor(QPalette::WindowText, t.text);
    palette.setColor(QPalette::Base, t.panel);
    palette.setColor(QPalette::AlternateBase, t.raised);
    palette.setColor(QPalette::Text, t.text);
    palette.setColor(QPalette::PlaceholderText, t.disabled); // apart from what was typed in high contrast, too
    palette.setColor(QPalette::Button, t.raised);
    palette.setColor(QPalette::ButtonText, t.text);
    palette.setColor(QPalette::BrightText, t.bad);
    palette.setColor(QPalette::ToolTipBase, t.raised);
    palette.setColor(QPalette::ToolTipText, t.text);
    palette.setColor(QPalette::Highlight, t.selected);
    palette.setColor(QPalette::HighlightedText, t.text);
    palette.setColor(QPalette::Link, t.accent);
    palette.setColor(QPalette::LinkVisited, t.accent);
    palette.setColor(QPalette::Light, t.track);
    palette.setColor(QPalette::Midlight, t.border);
    palette.setColor(QPalette::Mid, t.strongBorder);
    palette.setColor(QPalette::Dark, t.strongBorder);
    palette.setColor(QPalette::Shadow, t.window);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, t.disabled);
    if (!qobject_cast<FocusStyle*>(QApplication::style()))
        QApplication::setStyle(new FocusStyle);
    // In the place of another sheet it would style each widget several times over: that takes six times as long.
    qApp->setStyleSheet({});
    QApplication::setPalette(palette);
    QApplication::setFont(font(Type::Body));
    tellWhoWasNeverShown();
    qApp->setStyleSheet(styleSheet());
    colourLinksAnew();
    Q_EMIT changed();
}

QFont Theme::font(Type type) const
{
    const bool mono = type == Type::Code || type == Type::Mono || type == Type::MonoTitle;
    QFont font(mono ? m_mono : m_sans);
    double size = 12;
    switch (type) {
    case Type::Title:
        size = 18, font.setWeight(QFont::DemiBold);
        break;
    case Type::MonoTitle:
        size = 18, font.setWeight(QFont::DemiBold);
        break;
    case Type::Figure:
        size = 22, font.setWeight(QFont::Bold);
        break;
    case Type::Prose:
        size = 13;
        break;
    case Type::Body:
        break;
    case Type::Strong:
        font.setWeight(QFont::DemiBold);
        break;
    case Type::Secondary:
        size = 11;
        break;
    case Type::Tick:
        size = 10.5;
        break;
    case Type::Code:
        size = 11.5;
        break;
    case Type::Mono:
        size = 11;
        break;
    }
    font.setPointSizeF(size * 0.75 * m_scale);
    if (mono) {
        font.setFixedPitch(true);
        // JetBrains Mono joins "++" and "->" into other shapes; code shows what is in the file.
        font.setStyleStrategy(QFont::PreferNoShaping);
    }
    return font;
}

int Theme::px(double length) const { return qRound(length * m_scale); }

QString Theme::styleSheet() const
{
    QFile file(u":/tilewright/theme.qss"_s);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QString sheet = QString::fromUtf8(file.readAll());
    const Tokens& t = m_tokens;
    const std::pair<QString, QColor> colours[] = {{u"@window"_s, t.window}, {u"@panel"_s, t.panel},
        {u"@raised"_s, t.raised}, {u"@track"_s, t.track}, {u"@border"_s, t.border}, {u"@strong"_s, t.strongBorder},
        {u"@text"_s, t.text}, {u"@secondary"_s, t.secondary}, {u"@tertiary"_s, t.tertiary},
        {u"@disabled"_s, t.disabled}, {u"@accent"_s, t.accent}, {u"@buttonText"_s, t.buttonText},
        {u"@button"_s, t.button}, {u"@selected"_s, t.selected}, {u"@good"_s, t.good}, {u"@goodPill"_s, t.goodPill},
        {u"@bad"_s, t.bad}, {u"@warning"_s, t.warning}};
    // Longest name first, so that @button does not eat the start of @buttonText.
    std::vector<std::pair<QString, QColor>> ordered(std::begin(colours), std::end(colours));
    std::ranges::sort(ordered, [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
    for (const auto& [name, colour] : ordered)
        sheet.replace(name, colour.name());
    return sheet;
}

namespace {

QString pathOf(const QString& name) { return u":/tilewright/icons/%1.svg"_s.arg(name); }

QColor colourOf(Tint tint, QIcon::Mode mode, QIcon::State state)
{
    const Tokens& t = tokens();
    if (mode == QIcon::Disabled)
        return t.disabled;
    if (state == QIcon::On && tint == Tint::Secondary)
        return t.accent;
    switch (tint) {
    case Tint::Text:
        return t.text;
    case Tint::Secondary:
        return t.secondary;
    case Tint::Accent:
        return t.accent;
    case Tint::Good:
        return t.good;
    case Tint::Bad:
        return t.bad;
    case Tint::Warning:
        return t.warning;
    case Tint::Button:
        return t.buttonText;
    }
    return t.text;
}

class TintedEngine : public QIconEngine
{
public:
    TintedEngine(QString name, Tint tint)
        : m_name(std::move(name))
        , m_tint(tint)
    {
    }
    QIconEngine* clone() const override { return new TintedEngine(m_name, m_tint); }
    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const qreal ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1;
        painter->drawPixmap(rect, iconPixmap(m_name, colourOf(m_tint, mode, state), rect.width(), ratio));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        return iconPixmap(m_name, colourOf(m_tint, mode, state), size.width(), 1);
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override
    {
        return pixmap(size, mode, state);
    }

private:
    QString m_name;
    Tint m_tint;
};

} // namespace

QIcon icon(const QString& name, Tint tint)
{
    if (name.isEmpty() || !QFile::exists(pathOf(name)))
        return {};
    return QIcon(new TintedEngine(name, tint));
}

QPixmap iconPixmap(const QString& name, const QColor& colour, int size, qreal ratio)
{
    const QString key = u"tw-icon/%1/%2/%3/%4"_s.arg(name, colour.name()).arg(size).arg(ratio);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    QFile file(pathOf(name));
    if (size <= 0 || !file.open(QIODevice::ReadOnly))
        return {};
    QByteArray svg = file.readAll();
    svg.replace("currentColor", colour.name().toLatin1());
    QSvgRenderer renderer(svg);
    pixmap = QPixmap(QSize(size, size) * ratio);
    pixmap.fill(Qt::transparent);
    {
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        renderer.render(&painter, QRectF(QPointF(), QSizeF(pixmap.size())));
    }
    pixmap.setDevicePixelRatio(ratio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

} // namespace tilewright::ui
