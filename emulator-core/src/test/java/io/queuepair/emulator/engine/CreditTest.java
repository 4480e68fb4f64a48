// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.TIMEOUT_NANOS;
import static io.queuepair.emulator.engine.EngineFixture.brief;
import static io.queuepair.emulator.engine.EngineFixture.reth;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.AtomicAckEth;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Opcode.Service;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendWr;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * End-to-end credits: the receives that ACKs promise, and how many messages a requester starts that
 * was promised some. Credit codes are those of the specification: 0 to 4 stand for themselves, 5
 * for 6 receives, 31 for any number.
 */
final class CreditTest {
  private static final int UNLIMITED = 31;
  private static final int NOT_READY = 0x20 | 12;
  private static final long WAIT_NANOS = 640_000;
  private static final byte[] HELLO = TestPayloads.pattern(5, 1);

  private final EngineFixture us = EngineFixture.readyWithCredits();
  private final RegisteredMemory memory = us.register(new byte[4 * MTU]);

  private void postReceives(int count) {
    for (int wrId = 0; wrId < count; wrId++) {
      us.postReceive(wrId, sge(memory));
    }
  }

  private static SendWr[] sends(int from, int to) {
    List<SendWr> requests = new ArrayList<>();
    for (int wrId = from; wrId <= to; wrId++) {
      requests.add(SendWr.send(wrId));
    }
    return requests.toArray(SendWr[]::new);
  }

  private List<String> transmit(SendWr... requests) {
    us.post(requests);
    return brief(us.transmit());
  }

  /** The first message is answered with those credits. */
  private void promise(int creditCode) {
    transmit(SendWr.send(0));
    us.receive(us.peer().acknowledge(OWN_PSN, creditCode, 1));
  }

  private List<String> acknowledge(int psn, int creditCode) {
    return brief(us.receive(us.peer().acknowledge(psn, creditCode, psn - OWN_PSN + 1)));
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 1", "5, 4", "6, 4", "7, 5", "8, 5", "9, 6", "32, 9"})
  void promisesTheReceivesThatAreLeft(int posted, int creditCode) {
    postReceives(posted);

    List<Packet> replies = us.receive(us.peer().sendOnly(PEER_PSN, HELLO));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN, creditCode, 1));
  }

  @Test
  void promisesTheReceiveInUseToTheMessageThatUsesIt() {
    postReceives(3);
    Packet first = us.peer().of(Opcode.RC_SEND_FIRST, PEER_PSN, new byte[MTU]);
    Packet asking =
        new Packet(first.route(), first.bth().withAckRequest(true), List.of(), first.payload());

    List<Packet> replies =
        us.receive(asking, us.peer().of(Opcode.RC_SEND_LAST, PEER_PSN + 1, HELLO));

    assertThat(replies)
        .containsExactly(
            us.own().acknowledge(PEER_PSN, 3, 0), us.own().acknowledge(PEER_PSN + 1, 2, 1));
  }

  @Test
  void promisesReceivesWithEveryKindOfAnswer() {
    postReceives(4);

    List<Packet> replies =
        us.receive(
            us.peer().writeOnly(PEER_PSN, reth(memory, 0, 5), HELLO),
            us.peer().readRequest(PEER_PSN + 1, reth(memory, 0, 0)));

    assertThat(replies)
        .containsExactly(
            us.own().acknowledge(PEER_PSN, 4, 1),
            us.own()
                .of(Opcode.RC_RDMA_READ_RESPONSE_ONLY, PEER_PSN + 1, new byte[0], Aeth.ack(4, 2)));
  }

  @Test
  void promisesWhatIsThereNowWhenItAcknowledgesAgain() {
    postReceives(1);
    us.receive(us.peer().sendOnly(PEER_PSN, HELLO));
    postReceives(3);

    List<Packet> replies = us.receive(us.peer().sendOnly(PEER_PSN, HELLO));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN, 3, 1));
  }

  @ParameterizedTest
  @EnumSource(names = {"RC", "XRC"})
  void promisesAnyNumberOfASharedQueue(Service service) {
    SharedReceiveRing shared =
        new SharedReceiveRing(1, 1, null, new SharedReceiveRing.Capacity(4, 1), event -> {});
    QpCap cap = new QpCap(1, 1, 1, 1, 0);
    QpContext qp =
        new QpContext(
            1,
            new QpContext.QpSetup(
                QpType.RC,
                1,
                null,
                null,
                shared,
                cap,
                false,
                Offloads.NONE,
                Set.of(),
                event -> {}));

    ReceiveQueueRef.Resolver sources =
        new ReceiveQueueRef.Resolver(qp, service, srqn -> shared, true);

    assertThat(sources.creditCode()).isEqualTo(UNLIMITED);
  }

  @Test
  void startsEverythingUntilItIsToldHowMuchThereIs() {
    assertThat(transmit(sends(0, 4))).hasSize(5);
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 2", "2, 3", "4, 5", "5, 7", "6, 9"})
  void startsOneMessageMoreThanThereAreReceives(int creditCode, int started) {
    promise(creditCode);

    assertThat(transmit(sends(1, 20))).hasSize(started);
    assertThat(us.hasDeadline()).isTrue();
  }

  @Test
  void startsEverythingForAPeerWithoutLimit() {
    promise(0);
    transmit(sends(1, 20));

    assertThat(acknowledge(OWN_PSN + 1, UNLIMITED)).hasSize(19);
  }

  @Test
  void countsWhatIsUnderWayAgainstEachNewPromise() {
    promise(2);
    assertThat(transmit(sends(1, 20)))
        .containsExactly("SEND_ONLY 101", "SEND_ONLY 102", "SEND_ONLY 103");

    // One receive for the two under way: no news. Then four for one under way.
    assertThat(acknowledge(OWN_PSN + 1, 1)).isEmpty();
    assertThat(acknowledge(OWN_PSN + 2, 4))
        .containsExactly("SEND_ONLY 104", "SEND_ONLY 105", "SEND_ONLY 106", "SEND_ONLY 107");
  }

  @Test
  void sendsOneByOneToAPeerThatNeverHasMore() {
    promise(0);
    List<String> sent = new ArrayList<>(transmit(sends(1, 5)));
    for (int psn = OWN_PSN + 1; psn <= OWN_PSN + 5; psn++) {
      sent.addAll(acknowledge(psn, 0));
    }

    assertThat(sent)
        .containsExactly(
            "SEND_ONLY 101", "SEND_ONLY 102", "SEND_ONLY 103", "SEND_ONLY 104", "SEND_ONLY 105");
    assertThat(us.hasDeadline()).isFalse();
  }

  @Test
  void countsAMessageOfManyPacketsOnce() {
    promise(1);

    assertThat(transmit(SendWr.send(1, sge(memory)), SendWr.send(2), SendWr.send(3)))
        .containsExactly(
            "SEND_FIRST 101",
            "SEND_MIDDLE 102",
            "SEND_MIDDLE 103",
            "SEND_LAST 104",
            "SEND_ONLY 105");
  }

  @Test
  void limitsWritesWithImmediateToo() {
    promise(0);
    SendWr write = SendWr.rdmaWriteWithImm(1, memory.addr(), memory.key(), 7);

    assertThat(transmit(write, write)).containsExactly("RDMA_WRITE_ONLY_WITH_IMM 101");
  }

  @Test
  void startsWhatTakesNoReceiveAtAnyTime() {
    promise(0);
    transmit(SendWr.send(1));

    List<String> sent =
        transmit(
            SendWr.rdmaWrite(2, memory.addr(), memory.key()),
            SendWr.rdmaRead(3, memory.addr(), memory.key()));

    assertThat(sent).containsExactly("RDMA_WRITE_ONLY 102", "RDMA_READ_REQUEST 103");
  }

  @Test
  void keepsTheOrderBehindAMessageThatWaits() {
    promise(0);
    transmit(SendWr.send(1));

    assertThat(transmit(SendWr.send(2), SendWr.rdmaWrite(3, memory.addr(), memory.key())))
        .isEmpty();
    assertThat(acknowledge(OWN_PSN + 1, 0)).containsExactly("SEND_ONLY 102", "RDMA_WRITE_ONLY 103");
  }

  @Test
  void takesThePromiseOfAReadResponse() {
    promise(0);
    transmit(SendWr.rdmaRead(1, memory.addr(), memory.key()), SendWr.send(2));
    us.post(sends(3, 9));
    Packet response =
        us.peer().of(Opcode.RC_RDMA_READ_RESPONSE_ONLY, OWN_PSN + 1, new byte[0], Aeth.ack(2, 2));

    assertThat(brief(us.receive(response))).containsExactly("SEND_ONLY 103", "SEND_ONLY 104");
  }

  @Test
  void takesThePromiseOfAnAtomicAnswer() {
    promise(0);
    SendWr.RemoteTarget target = new SendWr.RemoteTarget(memory.addr(), memory.key());
    transmit(SendWr.fetchAndAdd(1, target, 1, sge(memory, 0, 8)));
    transmit(sends(2, 9));
    Packet answer =
        us.peer()
            .of(
                Opcode.RC_ATOMIC_ACKNOWLEDGE,
                OWN_PSN + 1,
                new byte[0],
                Aeth.ack(1, 2),
                new AtomicAckEth(0));

    assertThat(brief(us.receive(answer))).containsExactly("SEND_ONLY 103");
  }

  @Test
  void goesOnWhenThePeerRepeatsItsLastAckWithMoreReceives() {
    promise(0);
    transmit(sends(1, 9));

    assertThat(acknowledge(OWN_PSN, 2)).containsExactly("SEND_ONLY 102", "SEND_ONLY 103");
  }

  @Test
  void passesOverThePromiseOfAnOldAck() {
    promise(0);
    transmit(sends(1, 9));
    acknowledge(OWN_PSN + 1, 0);

    assertThat(acknowledge(OWN_PSN, 4)).isEmpty();
  }

  @Test
  void waitsForTheReceiverWithTheMessageThatWasOneTooMany() {
    promise(0);
    transmit(sends(1, 3));

    us.receive(us.peer().acknowledge(OWN_PSN + 1, NOT_READY, 1));
    List<String> again = brief(us.elapse(WAIT_NANOS));

    assertThat(again).containsExactly("SEND_ONLY 101");
    assertThat(acknowledge(OWN_PSN + 1, 2)).containsExactly("SEND_ONLY 102", "SEND_ONLY 103");
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void sendsAgainWhateverHasStarted() {
    transmit(sends(0, 3));
    us.receive(us.peer().acknowledge(OWN_PSN, 0, 1));

    assertThat(brief(us.elapse(TIMEOUT_NANOS)))
        .containsExactly("SEND_ONLY 101", "SEND_ONLY 102", "SEND_ONLY 103");
  }

  @Test
  void forgetsThePromiseWithTheConnection() {
    promise(0);
    us.enter(QpState.RESET);
    us.connect();

    assertThat(transmit(sends(1, 5))).hasSize(5);
  }

  @Test
  void looksAtNoPromiseIfTheDeviceKnowsNoCredits() {
    EngineFixture plain = EngineFixture.ready();
    plain.post(SendWr.send(0));
    plain.transmit();
    plain.receive(plain.peer().acknowledge(OWN_PSN, 0, 1));

    plain.post(sends(1, 5));

    assertThat(plain.transmit()).hasSize(5);
  }
}
