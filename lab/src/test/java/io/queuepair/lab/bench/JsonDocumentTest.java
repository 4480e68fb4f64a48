// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads what another process, of this version or another, wrote of a row. */
final class JsonDocumentTest {
  private static final BenchmarkCase ROW = row("mem-send-64b");

  @TempDir private Path directory;

  private static BenchmarkCase row(String name) {
    return BenchmarkCases.ALL.stream()
        .filter(row -> row.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private Path document(String title, String unit, String values) throws IOException {
    return Files.writeString(
        directory.resolve("row.json"),
        String.format(
            "{\"rows\": [{\"title\": \"%s\", \"unit\": \"%s\", \"values\": [%s]}]}",
            title, unit, values));
  }

  @Test
  void valuesAreThoseOfTheDocument() throws IOException {
    Path file = document(ROW.title(), "us", "3, 1, 2");

    assertThat(JsonDocument.read(file, ROW).values()).containsExactly(3.0, 1.0, 2.0);
  }

  @Test
  void aRowOfThatNameThatMeasuresSomethingElseIsRefused() throws IOException {
    Path otherTitle = document("SEND of 1 MiB", "us", "1");
    assertThatThrownBy(() -> JsonDocument.read(otherTitle, ROW))
        .isInstanceOf(IOException.class)
        .hasMessage("it measures something else: SEND of 1 MiB");

    Path otherUnit = document(ROW.title(), "ns", "1");
    assertThatThrownBy(() -> JsonDocument.read(otherUnit, ROW)).isInstanceOf(IOException.class);
  }

  @Test
  void aRowWithoutValuesIsRefused() throws IOException {
    Path file = document(ROW.title(), "us", "");

    assertThatThrownBy(() -> JsonDocument.read(file, ROW)).isInstanceOf(IOException.class);
  }
}
