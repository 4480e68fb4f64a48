// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import io.queuepair.verbs.QpType;

/** A queue pair under test, by type, and what that type can do. */
enum QpKind {
  RC(QpType.RC, QpType.RC, true, true, true),
  UC(QpType.UC, QpType.UC, true, true, false),
  UD(QpType.UD, QpType.UD, true, true, false),
  XRC_SEND(QpType.XRC_SEND, QpType.XRC_RECV, true, false, true),
  XRC_RECV(QpType.XRC_RECV, QpType.XRC_SEND, false, false, true);

  /** Bytes in front of the data of a datagram in the receive. */
  private static final int GRH_BYTES = 40;

  private final QpType type;
  private final QpType peerType;
  private final boolean sends;
  private final boolean hasReceiveQueue;
  private final boolean isReliable;

  QpKind(QpType type, QpType peerType, boolean sends, boolean hasReceiveQueue, boolean isReliable) {
    this.type = type;
    this.peerType = peerType;
    this.sends = sends;
    this.hasReceiveQueue = hasReceiveQueue;
    this.isReliable = isReliable;
  }

  QpType type() {
    return type;
  }

  QpType peerType() {
    return peerType;
  }

  /** Whether it has a send queue. */
  boolean sends() {
    return sends;
  }

  /** Whether it has a receive queue of its own. */
  boolean hasReceiveQueue() {
    return hasReceiveQueue;
  }

  /** Whether messages reach it. */
  boolean receives() {
    return this != XRC_SEND;
  }

  /** Whether requests are answered and sent again. */
  boolean isReliable() {
    return isReliable;
  }

  /** Whether a send can be longer than one packet, so that it can be under way for a while. */
  boolean segments() {
    return this != UD;
  }

  /** The outcome of a receive that a message of some bytes has filled. */
  String received(long wrId, int bytes) {
    return this == UD ? wrId + " RECV " + (GRH_BYTES + bytes) + " [GRH]" : wrId + " RECV " + bytes;
  }
}
