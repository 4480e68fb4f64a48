// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** A region was not reregistered: a refusal with a code of its own besides errno. */
public final class ReregMrException extends VerbsException {
  private static final long serialVersionUID = 1L;

  /** Return value of the C function. */
  private final ReregMrErrCode code;

  /**
   * Creates the refusal of one reregistration.
   *
   * @param code what the C function returns
   * @param errno what it leaves in errno
   * @param message the fact and the rule, in one sentence
   */
  public ReregMrException(ReregMrErrCode code, Errno errno, String message) {
    super(errno, "ibv_rereg_mr", code + ": " + message);
    this.code = code;
  }

  /**
   * Part of the call that failed.
   *
   * @return what the C function returns
   */
  public ReregMrErrCode code() {
    return code;
  }
}
