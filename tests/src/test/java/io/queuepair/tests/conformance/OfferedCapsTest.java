// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AllocDmAttr;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceAttrEx;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.OdpCaps;
import io.queuepair.verbs.OdpGeneralCap;
import io.queuepair.verbs.OdpTransportCap;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpCreateFlag;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RawPacketCap;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.TsoWr;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Capabilities of the extended query are granted, just as many, and the rest is refused. */
final class OfferedCapsTest {
  private static final int BYTES = 4096;
  private static final int HEADER_BYTES = 14;
  private static final Set<AccessFlag> PAGED =
      EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.ON_DEMAND);

  @AutoClose private final Segment segment = new Segment();
  private final RawHost host = segment.a();
  private final ProtectionDomain pd = host.pd();
  private final DeviceAttrEx attr = host.context().queryDeviceEx();

  @AutoClose private final Emulator emulator = Emulator.inMemory();

  private final Context softRoce = emulator.addDevice(DeviceProfile.softRoce(), "10.0.0.9").open();

  private static QpInitAttrEx extended(ProtectionDomain pd, QpType type) {
    return QpInitAttrEx.of(QpInitAttr.of(type, pd.context().createCq(4), QpCap.of(1)));
  }

  private static Errno errnoOfPaging(ProtectionDomain pd, ByteBuffer buffer) {
    return Errnos.of(() -> pd.regMr(buffer, PAGED));
  }

  @Test
  void memoryCanBePagedButNotAllOfItAtOnce() {
    assertThat(attr.odpCaps().general()).containsExactly(OdpGeneralCap.SUPPORT);

    assertThat(errnoOfPaging(pd, ByteBuffer.allocateDirect(BYTES))).isNull();
    assertThat(errnoOfPaging(pd, null)).isEqualTo(Errno.EOPNOTSUPP);
  }

  /** The operations that the InfiniBand specification gives each transport service. */
  @Test
  void eachTransportPagesForAllItsOperations() {
    OdpCaps caps = attr.odpCaps();
    Set<OdpTransportCap> unreliable =
        EnumSet.of(OdpTransportCap.SEND, OdpTransportCap.RECV, OdpTransportCap.WRITE);
    Set<OdpTransportCap> datagrams =
        EnumSet.of(OdpTransportCap.SEND, OdpTransportCap.RECV, OdpTransportCap.SRQ_RECV);

    assertThat(caps.rc()).containsExactlyInAnyOrder(OdpTransportCap.values());
    assertThat(caps.uc()).isEqualTo(unreliable);
    assertThat(caps.ud()).isEqualTo(datagrams);
    assertThat(caps.xrc())
        .containsExactlyInAnyOrder(
            OdpTransportCap.SEND,
            OdpTransportCap.RECV,
            OdpTransportCap.WRITE,
            OdpTransportCap.READ,
            OdpTransportCap.ATOMIC,
            OdpTransportCap.SRQ_RECV);
  }

  @ParameterizedTest
  @EnumSource(
      value = QpType.class,
      names = {"RC", "UC", "UD", "RAW_PACKET"})
  void sendsAreSegmentedOnTheTypesNamed(QpType type) {
    boolean isNamed = attr.tsoCaps().supportedQpts().contains(type);
    QpInitAttrEx asked = extended(pd, type).withMaxTsoHeader(HEADER_BYTES);

    assertThat(isNamed).isEqualTo(type == QpType.UD || type == QpType.RAW_PACKET);
    assertThat(Errnos.of(() -> pd.createQpEx(asked))).isEqualTo(isNamed ? null : Errno.EOPNOTSUPP);
  }

  private static SendWr large(MemoryRegion data, long bytes) {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    return new TsoWr(
        7, List.of(data.sge(0, (int) bytes)), Set.of(SendFlag.SIGNALED), header, BYTES);
  }

  @Test
  void theLargestSendIsThatOfMaxTso() {
    long most = attr.tsoCaps().maxTso();
    MemoryRegion data = pd.regMr(ByteBuffer.allocateDirect((int) most + 1));
    assertThat(most).isGreaterThan(BYTES);

    host.qp().postSend(large(data, most));
    segment.drain();

    assertThat(host.sends()).containsExactly("7 TSO");
    assertThat(Errnos.of(() -> host.qp().postSend(large(data, most + 1)))).isEqualTo(Errno.EINVAL);
  }

  @Test
  void tagsAreTakenOffAndChecksumsComputedAndNothingElse() {
    assertThat(attr.rawPacketCaps())
        .containsExactlyInAnyOrder(RawPacketCap.CVLAN_STRIPPING, RawPacketCap.IP_CSUM);

    QpInitAttrEx raw = extended(pd, QpType.RAW_PACKET);
    assertThat(Errnos.of(() -> pd.createQpEx(raw.withCreateFlags(QpCreateFlag.CVLAN_STRIPPING))))
        .isNull();
    assertThat(Errnos.of(() -> pd.createQpEx(raw.withCreateFlags(QpCreateFlag.SCATTER_FCS))))
        .isEqualTo(Errno.EOPNOTSUPP);
    SendWr frame = SendWr.send(1, host.region().sge(0, 64));
    host.qp().postSend(frame.withFlags(SendFlag.IP_CSUM, SendFlag.SIGNALED));
    segment.drain();
    assertThat(host.sends()).containsExactly("1 SEND");
  }

  /** That all of it reads zero there, see {@link DeviceQueryTest}. */
  @Test
  void softRoceHasNoneOfIt() {
    ProtectionDomain linux = softRoce.allocPd();
    QpInitAttrEx datagrams = extended(linux, QpType.UD).withMaxTsoHeader(HEADER_BYTES);
    QpInitAttrEx raw =
        extended(linux, QpType.RAW_PACKET).withCreateFlags(QpCreateFlag.CVLAN_STRIPPING);

    assertThat(errnoOfPaging(linux, ByteBuffer.allocateDirect(BYTES))).isEqualTo(Errno.EINVAL);
    assertNotOffered(() -> linux.createQpEx(datagrams));
    assertNotOffered(() -> linux.createQpEx(raw));
    assertNotOffered(() -> linux.createQp(raw.base()));
    assertNotOffered(() -> softRoce.allocDm(AllocDmAttr.of(1)));
    assertNotOffered(softRoce::openXrcd);
    assertNotOffered(softRoce::createCounters);
    assertNotOffered(softRoce::allocTd);
    assertNotOffered(() -> softRoce.allocParentDomain(linux, null));
    assertNotOffered(() -> softRoce.createCq(4).modify(2, 50));
  }

  private static void assertNotOffered(ThrowingCallable verb) {
    assertThat(Errnos.of(verb)).isEqualTo(Errno.EOPNOTSUPP);
  }
}
