// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of the C ABI that the compiler compares with the declarations. */
final class AbiLayout {
  /**
   * Directory of the table, of which there is one: the provider for devices of the system has it.
   */
  static final Path FOLDER =
      Path.of("../native-provider/src/main/resources/io/queuepair/nativeprovider");

  private static final Pattern FIELD = Pattern.compile("FIELD\\((\\w+), ([\\w.]+), (\\d+)\\)");

  private final Map<String, Integer> offsets = new HashMap<>();

  AbiLayout() {
    Matcher fields = FIELD.matcher(text());
    while (fields.find()) {
      offsets.put(fields.group(1) + "." + fields.group(2), Integer.parseInt(fields.group(3)));
    }
  }

  private static String text() {
    try {
      return Files.readString(FOLDER.resolve("abi_layout.h"));
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }

  /** Where a field is in its structure. */
  int offset(String structure, String field) {
    return offsets.get(structure + "." + field);
  }
}
