// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/engine.h"

#include "session/spec/no_secret.h"

namespace roundpipe::session {

void validate(const RunJob& job) {
    validate(job.spec, true, job.resume ? Secrets::kStored : Secrets::kRefused);
    if (job.resume) return;
    for (const std::string& prompt : job.samplePrompts)
        requireNoSecret(kPrompt, prompt);
}

} // namespace roundpipe::session
