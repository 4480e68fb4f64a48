// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shard;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Converts totals to and from JSON. */
final class TotalsJson {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final int HEX = 16;

  private TotalsJson() {}

  static String text(RunTotals totals) {
    ObjectNode root = JSON.createObjectNode();
    root.put("command", totals.command());
    root.put("first_seed", totals.first());
    root.put("last_seed", totals.last());
    ObjectNode counts = root.putObject("counts");
    totals.counts().forEach(counts::put);
    ArrayNode failures = root.putArray("failures");
    totals.failures().forEach(failures::add);
    root.put("trace", String.format(Locale.ROOT, "%016x", totals.trace()));
    try {
      return JSON.writeValueAsString(root) + "\n";
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a tree of numbers and texts", impossible);
    }
  }

  static RunTotals parse(String text) throws IOException {
    JsonNode root = tree(text);
    long first = number(root, "first_seed");
    long last = number(root, "last_seed");
    if (last < first || last == Long.MAX_VALUE) {
      throw new IOException("the seeds " + first + ".." + last + " are no range");
    }
    Map<String, Long> counts = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> count : required(root, "counts").properties()) {
      counts.put(count.getKey(), number(count.getValue(), count.getKey(), 0));
    }
    List<String> failures = new ArrayList<>();
    required(root, "failures").forEach(line -> failures.add(line.asText()));
    try {
      long trace = Long.parseUnsignedLong(required(root, "trace").asText(), HEX);
      return new RunTotals(
          required(root, "command").asText(), first, last, counts, failures, trace);
    } catch (NumberFormatException malformed) {
      throw new IOException("\"trace\" is not a hash of 16 hexadecimal digits", malformed);
    }
  }

  private static JsonNode tree(String text) throws IOException {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException malformed) {
      JsonLocation location = malformed.getLocation(); // Null if a limit of the parser is exceeded.
      String where = location == null ? "it" : "line " + location.getLineNr();
      throw new IOException(where + " is no JSON, as --totals writes it", malformed);
    }
  }

  private static JsonNode required(JsonNode root, String name) throws IOException {
    JsonNode node = root.path(name);
    if (node.isMissingNode()) {
      throw new IOException("it has no \"" + name + "\"");
    }
    return node;
  }

  private static long number(JsonNode root, String name) throws IOException {
    return number(required(root, name), name, Long.MIN_VALUE);
  }

  private static long number(JsonNode node, String name, long least) throws IOException {
    if (!node.canConvertToLong() || !node.isIntegralNumber() || node.asLong() < least) {
      String what = least == 0 ? " is not a number from 0 on" : " is not a number of 64 bits";
      throw new IOException('"' + name + '"' + what);
    }
    return node.asLong();
  }
}
