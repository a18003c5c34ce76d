// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exporting/signed_manifest.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <QProcess>
#include <QTemporaryDir>
#include <unistd.h>

namespace tilewright {

using namespace Qt::StringLiterals;

namespace {
constexpr int lookEveryMs = 100;
}

Result<Bundle> signedBundle(
    Bundle bundle, const std::string& key, Passphrase passphrase, const std::function<bool()>& isCancelled)
{
    if (std::error_code problem; !std::filesystem::is_regular_file(key, problem))
        return fail("file/missing", "there is no key " + printable(key), "the file of an SSH key is needed");
    const QTemporaryDir folder;
    const std::string manifest = folder.filePath(QString::fromLatin1(manifestFile)).toStdString();
    if (auto written = saveFile(manifest, manifestOf(bundle)); !written)
        return std::unexpected(written.error());
    QProcess signer;
    if (passphrase == Passphrase::Terminal)
        signer.setInputChannelMode(QProcess::ForwardedInputChannel); // ssh-keygen asks there by itself
    else
        signer.setChildProcessModifier([] { setsid(); }); // no terminal to ask on
    signer.start(u"ssh-keygen"_s,
        {u"-Y"_s, u"sign"_s, u"-n"_s, QString::fromLatin1(signatureNamespace), u"-f"_s, QString::fromStdString(key),
            QString::fromStdString(manifest)});
    if (!signer.waitForStarted())
        return fail("tool/missing", "ssh-keygen is not installed: the manifest cannot be signed",
            "install OpenSSH, or export without a signature");
    if (passphrase == Passphrase::Nowhere)
        signer.closeWriteChannel();
    while (!signer.waitForFinished(lookEveryMs) && signer.state() != QProcess::NotRunning)
        if (isCancelled && isCancelled()) {
            signer.kill();
            signer.waitForFinished(-1);
            return fail("cancelled", "cancelled");
        }
    const auto signature = readFile(manifest + ".sig");
    if (signer.exitStatus() != QProcess::NormalExit || signer.exitCode() != 0 || !signature)
        return fail("export/signature",
            "ssh-keygen did not sign the manifest: "
                + tilewright::oneLine(signer.readAllStandardError().toStdString(), 300),
            passphrase == Passphrase::Nowhere
                ? "for a key with a passphrase, add it to the agent with ssh-add, and use its .pub file"
                : "try it: ssh-keygen -Y sign -n " + std::string(signatureNamespace) + " -f " + shellQuoted(key)
                    + " FILE");
    bundle[signatureFile] = {*signature};
    return bundle;
}

} // namespace tilewright
