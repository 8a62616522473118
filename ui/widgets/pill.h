// SPDX-License-Identifier: GPL-3.0-or-later
// A word in a coloured pill: "Fits", "Running". Colour is never alone: the word says it.
#pragma once

#include <QLabel>

namespace roundpipe::ui::widgets {

enum class Tone { kNeutral, kGood, kWarning, kBad };

class Pill : public QLabel {
    Q_OBJECT
public:
    explicit Pill(QWidget* parent = nullptr); // hidden while it says nothing
    void say(const QString& text, Tone tone = Tone::kNeutral);
};

} // namespace roundpipe::ui::widgets
