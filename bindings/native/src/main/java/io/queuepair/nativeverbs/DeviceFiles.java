// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The files in which programs look for the device: those that Linux has below {@code
 * /sys/class/infiniband} and {@code /dev/infiniband}.
 */
final class DeviceFiles {
  /** More entries than any device has; those that are empty say so. */
  private static final int GIDS = 8;

  private static final String DEVICE = "sys/class/infiniband/qp0/";
  private static final String PORT = DEVICE + "ports/1/";
  private static final String VERBS = "sys/class/infiniband_verbs/";

  /** Device file of the verbs; the library has that of the connection manager if it answers. */
  private static final String CHARACTER_DEVICE = "dev/infiniband/uverbs0";

  private DeviceFiles() {}

  /**
   * A directory with all files, made now unless it is in the cache.
   *
   * @param address of the device
   */
  static Path in(CacheDirectory cache, InetAddress address) {
    Map<String, String> files = files(interfaceOf(address));
    List<String> madeFrom = new ArrayList<>(List.of(CHARACTER_DEVICE));
    files.forEach((path, text) -> madeFrom.add(path + "=" + text));
    return cache.entry("files", madeFrom, into -> write(files, into));
  }

  private static String interfaceOf(InetAddress address) {
    try {
      if (address.isLoopbackAddress()) {
        return NetworkInterface.networkInterfaces()
            .filter(DeviceFiles::isLoopback)
            .map(NetworkInterface::getName)
            .findFirst()
            .orElse("lo");
      }
      NetworkInterface found = NetworkInterface.getByInetAddress(address);
      return found == null ? "lo" : found.getName();
    } catch (IOException unknown) {
      return "lo";
    }
  }

  private static boolean isLoopback(NetworkInterface candidate) {
    try {
      return candidate.isLoopback();
    } catch (IOException unknown) {
      return false;
    }
  }

  private static Map<String, String> files(String networkInterface) {
    Map<String, String> files = new LinkedHashMap<>();
    files.put(DEVICE + "node_type", "1: CA");
    files.put(DEVICE + "node_desc", "Queuepair");
    files.put(DEVICE + "hca_type", "queuepair");
    files.put(DEVICE + "device/net/" + networkInterface + "/dev_port", "0");
    files.put(DEVICE + "device/numa_node", "-1");
    files.put(DEVICE + "device/infiniband/qp0/node_type", "1: CA");
    files.put(PORT + "state", "4: ACTIVE");
    files.put(PORT + "phys_state", "5: LinkUp");
    files.put(PORT + "link_layer", "Ethernet");
    files.put(PORT + "rate", "2.5 Gb/sec (1X SDR)");
    files.put(PORT + "lid", "0x0");
    files.put(PORT + "sm_lid", "0x0");
    files.put(PORT + "pkeys/0", "0xffff");
    for (int i = 0; i < GIDS; i++) {
      files.put(PORT + "gid_attrs/types/" + i, "RoCE v2");
      files.put(PORT + "gid_attrs/ndevs/" + i, networkInterface);
    }
    files.put(VERBS + "abi_version", "6");
    files.put(VERBS + "uverbs0/ibdev", "qp0");
    files.put(VERBS + "uverbs0/abi_version", "1");
    files.put(VERBS + "uverbs0/dev", "231:192");
    files.put("sys/class/misc/rdma_cm/abi_version", "4");
    return files;
  }

  private static void write(Map<String, String> files, Path into) throws IOException {
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path path = into.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue() + "\n");
    }
    // Programs want a character device; they open it by the library, not by this name.
    Path device = into.resolve(CHARACTER_DEVICE);
    Files.createDirectories(device.getParent());
    Files.createSymbolicLink(device, Path.of("/dev/null"));
  }
}
