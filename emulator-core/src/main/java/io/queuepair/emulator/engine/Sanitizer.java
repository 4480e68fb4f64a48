// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.profile.SanitizerFinding;
import io.queuepair.emulator.profile.SanitizerFindingKind;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.AccessFlag;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Watches the use of one device and reports misuse.
 *
 * <p>Memory is tracked by region: if two regions share a buffer, a write of the device through one
 * is taken for a write of the application to the other.
 */
public final class Sanitizer implements UsageListener {
  private final ScatterGather scatterGather;
  private final FindingLog findingLog;
  private final QueueSizingCheck sizingCheck;
  private final InFlightRequests inFlight = new InFlightRequests();

  /** Queue pairs reported for a max_rd_atomic above the limit of the peer; never iterated. */
  private final Set<QpContext> tooManyReads = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * Starts watching a device.
   *
   * @param memory memory of the device
   * @param findingListener receives each finding
   */
  public Sanitizer(MemoryTable memory, Consumer<SanitizerFinding> findingListener) {
    this.scatterGather = memory.scatterGather();
    findingLog = new FindingLog(findingListener);
    sizingCheck = new QueueSizingCheck(findingLog);
  }

  @Override
  public List<SanitizerFinding> found() {
    return findingLog.found();
  }

  @Override
  public void posted(QpContext qp, SendWqe wqe) {
    AccessFlag access = wqe.operation().isFetch() ? AccessFlag.LOCAL_WRITE : null;
    PostedRequest posted =
        new PostedRequest(
            "send wr_id " + wqe.wrId() + " of QP " + qp.qpn(),
            qp,
            wqe.isSignaled() ? qp.sendCompletions() : null,
            wqe.inlineData() == null
                ? scatterGather.viewsOf(wqe.sges(), qp.domain(), access)
                : List.of());
    if (wqe.operation().isFetch()) {
      poison(posted);
    } else {
      posted.expect(BufferChecksum.ofSend(posted.views()));
    }
    sizingCheck.sendPosted(qp, wqe.isSignaled(), posted.where());
    add(wqe, posted);
  }

  @Override
  public void posted(QpContext qp, RecvWqe wqe) {
    String name = "receive wr_id " + wqe.wrId() + " of QP " + qp.qpn();
    List<Payload> views = scatterGather.viewsOf(wqe.sges(), qp.domain(), AccessFlag.LOCAL_WRITE);
    PostedRequest posted = new PostedRequest(name, qp, qp.receiveCompletions(), views);
    poison(posted);
    add(wqe, posted);
  }

  @Override
  public void posted(SharedReceiveRing ring, RecvWqe wqe) {
    String name = "receive wr_id " + wqe.wrId() + " of SRQ " + ring.number();
    List<Payload> views = scatterGather.viewsOf(wqe.sges(), ring.domain(), AccessFlag.LOCAL_WRITE);
    PostedRequest posted = new PostedRequest(name, ring, null, views);
    poison(posted);
    add(wqe, posted);
  }

  /** Poisons the target memory, unless another request in flight uses it too. */
  private void poison(PostedRequest posted) {
    if (!inFlight.overlap(posted.views())) {
      posted.expect(BufferChecksum.ofTarget(posted.views()));
    }
  }

  @Override
  public CallSite caller() {
    return CallSite.ofCaller();
  }

  private void add(Object request, PostedRequest posted) {
    inFlight.add(request, posted);
    if (posted.completions() != null) {
      sizingCheck.completionExpected(
          posted.completions(), inFlight.expectedBy(posted.completions()), posted.where());
    }
  }

  @Override
  public void ended(SendWqe wqe) {
    end(wqe);
  }

  @Override
  public void ended(RecvWqe wqe) {
    end(wqe);
  }

  private void end(Object request) {
    PostedRequest posted = inFlight.remove(request);
    if (posted != null) {
      check(posted);
    }
  }

  @Override
  public void writing(Payload target) {
    for (PostedRequest posted : inFlight.all()) {
      if (posted.contents() != null && posted.overlaps(target)) {
        check(posted);
        posted.expectNothing();
      }
    }
  }

  private void check(PostedRequest posted) {
    BufferChecksum checksum = posted.contents();
    if (checksum != null && !checksum.areIntact()) {
      findingLog.add(
          checksum.ifChanged(),
          "the memory of " + posted.name() + " was changed before its completion",
          posted.where());
    }
  }

  @Override
  public void peerAnswers(QpContext qp, int resources) {
    int asked = qp.attributes().maxRdAtomic();
    if (asked > resources && tooManyReads.add(qp)) {
      findingLog.add(
          SanitizerFindingKind.MAX_RD_ATOMIC_TOO_LARGE,
          String.format(
              "max_rd_atomic of QP %d is %d, and its peer, QP %d, has max_dest_rd_atomic %d",
              qp.qpn(), asked, qp.attributes().destQpNum(), resources),
          CallSite.ofCaller());
    }
  }

  @Override
  public void reset(QpContext qp) {
    inFlight.removeAllOn(qp);
    sizingCheck.forget(qp);
    tooManyReads.remove(qp);
  }

  @Override
  public void destroyed(SharedReceiveRing ring) {
    inFlight.removeAllOn(ring);
  }

  @Override
  public void destroyed(CompletionRing ring) {
    sizingCheck.forget(ring);
  }

  @Override
  public void deregistering(RegisteredMemory region) {
    if (region.bytes() == null) {
      return; // Requests are compared by buffer, and the region has none.
    }
    Payload payload = new Payload(region.bytes(), 0, region.bytes().capacity());
    for (PostedRequest posted : inFlight.all()) {
      if (posted.overlaps(payload)) {
        findingLog.add(
            SanitizerFindingKind.MEMORY_DEREGISTERED_IN_FLIGHT,
            "the region at 0x"
                + Long.toHexString(region.addr())
                + " is deregistered while "
                + posted.name()
                + ", posted "
                + posted.where()
                + ", is in flight",
            CallSite.ofCaller());
        return;
      }
    }
  }

  @Override
  public void leaked(String what, CallSite callSite) {
    findingLog.add(
        SanitizerFindingKind.OBJECT_NOT_CLOSED, "a " + what + " was never closed", callSite);
  }

  @Override
  public void leftUnacknowledged(String what, int events, CallSite callSite) {
    findingLog.add(
        SanitizerFindingKind.EVENT_NOT_ACKNOWLEDGED,
        events + " event(s) of a " + what + " were taken and not acknowledged",
        callSite);
  }

  @Override
  public void threadDomainShared(String what, CallSite callSite) {
    findingLog.add(SanitizerFindingKind.THREAD_DOMAIN_SHARED, what, callSite);
  }
}
