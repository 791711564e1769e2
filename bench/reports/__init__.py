"""What bench/run, bench/report and bench/explain are made of."""
