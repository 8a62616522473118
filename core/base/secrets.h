// SPDX-License-Identifier: GPL-3.0-or-later
// Secrets that stand in texts: passwords and tokens in addresses, and tokens of Hugging Face's Hub. What is said,
// logged or passed on is without them.
#pragma once

#include <string>

namespace roundpipe {

// "https://user:secret@host/a?token=b" is "https://(hidden)@host/a?token=(hidden)"; what follows a mark of the Hub's
// tokens ("hf_…") is hidden wherever it stands. Of what has none, nothing is changed.
std::string withoutSecrets(std::string text);

} // namespace roundpipe
