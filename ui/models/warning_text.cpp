#include "ui/models/warning_text.h"

#include "ui/models/coded_text.h"

namespace roundpipe::ui::models {

QString warningText(const session::RunEvent& warning) {
    return warning.warning.empty() ? QString::fromStdString(warning.text) : wordsOf("Warning", warning.warning);
}

} // namespace roundpipe::ui::models
