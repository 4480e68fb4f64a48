// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.decode;

import io.queuepair.emulator.observe.CaptureFile;
import io.queuepair.emulator.observe.PacketRecord;
import io.queuepair.tools.cli.InputFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the RoCEv2 packets of a capture file. */
@Command(
    name = "decode",
    description = {
      "Prints the RoCEv2 packets of a capture file, one line each: frame number, time since the"
          + " first, addresses, opcode, QP, PSN, the fields of the headers, bytes from BTH to ICRC,"
          + " and whether the ICRC is right.",
      "",
      "Reads what tcpdump, Wireshark and --pcap write: pcap and pcapng, also compressed with gzip,"
          + " of Ethernet with or without VLAN tags, raw IP, Linux cooked or BSD loopback. Frames"
          + " that are no UDP datagrams for port 4791 are skipped and counted, by what they are:"
          + " RoCE v1, IP fragments, VXLAN, ERSPAN, another link type (InfiniBand, ERF), or else.",
      "",
      "The last line counts: each packet is icrc_ok, icrc_bad or malformed; reencoded_identical are"
          + " those that give the same bytes when what was decoded is encoded again. Exits with 1"
          + " if the file is broken or ends within a packet, after printing what is before that.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair demo --pcap demo.pcapng; queuepair decode demo.pcapng",
      "  queuepair decode --ladder capture.pcap | less",
      "  queuepair decode --json capture.pcapng.gz | jq 'select(.icrc == \"bad\")'",
      "  tcpdump -i any -w - udp port 4791 | queuepair decode -"
    })
public final class DecodeCommand implements Runnable {
  private static final Path STANDARD_INPUT = Path.of("-");

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The capture; - is standard input.")
  private Path file;

  @ArgGroup private OutputForm form = new OutputForm();

  /** Output format; one line per packet by default. */
  private static final class OutputForm {
    @Option(
        names = "--ladder",
        description = "Print a sequence diagram: who sent what to whom, with the time in us.")
    private boolean isLadder;

    @Option(
        names = "--json",
        description =
            "Print a JSON object for each packet, and one for the counts, which go to standard"
                + " error as text too.")
    private boolean isJson;
  }

  @Override
  public void run() {
    PacketPrinter printer = new PacketPrinter();
    PacketCounts counts = new PacketCounts();
    try (CaptureFile capture = open()) {
      try {
        printPackets(capture, form(printer), counts);
      } finally {
        printCounts(capture.skippedKinds(), counts, printer);
      }
    }
  }

  private CaptureFile open() {
    if (file.equals(STANDARD_INPUT)) {
      return CaptureFile.read("on standard input", System.in);
    }
    try {
      if (Files.isDirectory(file)) {
        throw new IOException("it is a directory");
      }
      return CaptureFile.read(file.toString(), Files.newInputStream(file));
    } catch (IOException unreadable) {
      throw InputFile.refusal(spec.commandLine(), file, unreadable);
    }
  }

  private Function<PacketRecord, String> form(PacketPrinter printer) {
    if (form.isJson) {
      return printer::json;
    }
    return form.isLadder ? printer::ladder : printer::line;
  }

  private void printPackets(
      CaptureFile capture, Function<PacketRecord, String> form, PacketCounts counts) {
    PrintWriter out = spec.commandLine().getOut();
    Optional<PacketRecord> packet = capture.next();
    // checkError() is true once the reader of the pipe has closed it.
    while (packet.isPresent() && !out.checkError()) {
      counts.add(packet.get());
      out.println(form.apply(packet.get()));
      packet = capture.next();
    }
  }

  private void printCounts(Map<String, Long> skipped, PacketCounts counts, PacketPrinter printer) {
    PrintWriter words = form.isJson ? spec.commandLine().getErr() : spec.commandLine().getOut();
    skipped.forEach(
        (kind, count) ->
            words.println("skipped " + count + (count == 1 ? " frame: " : " frames: ") + kind));
    words.println(counts);
    if (form.isJson) {
      spec.commandLine().getOut().println(printer.json(counts.toMap()));
    }
  }
}
