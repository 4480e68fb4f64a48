package io.queuepair.emulator.memory;

/**
 * A range of emulated addresses.
 *
 * @param addr first byte, unsigned 64-bit
 * @param length bytes, not negative
 */
public record MemoryRange(long addr, long length) {}
