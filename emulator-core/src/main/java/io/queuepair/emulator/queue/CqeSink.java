// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/**
 * Receives polled completions.
 *
 * @param <T> type of the target
 */
public interface CqeSink<T> {
  /**
   * Receives one completion; called for each in order, under the lock of the device.
   *
   * @param target target passed to the poll
   * @param index position in the poll, from 0
   * @param cqe valid during the call only
   */
  void take(T target, int index, Cqe cqe);
}
