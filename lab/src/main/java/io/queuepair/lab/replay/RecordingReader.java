// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.emulator.observe.CompressedInput;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipException;

/** Reads a recording, which has one scenario on each line, as a JSON object. */
final class RecordingReader implements AutoCloseable {
  /** Limit of a line: a hundred times the longest recorded one. */
  static final int MAX_LINE_CHARS = 2_000_000;

  private final ObjectMapper mapper =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final BufferedReader lines;
  private int line;

  private RecordingReader(InputStream bytes) {
    lines =
        new BufferedReader(
            new InputStreamReader(
                bytes,
                StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT)));
  }

  /** Opens a recording, which is text or compressed with gzip. */
  static RecordingReader open(Path file) throws IOException {
    InputStream bytes = Files.newInputStream(file);
    try {
      return new RecordingReader(CompressedInput.of(bytes));
    } catch (IOException | RuntimeException failure) {
      bytes.close();
      throw failure;
    }
  }

  /** Reads the next scenario; empty at the end of the file. */
  Optional<Scenario> next() throws IOException {
    line++;
    String text;
    try {
      text = readLine();
    } catch (CharacterCodingException malformed) {
      throw new BrokenRecordingException(line, "this is not UTF-8 text", malformed);
    } catch (ZipException | EOFException damaged) {
      throw new BrokenRecordingException(line, "the compressed file is damaged", damaged);
    }
    return text == null ? Optional.empty() : Optional.of(scenario(parse(text)));
  }

  private String readLine() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int c = lines.read(); c != '\n'; c = lines.read()) {
      if (c < 0) {
        return text.isEmpty() ? null : text.toString();
      }
      if (text.length() == MAX_LINE_CHARS) {
        throw new BrokenRecordingException(
            line, "the line is longer than " + MAX_LINE_CHARS + " characters");
      }
      text.append((char) c);
    }
    return text.toString();
  }

  private ObjectNode parse(String text) {
    JsonNode node;
    try {
      node = mapper.readTree(text);
    } catch (JsonProcessingException malformed) {
      String where =
          malformed.getLocation() == null
              ? ""
              : " at column " + malformed.getLocation().getColumnNr();
      String why =
          malformed
              .getOriginalMessage()
              .lines()
              .findFirst()
              .orElse("malformed")
              .replaceAll(
                  " \\(start marker.*| \\(`StreamReadConstraints.*|, from `Stream[^`]*`", "");
      throw new BrokenRecordingException(line, "this is not JSON" + where + ": " + why, malformed);
    }
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw new BrokenRecordingException(line, "a scenario is a JSON object");
  }

  private Scenario scenario(ObjectNode node) {
    String name = text(node, "name", "the scenario");
    if (node.get("log") instanceof ArrayNode calls) {
      return new Scenario(name, Scenario.RDMA_CM, calls(name, calls));
    }
    String mode = text(node, "mode", "scenario " + name);
    if (!(node.get("steps") instanceof ArrayNode recorded)) {
      throw new BrokenRecordingException(line, "scenario " + name + " has no list 'steps'");
    }
    List<Step> steps = new ArrayList<>();
    for (JsonNode step : recorded) {
      String what = "step " + steps.size() + " of " + name;
      if (!(step instanceof ObjectNode call)) {
        throw new BrokenRecordingException(line, what + " is not a JSON object");
      }
      String side = call.has("side") ? text(call, "side", what) : "";
      ObjectNode args = object(call, "args", what);
      steps.add(
          new Step(
              steps.size(),
              side,
              text(call, "op", what),
              args == null ? JsonNodeFactory.instance.objectNode() : args,
              object(call, "res", what)));
    }
    return new Scenario(name, mode, List.copyOf(steps));
  }

  /** Parses the calls of an rdma_cm program: side, operation, arguments and result of each. */
  private List<Step> calls(String name, ArrayNode calls) {
    List<Step> steps = new ArrayList<>();
    for (JsonNode call : calls) {
      boolean isCall =
          call.size() == 4
              && call.get(0).isTextual()
              && call.get(1).isTextual()
              && call.get(2) instanceof ObjectNode
              && call.get(3) instanceof ObjectNode;
      if (!isCall) {
        throw new BrokenRecordingException(
            line,
            "call %d of %s is not a list of side, operation, arguments and result"
                .formatted(steps.size(), name));
      }
      steps.add(
          new Step(
              steps.size(),
              call.get(0).textValue(),
              call.get(1).textValue(),
              (ObjectNode) call.get(2),
              (ObjectNode) call.get(3)));
    }
    return List.copyOf(steps);
  }

  private String text(ObjectNode node, String field, String what) {
    JsonNode value = node.get(field);
    if (value == null || !value.isTextual() || value.textValue().isEmpty()) {
      throw new BrokenRecordingException(line, what + " has no text '" + field + "'");
    }
    return value.textValue();
  }

  private ObjectNode object(ObjectNode node, String field, String what) {
    JsonNode value = node.get(field);
    if (value == null || value instanceof ObjectNode) {
      return (ObjectNode) value;
    }
    throw new BrokenRecordingException(line, "'" + field + "' of " + what + " is not an object");
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
