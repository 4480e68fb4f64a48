// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.lab.bench.VersionComparison.Measured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What was measured, as a JSON document. */
final class JsonDocument {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final ObjectNode root = JSON.createObjectNode();

  JsonDocument(HostDescription host, BenchmarkSettings settings) {
    describe(host, root.putObject("machine"));
    ObjectNode how = root.putObject("effort");
    how.put("seconds", settings.seconds());
    how.put("warmup_seconds", settings.warmupSeconds());
    how.put("rounds", settings.rounds());
    how.put("crowd", settings.crowd());
  }

  /** Adds the rows of this version. */
  JsonDocument measured(List<BenchmarkResult> results) {
    ArrayNode rows = root.putArray("rows");
    results.forEach(result -> describe(result, rows.addObject()));
    return this;
  }

  /** Adds the rows of two versions: the median of each turn. */
  JsonDocument compared(Map<BenchmarkCase, Measured> results) {
    ArrayNode rows = root.putArray("compared");
    results.forEach(
        (row, measured) -> {
          ObjectNode node = named(row, rows.addObject());
          putAll(node.putArray("before"), measured.before());
          putAll(node.putArray("now"), measured.now());
        });
    return this;
  }

  private static void describe(HostDescription host, ObjectNode node) {
    node.put("processor", host.processor());
    node.put("processors", host.processors());
    node.put("system", host.system());
    node.put("java", host.java());
    node.put("load_average", host.loadAverage());
  }

  private static ObjectNode named(BenchmarkCase row, ObjectNode node) {
    return node.put("name", row.name()).put("title", row.title()).put("unit", row.unit().symbol());
  }

  private static void describe(BenchmarkResult result, ObjectNode node) {
    BenchmarkCase row = result.row();
    named(row, node);
    node.put("median", result.median());
    putAll(node.putArray("values"), result.values());
    if (result.hasReference()) {
      ObjectNode reference = node.putObject("reference");
      reference.put("title", row.referenceTitle());
      reference.put("median", result.referenceMedian());
      putAll(reference.putArray("values"), result.references());
      node.put("ratio", result.ratio());
    }
    if (row.threshold() != null) {
      node.put("goal", row.threshold().text(row.unit()));
      node.put("reached", result.isReached());
    }
  }

  /** Adds what other libraries reach. */
  JsonDocument against(Map<ExternalBenchmark, Double> figures) {
    ArrayNode against = root.putArray("against");
    figures.forEach(
        (externalBenchmark, figure) -> {
          ObjectNode node = against.addObject();
          node.put("title", externalBenchmark.title());
          node.put("unit", externalBenchmark.unit().symbol());
          node.put("value", figure);
        });
    return this;
  }

  private static void putAll(ArrayNode array, List<Double> values) {
    values.forEach(array::add);
  }

  String text() throws IOException {
    return JSON.writeValueAsString(root) + System.lineSeparator();
  }

  void write(Path file) throws IOException {
    Files.writeString(file, text());
  }

  /**
   * Reads back what another process wrote of one row.
   *
   * @throws IOException if there is nothing of it, or another version measures something else
   */
  static BenchmarkResult read(Path file, BenchmarkCase row) throws IOException {
    JsonNode node = JSON.readTree(Files.readString(file)).path("rows").path(0);
    if (node.path("values").isEmpty()
        || !node.path("title").asText().equals(row.title())
        || !node.path("unit").asText().equals(row.unit().symbol())) {
      throw new IOException("it measures something else: " + node.path("title").asText());
    }
    return new BenchmarkResult(
        row, numbers(node.path("values")), numbers(node.path("reference").path("values")));
  }

  private static List<Double> numbers(JsonNode array) {
    List<Double> numbers = new ArrayList<>();
    array.forEach(number -> numbers.add(number.asDouble()));
    return numbers;
  }
}
