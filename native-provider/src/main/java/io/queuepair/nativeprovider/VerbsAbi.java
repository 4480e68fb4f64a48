// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes and offsets of the structures of {@code infiniband/verbs.h}, which are the same on every
 * 64-bit Linux. They are read from a table that tests compare with the header of the system.
 */
final class VerbsAbi {
  private static final Pattern SIZE = Pattern.compile("SIZE\\w*\\((\\w+), (\\d+)\\)");
  private static final Pattern FIELD = Pattern.compile("FIELD\\w*\\((\\w+), ([\\w.]+), (\\d+)\\)");

  private static final Map<String, Integer> SIZES = new HashMap<>();
  private static final Map<String, Integer> OFFSETS = new HashMap<>();

  static {
    String processor = System.getProperty("os.arch");
    if (!processor.equals("amd64")) {
      throw new IllegalStateException("their structures are known on x86-64, not " + processor);
    }
    String table = table();
    Matcher sizes = SIZE.matcher(table);
    while (sizes.find()) {
      SIZES.put(sizes.group(1), Integer.valueOf(sizes.group(2)));
    }
    Matcher fields = FIELD.matcher(table);
    while (fields.find()) {
      OFFSETS.put(fields.group(1) + "." + fields.group(2), Integer.valueOf(fields.group(3)));
    }
  }

  private VerbsAbi() {}

  private static String table() {
    try (InputStream in = VerbsAbi.class.getResourceAsStream("abi_layout.h")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Bytes of a structure. */
  static int size(String struct) {
    return known(SIZES, struct);
  }

  /** Where a member is: {@code structure.member}. */
  static int offset(String member) {
    return known(OFFSETS, member);
  }

  private static int known(Map<String, Integer> table, String name) {
    Integer number = table.get(name);
    if (number == null) {
      throw new IllegalStateException("abi_layout.h does not have " + name);
    }
    return number;
  }
}
