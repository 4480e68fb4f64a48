// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import static io.queuepair.emulator.observe.TestHosts.A;
import static io.queuepair.emulator.observe.TestHosts.B;
import static io.queuepair.emulator.observe.TestHosts.route;
import static io.queuepair.emulator.observe.TestPackets.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.observe.PacketObserver.ObservedPacket;
import io.queuepair.emulator.wire.Packet;
import org.junit.jupiter.api.Test;

/** Which frames may be written to a capture file, and in which order. */
final class PendingFramesTest {
  private final PendingFrames frames = new PendingFrames();

  private static PendingPacket underWay(int psn) {
    ObservedPacket seen = new ObservedPacket(0, A, false, true);
    return new PendingPacket(seen, new byte[0], key(psn));
  }

  private static PacketKey key(int psn) {
    return PacketKey.of(send(route(A, B), psn, 8));
  }

  private PendingPacket added(PendingPacket frame) {
    frames.add(frame);
    return frame;
  }

  @Test
  void aFrameWaitsForTheFateOfItsPacketAndSoDoThoseBehindIt() {
    PendingPacket first = added(underWay(1));
    PendingPacket second = added(underWay(2));

    assertThat(frames.arrived(key(2))).isSameAs(second);
    assertThat(frames.next(0)).isNull();
    assertThat(frames.arrived(key(1))).isSameAs(first);
    assertThat(frames.next(0)).isSameAs(first);
    assertThat(frames.next(0)).isSameAs(second);
    assertThat(frames.next(0)).isNull();
  }

  @Test
  void ofEqualPacketsTheFirstArrivesFirst() {
    PendingPacket first = added(underWay(1));
    PendingPacket again = added(underWay(1));

    assertThat(frames.arrived(key(1))).isSameAs(first);
    assertThat(frames.arrived(key(1))).isSameAs(again);
    assertThat(frames.arrived(key(1))).isNull();
  }

  @Test
  void packetsThatDifferInLengthOrDirectionAreTwo() {
    Packet there = send(route(A, B), 1, 8);

    assertThat(PacketKey.of(there)).isNotEqualTo(PacketKey.of(send(route(B, A), 1, 8)));
    assertThat(PacketKey.of(there)).isNotEqualTo(PacketKey.of(send(route(A, B), 1, 12)));
    assertThat(PacketKey.of(there)).isEqualTo(PacketKey.of(send(route(A, B), 1, 8)));
  }

  @Test
  void aFrameWaitsNoLongerThanASecond() {
    PendingPacket lost = added(underWay(1));

    assertThat(frames.next(PendingFrames.LONGEST_WAIT_NANOS - 1)).isNull();
    assertThat(frames.next(PendingFrames.LONGEST_WAIT_NANOS)).isSameAs(lost);
    assertThat(frames.arrived(key(1))).isNull();
  }

  @Test
  void onlySoManyFramesWait() {
    PendingPacket lost = added(underWay(0));
    for (int psn = 1; psn < PendingFrames.LIMIT; psn++) {
      frames.add(underWay(psn));
    }

    assertThat(frames.next(0)).isNull();
    frames.add(underWay(PendingFrames.LIMIT));
    assertThat(frames.next(0)).isSameAs(lost);
    assertThat(frames.next(0)).isNull();
  }

  @Test
  void whatIsOnItsWayToAHostThatIsGoneWaitsNoMore() {
    PendingPacket lost = added(underWay(1));

    frames.forget(A);
    assertThat(frames.next(0)).isNull();
    frames.forget(B);
    assertThat(frames.next(0)).isSameAs(lost);
  }

  @Test
  void inTheEndNothingWaits() {
    PendingPacket lost = added(underWay(1));

    assertThat(frames.next()).isSameAs(lost);
    assertThat(frames.next()).isNull();
  }
}
