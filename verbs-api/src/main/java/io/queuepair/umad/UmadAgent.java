// SPDX-License-Identifier: Apache-2.0
package io.queuepair.umad;

import io.queuepair.verbs.AhAttr;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;

/**
 * Sends management datagrams from queue pair 1 of a port, and receives those of one management
 * class. They are unreliable: nothing is sent again, and losses are not reported. What a datagram
 * says is the program's business, its 24 bytes of header included. Thread-safe.
 *
 * <p>An agent keeps {@value #MAX_RECEIVED} datagrams that were not received yet; more are dropped.
 */
public interface UmadAgent extends AutoCloseable {
  /** Bytes of a datagram. */
  int MAD_BYTES = 256;

  /** Datagrams that wait to be received, at most. */
  int MAX_RECEIVED = 512;

  /**
   * The management class whose datagrams it receives.
   *
   * @return 1 to 255
   */
  int mgmtClass();

  /**
   * Sends a datagram to queue pair 1 of a peer, with P_Key 0xFFFF and Q_Key 0x80010000 ({@code
   * umad_send}). It is copied.
   *
   * @param to address of the peer
   * @param mad its remaining bytes, of which there are {@link #MAD_BYTES}; the position stays
   * @throws io.queuepair.verbs.VerbsException EINVAL if the address is wrong or of another port, or
   *     there are not so many bytes; ENOMEM if too many wait to be sent; EINVAL if the agent was
   *     closed; ENODEV if the device is gone
   */
  void send(AhAttr to, ByteBuffer mad);

  /**
   * Receives the next datagram, waiting for it ({@code umad_recv} with a timeout of -1).
   *
   * @return the oldest that waits
   * @throws io.queuepair.verbs.VerbsException EDEADLK if the network is idle, so that none can
   *     come; EINTR if the thread was interrupted; EINVAL if the agent was closed; ENODEV if the
   *     device is gone
   */
  Umad recv();

  /**
   * Waits for a datagram for a limited time.
   *
   * @param timeout how long to wait at most; zero to look only
   * @return empty if none came
   * @throws io.queuepair.verbs.VerbsException as {@link #recv()}
   */
  Optional<Umad> recv(Duration timeout);

  /**
   * Ends the registration ({@code umad_unregister}); what was not received is lost. Has no effect
   * the second time.
   */
  @Override
  void close();
}
