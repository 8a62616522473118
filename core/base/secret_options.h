// SPDX-License-Identifier: GPL-3.0-or-later
// Secrets among what programs are given on a command line, where no name says so: "curl -u me:hunter2",
// "mysql -phunter2".
#pragma once

#include <string>

namespace roundpipe::secret_forms {

// Of "curl -u" what stands behind the user's name. What stands for a value ("$PASSWORD", "<password>") stays, as do a
// program and an option that are only spoken of.
void hideSecretOptions(std::string& text);

} // namespace roundpipe::secret_forms
