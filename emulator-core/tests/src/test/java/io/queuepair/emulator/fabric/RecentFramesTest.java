package io.queuepair.emulator.fabric;

import static io.queuepair.emulator.fabric.Hosts.A;
import static io.queuepair.emulator.fabric.Hosts.B;
import static io.queuepair.emulator.fabric.Hosts.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Route;
import org.junit.jupiter.api.Test;

final class RecentFramesTest {
  private final RecentFrames frames = new RecentFrames();
  private final Route route = route(A, B);

  private static Payload datagram(int value) {
    return Payload.of(new byte[] {1, 2, 3, (byte) value, 0, 0, 0, 0});
  }

  @Test
  void findsAPacketByItsBytes() {
    frames.add(route, datagram(1), 100);
    frames.add(route, datagram(2), 200);

    assertThat(frames.decided(route, datagram(1))).isEqualTo(100);
  }

  @Test
  void aPacketOfOtherAddressesIsAnotherPacket() {
    frames.add(route, datagram(1), 100);

    assertThat(frames.decided(route(B, A), datagram(1))).isEqualTo(-1);
  }

  @Test
  void ofEqualPacketsEachIsMeantOnceTheLatestFirst() {
    frames.add(route, datagram(1), 100);
    frames.add(route, datagram(1), 200);

    assertThat(frames.decided(route, datagram(1))).isEqualTo(200);
    assertThat(frames.decided(route, datagram(1))).isEqualTo(100);
    assertThat(frames.decided(route, datagram(1))).as("by another host").isEqualTo(200);
  }

  @Test
  void framesBehindTheOneThatGrewMove() {
    frames.add(route, datagram(1), 100);
    frames.add(route, datagram(2), 200);
    frames.add(route, datagram(3), 300);

    frames.grew(200, 16);

    assertThat(frames.decided(route, datagram(1))).isEqualTo(100);
    assertThat(frames.decided(route, datagram(2))).isEqualTo(200);
    assertThat(frames.decided(route, datagram(3))).isEqualTo(316);
  }

  @Test
  void forgetsTheOldest() {
    frames.add(route, datagram(1), 100);
    for (int i = 0; i < 2 * InMemoryLink.IN_FLIGHT_LIMIT; i++) {
      frames.add(route, datagram(2), 200);
    }

    assertThat(frames.decided(route, datagram(1))).isEqualTo(-1);
  }
}
