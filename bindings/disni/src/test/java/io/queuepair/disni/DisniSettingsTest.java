// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.rdmacm.RdmaCm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Valid and invalid settings of the agent and the system properties. */
final class DisniSettingsTest {
  private static DisniSettings settings(String arguments, Map<String, String> properties) {
    return DisniSettings.of(arguments, properties::get);
  }

  private static int devicesOf(DisniSettings settings) {
    RdmaCm cm = settings.open();
    return cm.getDevices().size();
  }

  @Test
  void twoDevicesAreInMemoryByDefault() {
    assertThat(devicesOf(settings("", Map.of()))).isEqualTo(2);
  }

  @Test
  void argumentsWinOverProperties() {
    Map<String, String> properties = Map.of("queuepair.disni.addresses", "10.0.0.1,10.0.0.2");

    assertThat(devicesOf(settings("addresses=10.0.0.7; network = memory", properties))).isOne();
  }

  @Test
  void aProgramThatSetsNoRetriesHasNoneUnlessTheSettingsSayMore() {
    assertThat(settings("", Map.of()).retries()).isZero();
    assertThat(settings("retries=7", Map.of()).retries()).isEqualTo(7);
    assertThat(settings("", Map.of("queuepair.disni.retries", "3")).retries()).isEqualTo(3);
  }

  static final class Program {
    public static void main(String[] settings) {
      DisniEmulation.install(settings[0]);
    }
  }

  @Test
  void theLogSaysWhichFaultsNeverHappened() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName(),
                "faults=kill 10.0.0.7 at 1s")
            .redirectErrorStream(true)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).isZero();
    assertThat(printed)
        .contains("never carried out: kill 10.0.0.7 at 1s (unknown hosts: 10.0.0.7)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "colour=red | 'colour=red' is no setting",
        "udp | 'udp' is no setting",
        "retries=8 | retries '8' are not 0 to 7",
        "retries=-1 | retries '-1' are not 0 to 7",
        "network=tcp | network 'tcp' is neither memory nor udp",
        "network=udp | network udp needs addresses of this host"
      })
  void whatIsNoSettingIsNamed(String arguments, String sentence) {
    assertThatThrownBy(() -> settings(arguments, Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(sentence);
  }

  @ParameterizedTest
  @CsvSource({"addresses=10.0.0.300, 10.0.0.300", "faults=drop everything twice, everything"})
  void whatIsNoAddressOrPlanIsNamed(String arguments, String culprit) {
    DisniSettings settings = settings(arguments, Map.of());

    assertThatThrownBy(settings::open)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(culprit);
  }
}
