// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.Bytes;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The operations of one connection of a {@link SuiteTraffic}. Each has its own bytes; what it
 * leaves behind is compared when it completes, which must be in order and once.
 */
final class OperationStream {
  private static final int BATCH = 8;
  private static final int WORD = 8;
  private static final byte UNTOUCHED = 0x5a;

  private final SuiteHost host;
  private final SuiteHost.HostLink link;
  private final StreamTarget place;
  private final IntFunction<StreamOperation> operations;
  private final List<StreamOperation> inFlight = new ArrayList<>();
  private int posted;
  private int completed;
  private int received;
  private int sent;

  OperationStream(
      SuiteHost host,
      SuiteHost.HostLink link,
      StreamTarget place,
      IntFunction<StreamOperation> operations) {
    this.host = host;
    this.link = link;
    this.place = place;
    this.operations = operations;
  }

  /**
   * Where its memory is, at both sides: one slot for each operation in flight.
   *
   * @param number which lane it is, from 0
   * @param window operations in flight
   * @param slotBytes the largest operation
   */
  record StreamTarget(int number, int window, int slotBytes) {
    int offset(int operation) {
      return (number * window + operation % window) * slotBytes;
    }
  }

  enum StreamKind {
    SEND,
    READ,
    WRITE,
    FETCH_ADD,
    /** Of the value that is there. */
    SWAP,
    /** Of another value than is there. */
    NO_SWAP
  }

  /** What to do; atomics have 8 bytes. */
  record StreamOperation(StreamKind kind, int bytes) {}

  SuiteHost.HostLink link() {
    return link;
  }

  int completed() {
    return completed;
  }

  int received() {
    return received;
  }

  /** How many SENDs there were. */
  int sent() {
    return sent;
  }

  /** Posts batches as long as there is room and work. */
  void post(int total) {
    int room = Math.min(place.window - inFlight.size(), total - posted);
    while (room > 0) {
      List<SendWr> batch = new ArrayList<>();
      for (int i = 0; i < Math.min(BATCH, room); i++) {
        batch.add(next());
      }
      link.near().postSend(batch);
      room -= batch.size();
    }
  }

  private int seed(int operation) {
    return place.number * 31 + operation;
  }

  private long word(int operation) {
    return 0x1_0000_0001L * seed(operation);
  }

  private SendWr next() {
    int i = posted++;
    StreamOperation operation = operations.apply(i);
    inFlight.add(operation);
    int offset = place.offset(i);
    MemoryRegion here = host.source();
    MemoryRegion there = host.target();
    prepare(operation, i, offset);
    SendWr.RemoteTarget target = new SendWr.RemoteTarget(there.addr() + offset, there.rkey());
    return switch (operation.kind) {
      case SEND -> {
        sent++;
        link.far().postRecv(RecvWr.of(i, there.sge(offset, operation.bytes)));
        yield SendWr.send(i, here.sge(offset, operation.bytes));
      }
      case READ -> host.read(i, offset, operation.bytes);
      case WRITE -> host.write(i, offset, operation.bytes);
      case FETCH_ADD -> SendWr.fetchAndAdd(i, target, i + 1, here.sge(offset, WORD));
      case SWAP -> SendWr.compareAndSwap(i, target, word(i), ~word(i), here.sge(offset, WORD));
      case NO_SWAP -> SendWr.compareAndSwap(i, target, word(i) + 1, 10_000, here.sge(offset, WORD));
    };
  }

  private void prepare(StreamOperation operation, int i, int offset) {
    byte[] data = Bytes.pattern(operation.bytes, seed(i));
    byte[] nothing = Bytes.fill(operation.bytes, UNTOUCHED);
    switch (operation.kind) {
      case SEND, WRITE -> fill(data, nothing, offset);
      case READ -> fill(nothing, data, offset);
      case FETCH_ADD, SWAP, NO_SWAP -> {
        Bytes.into(host.source(), offset, nothing);
        host.target().buffer().order(ByteOrder.nativeOrder()).putLong(offset, word(i));
      }
    }
  }

  private void fill(byte[] here, byte[] there, int offset) {
    Bytes.into(host.source(), offset, here);
    Bytes.into(host.target(), offset, there);
  }

  /** Takes the completion of the oldest operation. */
  void complete(WorkCompletion wc) {
    assertThat(wc.status()).as("%s", wc).isEqualTo(WcStatus.SUCCESS);
    assertThat(wc.wrId()).as("order").isEqualTo(completed);
    StreamOperation operation = inFlight.remove(0);
    assertThat(wc.opcode()).isEqualTo(opcode(operation.kind));
    int offset = place.offset(completed);
    byte[] data = Bytes.pattern(operation.bytes, seed(completed));
    switch (operation.kind) {
      case SEND -> {
        // What arrived is compared when the receive completes.
      }
      case WRITE -> assertThat(Bytes.in(host.target(), offset, data.length)).isEqualTo(data);
      case READ -> assertThat(Bytes.in(host.source(), offset, data.length)).isEqualTo(data);
      case FETCH_ADD -> assertWords(offset, word(completed) + completed + 1);
      case SWAP -> assertWords(offset, ~word(completed));
      case NO_SWAP -> assertWords(offset, word(completed));
    }
    completed++;
  }

  /** The old value came back, and the new one is there. */
  private void assertWords(int offset, long there) {
    assertThat(host.source().buffer().order(ByteOrder.nativeOrder()).getLong(offset))
        .isEqualTo(word(completed));
    assertThat(host.target().buffer().order(ByteOrder.nativeOrder()).getLong(offset))
        .isEqualTo(there);
  }

  private static WcOpcode opcode(StreamKind kind) {
    return switch (kind) {
      case SEND -> WcOpcode.SEND;
      case READ -> WcOpcode.RDMA_READ;
      case WRITE -> WcOpcode.RDMA_WRITE;
      case FETCH_ADD -> WcOpcode.FETCH_ADD;
      case SWAP, NO_SWAP -> WcOpcode.COMP_SWAP;
    };
  }

  /** Takes the completion of a receive, which comes before that of its send. */
  void receive(WorkCompletion wc) {
    assertThat(wc.status()).as("%s", wc).isEqualTo(WcStatus.SUCCESS);
    int operation = (int) wc.wrId();
    byte[] data = Bytes.pattern(wc.byteLen(), seed(operation));
    assertThat(Bytes.in(host.target(), place.offset(operation), data.length)).isEqualTo(data);
    received++;
  }
}
