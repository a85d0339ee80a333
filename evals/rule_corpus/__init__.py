"""The mutation corpus: for each hard rule, texts that break it and near-misses that don't, and how well it tells them."""
