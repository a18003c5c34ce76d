// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/tokens.h"

#include <algorithm>
#include <cmath>

namespace tilewright::ui {
namespace {

QColor rgb(unsigned value) { return QColor::fromRgb(value); }

Tokens dark()
{
    Tokens t;
    t.window = rgb(0x14161b), t.panel = rgb(0x1b1e25), t.raised = rgb(0x21252d), t.track = rgb(0x2a2f39);
    t.border = rgb(0x2c313b), t.strongBorder = rgb(0x3d4450), t.grid = rgb(0x262a33);
    t.text = rgb(0xe4e7ec), t.secondary = rgb(0xaeb5c1), t.tertiary = rgb(0x858d9b), t.disabled = t.tertiary;
    t.accent = rgb(0x8b97ff), t.button = rgb(0x5b66d9), t.buttonText = rgb(0xffffff);
    t.selected = rgb(0x272c4a), t.pill = rgb(0x2a2f55);
    t.good = rgb(0x4cc29a), t.bad = rgb(0xf47c62), t.warning = rgb(0xe8b84a);
    t.goodPill = rgb(0x16302a), t.badPill = rgb(0x3a2224), t.warningPill = rgb(0x38301a);
    t.addedLine = rgb(0x16302a), t.addedWord = rgb(0x1f6350);
    t.removedLine = rgb(0x3a2224), t.removedWord = rgb(0x7a3432);
    t.codeKeyword = rgb(0xb3a1ff), t.codeType = rgb(0x6cc7e8), t.codeNumber = rgb(0xe8b27c);
    t.codeFunction = rgb(0xe6d08a), t.codePreprocessor = rgb(0xde8fb8), t.codeComment = rgb(0x8b94a2);
    t.islands = {rgb(0x56b4e9), rgb(0xe69f00), rgb(0x00b386), rgb(0xcc79a7)};
    t.badgeText = rgb(0x14161b);
    return t;
}

Tokens light()
{
    Tokens t;
    t.window = rgb(0xf1f2f5), t.panel = rgb(0xffffff), t.raised = rgb(0xf7f8fa), t.track = rgb(0xebedf1);
    t.border = rgb(0xdde0e6), t.strongBorder = rgb(0xc2c7d0), t.grid = rgb(0xeceef2);
    t.text = rgb(0x191d25), t.secondary = rgb(0x485060), t.tertiary = rgb(0x697180), t.disabled = t.tertiary;
    t.accent = rgb(0x4450d0), t.button = rgb(0x4450d0), t.buttonText = rgb(0xffffff);
    t.selected = rgb(0xe9ebfd), t.pill = rgb(0xe7e9fc);
    t.good = rgb(0x0b785a), t.bad = rgb(0xb4361d), t.warning = rgb(0x855b00);
    t.goodPill = rgb(0xe6f5ef), t.badPill = rgb(0xfdedea), t.warningPill = rgb(0xfcf3dc);
    t.addedLine = rgb(0xe6f5ef), t.addedWord = rgb(0xafe0cd);
    t.removedLine = rgb(0xfdedea), t.removedWord = rgb(0xf6c4ba);
    t.codeKeyword = rgb(0x5b3fc4), t.codeType = rgb(0x006a94), t.codeNumber = rgb(0xa14a00);
    t.codeFunction = rgb(0x7a5b00), t.codePreprocessor = rgb(0xa3336e), t.codeComment = rgb(0x5f6775);
    t.islands = {rgb(0x0072b2), rgb(0xd55e00), rgb(0x009e73), rgb(0xb8578c)};
    t.badgeText = rgb(0xffffff);
    return t;
}

Tokens highContrast()
{
    Tokens t = dark();
    t.window = t.panel = rgb(0x000000), t.raised = rgb(0x0d0d0d), t.track = rgb(0x2e2e2e);
    t.border = rgb(0x8a8a8a), t.strongBorder = rgb(0xd0d0d0), t.grid = rgb(0x3a3a3a);
    t.text = rgb(0xffffff), t.secondary = t.tertiary = rgb(0xe2e2e2), t.disabled = rgb(0x909090);
    t.accent = rgb(0xa9b3ff), t.button = rgb(0x3d49c8), t.selected = rgb(0x20265e), t.pill = rgb(0x20265e);
    t.good = rgb(0x5fe0b5), t.bad = rgb(0xff9a84), t.warning = rgb(0xffd15c);
    t.goodPill = rgb(0x00281d), t.badPill = rgb(0x380c05), t.warningPill = rgb(0x332600);
    t.addedLine = rgb(0x00281d), t.addedWord = rgb(0x005c43);
    t.removedLine = rgb(0x380c05), t.removedWord = rgb(0x7a1d0d);
    t.codeComment = rgb(0xc8c8c8);
    t.islands = {rgb(0x6cc3f5), rgb(0xffb31a), rgb(0x1ed6a5), rgb(0xe79cc6)};
    t.badgeText = rgb(0x000000);
    return t;
}

double luminance(const QColor& c)
{
    const auto linear = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

} // namespace

QString nameOf(ThemeKind kind)
{
    switch (kind) {
    case ThemeKind::Light:
        return QStringLiteral("light");
    case ThemeKind::Dark:
        return QStringLiteral("dark");
    case ThemeKind::Contrast:
        break;
    }
    return QStringLiteral("contrast");
}

std::optional<ThemeKind> themeFromName(const QString& name)
{
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::Contrast})
        if (nameOf(kind) == name)
            return kind;
    return std::nullopt;
}

Tokens tokensOf(ThemeKind kind)
{
    return kind == ThemeKind::Light ? light() : kind == ThemeKind::Dark ? dark() : highContrast();
}

QColor islandColour(const Tokens& tokens, IslandId island)
{
    const auto at = static_cast<std::size_t>(std::max<std::int64_t>(island.value - 1, 0));
    const QColor hue = tokens.islands[at % tokens.islands.size()];
    if (at / tokens.islands.size() % 2 == 0)
        return hue;
    // The second four: away from the letter upon it, so that both letter and ground stand apart from it still more;
    // so far that the nearest two of the eight are as far apart as they can be.
    const float towards = luminance(tokens.badgeText) < 0.5 ? 1.0F : 0.0F;
    const auto mix = [towards](float part) { return part + (towards - part) * 0.55F; };
    return QColor::fromRgbF(mix(hue.redF()), mix(hue.greenF()), mix(hue.blueF()));
}

QColor viridis(double at)
{
    static constexpr std::array<unsigned, 11> stops{
        0x440154, 0x482475, 0x414487, 0x355f8d, 0x2a788e, 0x21918c, 0x22a884, 0x44bf70, 0x7ad151, 0xbddf26, 0xfde725};
    const double position = std::clamp(std::isfinite(at) ? at : 0.0, 0.0, 1.0) * (stops.size() - 1);
    const auto low = std::min<std::size_t>(static_cast<std::size_t>(position), stops.size() - 2);
    const double part = position - static_cast<double>(low);
    const QColor a = rgb(stops[low]), b = rgb(stops[low + 1]);
    const auto mix = [part](float x, float y) { return static_cast<float>(x + (y - x) * part); };
    return QColor::fromRgbF(mix(a.redF(), b.redF()), mix(a.greenF(), b.greenF()), mix(a.blueF(), b.blueF()));
}

QColor scoreColour(const Tokens& tokens, double at)
{
    if (luminance(tokens.panel) > 0.5)
        return viridis(at); // its dark end is the one that is seen best there
    constexpr double least = 2, rise = 0.8; // of the contrast: the order of the colours stays theirs
    return standingOut(viridis(at), tokens.panel, least + rise * std::clamp(std::isfinite(at) ? at : 0.0, 0.0, 1.0));
}

QColor standingOut(const QColor& colour, const QColor& ground, double least)
{
    if (contrast(colour, ground) >= least)
        return colour;
    const float towards = luminance(ground) < 0.18 ? 1.0F : 0.0F; // where black and white stand out alike
    const auto mixed = [&](double part) {
        const auto mix = [&](float value) { return value + (towards - value) * static_cast<float>(part); };
        return QColor::fromRgbF(mix(colour.redF()), mix(colour.greenF()), mix(colour.blueF()));
    };
    double low = 0, high = 1;
    for (int i = 0; i < 12; ++i)
        if (const double middle = (low + high) / 2; contrast(mixed(middle), ground) >= least)
            high = middle;
        else
            low = middle;
    return mixed(high);
}

double contrast(const QColor& a, const QColor& b)
{
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

} // namespace tilewright::ui
