// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.tests.conformance.Errnos;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.DeviceAttr;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.GidEntry;
import io.queuepair.verbs.GidType;
import io.queuepair.verbs.LinkLayer;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.PortAttr;
import io.queuepair.verbs.PortState;
import io.queuepair.verbs.Verbs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Finding and opening devices, and what they and their ports say of themselves. */
@Timeout(30)
final class DeviceCasesTest {
  private static final int THREADS = 100;
  private static final int PAGE = 4096;

  @AutoClose
  private final Emulator emulator = Emulator.on(InMemoryFabric.create(InMemoryOptions.realTime()));

  private final Device device = emulator.addDevice("10.0.0.1");
  private final Context context = device.open();

  @AutoClose("shutdownNow")
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @Test
  @Tag("GUT-device_test-DeviceTest.GetDeviceList")
  @Tag("IVT-general-get_device_list")
  @Tag("test_device.DeviceTest.test_dev_list")
  void thereAreDevices() {
    assertThat(Verbs.devices()).isNotEmpty();
  }

  @Test
  @Tag("IVT-general-get_device_name")
  void everyDeviceHasANameAndAGuidBeforeItIsOpened() {
    for (Device each : Verbs.devices()) {
      assertThat(each.name()).isNotBlank();
      assertThat(each.guid()).isNotZero();
    }
  }

  @Test
  @Tag("GUT-device_test-DeviceTest.Open")
  @Tag("test_device.DeviceTest.test_open_dev")
  void everyDeviceCanBeOpened() {
    for (Device each : Verbs.devices()) {
      try (Context opened = each.open()) {
        assertThat(opened.device()).isSameAs(each);
      }
    }
  }

  private void openInThreads(int count) throws Exception {
    List<Future<Context>> opened = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      opened.add(threads.submit(device::open));
    }
    for (Future<Context> each : opened) {
      assertThat(each.get().device()).isSameAs(device);
      each.get().close();
    }
  }

  @Test
  @Tag("GUT-device_test-DeviceTest.OpenInAnotherThread")
  void anotherThreadCanOpenIt() throws Exception {
    openInThreads(1);
  }

  @Test
  @Tag("GUT-device_test-DeviceTest.OpenInManyThreads")
  void manyThreadsCanOpenItAtOnce() throws Exception {
    openInThreads(THREADS);
  }

  @Test
  @Tag("GUT-device_test-DeviceTest.QueryDevice")
  @Tag("test_device.DeviceTest.test_query_device")
  void aDeviceSaysWhatItCanDo() {
    DeviceAttr attr = context.queryDevice();

    assertThat(attr.nodeGuid()).isNotZero();
    assertThat(attr.sysImageGuid()).isNotZero();
    assertThat(attr.vendorId()).isNotZero();
    assertThat(attr.limit(DeviceLimit.MAX_MR_SIZE)).isGreaterThan(PAGE);
    assertThat(attr.limit(DeviceLimit.PAGE_SIZE_CAP)).isGreaterThanOrEqualTo(PAGE);
    for (DeviceLimit limit :
        List.of(
            DeviceLimit.MAX_QP,
            DeviceLimit.MAX_QP_WR,
            DeviceLimit.MAX_SGE,
            DeviceLimit.MAX_CQ,
            DeviceLimit.MAX_CQE,
            DeviceLimit.MAX_MR,
            DeviceLimit.MAX_PD,
            DeviceLimit.MAX_PKEYS)) {
      assertThat(attr.limit(limit)).as(limit.fieldName()).isPositive();
    }
  }

  @Test
  @Tag("test_device.DeviceTest.test_query_device_ex")
  @Tag("PYV-device-DeviceTest.phys_port_cnt_ex")
  void theExtendedQueryAgreesWithTheOther() {
    assertThat(context.queryDeviceEx().origAttr()).isEqualTo(context.queryDevice());
    assertThat(context.queryDeviceEx().physPortCntEx())
        .isEqualTo(context.queryDevice().physPortCnt());
  }

  @Test
  @Tag("test_device.DeviceTest.test_query_port")
  void aPortSaysWhatItIs() {
    PortAttr port = context.queryPort(1);

    assertThat(port.state()).isEqualTo(PortState.ACTIVE);
    assertThat(port.maxMtu()).isGreaterThanOrEqualTo(port.activeMtu());
    assertThat(port.activeMtu()).isGreaterThanOrEqualTo(Mtu.MTU_256);
    assertThat(port.activeWidth()).isIn(1, 2, 4, 8, 16);
    assertThat(port.activeSpeed()).isIn(1, 2, 4, 8, 16, 32, 64, 128);
    assertThat(port.linkLayer()).isEqualTo(LinkLayer.ETHERNET);
    assertThat(port.maxMsgSz()).isGreaterThan(PAGE);
  }

  @Test
  @Tag("PYV-device-DeviceTest.query_port_bad_flow")
  void thereAreNoPortsBehindTheLast() {
    int last = context.queryDevice().physPortCnt();
    for (int portNum = last + 1; portNum <= last + 10; portNum++) {
      int missing = portNum;
      assertThat(Errnos.of(() -> context.queryPort(missing))).isEqualTo(Errno.EINVAL);
    }
  }

  @Test
  @Tag("PYV-device-DeviceTest.query_port_speed")
  void aPortHasASpeed() {
    assertThat(context.queryPortSpeed(1)).isPositive();
  }

  @Test
  @Tag("PYV-device-DeviceTest.query_pkey")
  @Tag("PYV-device-DeviceTest.get_pkey_index")
  void theFirstPkeyIsFoundInTheFirstSlot() {
    int pkey = context.queryPkey(1, 0);

    assertThat(pkey).isEqualTo(0xffff);
    assertThat(context.getPkeyIndex(1, pkey)).isZero();
  }

  @Test
  @Tag("PYV-device-DeviceTest.query_gid")
  @Tag("PYV-device-DeviceTest.query_gid_ex")
  void theFirstGidIsThere() {
    assertThat(context.queryGid(1, 0).isZero()).isFalse();
    assertThat(context.queryGidEx(1, 0))
        .isEqualTo(new GidEntry(context.queryGid(1, 0), 0, 1, GidType.ROCE_V2, 0));
  }

  @Test
  @Tag("PYV-device-DeviceTest.query_gid_ex_bad_flow")
  void anEmptySlotHoldsNoEntry() {
    int last = context.queryPort(1).gidTblLen() - 1;

    assertThat(Errnos.of(() -> context.queryGidEx(1, last))).isEqualTo(Errno.ENODATA);
  }

  @Test
  @Tag("PYV-device-DeviceTest.query_gid_table")
  void theTableFitsWhereThereIsRoomForAll() {
    int room = context.queryPort(1).gidTblLen() + context.queryPort(2).gidTblLen();

    assertThat(context.queryGidTable(room)).containsExactly(context.queryGidEx(1, 0));
  }

  @Test
  @Tag("PYV-device-DeviceTest.query_gid_table_bad_flow")
  void theTableDoesNotFitNowhere() {
    assertThat(Errnos.of(() -> context.queryGidTable(0))).isEqualTo(Errno.EINVAL);
  }
}
