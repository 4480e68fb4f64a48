package io.queuepair.tools.devinfo;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tools.CommandRun;
import io.queuepair.tools.Loopback;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/**
 * Compares with the format strings of ibv_devinfo (rdma-core 44), written here with their tabs, so
 * that a script made for the original understands the output.
 */
final class DevinfoCommandTest {
  /** Each label with the tabs before and after it. */
  private static final String LABELS =
      """
      hca_id:\t
      \ttransport:\t\t\t
      \tnode_guid:\t\t\t
      \tsys_image_guid:\t\t\t
      \tvendor_id:\t\t\t
      \tvendor_part_id:\t\t\t
      \thw_ver:\t\t\t\t
      \tphys_port_cnt:\t\t\t
      \tmax_mr_size:\t\t\t
      \tpage_size_cap:\t\t\t
      \tmax_qp:\t\t\t\t
      \tmax_qp_wr:\t\t\t
      \tdevice_cap_flags:\t\t
      \tmax_sge:\t\t\t
      \tmax_sge_rd:\t\t\t
      \tmax_cq:\t\t\t\t
      \tmax_cqe:\t\t\t
      \tmax_mr:\t\t\t\t
      \tmax_pd:\t\t\t\t
      \tmax_qp_rd_atom:\t\t\t
      \tmax_ee_rd_atom:\t\t\t
      \tmax_res_rd_atom:\t\t
      \tmax_qp_init_rd_atom:\t\t
      \tmax_ee_init_rd_atom:\t\t
      \tatomic_cap:\t\t\t
      \tmax_ee:\t\t\t\t
      \tmax_rdd:\t\t\t
      \tmax_mw:\t\t\t\t
      \tmax_raw_ipv6_qp:\t\t
      \tmax_raw_ethy_qp:\t\t
      \tmax_mcast_grp:\t\t\t
      \tmax_mcast_qp_attach:\t\t
      \tmax_total_mcast_qp_attach:\t
      \tmax_ah:\t\t\t\t
      \tmax_fmr:\t\t\t
      \tmax_srq:\t\t\t
      \tmax_pkeys:\t\t\t
      \tlocal_ca_ack_delay:\t\t
      \tgeneral_odp_caps:
      \trc_odp_caps:
      \t\t\t\t\tNO SUPPORT
      \tuc_odp_caps:
      \t\t\t\t\tNO SUPPORT
      \tud_odp_caps:
      \t\t\t\t\tNO SUPPORT
      \txrc_odp_caps:
      \t\t\t\t\tNO SUPPORT
      \tcompletion_timestamp_mask not supported
      \tcore clock not supported
      \tdevice_cap_flags_ex:\t\t
      \ttso_caps:
      \t\tmax_tso:\t\t\t
      \trss_caps:
      \t\tmax_rwq_indirection_tables:\t\t\t
      \t\tmax_rwq_indirection_table_size:\t\t\t
      \t\trx_hash_function:\t\t\t\t
      \t\trx_hash_fields_mask:\t\t\t\t
      \tmax_wq_type_rq:\t\t\t
      \tpacket_pacing_caps:
      \t\tqp_rate_limit_min:\t
      \t\tqp_rate_limit_max:\t
      \ttag matching not supported
      \tnum_comp_vectors:\t\t
      \t\tport:\t
      \t\t\tstate:\t\t\t
      \t\t\tmax_mtu:\t\t
      \t\t\tactive_mtu:\t\t
      \t\t\tsm_lid:\t\t\t
      \t\t\tport_lid:\t\t
      \t\t\tport_lmc:\t\t
      \t\t\tlink_layer:\t\t
      \t\t\tmax_msg_sz:\t\t
      \t\t\tport_cap_flags:\t\t
      \t\t\tport_cap_flags2:\t
      \t\t\tmax_vl_num:\t\t
      \t\t\tbad_pkey_cntr:\t\t
      \t\t\tqkey_viol_cntr:\t\t
      \t\t\tsm_sl:\t\t\t
      \t\t\tpkey_tbl_len:\t\t
      \t\t\tgid_tbl_len:\t\t
      \t\t\tsubnet_timeout:\t\t
      \t\t\tinit_type_reply:\t
      \t\t\tactive_width:\t\t
      \t\t\tactive_speed:\t\t
      \t\t\tphys_state:\t\t
      \t\t\tGID[  0]:\t\t

      """;

  @Test
  void printsTheLinesOfIbvDevinfo() {
    CommandRun run = CommandRun.of("devinfo");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out().replaceAll("[0-9a-f]{4}(:[0-9a-f]{4}){3}", "GUID"))
        .isEqualToNormalizingNewlines(
            """
            hca_id:\tqp0
            \ttransport:\t\t\tInfiniBand (0)
            \tnode_guid:\t\t\tGUID
            \tsys_image_guid:\t\t\tGUID
            \tvendor_id:\t\t\t0xffffff
            \tvendor_part_id:\t\t\t0
            \thw_ver:\t\t\t\t0x0
            \tphys_port_cnt:\t\t\t1
            \t\tport:\t1
            \t\t\tstate:\t\t\tPORT_ACTIVE (4)
            \t\t\tmax_mtu:\t\t4096 (5)
            \t\t\tactive_mtu:\t\t4096 (5)
            \t\t\tsm_lid:\t\t\t0
            \t\t\tport_lid:\t\t0
            \t\t\tport_lmc:\t\t0x00
            \t\t\tlink_layer:\t\tEthernet

            """);
  }

  /** Order and columns; of the values only those that no profile changes. */
  @Test
  void printsEveryAttributeInTheOrderOfIbvDevinfo() {
    CommandRun run = CommandRun.of("devinfo", "-v");

    assertThat(run.lines())
        .map(line -> line.replaceFirst("(:\\t+)[^\\t]+$", "$1"))
        .filteredOn(line -> !line.matches("\\t{5}[A-Z0-9_]+") && !line.contains("max_srq_"))
        .containsExactlyElementsOf(LABELS.lines().toList());
  }

  @Test
  void printsValuesWithTheirUnitsAndCodes() {
    CommandRun run = CommandRun.of("devinfo", "-v");

    assertThat(run.lines())
        .contains("\tpage_size_cap:\t\t\t0xfffff000")
        .contains("\t\t\t\t\tRC_RNR_NAK_GEN")
        .contains("\t\tqp_rate_limit_min:\t0kbps")
        .contains("\t\t\tmax_msg_sz:\t\t0x80000000")
        .contains("\t\t\tmax_vl_num:\t\t1 (1)")
        .contains("\t\t\tactive_width:\t\t1X (1)")
        .contains("\t\t\tactive_speed:\t\t2.5 Gbps (1)")
        .contains("\t\t\tphys_state:\t\tLINK_UP (5)")
        .contains("\t\t\tGID[  0]:\t\t::ffff:10.0.0.1, RoCE v2")
        .anyMatch(line -> line.matches("\tdevice_cap_flags:\t\t0x[0-9a-f]{8}"))
        .anyMatch(line -> line.matches("\tatomic_cap:\t\t\tATOMIC_(NONE \\(0|HCA \\(1)\\)"));
  }

  @Test
  void listsTheDevices() {
    assertThat(CommandRun.of("devinfo", "-l").out())
        .isEqualToNormalizingNewlines("1 HCA found:\n\tqp0\n\n");
  }

  @Test
  void showsOneDeviceAndOnePortIfAskedTo() {
    assertThat(CommandRun.of("devinfo", "-d", "qp0", "-i", "1").out())
        .isEqualTo(CommandRun.of("devinfo").out());
  }

  @Test
  void showsTheInterfaceOfABoundDevice() {
    CommandRun run =
        CommandRun.of("devinfo", "-v", "--bind", Loopback.SERVER + "," + Loopback.CLIENT);

    assertThat(run.err()).isEmpty();
    assertThat(run.lines())
        .contains("\t\t\tactive_mtu:\t\t4096 (5)")
        .contains("\t\t\tGID[  0]:\t\t::ffff:" + Loopback.SERVER + ", RoCE v2")
        .contains("\t\t\tGID[  1]:\t\t::ffff:" + Loopback.CLIENT + ", RoCE v2");
  }

  @Test
  void saysThatADeviceOrPortDoesNotExist() {
    assertThat(CommandRun.of("devinfo", "-d", "mlx5_0"))
        .isEqualTo(failure("IB device 'mlx5_0' wasn't found; the emulated device is qp0"));
    assertThat(CommandRun.of("devinfo", "-i", "2"))
        .isEqualTo(failure("Invalid port requested for device: it has 1"));
  }

  @Test
  void saysWhyAnAddressCannotBeBound() throws IOException {
    var taken = new InetSocketAddress(Loopback.SERVER, 4791);
    try (DatagramSocket other = new DatagramSocket(taken)) {
      CommandRun run = CommandRun.of("devinfo", "--bind", Loopback.SERVER);

      assertThat(other.isBound()).isTrue();
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .startsWith("queuepair devinfo: UDP port 4791 on " + Loopback.SERVER)
          .contains("in use")
          .hasLineCount(1);
    }
    assertThat(CommandRun.of("devinfo", "--bind", "192.0.2.1"))
        .isEqualTo(failure("192.0.2.1 is not an address of this host"));
    assertThat(CommandRun.of("devinfo", "--bind", "eth0"))
        .isEqualTo(failure("eth0 is not an IP address"));
  }

  private static CommandRun failure(String line) {
    return new CommandRun(1, "", "queuepair devinfo: " + line + System.lineSeparator());
  }
}
