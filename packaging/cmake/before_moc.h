// SPDX-License-Identifier: GPL-3.0-or-later
// What moc reads before every header: with g++ 12 it comes to <concepts> before the file that defines the macros of its
// namespaces unless <version> stood first.
#include <version>
