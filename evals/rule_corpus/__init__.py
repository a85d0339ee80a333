"""The mutation corpus: for each hard rule, texts that break it and near-misses that do not, and how it tells them."""
