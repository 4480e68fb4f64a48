/** One HCA, its driver, port tables, the objects behind the verbs interfaces. */
package io.queuepair.emulator.device;
