// SPDX-License-Identifier: Apache-2.0
package io.queuepair.rdmacm;

import io.queuepair.verbs.Verb;
import io.queuepair.verbs.VerbsConstant;

/** Types of connection manager events ({@code enum rdma_cm_event_type}). */
public enum RdmaCmEventType implements VerbsConstant {
  /** {@link RdmaCmId#resolveAddr} succeeded: the id is bound to a device. */
  ADDR_RESOLVED(0),

  /** {@link RdmaCmId#resolveAddr} failed. */
  ADDR_ERROR(1),

  /** {@link RdmaCmId#resolveRoute} succeeded. */
  ROUTE_RESOLVED(2),

  /** {@link RdmaCmId#resolveRoute} failed. */
  ROUTE_ERROR(3),

  /** A peer wants to connect to a listening id; the event has a new id. */
  CONNECT_REQUEST(4),

  /** The peer accepted, and the id has no queue pair: the program prepares its own. */
  CONNECT_RESPONSE(5),

  /** The connection could not be made for a reason of this side. */
  CONNECT_ERROR(6),

  /** The peer did not answer, or has no such datagram service. */
  UNREACHABLE(7),

  /** The peer rejected the connection, or has no program that listens. */
  REJECTED(8),

  /** The connection is there; of datagrams: the peer is known. */
  ESTABLISHED(9),

  /** The connection has ended. */
  DISCONNECTED(10),

  /** The device is gone; the id must be destroyed. */
  DEVICE_REMOVAL(11),

  /** A multicast group was joined. */
  MULTICAST_JOIN(12),

  /** A multicast group could not be joined, or is lost. */
  MULTICAST_ERROR(13),

  /** The network address of the device has changed. */
  ADDR_CHANGE(14),

  /** The connection has ended for so long that its queue pair number can be used again. */
  TIMEWAIT_EXIT(15),

  /** {@link RdmaCmId#resolveAddrinfo} succeeded. */
  ADDRINFO_RESOLVED(16),

  /** {@link RdmaCmId#resolveAddrinfo} failed. */
  ADDRINFO_ERROR(17),

  /** Written by {@link RdmaCmId#writeCmEvent}. */
  USER(18),

  /** Written as USER; librdmacm wakes a thread of its own by it, and does not show it. */
  INTERNAL(19);

  private final int code;

  RdmaCmEventType(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }

  /** {@return whether programs write it, by {@link RdmaCmId#writeCmEvent}} */
  public boolean isWritten() {
    return this == USER || this == INTERNAL;
  }

  /** {@return the text of {@code rdma_event_str}, which knows no name of USER and INTERNAL} */
  @Verb("rdma_event_str")
  public String text() {
    return isWritten() ? "UNKNOWN EVENT" : "RDMA_CM_EVENT_" + name();
  }
}
