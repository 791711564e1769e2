# SPDX-License-Identifier: Apache-2.0

"""What bench/run, bench/report and bench/explain are made of."""
