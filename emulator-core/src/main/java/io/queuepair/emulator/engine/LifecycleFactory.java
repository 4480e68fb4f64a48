package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.wire.Service;

/** Puts queue pairs together from the halves of their type. */
final class LifecycleFactory {
  private final SharedParts parts;
  private final SharedQueues sharedQueues;
  private final Completions.Reports reports;

  LifecycleFactory(SharedParts parts, SharedQueues sharedQueues, Completions.Reports reports) {
    this.parts = parts;
    this.sharedQueues = sharedQueues;
    this.reports = reports;
  }

  QpLifecycle of(QpContext qp) {
    MemoryTable memory = parts.memory();
    ScatterGather scatterGather = memory.scatterGather();
    Completions completions = new Completions(qp, reports);
    PathMigration migration = new PathMigration(qp);
    SendSide sends =
        switch (qp.type()) {
          case RC -> reliable(migration, Service.RC, completions);
          case XRC_SEND -> reliable(migration, Service.XRC, completions);
          case UC -> oneWay(qp, new DataSegmenter(qp, Service.UC, parts), completions);
          case UD -> oneWay(qp, new DatagramSegmenter(qp, parts), completions);
          case RAW_PACKET -> oneWay(qp, new FrameSegmenter(qp, scatterGather), completions);
          case XRC_RECV -> new NoSendSide();
          case DRIVER -> throw new AssertionError(qp.type() + " is not offered");
        };
    ReceiveSide receives =
        switch (qp.type()) {
          case RC -> responder(qp, Service.RC, completions);
          case XRC_RECV -> responder(qp, Service.XRC, completions);
          case UC -> new UnreliableResponder(qp, memory, completions);
          case UD -> new DatagramReceiver(qp, scatterGather, completions);
          case RAW_PACKET -> new FrameReceiver(qp, scatterGather, completions);
          case XRC_SEND -> new NoReceiveSide();
          case DRIVER -> throw new AssertionError(qp.type() + " is not offered");
        };
    return new QpLifecycle(migration, completions, sends, receives);
  }

  private SendSide reliable(PathMigration migration, Service service, Completions completions) {
    return new ReliableSendSide(migration, service, parts, completions);
  }

  private SendSide oneWay(QpContext qp, Segmenter segmenter, Completions completions) {
    return new OneWaySendSide(qp, segmenter, new LocalWork(qp, parts.memory()), completions);
  }

  private ReceiveSide responder(QpContext qp, Service service, Completions completions) {
    ReceiveSources sources =
        new ReceiveSources(qp, service, sharedQueues::find, parts.pacing().usesCredits());
    return new Responder(qp, service, parts, sources, completions);
  }
}
