// SPDX-License-Identifier: GPL-3.0-or-later
// Every colour and distance that the window uses.
#pragma once

#include "trace/record.h"

#include <QBrush>
#include <QColor>
#include <QPalette>
#include <QString>

#include <vector>

namespace roundpipe::ui::theme {

inline constexpr int kSpacing = 16;  // between cards
inline constexpr int kMargin = 24;   // around a page
inline constexpr int kPadding = 16;  // inside a card
inline constexpr int kNumCurves = 5; // that have a colour of their own; more are grey
// A run's own loss and that of validation, of all curves, wherever both are drawn.
inline constexpr int kTrainingCurve = 0, kValidationCurve = 1;

struct Theme {
    bool dark = false;
    QColor window; // behind the cards
    QColor side;   // rail, menus, status
    QColor card;
    QColor raised; // headers, hovered rows, code
    QColor border; // between areas
    QColor edge;   // of controls: 3 : 1 on the card
    QColor text;
    QColor dim; // secondary text
    QColor accent;
    QColor onAccent;   // text on the accent
    QColor accentTint; // behind what is selected, in the accent
    QColor good, goodTint;
    QColor warning, warningTint;
    QColor bad, badTint;

    // Kinds of one lane are told apart by people with any of the common colour deficiencies; never the only carrier of
    // meaning.
    QColor kind(trace::Kind kind) const;
    QColor device(int index) const;
    QColor curve(int index) const; // one of several in a chart, and its name: read as text and told apart by every eye
    QColor idle(trace::IdleReason reason) const;
    QBrush hatch(trace::IdleReason reason) const; // idle time is hatched, so that it never looks like work
    QColor onColour(const QColor& fill) const;    // black or white, whichever reads better on it
};

const Theme& lightTheme();
const Theme& darkTheme();
QString kindName(trace::Kind kind);                // as the window words it: "weights up"
QString idleName(trace::IdleReason reason);        // "waits for weights"
double contrast(const QColor& a, const QColor& b); // of WCAG 2: 1 to 21

struct NamedColour {
    const char* name; // as style sheets write it, behind an @
    QColor colour;
};
std::vector<NamedColour> namedColours(const Theme& theme); // all but those of kinds and devices

QPalette paletteOf(const Theme& theme);
QString styleSheetOf(const Theme& theme);

} // namespace roundpipe::ui::theme
