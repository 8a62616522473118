// SPDX-License-Identifier: GPL-3.0-or-later
// What deserves a word beside the result.
#pragma once

#include "session/spec/export_remark.h"
#include "session/spec_remark.h"

#include <filesystem>
#include <vector>

namespace roundpipe::cli {

void warn(const session::RunText& text);                    // a line on standard error
void warn(const std::vector<session::RunText>& sentences);  // a line of all of them, as a run's warning; none: nothing
void warn(const std::vector<session::SpecRemark>& remarks); // a line each
void warn(const std::vector<session::ExportRemark>& refusals);
// Why a run will refuse the weights of a folder, where it holds some: a config alone can be planned for.
void warnOfModel(const std::filesystem::path& model);

} // namespace roundpipe::cli
