// SPDX-License-Identifier: GPL-3.0-or-later
// What the Compare screen writes to files: its figures, and its table and plots as pictures. GUI thread.
#pragma once

#include "core/base/result.h"
#include "ui/compare/heat_model.h"
#include "ui/compare/point_scene.h"

class QWidget;

namespace tilewright::ui {

enum class PictureForm { Png, Svg };
/// By the ending of a file's name: SVG where that is .svg.
PictureForm pictureFormOf(const QString& path);

/// What is seen of a widget.
Result<std::string> pictureOf(QWidget& widget, PictureForm form);
/// The whole table, whatever of it is seen.
Result<std::string> pictureOf(HeatModel& model, PictureForm form);
/// A plot at a size for documents.
Result<std::string> pictureOf(const PointScene& scene, PictureForm form);

} // namespace tilewright::ui
