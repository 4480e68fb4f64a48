// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static io.queuepair.verbs.AccessFlag.REMOTE_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Messages of 2^31 bytes, the longest there are, and a READ of 2^23 PSNs. They need gigabytes of
 * memory, so the usual build leaves them out: {@code mvn test -Dgroups=large
 * -DexcludedGroups=none}.
 */
@Tag("large")
final class LargestMessageTest {
  private static final int GIGABYTE = 1 << 30;
  private static final long LARGEST = 1L << 31;
  private static final int MARK = 0x5eed;

  private static MemoryRegion gigabyte(TestEndpoint endpoint) {
    ByteBuffer memory = ByteBuffer.allocateDirect(GIGABYTE);
    return endpoint.pd().regMr(memory, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
  }

  private static Pair pair() {
    return Pair.on(LinkForm.OBJECTS).cap(new QpCap(4, 4, 4, 4, 0)).connect();
  }

  @Test
  void sendsTheLargestMessageFromAndIntoTwoEntries() {
    try (Pair pair = pair()) {
      MemoryRegion from = gigabyte(pair.a());
      MemoryRegion to = gigabyte(pair.b());
      from.buffer().putInt(GIGABYTE - Integer.BYTES, MARK);
      pair.b().qp().postRecv(RecvWr.of(2, to.sge(), to.sge()));

      pair.send(SendWr.send(1, from.sge(), from.sge()));

      assertThat(pair.a().sends()).containsExactly("1 SEND");
      assertThat(Integer.toUnsignedLong(pair.b().receiveCompletions().get(0).byteLen()))
          .isEqualTo(LARGEST);
      assertThat(to.buffer().getInt(GIGABYTE - Integer.BYTES)).isEqualTo(MARK);
    }
  }

  /** At the smallest path MTU the largest region takes 2^23 PSNs. */
  @Test
  void readsTheLargestRegionAtTheSmallestPathMtu() {
    InMemoryFabric fabric = LinkForm.OBJECTS.fabric();
    try (Pair pair = Pair.on(fabric).mtu(Mtu.MTU_256).connect()) {
      ByteBuffer source = ByteBuffer.allocateDirect(Integer.MAX_VALUE);
      source.putInt(Integer.MAX_VALUE - Integer.BYTES, MARK);
      MemoryRegion from = pair.b().pd().regMr(source, REMOTE_READ);
      MemoryRegion to = gigabyte(pair.a());
      Sge rest = to.sge(0, GIGABYTE - 1); // It comes last, over the first half.

      pair.a().qp().postSend(SendWr.rdmaRead(1, from.addr(), from.rkey(), to.sge(), rest));
      boolean isUnderWay = true;
      while (isUnderWay) {
        isUnderWay = fabric.scheduler().runNext();
      }

      assertThat(pair.a().sends()).containsExactly("1 RDMA_READ " + Integer.MAX_VALUE);
      assertThat(to.buffer().getInt(GIGABYTE - 1 - Integer.BYTES)).isEqualTo(MARK);
    }
  }

  @Test
  void refusesOneByteMore() {
    try (Pair pair = pair()) {
      Sge gigabyte = gigabyte(pair.a()).sge();
      Sge one = pair.a().region().sge(0, 1);

      assertThatThrownBy(() -> pair.a().qp().postSend(SendWr.send(1, gigabyte, gigabyte, one)))
          .isInstanceOf(BadWorkRequestException.class)
          .hasMessageContaining("2147483649 bytes is longer than 2^31");
    }
  }
}
