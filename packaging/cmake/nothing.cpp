// SPDX-License-Identifier: GPL-3.0-or-later
// A program that does nothing, for targets that exist for their precompiled headers.
int main() { return 0; }
