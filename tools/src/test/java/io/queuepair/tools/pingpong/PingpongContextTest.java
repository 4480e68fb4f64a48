// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Gid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class PingpongContextTest {
  private static final int ETHERNET_MTU_BYTES = 1500;

  private final Emulator emulator =
      Emulator.on(
          InMemoryFabric.create(InMemoryOptions.virtualTime().withMtuBytes(ETHERNET_MTU_BYTES)));
  private final Context context = emulator.addDevice("10.0.0.1").open();

  @AfterEach
  void close() {
    emulator.close();
  }

  @Test
  void anMtuAboveTheActiveOneIsRefused() {
    assertThatThrownBy(() -> endpoint("--type", "UC", "-m", "2048"))
        .isInstanceOf(CommandFailure.class)
        .hasMessage("MTU 2048 is above the active MTU 1024");
    assertThatThrownBy(() -> endpoint("-m", "2048"))
        .isInstanceOf(CommandFailure.class)
        .hasMessage("MTU 2048 is above the active MTU 1024");
  }

  /** The longest datagram is one packet. */
  @Test
  void aDatagramAboveTheActiveMtuIsRefused() {
    assertThat(endpoint("--type", "UD", "-s", "1024").invalidPages()).containsExactly(0);
    assertThatThrownBy(() -> endpoint("--type", "UD", "-s", "1025"))
        .isInstanceOf(CommandFailure.class)
        .hasMessage("Requested size 1025 is larger than the port MTU (1024)");
  }

  @Test
  void aPortOrGidThatDoesNotExistIsRefused() {
    assertThatThrownBy(() -> endpoint("-i", "3"))
        .hasMessage("Couldn't get port info: the device has 2 ports");
    assertThatThrownBy(() -> endpoint("-g", "1"))
        .hasMessage("can't read sgid of index 1: the slot is empty");
    assertThatThrownBy(() -> endpoint("-g", "1000"))
        .isInstanceOf(CommandFailure.class)
        .hasMessageStartingWith("can't read sgid of index 1000: ");
  }

  @Test
  void aPeerOfTheOtherAddressFamilyIsRefused() {
    Gid peer = new Gid(0xfe80L << 48, 1);

    assertThatThrownBy(() -> endpoint().path(peer))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("one GID is IPv4, the other IPv6");
  }

  @Test
  void onlyMarkedPagesAreValid() {
    PingpongContext marked = endpoint("-s", "8193");
    marked.mark();

    assertThat(marked.invalidPages()).isEmpty();
    assertThat(endpoint("-s", "8193").invalidPages()).containsExactly(0, 1, 2);
    assertThat(endpoint("-s", "1").invalidPages()).containsExactly(0);
  }

  /** In front of a datagram there is room for where it comes from, which is not looked at. */
  @Test
  void theMarkOfADatagramIsBehindTheRouteHeader() {
    PingpongContext marked = endpoint("--type", "UD", "-s", "8");
    marked.mark();

    assertThat(marked.invalidPages()).isEmpty();
    assertThat(marked.receive().sgList().get(0).length()).isEqualTo(48);
  }

  private PingpongContext endpoint(String... args) {
    var options = CommandLine.populateCommand(new PingpongOptions(), args);
    return new PingpongContext(context, options, 1);
  }
}
