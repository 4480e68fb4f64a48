// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.tests.conformance.FaultyFabric;
import io.queuepair.tests.conformance.FaultyFabric.DatagramFate;
import io.queuepair.tests.conformance.FaultyFabric.FabricDatagram;
import io.queuepair.tests.conformance.VirtualTime;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.QpState;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * A queue pair under test, its peer, and a network in virtual time between them that loses and
 * holds up what the test tells it to.
 */
final class QpStateFixture implements AutoCloseable {
  private static final int SUBJECT_HOST = 1;
  private static final int PEER_HOST = 2;

  /** The low five bits of an opcode of a READ response, an ACK or an atomic's answer. */
  private static final int FIRST_RESPONSE = 0x0d;

  private static final int LAST_RESPONSE = 0x12;

  private Function<FabricDatagram, DatagramFate> fates = datagram -> DatagramFate.PASS;
  private final FaultyFabric fabric = new FaultyFabric(datagram -> fates.apply(datagram));
  private final Emulator emulator = Emulator.on(fabric);
  private final EmulatedDevice subjectDevice;
  private final Device peerDevice;
  private final TestSide subject;
  private final TestSide peer;

  private QpStateFixture(QpKind kind, TestSide.SideShape shape) {
    subjectDevice = emulator.addDevice("10.0.0." + SUBJECT_HOST);
    peerDevice = emulator.addDevice("10.0.0." + PEER_HOST);
    subject = new TestSide(subjectDevice, kind.type(), shape);
    peer = new TestSide(peerDevice, kind.peerType(), shape);
    subject.setPeer(peer);
    peer.setPeer(subject);
  }

  /** Both in RESET. */
  static QpStateFixture of(QpKind kind) {
    return of(kind, TestSide.SideShape.USUAL);
  }

  static QpStateFixture of(QpKind kind, TestSide.SideShape shape) {
    return new QpStateFixture(kind, shape);
  }

  /** Both in RTS. */
  static QpStateFixture connected(QpKind kind) {
    return connected(kind, TestSide.SideShape.USUAL);
  }

  static QpStateFixture connected(QpKind kind, TestSide.SideShape shape) {
    QpStateFixture bench = new QpStateFixture(kind, shape);
    bench.subject.connect();
    bench.peer.connect();
    return bench;
  }

  /** The peer in RTS, the subject in some state that it can reach. */
  static QpStateFixture with(TypeAndState cell) {
    QpStateFixture bench = new QpStateFixture(cell.kind(), TestSide.SideShape.USUAL);
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
    new VirtualTime(fabric.scheduler()).drain();
  }

  /** Lets the network run for some time. */
  void run(Duration time) {
    new VirtualTime(fabric.scheduler()).run(time);
  }

  /** Packets the subject's queue pair dropped for being in the wrong state. */
  long droppedForState() {
    return subjectDevice.dropCounts().getOrDefault("WRONG_QP_STATE", 0L);
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
    emulator.close();
  }
}
