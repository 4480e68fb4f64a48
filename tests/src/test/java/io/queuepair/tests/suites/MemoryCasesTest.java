// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.ReregMrErrCode;
import io.queuepair.verbs.ReregMrException;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Registering and changing memory that is not in use. */
final class MemoryCasesTest {
  private static final int BYTES = 4 * ConnectedPair.PAGE;
  private static final int REGIONS = 1000;

  @AutoClose private final Emulator emulator = Emulator.inMemory();

  private final Context context =
      emulator
          .addDevice(DeviceProfile.standard().withLimit(DeviceLimit.MAX_MR, REGIONS), "10.0.0.1")
          .open();
  private final ProtectionDomain pd = context.allocPd();

  private MemoryRegion region() {
    return pd.regMr(ByteBuffer.allocateDirect(BYTES), ConnectedPair.ALL_RIGHTS);
  }

  private static ReregMrErrCode codeOf(MemoryRegion region, ReregMr change) {
    return catchThrowableOfType(ReregMrException.class, () -> region.rereg(change)).code();
  }

  @Test
  @Tag("GUT-mr_test-MrTest.RegisterMemory")
  void aRegionIsWhatWasAskedFor() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);

    try (MemoryRegion region = pd.regMrIova(buffer, 0x7000, ConnectedPair.ALL_RIGHTS)) {
      assertThat(region.pd()).isSameAs(pd);
      assertThat(region.addr()).isEqualTo(0x7000);
      assertThat(region.length()).isEqualTo(BYTES);
      region.buffer().put(1, (byte) 7);
      assertThat(buffer.get(1)).isEqualTo((byte) 7);
    }
  }

  @Test
  @Tag("GUT-mr_test-MrTest.ReregMrChangeAddress")
  void aRegionGetsOtherMemory() {
    MemoryRegion region = region();
    long former = region.addr();
    ByteBuffer other = ByteBuffer.allocateDirect(ConnectedPair.PAGE);

    region.rereg(ReregMr.nothing().withTranslation(other));

    assertThat(region.addr()).isNotEqualTo(former);
    assertThat(region.length()).isEqualTo(ConnectedPair.PAGE);
    region.buffer().put(1, (byte) 7);
    assertThat(other.get(1)).isEqualTo((byte) 7);
  }

  @Test
  @Tag("GUT-mr_test-MrTest.ReregMrChangePd")
  void aRegionMovesToAnotherDomain() {
    MemoryRegion region = region();
    ProtectionDomain other = context.allocPd();

    region.rereg(ReregMr.nothing().withPd(other));

    assertThat(region.pd()).isSameAs(other);
    pd.close();
    VerbsException busy = catchThrowableOfType(VerbsException.class, other::close);
    assertThat(busy.errno()).isEqualTo(Errno.EBUSY);
    region.close();
    other.close();
  }

  @Test
  @Tag("GUT-mr_test-MrTest.ReregMrInvalidPermission")
  void rightsThatContradictEachOtherAreRefused() {
    assertThat(codeOf(region(), ReregMr.nothing().withAccess(AccessFlag.REMOTE_WRITE)))
        .isEqualTo(ReregMrErrCode.CMD);
  }

  @Test
  @Tag("GUT-mr_test-MrTest.ReregMrInvalidBuffer")
  void noMemoryIsRefusedAndTheRegionStays() {
    MemoryRegion region = region();
    long addr = region.addr();

    ReregMr change = ReregMr.nothing().withTranslation(ByteBuffer.allocateDirect(0));

    assertThat(codeOf(region, change)).isEqualTo(ReregMrErrCode.INPUT);
    assertThat(region.addr()).isEqualTo(addr);
    assertThat(region.length()).isEqualTo(BYTES);
  }

  @Test
  @Tag("GUT-pd_test-PdTest.AllocMrWithInvalidPd")
  void aDomainThatIsGoneRegistersNothing() {
    pd.close();

    VerbsException refusal = catchThrowableOfType(VerbsException.class, this::region);

    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
  }

  @Test
  @Tag("GUT-device_test-DeviceLimitTest.MaxMr")
  void theSamePagesCanBeRegisteredAsOftenAsTheDeviceSays() {
    ByteBuffer pages = ByteBuffer.allocateDirect(2 * ConnectedPair.PAGE);
    for (int i = 0; i < REGIONS; i++) {
      pd.regMr(pages, ConnectedPair.ALL_RIGHTS);
    }

    VerbsException refusal =
        catchThrowableOfType(VerbsException.class, () -> pd.regMr(pages, ConnectedPair.ALL_RIGHTS));

    assertThat(context.queryDevice().limit(DeviceLimit.MAX_MR)).isEqualTo(REGIONS);
    assertThat(refusal.errno()).isEqualTo(Errno.ENOMEM);
  }
}
