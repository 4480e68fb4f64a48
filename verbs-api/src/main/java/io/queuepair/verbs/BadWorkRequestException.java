// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * A work request of several was refused: the Java form of {@code bad_wr}. Of a list that is posted,
 * the requests before it are posted, it and those after it are not; of a {@link WrBatch} none is.
 */
public final class BadWorkRequestException extends VerbsException {
  private static final long serialVersionUID = 1L;

  /** Position of the refused request. */
  private final int index;

  /**
   * Creates the refusal of one work request.
   *
   * @param errno what the C function returns
   * @param verb name of the C function
   * @param index position of the refused request in the list or batch, from 0
   * @param message the fact and the rule, in one sentence
   */
  public BadWorkRequestException(Errno errno, String verb, int index, String message) {
    super(errno, verb, "work request " + index + ": " + message);
    this.index = index;
  }

  /**
   * Which request was refused.
   *
   * @return position in the list or batch, from 0
   */
  public int index() {
    return index;
  }
}
