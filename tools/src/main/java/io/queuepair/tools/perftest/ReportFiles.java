// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.tools.chart.Plot;
import io.queuepair.tools.cli.OutputFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** What is written at the end if asked for: JSON and a plot. */
record ReportFiles(PerftestSettings settings, ReportCollector reportCollector) {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Looks at the file that has a name even if the command line gives none. */
  static void probe(CommandLine command, PerftestOptions options) {
    if (options.savesJson) {
      OutputFile.probe(command, options.jsonFile);
    }
  }

  void write(PrintWriter out) throws IOException {
    PerftestOptions options = settings.options();
    Map<Path, String> files = new LinkedHashMap<>();
    if (options.asJson || options.savesJson) {
      String text = JSON.writeValueAsString(document());
      if (options.asJson) {
        out.println(text);
      }
      if (options.savesJson) {
        files.put(options.jsonFile, text + System.lineSeparator());
      }
    }
    if (options.plotFile != null) {
      files.put(options.plotFile, plot().svg());
    }
    OutputFile.writeAll(files);
  }

  private Plot plot() {
    List<Plot.Point> points = new ArrayList<>();
    for (Result result : reportCollector.results()) {
      if (result instanceof BandwidthResult bandwidth) {
        points.add(
            new Plot.Point(
                bandwidth.sizeBytes(),
                bandwidth.averageMibPerSecond(),
                bandwidth.peakMibPerSecond()));
      } else if (result instanceof LatencyResult latency && latency.spread() != null) {
        LatencyResult.Spread spread = latency.spread();
        points.add(
            new Plot.Point(latency.sizeBytes(), spread.percentile(50), spread.percentile(99)));
      }
    }
    String unit =
        settings.isLatency()
            ? "usec: typical (blue), 99 % (brown)"
            : "MiB/s: average (blue), peak (brown)";
    String title = settings.title() + ", " + settings.serviceName();
    return new Plot(title, whatWasRun(), unit, "bytes of a message", points);
  }

  private String whatWasRun() {
    PerftestOptions options = settings.options();
    String queuePairs = options.queuePairs == 1 ? " queue pair" : " queue pairs";
    return "MTU "
        + reportCollector.parameters().mtu().bytes()
        + ", "
        + options.queuePairs
        + queuePairs
        + ", tx-depth "
        + options.txDepth
        + (options.bidirectional ? ", both directions" : "");
  }

  private ObjectNode document() {
    ObjectNode document = JSON.createObjectNode();
    PerftestOptions options = settings.options();
    ObjectNode test = document.putObject("test");
    test.put("command", settings.benchmark().commandName());
    test.put("role", settings.isServer() ? "server" : "client");
    test.put("connection", settings.serviceName());
    test.put("queue_pairs", options.queuePairs);
    test.put("mtu_bytes", reportCollector.parameters().mtu().bytes());
    test.put("bidirectional", options.bidirectional);
    if (settings.isTimed()) {
      test.put("duration_seconds", settings.duration().toSeconds());
      test.put("margin_seconds", settings.margin().toSeconds());
    }
    var results = document.putArray("results");
    reportCollector.results().forEach(result -> describe(result, results.addObject()));
    return document;
  }

  private static void describe(Result result, ObjectNode node) {
    node.put("size_bytes", result.sizeBytes());
    if (result instanceof BandwidthResult bandwidth) {
      node.put("iterations", bandwidth.iterations());
      node.put("peak_mib_per_second", bandwidth.peakMibPerSecond());
      node.put("average_mib_per_second", bandwidth.averageMibPerSecond());
      node.put("million_messages_per_second", bandwidth.millionsPerSecond());
    } else if (result instanceof LatencyResult latency) {
      node.put("iterations", latency.iterations());
      node.put("average_micros", latency.averageMicros());
      if (latency.spread() != null) {
        describe(latency.spread(), node);
      }
    }
  }

  private static void describe(LatencyResult.Spread spread, ObjectNode node) {
    node.put("min_micros", spread.minMicros());
    node.put("max_micros", spread.maxMicros());
    node.put("deviation_micros", spread.deviationMicros());
    ObjectNode percentiles = node.putObject("percentiles_micros");
    spread.percentiles().forEach((percentage, micros) -> percentiles.put("" + percentage, micros));
  }
}
