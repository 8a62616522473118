// Every colour and distance that the window uses.
#pragma once

#include "trace/record.h"

#include <QColor>
#include <QPalette>
#include <QString>

namespace roundpipe::ui::theme {

inline constexpr int kSpacing = 10; // between cards, and around them
inline constexpr int kPadding = 14; // inside a card

struct Theme {
    bool dark = false;
    QColor window; // behind the cards
    QColor card;
    QColor raised; // buttons, headers, hovered rows
    QColor border;
    QColor text;
    QColor dim; // secondary text
    QColor accent;
    QColor onAccent; // text on the accent
    QColor good;
    QColor warning;
    QColor bad;

    // Told apart by people with any of the common colour deficiencies (after Okabe and Ito); never the only carrier of
    // meaning.
    QColor kind(trace::Kind kind) const;
    QColor device(int index) const;
    QColor onColour(const QColor& fill) const; // black or white, whichever reads better on it
};

const Theme& lightTheme();
const Theme& darkTheme();
QString kindName(trace::Kind kind); // as the window words it: "weights up"

QPalette paletteOf(const Theme& theme);
QString styleSheetOf(const Theme& theme);

} // namespace roundpipe::ui::theme
