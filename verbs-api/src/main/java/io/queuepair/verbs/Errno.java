// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Error numbers that verbs return, with the values of Linux ({@code errno.h}). */
public enum Errno implements VerbsConstant {
  /** Operation not permitted. */
  EPERM(1),

  /** There is no such entry. */
  ENOENT(2),

  /** The waiting thread was interrupted. */
  EINTR(4),

  /** Resource temporarily unavailable: nothing is queued. */
  EAGAIN(11),

  /** Out of memory, or a queue or table is full. */
  ENOMEM(12),

  /** Bad address. */
  EFAULT(14),

  /** The object is still in use. */
  EBUSY(16),

  /** No such device. */
  ENODEV(19),

  /** Invalid argument. */
  EINVAL(22),

  /** No space left: a queue or a request is full. */
  ENOSPC(28),

  /** Resource deadlock avoided: the wait could never end. */
  EDEADLK(35),

  /** The function is not implemented: an unknown option. */
  ENOSYS(38),

  /** No data available: an empty table slot. */
  ENODATA(61),

  /** The protocol is not supported: no IP header where one should be. */
  EPROTONOSUPPORT(93),

  /** The operation is not supported by the device. */
  EOPNOTSUPP(95),

  /** The address is already in use. */
  EADDRINUSE(98),

  /** The address is not one of this host. */
  EADDRNOTAVAIL(99),

  /** The network is unreachable. */
  ENETUNREACH(101),

  /** The connection exists already. */
  EISCONN(106),

  /** There is no connection. */
  ENOTCONN(107),

  /** The wait timed out. */
  ETIMEDOUT(110),

  /** The peer rejected the connection. */
  ECONNREFUSED(111),

  /** No route to the host. */
  EHOSTUNREACH(113);

  private final int code;

  Errno(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}
