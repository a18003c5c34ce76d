// SPDX-License-Identifier: GPL-3.0-or-later
// The library of schemes that the lab's pages choose from: built-in ones, and those that this user found or opened,
// which are kept in the data folder. GUI thread.
#pragma once

#include "core/tensor/scheme_library.h"

#include <QObject>
#include <QString>

namespace tilewright::ui {

class SchemeList : public QObject
{
    Q_OBJECT

public:
    explicit SchemeList(QObject* parent = nullptr);

    const std::vector<tensor::LibraryScheme>& schemes() const { return m_schemes; }
    /// Of what is damaged: "" for nothing.
    QString problem() const;
    /// Where the scheme stands, by its coefficients; −1: it is none of them.
    int placeOf(const tensor::Scheme& scheme) const;

    /// Keeps a scheme, and returns its place. Errors: those of keepScheme().
    Result<int> add(const tensor::Scheme& scheme, tensor::Provenance from);
    /// The scheme of a file (.json, .npz, .exp), verified. Errors: those of schemeAt() and keepScheme().
    Result<int> import(const QString& path);
    /// Errors: those of removeScheme().
    Result<void> remove(int place);

Q_SIGNALS:
    void changed();

private:
    void read();

    std::vector<tensor::LibraryScheme> m_schemes;
    std::vector<Error> m_damaged;
};

/// "Strassen 1969, 2×2", "found, rank 23", a file's name.
QString nameOf(const tensor::LibraryScheme& scheme);
/// "built in", "found here 2026-12-01, seed 1, 2 threads, 0.2 s, Tilewright 0.1.0", "imported 2026-12-01 from w.npz".
QString provenanceWords(const tensor::Provenance& from);

} // namespace tilewright::ui
