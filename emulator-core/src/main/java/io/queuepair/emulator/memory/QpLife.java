package io.queuepair.emulator.memory;

/**
 * One life of a queue pair, from one RESET to the next: a window of type 2 is open to the one that
 * it was bound in, and not to a later queue pair of the same number.
 */
public final class QpLife {}
