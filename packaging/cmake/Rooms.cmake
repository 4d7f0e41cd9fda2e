# SPDX-License-Identifier: Apache-2.0
# voxlab_room(NAME [LINKS public targets…] [PRIVATE private targets…] [EXCLUDE regular expression])
#   One static library for the folder it is called in: all *.cpp there but those whose path matches EXCLUDE; includes start
#   at the repository root.
function(voxlab_room name)
  cmake_parse_arguments(R "" "EXCLUDE" "LINKS;PRIVATE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  if(R_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${R_EXCLUDE}")
  endif()
  if(NOT sources) # a room that nobody has moved into yet
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${R_LINKS})
    return()
  endif()
  add_library(${name} STATIC ${sources})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${R_LINKS} PRIVATE ${R_PRIVATE} voxlab_warnings)
endfunction()

# voxlab_tests(NAME [LINKS …] [PREFIX ctest-name-prefix] [LABELS …] [MAIN file.cpp] [WRAPPER command…] [TIMEOUT s])
#   One GoogleTest program for the folder it is called in: all *_test.cpp there.
#   WRAPPER runs it, for listing its tests too: xvfb-run, say.
function(voxlab_tests name)
  cmake_parse_arguments(T "" "PREFIX;MAIN;TIMEOUT" "LINKS;LABELS;WRAPPER" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp)
  add_executable(${name} ${sources} ${T_MAIN})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${T_LINKS} tests_support GTest::gmock voxlab_warnings)
  if(NOT T_MAIN)
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
  endif()
  if(T_WRAPPER)
    set_target_properties(${name} PROPERTIES CROSSCOMPILING_EMULATOR "${T_WRAPPER}")
  endif()
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 300)
  endif()
  include(GoogleTest)
  # Tests run side by side: threads that spin while they wait would take the others' cores.
  set(properties TIMEOUT ${T_TIMEOUT} ENVIRONMENT OMP_WAIT_POLICY=passive)
  if(T_LABELS) # an empty value would make TIMEOUT the label
    list(APPEND properties LABELS "${T_LABELS}")
  endif()
  gtest_discover_tests(${name} TEST_PREFIX "${T_PREFIX}" DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
endfunction()
