// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/**
 * Reads the requests of a call that posts receives.
 *
 * @param <S> type of the source
 */
public interface ReceiveReader<S> {
  /**
   * Fills in a receive; called for each in order, under the lock of the device.
   *
   * @param source source passed to the post
   * @param index position in the post, from 0
   * @throws io.queuepair.verbs.VerbsException if the receive cannot be read, which refuses it
   */
  void read(S source, int index, RecvWqe wqe);
}
