// SPDX-License-Identifier: Apache-2.0
// A kernel as somebody has it: plain, right, not fast. `tilewright-cli task-from` makes a task of it.

#include <cmath>
void softmax(const float* x, float* y, int rows, int columns)
{
    for (int r = 0; r < rows; ++r) {
        const float* from = x + long(r) * columns;
        float* to = y + long(r) * columns;
        float top = from[0], sum = 0;
        for (int c = 1; c < columns; ++c)
            top = from[c] > top ? from[c] : top;
        for (int c = 0; c < columns; ++c)
            sum += to[c] = std::exp(from[c] - top);
        for (int c = 0; c < columns; ++c)
            to[c] /= sum;
    }
}
