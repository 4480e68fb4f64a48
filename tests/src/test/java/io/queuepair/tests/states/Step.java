package io.queuepair.tests.states;

import io.queuepair.verbs.QpState;

/** Something that a random program does with the queue pair under test, or its peer does. */
sealed interface Step {
  /** Asks for a state with the attributes that the usual way to it needs. */
  record Modify(QpState to) implements Step {}

  /** Asks for INIT, RTR and RTS, one after the other. */
  record Connect() implements Step {}

  /** Asks for a state with one attribute that no transition allows. */
  record ModifyWithTooMuch(QpState to) implements Step {}

  /** Asks for a state with nothing else, which is too little where something is required. */
  record ModifyWithTooLittle(QpState to) implements Step {}

  /** Posts a receive. */
  record PostReceive() implements Step {}

  /** Posts a message of one packet. */
  record PostSend(boolean isSignaled) implements Step {}

  /** Posts a message that fails with LOC_PROT_ERR. */
  record PostBadSend() implements Step {}

  /** Has the peer post a receive, if it is connected. */
  record PeerPostsReceive() implements Step {}

  /** Has the peer send a message, if it is connected, and lets the network run before and after. */
  record PeerSends() implements Step {}

  /** Resets the peer, which stays so until the next connection. */
  record PeerResets() implements Step {}

  /** Lets the network come to rest. */
  record RunNetwork() implements Step {}

  /** Takes all completions. */
  record Poll() implements Step {}
}
