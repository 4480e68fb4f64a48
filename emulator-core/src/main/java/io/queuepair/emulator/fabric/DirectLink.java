// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import org.jspecify.annotations.Nullable;

/**
 * Link whose {@code ringDoorbell} only calls {@code Station.transmit} on the calling thread. A
 * decorator of a link must not implement this interface: sends without a doorbell would bypass it,
 * and envelopes that it keeps would change under it.
 */
public interface DirectLink extends Link {
  /**
   * Whether the station may send without {@link #ringDoorbell}, from any thread and holding its own
   * lock.
   *
   * @return false once the link is closed
   */
  boolean allowsInlineTransmit();

  /**
   * Takes an envelope that was sent over this link and has arrived everywhere. The sending thread
   * may fill it again and then sends it next.
   *
   * @return the envelope, or null if a new one has to be created
   */
  @Nullable PacketEnvelope pollRecycled();
}
