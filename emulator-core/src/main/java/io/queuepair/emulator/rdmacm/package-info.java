// SPDX-License-Identifier: Apache-2.0
/**
 * Implementation of {@code io.queuepair.rdmacm}: addresses, ports, ids and event channels of a
 * host, on the communication manager of {@link io.queuepair.emulator.cm} and on the verbs of its
 * devices. It behaves as librdmacm and the module {@code rdma_cm} of Linux.
 *
 * <p>One lock for each host, that of {@link io.queuepair.emulator.rdmacm.HostDriver}, guards
 * everything here. Under it the locks of devices may be taken, never the other way round: events of
 * devices are queued, and taken by a timer.
 *
 * <p>May use: all other packages of the emulator but the facade.
 */
@NullMarked
package io.queuepair.emulator.rdmacm;

import org.jspecify.annotations.NullMarked;
