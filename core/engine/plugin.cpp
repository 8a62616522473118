// The one symbol of the engine as a shared library (app/studio/engine_library.h loads it).
#include "engine/engine.h"

extern "C" roundpipe::session::Engine* roundpipe_make_engine() {
    return roundpipe::engine::makeEngine().release();
}
