// SPDX-License-Identifier: Apache-2.0
/** The ports of a device: addresses, P_Keys, state and MTU. */
package io.queuepair.emulator.device.port;
