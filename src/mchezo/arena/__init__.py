"""Players against players."""
