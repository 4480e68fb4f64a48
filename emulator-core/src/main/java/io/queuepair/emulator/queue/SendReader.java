// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/**
 * Reads the requests of a call that posts sends.
 *
 * @param <S> what they come from
 */
public interface SendReader<S> {
  /**
   * Fills in a request; called for each in order, under the lock of the device.
   *
   * @param source given with the call
   * @param index its position in the call, from 0
   * @throws io.queuepair.verbs.VerbsException if it cannot be read: it is refused
   */
  void read(S source, int index, SendRequest request);
}
