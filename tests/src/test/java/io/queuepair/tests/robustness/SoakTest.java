// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.tests.conformance.Attributes;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two sides exchange checked bytes over a bad network, and over one that fails. */
final class SoakTest {
  private static final String A = "10.0.0.1";
  private static final String B = "10.0.0.2";

  /** Of each side. */
  private static final int REQUESTS = 1_500;

  /** 4.096 us * 2^16 = 268 ms for each of eight tries. */
  private static final int LONG_TIMEOUT = 16;

  /** 4.096 us * 2^8 = 1 ms, so that eight tries take less than the port is down. */
  private static final int SHORT_TIMEOUT = 8;

  /** Far longer than all of it takes. */
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private static final class SoakRun implements AutoCloseable {
    private final Emulator emulator;
    private final CheckedPeer a;
    private final CheckedPeer b;

    SoakRun(LinkForm form, String plan, int timeout) {
      emulator = Emulator.on(form.fabric()).injectFaults(FaultPlan.parse(plan));
      a = new CheckedPeer(emulator, A, 1);
      b = new CheckedPeer(emulator, B, 2);
      a.connect(b, timeout);
      b.connect(a, timeout);
    }

    void run(Duration step) {
      while (!a.isDone(REQUESTS) || !b.isDone(REQUESTS)) {
        a.work(REQUESTS);
        b.work(REQUESTS);
        emulator.run(step);
        assertThat(a.failure()).isNull();
        assertThat(b.failure()).isNull();
        assertThat(emulator.now()).as("stuck").isLessThan(LIMIT);
      }
    }

    void runUntilItFails() {
      while (a.failure() == null || !a.isIdle()) {
        a.work(REQUESTS);
        b.work(REQUESTS);
        emulator.run(Duration.ofMillis(1));
        assertThat(emulator.now()).as("stuck").isLessThan(LIMIT);
      }
    }

    @Override
    public void close() {
      emulator.close();
    }
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void everyByteArrivesOnceThroughLossDuplicatesReorderingAndCorruption(LinkForm form) {
    String plan = "seed 5; drop 5%; duplicate 1%; reorder 1%; corrupt 0.3%";
    try (SoakRun soak = new SoakRun(form, plan, LONG_TIMEOUT)) {
      soak.run(Duration.ofNanos(20_000));

      assertThat(soak.emulator.faultCounts().values()).hasSize(4).allMatch(count -> count > 10);
      assertThat(soak.a.state()).isEqualTo(QpState.RTS);
      assertThat(soak.b.state()).isEqualTo(QpState.RTS);
    }
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void retriesEndWhileThePortIsDownForLongerThanTheyTake(LinkForm form) {
    try (SoakRun soak = new SoakRun(form, "port " + A + " down at 1ms for 40ms", SHORT_TIMEOUT)) {
      soak.runUntilItFails();

      assertThat(soak.a.failure().status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
      assertThat(soak.a.state()).isEqualTo(QpState.ERR);
      assertThat(soak.emulator.now()).isLessThan(Duration.ofMillis(41));
    }
  }

  /**
   * One of two sides that send, write with immediate, read and add to a counter of each other: each
   * request has to complete once and in order, and every byte is checked.
   */
  private static final class CheckedPeer {
    private static final int FIRST_PSN = 0xff_fe00;
    private static final int SLOTS = 32;
    private static final int SLOT_BYTES = 4096;

    /** Less than the slots, so that nothing in flight is overwritten. */
    private static final int WINDOW = 24;

    private static final int WRITTEN_BYTES = SLOTS * SLOT_BYTES;
    private static final int READ_BYTES = 64 * 1024;
    private static final int COUNTER = WRITTEN_BYTES + READ_BYTES;
    private static final int READ_PATTERN = 777;
    private final Random random;
    private final CompletionQueue sent;
    private final CompletionQueue received;
    private final QueuePair qp;
    private final MemoryRegion out;
    private final MemoryRegion in;
    private final MemoryRegion receives;
    private final MemoryRegion target;
    private final Deque<PendingRequest> pending = new ArrayDeque<>();
    private CheckedPeer peer;
    private WorkCompletion failure;
    private int posted;
    private int completed;
    private int messages;
    private int taken;
    private int additions;

    /** Kinds of requests. */
    enum RequestKind {
      SEND,
      WRITE_WITH_IMM,
      READ,
      FETCH_ADD
    }

    /**
     * A request in flight.
     *
     * @param expected where the bytes of a READ begin, or what a FETCH_ADD finds
     */
    private record PendingRequest(int wrId, RequestKind kind, int expected, int length) {
      int slot() {
        return wrId % SLOTS * SLOT_BYTES;
      }
    }

    CheckedPeer(Emulator emulator, String address, long seed) {
      random = new Random(seed);
      ProtectionDomain pd = emulator.addDevice(address).open().allocPd();
      sent = pd.context().createCq(2 * SLOTS);
      received = pd.context().createCq(2 * SLOTS);
      QpCap cap = QpCap.of(SLOTS);
      qp = pd.createQp(new QpInitAttr(QpType.RC, sent, received, null, cap, true));
      out = register(pd, WRITTEN_BYTES);
      in = register(pd, WRITTEN_BYTES);
      receives = register(pd, WRITTEN_BYTES);
      target = register(pd, COUNTER + Long.BYTES);
      target.buffer().put(WRITTEN_BYTES, pattern(READ_PATTERN, 0, READ_BYTES));
    }

    private static MemoryRegion register(ProtectionDomain pd, int bytes) {
      return pd.regMr(
          ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder()), Attributes.DATA_RIGHTS);
    }

    private static byte[] pattern(int number, int from, int length) {
      byte[] bytes = new byte[length];
      for (int i = 0; i < length; i++) {
        long mixed = (number + 1) * 0x9e3779b97f4a7c15L + (from + i) * 0x632be59bd9b4e019L;
        bytes[i] = (byte) (mixed >>> 40);
      }
      return bytes;
    }

    private static void check(MemoryRegion region, int at, byte[] expected) {
      byte[] found = new byte[expected.length];
      region.buffer().get(at, found);
      assertThat(found).isEqualTo(expected);
    }

    /**
     * Brings the queue pair to RTS.
     *
     * @param timeout code of the ACK timeout
     */
    void connect(CheckedPeer other, int timeout) {
      peer = other;
      qp.modify(Attributes.init(QpType.RC).qpAccessFlags(Attributes.DATA_RIGHTS));
      for (int slot = 0; slot < SLOTS; slot++) {
        postReceive(slot);
      }
      Gid gid = other.qp.pd().context().queryGid(1, 0);
      qp.modify(Attributes.rtr(QpType.RC, gid, other.qp.qpNum(), FIRST_PSN).minRnrTimer(1));
      qp.modify(Attributes.rts(QpType.RC, FIRST_PSN).timeout(timeout).retryCnt(7).rnrRetry(7));
    }

    private void postReceive(int slot) {
      qp.postRecv(RecvWr.of(slot, receives.sge(slot * SLOT_BYTES, SLOT_BYTES)));
    }

    /** Takes what has completed, and posts as much as may be in flight. */
    void work(int requests) {
      for (WorkCompletion completion : sent.poll(SLOTS)) {
        takeCompletion(completion);
      }
      for (WorkCompletion completion : received.poll(SLOTS)) {
        takeReceive(completion);
      }
      while (failure == null && posted < requests && pending.size() < WINDOW) {
        post();
      }
    }

    boolean isDone(int requests) {
      return completed == requests && taken == peer.messages;
    }

    /** The first request that failed, or null. */
    WorkCompletion failure() {
      return failure;
    }

    boolean isIdle() {
      return pending.isEmpty();
    }

    QpState state() {
      return qp.query().qpState();
    }

    private void post() {
      RequestKind kind = RequestKind.values()[random.nextInt(4)];
      int length = random.nextInt(random.nextInt(10) == 0 ? SLOT_BYTES : 1000);
      int slot = posted % SLOTS * SLOT_BYTES;
      int expected =
          switch (kind) {
            case SEND, WRITE_WITH_IMM -> messages++;
            case READ -> random.nextInt(READ_BYTES - length);
            case FETCH_ADD -> additions++;
          };
      PendingRequest request = new PendingRequest(posted, kind, expected, length);
      out.buffer().put(slot, pattern(expected, 0, length));
      qp.postSend(workRequest(request));
      pending.add(request);
      posted++;
    }

    private SendWr workRequest(PendingRequest request) {
      int wrId = request.wrId();
      int slot = request.slot();
      int length = request.length();
      long remote = peer.target.addr();
      int rkey = peer.target.rkey();
      return switch (request.kind()) {
        case SEND -> SendWr.send(wrId, out.sge(slot, length));
        case WRITE_WITH_IMM ->
            SendWr.rdmaWriteWithImm(wrId, remote + slot, rkey, slot, out.sge(slot, length));
        case READ ->
            SendWr.rdmaRead(
                wrId, remote + WRITTEN_BYTES + request.expected(), rkey, in.sge(slot, length));
        case FETCH_ADD ->
            SendWr.fetchAndAdd(
                wrId, new SendWr.RemoteTarget(remote + COUNTER, rkey), 1, in.sge(slot, Long.BYTES));
      };
    }

    private void takeCompletion(WorkCompletion completion) {
      PendingRequest request = pending.remove();
      assertThat(completion.wrId()).isEqualTo(request.wrId());
      if (failure != null) {
        assertThat(completion.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
      } else if (!completion.isSuccess()) {
        failure = completion;
      } else {
        completed++;
        checkAnswer(request);
      }
    }

    private void checkAnswer(PendingRequest request) {
      if (request.kind() == RequestKind.READ) {
        check(in, request.slot(), pattern(READ_PATTERN, request.expected(), request.length()));
      } else if (request.kind() == RequestKind.FETCH_ADD) {
        long found = in.buffer().order(ByteOrder.nativeOrder()).getLong(request.slot());
        assertThat(found).isEqualTo(request.expected());
      }
    }

    private void takeReceive(WorkCompletion completion) {
      if (!completion.isSuccess()) {
        assertThat(completion.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
        return;
      }
      int slot = (int) completion.wrId();
      if (completion.opcode() == WcOpcode.RECV) {
        check(receives, slot * SLOT_BYTES, pattern(taken, 0, completion.byteLen()));
      } else {
        check(target, completion.immData(), pattern(taken, 0, completion.byteLen()));
      }
      taken++;
      postReceive(slot);
    }
  }
}
