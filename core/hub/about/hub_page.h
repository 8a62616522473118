// SPDX-License-Identifier: GPL-3.0-or-later
// Addresses of the Hub's pages, as people copy them from their browser.
#pragma once

#include "session/hub.h"

#include <string>
#include <string_view>

namespace roundpipe::hub {

// "https://huggingface.co/datasets/openai/gsm8k/viewer/main/train" → "openai/gsm8k/main:train", as parseHubName() reads
// names: of the pages of a repository, of its files at a revision, of one file (of a model's as of all of it), and of
// a dataset's rows. Throws kInvalidInput where it is the page of something else than `kind`.
std::string nameOnPage(std::string_view address, session::HubKind kind);

} // namespace roundpipe::hub
