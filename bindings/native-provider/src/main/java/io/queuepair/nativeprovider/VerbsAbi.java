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
 * Sizes and offsets of the structures of {@code infiniband/verbs.h} and {@code rdma/rdma_cma.h},
 * which are the same on every 64-bit Linux. They are read from tables that tests compare with the
 * headers of the system.
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
    read(table("abi_layout.h"));
    read(table("rdmacm_layout.h"));
  }

  private VerbsAbi() {}

  private static void read(String table) {
    Matcher sizes = SIZE.matcher(table);
    while (sizes.find()) {
      SIZES.put(sizes.group(1), Integer.valueOf(sizes.group(2)));
    }
    Matcher fields = FIELD.matcher(table);
    while (fields.find()) {
      OFFSETS.put(fields.group(1) + "." + fields.group(2), Integer.valueOf(fields.group(3)));
    }
  }

  private static String table(String name) {
    try (InputStream in = VerbsAbi.class.getResourceAsStream(name)) {
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
      throw new IllegalStateException("the tables do not have " + name);
    }
    return number;
  }
}
