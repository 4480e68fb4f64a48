// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The functions that an extended queue pair has pointers to. A call allocates nothing. */
final class PostingFunctions {
  private static final MethodHandle PLAIN = DataFunctions.handle("VJ");
  private static final MethodHandle STATUS = DataFunctions.handle("IJ");
  private static final MethodHandle NUMBER = DataFunctions.handle("VJI");
  private static final MethodHandle REMOTE = DataFunctions.handle("VJIJ");
  private static final MethodHandle REMOTE_IMM = DataFunctions.handle("VJIJI");
  private static final MethodHandle REMOTE_LONG = DataFunctions.handle("VJIJJ");
  private static final MethodHandle COMPARE = DataFunctions.handle("VJIJJJ");
  private static final MethodHandle FLUSH = DataFunctions.handle("VJIJJBB");
  private static final MethodHandle BIND = DataFunctions.handle("VJJIJ");
  private static final MethodHandle TSO = DataFunctions.handle("VJJSS");
  private static final MethodHandle SGE = DataFunctions.handle("VJIJI");
  private static final MethodHandle LIST = DataFunctions.handle("VJJJ");
  private static final MethodHandle ADDRESS = DataFunctions.handle("VJJII");

  /** Functions that begin a request. */
  enum Operation {
    SEND,
    SEND_IMM,
    SEND_INV,
    SEND_TSO,
    RDMA_READ,
    RDMA_WRITE,
    RDMA_WRITE_IMM,
    ATOMIC_CMP_SWP,
    ATOMIC_FETCH_ADD,
    ATOMIC_WRITE,
    FLUSH,
    BIND_MW,
    LOCAL_INV;

    /** Whether it goes to a peer. */
    boolean isRemote() {
      return this != BIND_MW && this != LOCAL_INV;
    }

    /** Whether setters give it data; an atomic write has it already. */
    boolean takesData() {
      return isRemote() && this != ATOMIC_WRITE && this != FLUSH;
    }
  }

  private final Map<Operation, MemorySegment> operations = new EnumMap<>(Operation.class);
  private final MemorySegment start;
  private final MemorySegment complete;
  private final MemorySegment abort;
  private final MemorySegment setSge;
  private final MemorySegment setSgeList;
  private final MemorySegment setInlineData;
  private final MemorySegment setUdAddr;
  private final MemorySegment setXrcSrqn;

  /**
   * Reads the pointers. The structure of older releases ends before that of FLUSH, which their
   * drivers do not create a queue pair with.
   */
  PostingFunctions(long struct, boolean hasFlush) {
    for (Operation operation : Operation.values()) {
      if (operation != Operation.FLUSH || hasFlush) {
        operations.put(operation, pointer(struct, operation.name().toLowerCase(Locale.ROOT)));
      }
    }
    start = pointer(struct, "start");
    complete = pointer(struct, "complete");
    abort = pointer(struct, "abort");
    setSge = pointer(struct, "set_sge");
    setSgeList = pointer(struct, "set_sge_list");
    setInlineData = pointer(struct, "set_inline_data");
    setUdAddr = pointer(struct, "set_ud_addr");
    setXrcSrqn = pointer(struct, "set_xrc_srqn");
  }

  private static MemorySegment pointer(long struct, String name) {
    int offset = VerbsAbi.offset("ibv_qp_ex.wr_" + name);
    return MemorySegment.ofAddress(RawMemory.getLong(struct + offset));
  }

  boolean has(Operation operation) {
    MemorySegment function = operations.get(operation);
    return function != null && function.address() != 0;
  }

  void start(long qp) {
    plain(start, qp);
  }

  void abort(long qp) {
    plain(abort, qp);
  }

  void send(long qp) {
    plain(operations.get(Operation.SEND), qp);
  }

  private static void plain(MemorySegment function, long qp) {
    try {
      PLAIN.invokeExact(function, qp);
    } catch (Throwable e) {
      throw DataFunctions.impossible(e);
    }
  }

  int complete(long qp) {
    try {
      return (int) STATUS.invokeExact(complete, qp);
    } catch (Throwable e) {
      throw DataFunctions.impossible(e);
    }
  }

  void withNumber(Operation operation, long qp, int number) {
    number(operations.get(operation), qp, number);
  }

  void setXrcSrqn(long qp, int srqn) {
    number(setXrcSrqn, qp, srqn);
  }

  private static void number(MemorySegment function, long qp, int number) {
    try {
      NUMBER.invokeExact(function, qp, number);
    } catch (Throwable e) {
      throw DataFunctions.impossible(e);
    }
  }

  void sendTso(long qp, long header, short headerBytes, short mss) {
    try {
      TSO.invokeExact(operations.get(Operation.SEND_TSO), qp, header, headerBytes, mss);
    } catch (Throwable e) {
      throw DataFunctions.impossible(e);
    }
  }

  void remote(Operation operation, long qp, int rkey, long remoteAddr) {
    try {
      REMOTE.invokeExact(operations.get(operation), qp, rkey, remoteAddr);
    } catch (Throwable e) {
      throw DataFunctions.impossible(e);
    }
  }

  void rdmaWriteImm(long qp, int rkey, long remoteAddr, int immData) {
    try {
      MemorySegment function = operations.get(Operation.RDMA_WRITE_IMM);
      REMOTE_IMM.invokeExact(function, qp, rkey, remoteAddr, immData);
    } catch (Throwable e) {
      throw DataFunctions.impossible(e);
    }
  }

  /** FETCH_ADD with what to add, an atomic write with the address of its bytes. */
  void fourArguments(Operation operation, long qp, int rkey, long remoteAddr, long last) {
    try {
      REMOTE_LONG.invokeExact(operations.get(operation), qp, rkey, remoteAddr, last);
    } catch (Throwable e) {
      throw DataFunctions.impossible(e);
    }
  }

  void atomicCmpSwp(long qp, int rkey, long remoteAddr, long compare, long swap) {
    try {
      MemorySegment function = operations.get(Operation.ATOMIC_CMP_SWP);
      COMPARE.invokeExact(function, qp, rkey, remoteAddr, compare, swap);
    } catch (Throwable e) {
      throw DataFunctions.impossible(e);
    }
  }

  void flush(long qp, int rkey, long remoteAddr, long length, byte placements, byte level) {
    try {
      MemorySegment function = operations.get(Operation.FLUSH);
      FLUSH.invokeExact(function, qp, rkey, remoteAddr, length, placements, level);
    } catch (Throwable e) {
      throw DataFunctions.impossible(e);
    }
  }

  void bindMw(long qp, long mw, int rkey, long info) {
    try {
      BIND.invokeExact(operations.get(Operation.BIND_MW), qp, mw, rkey, info);
    } catch (Throwable e) {
      throw DataFunctions.impossible(e);
    }
  }

  void setSge(long qp, int lkey, long addr, int length) {
    try {
      SGE.invokeExact(setSge, qp, lkey, addr, length);
    } catch (Throwable e) {
      throw DataFunctions.impossible(e);
    }
  }

  void setSgeList(long qp, long count, long list) {
    list(setSgeList, qp, count, list);
  }

  void setInlineData(long qp, long bytes, long length) {
    list(setInlineData, qp, bytes, length);
  }

  private static void list(MemorySegment function, long qp, long first, long second) {
    try {
      LIST.invokeExact(function, qp, first, second);
    } catch (Throwable e) {
      throw DataFunctions.impossible(e);
    }
  }

  void setUdAddr(long qp, long ah, int remoteQpn, int remoteQkey) {
    try {
      ADDRESS.invokeExact(setUdAddr, qp, ah, remoteQpn, remoteQkey);
    } catch (Throwable e) {
      throw DataFunctions.impossible(e);
    }
  }
}
