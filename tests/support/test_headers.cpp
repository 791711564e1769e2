// SPDX-License-Identifier: Apache-2.0

// Nothing: GoogleTest's headers are compiled for this program, and used by all others
// (cmake/TesseraTests.cmake).
