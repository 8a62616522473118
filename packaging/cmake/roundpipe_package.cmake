# SPDX-License-Identifier: GPL-3.0-or-later
# "cpack": a Debian package of what "cmake --install" installs, made by packaging/package. LibTorch, the CUDA libraries and
# Arrow are not in it (packaging/README.md says why).
install(FILES packaging/installed/copyright DESTINATION share/doc/roundpipe-studio)
install(CODE "
  execute_process(COMMAND gzip -9n --stdout \"${CMAKE_SOURCE_DIR}/packaging/installed/changelog\" COMMAND_ERROR_IS_FATAL ANY
    OUTPUT_FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/doc/roundpipe-studio/changelog.gz\")")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME roundpipe-studio)
set(CPACK_PACKAGE_CONTACT "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
if("$ENV{DEBEMAIL}" STREQUAL "") # as Debian's own tools take it; otherwise an address that is nobody's, by its ending
  set(CPACK_PACKAGE_CONTACT "RoundPipe Studio <maintainers@roundpipe-studio.invalid>")
endif()
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "fine-tune language models on gaming GPUs")
set(CPACK_PACKAGE_DESCRIPTION "Choose a model folder and a file of rows, see whether and how fast it will run,
watch it learn, and take the adapter with you. Models may be far larger than a
card: their weights stay in host memory and stream to one to eight GPUs ahead
of use, stage after stage in turn.
.
LibTorch and the CUDA libraries, about 2.6 GB, are not in this package. The
first start of the Studio, or roundpipe-setup, offers to fetch them from PyPI
into the user's cache folder.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

# Libraries of the distribution by what the programs are linked to. Qt opens the reader of our icon by itself, and set-up runs
# Python; the private folders hold what set-up fetches, which no package brings.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
file(GLOB nvidia_folders "${ROUNDPIPE_SITE}/nvidia/*/lib")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${ROUNDPIPE_SITE}/pyarrow;${ROUNDPIPE_SITE}/torch/lib;${nvidia_folders}")
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libqt6svg6, python3, python3-venv")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ca-certificates, qt6-translations-l10n, qt6-wayland")
include(CPack)
