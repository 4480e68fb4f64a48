// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.HostMemory;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBind;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Regions that are longer than a buffer can be. */
final class HostMemoryTest {
  private static final long IOVA = 0x7f00_0000_0123L;
  private static final long BYTES = 5L << 30;
  private static final long FAR = (4L << 30) + 17;
  private static final int LENGTH = 3000;
  private static final Set<AccessFlag> RIGHTS =
      EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);

  @AutoClose
  private final Pair pair =
      Pair.on(LinkForm.OBJECTS)
          .profile(DeviceProfile.standard().withLimit(DeviceLimit.MAX_MR_SIZE, Long.MAX_VALUE))
          .connect();

  private final Sparse memory = new Sparse();
  private final MemoryRegion region = pair.b().pd().regHostMemory(memory, IOVA, RIGHTS);

  /** Five gigabytes, of which only some around a place exist. */
  private static final class Sparse implements HostMemory {
    private static final long FIRST = FAR - 1000;

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(8192);

    @Override
    public long length() {
      return BYTES;
    }

    @Override
    public boolean isAccessible(long offset, int length, boolean isWritten) {
      return offset >= FIRST && offset + length <= FIRST + bytes.capacity();
    }

    @Override
    public ByteBuffer view(long offset, int length) {
      return bytes.slice((int) (offset - FIRST), length);
    }
  }

  private String write(long remoteAddr, int length) {
    return write(remoteAddr, length, region.rkey());
  }

  private String write(long remoteAddr, int length, int rkey) {
    pair.send(SendWr.rdmaWrite(1, remoteAddr, rkey, pair.a().region().sge(0, length)));
    return Outcomes.of(pair.a().sendCq().poll(1)).get(0);
  }

  @Test
  void peerWritesAndReadsBeyondFourGigabytes() {
    Bytes.into(pair.a().region(), 0, Bytes.pattern(LENGTH, 5));

    assertThat(write(IOVA + FAR, LENGTH)).isEqualTo("1 RDMA_WRITE");

    byte[] found = new byte[LENGTH];
    memory.bytes.get(1000, found);
    assertThat(found).isEqualTo(Bytes.pattern(LENGTH, 5));

    pair.send(SendWr.rdmaRead(2, IOVA + FAR, region.rkey(), pair.a().region().sge(LENGTH, LENGTH)));
    assertThat(Bytes.in(pair.a().region(), LENGTH, LENGTH)).isEqualTo(Bytes.pattern(LENGTH, 5));
  }

  @Test
  void theDeviceItselfReadsFromIt() {
    byte[] content = Bytes.pattern(LENGTH, 9);
    memory.bytes.put(1000, content);

    pair.b()
        .qp()
        .postSend(
            SendWr.rdmaWrite(
                1,
                pair.a().region().addr(),
                pair.a().region().rkey(),
                new Sge(IOVA + FAR, LENGTH, region.lkey())));
    pair.drain();

    assertThat(Bytes.in(pair.a().region(), 0, LENGTH)).isEqualTo(content);
  }

  @ParameterizedTest
  @CsvSource({"5, 3000", "5368709119, 2"})
  void whatIsNotThereOrBeyondTheEndIsRefused(long offset, int length) {
    assertThat(write(IOVA + offset, length)).isEqualTo("1 REM_ACCESS_ERR");
  }

  @Test
  void windowOpensOnlyWhatIsThere() {
    MemoryRegion bindable =
        pair.b()
            .pd()
            .regHostMemory(memory, IOVA, EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND));
    MemoryWindow window = pair.b().pd().allocMw(MwType.TYPE_1);
    pair.b()
        .qp()
        .bindMw(
            window,
            new MwBind(
                1,
                Set.of(),
                new MwBindInfo(bindable, IOVA, BYTES, EnumSet.of(AccessFlag.REMOTE_WRITE))));
    pair.drain();

    assertThat(write(IOVA + FAR, LENGTH, window.rkey())).isEqualTo("1 RDMA_WRITE");
    assertThat(write(IOVA + 5, LENGTH, window.rkey())).isEqualTo("1 REM_ACCESS_ERR");
  }

  @Test
  void hasASizeButNoBuffer() {
    assertThat(region.size()).isEqualTo(BYTES);
    assertThat(region.length()).isEqualTo(Integer.MAX_VALUE);
    assertThat(region.addr()).isEqualTo(IOVA);
    assertThatThrownBy(region::buffer).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void rightsCanChange() {
    region.rereg(ReregMr.nothing().withAccess());

    assertThat(write(IOVA + FAR, LENGTH)).isEqualTo("1 REM_ACCESS_ERR");
  }

  @Test
  void limitAndAddressAreChecked() {
    TestEndpoint side = pair.b();
    assertRefused(side, 1 - BYTES, RIGHTS, "beyond 2^64");
    assertRefused(side, 4096, EnumSet.of(AccessFlag.ZERO_BASED), "ZERO_BASED");
    assertRefused(side, 0, EnumSet.of(AccessFlag.REMOTE_WRITE), "needs LOCAL_WRITE");
    try (Pair standard = Pair.connected(LinkForm.OBJECTS)) {
      assertRefused(standard.a(), 0, RIGHTS, BYTES + " bytes are more than max_mr_size");
    }
  }

  private void assertRefused(TestEndpoint side, long iova, Set<AccessFlag> access, String reason) {
    Errnos.assertRefused(Errno.EINVAL, reason, () -> side.pd().regHostMemory(memory, iova, access));
  }
}
