// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.contentOf;
import static io.queuepair.emulator.engine.EngineFixture.reth;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.wire.AtomicEth;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.Sge;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which memory a peer may write and read, and which a receive may name. */
final class ResponderMemoryTest {
  private static final int REMOTE_ACCESS = 0x62;
  private static final int REMOTE_OPERATION = 0x63;
  private static final byte[] EIGHT = TestPayloads.pattern(8, 2);

  private final EngineFixture us = EngineFixture.ready();
  private final RegisteredMemory region = us.register(new byte[4 * MTU]);

  private void assertAccessRefused(List<Packet> replies) {
    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN, REMOTE_ACCESS, 0));
    assertThat(us.state()).isEqualTo(QpState.ERR);
    assertThat(us.events()).containsExactly(EventType.QP_ACCESS_ERR);
  }

  private void assertWriteRefused(Reth target) {
    assertAccessRefused(us.receive(us.peer().writeOnly(PEER_PSN, target, EIGHT)));
    assertThat(contentOf(region)).containsOnly(0);
  }

  private void assertReadRefused(Reth source) {
    assertAccessRefused(us.receive(us.peer().readRequest(PEER_PSN, source)));
  }

  @Test
  void refusesAKeyThatWasNeverGiven() {
    assertWriteRefused(new Reth(region.addr(), 0xdead_beef, 8));
  }

  @Test
  void refusesKeyZero() {
    assertWriteRefused(new Reth(region.addr(), 0, 8));
  }

  @Test
  void comparesTheTagOfTheKeyToo() {
    assertWriteRefused(new Reth(region.addr(), region.key() ^ 1, 8));
  }

  @Test
  void refusesTheKeyOfADeregisteredRegion() {
    us.deregister(region);

    assertWriteRefused(reth(region, 0, 8));
  }

  @Test
  void refusesAStaleKeyWhenItsPlaceIsTakenAgain() {
    us.deregister(region);
    us.register(new byte[4 * MTU]);

    assertWriteRefused(reth(region, 0, 8));
  }

  @Test
  void refusesARegionOfAnotherDomain() {
    assertWriteRefused(reth(us.registerInOtherDomain(new byte[64]), 0, 8));
  }

  @Test
  void refusesAWriteToARegionWithoutRemoteWrite() {
    Set<AccessFlag> rights = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ);

    assertWriteRefused(reth(us.register(new byte[64], rights), 0, 8));
  }

  @Test
  void refusesAReadOfARegionWithoutRemoteRead() {
    Set<AccessFlag> rights = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);

    assertReadRefused(reth(us.register(new byte[64], rights), 0, 8));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, -8, 4 * MTU - 7, 4 * MTU, 8 * MTU})
  void refusesAWriteThatLeavesTheRegion(int offset) {
    assertWriteRefused(reth(region, offset, 8));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 4 * MTU - 7, 4 * MTU})
  void refusesAReadThatLeavesTheRegion(int offset) {
    assertReadRefused(reth(region, offset, 8));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, -8, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 63 | 1L << 32})
  void refusesAddressesFarAway(long address) {
    assertWriteRefused(new Reth(address, region.key(), 8));
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 31, (1L << 31) - 1, 4 * MTU + 1})
  void refusesAReadLongerThanTheRegion(long length) {
    assertReadRefused(reth(region, 0, length));
  }

  @Test
  void refusesALongWriteAtItsFirstPacket() {
    Packet first =
        us.peer()
            .of(Opcode.RC_RDMA_WRITE_FIRST, PEER_PSN, new byte[MTU], reth(region, 0, 4 * MTU + 1));

    assertAccessRefused(us.receive(first));
  }

  @Test
  void takesAWriteUpToTheLastByte() {
    us.receive(us.peer().writeOnly(PEER_PSN, reth(region, 4 * MTU - 8, 8), EIGHT));

    assertThat(TestPayloads.slice(contentOf(region), 4 * MTU - 8, 8)).isEqualTo(EIGHT);
    assertThat(TestPayloads.slice(contentOf(region), 0, 4 * MTU - 8)).containsOnly(0);
  }

  @Test
  void checksNothingForAnEmptyWrite() {
    List<Packet> replies =
        us.receive(us.peer().writeOnly(PEER_PSN, new Reth(-1, 0xdead_beef, 0), new byte[0]));

    assertThat(replies).containsExactly(us.own().ack(PEER_PSN, 1));
  }

  @Test
  void checksNothingForAnEmptyRead() {
    List<Packet> replies =
        us.receive(us.peer().readRequest(PEER_PSN, new Reth(-1, 0xdead_beef, 0)));

    assertThat(replies)
        .containsExactly(
            us.own().readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, PEER_PSN, 1, new byte[0]));
  }

  @Test
  void checksTheKeyAgainAtEveryPacketOfAWrite() {
    us.receive(
        us.peer()
            .of(Opcode.RC_RDMA_WRITE_FIRST, PEER_PSN, new byte[MTU], reth(region, 0, MTU + 8)));
    us.deregister(region);

    List<Packet> replies = us.receive(us.peer().of(Opcode.RC_RDMA_WRITE_LAST, PEER_PSN + 1, EIGHT));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN + 1, REMOTE_ACCESS, 0));
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void reportsARefusedWriteWithImmediateOnItsReceive() {
    us.postReceive(1, sge(region));
    us.postReceive(2, sge(region));

    List<Packet> replies =
        us.receive(
            us.peer().writeOnlyWithImm(PEER_PSN, new Reth(region.addr(), 0xbad, 8), 1, EIGHT));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN, REMOTE_ACCESS, 0));
    assertThat(us.receives()).containsExactly("1 LOC_ACCESS_ERR", "2 WR_FLUSH_ERR");
  }

  private void assertReceiveRefused(Sge sge) {
    us.postReceive(1, sge);

    List<Packet> replies = us.receive(us.peer().sendOnly(PEER_PSN, EIGHT));

    assertThat(replies).containsExactly(us.own().acknowledge(PEER_PSN, REMOTE_OPERATION, 0));
    assertThat(us.receives()).containsExactly("1 LOC_PROT_ERR");
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void refusesAReceiveWithABadKey() {
    assertReceiveRefused(new Sge(region.addr(), 8, region.key() ^ 1));
  }

  @Test
  void refusesAReceiveIntoMemoryOfAnotherDomain() {
    assertReceiveRefused(sge(us.registerInOtherDomain(new byte[64])));
  }

  @Test
  void refusesAReceiveIntoMemoryWithoutLocalWrite() {
    assertReceiveRefused(sge(us.register(new byte[64], EnumSet.of(AccessFlag.REMOTE_READ))));
  }

  @Test
  void refusesAReceiveThatStartsBeforeItsRegion() {
    assertReceiveRefused(sge(region, -1, 8));
  }

  @Test
  void refusesAReceiveIntoADeregisteredRegion() {
    RegisteredMemory gone = us.register(new byte[64]);
    Sge sge = sge(gone);
    us.deregister(gone);

    assertReceiveRefused(sge);
  }

  @Test
  void needsNoRemoteRightForAReceive() {
    RegisteredMemory local = us.register(new byte[64], EnumSet.of(AccessFlag.LOCAL_WRITE));
    us.postReceive(1, sge(local));

    us.receive(us.peer().sendOnly(PEER_PSN, EIGHT));

    assertThat(us.receives()).containsExactly("1 RECV 8");
  }

  /** The end of such a range is beyond the largest signed number. */
  @ParameterizedTest
  @ValueSource(longs = {8, 16, 64, 4096})
  void refusesARangeHalfTheAddressSpaceBehindTheRegion(long before) {
    for (Opcode opcode :
        EnumSet.of(
            Opcode.RC_RDMA_READ_REQUEST,
            Opcode.RC_RDMA_WRITE_ONLY,
            Opcode.RC_COMPARE_SWAP,
            Opcode.RC_FETCH_ADD,
            Opcode.RC_ATOMIC_WRITE)) {
      EngineFixture open =
          EngineFixture.ready(
              attr ->
                  attr.qpAccessFlags(
                      AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC));
      RegisteredMemory region =
          open.register(
              new byte[4096],
              EnumSet.of(
                  AccessFlag.LOCAL_WRITE,
                  AccessFlag.REMOTE_READ,
                  AccessFlag.REMOTE_WRITE,
                  AccessFlag.REMOTE_ATOMIC));
      long address = region.addr() + Long.MAX_VALUE + 1 - before;

      assertThat(open.receive(request(open, opcode, address, region.key())))
          .as("%s at 2^63 - %d", opcode, before)
          .containsExactly(open.own().acknowledge(PEER_PSN, REMOTE_ACCESS, 0));
      assertThat(open.state()).isEqualTo(QpState.ERR);
    }
  }

  private static Packet request(EngineFixture target, Opcode opcode, long address, int key) {
    return switch (opcode) {
      case RC_COMPARE_SWAP, RC_FETCH_ADD ->
          target.peer().of(opcode, PEER_PSN, new byte[0], new AtomicEth(address, key, 1, 0));
      case RC_RDMA_READ_REQUEST -> target.peer().readRequest(PEER_PSN, new Reth(address, key, 8));
      default -> target.peer().of(opcode, PEER_PSN, new byte[8], new Reth(address, key, 8));
    };
  }
}
