// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.Errnos;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AllocDmAttr;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceMemory;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.ReregMrErrCode;
import io.queuepair.verbs.ReregMrException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory of the device: allocating it, copying, and making regions of it. */
final class DeviceMemoryCasesTest {
  private static final int TOTAL = 1 << 20;
  private static final int BYTES = 4096;

  private static final Set<AccessFlag> ZERO_BASED =
      EnumSet.of(AccessFlag.ZERO_BASED, AccessFlag.LOCAL_WRITE);

  @AutoClose private final Emulator emulator = Emulator.inMemory();
  private final Context context = emulator.addDevice("10.0.0.1").open();
  private final ProtectionDomain pd = context.allocPd();

  private DeviceMemory allocate(long bytes) {
    return context.allocDm(AllocDmAttr.of(bytes));
  }

  private static byte[] copyOf(DeviceMemory dm, int offset, int length) {
    ByteBuffer target = ByteBuffer.allocate(length);
    dm.copyFrom(target, offset);
    return target.array();
  }

  @Test
  void memoryIsTakenAndGivenBack() {
    DeviceMemory all = allocate(TOTAL);

    assertThat(all.length()).isEqualTo(TOTAL);
    assertThat(all.context()).isSameAs(context);
    assertThat(Errnos.of(() -> allocate(1))).isEqualTo(Errno.ENOMEM);
    all.close();
    all.close();
    allocate(TOTAL);
  }

  @Test
  void tooMuchOrNothingIsRefused() {
    assertThat(Errnos.of(() -> allocate(TOTAL + 1))).isEqualTo(Errno.ENOMEM);
    assertThat(Errnos.of(() -> allocate(0))).isEqualTo(Errno.EINVAL);
    assertThat(Errnos.of(() -> context.allocDm(new AllocDmAttr(4, 64)))).isEqualTo(Errno.EINVAL);
  }

  @Test
  void aDeviceMayHaveNone() {
    Context poor = emulator.addDevice(DeviceProfile.softRoce(), "10.0.0.9").open();

    assertThat(Errnos.of(() -> poor.allocDm(AllocDmAttr.of(4)))).isEqualTo(Errno.EOPNOTSUPP);
  }

  @Test
  void whatIsCopiedInComesOut() {
    DeviceMemory dm = allocate(BYTES);
    ByteBuffer source = ByteBuffer.wrap(Bytes.pattern(108, 1)).position(8);

    dm.copyTo(4, source);

    assertThat(source.position()).isEqualTo(8);
    assertThat(copyOf(dm, 0, 4)).containsOnly(0);
    assertThat(ByteBuffer.wrap(copyOf(dm, 4, 100))).isEqualTo(source);
    assertThat(copyOf(dm, 104, BYTES - 104)).containsOnly(0);
  }

  @Test
  void severalContextsTakeOfTheSameMemory() {
    List<DeviceMemory> taken = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Context other = context.device().open();
      taken.add(other.allocDm(AllocDmAttr.of(TOTAL / 5)));
      taken.get(i).copyTo(0, ByteBuffer.wrap(Bytes.fill(BYTES, i + 1)));
    }

    for (int i = 0; i < 5; i++) {
      assertThat(copyOf(taken.get(i), 0, BYTES)).containsOnly(i + 1);
    }
    assertThat(Errnos.of(() -> allocate(TOTAL / 5))).isEqualTo(Errno.ENOMEM);
    taken.get(0).context().close();
    allocate(TOTAL / 5);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 4, EINVAL",
    "0, 3, EINVAL",
    "4092, 8, EFAULT",
    "4096, 4, EFAULT",
    "-4, 4, EFAULT",
    "9223372036854775804, 4, EFAULT"
  })
  void copiesAreInsideAndAligned(long offset, int length, Errno errno) {
    DeviceMemory dm = allocate(BYTES);
    ByteBuffer host = ByteBuffer.wrap(Bytes.fill(length, 7));

    assertThat(Errnos.of(() -> dm.copyTo(offset, host))).isEqualTo(errno);
    assertThat(Errnos.of(() -> dm.copyFrom(host, offset))).isEqualTo(errno);
    assertThat(copyOf(dm, 0, BYTES)).containsOnly(0);
    assertThat(host.array()).containsOnly(7);
  }

  @Test
  void nothingIsCopiedIntoABufferThatCannotBeWritten() {
    DeviceMemory dm = allocate(4);

    assertThat(Errnos.of(() -> dm.copyFrom(ByteBuffer.allocate(4).asReadOnlyBuffer(), 0)))
        .isEqualTo(Errno.EFAULT);
  }

  @Test
  void memoryThatIsFreedCannotBeCopied() {
    DeviceMemory dm = allocate(4);
    dm.close();

    assertThat(Errnos.of(() -> dm.copyTo(0, ByteBuffer.allocate(4)))).isEqualTo(Errno.EINVAL);
    assertThat(Errnos.of(() -> pd.regDmMr(dm, 0, 4, ZERO_BASED))).isEqualTo(Errno.EINVAL);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 64, 1000, BYTES})
  void regionsOfAnySizeBeginAtZero(int bytes) {
    DeviceMemory dm = allocate(BYTES);

    MemoryRegion region = pd.regDmMr(dm, BYTES - bytes, bytes, ZERO_BASED);

    assertThat(region.addr()).isZero();
    assertThat(region.length()).isEqualTo(bytes);
    assertThat(Errnos.of(dm::close)).isEqualTo(Errno.EBUSY);
    assertThatThrownBy(region::buffer).isInstanceOf(UnsupportedOperationException.class);
    region.close();
    dm.close();
  }

  @ParameterizedTest
  @CsvSource({"0, 4097", "4096, 1", "-1, 4", "1, -1", "1, 9223372036854775807"})
  void aRegionIsInsideTheMemory(long offset, long length) {
    DeviceMemory dm = allocate(BYTES);

    assertThat(Errnos.of(() -> pd.regDmMr(dm, offset, length, ZERO_BASED))).isEqualTo(Errno.EINVAL);
    dm.close();
  }

  @Test
  void aRegionIsZeroBasedAndOfTheSameContext() {
    DeviceMemory dm = allocate(BYTES);
    ProtectionDomain other = context.device().open().allocPd();
    Set<AccessFlag> notBased = EnumSet.of(AccessFlag.LOCAL_WRITE);

    assertThat(Errnos.of(() -> pd.regDmMr(dm, 0, 4, notBased))).isEqualTo(Errno.EINVAL);
    assertThat(Errnos.of(() -> other.regDmMr(dm, 0, 4, ZERO_BASED))).isEqualTo(Errno.EINVAL);
  }

  @Test
  void aRegionOfItStaysWhatItIs() {
    MemoryRegion region = pd.regDmMr(allocate(BYTES), 0, BYTES, ZERO_BASED);

    ReregMrException refusal =
        catchThrowableOfType(
            ReregMrException.class,
            () -> region.rereg(ReregMr.nothing().withAccess(AccessFlag.LOCAL_WRITE)));

    assertThat(refusal.code()).isEqualTo(ReregMrErrCode.CMD);
    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
  }
}
