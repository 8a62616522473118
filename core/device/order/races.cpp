// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/order/races.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace roundpipe::device {
namespace {

using Note = OrderLog::Note;
using NoteKind = OrderLog::NoteKind;
using Clock = std::vector<int64_t>; // [line]: how many of its notes come before

void join(Clock& clock, const Clock& other) {
    for (std::size_t line = 0; line < clock.size(); ++line)
        clock[line] = std::max(clock[line], other[line]);
}

// An access to a piece of memory, and when on its line.
struct Access {
    const Note* note = nullptr;
    int64_t time = 0;
};

// What was last done with a piece of memory that was only used as a whole so far.
struct MemoryPart {
    const std::byte* end = nullptr;
    Access write;
    std::vector<Access> reads; // since then, one a line
};

class Search {
public:
    Search(const OrderLog& log, std::optional<Awaited> leftOut, std::size_t most)
        : m_log(log)
        , m_leftOut(leftOut)
        , m_most(most)
        , m_clocks(log.lines().size(), Clock(log.lines().size()))
        , m_moments(static_cast<std::size_t>(log.numMoments())) {}

    std::vector<Race> races() {
        for (const Note& note : m_log.notes()) {
            if (m_races.size() >= m_most) break;
            Clock& clock = clockOf(note.line);
            if (note.issuer != note.line) join(clock, clockOf(note.issuer));
            ++clock[static_cast<std::size_t>(note.line)];
            if (note.kind == NoteKind::kHappened)
                m_moments[static_cast<std::size_t>(note.moment)] = {&note, clock};
            else if (note.kind == NoteKind::kAwaited)
                await(note, clock);
            else
                use(note, clock);
        }
        return std::move(m_races);
    }

private:
    struct Moment {
        const Note* note = nullptr;
        Clock clock;
    };
    Clock& clockOf(OrderLog::Line line) { return m_clocks[static_cast<std::size_t>(line)]; }
    static bool isBefore(const Access& access, const Clock& clock) {
        return !access.note || access.time <= clock[static_cast<std::size_t>(access.note->line)];
    }

    void await(const Note& note, Clock& clock) {
        const RestsOn restsOn = rowOf(note.awaited).restsOn;
        const Moment& moment = m_moments[static_cast<std::size_t>(note.moment)];
        if (restsOn != RestsOn::kNothing && note.awaited != m_leftOut) join(clock, moment.clock);
        const auto line = static_cast<std::size_t>(moment.note->line);
        if (restsOn == RestsOn::kHandOver && moment.clock[line] > clock[line])
            m_races.push_back({nameOf(*moment.note) + " has it that " + std::string(rowOf(note.awaited).words),
                               nameOf(note) + " goes on as if that were so"});
    }

    void use(const Note& note, const Clock& clock) {
        const Access access{&note, clock[static_cast<std::size_t>(note.line)]};
        for (auto piece = firstPiece(note); piece != m_pieces.end() && piece->first < note.begin + note.bytes; ++piece)
            use(piece->second, access, clock);
    }

    void use(MemoryPart& piece, const Access& access, const Clock& clock) {
        if (!isBefore(piece.write, clock)) found(*piece.write.note, *access.note);
        if (access.note->kind == NoteKind::kWrite) {
            for (const Access& read : piece.reads)
                if (!isBefore(read, clock)) found(*read.note, *access.note);
            piece.write = access;
            piece.reads.clear();
            return;
        }
        const auto ofLine =
            std::ranges::find_if(piece.reads, [&](const Access& read) { return read.note->line == access.note->line; });
        if (ofLine == piece.reads.end())
            piece.reads.push_back(access);
        else
            *ofLine = access;
    }

    // Cuts pieces where the access begins and ends, and fills what lies between them.
    std::map<const std::byte*, MemoryPart>::iterator firstPiece(const Note& note) {
        const std::byte* const end = note.begin + note.bytes;
        cutAt(note.begin);
        cutAt(end);
        const std::byte* at = note.begin;
        for (auto next = m_pieces.lower_bound(at); at < end; ++next) {
            const std::byte* const until = next == m_pieces.end() ? end : std::min(end, next->first);
            if (at < until) next = m_pieces.emplace_hint(next, at, MemoryPart{until, {}, {}});
            at = next->second.end;
        }
        return m_pieces.lower_bound(note.begin);
    }
    void cutAt(const std::byte* place) {
        const auto after = m_pieces.upper_bound(place);
        if (after == m_pieces.begin()) return;
        const auto piece = std::prev(after);
        if (piece->first == place || piece->second.end <= place) return;
        m_pieces.emplace_hint(after, place, piece->second);
        piece->second.end = place;
    }

    void found(const Note& first, const Note& second) {
        const Race race{nameOf(first), nameOf(second)};
        const bool isNew = m_races.empty() || m_races.back() != race; // of the next piece, too
        if (isNew && m_races.size() < m_most) m_races.push_back(race);
    }

    std::string nameOf(const Note& note) const {
        std::string name = m_log.lines()[static_cast<std::size_t>(note.line)];
        if (note.kind == NoteKind::kRead || note.kind == NoteKind::kWrite)
            name += fmt::format(" {} {} ({} bytes)", note.kind == NoteKind::kRead ? "reads" : "writes", note.name,
                                note.bytes);
        if (!note.span) return name;
        const trace::Record& span = *note.span;
        name += fmt::format(", {} in step {}, slot {}", toString(span.kind), span.step, span.slot);
        if (span.layer.valid()) name += fmt::format(", layer {}", span.layer.value);
        if (span.microbatch.valid()) name += fmt::format(", microbatch {}", span.microbatch.value);
        return name;
    }

    const OrderLog& m_log;
    std::optional<Awaited> m_leftOut;
    std::size_t m_most;
    std::vector<Clock> m_clocks; // [line]
    std::vector<Moment> m_moments;
    std::map<const std::byte*, MemoryPart> m_pieces; // by their beginnings
    std::vector<Race> m_races;
};

} // namespace

std::vector<Race> racesIn(const OrderLog& log, std::optional<Awaited> leftOut, std::size_t most) {
    return Search(log, leftOut ? leftOut : log.leftOut(), most).races();
}

} // namespace roundpipe::device
