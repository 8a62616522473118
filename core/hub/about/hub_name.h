// SPDX-License-Identifier: GPL-3.0-or-later
// Names of what lies on the Hub, as people write them: hf:OWNER/NAME[/SUBSET][@REVISION][:SPLIT], or #FILE in place of
// the split.
#pragma once

#include "session/hub.h"

#include <string>
#include <string_view>

namespace roundpipe::hub {

using session::HubKind;

struct HubName {
    HubKind kind = HubKind::kModel;
    std::string repository;        // "openai/gsm8k"; some old ones have no owner
    std::string subset;            // of a dataset; empty: its default
    std::string revision = "main"; // a branch, a tag or a commit
    std::string split;             // of a dataset; empty: to train on
    std::string file;              // of a dataset: this one alone; empty: those of the split

    std::string text() const; // "hf:openai/gsm8k/main@main:train"
};

// With or without session::kHubPrefix, or the address of a page (hub_page.h); throws kInvalidInput saying which part is
// wrong.
HubName parseHubName(std::string_view text, HubKind kind);

bool isCommit(std::string_view text); // 40 hexadecimal digits

// Whether a path of a server's answer stays within the folder that it is put into: relative, of plain parts, none of
// them "." or "..", without control characters, of lengths that file systems take.
bool isSafePath(std::string_view path);

} // namespace roundpipe::hub
