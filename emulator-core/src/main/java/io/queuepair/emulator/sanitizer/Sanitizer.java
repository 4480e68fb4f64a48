package io.queuepair.emulator.sanitizer;

import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.profile.Misuse;
import io.queuepair.emulator.profile.MisuseKind;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.Sge;
import java.util.List;

/**
 * Follows the work of one device and reports what its application should not do.
 *
 * <p>Memory is told apart by region: where two regions share a buffer, a write of the device
 * through one of them looks to the other like one of the application.
 */
public final class Sanitizer implements UsageWatch {
  private final ScatterGather memory;
  private final Reports reports = new Reports();
  private final QueueLengths lengths = new QueueLengths(reports);
  private final InFlight inFlight = new InFlight();

  public Sanitizer(MemoryTable memory) {
    this.memory = memory.scatterGather();
  }

  @Override
  public List<Misuse> found() {
    return reports.found();
  }

  @Override
  public void posted(QpContext qp, SendWqe wqe) {
    List<Sge> sges = wqe.inlineData() == null ? wqe.sges() : List.of();
    Posted posted =
        new Posted(
            "send wr_id " + wqe.wrId() + " of QP " + qp.qpn(),
            qp,
            wqe.isSignaled() ? qp.sendCompletions() : null,
            memory.viewsOf(sges, qp.domain(), wqe.isFetch() ? AccessFlag.LOCAL_WRITE : null));
    if (wqe.isFetch()) {
      poison(posted);
    } else {
      posted.expect(Contents.ofSend(posted.views()));
    }
    lengths.sendPosted(qp, wqe.isSignaled(), posted.where());
    add(wqe, posted);
  }

  @Override
  public void posted(QpContext qp, RecvWqe wqe) {
    String name = "receive wr_id " + wqe.wrId() + " of QP " + qp.qpn();
    List<Payload> views = memory.viewsOf(wqe.sges(), qp.domain(), AccessFlag.LOCAL_WRITE);
    Posted posted = new Posted(name, qp, qp.receiveCompletions(), views);
    poison(posted);
    add(wqe, posted);
  }

  @Override
  public void posted(SharedReceiveRing queue, RecvWqe wqe) {
    String name = "receive wr_id " + wqe.wrId() + " of SRQ " + queue.number();
    List<Payload> views = memory.viewsOf(wqe.sges(), queue.domain(), AccessFlag.LOCAL_WRITE);
    Posted posted = new Posted(name, queue, null, views);
    poison(posted);
    add(wqe, posted);
  }

  /** Not if other work may change the memory, too, or still has to send it. */
  private void poison(Posted posted) {
    if (!inFlight.overlap(posted.views())) {
      posted.expect(Contents.ofTarget(posted.views()));
    }
  }

  @Override
  public Place caller() {
    return Place.ofCaller();
  }

  private void add(Object request, Posted posted) {
    inFlight.add(request, posted);
    if (posted.completions() != null) {
      lengths.completionExpected(
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
    Posted posted = inFlight.remove(request);
    if (posted != null) {
      check(posted);
    }
  }

  @Override
  public void writing(Payload target) {
    for (Posted posted : inFlight.all()) {
      if (posted.contents() != null && posted.overlaps(target)) {
        check(posted);
        posted.expectNothing();
      }
    }
  }

  private void check(Posted posted) {
    Contents contents = posted.contents();
    if (contents != null && !contents.areIntact()) {
      reports.add(
          contents.ifChanged(),
          "the memory of " + posted.name() + " was changed before its completion",
          posted.where());
    }
  }

  @Override
  public void reset(QpContext qp) {
    inFlight.removeAllOn(qp);
    lengths.forget(qp);
  }

  @Override
  public void destroyed(SharedReceiveRing queue) {
    inFlight.removeAllOn(queue);
  }

  @Override
  public void destroyed(CompletionRing ring) {
    lengths.forget(ring);
  }

  @Override
  public void deregistering(RegisteredMemory region) {
    Payload range = new Payload(region.bytes(), 0, region.length());
    for (Posted posted : inFlight.all()) {
      if (posted.overlaps(range)) {
        reports.add(
            MisuseKind.MEMORY_DEREGISTERED_IN_FLIGHT,
            "the region at 0x"
                + Long.toHexString(region.addr())
                + " is deregistered while "
                + posted.name()
                + ", posted "
                + posted.where()
                + ", is in flight",
            Place.ofCaller());
        return;
      }
    }
  }

  @Override
  public void leftOpen(String what, Place created) {
    reports.add(MisuseKind.OBJECT_NOT_CLOSED, "a " + what + " was never closed", created);
  }

  @Override
  public void leftUnacknowledged(String what, int events, Place created) {
    reports.add(
        MisuseKind.EVENT_NOT_ACKNOWLEDGED,
        events + " event(s) of a " + what + " were taken and not acknowledged",
        created);
  }

  @Override
  public void threadDomainShared(String what, Place where) {
    reports.add(MisuseKind.THREAD_DOMAIN_SHARED, what, where);
  }
}
