// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Numbers side by side, by the compiler's own vectors: the same source becomes AVX2, SSE2, NEON or plain
/// code.
///
/// Only the kernel files include this, each compiled for one kind of processor. So everything here and in
/// what they include lives in an unnamed namespace: two copies for two processors never become one.
namespace sinew::kernel {
namespace {

using F8 = float __attribute__((vector_size(32)));
using I8 = int __attribute__((vector_size(32)));
using D4 = double __attribute__((vector_size(32)));
using L4 = long long __attribute__((vector_size(32)));

/// What belongs to a lane type: its elements, and the integers of the same size.
template <class L>
struct Traits;
template <>
struct Traits<double> {
  using Real = double;
  using Int = long long;
  static constexpr int kCount = 1;
};
template <>
struct Traits<F8> {
  using Real = float;
  using Int = I8;
  static constexpr int kCount = 8;
};
template <>
struct Traits<D4> {
  using Real = double;
  using Int = L4;
  static constexpr int kCount = 4;
};
template <class L>
using RealOf = typename Traits<L>::Real;
template <class L>
using IntOf = typename Traits<L>::Int;

/// `value` in every lane.
template <class L>
[[gnu::always_inline]] inline L all(RealOf<L> value) {
  return L{} + value;
}

/// Eight floats from and to memory.
[[gnu::always_inline]] inline F8 load(const float* from) {
  F8 value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
[[gnu::always_inline]] inline void store(F8 value, float* to) {
  __builtin_memcpy(to, &value, sizeof value);
}

template <class L>
[[gnu::always_inline]] inline L smaller(L a, L b) {
  return a < b ? a : b;
}
template <class L>
[[gnu::always_inline]] inline L larger(L a, L b) {
  return a > b ? a : b;
}
#ifdef __AVX2__
// one instruction each, where the compiler makes two of a choice between lanes
template <>
[[gnu::always_inline]] inline F8 smaller(F8 a, F8 b) {
  return __builtin_ia32_minps256(a, b);
}
template <>
[[gnu::always_inline]] inline F8 larger(F8 a, F8 b) {
  return __builtin_ia32_maxps256(a, b);
}
template <>
[[gnu::always_inline]] inline D4 smaller(D4 a, D4 b) {
  return __builtin_ia32_minpd256(a, b);
}
template <>
[[gnu::always_inline]] inline D4 larger(D4 a, D4 b) {
  return __builtin_ia32_maxpd256(a, b);
}
#endif

template <class L>
[[gnu::always_inline]] inline IntOf<L> bits_of(L x) {
  return __builtin_bit_cast(IntOf<L>, x);
}

/// The signs of D4 as bits, and numbers without them or with them turned round.
constexpr long long kSign = static_cast<long long>(1ULL << 63);
[[gnu::always_inline]] inline D4 without_sign(D4 x) {
  return __builtin_bit_cast(D4, bits_of<D4>(x) & ~kSign);
}
[[gnu::always_inline]] inline D4 turned_round_by(D4 x, D4 sign) {
  return __builtin_bit_cast(D4, bits_of<D4>(x) ^ (bits_of<D4>(sign) & kSign));
}

template <class L>
[[gnu::always_inline]] inline L root(L x) {
  if constexpr (Traits<L>::kCount == 1) {
    return __builtin_sqrt(x);
  } else {
#ifdef __AVX2__
    if constexpr (sizeof(RealOf<L>) == 4) return __builtin_ia32_sqrtps256(x);
    if constexpr (sizeof(RealOf<L>) == 8) return __builtin_ia32_sqrtpd256(x);
#else
    L y;
    for (int i = 0; i < Traits<L>::kCount; ++i) {
      y[i] = static_cast<RealOf<L>>(__builtin_sqrt(static_cast<double>(x[i])));
    }
    return y;
#endif
  }
}

/// One bit per lane where the mask is set.
[[gnu::always_inline]] inline unsigned mask_bits(I8 mask) {
#ifdef __AVX2__
  return static_cast<unsigned>(__builtin_ia32_movmskps256(__builtin_bit_cast(F8, mask)));
#else
  unsigned bits = 0;
  for (unsigned i = 0; i < 8; ++i) bits |= mask[i] != 0 ? 1U << i : 0U;
  return bits;
#endif
}

[[gnu::always_inline]] inline unsigned mask_bits(L4 mask) {
#ifdef __AVX2__
  return static_cast<unsigned>(__builtin_ia32_movmskpd256(__builtin_bit_cast(D4, mask)));
#else
  unsigned bits = 0;
  for (unsigned i = 0; i < 4; ++i) bits |= mask[i] != 0 ? 1U << i : 0U;
  return bits;
#endif
}

[[gnu::always_inline]] inline unsigned mask_bits(int mask) {
  return mask != 0 ? 1U : 0U;
}

/// The constants of sine and cosine: pi/2 in three parts whose products with small whole numbers are exact,
/// and the number whose addition rounds to a whole number and leaves it in the low bits.
template <class Real>
struct SineConstants;
template <>
struct SineConstants<float> {
  static constexpr float kPart1 = 1.5703125F, kPart2 = 4.83751296997070312e-4F,
                         kPart3 = 7.5497899548918821e-8F;
  static constexpr float kRounder = 12582912.0F;
  static constexpr int kSignShift = 30;
};
template <>
struct SineConstants<double> {
  static constexpr double kPart1 = 1.57079632673412561417e+00, kPart2 = 6.07710050630396597660e-11,
                          kPart3 = 2.02226624879595063154e-21;
  static constexpr double kRounder = 6755399441055744.0;
  static constexpr int kSignShift = 62;
};

/// sin(x)/x and cos(x) as polynomials of x², lowest power first, by interpolation at Chebyshev's points of an
/// eighth of a turn: a third fewer terms than Taylor's series, and errors below rounding.
template <class Real>
struct SineSeries;
template <>
struct SineSeries<float> {
  static constexpr int kTerms = 3;
  static constexpr float kSine[] = {-1.6666664661714697e-1F, 8.332748154085032e-3F, -1.9587865702101875e-4F};
  static constexpr float kCosine[] = {4.1666664658901405e-2F, -1.3888302919113633e-3F,
                                      2.4547916853691016e-5F};
};
template <>
struct SineSeries<double> {
  static constexpr int kTerms = 6;
  static constexpr double kSine[] = {-1.6666666666666666e-1, 8.333333333330948e-3,  -1.9841269836756774e-4,
                                     2.7557316101617874e-6,  -2.505113165023518e-8, 1.5918115263265974e-10};
  static constexpr double kCosine[] = {4.1666666666666664e-2, -1.3888888888887398e-3,
                                       2.480158729876456e-5,  -2.7557317271145144e-7,
                                       2.087614614655861e-9,  -1.1382623647474604e-11};
};

/// Sine and cosine by quarter turns; exact to rounding for |x| < 1e5.
template <class L>
[[gnu::always_inline]] inline void sine_cosine(L x, L& sine, L& cosine) {
  using Real = RealOf<L>;
  using Constants = SineConstants<Real>;
  const L rounded = x * static_cast<Real>(0.63661977236758134308) + Constants::kRounder;
  const IntOf<L> quarter = bits_of<L>(rounded);
  const L k = rounded - Constants::kRounder;
  const L r = ((x - k * Constants::kPart1) - k * Constants::kPart2) - k * Constants::kPart3;
  const L r2 = r * r;
  constexpr int kTerms = SineSeries<Real>::kTerms;
  L s = all<L>(SineSeries<Real>::kSine[kTerms - 1]);
  L c = all<L>(SineSeries<Real>::kCosine[kTerms - 1]);
#pragma GCC unroll 6
  for (int i = kTerms - 2; i >= 0; --i) {
    s = s * r2 + SineSeries<Real>::kSine[i];
    c = c * r2 + SineSeries<Real>::kCosine[i];
  }
  s = r + r * (s * r2);
  c = (Real{1} - Real(0.5) * r2) + (r2 * r2) * c;
  const L first = (quarter & 1) != 0 ? c : s;
  const L second = (quarter & 1) != 0 ? s : c;
  sine = __builtin_bit_cast(L, bits_of<L>(first) ^ ((quarter & 2) << Constants::kSignShift));
  cosine = __builtin_bit_cast(L, bits_of<L>(second) ^ (((quarter + 1) & 2) << Constants::kSignShift));
}

}  // namespace
}  // namespace sinew::kernel
