package io.queuepair.tools.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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

  JsonDocument(Machine machine, Effort effort, List<RowResult> results) {
    describe(machine, root.putObject("machine"));
    ObjectNode how = root.putObject("effort");
    how.put("seconds", effort.seconds());
    how.put("warmup_seconds", effort.warmupSeconds());
    how.put("rounds", effort.rounds());
    how.put("crowd", effort.crowd());
    ArrayNode rows = root.putArray("rows");
    results.forEach(result -> describe(result, rows.addObject()));
  }

  private static void describe(Machine machine, ObjectNode node) {
    node.put("processor", machine.processor());
    node.put("processors", machine.processors());
    node.put("system", machine.system());
    node.put("java", machine.java());
    node.put("load_average", machine.loadAverage());
  }

  private static void describe(RowResult result, ObjectNode node) {
    Row row = result.row();
    node.put("name", row.name());
    node.put("title", row.title());
    node.put("unit", row.unit().symbol());
    node.put("median", result.median());
    putAll(node.putArray("values"), result.values());
    if (result.hasReference()) {
      ObjectNode reference = node.putObject("reference");
      reference.put("title", row.referenceTitle());
      reference.put("median", result.referenceMedian());
      putAll(reference.putArray("values"), result.references());
      node.put("ratio", result.ratio());
    }
    if (row.goal() != null) {
      node.put("goal", row.goal().text(row.unit()));
      node.put("reached", result.isReached());
    }
  }

  /** Adds what other libraries reach. */
  JsonDocument against(Map<Rival, Double> figures) {
    ArrayNode against = root.putArray("against");
    figures.forEach(
        (rival, figure) -> {
          ObjectNode node = against.addObject();
          node.put("title", rival.title());
          node.put("unit", rival.unit().symbol());
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

  /** Reads back what another process wrote of one row. */
  static RowResult read(Path file, Row row) throws IOException {
    JsonNode node = JSON.readTree(Files.readString(file)).path("rows").path(0);
    return new RowResult(
        row, numbers(node.path("values")), numbers(node.path("reference").path("values")));
  }

  private static List<Double> numbers(JsonNode array) {
    List<Double> numbers = new ArrayList<>();
    array.forEach(number -> numbers.add(number.asDouble()));
    return numbers;
  }
}
