// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.cm.CmEngine;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaUdParam;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** Event of an id. Fields that are not final are guarded by the lock of the host. */
final class EmulatedRdmaCmEvent implements RdmaCmEvent {
  private static final String GET = "rdma_get_cm_event";
  private static final String ACK = "rdma_ack_cm_event";

  /** Status that librdmacm reports for every errno ({@code ucma_process_conn_resp}). */
  private static final int FAILED = -1;

  private final EmulatedHost host;
  private final IdContext id;
  private final @Nullable IdContext listenerId;
  private final Action action;
  private EventContent content;
  private MulticastJoins.@Nullable Group group;
  private boolean isTaken;
  private boolean isAcknowledged;

  /** Actions of the library when the program takes the event. */
  enum Action {
    NONE,
    /** Modifies the queue pair to RTS, as the peer has accepted. */
    MAKE_READY,
    /** Modifies the queue pair to ERR. */
    FAIL_QP,
    /** Attaches the queue pair to a multicast group. */
    ATTACH
  }

  /** Content that the program sees. */
  record EventContent(
      RdmaCmEventType type,
      int status,
      @Nullable RdmaConnParam conn,
      @Nullable RdmaUdParam ud,
      @Nullable Object arg,
      String explanation) {
    static EventContent of(RdmaCmEventType type, int status, String explanation) {
      return new EventContent(type, status, null, null, null, explanation);
    }

    static EventContent ofConnection(
        RdmaCmEventType type, int status, @Nullable RdmaConnParam conn, String explanation) {
      return new EventContent(type, status, conn, null, null, explanation);
    }

    static EventContent ofDatagrams(
        RdmaCmEventType type, int status, RdmaUdParam ud, String explanation) {
      return new EventContent(type, status, null, ud, null, explanation);
    }
  }

  EmulatedRdmaCmEvent(
      EmulatedHost host,
      IdContext id,
      @Nullable IdContext listenerId,
      EventContent content,
      Action action) {
    this.host = host;
    this.id = id;
    this.listenerId = listenerId;
    this.content = content;
    this.action = action;
  }

  EmulatedRdmaCmEvent about(MulticastJoins.@Nullable Group newGroup) {
    group = newGroup;
    return this;
  }

  MulticastJoins.@Nullable Group group() {
    return group;
  }

  IdContext context() {
    return id;
  }

  @Nullable IdContext listenerContext() {
    return listenerId;
  }

  /** Id that counts the event: of a request the listening id, as in C. */
  private IdContext subject() {
    return listenerId == null ? id : listenerId;
  }

  /** Whether the program is not to have the event, as a CONNECT_ERROR has ended the connection. */
  boolean isPassedOver() {
    boolean saysEnd =
        event() == RdmaCmEventType.REJECTED || event() == RdmaCmEventType.DISCONNECTED;
    return saysEnd && id.hasConnectError;
  }

  /** Marks the event as taken by the program; under the lock. */
  void take() {
    isTaken = true;
    subject().addTaken();
    if (listenerId != null) {
      id.facade.setContext(listenerId.facade.context());
    }
    if (group != null) {
      group.addTaken();
    }
  }

  /** Carries out what librdmacm does when the program takes the event. */
  void carryOutAction() {
    switch (action) {
      case NONE -> {}
      case MAKE_READY -> {
        try (HostDriver.Step step = host.driver().step(GET)) {
          makeReady(step.engine());
        }
      }
      case FAIL_QP -> {
        try (HostDriver.Step step = host.driver().step(GET)) {
          failQp();
        }
      }
      case ATTACH -> attach();
    }
  }

  /** Makes the queue pair of the id, if it has one, ready and sends the RTU. */
  private void makeReady(CmEngine engine) {
    QueuePair qp = id.facade.resources().qp();
    if (qp == null) {
      return;
    }
    try {
      id.facade.resources().makeReady();
    } catch (VerbsException e) {
      connectError("The queue pair could not be made ready: " + e.getMessage());
      return;
    }
    boolean isThere = engine.sendRtu(id.cm, host.driver().nowNanos());
    if (isThere) {
      id.isAccepted = true;
      content =
          EventContent.ofConnection(
              RdmaCmEventType.ESTABLISHED, 0, content.conn(), content.explanation());
    } else {
      connectError("The connection has ended before the answer of the peer was taken.");
    }
  }

  /** Turns the event into CONNECT_ERROR; the peer is not notified before the id is destroyed. */
  private void connectError(String why) {
    id.hasConnectError = true;
    content = EventContent.ofConnection(RdmaCmEventType.CONNECT_ERROR, FAILED, content.conn(), why);
    failQp();
  }

  /** Modifies the queue pair to ERR; if that fails, the event is delivered all the same. */
  private void failQp() {
    try {
      id.facade.resources().failQp();
    } catch (VerbsException e) {
      String why = content.explanation() + " The queue pair could not fail: " + e.getMessage();
      content = EventContent.ofConnection(content.type(), content.status(), content.conn(), why);
    }
  }

  /** Attaches the queue pair, outside of the lock, as the network may have to be asked. */
  private void attach() {
    QueuePair qp = id.facade.resources().qp();
    if (qp == null) {
      return;
    }
    try {
      qp.attachMcast(group.gid());
      group.markAttached();
    } catch (VerbsException e) {
      content =
          new EventContent(
              RdmaCmEventType.MULTICAST_ERROR,
              -e.errno().code(),
              null,
              content.ud(),
              content.arg(),
              "The queue pair could not be attached: " + e.getMessage());
    }
  }

  @Override
  public RdmaCmEventType event() {
    return content.type();
  }

  @Override
  public RdmaCmId id() {
    return id.facade;
  }

  @Override
  public @Nullable RdmaCmId listenId() {
    return listenerId == null ? null : listenerId.facade;
  }

  @Override
  public int status() {
    return content.status();
  }

  @Override
  public @Nullable RdmaConnParam conn() {
    return content.conn();
  }

  @Override
  public @Nullable RdmaUdParam ud() {
    return content.ud();
  }

  @Override
  public @Nullable Object arg() {
    return content.arg();
  }

  @Override
  public String explain() {
    return content.explanation();
  }

  @Override
  public void ack() {
    try (HostDriver.Step step = host.driver().step(ACK)) {
      step.check(acknowledge(), "the event was acknowledged before");
    }
  }

  private boolean acknowledge() {
    if (isAcknowledged || !isTaken) {
      return false;
    }
    isAcknowledged = true;
    subject().removeTaken();
    if (group != null) {
      group.removeTaken();
    }
    return true;
  }

  @Override
  public void close() {
    try (HostDriver.Step step = host.driver().step(ACK)) {
      acknowledge();
    }
  }

  @Override
  public String toString() {
    return content.type() + (content.status() == 0 ? "" : " (" + content.status() + ")");
  }
}
