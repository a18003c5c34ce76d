// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/code_spans.h"

#include <QStringList>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

std::span<const CodeSpan> CodeSpans::ofLine(int line) const
{
    const auto [from, to] = std::ranges::equal_range(m_spans, line, {}, &CodeSpan::line);
    return {from, to};
}

QString codeOfPrompt(const QString& prompt)
{
    static const QStringList languages{u"cpp"_s, u"c++"_s, u"cuda"_s, u"cu"_s, u"c"_s};
    const QString fence = u"```"_s;
    QString code;
    code.reserve(prompt.size());
    bool inside = false, isCode = false;
    for (const QString& line : prompt.split(u'\n')) {
        if (line.startsWith(fence)) {
            inside = !inside;
            isCode = inside && languages.contains(line.mid(fence.size()).trimmed().toLower());
        } else if (isCode) {
            code += line;
        }
        code += u'\n';
    }
    code.chop(1);
    return code;
}

} // namespace tilewright::ui
