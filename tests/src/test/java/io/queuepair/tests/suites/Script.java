// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A test in words: a line with its names, and below it, indented, one step a line. A line {@code
 * with} sets options, a line {@code each} runs the test for each of its words in place of $.
 */
public record Script(
    String names, String variant, Map<String, String> options, List<String> steps) {

  /** The tests of a file beside a class. */
  public static Stream<Script> of(Class<?> neighbour, String file) {
    return parse(text(neighbour, file)).stream();
  }

  private static String text(Class<?> neighbour, String file) {
    try (InputStream in = neighbour.getResourceAsStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }

  private static List<Script> parse(String text) {
    List<Script> scripts = new ArrayList<>();
    List<String> block = new ArrayList<>();
    for (String line : text.lines().filter(each -> !each.isBlank()).toList()) {
      if (line.startsWith("#")) {
        continue;
      }
      if (!line.startsWith(" ")) {
        scripts.addAll(ofBlock(block));
        block.clear();
      }
      block.add(line.strip());
    }
    scripts.addAll(ofBlock(block));
    return scripts;
  }

  private static List<Script> ofBlock(List<String> block) {
    List<String> variants = List.of("");
    Map<String, String> options = new TreeMap<>();
    List<String> steps = new ArrayList<>();
    for (String line : block.subList(Math.min(1, block.size()), block.size())) {
      List<String> words = List.of(line.split(" "));
      switch (words.get(0)) {
        case "each" -> variants = words.subList(1, words.size());
        case "with" -> {
          for (String option : words.subList(1, words.size())) {
            options.put(option.replaceFirst("=.*", ""), option.replaceFirst("^[^=]*=?", ""));
          }
        }
        default -> steps.add(line);
      }
    }
    List<Script> scripts = new ArrayList<>();
    for (String variant : block.isEmpty() ? List.<String>of() : variants) {
      Map<String, String> filled = new TreeMap<>();
      options.forEach((key, value) -> filled.put(key, value.replace("$", variant)));
      List<String> filledSteps = steps.stream().map(step -> step.replace("$", variant)).toList();
      scripts.add(new Script(block.get(0).replace("$", variant), variant, filled, filledSteps));
    }
    return scripts;
  }

  /** An option, or what it is when it is not set. */
  public String option(String name, String otherwise) {
    return options.getOrDefault(name, otherwise);
  }

  public boolean has(String option) {
    return options.containsKey(option);
  }

  @Override
  public String toString() {
    return (names + " " + variant).strip();
  }
}
