# SPDX-License-Identifier: GPL-3.0-or-later
# Every package Tilewright can use, with the purpose that feature_summary prints.
find_package(Threads REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
set_package_properties(nlohmann_json PROPERTIES TYPE REQUIRED PURPOSE "frames, task packs, events")

if(NOT TILEWRIGHT_NODE_ONLY)
  find_package(Qt6 6.4 COMPONENTS Core Gui Widgets Network Sql Svg PrintSupport Concurrent Test)
  set_package_properties(Qt6 PROPERTIES TYPE REQUIRED PURPOSE "window, event loop, processes, network, SQLite access")
  find_package(Qt6Keychain QUIET)
  set_package_properties(Qt6Keychain PROPERTIES TYPE OPTIONAL
    PURPOSE "model keys in the desktop's keychain (without it: environment variables, or memory for one run)")
  add_feature_info(keychain "${Qt6Keychain_FOUND}"
    "model keys in the desktop's keychain, by QtKeychain (without it: environment variables, or memory for one run)")
  find_package(PkgConfig)
  set_package_properties(PkgConfig PROPERTIES TYPE REQUIRED PURPOSE "finding zstd")
  if(PkgConfig_FOUND)
    pkg_check_modules(ZSTD IMPORTED_TARGET libzstd)
  endif()
  add_feature_info(zstd "${ZSTD_FOUND}" "compressed texts in session files (required)")
  if(NOT ZSTD_FOUND)
    message(FATAL_ERROR "libzstd is missing: install libzstd-dev (or run packaging/setup).")
  endif()
  if(TILEWRIGHT_TESTS STREQUAL "all") # the window is built
    include(TilewrightPlots)
    if(NOT TILEWRIGHT_PLOTS)
      message(FATAL_ERROR "QCustomPlot for Qt 6 is missing: install libqcustomplot-dev, on Fedora qcustomplot-qt6-devel "
        "(or run packaging/setup).")
    endif()
    add_feature_info(plots TRUE "the window's plots, by QCustomPlot (required): ${TILEWRIGHT_PLOTS}")
  endif()
endif()
