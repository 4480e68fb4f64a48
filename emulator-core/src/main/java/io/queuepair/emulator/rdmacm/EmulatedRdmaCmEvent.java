// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaUdParam;
import org.jspecify.annotations.Nullable;

/** An event of an id. What is not constant is guarded by the lock of the host. */
final class EmulatedRdmaCmEvent implements RdmaCmEvent {
  private static final String ACK = "rdma_ack_cm_event";

  private final HostDriver driver;
  private final IdContext id;
  private final @Nullable IdContext listener;
  private final FollowUp followUp;
  private EventContent content;
  private MulticastJoins.@Nullable Group group;
  private boolean isTaken;
  private boolean isAcknowledged;

  /** What the library does when the program takes the event. */
  enum FollowUp {
    NONE,
    /** The peer has accepted: the queue pair becomes ready. */
    MAKE_READY,
    /** The queue pair goes to Error. */
    FAIL_QP,
    /** The queue pair is attached to a multicast group. */
    ATTACH
  }

  /** What the program sees of it. */
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
      HostDriver driver,
      IdContext id,
      @Nullable IdContext listener,
      EventContent content,
      FollowUp followUp) {
    this.driver = driver;
    this.id = id;
    this.listener = listener;
    this.content = content;
    this.followUp = followUp;
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
    return listener;
  }

  FollowUp followUp() {
    return followUp;
  }

  EventContent content() {
    return content;
  }

  /** What following it up has made of it. */
  void replace(EventContent newContent) {
    content = newContent;
  }

  /** A request counts for the id that listens, as in C: the new id can be closed at once. */
  private IdContext subject() {
    return listener == null ? id : listener;
  }

  /** The program takes it; under the lock. */
  void take() {
    isTaken = true;
    subject().addTaken();
    if (listener != null) {
      id.facade().setContext(listener.facade().context());
    }
    if (group != null) {
      group.addTaken();
    }
  }

  @Override
  public RdmaCmEventType event() {
    return content.type();
  }

  @Override
  public RdmaCmId id() {
    return id.facade();
  }

  @Override
  public @Nullable RdmaCmId listenId() {
    return listener == null ? null : listener.facade();
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
    try (HostDriver.Step step = driver.step(ACK)) {
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
  @SuppressWarnings("try") // Only the lock of the step is needed.
  public void close() {
    try (HostDriver.Step step = driver.step(ACK)) {
      acknowledge();
    }
  }

  @Override
  public String toString() {
    return content.type() + (content.status() == 0 ? "" : " (" + content.status() + ")");
  }
}
