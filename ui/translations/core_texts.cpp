// SPDX-License-Identifier: GPL-3.0-or-later
// Prints what core says in the window as a source of translations: names, helps, advice and choices of the settings,
// how answers are chosen, what a run is doing and warns of, what is said of rows, and what slices of the timeline are
// called. It is written there once, for files and the command line too, and shown in the user's language.
#include "runs/own_folders.h"
#include "session/activity.h"
#include "session/answering.h"
#include "session/row_remark.h"
#include "session/run_text.h"
#include "session/spec/export_remark.h"
#include "session/spec/field_advice.h"
#include "session/spec/no_secret.h"
#include "session/spec/run_spec_fields.h"
#include "trace/kind_look.h"

#include <cstdio>
#include <set>
#include <string>

using namespace roundpipe;

namespace {

// As it is written between quotes.
std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

void print(const char* context, const std::string& text) {
    std::printf("QT_TRANSLATE_NOOP(\"%s\", %s)\n", context, quoted(text).c_str());
}

template <class Code>
void printAll(const char* context) {
    for (const char* const text : spellings(Code()))
        if (*text != '\0') print(context, text);
}

} // namespace

int main() {
    std::set<std::string> choices;
    for (const session::Field& field : session::runSpecFields()) {
        print("RunSpec", field.label);
        print("RunSpec", field.help);
        choices.insert(field.choices.begin(), field.choices.end());
    }
    for (const session::Field& field : session::runSpecFields())
        for (const Method method : {Method::kLora, Method::kFull})
            if (const std::string advice = session::adviceOn(field.key, method); !advice.empty())
                print("Settings", advice);
    for (const std::string& choice : choices)
        print("RunSpec", choice);
    for (const session::SamplingField& field : session::samplingFields()) {
        print("Sampling", field.label);
        print("Sampling", field.help);
    }
    printAll<session::ActivityCode>("Activity");
    printAll<session::RunTextCode>("RunText");
    printAll<session::Consumer>("ExportRemark");
    printAll<session::ExportNote>("ExportRemark");
    printAll<session::ExportAdvice>("ExportRemark");
    printAll<session::DropReason>("RowRemark");
    printAll<session::MaskSource>("RowRemark");
    printAll<session::RowRemark>("RowRemark");
    print("OwnFolders", runs::kGoesToo);
    for (const char* const text : {session::kHoldsSecret, session::kSecretAdvice, session::kPrompt})
        print("NoSecret", text);
    for (int kind = 0; kind < trace::kNumKinds; ++kind)
        print("timeline", trace::lookOf(static_cast<trace::Kind>(kind)).name);
}
