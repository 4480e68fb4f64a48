// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/** Where polled completions go. */
public interface CqeSink {
  /**
   * Takes one; called for each in order, under the lock of the device.
   *
   * @param index its position in the call, from 0
   * @param cqe valid during the call only
   */
  void take(int index, Cqe cqe);
}
