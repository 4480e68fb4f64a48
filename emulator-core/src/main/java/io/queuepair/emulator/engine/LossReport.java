// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import java.net.InetAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Knowledge, also outside of this device, of packets that were sent and not taken. */
public interface LossReport {
  /**
   * Packets of one direction.
   *
   * @param source address of the sender
   * @param destination address of the receiver
   * @param destQpn number of the queue pair at the receiver
   * @param isResponse whether they are responses, and not requests
   */
  record LossFlow(InetAddress source, InetAddress destination, int destQpn, boolean isResponse) {}

  /** How much is known, as a place to ask from later. */
  long known();

  /**
   * Fate of packets with some PSNs.
   *
   * @param since what {@link #known} was before the first of them was sent
   * @param psns how many follow each other from the first on
   * @return how many packets had which fate, in words that "3 packets" can stand before
   */
  Map<String, Integer> of(LossFlow flow, long since, int firstPsn, int psns);

  /**
   * Notes why a request is refused for good, which a NAK does not carry.
   *
   * @param flow that of the NAK
   */
  void addRefusal(LossFlow flow, int psn, String reason);

  /**
   * Why a request was refused.
   *
   * @param flow that of the NAK
   * @param since what {@link #known} was before the request was sent
   * @return null if it is not known, as of a responder of another process
   */
  @Nullable String refusalOf(LossFlow flow, long since, int psn);
}
