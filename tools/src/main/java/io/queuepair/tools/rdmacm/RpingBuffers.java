// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.tools.cli.WorkBuffer;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import java.nio.charset.StandardCharsets;

/** Memory of one rping connection. */
final class RpingBuffers implements AutoCloseable {
  private static final int FIRST_LETTER = 'A';
  private static final int LAST_LETTER = 'z';
  private static final int LETTERS = LAST_LETTER - FIRST_LETTER + 1;

  /** Buffer for messages from the peer. */
  final MemoryRegion received;

  /** Buffer for messages to the peer. */
  final MemoryRegion sent;

  /** Buffer from which the server reads the ping of a client. */
  final MemoryRegion source;

  /** Buffer for the ping that arrives, at both sides. */
  final MemoryRegion sink;

  RpingBuffers(ProtectionDomain pd, int size) {
    received = pd.regMr(WorkBuffer.allocate(RemoteBuffer.BYTES), AccessFlag.LOCAL_WRITE);
    sent = pd.regMr(WorkBuffer.allocate(RemoteBuffer.BYTES), AccessFlag.LOCAL_WRITE);
    source = regRemote(pd, size);
    sink = regRemote(pd, size);
  }

  private static MemoryRegion regRemote(ProtectionDomain pd, int size) {
    return pd.regMr(
        WorkBuffer.allocate(size),
        AccessFlag.LOCAL_WRITE,
        AccessFlag.REMOTE_READ,
        AccessFlag.REMOTE_WRITE);
  }

  /** Writes the address of a region into the next message. */
  void advertise(MemoryRegion region) {
    new RemoteBuffer(region.addr(), region.rkey(), region.buffer().capacity()).write(sent.buffer());
  }

  /** Writes a ping as the original does: its number, then letters, shifted by one for each ping. */
  void fillSource(int ping) {
    byte[] text = ("rdma-ping-" + ping + ": ").getBytes(StandardCharsets.US_ASCII);
    int last = source.buffer().capacity() - 1;
    for (int i = 0; i < last; i++) {
      int letter = FIRST_LETTER + (ping % LETTERS + i - text.length) % LETTERS;
      source.buffer().put(i, i < text.length ? text[i] : (byte) letter);
    }
    source.buffer().put(last, (byte) 0);
  }

  /** Length of the received ping without its final NUL. */
  int textBytes() {
    int length = 0;
    while (length < sink.buffer().capacity() && sink.buffer().get(length) != 0) {
      length++;
    }
    return length;
  }

  /** Text of the received ping. */
  String text() {
    byte[] bytes = new byte[textBytes()];
    sink.buffer().get(0, bytes);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Deregisters the memory; no queue pair may use it any more. */
  @Override
  public void close() {
    received.close();
    sent.close();
    source.close();
    sink.close();
  }

  /** Whether the returned ping equals the sent one. */
  boolean cameBack() {
    return source.buffer().equals(sink.buffer());
  }
}
