// SPDX-License-Identifier: GPL-3.0-or-later
// SIGTERM, SIGINT and SIGHUP: a run that is under way ends after its step and is saved before the program goes.
// SIGXFSZ and SIGPIPE do not end it: what cannot be written is an error in words.
#pragma once

#include <QObject>

#include <functional>

namespace roundpipe::studio {

// Calls `end` on the GUI's thread at the first of them; a second one ends the program at once. One of it in a program.
class Termination : public QObject {
    Q_OBJECT
public:
    explicit Termination(std::function<void()> end, QObject* parent = nullptr);
};

} // namespace roundpipe::studio
