// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import org.jspecify.annotations.Nullable;

/**
 * A verb refused the call: an argument is wrong, a limit is reached, or a state forbids it. Nothing
 * was changed. Work that was accepted and failed later is never thrown: see {@link
 * WorkCompletion#status()}.
 */
public class VerbsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Errno of the C function. */
  private final Errno errno;

  /** Name of the C function. */
  private final String verb;

  /**
   * Creates the refusal of one call.
   *
   * @param errno what the C function returns
   * @param verb name of the C function
   * @param message the fact and the rule, in one sentence
   */
  public VerbsException(Errno errno, String verb, String message) {
    this(errno, verb, message, null);
  }

  /**
   * Creates the refusal of one call that something below the verbs led to.
   *
   * @param errno what the C function returns
   * @param verb name of the C function
   * @param message the fact and the rule, in one sentence
   * @param cause what led to it, or null
   */
  public VerbsException(Errno errno, String verb, String message, @Nullable Throwable cause) {
    super(verb + ": " + errno + ": " + message, cause);
    this.errno = errno;
    this.verb = verb;
  }

  /**
   * The error number.
   *
   * @return what the C function returns
   */
  public Errno errno() {
    return errno;
  }

  /**
   * The verb that refused.
   *
   * @return name of the C function
   */
  public String verb() {
    return verb;
  }
}
