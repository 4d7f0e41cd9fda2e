# SPDX-License-Identifier: Apache-2.0
# cmake -D FILE=… -P RemoveRpath.cmake: takes the library search path out of a program or library, if it has one.
file(RPATH_REMOVE FILE "${FILE}")
