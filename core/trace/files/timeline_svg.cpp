// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/files/timeline_svg.h"

#include "base/error.h"
#include "base/units.h"
#include "trace/kind_look.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>

namespace roundpipe::trace {
namespace {

// As the window's light theme has it, so that a picture and the Studio agree.
std::string colourOf(Kind kind) {
    return fmt::format("#{:06x}", lookOf(kind).light);
}

// Of the hatch of waits, by reason.
constexpr std::array<const char*, kNumIdleReasons> kHatches = {"#878f9c", "#b3261e", "#878f9c", "#6a7482",
                                                               "#74295f", "#8a5300", "#b9c0ca"};
constexpr const char* kInk = "#1b2430";
constexpr const char* kDim = "#66717f";
constexpr const char* kTrack = "#edf0f4"; // where nothing runs
constexpr const char* kGrid = "#dde2e9";

constexpr double kLeft = 196; // of the time axis
constexpr double kRight = 84; // room for the share of busy time
constexpr double kComputeHeight = 26;
constexpr double kTransferHeight = 10;
constexpr double kRowGap = 3.5;
constexpr double kDeviceGap = 16;

const char* roleName(LaneRole role) {
    static constexpr std::array kNames = {"compute",        "weights up", "activations up", "activations down",
                                          "gradients down", "memory",     "optimizer",      "session"};
    return kNames[static_cast<std::size_t>(role)];
}

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else
            result += c;
    }
    return result;
}

struct Row {
    const Lane* lane = nullptr;
    double y = 0;
    double height = 0;
    std::vector<Record> slices; // by start, within the window
};

// Slices of one stage that follow one another on a device: its turn.
struct StageTurn {
    int32_t stage = -1;
    double left = 0;
    double right = 0;
};

class Picture {
public:
    Picture(std::span<const Record> records, std::span<const Lane> lanes, const TimelineSvgOptions& options);
    std::string draw();

private:
    double x(int64_t ns) const {
        const double share = static_cast<double>(ns - m_from) / static_cast<double>(m_to - m_from);
        return kLeft + share * (m_width - kLeft - kRight);
    }
    template <class... Args>
    void put(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(m_out), format, std::forward<Args>(args)...);
    }
    void text(double left, double top, double size, const char* colour, const std::string& words,
              const char* more = "") {
        put("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\" fill=\"{}\"{}>{}</text>\n", left, top, size, colour,
            more, escaped(words));
    }
    void findWindow(std::span<const Record> records, const TimelineSvgOptions& options);
    void layOut(std::span<const Record> records, std::span<const Lane> lanes);
    double legend(double top);
    void axis(double bottom);
    void steps(double bottom);
    void row(const Row& row);
    void slices(const Row& row);
    void turns(const Row& row);
    double busyShare(const Row& row) const;
    static std::string hatches();

    const TimelineSvgOptions& m_options;
    double m_width;
    double m_top = 0; // of the rows
    int64_t m_from = 0;
    int64_t m_to = 0;
    std::vector<Row> m_rows;
    std::vector<Record> m_steps;
    std::string m_out;
};

Picture::Picture(std::span<const Record> records, std::span<const Lane> lanes, const TimelineSvgOptions& options)
    : m_options(options), m_width(std::max(600, options.widthPixels)) {
    findWindow(records, options);
    layOut(records, lanes);
}

void Picture::findWindow(std::span<const Record> records, const TimelineSvgOptions& options) {
    m_from = options.fromNs;
    m_to = options.toNs;
    if (m_from == 0 && m_to == 0) { // steps may reach beyond what was recorded
        m_from = std::numeric_limits<int64_t>::max();
        for (const Record& record : records) {
            if (record.kind == Kind::kStep || record.kind == Kind::kMemory) continue;
            m_from = std::min(m_from, record.startNs);
            m_to = std::max(m_to, record.endNs);
        }
    }
    const auto visible = [this](const Record& record) { return record.endNs > m_from && record.startNs < m_to; };
    if (m_to <= m_from || std::ranges::none_of(records, visible))
        throw invalidInput("Nothing happened in the stretch of time to be drawn.");
}

void Picture::layOut(std::span<const Record> records, std::span<const Lane> lanes) {
    std::vector<std::vector<Record>> slices(lanes.size());
    std::set<LaneRole> roles;
    for (const Record& record : records) {
        if (record.endNs <= m_from || record.startNs >= m_to || !record.lane.valid() ||
            record.lane.index() >= lanes.size() || record.kind == Kind::kMemory)
            continue;
        if (record.kind == Kind::kStep) {
            m_steps.push_back(record);
        } else {
            slices[record.lane.index()].push_back(record);
            roles.insert(lanes[record.lane.index()].role);
        }
    }
    double y = 0;
    const Lane* last = nullptr;
    for (const Lane& lane : lanes) {
        if (!roles.contains(lane.role)) continue;
        if (last != nullptr && last->device != lane.device) y += kDeviceGap - kRowGap;
        const double height = lane.role == LaneRole::kCompute ? kComputeHeight : kTransferHeight;
        std::vector<Record>& own = slices[lane.id.index()];
        std::ranges::sort(own, {}, &Record::startNs);
        m_rows.push_back({&lane, y, height, std::move(own)});
        y += height + kRowGap;
        last = &lane;
    }
}

double Picture::legend(double top) {
    std::set<Kind> kinds;
    for (const Row& row : m_rows)
        for (const Record& record : row.slices)
            kinds.insert(record.kind);
    double left = 24;
    for (const Kind kind : kinds) {
        const KindLook& look = lookOf(kind);
        const double advance = 34 + 6.4 * static_cast<double>(std::string_view(look.name).size());
        if (left + advance > m_width - 24) {
            left = 24;
            top += 18;
        }
        put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"11\" height=\"11\" rx=\"2\" fill=\"{}\"/>\n", left, top,
            kind == Kind::kWait ? "url(#wait-packet)" : colourOf(kind));
        text(left + 17, top + 10, 12, kInk, look.name);
        left += advance;
    }
    return top + 11;
}

void Picture::axis(double bottom) {
    const double span = static_cast<double>(m_to - m_from) * 1e-9;
    const double unit = span >= 20 ? 1 : 1e-3;
    const double rough = span / unit / std::max(2.0, (m_width - kLeft - kRight) / 110);
    const double decade = std::pow(10, std::floor(std::log10(rough)));
    const double stride = decade * (rough / decade <= 1 ? 1 : rough / decade <= 2 ? 2 : rough / decade <= 5 ? 5 : 10);
    for (int i = 0; static_cast<double>(i) * stride * unit <= span * (1 + 1e-9); ++i) {
        const double value = static_cast<double>(i) * stride;
        const double left = x(m_from + std::llround(value * unit * 1e9));
        put("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\"/>\n", left, m_top - 6,
            bottom, kGrid);
        text(left, bottom + 16, 11, kDim, fmt::format("{:.6g}", value), " text-anchor=\"middle\"");
    }
    text(kLeft - 10, bottom + 16, 11, kDim, unit == 1 ? "seconds" : "ms", " text-anchor=\"end\"");
}

void Picture::steps(double bottom) {
    for (const Record& step : m_steps) {
        if (step.startNs < m_from) continue;
        put("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\" "
            "stroke-dasharray=\"4 3\"/>\n",
            x(step.startNs), m_top - 18, bottom, kDim);
        const bool atEdge = x(step.startNs) > m_width - kRight - 50;
        text(x(step.startNs) + (atEdge ? -4 : 4), m_top - 9, 11, kDim, fmt::format("step {}", step.step + 1),
             atEdge ? " text-anchor=\"end\"" : "");
    }
}

double Picture::busyShare(const Row& row) const {
    int64_t busy = 0;
    for (const Record& record : row.slices)
        if (isWork(record.kind)) busy += std::min(record.endNs, m_to) - std::max(record.startNs, m_from);
    return static_cast<double>(busy) / static_cast<double>(m_to - m_from);
}

void Picture::row(const Row& row) {
    const bool isCompute = row.lane->role == LaneRole::kCompute;
    const double y = m_top + row.y;
    put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:g}\" fill=\"{}\"/>\n", kLeft, y,
        m_width - kLeft - kRight, row.height, kTrack);
    if (isCompute) {
        std::string name = row.lane->name;
        if (name.ends_with(" compute")) name.resize(name.size() - 8);
        text(24, y + 17, 13, kInk, name, " font-weight=\"bold\"");
        text(m_width - kRight + 10, y + 17, 12, kInk, fmt::format("{:.1f} %", 100 * busyShare(row)));
    } else {
        text(kLeft - 10, y + row.height - 0.5, 10, kDim, roleName(row.lane->role), " text-anchor=\"end\"");
    }
    slices(row);
    if (isCompute) turns(row);
}

std::string tooltip(const Record& record) {
    std::string words = lookOf(record.kind).name;
    if (record.kind == Kind::kWait) words += fmt::format(" ({})", toString(record.reason));
    if (record.stage.valid()) words += fmt::format(", stage {}", record.stage.value);
    if (record.microbatch.valid()) words += fmt::format(", microbatch {}", record.microbatch.value);
    if (record.layer.valid()) words += fmt::format(", layer {}", record.layer.value);
    words += fmt::format(", {:.4g} ms", static_cast<double>(record.endNs - record.startNs) * 1e-6);
    if (record.bytes > 0) words += ", " + formatBytes(record.bytes);
    return words;
}

// Waits are hatched, so that they never look like work.
std::string fillOf(const Record& record) {
    if (record.kind == Kind::kWait) return fmt::format("url(#wait-{})", toString(record.reason));
    return colourOf(record.kind);
}

std::string Picture::hatches() {
    std::string defs = "<defs>";
    for (std::size_t r = 0; r < kHatches.size(); ++r)
        defs +=
            fmt::format("<pattern id=\"wait-{}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
                        "patternTransform=\"rotate({})\"><line y2=\"6\" stroke=\"{}\" stroke-width=\"2\"/></pattern>",
                        toString(static_cast<IdleReason>(r)), r % 2 == 0 ? 45 : -45, kHatches[r]);
    return defs + "</defs>\n";
}

void Picture::slices(const Row& row) {
    constexpr double kSeam = 0.6; // left between neighbours that are wide enough to spare it
    const double y = m_top + row.y;
    for (std::size_t i = 0; i < row.slices.size();) {
        const Record& first = row.slices[i];
        const double left = x(std::max(first.startNs, m_from));
        double right = x(std::min(first.endNs, m_to));
        for (++i; i < row.slices.size(); ++i) { // thin ones of one kind become one
            const double nextRight = x(std::min(row.slices[i].endNs, m_to));
            const double nextLeft = x(row.slices[i].startNs);
            if (row.slices[i].kind != first.kind || row.slices[i].reason != first.reason || nextLeft > right + 0.25 ||
                nextRight - nextLeft >= 1)
                break;
            right = std::max(right, nextRight);
        }
        const double width = std::max(0.7, right - left - (right - left > 3 ? kSeam : 0));
        put("<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:g}\" fill=\"{}\"><title>{}</title></rect>\n",
            left, y, width, row.height, fillOf(first), tooltip(first));
    }
}

void Picture::turns(const Row& row) {
    std::vector<StageTurn> turns;
    const Record* previous = nullptr;
    for (const Record& record : row.slices) {
        if (!isWork(record.kind)) continue;
        const bool same = previous != nullptr && previous->stage == record.stage && previous->step == record.step &&
                          previous->slot == record.slot;
        if (!same) turns.push_back({record.stage.value, x(std::max(record.startNs, m_from)), 0});
        turns.back().right = x(std::min(record.endNs, m_to));
        previous = &record;
    }
    const double middle = m_top + row.y + row.height / 2;
    for (const StageTurn& turn : turns) {
        const std::string number = std::to_string(turn.stage);
        const double width = 7 + 6.2 * static_cast<double>(number.size());
        if (turn.stage < 0 || turn.right - turn.left < width + 2) continue;
        const double centre = (turn.left + turn.right) / 2;
        put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"14\" rx=\"7\" fill=\"#ffffff\" "
            "fill-opacity=\"0.88\"/>\n",
            centre - width / 2, middle - 7, width);
        text(centre, middle + 3.7, 10.5, kInk, number, " text-anchor=\"middle\" font-weight=\"bold\"");
    }
}

std::string Picture::draw() {
    std::string facts;
    for (const std::string& fact : m_options.facts)
        facts += (facts.empty() ? "" : "   ·   ") + fact;
    text(24, 34, 18, kInk, m_options.title, " font-weight=\"bold\"");
    text(24, 56, 13, kDim, facts);
    m_top = legend(74) + (m_steps.empty() ? 22 : 34);
    const double bottom = m_top + m_rows.back().y + m_rows.back().height + 6;
    axis(bottom);
    text(m_width - kRight + 10, m_top - 9, 11, kDim, "computing");
    for (const Row& each : m_rows)
        row(each);
    steps(bottom);
    const double height = bottom + 32;
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
                       "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"Inter, 'Noto Sans', 'DejaVu Sans', "
                       "sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{3}{2}</svg>\n",
                       m_width, height, m_out, hatches());
}

} // namespace

std::string timelineSvg(std::span<const Record> records, std::span<const Lane> lanes,
                        const TimelineSvgOptions& options) {
    return Picture(records, lanes, options).draw();
}

} // namespace roundpipe::trace
