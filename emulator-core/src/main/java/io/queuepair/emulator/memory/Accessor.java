package io.queuepair.emulator.memory;

/**
 * On whose behalf memory is accessed by a remote key.
 *
 * @param domain protection domain
 * @param life the queue pair, in its present life
 */
public record Accessor(int domain, QpLife life) {}
