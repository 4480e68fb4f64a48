package io.queuepair.tools.devinfo;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
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
  /** What one machine has and another has not. */
  private static final Pattern LOCAL =
      Pattern.compile("hca_id.*|\\t(fw_ver|node_guid|sys_image_guid):.*|.*(active_mtu|GID\\[).*");

  @Test
  void isThatOfTheRecordingLineByLine() throws IOException {
    List<String> report = new ArrayList<>();
    try (Emulator emulator = Emulator.inMemory();
        Context context = emulator.addDevice(DeviceProfile.softRoce(), "10.0.0.1").open()) {
      report.addAll(DeviceReport.of(context, true));
      report.addAll(PortReport.of(context, 1, true));
    }

    assertThat(common(report)).isEqualTo(common(recording()));
  }

  private static List<String> common(List<String> lines) {
    return lines.stream().filter(line -> !LOCAL.matcher(line).matches()).toList();
  }

  private static List<String> recording() throws IOException {
    try (InputStream in = SoftRoceReportTest.class.getResourceAsStream("ibv_devinfo-44.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
    }
  }
}
