// SPDX-License-Identifier: GPL-3.0-or-later
// Sets of settings with a name: three that come with the program, and the user's own.
#pragma once

#include "session/spec/run_spec_fields.h"

#include <QString>

#include <string>
#include <utility>
#include <vector>

namespace roundpipe::ui::document {

struct Preset {
    QString name;
    QString description;
    bool isOwn = false;                                              // the user's
    std::vector<std::pair<std::string, session::FieldValue>> values; // by the field's key
};

std::vector<Preset> builtInPresets(Method method); // they leave it as it is, and say nothing of adapters without one

// Presets say how a run learns (adapter, optimizer, batches, duration); what it learns from and on is the project's.
bool isOfPresets(const session::Field& field);

// An own preset as text and back: a run file. What can't be read any more gives a preset without values.
std::string presetText(const session::RunSpec& spec);
Preset presetFromText(const QString& name, const std::string& text);

void apply(const Preset& preset, session::RunSpec& spec);
bool isInUse(const Preset& preset, const session::RunSpec& spec);

} // namespace roundpipe::ui::document
