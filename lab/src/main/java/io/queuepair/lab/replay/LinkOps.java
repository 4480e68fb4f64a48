// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.tools.recording.CallResults;
import io.queuepair.tools.recording.Op;
import io.queuepair.tools.recording.RecordedArgs;
import io.queuepair.tools.recording.RecordedDevice;
import io.queuepair.tools.recording.WrongCallException;
import io.queuepair.verbs.GidEntry;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Shell commands of ip(8) that configure the network interface of machine A. */
final class LinkOps {
  /** Name of the recorded side for these commands. */
  static final String SIDE = "host";

  private static final int PORT = 1;

  /** IPv6 needs at least this MTU (RFC 8200); Linux disables IPv6 on the interface below it. */
  private static final int LEAST_IPV6_MTU = 1_280;

  private static final String IP = "(?:\\S*/)?ip(?:\\.real)? (?:-6 )?";
  private static final Pattern UP_OR_DOWN = Pattern.compile(IP + "link set eth0 (up|down)");
  private static final Pattern MTU = Pattern.compile(IP + "link set eth0 mtu (\\d{1,5})");
  private static final Pattern ADDRESS =
      Pattern.compile(IP + "addr (add|del) (\\S+)/\\d+ dev eth0(?: nodad)?");

  /** Command that deletes the device in the background, and prints job and devices. */
  private static final Pattern DELETION =
      Pattern.compile(
          "rdma link delete rxe0 >/dev/null 2>&1 & sleep 2; jobs; ls /sys/class/infiniband");

  private static final long DELETION_NANOS = 2_000_000_000;
  private static final Pattern SLEEP = Pattern.compile("sleep (\\d{1,4}(?:\\.\\d+)?)");

  private LinkOps() {}

  static Map<String, Op> all() {
    return Map.of("shell", LinkOps::shell);
  }

  private static ObjectNode shell(RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    String script = args.allow("cmd").text("cmd").replace("$ID", String.valueOf(Session.ID_OF_A));
    if (DELETION.matcher(script).matches()) {
      return deleteInBackground(device);
    }
    return CallResults.of(
            () -> List.of(script.split(";")).forEach(line -> run(device, line.strip())))
        .put("out", "");
  }

  /**
   * Answers a deletion in the background: the command waits until the last context is closed, and
   * the shell prints that it is running.
   */
  private static ObjectNode deleteInBackground(RecordedDevice device) {
    device.clock().run(DELETION_NANOS);
    return CallResults.success().put("out", "[1]+  Running                    \nrxe0\n");
  }

  private static void run(RecordedDevice device, String command) {
    EmulatedDevice emulatedDevice = EmulatedDevice.of(device.context().device());
    Matcher upOrDown = UP_OR_DOWN.matcher(command);
    Matcher mtu = MTU.matcher(command);
    Matcher address = ADDRESS.matcher(command);
    Matcher sleep = SLEEP.matcher(command);
    if (upOrDown.matches()) {
      setUp(device, upOrDown.group(1).equals("up"));
    } else if (mtu.matches()) {
      setMtu(device, Integer.parseInt(mtu.group(1)));
    } else if (address.matches() && address.group(1).equals("add")) {
      emulatedDevice.addAddress(PORT, address.group(2));
    } else if (address.matches()) {
      emulatedDevice.removeAddress(PORT, address.group(2));
    } else if (sleep.matches()) {
      device.clock().run(Math.round(Double.parseDouble(sleep.group(1)) * 1e9));
    } else {
      throw new WrongCallException("shell: the command '" + command + "' is not known");
    }
  }

  private static void setUp(RecordedDevice device, boolean up) {
    if (!up) {
      dropIpv6(device);
    }
    EmulatedDevice.of(device.context().device()).setPortUp(PORT, up);
  }

  private static void setMtu(RecordedDevice device, int bytes) {
    EmulatedDevice.of(device.context().device()).setMtu(PORT, bytes);
    if (bytes < LEAST_IPV6_MTU) {
      dropIpv6(device);
    }
  }

  /** Removes the IPv6 addresses, as Linux does, except the first GID, that of the device. */
  private static void dropIpv6(RecordedDevice device) {
    int slots = device.context().queryPort(PORT).gidTblLen();
    for (GidEntry entry : device.context().queryGidTable(slots)) {
      if (entry.portNum() == PORT && entry.gidIndex() > 0 && !entry.gid().isIpv4Mapped()) {
        String address = entry.gid().toAddress().getHostAddress();
        EmulatedDevice.of(device.context().device()).removeAddress(PORT, address);
      }
    }
  }
}
