// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.project;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The files that a site is made of; the build puts them beside the classes. */
public final class ProjectFiles {
  private static final String SITE = "/io/queuepair/tools/site/";
  private static final String PAGES = "project/";

  private ProjectFiles() {}

  /** Whether there is a page of that path, counted from the top of the project. */
  public static boolean hasPage(String path) {
    return path.endsWith(".md")
        && !path.startsWith("..")
        && ProjectFiles.class.getResource(SITE + PAGES + path) != null;
  }

  /** The text of a page, or of a figure. */
  public static String page(String path) {
    return read(PAGES + path);
  }

  /** A template, a script or a style of the site. */
  public static String read(String name) {
    try (InputStream in = ProjectFiles.class.getResourceAsStream(SITE + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
