"""One module a group of commands; each reads its options, calls one or two functions below and hands data to render."""
