// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AdviseMrAdvice;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.DmaBuffer;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ForkStatus;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MrInitAttr;
import io.queuepair.verbs.MrInitAttrMask;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.ReregMrErrCode;
import io.queuepair.verbs.ReregMrException;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.Verbs;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Refusals of the verbs on memory, with their errno. */
final class RegionRefusalTest {
  private static final int BYTES = 8192;
  private static final Set<AccessFlag> WRITABLE = EnumSet.of(AccessFlag.LOCAL_WRITE);

  @AutoClose private final Emulator emulator = Emulator.inMemory();
  private final Context context = emulator.addDevice("10.0.0.1").open();
  private final ProtectionDomain pd = context.allocPd();
  private final ProtectionDomain linux =
      emulator.addDevice(DeviceProfile.softRoce(), "10.0.0.2").open().allocPd();

  private static ByteBuffer memory() {
    return ByteBuffer.allocateDirect(BYTES);
  }

  @Test
  void aChosenAddressIsAsFarIntoAPageAsThePosition() {
    assertThat(Errnos.of(() -> pd.regMrIova(memory(), 0x1_0003, WRITABLE))).isEqualTo(Errno.EINVAL);
    assertThat(Errnos.of(() -> pd.regMrIova(memory().position(8), 0x1_0000, WRITABLE)))
        .isEqualTo(Errno.EINVAL);

    assertThat(pd.regMrIova(memory().position(4104), 0x1_0008, WRITABLE).addr())
        .isEqualTo(0x1_0008);
    assertThat(pd.regMr(memory().position(4104), WRITABLE).addr() % 4096).isEqualTo(8);
  }

  @Test
  void addressesEndWhereTheNumbersDo() {
    assertThat(pd.regMrIova(memory(), -BYTES, WRITABLE).addr()).isEqualTo(-BYTES);
    assertThat(Errnos.of(() -> pd.regMrIova(memory(), -4096, WRITABLE))).isEqualTo(Errno.EINVAL);
  }

  @Test
  void zeroBasedMemoryBeginsAtZero() {
    Set<AccessFlag> based = EnumSet.of(AccessFlag.ZERO_BASED, AccessFlag.LOCAL_WRITE);

    assertThat(pd.regMr(memory().position(8), based).addr()).isZero();
    assertThat(pd.regMrIova(memory(), 0, based).addr()).isZero();
    assertThat(Errnos.of(() -> pd.regMrIova(memory(), 4096, based))).isEqualTo(Errno.EINVAL);
    assertThat(linux.regMr(memory(), based).addr()).isNotZero();
  }

  @Test
  void memoryIsNotLargerThanTheDeviceSays() {
    ProtectionDomain small =
        emulator
            .addDevice(
                DeviceProfile.standard().withLimit(DeviceLimit.MAX_MR_SIZE, BYTES - 1), "10.0.0.3")
            .open()
            .allocPd();

    assertThat(Errnos.of(() -> small.regMr(memory(), WRITABLE))).isEqualTo(Errno.EINVAL);
    assertThat(small.regMr(memory().position(1), WRITABLE).length()).isEqualTo(BYTES - 1);
  }

  @Test
  void memoryThatIsMissingIsABadAddress() {
    assertThat(Errnos.of(() -> pd.regMr(null, WRITABLE))).isEqualTo(Errno.EFAULT);
  }

  @ParameterizedTest
  @CsvSource({
    "'', EINVAL",
    "IOVA, EINVAL",
    "BUF ADDR, EINVAL",
    "ADDR FD_OFFSET, EINVAL",
    "FD IOVA, EINVAL",
    "FD FD_OFFSET, EINVAL",
    "FD FD_OFFSET IOVA, EOPNOTSUPP",
    "ADDR DMAH, EOPNOTSUPP"
  })
  void attributesNameOneSourceOfMemory(String bits, Errno errno) {
    MrInitAttr attr = MrInitAttr.of(AccessFlag.LOCAL_WRITE);
    for (String bit : bits.isEmpty() ? new String[0] : bits.split(" ")) {
      attr = attr.with(MrInitAttrMask.valueOf(bit));
    }
    MrInitAttr asked = attr;

    assertThat(Errnos.of(() -> pd.regMrEx(asked))).isEqualTo(errno);
  }

  @Test
  void attributesMayChooseTheAddress() {
    MrInitAttr attr = MrInitAttr.of(AccessFlag.LOCAL_WRITE).withIova(0x5000);

    assertThat(pd.regMrEx(attr.withAddr(memory())).addr()).isEqualTo(0x5000);
    assertThat(pd.regMrEx(attr.withBuf(pd.allocBuf(BYTES), 4096, 10)).addr()).isEqualTo(0x5000);
  }

  @Test
  void aBufferThatWasFreedIsNotRegistered() {
    DmaBuffer buf = pd.allocBuf(BYTES);
    buf.close();

    assertThat(Errnos.of(() -> pd.regBufMr(buf, 0, BYTES, WRITABLE))).isEqualTo(Errno.EINVAL);
  }

  private static void assertRefused(
      ReregMrErrCode code, Errno errno, MemoryRegion region, ReregMr change) {
    long addr = region.addr();
    ReregMrException refusal =
        catchThrowableOfType(ReregMrException.class, () -> region.rereg(change));

    assertThat(refusal.code()).isEqualTo(code);
    assertThat(refusal.errno()).isEqualTo(errno);
    assertThat(region.addr()).isEqualTo(addr);
  }

  /** By the device, not by the library. */
  private static void assertRefused(Errno errno, MemoryRegion region, ReregMr change) {
    assertRefused(ReregMrErrCode.CMD, errno, region, change);
  }

  @Test
  void theLibraryRefusesChangesThatMakeNoSense() {
    MemoryRegion region = pd.regMr(memory(), WRITABLE);
    ReregMr rightsOnly = new ReregMr(Set.of(), null, null, WRITABLE);
    ReregMr toNowhere = ReregMr.nothing().withTranslation(null);

    assertRefused(ReregMrErrCode.INPUT, Errno.EINVAL, region, rightsOnly);
    assertRefused(ReregMrErrCode.INPUT, Errno.EINVAL, region, toNowhere);
    assertRefused(
        ReregMrErrCode.INPUT,
        Errno.EINVAL,
        pd.allocNullMr(),
        ReregMr.nothing().withTranslation(memory()));
  }

  @Test
  void theDeviceRefusesChangesThatItCannotMake() {
    MemoryRegion region = pd.regMr(memory(), WRITABLE);
    ProtectionDomain gone = context.allocPd();
    gone.close();
    ReregMr change = ReregMr.nothing();

    assertRefused(Errno.EINVAL, region, change);
    assertRefused(Errno.EINVAL, region, change.withPd(null));
    assertRefused(Errno.EINVAL, region, change.withPd(linux));
    assertRefused(Errno.EINVAL, region, change.withPd(gone));
    assertRefused(Errno.EINVAL, region, change.withTranslation(ByteBuffer.allocate(BYTES)));
    assertRefused(Errno.EFAULT, region, change.withTranslation(memory().asReadOnlyBuffer()));
  }

  /** All or nothing: the new memory is good, the new rights are not. */
  @Test
  void aChangeThatIsRefusedInPartIsRefused() {
    MemoryRegion region = pd.regMr(memory(), WRITABLE);

    assertRefused(
        Errno.EINVAL,
        region,
        ReregMr.nothing()
            .withPd(context.allocPd())
            .withTranslation(memory())
            .withAccess(AccessFlag.REMOTE_WRITE));
    assertThat(region.pd()).isSameAs(pd);
  }

  @Test
  void linuxChangesNoRegion() {
    MemoryRegion region = linux.regMr(memory(), WRITABLE);

    assertRefused(Errno.EOPNOTSUPP, region, ReregMr.nothing().withAccess(AccessFlag.LOCAL_WRITE));
  }

  private void advise(ProtectionDomain domain, AdviseMrAdvice advice, Sge... ranges) {
    domain.adviseMr(advice, Set.of(), List.of(ranges));
  }

  @Test
  void adviceIsAboutMemoryThatIsThere() {
    MemoryRegion region = pd.regMr(memory(), WRITABLE);
    MemoryRegion readOnly = pd.regMr(memory(), Set.of());
    ProtectionDomain other = context.allocPd();
    Sge beyond = new Sge(region.addr() + 1, BYTES, region.lkey());
    Sge unknown = new Sge(region.addr(), 1, region.lkey() ^ 0x55);
    AdviseMrAdvice write = AdviseMrAdvice.PREFETCH_WRITE;
    AdviseMrAdvice read = AdviseMrAdvice.PREFETCH;

    advise(pd, write, region.sge());
    advise(pd, read, readOnly.sge());
    assertThat(Errnos.of(() -> advise(pd, read))).isEqualTo(Errno.EINVAL);
    assertThat(Errnos.of(() -> advise(pd, read, region.sge(), unknown))).isEqualTo(Errno.ENOENT);
    assertThat(Errnos.of(() -> advise(other, read, region.sge()))).isEqualTo(Errno.EPERM);
    assertThat(Errnos.of(() -> advise(pd, write, readOnly.sge()))).isEqualTo(Errno.EPERM);
    assertThat(Errnos.of(() -> advise(pd, read, beyond))).isEqualTo(Errno.EFAULT);
  }

  @Test
  void linuxTakesNoAdviceAndHasNoRegionsWithoutMemory() {
    MemoryRegion region = linux.regMr(memory(), WRITABLE);

    assertThat(Errnos.of(() -> advise(linux, AdviseMrAdvice.PREFETCH, region.sge())))
        .isEqualTo(Errno.EOPNOTSUPP);
    assertThat(Errnos.of(linux::allocNullMr)).isEqualTo(Errno.EOPNOTSUPP);
  }

  @Test
  void forksNeedNoPreparation() {
    assertThat(Verbs.isForkInitialized()).isEqualTo(ForkStatus.UNNEEDED);

    Verbs.forkInit();

    assertThat(Verbs.isForkInitialized()).isEqualTo(ForkStatus.UNNEEDED);
  }
}
