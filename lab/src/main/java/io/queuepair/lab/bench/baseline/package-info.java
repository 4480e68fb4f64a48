// SPDX-License-Identifier: Apache-2.0
/**
 * What the machine can do without an emulated device: datagrams of Netty with and without offload,
 * ping-pongs of the JDK's sockets, copies of memory. These are the figures that the emulator is
 * compared with, so nothing here uses it; besides the transport this is the only package that knows
 * Netty.
 */
package io.queuepair.lab.bench.baseline;
