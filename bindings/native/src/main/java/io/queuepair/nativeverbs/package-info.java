// SPDX-License-Identifier: Apache-2.0
/**
 * Unmodified C programs on an emulated device. A small C library, loaded before libibverbs, starts
 * a JVM in the process of the program and calls the classes named {@code ...Entries} here, which
 * convert and call the device. No rule of RDMA is here: those are of the device. {@link
 * io.queuepair.nativeverbs.ProgramEnvironment} is what starts a program so.
 */
package io.queuepair.nativeverbs;
