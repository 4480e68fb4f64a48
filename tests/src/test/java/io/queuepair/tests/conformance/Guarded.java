package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Sge;

/** A target inside a larger region whose other bytes must not change. */
final class Guarded {
  private static final int GUARD_BYTES = 97;

  private final MemoryRegion region;
  private final int length;

  private Guarded(MemoryRegion region, int length) {
    this.region = region;
    this.length = length;
  }

  static Guarded in(Endpoint endpoint, int length) {
    return new Guarded(endpoint.register(length + 2 * GUARD_BYTES), length);
  }

  long addr() {
    return region.addr() + GUARD_BYTES;
  }

  int rkey() {
    return region.rkey();
  }

  Sge sge() {
    return sge(0, length);
  }

  Sge sge(int offset, int bytes) {
    return region.sge(GUARD_BYTES + offset, bytes);
  }

  void fill(byte[] bytes) {
    Bytes.into(region, GUARD_BYTES, bytes);
  }

  /** Exactly these bytes at the start of the target, and everything else untouched. */
  void assertHolds(byte[] expected) {
    int behind = GUARD_BYTES + expected.length;
    assertThat(Bytes.in(region, GUARD_BYTES, expected.length)).isEqualTo(expected);
    assertThat(Bytes.in(region, 0, GUARD_BYTES)).containsOnly(Endpoint.FILL);
    assertThat(Bytes.in(region, behind, region.length() - behind)).containsOnly(Endpoint.FILL);
  }

  void assertUntouched() {
    assertHolds(new byte[0]);
  }
}
