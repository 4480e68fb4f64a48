// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.queuepair.emulator.fabric.FabricException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Recorded files with bytes changed, and cut anywhere: refused in words, or decoded. */
final class HostileCapturesTest {
  private static final List<byte[]> FILES =
      List.of(
          RecordedCapturesTest.resource("errors.pcapng"),
          RecordedCapturesTest.resource("rc_send_ipv6.pcapng"),
          RecordedCapturesTest.resource("cm_rdma_client.pcapng"));

  @Property(tries = 500)
  void changedFilesNeverThrowAnythingElse(
      @ForAll @IntRange(max = 2) int file,
      @ForAll @IntRange(min = 1, max = 40) int changes,
      @ForAll long seed) {
    byte[] changed = FILES.get(file).clone();
    Random random = new Random(seed);
    for (int i = 0; i < changes; i++) {
      changed[random.nextInt(changed.length)] = (byte) random.nextInt();
    }

    assertThatCode(() -> decode(changed)).doesNotThrowAnyException();
  }

  @Property(tries = 300)
  void cutFilesNeverThrowAnythingElse(
      @ForAll @IntRange(max = 2) int file, @ForAll @IntRange(max = 65_535) int at) {
    byte[] cut = Arrays.copyOf(FILES.get(file), at % FILES.get(file).length);

    assertThatCode(() -> decode(cut)).doesNotThrowAnyException();
  }

  private static void decode(byte[] file) {
    try {
      CaptureBytes.packets(file);
    } catch (FabricException refused) {
      // One sentence for people, which is what a broken file gets.
      assert refused.getMessage().startsWith("The capture file test ") : refused.getMessage();
    }
  }
}
