// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.Attributes;
import io.queuepair.tests.conformance.Outcomes;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One end of a {@link QpStateFixture}, with the messages that it sends. */
final class TestSide {
  /** First PSN of both directions. */
  static final int PSN = 100;

  /** Bytes of a message of one packet. */
  static final int SHORT = 8;

  /** Bytes of a message of three packets. */
  static final int LONG = 3 * 1024;

  /** A key that names nothing. */
  static final int BAD_LKEY = 0xbad;

  /** Start of the bytes to send, which never look like {@link TestEndpoint#FILL}. */
  private static final int SEND_FROM = 4096;

  private static final int FILL_FREE = 128;

  private final TestEndpoint end;
  private final QpType type;
  private final List<WorkCompletion> sends = new ArrayList<>();
  private final List<WorkCompletion> receives = new ArrayList<>();
  private TestSide peer;
  private AddressHandle ah;

  TestSide(TestEndpoint end, QpType type) {
    this.end = end;
    this.type = type;
    for (int i = SEND_FROM; i < 2 * SEND_FROM; i++) {
      end.region().buffer().put(i, (byte) (i % FILL_FREE));
    }
  }

  void setPeer(TestSide newPeer) {
    peer = newPeer;
    if (type == QpType.UD) {
      ah = end.pd().createAh(AhAttr.to(peer.gid()));
    }
  }

  /** Endpoint of the side. */
  TestEndpoint end() {
    return end;
  }

  Gid gid() {
    return end.context().queryGid(1, 0);
  }

  QueuePair qp() {
    return end.qp();
  }

  /** Whether nothing has been written where receives and writes go. */
  boolean isUntouched() {
    for (int i = 0; i < SEND_FROM; i++) {
      if (end.region().buffer().get(i) != TestEndpoint.FILL) {
        return false;
      }
    }
    return true;
  }

  QpState state() {
    return end.state();
  }

  /** Asks for a state with what the usual way to it takes. */
  void modifyTo(QpState state) {
    switch (state) {
      case INIT -> end.toInit();
      case RTR -> end.toReadyToReceive(peer.end);
      case RTS -> {
        if (state() == QpState.RTR) {
          end.toReadyToSend();
        } else {
          qp().modify(QpAttr.to(QpState.RTS));
        }
      }
      case RESET, SQD, SQE, ERR, UNKNOWN -> qp().modify(QpAttr.to(state));
    }
  }

  /** From RESET to RTS. */
  void connect() {
    modifyTo(QpState.INIT);
    modifyTo(QpState.RTR);
    modifyTo(QpState.RTS);
  }

  /** Posts a receive with room for a long message, where receives of this side are posted. */
  void postReceive(long wrId) {
    postReceive(wrId, end.region().sge(0, SEND_FROM));
  }

  void postReceive(long wrId, Sge sge) {
    end.postRecv(RecvWr.of(wrId, sge));
  }

  void postSend(SendWr wr) {
    qp().postSend(wr);
  }

  /** A message of one packet. */
  SendWr send(long wrId) {
    return send(wrId, end.region().sge(SEND_FROM, SHORT));
  }

  SendWr send(long wrId, Sge sge) {
    return addressed(SendWr.send(wrId, sge));
  }

  /** A message of three packets, where the type has such. */
  SendWr longSend(long wrId) {
    return send(wrId, end.region().sge(SEND_FROM, LONG));
  }

  SendWr unsignaled(long wrId) {
    return unsignaled(wrId, end.region().sge(SEND_FROM, SHORT));
  }

  SendWr unsignaled(long wrId, Sge sge) {
    return addressed(SendWr.send(wrId, sge).withFlags());
  }

  /** A message that fails with LOC_PROT_ERR. */
  SendWr badSend(long wrId) {
    return send(wrId, new Sge(end.region().addr(), SHORT, BAD_LKEY));
  }

  /** A write over the start of the peer's memory. */
  SendWr write(long wrId) {
    return writeWith(wrId, peer.end.region().rkey());
  }

  SendWr writeWith(long wrId, int rkey) {
    return addressed(
        SendWr.rdmaWrite(wrId, peer.end.region().addr(), rkey, end.region().sge(SEND_FROM, SHORT)));
  }

  /** Atomic, which no queue pair here allows its peer. */
  SendWr atomic(long wrId) {
    SendWr.RemoteTarget target =
        new SendWr.RemoteTarget(peer.end.region().addr(), peer.end.region().rkey());
    return addressed(SendWr.fetchAndAdd(wrId, target, 1, end.region().sge(SEND_FROM, SHORT)));
  }

  SendWr read(long wrId) {
    return addressed(
        SendWr.rdmaRead(
            wrId,
            peer.end.region().addr(),
            peer.end.region().rkey(),
            end.region().sge(SEND_FROM, LONG)));
  }

  private SendWr addressed(SendWr wr) {
    return switch (type) {
      case RC, UC, XRC_RECV, RAW_PACKET, DRIVER -> wr;
      case UD -> wr.to(ah, peer.qp().qpNum(), Attributes.QKEY);
      case XRC_SEND -> wr.toSrq(peer.end.srq().srqNum());
    };
  }

  /** Takes the send completions of the queue pair, see {@link Outcomes}. */
  List<String> sends() {
    return Outcomes.of(sendCompletions());
  }

  /** Takes the receive completions of the queue pair. */
  List<String> receives() {
    return Outcomes.of(receiveCompletions());
  }

  List<WorkCompletion> sendCompletions() {
    return take(end.sendCq(), sends, qp().qpNum());
  }

  List<WorkCompletion> receiveCompletions() {
    return take(end.recvCq(), receives, qp().qpNum());
  }

  /** Takes those of one queue pair and keeps the others. Every failure explains itself. */
  private static List<WorkCompletion> take(CompletionQueue cq, List<WorkCompletion> kept, int qpn) {
    kept.addAll(cq.poll(cq.cqe()));
    List<WorkCompletion> taken = kept.stream().filter(wc -> wc.qpNum() == qpn).toList();
    kept.removeIf(wc -> wc.qpNum() == qpn);
    for (WorkCompletion wc : taken) {
      assertThat(wc.explain().isEmpty()).as("no explanation: %s", wc).isEqualTo(wc.isSuccess());
    }
    return taken;
  }

  void assertUndisturbed(ControlQp control) {
    control.assertUndisturbed(
        take(end.sendCq(), sends, control.qpNum()), take(end.recvCq(), receives, control.qpNum()));
  }

  /** Takes and acknowledges the asynchronous events that are there. */
  List<EventType> events() {
    return asyncEvents().stream().map(AsyncEvent::eventType).toList();
  }

  /** Takes events as they come, and acknowledges them. */
  List<AsyncEvent> asyncEvents() {
    List<AsyncEvent> events = new ArrayList<>();
    for (Optional<AsyncEvent> event = end.context().getAsyncEvent(Duration.ZERO);
        event.isPresent();
        event = end.context().getAsyncEvent(Duration.ZERO)) {
      events.add(event.get());
      end.context().ackAsyncEvent(event.get());
    }
    return events;
  }
}
