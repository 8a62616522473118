// SPDX-License-Identifier: GPL-3.0-or-later
// A page of the manual as a document to be shown, in the theme's colours.
#pragma once

#include "ui/help/manual.h"
#include "ui/theme/theme.h"

#include <QTextBlock>
#include <QTextDocument>

#include <memory>

namespace roundpipe::ui::help {

// Its pictures are read from the page's folder, at most as wide as a page is read comfortably.
std::unique_ptr<QTextDocument> makeDocument(const ManualPage& page, const theme::Theme& theme, const QFont& font);

// The heading that the anchor names; the first block where there is none.
QTextBlock headingOf(const QTextDocument& document, const QString& anchor);

} // namespace roundpipe::ui::help
