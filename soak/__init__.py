"""Long trials."""
