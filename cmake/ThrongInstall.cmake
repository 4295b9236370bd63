# Headers, both libraries, the two ways to find them (a CMake package and a pkg-config file), and the
# program with what belongs to it.
# Everything is found relative to itself, so an installed tree may be moved.
include(CMakePackageConfigHelpers)

set(packageDir ${CMAKE_INSTALL_LIBDIR}/cmake/throng)
set(pkgConfigDir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(libraries throng_static)
if(TARGET throng)
  list(APPEND libraries throng)
endif()
install(TARGETS ${libraries} EXPORT throngTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/throng DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")

install(EXPORT throngTargets NAMESPACE throng:: DESTINATION ${packageDir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/throngConfig.cmake.in
  ${PROJECT_BINARY_DIR}/throngConfig.cmake INSTALL_DESTINATION ${packageDir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/throngConfigVersion.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/throngConfig.cmake
  ${PROJECT_BINARY_DIR}/throngConfigVersion.cmake DESTINATION ${packageDir})

# A library built with sanitizers cannot be linked without their run-time library.
set(pcLibs "-L\${libdir} -lthrong")
if(THRONG_SANITIZE)
  string(APPEND pcLibs " -fsanitize=${THRONG_SANITIZE}")
endif()
set(pcPrivateLibs "")
if(UNIX)
  string(APPEND pcPrivateLibs " -lm")
endif()
if(THRONG_THREADS)
  string(APPEND pcPrivateLibs " -pthread")
endif()
# The install directories are relative to the prefix unless the user gave absolute ones.
file(RELATIVE_PATH pcPrefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pcPrefix "${pcPrefix}")
cmake_path(APPEND pcLibDir "\${prefix}" ${CMAKE_INSTALL_LIBDIR})
cmake_path(APPEND pcIncludeDir "\${prefix}" ${CMAKE_INSTALL_INCLUDEDIR})
configure_file(${PROJECT_SOURCE_DIR}/cmake/throng.pc.in ${PROJECT_BINARY_DIR}/throng.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/throng.pc DESTINATION ${pkgConfigDir})

if(TARGET throng_program)
  install(TARGETS throng_program)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/throng)
  install(FILES ${PROJECT_SOURCE_DIR}/docs/scene.schema.json
    DESTINATION ${CMAKE_INSTALL_DATADIR}/throng)
  install(FILES ${PROJECT_SOURCE_DIR}/docs/throng.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  set(completions ${PROJECT_SOURCE_DIR}/apps/throng/completions)
  install(FILES ${completions}/throng.bash RENAME throng
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${completions}/_throng DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${completions}/throng.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
