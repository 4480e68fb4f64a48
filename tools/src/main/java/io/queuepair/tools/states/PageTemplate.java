package io.queuepair.tools.states;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The text of a generated page, from a resource: a line {@code {name}} stands for other lines. */
final class PageTemplate {
  private PageTemplate() {}

  /**
   * Fills a page.
   *
   * @param resource name of the file beside this class
   * @param parts what stands for each name
   */
  static List<String> filled(String resource, Map<String, List<String>> parts) {
    List<String> page = new ArrayList<>();
    for (String line : text(resource).lines().toList()) {
      if (line.startsWith("{") && line.endsWith("}")) {
        page.addAll(parts.get(line.substring(1, line.length() - 1)));
      } else {
        page.add(line);
      }
    }
    return page;
  }

  private static String text(String resource) {
    try (InputStream in = PageTemplate.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(resource, broken);
    }
  }
}
