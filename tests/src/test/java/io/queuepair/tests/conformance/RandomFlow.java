// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random operations that one endpoint asks of another, and what must come of them. */
final class RandomFlow {
  private final Random random;
  private final TestEndpoint from;
  private final TestEndpoint to;
  private final List<String> expectedSends = new ArrayList<>();
  private final List<String> expectedReceives = new ArrayList<>();
  private final List<Check> checks = new ArrayList<>();

  /** Receives that are posted only after the message was sent. */
  private final List<RecvWr> lateReceives = new ArrayList<>();

  /** What is checked of one operation when everything is done. */
  private record Check(GuardedRegion target, int length, int seed) {}

  RandomFlow(Random random, TestEndpoint from, TestEndpoint to) {
    this.random = random;
    this.from = from;
    this.to = to;
  }

  private int length() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(4);
      case 1 -> random.nextInt(300);
      case 2 -> 256 * random.nextInt(12);
      default -> random.nextInt(6000);
    };
  }

  void post(int wrId) {
    from.qp().postSend(request(wrId, length()));
  }

  private SendWr request(int wrId, int length) {
    return switch (random.nextInt(4)) {
      case 0 -> send(wrId, length);
      case 1 -> writeWithImmediate(wrId, length);
      case 2 -> write(wrId, length);
      default -> read(wrId, length);
    };
  }

  private GuardedRegion source(TestEndpoint endpoint, int wrId, int length) {
    GuardedRegion source = GuardedRegion.in(endpoint, length);
    source.fill(Bytes.pattern(length, wrId));
    return source;
  }

  private GuardedRegion target(TestEndpoint endpoint, int wrId, int length) {
    GuardedRegion target = GuardedRegion.in(endpoint, length);
    checks.add(new Check(target, length, wrId));
    return target;
  }

  private SendWr send(int wrId, int length) {
    receive(RecvWr.of(wrId, target(to, wrId, length).sge()));
    expectedSends.add(wrId + " SEND");
    expectedReceives.add(wrId + " RECV " + length);
    return SendWr.send(wrId, source(from, wrId, length).sge());
  }

  private SendWr writeWithImmediate(int wrId, int length) {
    GuardedRegion target = target(to, wrId, length);
    receive(RecvWr.of(wrId));
    expectedSends.add(wrId + " RDMA_WRITE");
    expectedReceives.add(String.format("%d RECV_RDMA_WITH_IMM %d imm 0x%08x", wrId, length, wrId));
    return SendWr.rdmaWriteWithImm(
        wrId, target.addr(), target.rkey(), wrId, source(from, wrId, length).sge());
  }

  private SendWr write(int wrId, int length) {
    GuardedRegion target = target(to, wrId, length);
    expectedSends.add(wrId + " RDMA_WRITE");
    return SendWr.rdmaWrite(wrId, target.addr(), target.rkey(), source(from, wrId, length).sge());
  }

  private SendWr read(int wrId, int length) {
    GuardedRegion source = source(to, wrId, length);
    expectedSends.add(wrId + " RDMA_READ " + length);
    return SendWr.rdmaRead(wrId, source.addr(), source.rkey(), target(from, wrId, length).sge());
  }

  /** Most receives are posted in time. */
  private void receive(RecvWr receive) {
    lateReceives.add(receive);
    if (random.nextInt(4) > 0) {
      postLateReceives();
    }
  }

  void postLateReceives() {
    to.qp().postRecv(lateReceives);
    lateReceives.clear();
  }

  void assertEverythingOnce() {
    assertThat(from.sends()).isEqualTo(expectedSends);
    assertThat(to.receives()).isEqualTo(expectedReceives);
    for (Check check : checks) {
      check.target.assertHolds(Bytes.pattern(check.length, check.seed));
    }
  }
}
