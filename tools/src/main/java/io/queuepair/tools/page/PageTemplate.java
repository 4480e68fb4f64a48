// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Text of a generated page, from a resource; a line {@code {name}} is replaced by other lines. */
public final class PageTemplate {
  private PageTemplate() {}

  /** Fills the template that is a resource of a class. */
  public static List<String> filled(
      Class<?> neighbour, String resource, Map<String, List<String>> parts) {
    List<String> page = new ArrayList<>();
    for (String line : text(neighbour, resource).lines().toList()) {
      if (line.startsWith("{") && line.endsWith("}")) {
        page.addAll(parts.get(line.substring(1, line.length() - 1)));
      } else {
        page.add(line);
      }
    }
    return page;
  }

  public static String text(Class<?> neighbour, String resource) {
    try (InputStream in = neighbour.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException broken) {
      throw new UncheckedIOException(resource, broken);
    }
  }
}
