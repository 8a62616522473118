// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of tools in the assistant's messages, in OpenAI's form. Internal to this folder (it includes nlohmann-json).
#pragma once

#include "data/rows/json/row_json.h"

#include <cstddef>
#include <string>

namespace roundpipe::data {

// What a call says of its function: what stands in its "function", or the call itself where it has none around it.
const Json& functionOf(const Json& call);
Json& functionOf(Json& call);

// The arguments of a call, which may be changed in place; null where it has none.
Json* argumentsOf(Json& call);
// The same where they are an object or a list, or a text that holds one; else null.
Json* namedArgumentsOf(Json& call);

// Of what stands in a message's "tool_calls"; `number`: of the message. Throws RowProblem.
void checkCalls(const Json& calls, std::size_t number);
// The same of calls that are trained: without a name, or with arguments that are no JSON or a mere value, they would
// teach the model what no program can read.
void checkTrainedCalls(const Json& calls, std::size_t number);

// Gives calls that have none, or null, the arguments {}: templates print what is not there as nothing, or refuse it.
void fillArguments(Json& calls, bool asTexts);

// OpenAI carries arguments as JSON in a string; templates that print them by `tojson` would quote them a second time.
// Returns whether there are any as objects then.
bool parseArguments(Json& calls);

// The other way round, for templates that put them between their own words (DeepSeek's).
void writeArguments(Json& calls);

// Gives messages that call tools what some templates cannot do without: where they say nothing beside it, which OpenAI
// writes as null, an empty text; and a "function" around what calls, where its name and arguments stand bare. Returns
// whether there were such.
bool completeCalls(Json& messages);

// Gives each call an id of nine letters and digits, and what answers it the same, where one has none or another:
// Mistral's templates take no other. Returns whether there were such. An answer that names no call is one to the first
// that has none yet. Ids are a function of the row, and look drawn by chance, as they are trained.
bool giveIds(Json& messages);

// {"name", "arguments"}, or a list of them, as JSON in a string. Throws RowProblem.
Json callsOf(const std::string& value, std::size_t number);

} // namespace roundpipe::data
