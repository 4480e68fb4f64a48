// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.ReregMrErrCode;
import io.queuepair.verbs.ReregMrException;
import io.queuepair.verbs.SendWr;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * A region that gets other memory at an address of the caller's choice: "addr ... the new virtual
 * address" (ibv_rereg_mr(3)).
 */
final class TranslationAtAnAddressTest {
  private static final long IOVA = 0x5555_0000_1000L;

  @AutoClose private final Pair pair = Pair.connected(LinkForm.OBJECTS);
  private final MemoryRegion region = pair.b().register(64);
  private final ByteBuffer other = ByteBuffer.allocateDirect(128);

  private String write(long remoteAddr) {
    SendWr write = SendWr.rdmaWrite(1, remoteAddr, region.rkey(), pair.a().region().sge(0, 100));
    pair.a().postSend(write);
    pair.drain();
    return Outcomes.of(pair.a().sendCq().poll(1)).get(0);
  }

  @Test
  void memoryIsAtTheAddressThatWasChosen() {
    byte[] content = Bytes.pattern(100, 7);
    Bytes.into(pair.a().region(), 0, content);
    long former = region.addr();

    region.rereg(ReregMr.nothing().withTranslation(other, IOVA));

    assertThat(region.addr()).isEqualTo(IOVA);
    assertThat(region.length()).isEqualTo(128);
    assertThat(write(IOVA + 28)).isEqualTo("1 RDMA_WRITE");
    byte[] found = new byte[100];
    other.get(28, found);
    assertThat(found).isEqualTo(content);
    assertThat(write(former)).as("the former address").isEqualTo("1 REM_ACCESS_ERR");
  }

  @Test
  void addressMustBeAsFarIntoAPageAsThePosition() {
    long former = region.addr();
    ReregMr change = ReregMr.nothing().withTranslation(other.position(1), IOVA);

    assertThatThrownBy(() -> region.rereg(change))
        .isInstanceOfSatisfying(
            ReregMrException.class,
            refused -> {
              assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
              assertThat(refused.code()).isEqualTo(ReregMrErrCode.CMD);
            });
    assertThat(region.addr()).isEqualTo(former);
  }

  @Test
  void addressesMustNotGoBeyondTheLast() {
    ByteBuffer page = ByteBuffer.allocateDirect(8192);

    assertThatThrownBy(() -> region.rereg(ReregMr.nothing().withTranslation(page, -4096)))
        .isInstanceOf(ReregMrException.class)
        .hasMessageContaining("2^64");
    region.rereg(ReregMr.nothing().withTranslation(page.limit(4096), -4096));
    assertThat(region.addr()).isEqualTo(-4096);
  }
}
