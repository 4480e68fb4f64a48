package io.queuepair.tools.workload;

import io.queuepair.verbs.WcStatus;

/** What is wrong with a work request on purpose, and how it then fails on a reliable connection. */
public enum Flaw {
  /** Nothing. */
  NONE(null),
  /** A local key that names no memory. */
  LOCAL_KEY(WcStatus.LOC_PROT_ERR),
  /** A remote key that names no memory. */
  REMOTE_KEY(WcStatus.REM_ACCESS_ERR),
  /** A message longer than any receive that is posted, or than a datagram may be. */
  TOO_LONG(WcStatus.REM_INV_REQ_ERR),
  /** An atomic whose address is not a multiple of eight. */
  MISALIGNED(WcStatus.REM_INV_REQ_ERR);

  private final WcStatus status;

  Flaw(WcStatus status) {
    this.status = status;
  }

  /** The status on a reliable connection; null if nothing is wrong. */
  WcStatus status() {
    return status;
  }
}
