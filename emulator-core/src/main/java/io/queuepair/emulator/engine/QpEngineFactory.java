// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.wire.Opcode.Service;

/** Creates queue pairs with the requester and responder of their type. */
final class QpEngineFactory {
  private final EngineContext engineContext;
  private final SrqTable srqTable;
  private final CompletionWriter.EngineListeners listeners;

  QpEngineFactory(
      EngineContext engineContext, SrqTable srqTable, CompletionWriter.EngineListeners listeners) {
    this.engineContext = engineContext;
    this.srqTable = srqTable;
    this.listeners = listeners;
  }

  QpEngine create(QpContext qp, Engine engine) {
    MemoryTable memory = engineContext.memory();
    ScatterGather scatterGather = memory.scatterGather();
    CompletionWriter completions = new CompletionWriter(qp, listeners);
    PathMigration migration = new PathMigration(qp);
    Requester requester =
        switch (qp.type()) {
          case RC -> reliable(migration, Service.RC, completions);
          case XRC_SEND -> reliable(migration, Service.XRC, completions);
          case UC -> oneWay(qp, new MessageSegmenter(qp, Service.UC, engineContext), completions);
          case UD -> oneWay(qp, new UdSegmenter(qp, engineContext), completions);
          case RAW_PACKET -> oneWay(qp, new RawPacketSegmenter(qp, scatterGather), completions);
          case XRC_RECV -> new NoRequester();
          case DRIVER -> throw new AssertionError(qp.type() + " is not offered");
        };
    Responder responder =
        switch (qp.type()) {
          case RC -> responder(qp, Service.RC, completions);
          case XRC_RECV -> responder(qp, Service.XRC, completions);
          case UC -> new UcResponder(qp, memory, completions);
          case UD -> new UdResponder(qp, scatterGather, completions);
          case RAW_PACKET -> new RawPacketResponder(qp, scatterGather, completions);
          case XRC_SEND -> new NoResponder();
          case DRIVER -> throw new AssertionError(qp.type() + " is not offered");
        };
    return new QpEngine(engine, migration, completions, requester, responder);
  }

  private Requester reliable(
      PathMigration migration, Service service, CompletionWriter completions) {
    return new RcRequester(migration, service, engineContext, completions);
  }

  private Requester oneWay(QpContext qp, Segmenter segmenter, CompletionWriter completions) {
    return new UnackedRequester(
        qp, segmenter, new LocalOperations(qp, engineContext.memory()), completions);
  }

  private Responder responder(QpContext qp, Service service, CompletionWriter completions) {
    return new RcResponder(qp, service, engineContext, srqTable::find, completions);
  }
}
