// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

/** Checks of the extension when a test has passed; {@link DisabledChecks} turns it off. */
public enum Check {
  /** Everything that the test made was closed. */
  LEAKS("objects were not closed"),

  /** The sanitizer has found no misuse of the verbs. */
  MISUSE("verbs were misused"),

  /** Each statement of a fault plan was carried out; one of chance, with any of the seeds. */
  UNUSED_FAULTS("statements of the fault plan never happened"),

  /** No wait in virtual time has ended because it could never end, not even unseen by the test. */
  DEADLOCK("a wait could never end");

  private final String violation;

  Check(String violation) {
    this.violation = violation;
  }

  /** Sentence for a check that does not hold. */
  String violation() {
    return violation;
  }
}
