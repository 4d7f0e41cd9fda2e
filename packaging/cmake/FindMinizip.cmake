# SPDX-License-Identifier: Apache-2.0
# zlib's companion for zip archives (Debian: libminizip-dev). Defines Minizip::Minizip.
include(FindPackageHandleStandardArgs)
find_path(MINIZIP_INCLUDE_DIR minizip/unzip.h)
find_library(MINIZIP_LIBRARY minizip)
find_package_handle_standard_args(Minizip REQUIRED_VARS MINIZIP_LIBRARY MINIZIP_INCLUDE_DIR)
if(Minizip_FOUND AND NOT TARGET Minizip::Minizip)
  add_library(Minizip::Minizip UNKNOWN IMPORTED)
  set_target_properties(Minizip::Minizip PROPERTIES IMPORTED_LOCATION ${MINIZIP_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${MINIZIP_INCLUDE_DIR})
endif()
mark_as_advanced(MINIZIP_LIBRARY MINIZIP_INCLUDE_DIR)
