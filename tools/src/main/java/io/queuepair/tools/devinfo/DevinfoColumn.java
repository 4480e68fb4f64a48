// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.devinfo;

/** Lines as {@code ibv_devinfo} lays them out: tabs, with the values below each other. */
final class DevinfoColumn {
  private static final int TAB = 8;

  private DevinfoColumn() {}

  /** A label and its value, which stands so many tabs from the left. */
  static String line(int indent, String label, int column, Object value) {
    int tabs = column - indent - (label.length() + 1) / TAB;
    return "\t".repeat(indent) + label + ":" + "\t".repeat(tabs) + value;
  }
}
