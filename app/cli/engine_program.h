// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe-engine, the command line with the engine and LibTorch in it, as the program without them sees it.
#pragma once

namespace roundpipe::cli {

// Becomes it, with the arguments that this program was given: same process, streams and exit code. Throws kUnsupported
// where it is not there, or installed and without the LibTorch that set-up fetches.
[[noreturn]] void continueWithEngine();

} // namespace roundpipe::cli
