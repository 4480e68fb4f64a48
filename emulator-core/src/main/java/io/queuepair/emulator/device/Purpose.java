package io.queuepair.emulator.device;

import java.util.function.Supplier;

/**
 * Why somebody waits.
 *
 * @param verb that waits
 * @param what says what would end the wait, as a noun; asked only if it is hopeless
 */
record Purpose(String verb, Supplier<String> what) {}
