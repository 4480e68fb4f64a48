// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.Outcomes;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.tests.conformance.Window;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What most cases start from: two sides in RTS, a local and a remote one, each with a page of
 * memory that all may use. The local page is full of 'a', the remote one of 'b'.
 */
final class ConnectedPair implements AutoCloseable {
  static final int PAGE = 4096;

  /** Names nothing, neither here nor there. */
  static final int BAD_KEY = 0xdead_beef;

  static final Set<AccessFlag> ALL_RIGHTS =
      EnumSet.of(
          AccessFlag.LOCAL_WRITE,
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_ATOMIC,
          AccessFlag.MW_BIND);

  private static final int FIRST_PSN = 1024;
  private static final int MANY = 4096;

  private final Pair pair;
  private final MemoryRegion local;
  private final MemoryRegion remote;

  ConnectedPair(Pair pair, int bytes) {
    this.pair = pair;
    local = filled(pair.a(), bytes, ALL_RIGHTS, 'a');
    remote = filled(pair.b(), bytes, ALL_RIGHTS, 'b');
  }

  /** Reliable connections as the suites make them; a try takes a second. */
  static Pair.Builder reliable(Pair.Builder builder) {
    return builder
        .cap(new QpCap(200, 200, 1, 1, 36))
        .access(Window.ALL_REMOTE)
        .mtu(Mtu.MTU_4096)
        .rtr(attr -> attr.rqPsn(FIRST_PSN).minRnrTimer(26).maxDestRdAtomic(8))
        .rts(attr -> attr.sqPsn(FIRST_PSN).timeout(18).retryCnt(5).rnrRetry(5).maxRdAtomic(8));
  }

  static Pair.Builder datagrams(Pair.Builder builder) {
    return builder.type(QpType.UD).cap(new QpCap(200, 200, 1, 1, 36));
  }

  static MemoryRegion filled(TestEndpoint side, int bytes, Set<AccessFlag> rights, int fill) {
    MemoryRegion region = side.register(bytes, rights);
    Bytes.into(region, 0, Bytes.fill(bytes, fill));
    return region;
  }

  Pair pair() {
    return pair;
  }

  /** The side that sends. */
  TestEndpoint a() {
    return pair.a();
  }

  /** The side that receives. */
  TestEndpoint b() {
    return pair.b();
  }

  MemoryRegion local() {
    return local;
  }

  MemoryRegion remote() {
    return remote;
  }

  void receive(long wrId, Sge... sges) {
    b().qp().postRecv(RecvWr.of(wrId, sges));
  }

  void post(SendWr... requests) {
    a().qp().postSend(List.of(requests));
  }

  /** A write of all local memory over the remote one. */
  SendWr write(long wrId) {
    return SendWr.rdmaWrite(wrId, remote.addr(), remote.rkey(), local.sge());
  }

  SendWr read(long wrId) {
    return SendWr.rdmaRead(wrId, remote.addr(), remote.rkey(), local.sge());
  }

  /** A SEND that goes to the other side, whatever the type. */
  SendWr send(long wrId, Sge... sges) {
    SendWr send = SendWr.send(wrId, sges);
    return a().ah() == null ? send : send.to(a().ah(), b().qp().qpNum(), TestEndpoint.QKEY);
  }

  /** Waits until exactly this has completed, and nothing else. */
  void expect(List<String> sends, List<String> receives) {
    List<WorkCompletion> received = take(b().recvCq(), receives.size());
    List<WorkCompletion> sent = take(a().sendCq(), sends.size());

    assertThat(Outcomes.of(sent)).as("sends").containsExactlyElementsOf(sends);
    assertThat(Outcomes.of(received)).as("receives").containsExactlyElementsOf(receives);
  }

  /** All completions that come in virtual time; in real time as many as are expected. */
  private List<WorkCompletion> take(CompletionQueue cq, int expected) {
    List<WorkCompletion> taken = new ArrayList<>();
    if (pair.isVirtual()) {
      pair.drain();
    } else {
      while (taken.size() < expected) {
        taken.add(pair.await(cq));
      }
    }
    taken.addAll(cq.poll(MANY));
    return taken;
  }

  void assertStates(QpState expectedA, QpState expectedB) {
    assertThat(a().state()).as("local").isEqualTo(expectedA);
    assertThat(b().state()).as("remote").isEqualTo(expectedB);
  }

  void assertRemoteFullOf(int expected) {
    assertFullOf(remote, expected);
  }

  static void assertFullOf(MemoryRegion region, int expected) {
    assertThat(Bytes.in(region, 0, region.length()))
        .isEqualTo(Bytes.fill(region.length(), expected));
  }

  /** Destroys the queues in order of dependency, which must succeed, and the rest. */
  @Override
  public void close() {
    for (TestEndpoint side : List.of(a(), b())) {
      side.events();
      side.qp().close();
      if (side.srq() != null) {
        side.srq().close();
      }
      side.sendCq().close();
      if (side.recvCq() != side.sendCq()) {
        side.recvCq().close();
      }
      side.channel().close();
    }
    pair.close();
  }
}
