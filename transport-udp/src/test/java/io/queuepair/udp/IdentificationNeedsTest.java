// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What NIO sockets lack is named. */
final class IdentificationNeedsTest {
  @Test
  void anOldJdk() {
    assertThat(NioSockets.needs(false, true)).startsWith("JDK 19 or newer (this is JDK ");
  }

  @Test
  void aModuleThatTheImageDoesNotHold() {
    assertThat(NioSockets.needs(true, false))
        .isEqualTo("the JDK's module jdk.net (add --add-modules jdk.net, to java or to jlink),");
  }

  @Test
  void epollIsTheOtherWayOut() {
    assertThat(new NioSockets(UdpOptions.defaults()).identificationNeeds())
        .contains("or epoll, which needs Linux on x86_64 or aarch64")
        .contains("io.netty.transport.epoll.linux.x86_64");
  }
}
