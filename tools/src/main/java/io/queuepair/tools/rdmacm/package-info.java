// SPDX-License-Identifier: Apache-2.0
/**
 * {@code queuepair rping}: the counterpart of {@code rping} of librdmacm. Uses only {@code
 * io.queuepair.rdmacm}, on a device over UDP that {@link io.queuepair.tools.cli.DeviceOptions}
 * opens; needs no TCP.
 */
package io.queuepair.tools.rdmacm;
