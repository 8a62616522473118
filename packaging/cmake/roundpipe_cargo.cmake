# SPDX-License-Identifier: GPL-3.0-or-later
# roundpipe_cargo_home(VARIABLE): the folder of the cache that cargo downloads to. What the user told cargo, of mirrors and
# credentials above all, counts there too: by links, which may lead nowhere until there is such a file.
function(roundpipe_cargo_home variable)
  set(home "${ROUNDPIPE_CACHE}/cargo")
  set(users_home "$ENV{CARGO_HOME}")
  if(users_home STREQUAL "")
    set(users_home "$ENV{HOME}/.cargo")
  endif()
  if(NOT users_home STREQUAL home)
    file(MAKE_DIRECTORY "${home}")
    foreach(settings IN ITEMS config.toml config credentials.toml)
      file(CREATE_LINK "${users_home}/${settings}" "${home}/${settings}" SYMBOLIC)
    endforeach()
  endif()
  set(${variable} "${home}" PARENT_SCOPE)
endfunction()
