package io.queuepair.verbs;

/**
 * A scatter/gather entry: a range of local memory ({@code struct ibv_sge}).
 *
 * @param addr emulated address of the first byte, inside a registered region
 * @param length bytes, 0 to 2^31-1
 * @param lkey local key of the region
 */
public record Sge(long addr, int length, int lkey) {}
