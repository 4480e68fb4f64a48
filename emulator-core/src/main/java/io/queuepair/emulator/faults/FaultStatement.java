// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

/** One statement of a {@link FaultPlan}; {@code toString} gives it in the language of plans. */
sealed interface FaultStatement permits PacketStatement, DeviceStatement {}
