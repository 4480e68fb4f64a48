// SPDX-License-Identifier: Apache-2.0
/** The ports of a device: addresses, P_Keys, state and MTU. */
@NullMarked
package io.queuepair.emulator.device.port;

import org.jspecify.annotations.NullMarked;
