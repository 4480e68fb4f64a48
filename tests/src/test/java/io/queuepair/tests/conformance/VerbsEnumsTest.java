// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AdviseMrAdvice;
import io.queuepair.verbs.AdviseMrFlag;
import io.queuepair.verbs.AtomicCap;
import io.queuepair.verbs.CounterDescription;
import io.queuepair.verbs.CreateCqAttrFlag;
import io.queuepair.verbs.CreateCqWcFlag;
import io.queuepair.verbs.DataInOrderCap;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.FlowAttrType;
import io.queuepair.verbs.FlowFlag;
import io.queuepair.verbs.ForkStatus;
import io.queuepair.verbs.GidType;
import io.queuepair.verbs.LinkLayer;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.MrInitAttrMask;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.NodeType;
import io.queuepair.verbs.OdpGeneralCap;
import io.queuepair.verbs.OdpTransportCap;
import io.queuepair.verbs.PortState;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpCreateFlag;
import io.queuepair.verbs.QpInitAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.Rate;
import io.queuepair.verbs.RawPacketCap;
import io.queuepair.verbs.ReregMrErrCode;
import io.queuepair.verbs.ReregMrFlag;
import io.queuepair.verbs.RxHashField;
import io.queuepair.verbs.RxHashFunction;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.TransportType;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WqAttrMask;
import io.queuepair.verbs.WqFlag;
import io.queuepair.verbs.WqState;
import io.queuepair.verbs.WqType;
import io.queuepair.verbs.WrOpcode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every constant has the name, the value and the text that it has in C, and none is missing. */
final class VerbsEnumsTest {
  private static final List<String[]> ROWS = TsvTable.rows("verbs_enums.tsv");
  private static final int NAME = 1;
  private static final int VALUE = 2;
  private static final int TEXT = 3;

  static Stream<Arguments> enums() {
    return Stream.of(
        Arguments.of("ibv_access_flags", "IBV_ACCESS_", AccessFlag.values()),
        Arguments.of("ibv_advise_mr_advice", "IBV_ADVISE_MR_ADVICE_", AdviseMrAdvice.values()),
        Arguments.of("ibv_advise_mr_flags", "IBV_ADVISE_MR_FLAG_", AdviseMrFlag.values()),
        Arguments.of("ibv_atomic_cap", "IBV_ATOMIC_", AtomicCap.values()),
        Arguments.of("ibv_counter_description", "IBV_COUNTER_", CounterDescription.values()),
        Arguments.of("ibv_create_cq_attr_flags", "IBV_CREATE_CQ_ATTR_", CreateCqAttrFlag.values()),
        Arguments.of("ibv_create_cq_wc_flags", "IBV_WC_EX_", CreateCqWcFlag.values()),
        Arguments.of("ibv_device_cap_flags", "IBV_DEVICE_", DeviceCapFlag.values()),
        Arguments.of("ibv_event_type", "IBV_EVENT_", EventType.values()),
        Arguments.of("ibv_flow_attr_type", "IBV_FLOW_ATTR_", FlowAttrType.values()),
        Arguments.of("ibv_flow_flags", "IBV_FLOW_ATTR_FLAGS_", FlowFlag.values()),
        Arguments.of("ibv_fork_status", "IBV_FORK_", ForkStatus.values()),
        Arguments.of("ibv_gid_type", "IBV_GID_TYPE_", GidType.values()),
        Arguments.of("link_layer", "IBV_LINK_LAYER_", LinkLayer.values()),
        Arguments.of("ibv_mig_state", "IBV_MIG_", MigState.values()),
        Arguments.of("ibv_mr_init_attr_mask", "IBV_REG_MR_MASK_", MrInitAttrMask.values()),
        Arguments.of("ibv_mtu", "IBV_", Mtu.values()),
        Arguments.of("ibv_node_type", "IBV_NODE_", NodeType.values()),
        Arguments.of("ibv_odp_general_caps", "IBV_ODP_", OdpGeneralCap.values()),
        Arguments.of("ibv_odp_transport_cap_bits", "IBV_ODP_SUPPORT_", OdpTransportCap.values()),
        Arguments.of("ibv_port_state", "IBV_PORT_", PortState.values()),
        Arguments.of("ibv_qp_attr_mask", "IBV_QP_", QpAttrMask.values()),
        Arguments.of("ibv_qp_create_flags", "IBV_QP_CREATE_", QpCreateFlag.values()),
        Arguments.of("ibv_qp_create_send_ops_flags", "IBV_QP_EX_", SendOpsFlag.values()),
        Arguments.of("ibv_qp_init_attr_mask", "IBV_QP_INIT_ATTR_", QpInitAttrMask.values()),
        Arguments.of("ibv_qp_state", "IBV_QPS_", QpState.values()),
        Arguments.of("ibv_qp_type", "IBV_QPT_", QpType.values()),
        Arguments.of("ibv_rereg_mr_err_code", "IBV_REREG_MR_ERR_", ReregMrErrCode.values()),
        Arguments.of("ibv_rereg_mr_flags", "IBV_REREG_MR_", ReregMrFlag.values()),
        Arguments.of(
            "ibv_query_qp_data_in_order_caps",
            "IBV_QUERY_QP_DATA_IN_ORDER_",
            DataInOrderCap.values()),
        Arguments.of("ibv_rate", "IBV_", Rate.values()),
        Arguments.of("ibv_raw_packet_caps", "IBV_RAW_PACKET_CAP_", RawPacketCap.values()),
        Arguments.of("ibv_rx_hash_fields", "IBV_RX_HASH_", RxHashField.values()),
        Arguments.of("ibv_rx_hash_function_flags", "IBV_RX_HASH_", RxHashFunction.values()),
        Arguments.of("ibv_send_flags", "IBV_SEND_", SendFlag.values()),
        Arguments.of("ibv_transport_type", "IBV_TRANSPORT_", TransportType.values()),
        Arguments.of("ibv_wc_flags", "IBV_WC_", WcFlag.values()),
        Arguments.of("ibv_wc_opcode", "IBV_WC_", WcOpcode.values()),
        Arguments.of("ibv_wc_status", "IBV_WC_", WcStatus.values()),
        Arguments.of("ibv_wq_attr_mask", "IBV_WQ_ATTR_", WqAttrMask.values()),
        Arguments.of("ibv_wq_flags", "IBV_WQ_FLAGS_", WqFlag.values()),
        Arguments.of("ibv_wq_state", "IBV_WQS_", WqState.values()),
        Arguments.of("ibv_wq_type", "IBV_WQT_", WqType.values()),
        Arguments.of("ibv_wr_opcode", "IBV_WR_", WrOpcode.values()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("enums")
  void namesAndValuesAreThoseOfC(String cEnum, String prefix, VerbsConstant[] constants) {
    Map<String, Integer> expected = new TreeMap<>();
    rowsOf(cEnum).forEach(row -> expected.put(row[NAME], Integer.parseInt(row[VALUE])));
    Map<String, Integer> actual = new TreeMap<>();
    for (VerbsConstant constant : constants) {
      actual.put(prefix + constant, constant.code());
    }

    assertThat(actual).isEqualTo(expected);
  }

  private static Stream<String[]> rowsOf(String cEnum) {
    return ROWS.stream().filter(row -> row[0].equals(cEnum));
  }

  static Stream<Arguments> texts() {
    return Stream.of(
        texts("ibv_event_type", "IBV_EVENT_", EventType.values(), EventType::text),
        texts("ibv_node_type", "IBV_NODE_", NodeType.values(), NodeType::text),
        texts("ibv_port_state", "IBV_PORT_", PortState.values(), PortState::text),
        texts("ibv_wc_status", "IBV_WC_", WcStatus.values(), WcStatus::text),
        texts("ibv_wr_opcode", "IBV_WR_", WrOpcode.values(), WrOpcode::text));
  }

  private static <T> Arguments texts(
      String cEnum, String prefix, T[] constants, Function<T, String> text) {
    Map<String, String> texts = new TreeMap<>();
    Arrays.stream(constants).forEach(each -> texts.put(prefix + each, text.apply(each)));
    return Arguments.of(cEnum, texts);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("texts")
  void textsAreThoseOfTheStrFunctions(String cEnum, Map<String, String> actual) {
    Map<String, String> expected = new TreeMap<>();
    rowsOf(cEnum)
        .filter(row -> !row[TEXT].isEmpty())
        .forEach(row -> expected.put(row[NAME], row[TEXT]));

    assertThat(actual).containsAllEntriesOf(expected);
  }

  @ParameterizedTest
  @EnumSource(QpAttrMask.class)
  void attributesAreSingleBits(QpAttrMask attribute) {
    assertThat(Integer.bitCount(attribute.code())).isOne();
  }

  /** {@code IBV_WC_STANDARD_FLAGS} of the header. */
  @Test
  void theStandardFieldsOfACompletionAreThoseOfC() {
    assertThat(VerbsConstant.mask(CreateCqWcFlag.standard())).isEqualTo(0x7f);
  }

  @ParameterizedTest
  @CsvSource({
    "EPERM, 1",
    "ENOENT, 2",
    "EINTR, 4",
    "EAGAIN, 11",
    "ENOMEM, 12",
    "EFAULT, 14",
    "EBUSY, 16",
    "ENODEV, 19",
    "EINVAL, 22",
    "ENOSPC, 28",
    "EDEADLK, 35",
    "ENODATA, 61",
    "EOPNOTSUPP, 95",
    "EADDRINUSE, 98",
    "EADDRNOTAVAIL, 99",
    "ENETUNREACH, 101",
    "ETIMEDOUT, 110",
    "EHOSTUNREACH, 113"
  })
  void errorNumbersAreThoseOfLinux(Errno errno, int value) {
    assertThat(errno.code()).isEqualTo(value);
  }
}
