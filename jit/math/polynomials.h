// SPDX-License-Identifier: Apache-2.0

// Coefficients, lowest power first. Written by tools/minimax.py, which says what each approximates.
#pragma once

namespace jit::math {

// Error 2^-27.9 (2^-28.0 before rounding).
inline constexpr float kSin[] = {
    -0x1.555546p-3f,
    0x1.110778p-7f,
    -0x1.9953fep-13f,
};

// Error 2^-33.0 (2^-33.0 before rounding).
inline constexpr float kCos[] = {
    0x1.55554ap-5f,
    -0x1.6c0c28p-10f,
    0x1.99e80cp-16f,
};

// Error 2^-29.5 (2^-29.6 before rounding).
inline constexpr float kTan[] = {
    0x1.55556p-2f, 0x1.110d9ep-3f,  0x1.bad9c2p-5f, 0x1.5cc0d4p-6f,
    0x1.62cb4p-7f, 0x1.9befa2p-14f, 0x1.1e922ep-8f,
};

// Error 2^-28.1 (2^-28.5 before rounding).
inline constexpr float kAtan[] = {
    -0x1.55553ep-2f, 0x1.9991e4p-3f,  -0x1.242086p-3f, 0x1.c08cb2p-4f,   -0x1.580cf6p-4f,
    0x1.da46eap-5f,  -0x1.fde3ccp-6f, 0x1.64cde6p-7f,  -0x1.d50554p-10f,
};

// Error 2^-27.6 (2^-27.6 before rounding).
inline constexpr float kAsin[] = {
    0x1.5555c8p-3f, 0x1.3301fcp-4f, 0x1.747d06p-5f, 0x1.8c2d82p-6f, 0x1.596d64p-5f,
};

// Error 2^-31.6 (2^-34.2 before rounding).
inline constexpr float kSinh[] = {
    0x1.555556p-3f,
    0x1.1110ep-7f,
    0x1.a022bcp-13f,
    0x1.756c2p-19f,
};

// Error 2^-27.7 (2^-27.8 before rounding).
inline constexpr float kTanh[] = {
    -0x1.555532p-2f, 0x1.1106f6p-3f, -0x1.b835a4p-5f, 0x1.51f8ccp-6f, -0x1.750cc6p-8f,
};

// Error 2^-27.9 (2^-28.3 before rounding).
inline constexpr float kExp2[] = {
    0x1.ebfbdcp-3f, 0x1.c6af88p-5f, 0x1.3b2e0cp-7f, 0x1.5f03dcp-10f, 0x1.414e88p-13f,
};

// Error 2^-28.0 (2^-28.3 before rounding).
inline constexpr float kExp[] = {
    0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558fp-5f, 0x1.1239ecp-7f, 0x1.6a25cp-10f,
};

// Error 2^-28.2 (2^-30.3 before rounding).
inline constexpr float kLog[] = {
    0x1.555548p-2f,  -0x1.000006p-2f, 0x1.99a4b6p-3f,  -0x1.555c4ep-3f, 0x1.23376ap-3f,
    -0x1.fc21fep-4f, 0x1.e6f048p-4f,  -0x1.de3c3ap-4f, 0x1.14581ap-4f,
};

// Error 2^-45.1 (2^-45.1 before rounding).
inline constexpr double kLog2Wide[] = {
    0x1.71547652b8251p+1, 0x1.ec709dc53ce6dp-1, 0x1.2776c29286b3dp-1,
    0x1.a61a2f6f17dc7p-2, 0x1.47953925351fdp-2, 0x1.21b2a96857d8p-2,
};

}  // namespace jit::math
