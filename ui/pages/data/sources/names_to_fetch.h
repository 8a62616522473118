// SPDX-License-Identifier: GPL-3.0-or-later
// Which of a project's rows are names of Hugging Face's Hub, and what stands in their place once they are fetched.
#pragma once

#include "session/spec/run_spec.h"

#include <string>
#include <vector>

namespace roundpipe::ui::pages {

// Each once, as the project writes it.
std::vector<std::string> namesToFetch(const session::RunSpec& spec);

// Whether the rows to validate on, which are of one file, have that name.
bool isToValidateOn(const std::string& name, const session::RunSpec& spec);

// `files`: of the split that the name stands for, at least one; of rows to validate on just that.
void putFiles(const std::string& name, const std::vector<std::string>& files, session::RunSpec& spec);

} // namespace roundpipe::ui::pages
