// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.WcStatus;
import java.util.EnumSet;
import java.util.Set;

/** Flaw made into a work request, and how it then fails on a reliable connection. */
public enum InjectedError {
  /** No error. */
  NONE(null),
  /** A local key that names no memory. */
  LOCAL_KEY(WcStatus.LOC_PROT_ERR),
  /** A remote key that names no memory. */
  REMOTE_KEY(WcStatus.REM_ACCESS_ERR),
  /** A remote key of memory that lacks the right. */
  REMOTE_RIGHT(WcStatus.REM_ACCESS_ERR),
  /** A remote key of memory in another protection domain. */
  REMOTE_DOMAIN(WcStatus.REM_ACCESS_ERR),
  /** One byte more than there is behind the remote key. */
  REMOTE_RANGE(WcStatus.REM_ACCESS_ERR),
  /** The key of a window that another queue pair has bound. */
  REMOTE_WINDOW(WcStatus.REM_ACCESS_ERR),
  /** A window to be bound that is bound already. */
  BOUND_WINDOW(WcStatus.MW_BIND_ERR),
  /** A message longer than any receive that is posted, or than a datagram may be. */
  TOO_LONG(WcStatus.REM_INV_REQ_ERR),
  /** An atomic whose address is not a multiple of eight. */
  MISALIGNED(WcStatus.REM_INV_REQ_ERR);

  private static final Set<InjectedError> OF_REMOTE_MEMORY =
      EnumSet.of(REMOTE_KEY, REMOTE_RIGHT, REMOTE_DOMAIN, REMOTE_RANGE, REMOTE_WINDOW);

  private final WcStatus status;

  InjectedError(WcStatus status) {
    this.status = status;
  }

  /** Whether the peer refuses what is done to its memory. */
  boolean isOfRemoteMemory() {
    return OF_REMOTE_MEMORY.contains(this);
  }

  /** The status on a reliable connection; null if nothing is wrong. */
  WcStatus status() {
    return status;
  }
}
