// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.lab.simulation.Violation;
import io.queuepair.verbs.AccessFlag;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Inputs that the fuzzer has found interesting: none breaks a rule. */
@Isolated("watches the heap of the process")
final class FuzzCorpusTest {
  /** Far less than 100 bytes for each datagram. */
  private static final long MAX_GROWTH_BYTES = 4L << 20;

  private static List<byte[]> corpus(FuzzTarget target) throws IOException, URISyntaxException {
    String name = target.name().toLowerCase(Locale.ROOT);
    Path folder = Path.of(FuzzCorpusTest.class.getResource(name).toURI());
    List<byte[]> inputs = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : (Iterable<Path>) files.sorted()::iterator) {
        inputs.add(Files.readAllBytes(file));
      }
    }
    assertThat(inputs).isNotEmpty();
    return inputs;
  }

  @ParameterizedTest
  @EnumSource
  void noInputBreaksARule(FuzzTarget target) throws Exception {
    corpus(target).forEach(target::run);
  }

  @Test
  void everyReasonAndCheckIsMet() throws Exception {
    Coverage coverage = new Coverage();
    for (byte[] input : corpus(FuzzTarget.PACKETS)) {
      try (PacketTarget target = new PacketTarget(GuardedMemory.Registration.RIGHT)) {
        target.run(new FuzzInput(input));
        coverage = coverage.plus(target.coverage());
      }
    }
    for (byte[] input : corpus(FuzzTarget.MANAGEMENT)) {
      try (ManagementTarget target = new ManagementTarget()) {
        target.run(new FuzzInput(input));
        coverage = coverage.plus(target.coverage());
      }
    }

    assertThat(coverage.missing(CoverageGroup.DROP)).isEmpty();
    assertThat(coverage.missing(CoverageGroup.CHECK)).isEmpty();
    assertThat(coverage.missing(CoverageGroup.MEMORY_CHECK)).isEmpty();
    assertThat(coverage.missing(CoverageGroup.NAK_SENT)).isEmpty();
    assertThat(coverage.missing(CoverageGroup.NAK_RECEIVED)).isEmpty();
  }

  /** A device that checks too little is found out: as if a check of its memory were missing. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          open     |  0 | 1 |              | memory was written
          open     | -8 | 8 |              | memory
          readable |  0 | 1 |              | memory left the device
          counters |  0 | 1 |              | memory was written
          secret   |  0 | 0 | REMOTE_READ  | memory left the device
          outbox   |  0 | 0 | REMOTE_WRITE | memory was written
          """)
  void aMissingCheckIsFound(String area, int offset, int more, AccessFlag right, String complaint)
      throws Exception {
    GuardedMemory.Registration defect =
        (pd, name, memory, place) -> {
          boolean isWrong = name.equals(area);
          Set<AccessFlag> access = new HashSet<>(place.access());
          if (isWrong && right != null) {
            access.addAll(Set.of(AccessFlag.LOCAL_WRITE, right));
          }
          return GuardedMemory.Registration.RIGHT.register(
              pd,
              name,
              memory,
              isWrong
                  ? new GuardedMemory.Place(place.offset() + offset, place.length() + more, access)
                  : place);
        };
    List<byte[]> inputs = corpus(FuzzTarget.PACKETS);

    assertThatThrownBy(() -> inputs.forEach(input -> FuzzTarget.fire(input, defect)))
        .isInstanceOf(Violation.class)
        .hasMessageContaining(complaint);
  }

  @Test
  void packetsLeaveNothingBehind() throws Exception {
    List<byte[]> inputs = corpus(FuzzTarget.PACKETS);
    try (PacketTarget target = new PacketTarget(GuardedMemory.Registration.RIGHT)) {
      assertBounded(() -> inputs.forEach(input -> target.run(new FuzzInput(input))));
    }
  }

  @Test
  void managementLeavesNothingBehind() throws Exception {
    List<byte[]> inputs = corpus(FuzzTarget.MANAGEMENT);
    try (ManagementTarget target = new ManagementTarget()) {
      assertBounded(() -> inputs.forEach(input -> target.run(new FuzzInput(input))));
    }
  }

  /** The second and third round on the same devices keep no more than the first. */
  private static void assertBounded(Runnable round) {
    round.run();
    long before = usedBytes();
    round.run();
    round.run();
    assertThat(usedBytes() - before).isLessThan(MAX_GROWTH_BYTES);
  }

  private static long usedBytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
