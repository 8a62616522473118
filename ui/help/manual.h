// SPDX-License-Identifier: GPL-3.0-or-later
// The manual as its files have it: pages in reading order, their sections, and where words stand in them.
#pragma once

#include <QString>

#include <filesystem>
#include <vector>

namespace roundpipe::ui::help {

// What stands between two headings, the first of which names it.
struct ManualSection {
    QString heading;
    QString anchor; // as links name it
    int level = 1;  // of its heading: 1 is the page's title
    QString text;   // without the marks of Markdown
};

struct ManualPage {
    QString file;  // "plans.md"
    QString title; // "Reading a plan"
    QString group; // what it stands under in the contents; empty: under nothing
    QString markdown;
    QString folder;                      // that its pictures are relative to
    std::vector<ManualSection> sections; // at least one: the title's
};

struct ManualHit {
    const ManualPage* page;
    const ManualSection* section;
    QString line; // the one with the most of the words
};

// "Where a model does not fit" → "where-a-model-does-not-fit". Given an anchor it is that anchor.
QString anchorOf(const QString& heading);

class Manual {
public:
    // Reads README.md and the pages that it lists, in its order. Throws kIo where one is not there.
    explicit Manual(const std::filesystem::path& folder);

    const std::vector<ManualPage>& pages() const { return m_pages; } // README.md first
    const ManualPage* page(const QString& file) const;               // null: there is none
    // Sections that have all words, those first that have them in their heading. Pointers are the manual's.
    std::vector<ManualHit> find(const QString& words) const;

private:
    std::vector<ManualPage> m_pages;
};

} // namespace roundpipe::ui::help
