// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** What perftest can do and this cannot; asking for it is an error that names it. */
final class PerftestUnsupportedOptions {
  private static final List<String> NAMES =
      List.of(
          "-C",
          "--report-cycles",
          "-g",
          "--mcg",
          "-H",
          "--report-histogram",
          "-L",
          "--hop_limit",
          "-M",
          "--MGID",
          "-N",
          "--noPeak",
          "-O",
          "--dualport",
          "-T",
          "--tos",
          "-U",
          "--report-unsorted",
          "-w",
          "--limit_bw",
          "-W",
          "--report-counters",
          "-X",
          "--vector",
          "-y",
          "--limit_msgrate",
          "-z",
          "--com_rdma_cm",
          "--recv_post_list",
          "--latency_gap",
          "--log_dci_streams",
          "--log_active_dci_streams",
          "--aes_xts",
          "--encrypt_on_tx",
          "--sig_before",
          "--aes_block_size",
          "--data_enc_keys_number",
          "--kek_path",
          "--credentials_path",
          "--data_enc_key_app_path",
          "--cpu_util",
          "--dlid",
          "--dont_xchg_versions",
          "--force-link",
          "--inline_recv",
          "--ipv6",
          "--source_ip",
          "--mmap",
          "--mmap-offset",
          "--mr_per_qp",
          "--odp",
          "--output",
          "--use_old_post_send",
          "--perform_warm_up",
          "--pkey_index",
          "--report-both",
          "--report-per-port",
          "--reversed",
          "--run_infinitely",
          "--retry_count",
          "--tclass",
          "--use_hugepages",
          "--wait_destroy",
          "--disable_pcie_relaxed",
          "--burst_size",
          "--typical_pkt_size",
          "--rate_limit",
          "--rate_units",
          "--rate_limit_type",
          "--use_cuda",
          "--use_rocm",
          "--use-null-mr",
          "--payload_file_path",
          "--flow_label");

  private PerftestUnsupportedOptions() {}

  static void addTo(CommandLine command) {
    NAMES.forEach(
        name -> command.getCommandSpec().addOption(refused(command.getCommandSpec(), name)));
  }

  private static OptionSpec refused(CommandSpec spec, String name) {
    return OptionSpec.builder(name)
        .hidden(true)
        .arity("0..1")
        .type(String.class)
        .parameterConsumer(
            (args, option, command) -> {
              throw new ParameterException(
                  spec.commandLine(), "perftest's option " + name + " is not offered here");
            })
        .build();
  }
}
