// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import org.opentest4j.AssertionFailedError;

/** Assertions about how a work request ended. Each failure says why, if it ended in an error. */
public final class CompletionAssert {
  private final WorkCompletion actual;

  CompletionAssert(WorkCompletion actual) {
    this.actual = actual;
  }

  /**
   * Asserts that the work request succeeded.
   *
   * @return this assertion
   */
  public CompletionAssert isSuccess() {
    return hasStatus(WcStatus.SUCCESS);
  }

  /**
   * Asserts the status of the completion.
   *
   * @param expected the status
   * @return this assertion
   */
  public CompletionAssert hasStatus(WcStatus expected) {
    return equal("status", expected, actual.status());
  }

  /**
   * Asserts the opcode of the completion, which only a success has.
   *
   * @param expected the opcode
   * @return this assertion
   */
  public CompletionAssert hasOpcode(WcOpcode expected) {
    return equal("opcode", expected, actual.isSuccess() ? actual.opcode() : actual.status());
  }

  /**
   * Asserts the {@code wr_id} of the completion.
   *
   * @param expected identifier that was given in the work request
   * @return this assertion
   */
  public CompletionAssert hasWrId(long expected) {
    return equal("wr_id", expected, actual.wrId());
  }

  /**
   * Asserts how many bytes were transferred.
   *
   * @param expected bytes, unsigned 32-bit
   * @return this assertion
   */
  public CompletionAssert hasByteLen(int expected) {
    return equal("byte_len", expected, actual.byteLen());
  }

  /**
   * Asserts that the explanation of an error contains a text.
   *
   * @param words part of {@link WorkCompletion#explain}
   * @return this assertion
   */
  public CompletionAssert isExplainedBy(String words) {
    if (!actual.explain().contains(words)) {
      throw failure("words that explain it: \"" + words + "\"", words, actual.explain());
    }
    return this;
  }

  private CompletionAssert equal(String field, Object expected, Object found) {
    if (!expected.equals(found)) {
      throw failure(field + " " + expected, expected, found);
    }
    return this;
  }

  private AssertionFailedError failure(String what, Object expected, Object found) {
    String why = actual.explain().isEmpty() ? "" : "\n  because: " + actual.explain();
    return new AssertionFailedError(
        "expected " + what + "\nbut it was " + describe() + why, expected, found);
  }

  private String describe() {
    String what =
        actual.isSuccess()
            ? actual.opcode() + " " + Integer.toUnsignedString(actual.byteLen()) + " bytes, SUCCESS"
            : actual.status().toString();
    return String.format("wr_id %d of QP 0x%06x: %s", actual.wrId(), actual.qpNum(), what);
  }
}
