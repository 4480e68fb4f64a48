// SPDX-License-Identifier: Apache-2.0
package io.queuepair.rdmacm;

import io.queuepair.verbs.Verb;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to an id ({@code struct rdma_cm_event}). To close it is to acknowledge
 * it, which must happen before its id is destroyed. Thread-safe.
 */
public interface RdmaCmEvent extends AutoCloseable {
  /** {@return what happened} */
  RdmaCmEventType event();

  /**
   * To whom it happened.
   *
   * @return the id; of a CONNECT_REQUEST a new one, which the program accepts or rejects, and
   *     destroys
   */
  RdmaCmId id();

  /** {@return the id that listened, of a CONNECT_REQUEST; otherwise null} */
  @Nullable RdmaCmId listenId();

  /**
   * Status of what has ended.
   *
   * @return 0; a negative errno of a failure; of CONNECT_ERROR always -1; of REJECTED the reason
   *     that the peer gave, such as 28 for a rejection by its program and 8 if no program listens;
   *     of UNREACHABLE also the status of a datagram service; of USER what was written
   */
  int status();

  /**
   * Connection parameters of the peer.
   *
   * @return the parameters, of CONNECT_REQUEST, CONNECT_RESPONSE, CONNECT_ERROR, ESTABLISHED and
   *     REJECTED of connections; otherwise null
   */
  @Nullable RdmaConnParam conn();

  /**
   * Where datagrams go.
   *
   * @return the parameters, of CONNECT_REQUEST, ESTABLISHED and UNREACHABLE of datagram services
   *     and of MULTICAST_JOIN and MULTICAST_ERROR; otherwise null
   */
  @Nullable RdmaUdParam ud();

  /**
   * Context that the program passed.
   *
   * @return the context of a multicast group, or the argument of a USER event; otherwise null
   */
  @Nullable Object arg();

  /**
   * Why it happened: which message came or did not come, how often it was asked for, and what is
   * known of the messages that were lost.
   *
   * @return some sentences; empty if there is nothing to explain
   */
  String explain();

  /**
   * Acknowledges the event.
   *
   * @throws io.queuepair.verbs.VerbsException EINVAL if it was acknowledged before
   */
  @Verb("rdma_ack_cm_event")
  void ack();

  /** Acknowledges the event, unless it is already. */
  @Override
  void close();
}
