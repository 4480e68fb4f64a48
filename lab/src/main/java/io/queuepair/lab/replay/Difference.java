// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

/**
 * Field of a result in which the emulator differs from the recording.
 *
 * @param field path of the field in the result, for example {@code wcs[0].status}
 */
record Difference(
    String scenario, int step, String op, String field, String recorded, String ours) {
  @Override
  public String toString() {
    String place = scenario + " step " + step + " " + op + " " + field;
    return place + ": recorded " + recorded + ", ours " + ours;
  }
}
