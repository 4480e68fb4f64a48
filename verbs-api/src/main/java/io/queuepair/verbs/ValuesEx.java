// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * Current values of the device ({@code struct ibv_values_ex}).
 *
 * @param rawClock the clock that completion timestamps are read from, in ticks of {@link
 *     DeviceAttrEx#hcaCoreClock}
 */
public record ValuesEx(long rawClock) {}
