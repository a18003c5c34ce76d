# SPDX-License-Identifier: GPL-3.0-or-later
# QCustomPlot for Qt 6 as the target QCustomPlotQt6::QCustomPlotQt6: Debian and Ubuntu ship a CMake configuration, Fedora a
# description for pkg-config only. Sets TILEWRIGHT_PLOTS to where it was found, or to FALSE.
find_package(QCustomPlotQt6 QUIET)
set(TILEWRIGHT_PLOTS ${QCustomPlotQt6_DIR})
if(NOT TARGET QCustomPlotQt6::QCustomPlotQt6)
  set(TILEWRIGHT_PLOTS FALSE)
  if(PkgConfig_FOUND)
    pkg_check_modules(QCUSTOMPLOT QUIET IMPORTED_TARGET qcustomplot-qt6)
  endif()
  if(QCUSTOMPLOT_FOUND)
    add_library(QCustomPlotQt6::QCustomPlotQt6 INTERFACE IMPORTED)
    target_link_libraries(QCustomPlotQt6::QCustomPlotQt6 INTERFACE PkgConfig::QCUSTOMPLOT Qt6::Widgets Qt6::PrintSupport)
    set(TILEWRIGHT_PLOTS "pkg-config, qcustomplot-qt6 ${QCUSTOMPLOT_VERSION}")
  endif()
endif()
