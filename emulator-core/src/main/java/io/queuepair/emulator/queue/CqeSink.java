// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/**
 * Takes polled completions.
 *
 * @param <T> where they go
 */
public interface CqeSink<T> {
  /**
   * Takes one; called for each in order, under the lock of the device.
   *
   * @param target given with the call
   * @param index its position in the call, from 0
   * @param cqe valid during the call only
   */
  void take(T target, int index, Cqe cqe);
}
