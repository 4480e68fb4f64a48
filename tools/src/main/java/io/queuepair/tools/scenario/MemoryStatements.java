// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.tools.recording.RecordedDevice;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Statements that fill memory and show its content. */
final class MemoryStatements {
  private static final Pattern PLACE = Pattern.compile("(\\w+)\\.(\\w+)(?:\\+([0-9]+))?");
  private static final String BYTE_COUNT = "bytes";
  private static final int MOST_REPEATED = 1 << 20;
  private static final int MOST_OFFSET = Integer.MAX_VALUE;
  private static final Pattern BYTES = Pattern.compile("(\\w+\\.\\w+(?:\\+[0-9]+)?):([0-9]+)");

  private MemoryStatements() {}

  /** Fills memory with a text, or with bytes in hexadecimal. */
  static void fill(ScenarioEnvironment environment, List<String> words) {
    String form = "fill REGION[+OFFSET][:LENGTH] \"TEXT\" or 0xBYTES";
    Statements.expect(words, 2, form);
    Matcher repeated = BYTES.matcher(words.get(0));
    String where = repeated.matches() ? repeated.group(1) : words.get(0);
    String value = words.get(1);
    byte[] bytes;
    if (value.startsWith("\"")) {
      bytes = value.substring(1, value.length() - 1).getBytes(StandardCharsets.UTF_8);
    } else if (value.matches("0x[0-9a-fA-F]++") && value.length() % 2 == 0) {
      bytes = HexFormat.of().parseHex(value.substring(2));
    } else {
      throw new StatementException(
          "'" + value + "' is neither \"TEXT\" nor 0x and pairs of digits");
    }
    if (repeated.matches()) {
      bytes =
          repeated(bytes, NumberArgument.ofDigits(BYTE_COUNT, repeated.group(2), MOST_REPEATED));
    }
    ObjectNode arguments = place(where).put("hex", HexFormat.of().formatHex(bytes));
    environment.call("fill", environment.device(words.get(0)), arguments);
  }

  private static byte[] repeated(byte[] bytes, long length) {
    if (bytes.length == 0) {
      throw new StatementException("there are no bytes to be repeated");
    }
    byte[] all = new byte[Math.toIntExact(length)];
    for (int i = 0; i < length; i++) {
      all[i] = bytes[i % bytes.length];
    }
    return all;
  }

  private static ObjectNode place(String text) {
    Matcher place = PLACE.matcher(text);
    if (!place.matches()) {
      throw new StatementException("'" + text + "' is not REGION or REGION+OFFSET");
    }
    long offset =
        place.group(3) == null
            ? 0
            : NumberArgument.ofDigits(BYTE_COUNT, place.group(3), MOST_OFFSET);
    return Arguments.read(place.group(1), List.of()).put("mr", place.group(2)).put("off", offset);
  }

  /** Shows bytes, as text if all are printable ASCII. */
  static void show(ScenarioEnvironment environment, List<String> words) {
    Statements.expect(words, 1, "show REGION[+OFFSET]:BYTES");
    environment.transcript.add(words.get(0) + " = " + text(environment, words.get(0)));
  }

  /** Content of a memory range: text if all bytes are printable ASCII, otherwise hexadecimal. */
  static String text(ScenarioEnvironment environment, String place) {
    Matcher bytes = BYTES.matcher(place);
    if (!bytes.matches()) {
      throw new StatementException("it is written: show REGION[+OFFSET]:BYTES");
    }
    RecordedDevice device = environment.device(place);
    long length = NumberArgument.ofDigits(BYTE_COUNT, bytes.group(2), MOST_OFFSET);
    ObjectNode arguments = place(bytes.group(1)).put("length", length);
    ObjectNode answer = environment.answer("mem", device, arguments);
    if (!answer.has("hex")) {
      throw new StatementException("more than 96 bytes are not shown");
    }
    return text(answer.get("hex").asText());
  }

  /** Converts bytes in hexadecimal to text if all are printable ASCII. */
  static String text(String hex) {
    String text = new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
    return text.matches("[ -~]+") ? "\"" + text + "\"" : "0x" + hex;
  }
}
