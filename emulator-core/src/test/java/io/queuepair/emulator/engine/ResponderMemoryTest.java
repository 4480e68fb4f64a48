// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.contentOf;
import static io.queuepair.emulator.engine.EngineFixture.reth;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
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
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which memory a peer may write and read, and which a receive may name. */
final class ResponderMemoryTest {
  private static final int REMOTE_ACCESS = 0x62;
  private static final int REMOTE_OPERATION = 0x63;
  private static final byte[] EIGHT = TestPayloads.pattern(8, 2);
  private static final Set<AccessFlag> LOCAL = EnumSet.of(AccessFlag.LOCAL_WRITE);

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

  private RegisteredMemory register(AccessFlag... more) {
    Set<AccessFlag> rights = EnumSet.copyOf(LOCAL);
    rights.addAll(Set.of(more));
    return us.register(new byte[64], rights);
  }

  /** Never given, zero, and those that differ in the tag only. */
  @ParameterizedTest
  @ValueSource(ints = {0xdead_beef, 0})
  void refusesAKeyThatWasNeverGiven(int key) {
    assertWriteRefused(new Reth(region.addr(), key, 8));
  }

  private enum Wrong {
    TAG,
    DEREGISTERED,
    STALE,
    DOMAIN,
    NO_REMOTE_WRITE
  }

  @ParameterizedTest
  @EnumSource
  void refusesAKeyThatIsNotForThis(Wrong wrong) {
    Reth target = reth(region, 0, 8);
    assertWriteRefused(
        switch (wrong) {
          case TAG -> new Reth(region.addr(), region.key() ^ 1, 8);
          case DEREGISTERED -> {
            us.deregister(region);
            yield target;
          }
          case STALE -> {
            us.deregister(region);
            us.register(new byte[4 * MTU]);
            yield target;
          }
          case DOMAIN -> reth(us.registerInOtherDomain(new byte[64]), 0, 8);
          case NO_REMOTE_WRITE -> reth(register(AccessFlag.REMOTE_READ), 0, 8);
        });
  }

  @Test
  void refusesAReadOfARegionWithoutRemoteRead() {
    assertReadRefused(reth(register(AccessFlag.REMOTE_WRITE), 0, 8));
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
    Reth target = reth(region, 0, 4 * MTU + 1);

    assertAccessRefused(
        us.receive(us.peer().of(Opcode.RC_RDMA_WRITE_FIRST, PEER_PSN, new byte[MTU], target)));
  }

  @Test
  void takesAWriteUpToTheLastByte() {
    us.receive(us.peer().writeOnly(PEER_PSN, reth(region, 4 * MTU - 8, 8), EIGHT));

    assertThat(contentOf(region)).isEqualTo(TestPayloads.join(new byte[4 * MTU - 8], EIGHT));
  }

  @Test
  void checksNothingForAnEmptyWriteOrRead() {
    Reth nowhere = new Reth(-1, 0xdead_beef, 0);
    Opcode only = Opcode.RC_RDMA_READ_RESPONSE_ONLY;

    assertThat(
            us.receive(
                us.peer().writeOnly(PEER_PSN, nowhere, new byte[0]),
                us.peer().readRequest(PEER_PSN + 1, nowhere)))
        .containsExactly(
            us.own().ack(PEER_PSN, 1), us.own().readResponse(only, PEER_PSN + 1, 2, new byte[0]));
  }

  @Test
  void checksTheKeyAgainAtEveryPacketOfAWrite() {
    assertThat(us.run("WRITE_FIRST 500 @0+264")).isEmpty();
    us.deregister(us.region());

    assertThat(us.run("WRITE_LAST 501 8")).isEqualTo("NAK62 501 #0");
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void reportsARefusedWriteWithImmediateOnItsReceive() {
    us.run("recv 1; recv 2");
    Reth target = new Reth(region.addr(), 0xbad, 8);

    assertThat(us.receive(us.peer().writeOnlyWithImm(PEER_PSN, target, 1, EIGHT)))
        .containsExactly(us.own().acknowledge(PEER_PSN, REMOTE_ACCESS, 0));
    assertThat(us.receives()).containsExactly("1 LOC_ACCESS_ERR", "2 WR_FLUSH_ERR");
  }

  private enum Place {
    BAD_KEY,
    DOMAIN,
    NO_LOCAL_WRITE,
    BEFORE_THE_REGION,
    DEREGISTERED
  }

  @ParameterizedTest
  @EnumSource
  void refusesAReceiveWithABadKey(Place place) {
    Sge sge =
        switch (place) {
          case BAD_KEY -> new Sge(region.addr(), 8, region.key() ^ 1);
          case DOMAIN -> sge(us.registerInOtherDomain(new byte[64]));
          case NO_LOCAL_WRITE -> sge(us.register(new byte[64], EnumSet.of(AccessFlag.REMOTE_READ)));
          case BEFORE_THE_REGION -> sge(region, -1, 8);
          case DEREGISTERED -> sge(region);
        };
    if (place == Place.DEREGISTERED) {
      us.deregister(region);
    }
    us.postReceive(1, sge);

    assertThat(us.receive(us.peer().sendOnly(PEER_PSN, EIGHT)))
        .containsExactly(us.own().acknowledge(PEER_PSN, REMOTE_OPERATION, 0));
    assertThat(us.receives()).containsExactly("1 LOC_PROT_ERR");
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void needsNoRemoteRightForAReceive() {
    us.postReceive(1, sge(us.register(new byte[64], LOCAL)));

    us.receive(us.peer().sendOnly(PEER_PSN, EIGHT));

    assertThat(us.receives()).containsExactly("1 RECV 8");
  }
}
