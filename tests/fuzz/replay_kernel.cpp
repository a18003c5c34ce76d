// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel files to mutate: heads, conditions, macros and arrays of all kinds, and bytes of other encodings.
#include "tests/fuzz/fuzz_target.h"

const std::vector<std::string> builtInTexts = {
    "static float twice(float v) { return 2 * v; }\nvoid f(const float* x, float* y, int rows, int columns)\n{\n"
    "    for (int r = 0; r < rows; ++r) {\n        float s = 0;\n        for (int c = 0; c < columns; ++c)\n"
    "            s += x[r * columns + c];\n        y[r] = twice(s);\n    }\n}\n",
    "__global__ void f(const float* x, float* y, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) y[i] = x[i];\n}\nvoid run(float* x, float* y, int n) { f<<<(n + 255) / 256, 256>>>(x, y, n); }\n",
    "#include <cmath>\ntypedef float real;\n#define R __restrict__\nvoid f(const real* R x, real* R y, int n)\n{\n"
    "    for (int i = 0; i < n; ++i)\n        y[i] = std::exp(x[i]);\n}\nint main() { return 0; }\n",
    "#define KH 3\nconstexpr int KW = 3, N = KH * KW;\nenum { A, B = 4, C };\n#if defined(__AVX2__) && KH > 2\n"
    "void conv(const float image[], const float w[KH][KW], float out[], int h, int width) {\n#else\n"
    "void conv(const float image[], float* out, int h, int width) {\n#endif\n  for (int i = 0; i < h * width; ++i)\n"
    "    out[i] = image[i] * w[0][0];\n}\n",
    "\xef\xbb\xbf#define EACH(i, n) for (int i = 0; i < (n); ++i)\r\n#define NAME(a, b) a##b\r\n"
    "void NAME(add, _f)(const float* x, float* y, int n) { EACH(i, n) y[i] = x[i]; }\r\n",
    "__constant__ float w[9];\ntemplate <typename T, int BLOCK> __global__ void __launch_bounds__(BLOCK)\n"
    "k(const T* __restrict__ x, T* y, int rows, int columns)\n{\n    __shared__ float s[BLOCK];\n"
    "    int r = blockIdx.x; if (r < rows) y[r * columns] = x[r * columns] * w[0];\n}\n"
    "void run(float* x, float* y, int r, int c) { k<float, 256><<<r, 256, 256 * sizeof(float)>>>(x, y, r, c); }\n",
    "#ifdef A\n#elif 1\nnamespace a::b { using T = double; using P = T*; void g(P y, const T (*x)[4], unsigned n) {} "
    "}\n"
    "#endif\nextern \"C\" { void h(float (&y)[8], long n = (1, 2)) noexcept {} }\n",
};
const std::vector<std::string> insertedPieces = {"#if ", "#ifdef X\n", "#else\n", "#elif 0\n", "#endif\n",
    "#define X X X\n", "#define F(a, ...) a##a #a __VA_ARGS__ F(a)\n", "#undef X\n", "\\\n", "/*", "*/", "//", "\"",
    "'", "R\"(", ")\"", "(", ")", "{", "}", "[", "]", "[[", "<", ">", "<<<", ">>>", "::", ",", ";", "*", "&", "const ",
    "template <", "typedef ", "using x = ", "float ", "__global__ ", "__constant__ float c[4];\n",
    "constexpr int Q = ", "1 << 40", "1 / 0", "0x", "1e", "for (int i = 0; ", "\xe4", "\xff\xfe", "\xed\xa0\x80",
    "\xc0\x80", "\xef\xbb\xbf", "\r", "\r\n", "\n", std::string(1, '\0')};
