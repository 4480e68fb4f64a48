// SPDX-License-Identifier: Apache-2.0
/**
 * {@code queuepair rping}, {@code rdma-server}, {@code rdma-client}, {@code ucmatose}, {@code
 * udaddy} and {@code mckey}: the other sides of the programs of these names of librdmacm. They use
 * {@code io.queuepair.rdmacm} only, on a device over UDP that {@link
 * io.queuepair.tools.rdmacm.DeviceOptions} opens; no TCP is involved.
 */
package io.queuepair.tools.rdmacm;
