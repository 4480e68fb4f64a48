// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Memory that the request of a peer reads: a READ, or an atomic, which may also write it.
 *
 * @param isRepeatable whether a duplicate reads the memory again; a duplicate atomic gets the saved
 *     response
 */
record RemoteRead(String device, long addr, int length, boolean isRepeatable) {
  private static final Pattern READ =
      Pattern.compile("RDMA_READ_REQUEST .*va=0x([0-9a-f]+) .*len=([0-9]+)");
  private static final Pattern ATOMIC =
      Pattern.compile("(?:COMPARE_SWAP|FETCH_ADD) .*va=0x([0-9a-f]+) ");
  private static final Pattern ANSWER = Pattern.compile("READ_RESPONSE|ATOMIC_ACKNOWLEDGE");

  /** Parses the read that a packet requests; empty if it requests none. */
  static Optional<RemoteRead> of(LadderLine packet) {
    String text = packet.opcode() + " " + packet.fields();
    String device = Statements.device(packet.destination());
    Matcher read = READ.matcher(text);
    if (read.find()) {
      long addr = Long.parseUnsignedLong(read.group(1), 16);
      return Optional.of(new RemoteRead(device, addr, Integer.parseInt(read.group(2)), true));
    }
    Matcher atomic = ATOMIC.matcher(text);
    if (atomic.find()) {
      long addr = Long.parseUnsignedLong(atomic.group(1), 16);
      return Optional.of(new RemoteRead(device, addr, Long.BYTES, false));
    }
    return Optional.empty();
  }

  /** Whether a packet is the response to this read. */
  boolean isAnsweredBy(LadderLine packet) {
    return ANSWER.matcher(packet.opcode()).find()
        && Statements.device(packet.source()).equals(device);
  }
}
