// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

/** One statement of a {@link FaultPlan}; {@code toString} gives it in the plan language. */
sealed interface FaultStatement permits PacketStatement, DeviceStatement {}
