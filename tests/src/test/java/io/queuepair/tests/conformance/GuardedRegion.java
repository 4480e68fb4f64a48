// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Sge;

/** A target inside a larger region whose other bytes must not change. */
public final class GuardedRegion {
  private static final int GUARD_BYTES = 97;

  private final MemoryRegion region;
  private final int length;

  private GuardedRegion(MemoryRegion region, int length) {
    this.region = region;
    this.length = length;
  }

  public static GuardedRegion in(TestEndpoint endpoint, int length) {
    return new GuardedRegion(endpoint.register(length + 2 * GUARD_BYTES), length);
  }

  public long addr() {
    return region.addr() + GUARD_BYTES;
  }

  public int rkey() {
    return region.rkey();
  }

  public Sge sge() {
    return sge(0, length);
  }

  public Sge sge(int offset, int bytes) {
    return region.sge(GUARD_BYTES + offset, bytes);
  }

  /** Exactly these bytes at the start of the target, and everything else untouched. */
  public void assertHolds(byte[] expected) {
    int behind = GUARD_BYTES + expected.length;
    assertThat(Bytes.in(region, GUARD_BYTES, expected.length)).isEqualTo(expected);
    assertThat(Bytes.in(region, 0, GUARD_BYTES)).containsOnly(TestEndpoint.FILL);
    assertThat(Bytes.in(region, behind, region.length() - behind)).containsOnly(TestEndpoint.FILL);
  }

  public void assertUntouched() {
    assertHolds(new byte[0]);
  }
}
