// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/library_function.h"

#include <dlfcn.h>

namespace roundpipe {

void* addressIn(void* library, const char* name) {
    return ::dlsym(library, name);
}

} // namespace roundpipe
