// SPDX-License-Identifier: Apache-2.0
/**
 * {@code queuepair rping}: the other side of the program of this name of librdmacm. It uses {@code
 * io.queuepair.rdmacm} only, on a device over UDP that {@link
 * io.queuepair.tools.rdmacm.DeviceOptions} opens; no TCP is involved.
 */
package io.queuepair.tools.rdmacm;
