// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The functions of the data path, by the pointers that a context has to them, as {@code
 * ibv_post_send} and others of {@code verbs.h} are inline functions. A call allocates nothing.
 */
final class DataFunctions {
  private static final MethodHandle POLL = handle("IJIJ");
  private static final MethodHandle NOTIFY = handle("IJI");
  private static final MethodHandle POST = handle("IJJJ");

  private final MemorySegment pollCq;
  private final MemorySegment reqNotifyCq;
  private final MemorySegment postSend;
  private final MemorySegment postRecv;
  private final MemorySegment postSrqRecv;

  DataFunctions(ContextFunctions functions) {
    pollCq = MemorySegment.ofAddress(functions.operation("poll_cq"));
    reqNotifyCq = MemorySegment.ofAddress(functions.operation("req_notify_cq"));
    postSend = MemorySegment.ofAddress(functions.operation("post_send"));
    postRecv = MemorySegment.ofAddress(functions.operation("post_recv"));
    postSrqRecv = MemorySegment.ofAddress(functions.operation("post_srq_recv"));
  }

  /** A handle whose first argument is the address of the function. */
  @SuppressWarnings("restricted") // Calling C is what this is for.
  static MethodHandle handle(String signature) {
    return Linker.nativeLinker().downcallHandle(ControlFunction.descriptor(signature));
  }

  /** Wraps what a method handle throws, which is a bug: C throws nothing. */
  static IllegalStateException impossible(Throwable thrown) {
    return new IllegalStateException("calling a function of the driver", thrown);
  }

  int pollCq(long cq, int entries, long into) {
    try {
      return (int) POLL.invokeExact(pollCq, cq, entries, into);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  int reqNotifyCq(long cq, int solicitedOnly) {
    check(reqNotifyCq, "ibv_req_notify_cq");
    try {
      return (int) NOTIFY.invokeExact(reqNotifyCq, cq, solicitedOnly);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  int postSend(long qp, long wr, long bad) {
    return post(postSend, qp, wr, bad);
  }

  int postRecv(long qp, long wr, long bad) {
    return post(postRecv, qp, wr, bad);
  }

  int postSrqRecv(long srq, long wr, long bad) {
    check(postSrqRecv, "ibv_post_srq_recv");
    return post(postSrqRecv, srq, wr, bad);
  }

  private static int post(MemorySegment function, long queue, long wr, long bad) {
    try {
      return (int) POST.invokeExact(function, queue, wr, bad);
    } catch (Throwable e) {
      throw impossible(e);
    }
  }

  private static void check(MemorySegment function, String verb) {
    if (function.address() == 0) {
      throw new VerbsException(Errno.EOPNOTSUPP, verb, "this device has no such function");
    }
  }
}
