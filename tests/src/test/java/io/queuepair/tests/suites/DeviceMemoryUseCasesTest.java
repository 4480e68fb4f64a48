// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AllocDmAttr;
import io.queuepair.verbs.DeviceMemory;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.SendWr;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Work on memory of the device, at both sides. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class DeviceMemoryUseCasesTest {
  private static final int BYTES = 1024;

  /** Regions lie at the end of memory of this size, so that offsets and addresses differ. */
  private static final int ALLOCATED = 4096;

  private static final Set<AccessFlag> RIGHTS =
      EnumSet.of(
          AccessFlag.ZERO_BASED,
          AccessFlag.LOCAL_WRITE,
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_ATOMIC);

  @Parameter private LinkForm form;
  @AutoClose private ConnectedPair bed;
  private Chip near;
  private Chip far;

  /** Some memory of a device, and a region of it. */
  private record Chip(DeviceMemory dm, MemoryRegion region) {
    static Chip of(TestEndpoint side, int fill) {
      DeviceMemory dm = side.context().allocDm(AllocDmAttr.of(ALLOCATED));
      MemoryRegion region = side.pd().regDmMr(dm, ALLOCATED - BYTES, BYTES, RIGHTS);
      dm.copyTo(ALLOCATED - BYTES, ByteBuffer.wrap(Bytes.fill(BYTES, fill)));
      return new Chip(dm, region);
    }

    byte[] content() {
      ByteBuffer target = ByteBuffer.allocate(BYTES);
      dm.copyFrom(target, ALLOCATED - BYTES);
      return target.array();
    }

    long word() {
      return ByteBuffer.wrap(content()).order(ByteOrder.nativeOrder()).getLong();
    }

    void setWord(long value) {
      ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
      dm.copyTo(ALLOCATED - BYTES, word.putLong(0, value));
    }

    SendWr.RemoteTarget target() {
      return new SendWr.RemoteTarget(0, region.rkey());
    }
  }

  @BeforeEach
  void connect() {
    bed = new ConnectedPair(ConnectedPair.reliable(Pair.on(form)).connect(), BYTES);
    near = Chip.of(bed.a(), 'n');
    far = Chip.of(bed.b(), 'f');
  }

  @Test
  @Tag("PYV-mr-DeviceMemoryTest.suite")
  @Tag("test_mr.DeviceMemoryTest.test_dm_traffic")
  void messagesGoFromMemoryOfOneDeviceToThatOfAnother() {
    bed.receive(7, far.region().sge());
    bed.post(SendWr.send(1, near.region().sge()));

    bed.expect(List.of("1 SEND"), List.of("7 RECV 1024"));
    assertThat(far.content()).containsOnly('n');
  }

  @Test
  @Tag("PYV-mr-DeviceMemoryTest.suite")
  @Tag("test_mr.DeviceMemoryTest.test_dm_remote_traffic")
  void writesReachIt() {
    bed.post(SendWr.rdmaWrite(1, 0, far.region().rkey(), near.region().sge()));

    bed.expect(List.of("1 RDMA_WRITE"), List.of());
    assertThat(far.content()).containsOnly('n');
  }

  @Test
  @Tag("PYV-mr-DeviceMemoryTest.suite")
  @Tag("test_mr.DeviceMemoryTest.test_dm_remote_write_traffic_imm")
  void writesWithImmediateDataReachIt() {
    bed.receive(7);
    bed.post(SendWr.rdmaWriteWithImm(1, 0, far.region().rkey(), 0xcafe, near.region().sge()));

    bed.expect(List.of("1 RDMA_WRITE"), List.of("7 RECV_RDMA_WITH_IMM 1024 imm 0x0000cafe"));
    assertThat(far.content()).containsOnly('n');
  }

  @Test
  @Tag("PYV-mr-DeviceMemoryTest.suite")
  @Tag("test_mr.DeviceMemoryTest.test_dm_remote_read_traffic")
  void readsFetchFromIt() {
    bed.post(SendWr.rdmaRead(1, 0, far.region().rkey(), near.region().sge()));

    bed.expect(List.of("1 RDMA_READ 1024"), List.of());
    assertThat(near.content()).containsOnly('f');
  }

  @Test
  @Tag("PYV-mr-DeviceMemoryTest.suite")
  @Tag("test_mr.DeviceMemoryTest.test_dm_atomic_fetch_add")
  void fetchAndAddCountsInIt() {
    far.setWord(100);
    bed.post(SendWr.fetchAndAdd(1, far.target(), 5, near.region().sge(0, Long.BYTES)));

    bed.expect(List.of("1 FETCH_ADD"), List.of());
    assertThat(far.word()).isEqualTo(105);
    assertThat(near.word()).isEqualTo(100);
  }

  @Test
  @Tag("PYV-mr-DeviceMemoryTest.suite")
  @Tag("test_mr.DeviceMemoryTest.test_dm_atomic_cmp_swp")
  void compareAndSwapSwapsInIt() {
    far.setWord(100);
    bed.post(SendWr.compareAndSwap(1, far.target(), 100, 7, near.region().sge(0, Long.BYTES)));

    bed.expect(List.of("1 COMP_SWAP"), List.of());
    assertThat(far.word()).isEqualTo(7);
    assertThat(near.word()).isEqualTo(100);
  }
}
