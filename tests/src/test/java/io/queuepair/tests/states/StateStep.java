// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import io.queuepair.verbs.QpState;

/** Something that a random program does with the queue pair under test, or its peer does. */
sealed interface StateStep {
  /** Asks for a state with the attributes that the usual way to it needs. */
  record Modify(QpState to) implements StateStep {}

  /** Asks for INIT, RTR and RTS, one after the other. */
  record Connect() implements StateStep {}

  /** Asks for a state with one attribute that no transition allows. */
  record ModifyWithTooMuch(QpState to) implements StateStep {}

  /** Asks for a state with nothing else, which is too little where something is required. */
  record ModifyWithTooLittle(QpState to) implements StateStep {}

  /** Posts a receive. */
  record PostReceive() implements StateStep {}

  /** Posts a message of one packet. */
  record PostSend(boolean isSignaled) implements StateStep {}

  /** Posts a message that fails with LOC_PROT_ERR. */
  record PostBadSend() implements StateStep {}

  /** Has the peer post a receive, if it is connected. */
  record PeerPostsReceive() implements StateStep {}

  /** Has the peer send a message, if it is connected, and lets the network run before and after. */
  record PeerSends() implements StateStep {}

  /** Resets the peer, which stays so until the next connection. */
  record PeerResets() implements StateStep {}

  /** Lets the network come to rest. */
  record RunNetwork() implements StateStep {}

  /** Takes all completions. */
  record Poll() implements StateStep {}
}
