/**
 * One device: the channel adapter ({@code Hca}), the driver that joins it to a network ({@code
 * HcaDriver}, the only class with a lock), and the objects behind the verbs interfaces ({@code
 * Emulated...}). Uses every other package of the emulator but the facade.
 */
package io.queuepair.emulator.device;
