// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceAttr;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.HwCounter;
import io.queuepair.verbs.PortAttr;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Files of a device as Linux has them below {@code /sys/class/infiniband}: those of {@code
 * Documentation/ABI/stable/sysfs-class-infiniband} and of {@code drivers/infiniband/core/sysfs.c}.
 * A file that changes is replaced as a whole. Thread-safe.
 */
final class SysfsDevice implements AutoCloseable {
  /** Age that counters may have, in milliseconds ({@code hw_counters/lifespan}). */
  static final long LIFESPAN_MILLIS = 50;

  /** File whose open succeeds and whose read fails with EINVAL, as of empty table entries. */
  private static final Path UNREADABLE = Path.of("/sys/class/net/lo/speed");

  /** PCI domain that no host has; {@code files.c} has the same name. */
  private static final String PCI = "pciffff:00";

  private static final String LOOPBACK = "lo";

  /** Names of port counters, each with the counter of the device that gives its value. */
  private static final Map<String, HwCounter> COUNTED =
      Map.of(
          "port_xmit_discards", HwCounter.SEND_ERR,
          "link_downed", HwCounter.LINK_DOWNED);

  /** Port counters that are always 0, as the device has no cable. */
  private static final List<String> NEVER =
      List.of(
          "symbol_error",
          "link_error_recovery",
          "port_rcv_errors",
          "port_rcv_remote_physical_errors",
          "port_rcv_switch_relay_errors",
          "port_xmit_constraint_errors",
          "port_rcv_constraint_errors",
          "local_link_integrity_errors",
          "excessive_buffer_overrun_errors",
          "VL15_dropped",
          "port_xmit_wait");

  private final Context context;
  private final int ports;
  private final Path directory;
  private final Path pci;
  private final Executor afterLifespan;
  private final Map<String, String> written = new HashMap<>();

  /** Counters written last, by port number. */
  private final Map<Integer, Map<HwCounter, Long>> counters = new ConcurrentHashMap<>();

  private volatile boolean isWaiting;
  private boolean isClosed;

  /**
   * Creates the files, and updates them on events of the ports.
   *
   * @param root directory that stands for the root of the file system; it exists
   * @param context of the device
   * @param afterLifespan runs a task after the lifespan of counters
   */
  SysfsDevice(Path root, Context context, Executor afterLifespan) {
    this.context = context;
    this.afterLifespan = afterLifespan;
    String name = context.device().name();
    DeviceAttr device = context.queryDevice();
    ports = device.physPortCnt();
    String slot = String.format("ffff:00:%02x.0", context.device().index());
    pci = root.resolve("sys/devices").resolve(PCI).resolve(slot);
    directory = pci.resolve("infiniband").resolve(name);
    try {
      Files.createDirectories(directory);
      link(directory.resolve("device"), Path.of("../../../" + slot));
      Path entry = root.resolve("sys/class/infiniband").resolve(name);
      link(entry, Path.of("../../devices", PCI, slot, "infiniband", name));
      write(unchanging(device));
      writeVerbs(root, name, context.device().index());
      for (int port = 1; port <= ports; port++) {
        addPort(port);
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    context.onAsyncEvent(event -> writePorts());
    writePorts();
  }

  /** Creates the files that belong to no device. */
  static void writeVersions(Path root) throws IOException {
    Map<String, String> versions =
        Map.of("infiniband_verbs/abi_version", "6", "misc/rdma_cm/abi_version", "4");
    for (Map.Entry<String, String> version : versions.entrySet()) {
      Path path = root.resolve("sys/class").resolve(version.getKey());
      Files.createDirectories(path.getParent());
      Files.writeString(path, version.getValue() + "\n");
    }
  }

  private static void link(Path from, Path to) throws IOException {
    createDirectory(from.getParent());
    Files.createSymbolicLink(from, to);
  }

  /** Creates a directory and its parents; asks first, as the JDK throws within if there is one. */
  private static void createDirectory(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory);
    }
  }

  private Map<String, String> unchanging(DeviceAttr device) {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("node_type", "1: CA");
    files.put("node_guid", guid(device.nodeGuid()));
    files.put("sys_image_guid", guid(device.sysImageGuid()));
    files.put("node_desc", "Queuepair");
    files.put("fw_ver", device.fwVer());
    files.put("hw_rev", Integer.toHexString(device.hwVer()));
    files.put("hca_type", "queuepair");
    files.put("board_id", "queuepair");
    files.put("../../numa_node", "-1");
    return files;
  }

  private static String guid(long guid) {
    return String.format("%016x", guid).replaceAll("(.{4})(?=.)", "$1:");
  }

  private void writeVerbs(Path root, String name, int index) throws IOException {
    Path verbs = root.resolve("sys/class/infiniband_verbs");
    String file = "uverbs" + index;
    Path own = pci.resolve("infiniband_verbs").resolve(file);
    Files.createDirectories(own);
    Files.writeString(own.resolve("ibdev"), name + "\n");
    Files.writeString(own.resolve("abi_version"), "1\n");
    Files.writeString(own.resolve("dev"), "231:" + (192 + index) + "\n");
    link(own.resolve("device"), Path.of("../../../" + pci.getFileName()));
    Path slot = pci.getFileName();
    link(
        verbs.resolve(file),
        Path.of("../../devices", PCI, slot.toString(), "infiniband_verbs", file));
    // Programs expect a character device; they open it through the library, not by this name.
    link(root.resolve("dev/infiniband").resolve(file), Path.of("/dev/null"));
  }

  private void addPort(int port) throws IOException {
    String ndev = nameOfInterface(context.queryGid(port, 0));
    write(Map.of("../../net/" + ndev + "/dev_port", Integer.toString(port - 1)));
  }

  /** Replaces the files that have changed. */
  private synchronized void writePorts() {
    isWaiting = false;
    try {
      for (int port = 1; port <= ports && !isClosed; port++) {
        writePort(port, context.queryPort(port));
        writeCounters(port);
      }
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  private void writePort(int port, PortAttr attr) throws IOException {
    String at = "ports/" + port + "/";
    Map<String, String> files = new LinkedHashMap<>();
    files.put(at + "state", attr.state().code() + ": " + attr.state().name());
    files.put(at + "phys_state", physState(attr.physState()));
    files.put(at + "link_layer", "Ethernet");
    files.put(at + "rate", rate(attr));
    files.put(at + "lid", "0x0");
    files.put(at + "lid_mask_count", "0");
    files.put(at + "sm_lid", "0x0");
    files.put(at + "sm_sl", "0");
    files.put(at + "cap_mask", String.format("0x%08x", attr.portCapFlags()));
    for (int i = 0; i < attr.pkeyTblLen(); i++) {
      files.put(at + "pkeys/" + i, String.format("0x%04x", context.queryPkey(port, i)));
    }
    for (int i = 0; i < attr.gidTblLen(); i++) {
      Gid gid = context.queryGid(port, i);
      files.put(at + "gids/" + i, gid.toString());
      files.put(at + "gid_attrs/ndevs/" + i, gid.isZero() ? null : nameOfInterface(gid));
      files.put(at + "gid_attrs/types/" + i, gid.isZero() ? null : "RoCE v2");
    }
    write(files);
  }

  private static String physState(int code) {
    return switch (code) {
      case 3 -> "3: Disabled";
      case 5 -> "5: LinkUp";
      default -> code + ": <unknown>";
    };
  }

  /** Rate as in sysfs, for SDR, DDR and QDR. Width codes above 1 are half the number of lanes. */
  private static String rate(PortAttr attr) {
    String generation = List.of("SDR", "DDR", "QDR").get(attr.activeSpeed() / 2);
    int lanes = attr.activeWidth() == 1 ? 1 : 2 * attr.activeWidth();
    int tenths = 25 * lanes * attr.activeSpeed();
    String number = tenths / 10 + (tenths % 10 == 0 ? "" : "." + tenths % 10);
    return number + " Gb/sec (" + lanes + "X " + generation + ")";
  }

  /** Network interface with an address, if this process sees it. */
  static Optional<NetworkInterface> interfaceOf(Gid gid) {
    try {
      return Optional.ofNullable(NetworkInterface.getByInetAddress(gid.toAddress()));
    } catch (SocketException unknown) {
      return Optional.empty();
    }
  }

  private static String nameOfInterface(Gid gid) {
    return interfaceOf(gid).map(NetworkInterface::getName).orElse(LOOPBACK);
  }

  /** Replaces counters that have changed, after their lifespan. */
  void refresh() {
    for (int port = 1; port <= ports && !isWaiting; port++) {
      if (!context.hwCounters(port).equals(counters.get(port))) {
        isWaiting = true;
        afterLifespan.execute(this::writePorts);
      }
    }
  }

  private void writeCounters(int port) throws IOException {
    String at = "ports/" + port + "/";
    Map<HwCounter, Long> now = context.hwCounters(port);
    counters.put(port, now);
    Map<String, String> files = new LinkedHashMap<>();
    NEVER.forEach(name -> files.put(at + "counters/" + name, "0"));
    COUNTED.forEach((name, of) -> files.put(at + "counters/" + name, now.get(of).toString()));
    Map<String, Long> traffic = EmulatedDevice.of(context.device()).trafficCounters(port);
    traffic.forEach((name, count) -> files.put(at + "counters/" + name, count.toString()));
    files.put(at + "hw_counters/lifespan", Long.toString(LIFESPAN_MILLIS));
    now.forEach((of, count) -> files.put(at + "hw_counters/" + of.fileName(), "" + count));
    write(files);
  }

  /** Replaces files whose lines have changed; null makes a file that cannot be read. */
  private void write(Map<String, String> files) throws IOException {
    for (Map.Entry<String, String> file : files.entrySet()) {
      String name = file.getKey();
      String line = file.getValue();
      boolean isFirst = !written.containsKey(name);
      if (!isFirst && Objects.equals(written.put(name, line), line)) {
        continue;
      }
      written.put(name, line);
      if (line == null) {
        unreadable(name);
        continue;
      }
      Path path = directory.resolve(name).normalize();
      Path to = isFirst ? path : path.resolveSibling("." + path.getFileName());
      createDirectory(path.getParent());
      Files.writeString(to, line + "\n");
      if (!isFirst) {
        Files.move(to, path, StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  private void unreadable(String name) throws IOException {
    Path path = directory.resolve(name);
    Files.deleteIfExists(path);
    link(path, UNREADABLE);
  }

  /** Stops updates. */
  @Override
  public synchronized void close() {
    isClosed = true;
    context.close();
  }
}
