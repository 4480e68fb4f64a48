// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.Payload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bytes that a device gathers to write into other processes. */
final class StagingTest {
  private static final long BASE = 16L * FakeProcess.PAGE;

  private final FakeProcess process = new FakeProcess().map(BASE, 128);
  private final List<Long> unwritten = new ArrayList<>();
  private final Staging.Writer writer = unwritten::add; // Which ends all that it wrote later.
  private final Staging staging = new Staging(() -> {});

  {
    staging.open();
    staging.begin(writer, 1, false);
  }

  private static Payload bytes(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return Payload.of(bytes);
  }

  private void write(long offset, int length, int value) {
    staging.write(process, BASE + offset, bytes(length, value));
  }

  @Test
  void nothingIsWrittenBeforeTheFlush() {
    write(0, 8, 1);
    assertThat(process.bytes(BASE, 8)).containsOnly(0);

    staging.flush();
    staging.flush();

    assertThat(process.bytes(BASE, 8)).containsOnly(1);
    assertThat(process.writes()).hasSize(1);
  }

  @Test
  void bytesThatFollowEachOtherAreOnePiece() {
    write(0, 100, 1);
    write(100, 50, 2);
    write(200, 1, 3);
    staging.flush();

    assertThat(process.writes()).containsExactly(List.of(150, 1));
  }

  @Test
  void moreThanIsGatheredIsWrittenInBetween() {
    for (int i = 0; i < 2 * Staging.MAX_PIECES; i++) {
      write(16L * i, 8, 5);
    }
    for (int i = 0; i < 100; i++) {
      write(100_000 + 4000L * i, 4000, 6);
    }
    staging.flush();

    for (int i = 0; i < 2 * Staging.MAX_PIECES; i++) {
      assertThat(process.bytes(BASE + 16L * i, 8)).containsOnly(5);
    }
    assertThat(process.bytes(BASE + 100_000, 400_000)).containsOnly(6);
  }

  @Test
  void eachProcessGetsItsOwnBytes() {
    FakeProcess other = new FakeProcess().map(BASE, 1);
    write(0, 8, 1);
    staging.write(other, BASE + 8, bytes(8, 2));
    write(16, 8, 3);
    staging.flush();

    assertThat(process.bytes(BASE, 24)).isEqualTo(joined(1, 0, 3));
    assertThat(other.bytes(BASE, 24)).isEqualTo(joined(0, 2, 0));
  }

  private static byte[] joined(int... values) {
    byte[] joined = new byte[8 * values.length];
    for (int i = 0; i < joined.length; i++) {
      joined[i] = (byte) values[i / 8];
    }
    return joined;
  }

  @Test
  void whatHasNoPlaceLeavesOutItsWriterAndNoOther() {
    List<Long> others = new ArrayList<>();
    process.unmap(BASE + FakeProcess.PAGE);
    write(0, 8, 1);
    staging.begin(writer, 2, false);
    write(FakeProcess.PAGE, 8, 2);
    staging.begin(others::add, 7, false);
    write(8, 8, 3);
    staging.begin(writer, 3, false);
    write(16, 8, 4);
    staging.flush();

    assertThat(process.bytes(BASE, 24)).isEqualTo(joined(1, 3, 0));
    assertThat(unwritten).containsExactly(2L);
    assertThat(others).isEmpty();
    assertThat(staging.takeFailed()).isTrue();
    assertThat(staging.takeFailed()).isFalse();
  }

  @Test
  void aWriterMayGoOnWithItsNextMessage() {
    process.unmap(BASE + FakeProcess.PAGE);
    Staging.Writer goesOn =
        message -> {
          unwritten.add(message);
          return false;
        };
    staging.begin(goesOn, 1, false);
    write(FakeProcess.PAGE, 8, 1);
    write(8, 8, 2);
    staging.begin(goesOn, 2, false);
    write(16, 8, 3);
    staging.flush();

    assertThat(process.bytes(BASE, 24)).isEqualTo(joined(0, 0, 3));
    assertThat(unwritten).containsExactly(1L);
  }

  @Test
  void whatIsReadIsWrittenBefore() {
    write(0, 8, 9);
    StagedRange range = new StagedRange();
    int at = staging.take(range, 100, 8);

    assertThat(staging.read(process, BASE, at, 8)).isTrue();
    assertThat(staging.payload(range, 100, 8)).isEqualTo(bytes(8, 9));
    assertThat(staging.holds(range, 100, 9)).isFalse();
  }

  @Test
  void whatWasStagedIsGoneAfterARoundOfTheRing() {
    StagedRange range = new StagedRange();
    staging.take(range, 0, 8);
    assertThat(staging.holds(range, 0, 8)).isTrue();

    for (int i = 0; i <= Staging.RING_BYTES / Staging.READ_AHEAD_BYTES; i++) {
      staging.take(new StagedRange(), 0, Staging.READ_AHEAD_BYTES);
    }

    assertThat(staging.holds(range, 0, 8)).isFalse();
  }
}
