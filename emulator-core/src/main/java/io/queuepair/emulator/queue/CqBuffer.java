// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/**
 * Buffer of a completion queue that a program polls itself, as an adapter's queue is mapped into a
 * process. The device produces entries; the program consumes them in order and reports how many.
 * Called under the lock of the device.
 */
public interface CqBuffer {
  /**
   * Adds an entry after the others. The buffer has room for as many entries as the completion
   * queue. If that ignores overruns, the entry may replace the oldest one.
   *
   * @param cqe valid during the call only
   */
  void produce(Cqe cqe);

  /**
   * Number of entries that the program has consumed since the last call.
   *
   * @return number reported by the program, which may be wrong
   */
  int consumed();

  /**
   * Hides the entries of a queue pair that are not consumed. They still count as consumed when the
   * program passes them.
   *
   * @param qpn queue pair that was reset or destroyed
   */
  void clean(int qpn);
}
