// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.posting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.queue.ReceivePoster;
import io.queuepair.emulator.queue.SendBatchPoster;
import io.queuepair.emulator.queue.SendPoster;
import io.queuepair.emulator.queue.SendRequest;
import io.queuepair.tests.conformance.Errnos;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.VirtualTime;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.FlushWr;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SelectivityLevel;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.WrOpcode;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Posting and polling by fields, as the native library does; see ibv_post_send(3). */
final class FieldPostingTest {
  private static final int BYTES = 64;
  private static final QpCap CAP = new QpCap(4, 4, 2, 2, 32);
  private static final Set<SendFlag> SIGNALED = EnumSet.of(SendFlag.SIGNALED);

  private final InMemoryFabric fabric = LinkForm.OBJECTS.fabric();
  @AutoClose private final Emulator emulator = Emulator.on(fabric);
  private final ProtectionDomain here = emulator.addDevice("10.0.0.1").open().allocPd();
  private final ProtectionDomain there = emulator.addDevice("10.0.0.2").open().allocPd();
  private final CompletionQueue sent = here.context().createCq(64);
  private final CompletionQueue received = there.context().createCq(64);
  private final MemoryRegion local = region(here);
  private final MemoryRegion remote = region(there);
  private final QueuePair peer = there.createQp(QpInitAttr.of(QpType.RC, received, CAP));
  private final QueuePair qp = connected(SendOpsFlag.WITH_SEND, SendOpsFlag.WITH_FLUSH);

  private static MemoryRegion region(ProtectionDomain pd) {
    return pd.regMr(
        ByteBuffer.allocateDirect(BYTES),
        AccessFlag.LOCAL_WRITE,
        AccessFlag.REMOTE_WRITE,
        AccessFlag.REMOTE_READ,
        AccessFlag.MW_BIND);
  }

  private QueuePair connected(SendOpsFlag... operations) {
    QpInitAttr attr = QpInitAttr.of(QpType.RC, sent, CAP);
    QueuePair created = here.createQpEx(QpInitAttrEx.of(attr).withSendOps(operations));
    Emulator.connect(created, peer);
    return created;
  }

  /** A way to fill in a request. */
  private interface Filling extends Consumer<SendRequest> {}

  private void post(Filling... requests) {
    ((SendPoster) qp)
        .postSend(requests.length, requests, (all, index, into) -> all[index].accept(into));
  }

  private void postBatch(Filling... requests) {
    ((SendBatchPoster) qp)
        .postBatch(requests.length, requests, (all, index, into) -> all[index].accept(into));
  }

  private Filling send(long wrId, int bytes) {
    return into ->
        into.begin(wrId, WrOpcode.SEND, SIGNALED).sges().add(local.addr(), bytes, local.lkey());
  }

  private void receive(long wrId) {
    ((ReceivePoster) peer)
        .postRecv(
            1,
            remote,
            (region, index, into) -> {
              into.begin(wrId);
              into.sges().add(region.addr(), BYTES, region.lkey());
            });
  }

  @Test
  void estimatesTheMemoryOfPostedRequests() {
    ReceivePoster queue = (ReceivePoster) peer;
    assertThat(queue.postedBytes()).isZero();

    receive(1);
    long ofOne = queue.postedBytes();
    receive(2);

    assertThat(ofOne).isPositive();
    assertThat(queue.postedBytes()).isEqualTo(2 * ofOne);
  }

  private void drain() {
    new VirtualTime(fabric.scheduler()).drain();
  }

  @Test
  void requestsBeforeARefusedOneArePosted() {
    receive(1);
    BadWorkRequestException refusal =
        catchThrowableOfType(
            BadWorkRequestException.class, () -> post(send(1, 8), send(2, -1), send(3, 8)));
    drain();

    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
    assertThat(refusal.index()).isEqualTo(1);
    assertThat(sent.poll(16)).extracting(WorkCompletion::wrId).containsExactly(1L);
  }

  @Test
  void aRequestThatCannotBeReadIsRefused() {
    receive(1);
    VerbsException unreadable = new VerbsException(Errno.EFAULT, "ibv_post_send", "no memory");

    VerbsException refusal =
        catchThrowableOfType(
            VerbsException.class,
            () ->
                post(
                    send(1, 8),
                    into -> {
                      throw unreadable;
                    }));
    drain();

    assertThat(refusal).isSameAs(unreadable);
    assertThat(sent.poll(16)).extracting(WorkCompletion::wrId).containsExactly(1L);
  }

  @Test
  void aBatchWithARefusedRequestPostsNone() {
    receive(1);
    BadWorkRequestException refusal =
        catchThrowableOfType(
            BadWorkRequestException.class, () -> postBatch(send(1, 8), send(2, -1)));
    drain();

    assertThat(refusal.index()).isEqualTo(1);
    assertThat(sent.poll(16)).isEmpty();

    postBatch(send(3, 8));
    drain();
    assertThat(sent.poll(16)).extracting(WorkCompletion::wrId).containsExactly(3L);
  }

  private void assertBatchRefused(Filling request, String words) {
    Errnos.assertRefused(Errno.EINVAL, words, () -> postBatch(request));
    drain();
    assertThat(sent.poll(16)).isEmpty();
  }

  @Test
  void batchesTakeNothingThatNoSetterSets() {
    assertBatchRefused(
        into -> into.begin(1, WrOpcode.RDMA_READ, SIGNALED).remote(remote.addr(), remote.rkey()),
        "WITH_RDMA_READ");
    assertBatchRefused(
        into ->
            into.begin(1, WrOpcode.SEND, EnumSet.of(SendFlag.INLINE))
                .sges()
                .add(local.addr(), 8, local.lkey()),
        "INLINE");
    assertBatchRefused(
        into -> flush(into).sges().add(local.addr(), 8, local.lkey()), "FLUSH has no entries");
    assertBatchRefused(
        into -> flush(into).copyValue(ByteBuffer.allocate(4), 0, 4), "FLUSH has no inline data");
  }

  private SendRequest flush(SendRequest into) {
    Set<PlacementType> placements = Set.of(PlacementType.GLOBAL);
    return into.begin(1, WrOpcode.FLUSH, SIGNALED)
        .remote(remote.addr(), remote.rkey())
        .details(
            new FlushWr(
                1, SIGNALED, remote.addr(), remote.rkey(), 8, placements, SelectivityLevel.RANGE));
  }
}
