// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/page_document.h"

#include <QDir>
#include <QFontDatabase>
#include <QFontInfo>
#include <QGuiApplication>
#include <QImageReader>
#include <QTextCursor>
#include <QTextFrame>
#include <QTextTable>

#include <array>

namespace roundpipe::ui::help {
namespace {

constexpr std::array kHeadingScale = {1.6, 1.25, 1.05}; // of the text's size, by level
constexpr double kLinePercent = 130;
constexpr int kWidestPicture = 640;

// A line of an example, which Markdown makes a block of its own.
bool isCode(const QTextBlock& block) {
    return block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage);
}

void styleHeading(QTextCursor& cursor, const theme::Theme& theme, double textSize) {
    const int level = cursor.blockFormat().headingLevel();
    QTextBlockFormat format;
    format.setTopMargin(level == 1 ? 0 : 22);
    format.setBottomMargin(level == 1 ? 10 : 4);
    cursor.mergeBlockFormat(format);
    QTextCharFormat letters;
    letters.setFontPointSize(textSize * kHeadingScale[static_cast<std::size_t>(std::clamp(level, 1, 3) - 1)]);
    letters.setFontWeight(QFont::DemiBold);
    letters.setForeground(theme.text);
    cursor.select(QTextCursor::BlockUnderCursor);
    cursor.setCharFormat(letters); // without the adjustment that Markdown brings, which wins over a size
}

void styleText(QTextCursor& cursor, const theme::Theme& theme) {
    QTextBlockFormat format;
    const bool code = isCode(cursor.block());
    const bool picture = cursor.block().text() == QString(QChar::ObjectReplacementCharacter); // nothing beside it
    format.setLineHeight(picture ? 100 : kLinePercent, QTextBlockFormat::ProportionalHeight);
    if (code) {
        format.setBackground(theme.raised);
        format.setLeftMargin(12);
        format.setTopMargin(0);
        format.setBottomMargin(isCode(cursor.block().next()) ? 0 : 10);
        format.setNonBreakableLines(false); // narrow windows break long ones
    }
    if (!code && cursor.currentTable() == nullptr) format.setBottomMargin(cursor.currentList() == nullptr ? 8 : 3);
    cursor.mergeBlockFormat(format);
}

// Pictures are read in the size in which they are shown: a document would scale them without smoothing.
void showPicture(QTextDocument& document, QTextCursor& cursor, QTextImageFormat format, const QDir& folder) {
    QImageReader reader(folder.filePath(format.name()));
    QSize size = reader.size();
    if (size.isEmpty()) return; // the place of a picture that is gone, as Qt shows it
    if (size.width() > kWidestPicture) size.scale(kWidestPicture, size.height(), Qt::KeepAspectRatio);
    const double pixels = qGuiApp->devicePixelRatio();
    reader.setScaledSize(size * pixels);
    QImage picture = reader.read();
    picture.setDevicePixelRatio(pixels);
    document.addResource(QTextDocument::ImageResource, QUrl(format.name()), picture);
    format.setWidth(size.width());
    format.setHeight(size.height());
    cursor.setCharFormat(format);
}

// Links in the accent, words of code in a fixed pitch, pictures in their size.
void styleLetters(QTextBlock block, const theme::Theme& theme, const QString& fixedFamily, const QDir& folder) {
    QTextCursor cursor(block);
    std::vector<QTextLayout::FormatRange> ranges;
    for (auto part = block.begin(); !part.atEnd(); ++part)
        ranges.push_back({part.fragment().position(), part.fragment().length(), part.fragment().charFormat()});
    for (const auto& [start, length, was] : ranges) {
        QTextCharFormat format;
        if (was.isAnchor()) format.setForeground(theme.accent);
        if (was.fontFixedPitch()) {
            format.setFontFamilies({fixedFamily});
            if (!isCode(block)) format.setBackground(theme.raised);
        }
        cursor.setPosition(start);
        cursor.setPosition(start + length, QTextCursor::KeepAnchor);
        if (was.isImageFormat())
            showPicture(*cursor.document(), cursor, was.toImageFormat(), folder);
        else
            cursor.mergeCharFormat(format);
    }
}

void styleTable(QTextTable& table, const theme::Theme& theme) {
    QTextTableFormat format = table.format();
    format.setBorderCollapse(true);
    format.setBorder(1);
    format.setBorderBrush(theme.border);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setCellPadding(6);
    format.setCellSpacing(0);
    format.setTopMargin(6);
    format.setBottomMargin(14);
    table.setFormat(format);
    for (int column = 0; column < table.columns(); ++column) {
        QTextTableCell cell = table.cellAt(0, column);
        QTextTableCellFormat head = cell.format().toTableCellFormat();
        head.setBackground(theme.raised);
        cell.setFormat(head);
    }
}

} // namespace

std::unique_ptr<QTextDocument> makeDocument(const ManualPage& page, const theme::Theme& theme, const QFont& font) {
    auto document = std::make_unique<QTextDocument>();
    document->setDefaultFont(font);
    document->setDocumentMargin(24);
    document->setMarkdown(page.markdown);
    const QString fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
    for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
        QTextCursor cursor(block);
        if (block.blockFormat().headingLevel() > 0)
            styleHeading(cursor, theme, QFontInfo(font).pointSizeF());
        else
            styleText(cursor, theme);
        styleLetters(block, theme, fixed, QDir(page.folder));
    }
    for (QTextFrame* frame : document->rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame)) styleTable(*table, theme);
    document->setUndoRedoEnabled(false);
    return document;
}

QTextBlock headingOf(const QTextDocument& document, const QString& anchor) {
    if (!anchor.isEmpty())
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
            if (block.blockFormat().headingLevel() > 0 && anchorOf(block.text()) == anchorOf(anchor)) return block;
    return document.begin();
}

} // namespace roundpipe::ui::help
