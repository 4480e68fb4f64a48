// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpType;
import java.util.Set;

/**
 * Parameters of one connection.
 *
 * @param reads most READs and atomics outstanding
 * @param psn first PSN of the even queue pair, from which that of the odd one follows
 */
public record ConnectionConfig(
    QpType type,
    Mtu mtu,
    int reads,
    int psn,
    RetryAttributes retry,
    Membership membership,
    Set<Trait> traits) {
  public ConnectionConfig(QpType type, Mtu mtu, int reads, int psn) {
    this(type, mtu, reads, psn, RetryAttributes.DEFAULT, Membership.DEFAULT, Set.of());
  }

  public ConnectionConfig with(Mtu otherMtu, int otherReads, int otherPsn) {
    return new ConnectionConfig(type, otherMtu, otherReads, otherPsn, retry, membership, traits);
  }

  public ConnectionConfig with(
      RetryAttributes otherRetry, Membership otherMembership, Set<Trait> otherTraits) {
    return new ConnectionConfig(type, mtu, reads, psn, otherRetry, otherMembership, otherTraits);
  }

  boolean sharesReceives() {
    return traits.contains(Trait.SHARED_RECEIVES);
  }

  /** First PSN of one direction: the two are far apart, and often close to the wrap. */
  static int psn(int seed, int side) {
    return (seed + side * 0x40_0000) & WirePacket.PSN_MASK;
  }
}
