// SPDX-License-Identifier: GPL-3.0-or-later
// The token lens on paper: a row as the template rendered it, token by token, with what is trained, special and cut.
#pragma once

#include "session/workbench.h"
#include "ui/theme/theme_manager.h"

#include <QAbstractScrollArea>
#include <QHash>
#include <QTimer>

#include <vector>

namespace roundpipe::ui::pages {

// Rows of any length: lines are laid out a few milliseconds at a time, and only those in sight are painted.
class TokenLensView : public QAbstractScrollArea {
    Q_OBJECT
public:
    enum class Mode { kText, kTokens, kIds };

    explicit TokenLensView(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void setLens(session::TokenLens lens); // goes back to its start
    void setMode(Mode mode);
    const session::TokenLens& lens() const { return m_lens; }

    int currentToken() const { return m_current; } // -1: none
    void setCurrentToken(int token);               // brings it into sight
    void goToNextTrained();                        // the first token of the next trained turn, round to the first
    void goToMessage(int message);                 // to its first token

    QSize sizeHint() const override { return {520, 300}; }

signals:
    void currentTokenChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool viewportEvent(QEvent* event) override; // tooltips

private:
    // A token's part on one line.
    struct Piece {
        int32_t token;
        int32_t begin, end; // bytes of the lens's text; of an id or a special token's chip: none
        float left, width;
        bool endsLine; // it holds a line feed, which is shown
    };

    void startLayout();
    void layoutSome();
    void layoutUpTo(int token);
    void layoutToken(int token);
    void place(Piece piece, double width);
    void breakLine();
    bool isLaidOut() const { return m_nextToken >= std::ssize(m_lens.tokens); }
    void updateScrollBar();
    int lineHeight() const;
    QString textOf(const Piece& piece) const;
    double widthOf(const QString& text) const;
    bool isChip(const session::LensToken& token) const;
    int64_t ownBegin(int token) const; // of the bytes that no token before it covers

    int lineOf(int token) const; // of its first piece, which is laid out
    int tokenAt(QPoint position) const;
    void paintPiece(QPainter& painter, const Piece& piece, double top) const;
    QString describe(int token) const;

    const theme::ThemeManager& m_themes;
    session::TokenLens m_lens;
    Mode m_mode = Mode::kTokens;
    int m_current = -1;
    std::vector<Piece> m_pieces;
    std::vector<std::size_t> m_lines; // the first piece of each
    std::ptrdiff_t m_nextToken = 0;   // to be laid out
    double m_left = 0;                // where the next piece of the last line goes
    QTimer m_layoutTimer;
    mutable QHash<QString, double> m_widths; // of texts in this font
};

} // namespace roundpipe::ui::pages
