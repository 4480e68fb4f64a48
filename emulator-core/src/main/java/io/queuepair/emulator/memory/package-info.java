/** Address space, registered memory, memory windows, keys, scatter and gather. */
package io.queuepair.emulator.memory;
