// SPDX-License-Identifier: GPL-3.0-or-later
// Which settings stand together, which of them everyone sees, and what each does to quality.
#pragma once

#include "session/spec/run_spec_fields.h"

#include <QString>

#include <vector>

namespace roundpipe::ui::pages {

struct SettingSection {
    QString title;
    std::vector<const session::Field*> fields;
};

// All fields but the format's version: each stands in one section.
std::vector<SettingSection> settingSections();

bool isSimple(const session::Field& field); // for everyone; the others are for experts
// A sentence for those that people turn; empty: the field's help says it.
QString qualityOf(const session::Field& field, Method method);
// Why it has no effect beside this method; empty: it has.
QString whyIdle(const session::Field& field, Method method);

} // namespace roundpipe::ui::pages
