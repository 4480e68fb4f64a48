// SPDX-License-Identifier: Apache-2.0
/**
 * Unmodified C programs on an emulated device. A small C library, loaded before libibverbs,
 * attaches them to a service, which is a process of its own. The service calls the classes named
 * {@code ...Entries}, which convert arguments and call the device. This package has no rules of
 * RDMA: the device has them. {@link io.queuepair.nativeverbs.ProgramEnvironment} describes the
 * device.
 */
package io.queuepair.nativeverbs;
