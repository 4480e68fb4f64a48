// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.Bytes;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The operations of one connection. Each has its own bytes; what it leaves behind is compared when
 * it completes, which must be in order and once.
 */
final class OperationStream {
  private static final int WORD = 8;
  private static final byte UNTOUCHED = 0x5a;

  private final SuiteHost host;
  private final SuiteHost.HostLink link;
  private final StreamTarget place;
  private final List<StreamKind> kinds;
  private int posted;
  private int completed;
  private int received;
  private int sent;

  OperationStream(
      SuiteHost host, SuiteHost.HostLink link, StreamTarget place, List<StreamKind> kinds) {
    this.host = host;
    this.link = link;
    this.place = place;
    this.kinds = kinds;
  }

  /**
   * Where its memory is, at both sides: one slot for each operation in flight.
   *
   * @param number which stream it is, from 0
   */
  record StreamTarget(int number, int window, int slotBytes) {
    int offset(int operation) {
      return (number * window + operation % window) * slotBytes;
    }
  }

  /** SWAP is of the value that is there, NO_SWAP of another one. */
  enum StreamKind {
    SEND(WcOpcode.SEND),
    READ(WcOpcode.RDMA_READ),
    WRITE(WcOpcode.RDMA_WRITE),
    FETCH_ADD(WcOpcode.FETCH_ADD),
    SWAP(WcOpcode.COMP_SWAP),
    NO_SWAP(WcOpcode.COMP_SWAP);

    private final WcOpcode opcode;

    StreamKind(WcOpcode opcode) {
      this.opcode = opcode;
    }
  }

  SuiteHost.HostLink link() {
    return link;
  }

  int completed() {
    return completed;
  }

  private StreamKind kind(int operation) {
    return kinds.get(operation % kinds.size());
  }

  private int bytes(int operation) {
    return kind(operation).compareTo(StreamKind.FETCH_ADD) < 0 ? place.slotBytes : WORD;
  }

  /** Posts one list for all the room there is. */
  void post(int total) {
    List<SendWr> batch = new ArrayList<>();
    while (posted < total && posted - completed < place.window) {
      batch.add(next(posted++));
    }
    link.near().postSend(batch);
  }

  private int seed(int operation) {
    return place.number * 31 + operation;
  }

  private long word(int operation) {
    return 0x1_0000_0001L * seed(operation);
  }

  private SendWr next(int i) {
    int offset = place.offset(i);
    MemoryRegion here = host.source();
    MemoryRegion there = host.target();
    SendWr.RemoteTarget target = new SendWr.RemoteTarget(there.addr() + offset, there.rkey());
    byte[] data = Bytes.pattern(bytes(i), seed(i));
    byte[] nothing = Bytes.fill(bytes(i), UNTOUCHED);
    Bytes.into(here, offset, kind(i) == StreamKind.READ ? nothing : data);
    Bytes.into(there, offset, kind(i) == StreamKind.READ ? data : nothing);
    if (kind(i).compareTo(StreamKind.FETCH_ADD) >= 0) {
      there.buffer().order(ByteOrder.nativeOrder()).putLong(offset, word(i));
    }
    return switch (kind(i)) {
      case SEND -> {
        sent++;
        link.far().postRecv(RecvWr.of(i, there.sge(offset, bytes(i))));
        yield SendWr.send(i, here.sge(offset, bytes(i)));
      }
      case READ -> host.read(i, offset, bytes(i));
      case WRITE -> host.write(i, offset, bytes(i));
      case FETCH_ADD -> SendWr.fetchAndAdd(i, target, i + 1, here.sge(offset, WORD));
      case SWAP -> SendWr.compareAndSwap(i, target, word(i), ~word(i), here.sge(offset, WORD));
      case NO_SWAP -> SendWr.compareAndSwap(i, target, word(i) + 1, 10_000, here.sge(offset, WORD));
    };
  }

  /** Takes the completion of the oldest operation; that of a SEND is compared in its receive. */
  void complete(WorkCompletion wc) {
    assertThat(wc.isSuccess()).as("%s", wc).isTrue();
    assertThat(wc.wrId()).as("order").isEqualTo(completed);
    int i = completed++;
    assertThat(wc.opcode()).isEqualTo(kind(i).opcode);
    switch (kind(i)) {
      case SEND -> {}
      case WRITE -> assertData(host.target(), i, bytes(i));
      case READ -> assertData(host.source(), i, bytes(i));
      case FETCH_ADD -> assertWords(i, word(i) + i + 1);
      case SWAP -> assertWords(i, ~word(i));
      case NO_SWAP -> assertWords(i, word(i));
    }
  }

  private void assertData(MemoryRegion region, int i, int bytes) {
    assertThat(Bytes.in(region, place.offset(i), bytes)).isEqualTo(Bytes.pattern(bytes, seed(i)));
  }

  /** The old value came back, and the new one is there. */
  private void assertWords(int i, long there) {
    int offset = place.offset(i);
    assertThat(host.source().buffer().order(ByteOrder.nativeOrder()).getLong(offset))
        .isEqualTo(word(i));
    assertThat(host.target().buffer().order(ByteOrder.nativeOrder()).getLong(offset))
        .isEqualTo(there);
  }

  /** Takes the completion of a receive, which comes before that of its send. */
  void receive(WorkCompletion wc) {
    assertThat(wc.isSuccess()).as("%s", wc).isTrue();
    assertThat(wc.byteLen()).isEqualTo(place.slotBytes);
    assertData(host.target(), (int) wc.wrId(), wc.byteLen());
    received++;
  }

  void assertAllReceived() {
    assertThat(received).isEqualTo(sent);
  }
}
