// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of a library that is opened while the program runs, bound by their names.
#pragma once

namespace roundpipe {

// Of what dlopen gave; null where it has nothing of the name. Any thread.
void* addressIn(void* library, const char* name);

// Sets `function`, whose type is what the library's header declares. False, and null, where the library lacks it: who
// needs it says so in words of its own.
template <class Function>
bool bindFunction(void* library, const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(addressIn(library, name));
    return function != nullptr;
}

} // namespace roundpipe
