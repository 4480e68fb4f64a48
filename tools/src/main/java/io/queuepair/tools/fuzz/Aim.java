package io.queuepair.tools.fuzz;

/** What a request says of remote memory. */
record Aim(long addr, int rkey, long length) {}
