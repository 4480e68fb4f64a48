// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

/** Checks when a test has passed; {@link DisabledChecks} turns them off. */
public enum Check {
  /** Everything that the test made was closed. */
  LEAKS("objects were not closed"),

  /** The sanitizer has found no misuse of the verbs. */
  MISUSE("verbs were misused"),

  /** Each fault statement was carried out; one with a probability, by one of the seeds. */
  UNUSED_FAULTS("statements of the fault plan never happened"),

  /** No wait in virtual time ended as a deadlock, not even one whose error the test ignored. */
  DEADLOCK("a wait could never end");

  private final String violation;

  Check(String violation) {
    this.violation = violation;
  }

  /** Clause for a check that does not hold. */
  String violation() {
    return violation;
  }
}
