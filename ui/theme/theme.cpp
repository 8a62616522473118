#include "ui/theme/theme.h"

#include <array>

namespace roundpipe::ui::theme {
namespace {

struct KindLook {
    QRgb light;
    QRgb dark;
    const char* name;
};

constexpr std::array<KindLook, trace::kNumKinds> kKinds = {{
    {0xff2f7fc1, 0xff4b9fe3, "forward"},
    {0xff8cc6ea, 0xff8fd0f5, "recompute"},
    {0xffe08e0b, 0xfff0a732, "backward"},
    {0xffc8501a, 0xffe8703a, "fused"},
    {0xff7b61b3, 0xffa58be0, "evaluate"},
    {0xffa9879b, 0xffc7a6b8, "answer"},
    {0xff1c9a78, 0xff2fbf98, "weights up"},
    {0xff8fd0bb, 0xff8de0c6, "adapter up"},
    {0xffc9ac1c, 0xffe8d24a, "activations up"},
    {0xffb8689a, 0xffdc8fc0, "activations down"},
    {0xff8a3f73, 0xffb566a0, "gradients down"},
    {0xff6d7785, 0xff98a4b5, "optimizer"},
    {0xffd5dae1, 0xff3a424e, "waiting"},
    {0xffb3bcc8, 0xff5a6575, "step"},
    {0xff66717f, 0xff94a1b1, "memory"},
}};

constexpr std::array<QRgb, 8> kDevices = {0xff2f7fc1, 0xffe08e0b, 0xff1c9a78, 0xffb8689a,
                                          0xffc9ac1c, 0xff7b61b3, 0xffc8501a, 0xff5fb3d9};

} // namespace

QColor Theme::kind(trace::Kind kind) const {
    const KindLook& look = kKinds[static_cast<std::size_t>(kind)];
    return QColor::fromRgb(dark ? look.dark : look.light);
}

QColor Theme::device(int index) const {
    const QColor colour = QColor::fromRgb(kDevices[static_cast<std::size_t>(index) % kDevices.size()]);
    return dark ? colour.lighter(115) : colour;
}

QColor Theme::onColour(const QColor& fill) const {
    const double luminance = 0.299 * fill.redF() + 0.587 * fill.greenF() + 0.114 * fill.blueF();
    return luminance > 0.56 ? QColor(0x15, 0x1a, 0x21) : QColor(Qt::white);
}

QString kindName(trace::Kind kind) {
    return QString::fromLatin1(kKinds[static_cast<std::size_t>(kind)].name);
}

const Theme& lightTheme() {
    static const Theme theme{false,      0xfff2f4f7, 0xffffffff, 0xfff6f8fa, 0xffdde2e9, 0xff1b2430,
                             0xff66717f, 0xff1668c7, 0xffffffff, 0xff18845f, 0xffa86400, 0xffc23a2b};
    return theme;
}

const Theme& darkTheme() {
    static const Theme theme{true,       0xff14181e, 0xff1b2129, 0xff242c36, 0xff303944, 0xffe6ebf1,
                             0xff94a1b1, 0xff4c9df0, 0xff0b1118, 0xff3fc28f, 0xffe6b04a, 0xfff07563};
    return theme;
}

QPalette paletteOf(const Theme& theme) {
    QPalette palette;
    palette.setColor(QPalette::Window, theme.window);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.card);
    palette.setColor(QPalette::AlternateBase, theme.raised);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.dim);
    palette.setColor(QPalette::Button, theme.raised);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::Highlight, theme.accent);
    palette.setColor(QPalette::HighlightedText, theme.onAccent);
    palette.setColor(QPalette::ToolTipBase, theme.raised);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Link, theme.accent);
    palette.setColor(QPalette::Mid, theme.border);
    palette.setColor(QPalette::Dark, theme.border.darker(130));
    palette.setColor(QPalette::Light, theme.card);
    palette.setColor(QPalette::Disabled, QPalette::Text, theme.dim);
    palette.setColor(QPalette::Disabled, QPalette::WindowText, theme.dim);
    palette.setColor(QPalette::Disabled, QPalette::ButtonText, theme.dim);
    return palette;
}

QString styleSheetOf(const Theme& theme) {
    static const QString kSheet = QStringLiteral(R"(
QFrame#card { background: @card; border: 1px solid @border; border-radius: 8px; }
QLabel#title { font-weight: 600; }
QLabel { background: transparent; }
QLabel#dim { color: @dim; }
QLabel#headline { font-size: 15pt; font-weight: 600; }
QLabel#value { font-size: 15pt; font-weight: 600; }
QFrame#banner { background: @raised; border: 1px solid @border; border-left: 4px solid @bad; border-radius: 6px; }
QFrame#notice { background: @raised; border: 1px solid @border; border-left: 4px solid @warning; border-radius: 6px; }
QPushButton, QToolButton { background: @raised; border: 1px solid @border; border-radius: 6px; padding: 5px 12px; color: @text; }
QPushButton:hover, QToolButton:hover { border-color: @accent; }
QPushButton:focus, QToolButton:focus { border-color: @accent; }
QPushButton:disabled, QToolButton:disabled { color: @dim; }
QToolButton:checked { background: @accent; color: @onAccent; border-color: @accent; }
QPushButton#primary { background: @accent; color: @onAccent; border-color: @accent; font-weight: 600; padding: 7px 20px; }
QPushButton#primary:disabled { background: @raised; color: @dim; border-color: @border; }
QTabWidget::pane { border: 0; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: @dim; padding: 4px 2px 6px 2px; margin-right: 16px; border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: @text; border-bottom: 2px solid @accent; font-weight: 600; }
QTabBar::tab:hover { color: @text; }
QTableView { background: transparent; border: 0; gridline-color: transparent; alternate-background-color: @raised; }
QHeaderView { background: transparent; }
QHeaderView::section { background: transparent; color: @dim; border: 0; border-bottom: 1px solid @border; padding: 4px 8px; }
QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; border: 0; }
QPlainTextEdit { background: transparent; border: 0; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar::handle:vertical { background: @border; border-radius: 4px; min-height: 24px; margin: 1px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle:horizontal { background: @border; border-radius: 4px; min-width: 24px; margin: 1px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: transparent; }
QStatusBar { background: @card; border-top: 1px solid @border; }
QStatusBar::item { border: 0; }
QProgressBar { background: @raised; border: 1px solid @border; border-radius: 4px; max-height: 8px; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }
QToolTip { background: @raised; color: @text; border: 1px solid @border; padding: 6px; }
QMenu { background: @card; border: 1px solid @border; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 20px; border-radius: 4px; }
QMenu::item:selected { background: @accent; color: @onAccent; }
QMenuBar { background: @window; }
QMenuBar::item { padding: 4px 10px; background: transparent; }
QMenuBar::item:selected { background: @raised; border-radius: 4px; }
)");
    QString sheet = kSheet;
    const auto put = [&sheet](const char* name, const QColor& colour) {
        sheet.replace(QString::fromLatin1(name), colour.name());
    };
    put("@onAccent", theme.onAccent); // before @accent could match a part of a longer name
    put("@accent", theme.accent);
    put("@window", theme.window);
    put("@card", theme.card);
    put("@raised", theme.raised);
    put("@border", theme.border);
    put("@text", theme.text);
    put("@dim", theme.dim);
    put("@warning", theme.warning);
    put("@bad", theme.bad);
    return sheet;
}

} // namespace roundpipe::ui::theme
