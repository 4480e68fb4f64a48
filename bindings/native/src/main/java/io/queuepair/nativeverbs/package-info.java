// SPDX-License-Identifier: Apache-2.0
/**
 * Unmodified C programs on an emulated device. A small C library, loaded before libibverbs,
 * attaches them to a service, a process of its own. It calls the classes named {@code ...Entries}
 * here, which convert and call the device. No rule of RDMA is here: those are of the device. {@link
 * io.queuepair.nativeverbs.ProgramEnvironment} says which device.
 */
package io.queuepair.nativeverbs;
