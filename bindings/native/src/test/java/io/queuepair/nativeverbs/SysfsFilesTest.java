// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of a device, and what they say. */
final class SysfsFilesTest {
  private final Emulator emulator = Emulator.inMemory();
  private final EmulatedDevice device = emulator.addDevice("10.0.0.1");
  private final SysfsFiles files = new SysfsFiles(Runnable::run);

  @BeforeEach
  void write() {
    files.write(List.of(device));
  }

  @AfterEach
  void close() {
    files.close();
    assertThat(files.root()).doesNotExist();
    emulator.close();
  }

  /** As on a full file system; a file is where a directory should be. */
  @Test
  void saysThatFilesCannotBeWritten() throws IOException {
    SysfsFiles others = new SysfsFiles(Runnable::run);
    Files.createFile(others.root().resolve("sys"));

    assertThatThrownBy(() -> others.write(List.of(device)))
        .isInstanceOf(NativeException.class)
        .hasMessageStartingWith("the files of the device cannot be written below ");

    others.close();
  }

  private Path at(String name) {
    return files.root().resolve("sys/class/infiniband").resolve(device.name()).resolve(name);
  }

  private String line(String name) {
    try {
      return Files.readString(at(name));
    } catch (IOException missing) {
      throw new AssertionError(missing);
    }
  }

  /** Of Documentation/ABI/stable/sysfs-class-infiniband, for any device with this link layer. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "node_type node_guid sys_image_guid node_desc fw_ver hw_rev hca_type board_id",
        "ports/1/lid ports/1/rate ports/1/lid_mask_count ports/1/sm_sl ports/1/sm_lid",
        "ports/1/state ports/1/phys_state ports/1/cap_mask ports/1/link_layer",
        "ports/1/counters/symbol_error ports/1/counters/port_rcv_errors",
        "ports/1/counters/port_rcv_remote_physical_errors ports/1/counters/port_xmit_discards",
        "ports/1/counters/port_rcv_switch_relay_errors ports/1/counters/link_error_recovery",
        "ports/1/counters/port_xmit_constraint_errors ports/1/counters/port_rcv_constraint_errors",
        "ports/1/counters/local_link_integrity_errors ports/1/counters/port_xmit_wait",
        "ports/1/counters/excessive_buffer_overrun_errors ports/1/counters/port_xmit_data",
        "ports/1/counters/port_rcv_data ports/1/counters/port_xmit_packets",
        "ports/1/counters/port_rcv_packets ports/1/counters/unicast_rcv_packets",
        "ports/1/counters/unicast_xmit_packets ports/1/counters/multicast_rcv_packets",
        "ports/1/counters/multicast_xmit_packets ports/1/counters/link_downed",
        "ports/1/counters/VL15_dropped ports/1/hw_counters/lifespan",
        "ports/1/gid_attrs/ndevs/0 ports/1/gid_attrs/types/0 ports/1/gids/0 ports/1/pkeys/0"
      })
  void areThoseOfTheKernel(String names) {
    assertThat(Stream.of(names.split(" ")).map(this::at)).allMatch(Files::exists);
  }

  /** The formats are those of drivers/infiniband/core/sysfs.c. */
  @ParameterizedTest
  @CsvSource({
    "node_type, 1: CA",
    "ports/1/state, 4: ACTIVE",
    "ports/1/phys_state, 5: LinkUp",
    "ports/1/rate, 2.5 Gb/sec (1X SDR)",
    "ports/1/link_layer, Ethernet",
    "ports/1/pkeys/0, 0xffff",
    "ports/1/gids/0, 0000:0000:0000:0000:0000:ffff:0a00:0001",
    "ports/1/gids/1, 0000:0000:0000:0000:0000:0000:0000:0000",
    "ports/1/gid_attrs/types/0, RoCE v2"
  })
  void sayWhatTheDeviceHas(String name, String expected) {
    assertThat(line(name)).isEqualTo(expected + "\n");
  }

  @Test
  void followThePort() {
    device.setPortUp(1, false);
    device.addAddress(1, "10.0.0.2");

    assertThat(line("ports/1/state")).isEqualTo("1: DOWN\n");
    assertThat(line("ports/1/phys_state")).isEqualTo("3: Disabled\n");
    assertThat(line("ports/1/counters/link_downed")).isEqualTo("1\n");
    assertThat(line("ports/1/gids/1")).isEqualTo("0000:0000:0000:0000:0000:ffff:0a00:0002\n");
    assertThat(line("ports/1/gid_attrs/types/1")).isEqualTo("RoCE v2\n");
  }
}
