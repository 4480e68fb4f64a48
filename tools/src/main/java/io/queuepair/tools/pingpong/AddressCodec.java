// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

/**
 * What one side tells the other over TCP, and how the same from the other is understood.
 *
 * @param <A> the kind of address
 */
interface AddressCodec<A> {
  byte[] toMessage();

  /**
   * Understands the message of the peer, which has the same length.
   *
   * @throws io.queuepair.tools.cli.CommandFailure if it is not such a message
   */
  A ofPeer(byte[] message);
}
