// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.WcStatus;
import java.util.EnumSet;
import java.util.Set;

/** Errors injected into a work request, each with the resulting status on a reliable connection. */
public enum InjectedError {
  NONE(null),
  /** A local key of no memory region. */
  LOCAL_KEY(WcStatus.LOC_PROT_ERR),
  /** A remote key of no memory region. */
  REMOTE_KEY(WcStatus.REM_ACCESS_ERR),
  /** A remote key of memory without the access right. */
  REMOTE_RIGHT(WcStatus.REM_ACCESS_ERR),
  /** A remote key of memory in another protection domain. */
  REMOTE_DOMAIN(WcStatus.REM_ACCESS_ERR),
  /** One byte more than the memory of the remote key has. */
  REMOTE_RANGE(WcStatus.REM_ACCESS_ERR),
  /** The key of a window that is bound to another queue pair. */
  REMOTE_WINDOW(WcStatus.REM_ACCESS_ERR),
  /** A bind of a window that is already bound. */
  BOUND_WINDOW(WcStatus.MW_BIND_ERR),
  /** A message longer than every posted receive, or than a datagram may be. */
  TOO_LONG(WcStatus.REM_INV_REQ_ERR),
  /** An atomic whose address is not a multiple of eight. */
  MISALIGNED(WcStatus.REM_INV_REQ_ERR);

  private static final Set<InjectedError> OF_REMOTE_MEMORY =
      EnumSet.of(REMOTE_KEY, REMOTE_RIGHT, REMOTE_DOMAIN, REMOTE_RANGE, REMOTE_WINDOW);

  private final WcStatus status;

  InjectedError(WcStatus status) {
    this.status = status;
  }

  /** Whether the error concerns memory of the peer. */
  boolean isOfRemoteMemory() {
    return OF_REMOTE_MEMORY.contains(this);
  }

  /** Status of the completion on a reliable connection; null without an error. */
  WcStatus status() {
    return status;
  }
}
