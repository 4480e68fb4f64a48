// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.TimeLimit;

/** What carries the messages of {@link ControlChannel} between the two sides. */
interface ControlLink {
  /**
   * Sends a message.
   *
   * @param trouble what to say if that fails
   */
  void send(byte[] message, String trouble);

  /**
   * Reads a message of a known length.
   *
   * @param limit how long to wait for all of it
   * @param trouble what to say if that fails
   */
  byte[] read(int length, TimeLimit limit, String trouble);

  /** How a queue pair is described on this link. */
  byte[] encode(PeerQp qp);

  /**
   * Understands a description.
   *
   * @param message as long as those that {@link #encode} makes
   */
  PeerQp decode(byte[] message);

  /** Says that this side has done all; the other one does not wait for it. */
  void finish(String trouble);
}
