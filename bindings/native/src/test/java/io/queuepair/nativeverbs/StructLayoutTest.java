// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.queue.Cqe;
import io.queuepair.emulator.queue.SendRequest;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceAttrEx;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.PortAttr;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RssCaps;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WrOpcode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Structures are read and written where the table of the ABI says that their fields are. */
final class StructLayoutTest {
  private static final int AT = 64;

  private final AbiLayout abi = new AbiLayout();
  private final ByteBuffer memory = ByteBuffer.allocate(1024).order(ByteOrder.nativeOrder());

  private int at(String structure, String field) {
    return AT + abi.offset(structure, field);
  }

  private int intAt(String structure, String field) {
    return memory.getInt(at(structure, field));
  }

  private int byteAt(String structure, String field) {
    return memory.get(at(structure, field));
  }

  private static QpAttr everything() {
    AhAttr peer = new AhAttr(new GlobalRoute(new Gid(1, 2), 3, 4, 5, 6), 7, 8);
    AhAttr other = new AhAttr(new GlobalRoute(new Gid(9, 10), 11, 12, 13, 14), 15, 16);
    return new QpAttr()
        .qpState(QpState.RTS)
        .curQpState(QpState.RTR)
        .pathMtu(Mtu.MTU_2048)
        .pathMigState(MigState.REARM)
        .qkey(17)
        .rqPsn(18)
        .sqPsn(19)
        .destQpNum(20)
        .qpAccessFlags(AccessFlag.REMOTE_READ)
        .cap(new QpCap(21, 22, 23, 24, 25))
        .ahAttr(peer)
        .altPath(new AlternatePath(other, 26, 27, 28))
        .pkeyIndex(29)
        .enSqdAsyncNotify(true)
        .maxRdAtomic(30)
        .maxDestRdAtomic(31)
        .minRnrTimer(12)
        .portNum(1)
        .timeout(14)
        .retryCnt(7)
        .rnrRetry(6)
        .rateLimit(32);
  }

  @Test
  void writesAttributesOfQueuePairs() {
    QpAttrStruct.write(memory, AT, everything());

    assertThat(intAt("ibv_qp_attr", "qp_state")).isEqualTo(QpState.RTS.code());
    assertThat(intAt("ibv_qp_attr", "cur_qp_state")).isEqualTo(QpState.RTR.code());
    assertThat(intAt("ibv_qp_attr", "path_mtu")).isEqualTo(4);
    assertThat(intAt("ibv_qp_attr", "path_mig_state")).isEqualTo(1);
    assertThat(intAt("ibv_qp_attr", "qkey")).isEqualTo(17);
    assertThat(intAt("ibv_qp_attr", "rq_psn")).isEqualTo(18);
    assertThat(intAt("ibv_qp_attr", "sq_psn")).isEqualTo(19);
    assertThat(intAt("ibv_qp_attr", "dest_qp_num")).isEqualTo(20);
    assertThat(intAt("ibv_qp_attr", "qp_access_flags")).isEqualTo(4);
    assertThat(intAt("ibv_qp_attr", "cap")).isEqualTo(21);
    assertThat(memory.getShort(at("ibv_qp_attr", "pkey_index"))).isEqualTo((short) 29);
    assertThat(memory.getShort(at("ibv_qp_attr", "alt_pkey_index"))).isEqualTo((short) 26);
    assertThat(byteAt("ibv_qp_attr", "en_sqd_async_notify")).isEqualTo(1);
    assertThat(byteAt("ibv_qp_attr", "max_rd_atomic")).isEqualTo(30);
    assertThat(byteAt("ibv_qp_attr", "max_dest_rd_atomic")).isEqualTo(31);
    assertThat(byteAt("ibv_qp_attr", "min_rnr_timer")).isEqualTo(12);
    assertThat(byteAt("ibv_qp_attr", "port_num")).isEqualTo(1);
    assertThat(byteAt("ibv_qp_attr", "timeout")).isEqualTo(14);
    assertThat(byteAt("ibv_qp_attr", "retry_cnt")).isEqualTo(7);
    assertThat(byteAt("ibv_qp_attr", "rnr_retry")).isEqualTo(6);
    assertThat(byteAt("ibv_qp_attr", "alt_port_num")).isEqualTo(27);
    assertThat(byteAt("ibv_qp_attr", "alt_timeout")).isEqualTo(28);
    assertThat(intAt("ibv_qp_attr", "rate_limit")).isEqualTo(32);
    int peer = at("ibv_qp_attr", "ah_attr");
    assertThat(memory.get(peer + abi.offset("ibv_ah_attr", "is_global"))).isEqualTo((byte) 1);
    assertThat(memory.get(peer + abi.offset("ibv_ah_attr", "sl"))).isEqualTo((byte) 7);
    assertThat(memory.get(peer + abi.offset("ibv_ah_attr", "port_num"))).isEqualTo((byte) 8);
  }

  @Test
  void readsWhatTheMaskNamesAndNothingElse() {
    QpAttr written = everything();
    QpAttrStruct.write(memory, AT, written);
    memory.putInt(at("ibv_qp_attr", "path_mtu"), 99); // Garbage, which is not asked for.

    QpAttr read =
        QpAttrStruct.read(memory, AT, EnumSet.complementOf(EnumSet.of(QpAttrMask.PATH_MTU)));

    assertThat(read.altPath()).isEqualTo(written.altPath());
    assertThat(read.ahAttr()).isEqualTo(written.ahAttr());
    assertThat(read.cap()).isEqualTo(written.cap());
    assertThat(read.rateLimit()).isEqualTo(32);
    assertThat(read.mask()).doesNotContain(QpAttrMask.PATH_MTU).hasSize(21);
  }

  @Test
  void refusesValuesThatNoConstantHas() {
    QpAttrStruct.write(memory, AT, everything());
    memory.putInt(at("ibv_qp_attr", "qp_state"), 99);

    assertThatThrownBy(() -> QpAttrStruct.read(memory, AT, Set.of(QpAttrMask.STATE)))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("qp_state 99 is none of");
  }

  @Test
  void masksFlowLabelsAsLinuxDoes() {
    AhAttrStruct.write(memory, AT, new AhAttr(new GlobalRoute(Gid.ZERO, 0, 0, 0, 0), 0, 1));
    memory.putInt(AT + 16, 0xffffffff);

    assertThat(AhAttrStruct.read(memory, AT).grh().flowLabel()).isEqualTo(0xfffff);
  }

  @Test
  void writesCompletions() {
    WcStruct.write(
        memory,
        AT,
        new Cqe()
            .begin(1L << 40, WcStatus.SUCCESS, WcOpcode.RECV, 5)
            .byteLen(3)
            .immData(0x01020304)
            .srcQp(6)
            .wcFlags(Set.of(WcFlag.WITH_IMM)));

    assertThat(memory.getLong(at("ibv_wc", "wr_id"))).isEqualTo(1L << 40);
    assertThat(intAt("ibv_wc", "opcode")).isEqualTo(128);
    assertThat(intAt("ibv_wc", "byte_len")).isEqualTo(3);
    assertThat(intAt("ibv_wc", "qp_num")).isEqualTo(5);
    assertThat(intAt("ibv_wc", "src_qp")).isEqualTo(6);
    assertThat(intAt("ibv_wc", "wc_flags")).isEqualTo(2);
    memory.order(ByteOrder.BIG_ENDIAN);
    assertThat(intAt("ibv_wc", "imm_data")).isEqualTo(0x01020304); // Network order.
  }

  @Test
  void writesInvalidatedKeysInHostOrder() {
    WcStruct.write(
        memory,
        AT,
        new Cqe()
            .begin(0, WcStatus.SUCCESS, WcOpcode.RECV, 5)
            .immData(0x01020304)
            .wcFlags(Set.of(WcFlag.WITH_INV)));

    assertThat(intAt("ibv_wc", "invalidated_rkey")).isEqualTo(0x01020304);
  }

  @Test
  void readsRequests() {
    memory.putLong(at("ibv_send_wr", "wr_id"), 7);
    memory.putInt(at("ibv_send_wr", "num_sge"), 1);
    memory.putInt(at("ibv_send_wr", "opcode"), 0);
    memory.putInt(at("ibv_send_wr", "send_flags"), 3);
    memory.putLong(at("ibv_send_wr", "wr.rdma.remote_addr"), 0x1000);
    memory.putInt(at("ibv_send_wr", "wr.rdma.rkey"), 8);
    int entry = AT + 128;
    memory.putLong(entry + abi.offset("ibv_sge", "addr"), 0x2000);
    memory.putInt(entry + abi.offset("ibv_sge", "length"), 9);
    memory.putInt(entry + abi.offset("ibv_sge", "lkey"), 10);

    SendRequest request = read();
    assertThat(request.wrId()).isEqualTo(7);
    assertThat(request.opcode()).isEqualTo(WrOpcode.RDMA_WRITE);
    assertThat(SendFlag.values())
        .filteredOn(request::has)
        .containsExactlyInAnyOrder(SendFlag.FENCE, SendFlag.SIGNALED);
    assertThat(request.remoteAddr()).isEqualTo(0x1000);
    assertThat(request.rkey()).isEqualTo(8);
    assertThat(request.sges().size()).isEqualTo(1);
    assertThat(request.sges().addr(0)).isEqualTo(0x2000);
    assertThat(request.sges().length(0)).isEqualTo(9);
    assertThat(request.sges().lkey(0)).isEqualTo(10);
    assertThat(request.sges().isOwn(0)).isFalse();
    assertThat(request.value()).isNull();
    assertThat(request.number()).isZero();
    assertThat(request.isDatagram()).isFalse();
    assertThat(request.remoteSrqn()).isZero();
  }

  @Test
  void readsAtomics() {
    memory.putInt(at("ibv_send_wr", "opcode"), 5);
    memory.putLong(at("ibv_send_wr", "wr.atomic.remote_addr"), 0x1000);
    memory.putLong(at("ibv_send_wr", "wr.atomic.compare_add"), 3);
    memory.putLong(at("ibv_send_wr", "wr.atomic.swap"), 4);
    memory.putInt(at("ibv_send_wr", "wr.atomic.rkey"), 8);

    SendRequest request = read();
    assertThat(request.opcode()).isEqualTo(WrOpcode.ATOMIC_CMP_AND_SWP);
    assertThat(request.remoteAddr()).isEqualTo(0x1000);
    assertThat(request.rkey()).isEqualTo(8);
    assertThat(request.compareAdd()).isEqualTo(3);
    assertThat(request.swap()).isEqualTo(4);
  }

  @Test
  void readsInlineDataBehindTheEntries() {
    memory.putInt(at("ibv_send_wr", "opcode"), 2);
    memory.putInt(at("ibv_send_wr", "num_sge"), 1);
    memory.putLong(AT + 16, 2); // In place of the list of entries.
    memory.put(AT + 128 + 16, (byte) 5).put(AT + 128 + 17, (byte) 6);

    SendRequest listed = read();
    assertThat(listed.sges().size()).isEqualTo(1);
    ByteBuffer copy = ByteBuffer.allocate(2);
    listed.sges().copyOwn(0, copy, 0);
    assertThat(copy.array()).containsExactly(5, 6);

    SendRequest built = new SendRequest();
    SendWrStruct.read(memory, AT, QpType.RC, true, built);
    assertThat(built.sges().size()).isZero();
    SendRequest expected = new SendRequest();
    expected.copyValue(ByteBuffer.wrap(new byte[] {5, 6}), 0, 2);
    assertThat(built.value()).isNotNull().isEqualTo(expected.value());
  }

  private SendRequest read() {
    SendRequest request = new SendRequest();
    SendWrStruct.read(memory, AT, QpType.RC, false, request);
    return request;
  }

  @Test
  void refusesUnknownOperationsAndFlags() {
    memory.putInt(at("ibv_send_wr", "opcode"), 12);
    assertThatThrownBy(this::read).hasMessageContaining("operation 12");

    memory.putInt(at("ibv_send_wr", "opcode"), 2);
    memory.putInt(at("ibv_send_wr", "send_flags"), 0x100);
    assertThatThrownBy(this::read).hasMessageContaining("0x100");
  }

  @Test
  void writesDevicesAndPorts() {
    try (Emulator emulator = Emulator.inMemory();
        Context context = emulator.addDevice("10.0.0.1").open()) {
      DeviceAttrEx device = context.queryDeviceEx();
      PortAttr port = context.queryPort(1);

      DeviceAttrStruct.write(memory, AT, device);
      for (DeviceLimit limit :
          EnumSet.complementOf(
              EnumSet.of(
                  DeviceLimit.MAX_MR_SIZE,
                  DeviceLimit.PAGE_SIZE_CAP,
                  DeviceLimit.MAX_PKEYS,
                  DeviceLimit.LOCAL_CA_ACK_DELAY))) {
        assertThat(intAt("ibv_device_attr", limit.fieldName()))
            .as(limit.fieldName())
            .isEqualTo((int) device.origAttr().limit(limit));
      }
      assertThat(byteAt("ibv_device_attr", "phys_port_cnt"))
          .isEqualTo(device.origAttr().physPortCnt());
      assertThat(memory.getLong(at("ibv_device_attr_ex", "max_dm_size")))
          .isEqualTo(device.maxDmSize());
      assertThat(intAt("ibv_device_attr_ex", "phys_port_cnt_ex")).isEqualTo(device.physPortCntEx());
      assertScaling(device);

      PortAttrStruct.write(memory, AT, port);
      assertThat(intAt("ibv_port_attr", "state")).isEqualTo(port.state().code());
      assertThat(intAt("ibv_port_attr", "gid_tbl_len")).isEqualTo(port.gidTblLen());
      assertThat(intAt("ibv_port_attr", "max_msg_sz")).isEqualTo((int) port.maxMsgSz());
      assertThat(byteAt("ibv_port_attr", "link_layer")).isEqualTo(port.linkLayer().code());
    }
  }

  private void assertScaling(DeviceAttrEx device) {
    String structure = "ibv_device_attr_ex";
    RssCaps rss = device.rssCaps();
    assertThat(intAt(structure, "rss_caps.supported_qpts")).isEqualTo(1 << 8);
    assertThat(intAt(structure, "rss_caps.max_rwq_indirection_tables"))
        .isEqualTo(rss.maxRwqIndirectionTables());
    assertThat(intAt(structure, "rss_caps.max_rwq_indirection_table_size"))
        .isEqualTo(rss.maxRwqIndirectionTableSize());
    assertThat(memory.getLong(at(structure, "rss_caps.rx_hash_fields_mask"))).isEqualTo(0xff);
    assertThat(byteAt(structure, "rss_caps.rx_hash_function")).isOne();
    assertThat(intAt(structure, "max_wq_type_rq")).isEqualTo(device.maxWqTypeRq());
  }
}
