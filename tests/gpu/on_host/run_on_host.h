// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the program that stands in front of this as its plan says, on small and odd shapes, and holds each element
// against the product in double precision by the bound of EVALUATION §3. SMS, HAS_SMALL and HAS_SPLIT are the test's.

template <class P> struct Instance;
template <int... N> struct Instance<Product<N...>> {
    static std::string name()
    {
        std::string text = "gemm<";
        ((text += std::to_string(N) + ","), ...);
        text.back() = '>';
        return text;
    }
    static void run(const Args& a) { gemm<N...>(a); }
};

void (*kernel_named(const std::string& name))(const Args&)
{
    if (name == Instance<Large>::name())
        return Instance<Large>::run;
#if HAS_SMALL
    if (name == Instance<Small>::name())
        return Instance<Small>::run;
#endif
#if HAS_SPLIT
    if (name == "add_split")
        return [](const Args& a) { add_split(a); };
#endif
    give_up(("the plan names no kernel: " + name).c_str());
}

void launch(const Launch& launch, Args args)
{
    constexpr std::size_t behind = 4096;
    auto* memory = reinterpret_cast<unsigned char*>(kept_tiles);
    if (launch.dynamic_smem + behind > sizeof kept_tiles)
        give_up("too much shared memory");
    std::copy_n(launch.user, 8, args.user);
    const auto kernel = kernel_named(launch.kernel);
    gridDim = {launch.grid[0], launch.grid[1], launch.grid[2]};
    for (blockIdx.z = 0; blockIdx.z < gridDim.z; ++blockIdx.z)
        for (blockIdx.y = 0; blockIdx.y < gridDim.y; ++blockIdx.y)
            for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x) {
                std::memset(
                    memory, 0xff, launch.dynamic_smem + behind); // what is read before it is written is no number
                run_block(launch.block[0], [&] { kernel(args); });
                for (std::size_t i = 0; i < behind; ++i)
                    if (memory[launch.dynamic_smem + i] != 0xff)
                        give_up("a block wrote behind its shared memory");
            }
}

/// Numbers of about one, and no numbers behind them; at a multiple of 256 bytes.
struct Matrix {
    std::size_t count;
    bf16* element;
    explicit Matrix(int rows, int columns, bool filled)
        : count(std::size_t(rows) * columns)
        , element(static_cast<bf16*>(std::aligned_alloc(256, (2 * count + 512) / 256 * 256)))
    {
        std::memset(element, 0xff, (2 * count + 512) / 256 * 256);
        for (std::size_t i = 0; filled && i < count; ++i)
            element[i].bits = nearest_bf16(static_cast<float>(std::rand() % 2001 - 1000) / 500);
    }
    ~Matrix() { std::free(element); }
};

/// |C − R| over its bound, the largest.
double worst_of(Dims d, const Matrix& a, const Matrix& b, const Matrix& c)
{
    double worst = c.element[c.count].bits == 0xffff ? 0 : 1e9; // nothing is written behind C
    for (int row = 0; row < d.M; ++row)
        for (int column = 0; column < d.N; ++column) {
            double sum = 0, magnitude = 0;
            for (int k = 0; k < d.K; ++k) {
                const double term = double(worth(a.element[row * d.K + k])) * worth(b.element[k * d.N + column]);
                sum += term;
                magnitude += std::abs(term);
            }
            const double bound = 1.05 * 0x1p-8 * std::abs(sum) + 4 * std::sqrt(d.K) * 0x1p-24 * magnitude + 1e-30;
            const double excess = std::abs(worth(c.element[row * d.N + column]) - sum) / bound;
            worst = excess <= worst ? worst : excess; // a NaN stays
        }
    return worst;
}

int main()
{
    const Device device{SMS, 232448, 233472, 50 << 20, 90};
    for (const Dims& d : {Dims{1, 1, 1}, Dims{17, 31, 13}, Dims{3, 2, 301}, Dims{64, 64, 64}, Dims{129, 137, 65},
             Dims{136, 72, 40}, Dims{64, 136, 520}, Dims{40, 48, 1032}, Dims{70, 130, 300}}) {
        const Matrix a(d.M, d.K, true), b(d.K, d.N, true), c(d.M, d.N, false);
        const Plan plan = tilewright_plan(d, device);
        std::vector<unsigned char> workspace(plan.workspace_bytes + 1, 0xff);
        for (int i = 0; i < plan.launches; ++i)
            launch(plan.launch[i], {d, a.element, b.element, c.element, workspace.data(), {}});
        if (const double worst = worst_of(d, a, b, c); !(worst <= 1)) {
            std::printf("%d x %d x %d: %g times its bound off\n", d.M, d.N, d.K, worst);
            return 1;
        }
    }
    return 0;
}
