# SPDX-License-Identifier: GPL-3.0-or-later
# "cmake --install": programs, the libraries that they open, resources, and what a desktop knows of them. Everything is found
# from the program's own place, so that any prefix does.
set(library_folder libexec/roundpipe) # outside of lib, where a package would have to tell the loader of them

if(ROUNDPIPE_STUDIO)
  install(TARGETS roundpipe-studio RUNTIME DESTINATION bin)
  set(desktop "${CMAKE_SOURCE_DIR}/resources/desktop")
  install(FILES "${desktop}/org.roundpipe.Studio.desktop" DESTINATION share/applications)
  install(FILES "${desktop}/org.roundpipe.Studio.metainfo.xml" DESTINATION share/metainfo)
  install(FILES "${desktop}/org.roundpipe.Studio.mime.xml" DESTINATION share/mime/packages)
  install(FILES "${desktop}/org.roundpipe.Studio.svg" DESTINATION share/icons/hicolor/scalable/apps)
  install(FILES "${desktop}/application-vnd.roundpipe.project+json.svg" DESTINATION share/icons/hicolor/scalable/mimetypes)
  install(DIRECTORY resources/manual resources/pictures resources/screenshots DESTINATION share/roundpipe) # which it shows
  install(DIRECTORY resources/demo DESTINATION share/roundpipe PATTERN "*.py" EXCLUDE PATTERN maker EXCLUDE) # not what made it
endif()

install(TARGETS roundpipe_columnar LIBRARY DESTINATION ${library_folder})
if(ROUNDPIPE_ENGINE)
  # LibTorch is no file of ours: each user's own is found by base/set_up_libraries.
  install(TARGETS roundpipe_engine_plugin LIBRARY DESTINATION ${library_folder})
  install(TARGETS roundpipe-engine RUNTIME DESTINATION ${library_folder})
  install(TARGETS roundpipe RUNTIME DESTINATION bin)
  install(PROGRAMS packaging/installed/roundpipe-setup DESTINATION bin)
endif()

install(CODE "
  file(GLOB installed \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${library_folder}/*roundpipe*\")
  foreach(file IN LISTS installed) # the paths of this machine's LibTorch and Arrow
    file(RPATH_REMOVE FILE \"\${file}\")
  endforeach()")

install(PROGRAMS packaging/setup packaging/cuda_prefix packaging/gpu_report DESTINATION share/roundpipe/packaging)
install(FILES packaging/missing_wheels.py DESTINATION share/roundpipe/packaging)
install(DIRECTORY packaging/lib packaging/packages packaging/requirements DESTINATION share/roundpipe/packaging)

# Manual pages, made of what the programs say of themselves; set-up must be in its place for that.
set(prefix "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}")
set(speakers "")
if(ROUNDPIPE_STUDIO)
  string(APPEND speakers " \"roundpipe-studio=$<TARGET_FILE:roundpipe-studio>\"")
endif()
if(ROUNDPIPE_ENGINE)
  string(APPEND speakers " \"roundpipe=$<TARGET_FILE:roundpipe>\" \"roundpipe-setup=${prefix}/bin/roundpipe-setup\"")
endif()
install(CODE "
  execute_process(COMMAND \"${ROUNDPIPE_PYTHON}\" \"${CMAKE_SOURCE_DIR}/packaging/man_pages.py\" \"${prefix}/share/man/man1\"
    ${PROJECT_VERSION} \"\${CMAKE_INSTALL_PREFIX}/share/roundpipe/manual\"${speakers} COMMAND_ERROR_IS_FATAL ANY)")
