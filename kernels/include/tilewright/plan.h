// SPDX-License-Identifier: Apache-2.0
// What a GPU candidate sees before its own text: device facts, and the plan by which it asks for launches. The plan is
// evaluated by a compiler's own interpreter, so everything here is constexpr and freestanding. The same text serves
// NVRTC, nvcc and the host compilers that read plans back; the layout is the contract between them.
#pragma once

#if defined(__CUDACC_RTC__)
#define TW_FN __device__ constexpr
#elif defined(__CUDACC__)
#define TW_FN __host__ __device__ constexpr
#else
#define TW_FN constexpr
#endif

namespace tilewright_contract {

using u8 = unsigned char;
using u32 = unsigned int;
using u64 = unsigned long long;

// Enumerators rather than constants: a device module keeps no memory for them.
enum : int { mostMaps = 8, mostLaunches = 8, longestKernelName = 96, mostUserInts = 8 };

/// Facts of the device, so that a plan needs no query.
struct Device {
    int sms; ///< streaming multiprocessors
    int smem_optin; ///< most shared memory of a block, bytes
    int smem_sm; ///< shared memory of a multiprocessor, bytes
    int l2_bytes;
    int cc; ///< compute capability: 90
};

enum class DType : u8 { F64, F32, TF32, F16, BF16, E4M3, E5M2, I8, I32 };
enum class Swizzle : u8 { None, B32, B64, B128 };
enum class L2Promotion : u8 { None, B64, B128, B256 };

/// Launch::flags.
enum : u32 {
    COOPERATIVE = 1, ///< all blocks resident at once
    PROGRAMMATIC = 2 ///< may start before the plan's launch in front of it has ended; not the first
};

/// A tiled tensor map over one buffer; the node encodes it. Offset and strides in bytes, the innermost stride is the
/// element's size and left out.
struct TensorMapRequest {
    u8 buffer; ///< a Buffer of the task
    DType dtype;
    u8 rank;
    Swizzle swizzle;
    L2Promotion l2;
    u8 oob_nan; ///< 1: reads outside give NaN, not 0
    u64 offset, dim[5], stride[4];
    u32 box[5], element_stride[5];
};

struct Launch {
    char kernel[longestKernelName]; ///< a name, or a template instance: "gemm<128,64>"
    u32 grid[3], block[3], cluster[3], dynamic_smem, flags;
    int user[mostUserInts]; ///< arrives as Args::user
};

TW_FN u64 element_bytes(DType dtype)
{
    switch (dtype) {
    case DType::F64:
        return 8;
    case DType::F16:
    case DType::BF16:
        return 2;
    case DType::E4M3:
    case DType::E5M2:
    case DType::I8:
        return 1;
    default:
        return 4;
    }
}

struct Plan {
    int maps, launches;
    u64 workspace_bytes;
    TensorMapRequest map[mostMaps];
    Launch launch[mostLaunches];

    /// A matrix of rows × cols elements, row_bytes apart, read in boxes. Returns its index in Args::map.
    template <typename Buffer>
    TW_FN int map2d(Buffer buffer, DType dtype, u64 cols, u64 rows, u64 row_bytes, u32 box_cols, u32 box_rows,
        Swizzle swizzle = Swizzle::None)
    {
        TensorMapRequest& request = map[maps];
        request.buffer = static_cast<u8>(buffer);
        request.dtype = dtype;
        request.rank = 2;
        request.swizzle = swizzle;
        request.l2 = L2Promotion::B128;
        request.dim[0] = cols;
        request.dim[1] = rows;
        request.stride[0] = row_bytes;
        request.box[0] = box_cols;
        request.box[1] = box_rows;
        for (int i = 0; i < 5; ++i)
            request.element_stride[i] = 1;
        return maps++;
    }

    TW_FN Launch& add(const char* kernel, u32 grid_x, u32 block_x, u32 dynamic_smem = 0, u32 cluster_x = 1)
    {
        Launch& next = launch[launches++];
        int i = 0;
        for (; kernel[i] != 0; ++i)
            next.kernel[i] = kernel[i]; // a name that is too long is an error of the evaluation
        next.kernel[i] = 0;
        next.grid[0] = grid_x;
        next.block[0] = block_x;
        next.cluster[0] = cluster_x;
        next.grid[1] = next.grid[2] = next.block[1] = next.block[2] = next.cluster[1] = next.cluster[2] = 1;
        next.dynamic_smem = dynamic_smem;
        return next;
    }

    /// The instance kernel<arguments…> of a template: only those that plans ask for are built.
    template <int N>
    TW_FN Launch& add_instance(
        const char* kernel, const int (&arguments)[N], u32 grid_x, u32 block_x, u32 dynamic_smem = 0, u32 cluster_x = 1)
    {
        Launch& next = add(kernel, grid_x, block_x, dynamic_smem, cluster_x);
        int at = 0;
        while (next.kernel[at] != 0)
            ++at;
        for (int i = 0; i < N; ++i) {
            next.kernel[at++] = i == 0 ? '<' : ',';
            char digits[12] = {};
            int count = 0;
            u32 rest = arguments[i] < 0 ? 0u - static_cast<u32>(arguments[i]) : static_cast<u32>(arguments[i]);
            do
                digits[count++] = static_cast<char>('0' + rest % 10);
            while ((rest /= 10) != 0);
            if (arguments[i] < 0)
                next.kernel[at++] = '-';
            while (count > 0)
                next.kernel[at++] = digits[--count];
        }
        next.kernel[at++] = '>';
        next.kernel[at] = 0;
        return next;
    }
};

struct alignas(64) TensorMap {
    u64 opaque[16];
};

TW_FN int ceil_div(int a, int b) { return (a + b - 1) / b; }

} // namespace tilewright_contract
