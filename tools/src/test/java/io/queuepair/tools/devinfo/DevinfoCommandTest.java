// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.devinfo;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.LoopbackNetwork;
import org.junit.jupiter.api.Test;

/**
 * Compares with what ibv_devinfo of rdma-core 44 prints, so that a script made for the original
 * understands the output.
 */
final class DevinfoCommandTest {
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
            \tphys_port_cnt:\t\t\t2
            \t\tport:\t1
            \t\t\tstate:\t\t\tPORT_ACTIVE (4)
            \t\t\tmax_mtu:\t\t4096 (5)
            \t\t\tactive_mtu:\t\t4096 (5)
            \t\t\tsm_lid:\t\t\t0
            \t\t\tport_lid:\t\t0
            \t\t\tport_lmc:\t\t0x00
            \t\t\tlink_layer:\t\tEthernet

            \t\tport:\t2
            \t\t\tstate:\t\t\tPORT_DOWN (1)
            \t\t\tmax_mtu:\t\t4096 (5)
            \t\t\tactive_mtu:\t\t4096 (5)
            \t\t\tsm_lid:\t\t\t0
            \t\t\tport_lid:\t\t0
            \t\t\tport_lmc:\t\t0x00
            \t\t\tlink_layer:\t\tEthernet

            """);
  }

  /** Labels and order of ibv_devinfo of rdma-core 44; the values are those of the device. */
  @Test
  void printsTheExtensionsThatTheDeviceHas() {
    assertThat(CommandRun.of("devinfo", "-v", "-i", "1").lines())
        .containsSequence("\tgeneral_odp_caps:", "\t\t\t\t\tODP_SUPPORT")
        .containsSequence("\tuc_odp_caps:", "\t\t\t\t\tSUPPORT_SEND")
        .containsSequence(
            "\tcompletion timestamp_mask:\t\t\t0xffffffffffffffff",
            "\thca_core_clock:\t\t\t1000000kHZ",
            "\traw packet caps:",
            "\t\t\t\t\tC-VLAN stripping offload",
            "\t\t\t\t\tIP csum offload")
        .containsSequence(
            "\ttso_caps:",
            "\t\tmax_tso:\t\t\t262144",
            "\t\tsupported_qp:",
            "\t\t\t\t\tSUPPORT_RAW_PACKET",
            "\t\t\t\t\tSUPPORT_UD",
            "\trss_caps:",
            "\t\tmax_rwq_indirection_tables:\t\t\t65536",
            "\t\tmax_rwq_indirection_table_size:\t\t\t512",
            "\t\trx_hash_function:\t\t\t\t0x1",
            "\t\trx_hash_fields_mask:\t\t\t\t0xFF",
            "\t\tsupported_qp:",
            "\t\t\t\t\tSUPPORT_RAW_PACKET",
            "\tmax_wq_type_rq:\t\t\t1048576")
        .containsSequence(
            "\t\tqp_rate_limit_min:\t1kbps",
            "\t\tqp_rate_limit_max:\t2147483647kbps",
            "\t\tsupported_qp:",
            "\t\t\t\t\tSUPPORT_RAW_PACKET",
            "\ttag matching not supported",
            "",
            "\tcq moderation caps:",
            "\t\tmax_cq_count:\t65535",
            "\t\tmax_cq_period:\t65535 us",
            "",
            "\tmaximum available device memory:\t1048576Bytes",
            "",
            "\tnum_comp_vectors:\t\t1");
  }

  @Test
  void listsTheDevices() {
    assertThat(CommandRun.of("devinfo", "-l").out())
        .isEqualToNormalizingNewlines("1 HCA found:\n\tqp0\n\n");
  }

  @Test
  void showsOneDeviceAndOnePortIfAskedTo() {
    String all = CommandRun.of("devinfo").out();

    assertThat(CommandRun.of("devinfo", "-d", "qp0", "-i", "1").out())
        .isEqualTo(all.substring(0, all.indexOf("\t\tport:\t2")));
  }

  @Test
  void showsTheInterfaceOfABoundDevice() {
    CommandRun run =
        CommandRun.of(
            "devinfo", "-v", "--bind", LoopbackNetwork.SERVER + "," + LoopbackNetwork.CLIENT);

    assertThat(run.err()).isEmpty();
    assertThat(run.lines())
        .contains("\t\t\tactive_mtu:\t\t4096 (5)")
        .contains("\t\t\tGID[  0]:\t\t::ffff:" + LoopbackNetwork.SERVER + ", RoCE v2")
        .contains("\t\t\tGID[  1]:\t\t::ffff:" + LoopbackNetwork.CLIENT + ", RoCE v2");
  }

  @Test
  void saysThatAPortDoesNotExist() {
    assertThat(CommandRun.of("devinfo", "-i", "3"))
        .isEqualTo(failure("Invalid port requested for device: it has 2"));
  }

  private static CommandRun failure(String line) {
    return new CommandRun(1, "", "queuepair devinfo: " + line + System.lineSeparator());
  }
}
