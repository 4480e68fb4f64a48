// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpType;
import java.util.Set;

/**
 * Parameters of one connection.
 *
 * @param type RC, UC or UD
 * @param mtu path MTU
 * @param reads READs and atomics outstanding at most
 * @param psn first PSN of its even queue pair; the other one's follows from it
 * @param retry of a reliable connection
 * @param membership in partitions
 * @param traits what is special about it
 */
public record ConnectionConfig(
    QpType type,
    Mtu mtu,
    int reads,
    int psn,
    RetryAttributes retry,
    Membership membership,
    Set<Trait> traits) {
  /**
   * An ordinary connection.
   *
   * @param type RC, UC or UD
   * @param mtu path MTU
   * @param reads READs and atomics outstanding at most
   * @param psn first PSN of its even queue pair; the other one's follows from it
   */
  public ConnectionConfig(QpType type, Mtu mtu, int reads, int psn) {
    this(type, mtu, reads, psn, RetryAttributes.DEFAULT, Membership.DEFAULT, Set.of());
  }

  /**
   * Replaces the numbers.
   *
   * @param otherMtu path MTU
   * @param otherReads READs and atomics outstanding at most
   * @param otherPsn first PSN
   * @return a changed copy
   */
  public ConnectionConfig with(Mtu otherMtu, int otherReads, int otherPsn) {
    return new ConnectionConfig(type, otherMtu, otherReads, otherPsn, retry, membership, traits);
  }

  /**
   * Replaces the attributes.
   *
   * @param otherRetry of a reliable connection
   * @param otherMembership in partitions
   * @param otherTraits what is special about it
   * @return a changed copy
   */
  public ConnectionConfig with(
      RetryAttributes otherRetry, Membership otherMembership, Set<Trait> otherTraits) {
    return new ConnectionConfig(type, mtu, reads, psn, otherRetry, otherMembership, otherTraits);
  }

  boolean sharesReceives() {
    return traits.contains(Trait.SHARED_RECEIVES);
  }

  /** First PSN of one direction; far apart, and often close to the wrap. */
  static int psn(int seed, int side) {
    return (seed + side * 0x40_0000) & WirePacket.PSN_MASK;
  }
}
