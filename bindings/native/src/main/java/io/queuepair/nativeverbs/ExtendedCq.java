// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.queue.Cqe;
import io.queuepair.emulator.queue.PollBatchStarter;
import io.queuepair.verbs.CreateCqWcFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.PollBatch;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.Set;

/** An extended queue, the fields that C asked for, and the batch that it reads. */
final class ExtendedCq implements AutoCloseable {
  private final ExtendedCompletionQueue queue;
  private final Set<CreateCqWcFlag> fields;

  /** Null while none is read; C calls for one queue from one thread at a time. */
  private PollBatch batch;

  /** The completion that was read last. */
  private final Cqe completion = new Cqe();

  ExtendedCq(ExtendedCompletionQueue queue, Set<CreateCqWcFlag> fields) {
    this.queue = queue;
    this.fields = fields;
  }

  ExtendedCompletionQueue queue() {
    return queue;
  }

  /** Starts a batch; without a completion there is none to be ended. */
  long start(ByteBuffer args) {
    batch = ((PollBatchStarter) queue).startReusedPoll();
    long result = next(args);
    if (result != 0) {
      end();
    }
    return result;
  }

  /** Moves to the next completion and writes it; a negated ENOENT if there is none. */
  long next(ByteBuffer args) {
    if (batch == null) {
      throw new VerbsException(Errno.EINVAL, "ibv_next_poll", "no batch was started");
    }
    if (!batch.nextPoll()) {
      return -Errno.ENOENT.code();
    }
    completion
        .begin(
            batch.wrId(),
            batch.status(),
            batch.readOpcode(),
            has(CreateCqWcFlag.WITH_QP_NUM) ? batch.readQpNum() : 0)
        .byteLen(has(CreateCqWcFlag.WITH_BYTE_LEN) ? batch.readByteLen() : 0)
        .immData(has(CreateCqWcFlag.WITH_IMM) ? batch.readImmData() : 0)
        .srcQp(has(CreateCqWcFlag.WITH_SRC_QP) ? batch.readSrcQp() : 0)
        .wcFlags(batch.readWcFlags())
        .explanation(batch.explain());
    WcStruct.write(args, Args.BYTES, completion);
    if (Refusals.areExplained() && !completion.isSuccess()) {
      Refusals.explain(Refusals.reasonOf(completion));
    }
    boolean hasTime = has(CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP);
    Args.setSlot(args, 0, hasTime ? batch.readCompletionTs() : 0);
    boolean hasWallClock = has(CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP_WALLCLOCK);
    Args.setSlot(args, 1, hasWallClock ? batch.readCompletionWallclockNs() : 0);
    return 0;
  }

  private boolean has(CreateCqWcFlag field) {
    return fields.contains(field);
  }

  void end() {
    if (batch != null) {
      batch.close();
      batch = null;
    }
  }

  @Override
  public void close() {
    queue.close();
    EventTargets.remove(queue);
  }
}
