// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.LoopbackNetwork;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Where a server of ping-pong listens. */
final class PingpongOptionsTest {
  private static PingpongOptions parsed(String... args) {
    PingpongOptions options = new PingpongOptions();
    new CommandLine(options).parseArgs(args);
    return options;
  }

  private static InetAddress listensAt(String... args) throws IOException {
    try (ServerSocket listening = parsed(args).listen(1)) {
      return listening.getInetAddress();
    }
  }

  @Test
  void aServerListensAtTheAddressOfItsDeviceOnly() throws IOException {
    String port = Integer.toString(LoopbackNetwork.freePort());

    assertThat(listensAt("--bind", LoopbackNetwork.SERVER, "-p", port))
        .isEqualTo(InetAddress.getByName(LoopbackNetwork.SERVER));
  }

  @Test
  void anotherAddressHasToBeAskedFor() throws IOException {
    String port = Integer.toString(LoopbackNetwork.freePort());

    assertThat(listensAt("--bind", LoopbackNetwork.SERVER, "--listen", "0.0.0.0", "-p", port))
        .matches(InetAddress::isAnyLocalAddress);
  }

  @Test
  void aClientListensNowhere() {
    assertThat(parsed("--bind", LoopbackNetwork.CLIENT, LoopbackNetwork.SERVER).listen(1)).isNull();
  }
}
