// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.project;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads tables of Markdown pages. */
public final class MarkdownTable {
  private static final String REFERENCE = "docs/reference/";

  private MarkdownTable() {}

  /**
   * Rows of all tables of a page whose header row begins with the given names; at least one table
   * must exist. Relative links are adapted to any other folder of the docs.
   */
  public static List<List<String>> rows(String page, String... heads) {
    List<List<String>> rows = new ArrayList<>();
    boolean isWanted = false;
    boolean isInside = false;
    for (String line : ProjectFiles.page(page).lines().toList()) {
      if (!line.startsWith("|")) {
        isInside = false;
        continue;
      }
      List<String> cells = cells(line);
      if (!isInside) {
        isWanted =
            cells.size() >= heads.length
                && cells.subList(0, heads.length).equals(Arrays.asList(heads));
        isInside = true;
      } else if (isWanted && !line.startsWith("|---")) {
        rows.add(cells.stream().map(cell -> fromElsewhere(page, cell)).toList());
      }
    }
    if (rows.isEmpty()) {
      throw new IllegalStateException(page + " has no table of " + Arrays.toString(heads));
    }
    return rows;
  }

  /** Text of a cell without backquotes. */
  public static String plain(String cell) {
    return cell.replace("`", "");
  }

  private static List<String> cells(String line) {
    String[] cells = line.strip().split("\\s*\\|\\s*", -1);
    return List.of(cells).subList(1, cells.length - 1);
  }

  /** Text of a reference page, with links adapted to any other folder of the docs. */
  public static String fromElsewhere(String page, String cell) {
    return page.startsWith(REFERENCE)
        ? cell.replaceAll("]\\((?=[a-z-]+\\.md)", "](../reference/")
        : cell;
  }
}
