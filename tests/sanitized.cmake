# SPDX-License-Identifier: GPL-3.0-or-later
# Which tests run under a sanitizer: those of code in which its kind of fault can be. `packaging/test --all` builds and runs
# the first list of a kind, `packaging/test --long` the second, of what takes too long for every change to compile or to run.
# In a build with sanitizers the target of a list builds its tests and nothing else, and the label of that name chooses them
# in ctest. packaging/README.md says how long each build takes: a test that brings another folder into the first list brings
# that folder's compilation, too.
if(ROUNDPIPE_SANITIZE STREQUAL "address;undefined")
  # What strangers' bytes go through, sizes and layouts, and kernels by their pointers. Of data and text only in the second
  # list: fuzz_inputs of the release build runs readers, encoders and templates under these sanitizers. Whatever needs plan
  # or session is there, too: they alone take as long to compile as all of the first list.
  set(sanitized
    tst_base tst_model_config tst_model_folder tst_layers tst_safetensors tst_checkpoint
    tst_trace_file tst_lane_store tst_steps tst_layout tst_buffers tst_slot_pool
    tst_kernels_rows tst_kernels_loss tst_kernels_attention)
  set(sanitized-long
    tst_plan tst_program tst_rig tst_run_spec tst_serialise tst_serialise_answers tst_run_files tst_stored_run
    tst_event_file tst_foreign_run tst_adapter tst_chat_template tst_tokenizer
    tst_arrow tst_parquet tst_row_index tst_hostile_rows tst_tool_conversations tst_dataset tst_mixture tst_token_cache
    tst_token_store tst_lens tst_survey replay_jsonl replay_json replay_csv replay_tsv replay_txt replay_gz replay_zst
    replay_parquet replay_arrow replay_conversation replay_template replay_yaml replay_completion
    tst_block tst_head tst_pipeline tst_trained_weights tst_commands tst_choose_plan tst_dispatch_simulation
    tst_simulated_engine tst_workbench tst_hub tst_completion_request tst_chat_server)
elseif(ROUNDPIPE_SANITIZE STREQUAL "thread")
  # Rings and stores that one thread fills and another reads, teams of threads, the simulated engine, streams, updates
  # beside a step.
  set(sanitized
    tst_base tst_ring tst_lane_store tst_trace_file tst_status_board tst_simulated_engine tst_hosted_engine
    tst_optim tst_streams tst_weights tst_stale tst_trained_weights)
  set(sanitized-long
    tst_bitwise tst_pipeline tst_order tst_uploads tst_idle tst_row_index tst_dataset tst_token_store tst_batch_feeder tst_workbench
    tst_hub tst_dataset_reader tst_commands tst_planner tst_chat_server)
endif()

foreach(list IN ITEMS sanitized sanitized-long)
  if(NOT ${list})
    continue()
  endif()
  add_custom_target(${list} DEPENDS ${${list}})
  foreach(target IN LISTS ${list})
    get_target_property(folder ${target} BINARY_DIR)
    string(REGEX REPLACE "^replay_" "fuzz_replay_" test ${target})
    set_property(TEST ${test} DIRECTORY ${folder} APPEND PROPERTY LABELS ${list})
    set_property(TEST ${test} DIRECTORY ${folder} PROPERTY TIMEOUT 1800) # ten times as slow is usual
    # Else undefined behaviour is printed, and the test passes.
    set_property(TEST ${test} DIRECTORY ${folder} APPEND PROPERTY ENVIRONMENT_MODIFICATION
      "UBSAN_OPTIONS=set:halt_on_error=1:print_stacktrace=1")
  endforeach()
endforeach()
