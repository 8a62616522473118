#include "session/row_remark.h"

#include <cstddef>

namespace roundpipe::session {

std::string Remark::text() const {
    std::string result;
    for (const char* c = spellingOf(code); *c != '\0'; ++c) {
        const auto place = static_cast<std::size_t>(c[1] - '1'); // of %1; huge where no digit follows
        if (*c == '%' && place < arguments.size()) {
            result += arguments[place];
            ++c;
        } else {
            result += *c;
        }
    }
    return result;
}

} // namespace roundpipe::session
