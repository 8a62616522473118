// SPDX-License-Identifier: GPL-3.0-or-later
// A field and its values in words: labels, helps and choices in the user's language, values as text and back.
#pragma once

#include "session/spec/run_spec_fields.h"

#include <QString>

#include <optional>

namespace roundpipe::ui::editors {

// Translated in the context "RunSpec", of which a translation source can be made from the table of fields.
QString labelOf(const session::Field& field);
QString helpOf(const session::Field& field);
QString choiceText(const session::Field& field, const std::string& choice);

// "2e-4", "on", "q_proj, v_proj", "9, 10, 9".
QString textOfValue(const session::FieldValue& value);
// A number that the plan chooses as long as nobody gives one.
bool isLeftOpen(const session::Field& field, const session::FieldValue& value);
// As it is shown to people: choices in their language, and "–" where nothing is set.
QString shownValue(const session::Field& field, const session::FieldValue& value);
// The text as the alternative that `example` holds; nothing where it is no list of whole numbers. Texts and lists only.
std::optional<session::FieldValue> valueFromText(const session::FieldValue& example, const QString& text);

// Why a value is not allowed: "It must be between 1 and 4096."; empty where it is, as far as its limits go.
QString problemOf(const session::Field& field, const session::FieldValue& value);

// What a run is about (its model, rows, name and folder): no change of a setting.
bool isOwnToARun(const session::Field& field);

// Of a field with a path: a file, else a folder.
bool isFilePath(const session::Field& field);

} // namespace roundpipe::ui::editors
