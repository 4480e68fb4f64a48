// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import java.net.InetAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Record of packets that were sent and not accepted, by all devices that share a network. */
public interface LossReport {
  /**
   * Packets of one direction.
   *
   * @param source address of the sender
   * @param destination address of the receiver
   * @param destQpn QPN at the receiver
   * @param isResponse true for responses, false for requests
   */
  record LossFlow(InetAddress source, InetAddress destination, int destQpn, boolean isResponse) {}

  /** {@return the number of records so far, from which a later query can start} */
  long known();

  /**
   * Losses among consecutive PSNs.
   *
   * @param flow flow of the packets
   * @param since value of {@link #known} before the first of them was sent
   * @param firstPsn first PSN, of 24 bits
   * @param psns number of PSNs, from {@code firstPsn} on
   * @return number of packets by what happened to them, a clause to follow "3 packets"
   */
  Map<String, Integer> of(LossFlow flow, long since, int firstPsn, int psns);

  /**
   * Records why a request is refused for good, which a NAK does not carry.
   *
   * @param flow flow of the NAK
   * @param psn PSN of the NAK, of 24 bits
   * @param reason clause that says why
   */
  void addRefusal(LossFlow flow, int psn, String reason);

  /**
   * Reason of a refusal.
   *
   * @param flow flow of the NAK
   * @param since value of {@link #known} before the request was sent
   * @param psn PSN of the NAK, of 24 bits
   * @return null if the reason is unknown, as for a responder in another process
   */
  @Nullable String refusalOf(LossFlow flow, long since, int psn);
}
