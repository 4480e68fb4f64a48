// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/**
 * The buffer of a completion queue where a program polls it, as that of an adapter is mapped into a
 * program. The device produces entries, the program consumes them in order and tells by a number
 * how far it has come. Called under the lock of the device.
 */
public interface CqBuffer {
  /**
   * Adds an entry behind the others. There is room, as no more are in the buffer than the
   * completion queue has; but if that ignores overruns, the entry may take the place of the oldest.
   *
   * @param cqe valid during the call only
   */
  void produce(Cqe cqe);

  /**
   * How many entries the program has consumed since the last call.
   *
   * @return what it says, which need not be true
   */
  int consumed();

  /**
   * Makes the entries of a queue pair that are not consumed invisible. They still count when the
   * program passes them.
   *
   * @param qpn of the queue pair, which was reset or destroyed
   */
  void clean(int qpn);
}
