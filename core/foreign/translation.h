// SPDX-License-Identifier: GPL-3.0-or-later
// A foreign file on its way into a run file of ours, key by key. Internal to this folder (it includes nlohmann-json).
#pragma once

#include "foreign/foreign_run.h"
#include "foreign/yaml_tree.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

namespace roundpipe::foreign {

class Translation {
public:
    // `file`: flat, an object whose keys are the whole names; `defaults`: the program's, for keys that it lacks.
    Translation(Tree file, const Tree& defaults, std::filesystem::path folder);

    // The value of a key, which then counts as read; nothing where it is absent or null.
    std::optional<Tree> take(const std::string& key);
    std::string takeText(const std::string& key); // empty where there is none
    bool takeFlag(const std::string& key);

    // `ours`: the key of a setting. What it does not accept is listed with the reason.
    void set(const std::string& key, const std::string& ours);
    void setAll(std::initializer_list<std::pair<const char*, const char*>> counterparts); // a key, and ours
    void put(const std::string& key, const std::string& ours, Tree value); // the same of a value made from `key`'s
    // Its fields without "data.". One that is written as the one before joins it, unless it is to stand apart; one that
    // is there already is one more epoch of that.
    void addDataset(Tree dataset, const std::string& key, bool isApart = false);

    void note(const std::string& key, const std::string& reason);
    void noteOf(const std::string& key, const Tree& value, const std::string& reason); // of a part of what it says
    // Of a dataset that is taken all the same. `fields`: by their names, those of it that are not.
    void noteTakenWithout(const std::string& key, const Tree& fields, const std::string& dataset);

    // An existing file or folder of that name from the file's folder on, or from one above; empty: there is none.
    std::filesystem::path found(const std::string& name) const;

    ForeignRun finish(const std::string& program); // all that was not read is listed

private:
    Tree valueOf(const std::string& key) const;

    Tree m_file, m_given, m_defaults;
    std::filesystem::path m_folder;
    Tree m_run = Tree::object();
    Tree m_ofDatasets = Tree::object(); // settings of every dataset
    std::vector<NotTaken> m_notTaken;
};

// "cosine_with_min_lr" and the like are none that we have.
void translateSchedule(Translation& run, const std::string& key);
// The elements of a list, or what stands between commas.
Tree namesIn(const Tree& given);
// "all", "all-linear", or names.
void translateTargets(Translation& run, const std::string& key);
// Modules that are trained whole beside adapters.
void translateWholeModules(Translation& run, const std::string& key);
// A model is a folder; a name of the Hub is noted.
void translateModel(Translation& run, const std::string& key);
// Below 1 a share of the rows to validate on, else how many.
void translateShare(Translation& run, const std::string& key);
// What transformers' Trainer calls things, which several programs hand on to it.
void translateTrainer(Translation& run);

} // namespace roundpipe::foreign
