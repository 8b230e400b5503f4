"""Units of work, done by threads of this process or by a cluster of machines."""
