// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls through the pointers of {@code struct ibv_qp_ex}, which the test fills itself. */
final class PostingFunctionsTest {
  private static final int CALLS = 20_000;

  /** As {@code verbs.h} of rdma-core has it since the release with {@code ibv_wr_flush}. */
  private static final int SIZE = 360;

  private static final int WR_FLUSH = 352;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment struct = arena.allocate(SIZE, Long.BYTES);
  private final List<List<Object>> calls = new ArrayList<>();

  @AfterEach
  void close() {
    arena.close();
  }

  /** Arguments of the driver's function. */
  void wrFlush(long qp, int rkey, long remoteAddr, long length, byte type, byte level) {
    calls.add(List.of(qp, rkey, remoteAddr, length, type, level));
  }

  private void pointAt(int offset, MemorySegment function) {
    RawMemory.putLong(struct.address() + offset, function.address());
  }

  @Test
  @SuppressWarnings("restricted") // Calling C is what this is for.
  void flushCallsTheFunctionBehindThatOfAtomicWrites() throws ReflectiveOperationException {
    MethodType type =
        MethodType.methodType(
            void.class, long.class, int.class, long.class, long.class, byte.class, byte.class);
    MethodHandle target =
        MethodHandles.lookup()
            .findVirtual(PostingFunctionsTest.class, "wrFlush", type)
            .bindTo(this);
    pointAt(
        WR_FLUSH,
        Linker.nativeLinker().upcallStub(target, ControlFunction.descriptor("VJIJJBB"), arena));
    PostingFunctions functions = new PostingFunctions(struct.address(), true);

    assertThat(functions.has(PostingFunctions.Operation.FLUSH)).isTrue();
    functions.flush(struct.address(), 0x80000001, -2, 0xffff_ffffL, (byte) 3, (byte) 1);

    assertThat(calls)
        .containsExactly(
            List.of(struct.address(), 0x80000001, -2L, 0xffff_ffffL, (byte) 3, (byte) 1));
  }

  /** The structure of release 44 ends there: something else follows. */
  @Test
  void aStructureWithoutFlushIsNotReadBehindItsEnd() {
    RawMemory.putLong(struct.address() + WR_FLUSH, 1);

    PostingFunctions functions = new PostingFunctions(struct.address(), false);

    assertThat(functions.has(PostingFunctions.Operation.FLUSH)).isFalse();
  }

  /** A function of the C library stands for those of a driver: it looks at its first argument. */
  @Test
  void callsAllocateNothing() {
    MemorySegment abs = Linker.nativeLinker().defaultLookup().find("abs").orElseThrow();
    for (int offset = VerbsAbi.offset("ibv_qp_ex.wr_atomic_cmp_swp"); offset < SIZE; offset += 8) {
      pointAt(offset, abs);
    }
    PostingFunctions functions = new PostingFunctions(struct.address(), true);

    assertThat(ThreadAllocation.bytes(() -> callAll(functions))).isZero();
  }

  private void callAll(PostingFunctions functions) {
    long qp = struct.address();
    for (int i = 0; i < CALLS; i++) {
      functions.start(qp);
      functions.send(qp);
      functions.withNumber(PostingFunctions.Operation.SEND_IMM, qp, i);
      functions.remote(PostingFunctions.Operation.RDMA_READ, qp, i, i);
      functions.rdmaWriteImm(qp, i, i, i);
      functions.fourArguments(PostingFunctions.Operation.ATOMIC_FETCH_ADD, qp, i, i, i);
      functions.atomicCmpSwp(qp, i, i, i, i);
      functions.flush(qp, i, i, i, (byte) 1, (byte) 0);
      functions.bindMw(qp, i, i, i);
      functions.setSge(qp, i, i, i);
      functions.setSgeList(qp, i, i);
      functions.setInlineData(qp, i, i);
      functions.setUdAddr(qp, i, i, i);
      functions.setXrcSrqn(qp, i);
      functions.sendTso(qp, i, (short) 1, (short) 1);
      functions.complete(qp);
      functions.abort(qp);
    }
  }
}
