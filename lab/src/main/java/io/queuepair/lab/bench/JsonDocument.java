// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes results as a JSON document, and reads them back from another process or version. */
final class JsonDocument {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private JsonDocument() {}

  static String text(List<BenchmarkResult> results) throws IOException {
    ObjectNode root = JSON.createObjectNode().put("machine", Machine.text());
    var rows = root.putArray("rows");
    for (BenchmarkResult result : results) {
      BenchmarkCase row = result.row();
      ObjectNode node = rows.addObject();
      node.put("name", row.name()).put("title", row.title()).put("unit", row.unit().symbol());
      node.set("values", JSON.valueToTree(result.values()));
      if (row.reference() != null) {
        ObjectNode reference = node.putObject("reference").put("title", row.referenceTitle());
        reference.set("values", JSON.valueToTree(result.references()));
      }
    }
    return JSON.writeValueAsString(root) + System.lineSeparator();
  }

  /** Reads the result of one row that another process wrote. */
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
