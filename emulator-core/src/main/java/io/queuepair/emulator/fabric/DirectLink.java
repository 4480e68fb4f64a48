// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import org.jspecify.annotations.Nullable;

/**
 * A link inside the process, which would do no more at a doorbell than call its station back. A
 * decorator between a link and its station is none, as it may want to see each turn and keep what
 * it sees.
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
   * An envelope that this link has sent, and which has arrived everywhere: may be filled again and
   * sent next, by the thread that sends.
   *
   * @return the envelope, or null if a new one has to be made
   */
  @Nullable PacketEnvelope pollRecycled();
}
