"""Everything that computes: computer players, analyses, hints, pictures, compiling."""
