// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/**
 * Reads the requests of a call that posts sends.
 *
 * @param <S> type of the source
 */
public interface SendReader<S> {
  /**
   * Fills in a request; called for each in order, under the lock of the device.
   *
   * @param source source passed to the post
   * @param index position in the post, from 0
   * @throws io.queuepair.verbs.VerbsException if the request cannot be read, which refuses it
   */
  void read(S source, int index, SendRequest request);
}
