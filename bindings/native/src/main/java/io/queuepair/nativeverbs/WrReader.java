// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.queue.ReceiveReader;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SendReader;
import io.queuepair.emulator.queue.SendRequest;
import io.queuepair.verbs.QpType;
import java.nio.ByteBuffer;

/**
 * Reads the work requests that a program posts, in order. Those of a call are consecutive records:
 * {@link SendWrStruct}, or {@code struct ibv_recv_wr} in which {@code next} is the size of the
 * record in bytes, followed by its entries. Each thread has one reader.
 */
final class WrReader {
  static final int RECV_WR_SIZE = 32;
  private static final int RECORD_BYTES = 8;
  private static final int NUM_SGE = 24;

  static final SendReader<WrReader> SENDS = WrReader::read;
  static final ReceiveReader<WrReader> RECEIVES = WrReader::read;

  private static final ThreadLocal<WrReader> OF_THREAD = ThreadLocal.withInitial(WrReader::new);

  private ByteBuffer args;

  /** Type of the queue pair, if sends are read. */
  private QpType type;

  private boolean isBatch;

  /** Index of the record that was read last, and offset of the next one. */
  private int index;

  private int next;

  /** Offset of each record, or null if they are consecutive. */
  private int[] places;

  private WrReader() {}

  /** Reader of records that begin at an offset. */
  static WrReader at(ByteBuffer records, int at) {
    WrReader reader = OF_THREAD.get();
    reader.args = records;
    reader.index = 0;
    reader.next = at;
    reader.places = null;
    return reader;
  }

  /** Reader of records at some offsets. */
  static WrReader at(ByteBuffer records, int[] places) {
    WrReader reader = at(records, 0);
    reader.places = places;
    return reader;
  }

  /** Prepares to read sends to a type of queue pair, posted as a list or as a batch. */
  WrReader readSendsOf(QpType newType, boolean newIsBatch) {
    type = newType;
    isBatch = newIsBatch;
    return this;
  }

  /** Index of the request that was read last, or could not be read. */
  int index() {
    return index;
  }

  private void read(int newIndex, SendRequest into) {
    SendWrStruct.read(args, moveTo(newIndex), type, isBatch, into);
  }

  private void read(int newIndex, RecvWqe into) {
    int at = moveTo(newIndex);
    into.begin(args.getLong(at));
    int entries = Math.max(0, args.getInt(at + NUM_SGE));
    SgeStruct.readAll(args, at + RECV_WR_SIZE, entries, into.sges());
  }

  private int moveTo(int newIndex) {
    int at = places == null ? next : places[newIndex];
    index = newIndex;
    next = at + (int) args.getLong(at + RECORD_BYTES);
    return at;
  }
}
