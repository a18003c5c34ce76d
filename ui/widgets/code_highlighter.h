// SPDX-License-Identifier: GPL-3.0-or-later
// A small built-in C++ colouring for the kernels shown here: keywords, types, numbers, calls, comments, preprocessor.
// It never parses; a wrong colour is all that can go wrong. GUI thread.
#pragma once

#include <QSyntaxHighlighter>
#include <functional>

namespace tilewright::ui {

class CodeHighlighter : public QSyntaxHighlighter
{
    Q_OBJECT

public:
    explicit CodeHighlighter(QTextDocument* document);
    void setEnabled(bool enabled);
    /// Which lines are words and not code, by block number.
    void setPlainLines(std::function<bool(int)> isPlain) { m_isPlain = std::move(isPlain); }

protected:
    void highlightBlock(const QString& line) override;

private:
    int comment(const QString& line, int from, bool block);

    bool m_enabled = true;
    std::function<bool(int)> m_isPlain;
};

} // namespace tilewright::ui
