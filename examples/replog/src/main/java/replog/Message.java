// SPDX-License-Identifier: Apache-2.0
package replog;

import java.nio.ByteBuffer;

/**
 * A message between nodes.
 *
 * @param from its sender
 * @param term of its sender
 * @param index of its sender's last entry, or up to which all is committed
 * @param indexTerm the term of that entry
 * @param rkey of the log of its sender, for the leader; 0 if there is none
 * @param isGranted a vote; of a heartbeat whether the leader has the rkey of the log
 * @param number of the messages on its connection, from 1
 */
record Message(
    Type type,
    int from,
    long term,
    long index,
    long indexTerm,
    int rkey,
    boolean isGranted,
    int number) {
  static final int BYTES = 64;

  private static final int MAGIC = 0x5245504c;

  enum Type {
    VOTE_REQUEST,
    VOTE,
    HEARTBEAT,
    HEARTBEAT_ANSWER
  }

  Message numbered(int newNumber) {
    return new Message(type, from, term, index, indexTerm, rkey, isGranted, newNumber);
  }

  void write(ByteBuffer out) {
    out.putInt(MAGIC)
        .putInt(type.ordinal())
        .putInt(from)
        .putInt(isGranted ? 1 : 0)
        .putLong(term)
        .putLong(index)
        .putLong(indexTerm)
        .putInt(rkey)
        .putInt(number)
        .putInt(hashCodeOfFields());
  }

  static Message read(ByteBuffer in) {
    int magic = in.getInt();
    int type = in.getInt();
    if (magic != MAGIC || type < 0 || type >= Type.values().length) {
      throw new IllegalStateException("no message: " + Integer.toHexString(magic) + ", " + type);
    }
    int from = in.getInt();
    boolean isGranted = in.getInt() == 1;
    Message read =
        new Message(
            Type.values()[type],
            from,
            in.getLong(),
            in.getLong(),
            in.getLong(),
            in.getInt(),
            isGranted,
            in.getInt());
    if (in.getInt() != read.hashCodeOfFields()) {
      throw new IllegalStateException("a message made of two: " + read);
    }
    return read;
  }

  /** Hash of the fields, equal on each JVM, unlike one with the hash code of an enum. */
  private int hashCodeOfFields() {
    long hash = type.ordinal();
    for (long field : new long[] {from, term, index, indexTerm, rkey, isGranted ? 1 : 0, number}) {
      hash = 31 * hash + field;
    }
    return Long.hashCode(hash);
  }
}
