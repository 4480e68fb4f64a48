// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.profile;

/**
 * Misuse that the sanitizer has found ({@link DeviceProfile#sanitized()}).
 *
 * @param kind the mistake, and how to mend it
 * @param what what happened, a sentence without its full stop
 * @param where the line of the application that is the cause
 */
public record SanitizerFinding(SanitizerFindingKind kind, String what, String where) {
  @Override
  public String toString() {
    return kind + ": " + what + " (" + where + "); to mend it, " + kind.remedy();
  }
}
