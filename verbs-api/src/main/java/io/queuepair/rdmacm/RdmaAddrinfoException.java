// SPDX-License-Identifier: Apache-2.0
package io.queuepair.rdmacm;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;

/** No addresses were found: {@code rdma_getaddrinfo} returns one of {@code EAI_*}. */
public class RdmaAddrinfoException extends VerbsException {
  private static final long serialVersionUID = 1L;

  /** Return value of the C function. */
  private final Reason reason;

  /**
   * Creates the refusal of one call.
   *
   * @param reason what the C function returns
   * @param errno the error number that comes closest
   * @param message the fact and the rule, in one sentence
   */
  public RdmaAddrinfoException(Reason reason, Errno errno, String message) {
    super(errno, "rdma_getaddrinfo", message);
    this.reason = reason;
  }

  /** Why no addresses were found, with the values of {@code netdb.h}. */
  public enum Reason {
    /** The name, or the number, stands for no address ({@code EAI_NONAME}). */
    NONAME(-2),

    /**
     * The type of queue pair is none of the port space ({@code EAI_SOCKTYPE}, which {@code
     * rdma_getaddrinfo(3)} calls EAI_QPTYPE).
     */
    QPTYPE(-7),

    /** The service is no port ({@code EAI_SERVICE}). */
    SERVICE(-8),

    /** The node has no address of the family asked for ({@code EAI_ADDRFAMILY}). */
    ADDRFAMILY(-9);

    private final int code;

    Reason(int code) {
      this.code = code;
    }

    /** {@return the value in C} */
    public int code() {
      return code;
    }
  }

  /** {@return what the C function returns} */
  public Reason reason() {
    return reason;
  }
}
