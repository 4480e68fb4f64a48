// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.Emulator;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Uses a device as most programs do, so that a {@link ClassArchive} has what they need. */
final class ArchivedWork {
  private static final Pattern ENTRY = Pattern.compile("ENTRY\\(\\w+, \"(\\w+)\", \"\\w+\"\\)");
  private static final int QUERY_ROOM = 1 << 16;
  private static final int BYTES = 4096;
  private static final int HALF = BYTES / 2;
  private static final int MOST_POLLS = 10_000_000;

  private ArchivedWork() {}

  /**
   * Runs the work, in a JVM of its own.
   *
   * @param none there are no arguments
   * @throws ClassNotFoundException if the archive of the project is not complete
   */
  public static void main(String[] none) throws ClassNotFoundException {
    for (String name : entryClasses()) {
      Class.forName(ArchivedWork.class.getPackageName() + "." + name);
    }
    String address = UdpOptions.defaults().freeLoopbackAddresses(1).get(0);
    ProcessDevices.start(Map.of(Variables.ADDRESS, address + Variables.OR_NEXT));
    try (Context context = ProcessDevices.devices().get(0).open()) {
      query(context);
      write(context);
    }
    ProcessDevices.stop();
  }

  private static Set<String> entryClasses() {
    return ENTRY
        .matcher(NativeLibrary.sources().get("entries.h"))
        .results()
        .map(entry -> entry.group(1))
        .collect(Collectors.toSet());
  }

  private static void query(Context context) {
    ByteBuffer args = Args.of(ByteBuffer.allocateDirect(QUERY_ROOM));
    long handle = Handles.add(context);
    DeviceEntries.deviceInfo(0, args);
    DeviceEntries.queryDeviceEx(handle, args);
    Args.setSlot(args, 0, 1);
    Args.setSlot(args, 1, 0);
    DeviceEntries.queryPort(handle, args);
    Args.setSlot(args, 0, 1);
    DeviceEntries.queryGid(handle, args);
    Handles.remove(handle);
  }

  private static void write(Context context) {
    try (ProtectionDomain pd = context.allocPd();
        MemoryRegion mr =
            pd.regMr(
                ByteBuffer.allocateDirect(BYTES), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        CompletionQueue cq = context.createCq(16);
        QueuePair qp = pd.createQp(QpInitAttr.rc(cq, QpCap.of(4)));
        QueuePair peer = pd.createQp(QpInitAttr.rc(cq, QpCap.of(4)))) {
      Emulator.connect(qp, peer);
      qp.postSend(SendWr.rdmaWrite(1, mr.addr() + HALF, mr.rkey(), mr.sge(0, HALF)));
      for (int i = 0; i < MOST_POLLS && cq.poll(1).isEmpty(); i++) {
        Thread.onSpinWait();
      }
    }
  }
}
