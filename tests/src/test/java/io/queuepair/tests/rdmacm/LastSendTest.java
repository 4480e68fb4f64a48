// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.tests.conformance.FreePort;
import io.queuepair.tests.conformance.LateDoorbells;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is posted right before a connection ends reaches the peer. */
@Timeout(60)
final class LastSendTest {
  private enum Network {
    MEMORY,
    MEMORY_LATE_DOORBELLS,
    UDP;

    RdmaHosts hosts() {
      return new RdmaHosts(fabric(), "127.0.0.123", "127.0.0.124");
    }

    private Fabric fabric() {
      return switch (this) {
        case MEMORY -> InMemoryFabric.virtualTime();
        case MEMORY_LATE_DOORBELLS -> new LateDoorbells(InMemoryFabric.virtualTime());
        case UDP -> UdpFabric.open(UdpOptions.defaults().withPort(FreePort.of("127.0.0.123")));
      };
    }
  }

  private enum Ending {
    DISCONNECT,
    DESTROY_QP,
    DESTROY_ID;

    void end(RdmaCmId id) {
      switch (this) {
        case DISCONNECT -> id.disconnect();
        case DESTROY_QP -> id.destroyQp();
        case DESTROY_ID -> id.close();
      }
    }
  }

  static Stream<Arguments> endings() {
    return Stream.of(Network.values())
        .flatMap(network -> Stream.of(Ending.values()).map(end -> Arguments.of(network, end)));
  }

  @ParameterizedTest
  @MethodSource("endings")
  void arrivesAtThePeer(Network network, Ending ending) {
    try (RdmaHosts hosts = network.hosts()) {
      RdmaCmId[] ends = hosts.connected();
      MemoryRegion received = ends[1].regMsgs(ByteBuffer.allocateDirect(64));
      ends[1].postRecv(1, received.sge());
      MemoryRegion sent = ends[0].regMsgs(ByteBuffer.allocateDirect(64).putInt(0, 42));

      ends[0].postSend(2, sent.sge());
      ending.end(ends[0]);

      WorkCompletion completion = ends[1].getRecvComp();
      assertThat(completion.isSuccess()).as(completion.explain()).isTrue();
      assertThat(received.buffer().getInt(0)).isEqualTo(42);
    }
  }
}
