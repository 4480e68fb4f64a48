package io.queuepair.tools.workload;

import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpType;

/**
 * What one connection is like.
 *
 * @param type RC, UC or UD
 * @param mtu path MTU
 * @param reads READs and atomics outstanding at most
 * @param psn first PSN of its even queue pair; the other one's follows from it
 */
public record Plan(QpType type, Mtu mtu, int reads, int psn) {
  private static final int PSN_MASK = 0xff_ffff;

  /** First PSN of one direction; far apart, and often close to the wrap. */
  static int psn(int seed, int side) {
    return (seed + side * 0x40_0000) & PSN_MASK;
  }
}
