// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/row_remark_text.h"

#include "ui/models/coded_text.h"

namespace roundpipe::ui::models {
namespace {

constexpr const char* kRowRemarks = "RowRemark";

} // namespace

QString dropReasonText(session::DropReason reason) {
    return wordsOf(kRowRemarks, spellingOf(reason), {});
}

QString maskSourceText(session::MaskSource source) {
    return wordsOf(kRowRemarks, spellingOf(source), {});
}

QString remarkText(const session::Remark& remark) {
    return wordsOf(kRowRemarks, remark);
}

} // namespace roundpipe::ui::models
