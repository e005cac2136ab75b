"""Floor 0: values in, values out. No SDK, no I/O, no clock, no randomness."""
