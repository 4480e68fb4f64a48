// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

/**
 * A place where the emulator answered something else.
 *
 * @param field what of its result, for example {@code wcs[0].status}
 */
record Difference(
    String scenario, int step, String op, String field, String recorded, String ours) {
  @Override
  public String toString() {
    String place = scenario + " step " + step + " " + op + " " + field;
    return place + ": recorded " + recorded + ", ours " + ours;
  }
}
