// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.devinfo;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.tests.support.CommandRun;
import io.queuepair.verbs.Context;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The soft-roce profile reports what Linux Soft-RoCE reports: every limit and capability. */
final class SoftRoceReportTest {
  /** The guest's Ethernet. */
  private static final int MTU_BYTES = 1500;

  /** Names. */
  private static final Pattern LOCAL = Pattern.compile("(?<=hca_id:|guid:)\\t+.*");

  @Test
  void isThatOfTheRecordingLineByLine() throws IOException {
    List<String> report = new ArrayList<>();
    InMemoryOptions options = InMemoryOptions.virtualTime().withMtuBytes(MTU_BYTES);
    String[] addresses = {"192.0.2.7", "fd00:99::7", "fe80::5054:ff:fe00:7"};
    try (Emulator emulator = Emulator.on(InMemoryFabric.create(options));
        Context context = emulator.addDevice(DeviceProfile.softRoce(), addresses).open()) {
      report.addAll(DeviceReport.of(context, true));
      report.addAll(PortReport.of(context, 1, true));
    }

    assertThat(common(report)).isEqualTo(common(recording()));
  }

  /** On the one address of the in-memory device, whose MTU is another. */
  @Test
  void theCommandShowsItWithItsProfile() throws IOException {
    Pattern ofTheNetwork = Pattern.compile("\\t+(active_mtu|GID\\[).*");

    List<String> shown = CommandRun.of("devinfo", "-v", "--profile", "soft-roce").lines();

    assertThat(common(shown).stream().filter(line -> !ofTheNetwork.matcher(line).matches()))
        .containsExactlyElementsOf(
            common(recording()).stream()
                .filter(line -> !ofTheNetwork.matcher(line).matches())
                .toList());
  }

  private static List<String> common(List<String> lines) {
    return lines.stream().map(line -> LOCAL.matcher(line).replaceAll("X")).toList();
  }

  private static List<String> recording() throws IOException {
    try (InputStream in = SoftRoceReportTest.class.getResourceAsStream("ibv_devinfo-44.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
    }
  }
}
