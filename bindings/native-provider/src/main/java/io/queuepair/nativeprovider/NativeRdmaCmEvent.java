// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaUdParam;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;

/** An event, of which everything was read. */
final class NativeRdmaCmEvent implements RdmaCmEvent {
  private static final String ACK = "rdma_ack_cm_event";
  private static final int STATUS = VerbsAbi.offset("rdma_cm_event.status");
  private static final int PARAM = VerbsAbi.offset("rdma_cm_event.param");

  private final RdmaCmEventType type;
  private final NativeRdmaCmId id;
  private final NativeRdmaCmId listener;
  private final int status;
  private final RdmaConnParam conn;
  private final RdmaUdParam ud;
  private final Object arg;

  /** The group of a multicast event; otherwise null. */
  private final NativeMulticastGroup group;

  private boolean isAcknowledged;

  private NativeRdmaCmEvent(
      RdmaCmEventType type, NativeRdmaCmId id, NativeRdmaCmId listener, int status, long param) {
    this.type = type;
    this.id = id;
    this.listener = listener;
    this.status = status;
    boolean isDatagram = id.qpType() == QpType.UD;
    conn = !isDatagram && hasConnection(type) ? ConnectionParams.read(param) : null;
    long token = isOfGroup(type) || type == RdmaCmEventType.USER ? RawMemory.getLong(param) : 0;
    if (isOfGroup(type)) {
      group = (NativeMulticastGroup) id.host().argument(token);
      ud = ConnectionParams.readGroup(param, type == RdmaCmEventType.MULTICAST_JOIN);
      arg = group == null ? null : group.context();
    } else {
      group = null;
      boolean hasAddress = type == RdmaCmEventType.ESTABLISHED;
      ud =
          isDatagram && hasDatagrams(type)
              ? ConnectionParams.readDatagrams(param, hasAddress)
              : null;
      arg = type == RdmaCmEventType.USER ? id.host().takeArgument(token) : null;
    }
  }

  static NativeRdmaCmEvent read(
      long event, RdmaCmEventType type, NativeRdmaCmId id, NativeRdmaCmId listener) {
    return new NativeRdmaCmEvent(
        type, id, listener, RawMemory.getInt(event + STATUS), event + PARAM);
  }

  private static boolean hasConnection(RdmaCmEventType type) {
    return switch (type) {
      case CONNECT_REQUEST, CONNECT_RESPONSE, ESTABLISHED, REJECTED -> true;
      default -> false;
    };
  }

  private static boolean hasDatagrams(RdmaCmEventType type) {
    return switch (type) {
      case CONNECT_REQUEST, ESTABLISHED, UNREACHABLE -> true;
      default -> false;
    };
  }

  private static boolean isOfGroup(RdmaCmEventType type) {
    return type == RdmaCmEventType.MULTICAST_JOIN || type == RdmaCmEventType.MULTICAST_ERROR;
  }

  /** The program has it from now on. */
  void take() {
    id.note(type);
    id.taken().take();
    if (group != null) {
      group.taken().take();
    }
  }

  @Override
  public RdmaCmEventType event() {
    return type;
  }

  @Override
  public RdmaCmId id() {
    return id;
  }

  NativeRdmaCmId nativeId() {
    return id;
  }

  @Override
  public RdmaCmId listenId() {
    return listener;
  }

  @Override
  public int status() {
    return status;
  }

  @Override
  public RdmaConnParam conn() {
    return conn;
  }

  @Override
  public RdmaUdParam ud() {
    return ud;
  }

  @Override
  public Object arg() {
    return arg;
  }

  @Override
  public String explain() {
    return ""; // The library knows no more than the status.
  }

  @Override
  public void ack() {
    if (!acknowledge()) {
      throw new VerbsException(Errno.EINVAL, ACK, "the event was acknowledged before");
    }
  }

  /** False if it is already. */
  private synchronized boolean acknowledge() {
    if (isAcknowledged) {
      return false;
    }
    isAcknowledged = true;
    id.taken().acknowledge(1, ACK);
    if (group != null) {
      group.taken().acknowledge(1, ACK);
    }
    return true;
  }

  @Override
  public void close() {
    acknowledge();
  }

  @Override
  public String toString() {
    return type.text() + ", status " + status;
  }
}
