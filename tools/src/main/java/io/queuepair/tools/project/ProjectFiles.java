// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.project;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Project files of the site; the build copies them beside the classes. */
public final class ProjectFiles {
  private static final String SITE = "/io/queuepair/tools/site/";
  private static final String PAGES = "project/";

  private ProjectFiles() {}

  /** Whether a page exists, by its path from the project's top folder. */
  public static boolean hasPage(String path) {
    return path.endsWith(".md") && has(path);
  }

  /** Whether a page or a figure exists, by its path from the project's top folder. */
  public static boolean has(String path) {
    return !path.startsWith("..") && ProjectFiles.class.getResource(SITE + PAGES + path) != null;
  }

  /** Text of a page or a figure. */
  public static String page(String path) {
    return read(PAGES + path);
  }

  /** Text of a template, a script or a stylesheet of the site. */
  public static String read(String name) {
    try (InputStream in = ProjectFiles.class.getResourceAsStream(SITE + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
