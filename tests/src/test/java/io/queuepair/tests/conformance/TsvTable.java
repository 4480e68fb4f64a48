// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Tables that are kept beside the tests. */
public final class TsvTable {
  private TsvTable() {}

  /** The rows of a file of this package without comments and heading, as columns. */
  static List<String[]> rows(String file) {
    return rows(TsvTable.class, file);
  }

  /** The rows of a file of another package. */
  public static List<String[]> rows(Class<?> neighbour, String file) {
    try (InputStream in = neighbour.getResourceAsStream(file)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .filter(line -> !line.startsWith("#"))
          .skip(1)
          .map(line -> line.split("\t", -1))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
