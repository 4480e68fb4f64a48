// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.tests.conformance.FaultyFabric;
import io.queuepair.tests.conformance.FaultyFabric.DatagramFate;
import io.queuepair.tests.conformance.FaultyFabric.FabricDatagram;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SrqAttr;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * A queue pair under test, its peer, and a network in virtual time between them that loses and
 * holds up what the test tells it to.
 */
final class QpStateFixture implements AutoCloseable {
  private static final int SUBJECT_HOST = 1;

  /** The low five bits of an opcode of a READ response, an ACK or an atomic's answer. */
  private static final int FIRST_RESPONSE = 0x0d;

  private static final int LAST_RESPONSE = 0x12;

  private Function<FabricDatagram, DatagramFate> fates = datagram -> DatagramFate.PASS;
  private final FaultyFabric fabric = new FaultyFabric(datagram -> fates.apply(datagram));
  private final Pair pair;
  private final TestSide subject;
  private final TestSide peer;

  private QpStateFixture(QpKind kind, int cqe, boolean isShared) {
    Pair.Builder builder = Pair.on(fabric).types(kind.type(), kind.peerType()).cqe(cqe);
    pair = (isShared ? builder.srq(SrqAttr.of(64, 1)) : builder).create();
    subject = new TestSide(pair.a(), kind.type());
    peer = new TestSide(pair.b(), kind.peerType());
    subject.setPeer(peer);
    peer.setPeer(subject);
  }

  /** Both in RESET. */
  static QpStateFixture of(QpKind kind) {
    return of(kind, 256, false);
  }

  /**
   * The same.
   *
   * @param cqe entries of each completion queue
   * @param isShared whether receives come from a shared queue
   */
  static QpStateFixture of(QpKind kind, int cqe, boolean isShared) {
    return new QpStateFixture(kind, cqe, isShared);
  }

  /** Both in RTS. */
  static QpStateFixture connected(QpKind kind) {
    QpStateFixture bench = of(kind);
    bench.pair.connect();
    return bench;
  }

  /** The peer in RTS, the subject in some state that it can reach. */
  static QpStateFixture with(TypeAndState cell) {
    QpStateFixture bench = of(cell.kind());
    bench.peer.connect();
    bench.bring(cell.state());
    return bench;
  }

  /** Brings the subject from RESET to a state, by the usual way. */
  void bring(QpState state) {
    switch (state) {
      case RESET -> {}
      case INIT -> subject.modifyTo(QpState.INIT);
      case RTR -> {
        subject.modifyTo(QpState.INIT);
        subject.modifyTo(QpState.RTR);
      }
      case RTS -> subject.connect();
      case SQD, ERR -> {
        subject.connect();
        subject.modifyTo(state);
      }
      case SQE -> {
        subject.connect();
        subject.postSend(subject.badSend(1));
        subject.sends();
      }
      case UNKNOWN -> throw new AssertionError("no device is ever in state UNKNOWN");
    }
  }

  TestSide subject() {
    return subject;
  }

  TestSide peer() {
    return peer;
  }

  FaultyFabric fabric() {
    return fabric;
  }

  /** Decides the fate of each datagram from now on. */
  void fates(Function<FabricDatagram, DatagramFate> newFates) {
    fates = newFates;
  }

  /** Lets the network run until nothing is left to happen. */
  void drain() {
    pair.drain();
  }

  /** Lets the network run for some time. */
  void run(Duration time) {
    pair.run(time);
  }

  /** Packets the subject's queue pair dropped for being in the wrong state. */
  long droppedForState() {
    return EmulatedDevice.of(pair.a().context().device())
        .dropCounts()
        .getOrDefault("WRONG_QP_STATE", 0L);
  }

  /** Request packets that the subject's queue pair has sent. */
  List<FabricDatagram> requests() {
    return sent(false);
  }

  /** Response packets that the subject's queue pair has sent. */
  List<FabricDatagram> responses() {
    return sent(true);
  }

  private List<FabricDatagram> sent(boolean responses) {
    return fabric.seen().stream()
        .filter(datagram -> datagram.sender() == SUBJECT_HOST)
        .filter(datagram -> datagram.psn() < ControlQp.PSN)
        .filter(datagram -> isResponse(datagram) == responses)
        .toList();
  }

  static boolean isResponse(FabricDatagram datagram) {
    int operation = datagram.opcode() & 0x1f;
    return operation >= FIRST_RESPONSE && operation <= LAST_RESPONSE;
  }

  @Override
  public void close() {
    pair.close();
  }
}
