// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/** Where the requests of a call that posts sends come from. */
public interface SendReader {
  /**
   * Fills in a request; called for each in order, under the lock of the device.
   *
   * @param index its position in the call, from 0
   * @throws io.queuepair.verbs.VerbsException if it cannot be read: it is refused
   */
  void read(int index, SendRequest into);
}
