// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as people read them in the window's language: the decimal point or comma and the grouping of thousands are
// those of the default locale. What files, commands and core's English texts hold is written elsewhere, with a point.
#pragma once

#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::ui::translations {

// As base/units.h has them.
QString bytesText(int64_t bytes);
QString durationText(double seconds);
QString countText(double count);

QString fixedText(double value, int decimals);          // "1,234.50"
QString shortText(double value, int significantDigits); // "0.0035", "0.00002", "1e-08"
QString wholeText(int64_t value);                       // "1,234"

// What was written with a point and is nothing but a number, with its unit or without ("1.5 GiB", "7.25"), as the
// language has it; anything else as it is. A line never ends between a figure and its unit: the blank is one that does
// not break, which labels copy as a usual one.
QString localText(const std::string& written);
std::vector<std::string> localTexts(std::vector<std::string> written);
// So are all figures of a sentence whose units stand in the sentence itself: "waits 18 % of the step".
QString withWholeFigures(QString sentence);

// What a person typed, with the language's comma or with a point; nothing where it is no number.
std::optional<double> numberOf(const QString& typed);

} // namespace roundpipe::ui::translations
