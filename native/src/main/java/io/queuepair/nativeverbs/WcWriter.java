// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.queue.Cqe;
import io.queuepair.emulator.queue.CqeSink;
import java.nio.ByteBuffer;

/** Writes the completions that a call of C polls. Every thread has one. */
final class WcWriter implements CqeSink {
  private static final ThreadLocal<WcWriter> OF_THREAD = ThreadLocal.withInitial(WcWriter::new);

  private ByteBuffer args;

  private WcWriter() {}

  static WcWriter of(ByteBuffer args) {
    WcWriter writer = OF_THREAD.get();
    writer.args = args;
    return writer;
  }

  @Override
  public void take(int index, Cqe cqe) {
    WcStruct.write(args, Args.BYTES + index * WcStruct.SIZE, cqe);
    Refusals.explain(cqe);
  }
}
