// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.internal.CProgramHost;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.List;

/** Calls of C to the connection manager: opening its device file, and commands. */
final class RdmaCmEntries {
  private static RdmaCm rdmaCm;

  private RdmaCmEntries() {}

  /** Opens a file; the bytes hold the address that the program has chosen, or nothing. */
  static long open(long none, ByteBuffer args) {
    CProgramHost host = (CProgramHost) rdmaCm();
    List<Integer> devices = ServiceDevices.placesOf(Args.text(args, Args.BYTES));
    OpenFile file = AttachedProgram.current().openFile();
    EventSocket socket = AttachedProgram.current().openEvents(file);
    RdmaCmFile opened =
        new RdmaCmFile(
            host, devices, () -> AttachedProgram.current().has(file), on -> show(file, socket, on));
    file.attach(file.open(opened), socket);
    return file.handle();
  }

  /**
   * Makes the descriptor of a channel readable by a byte sent to it; if {@code isReadable} is 0,
   * has the library in the program read that byte when the present call returns.
   */
  private static void show(OpenFile file, EventSocket socket, int isReadable) {
    if (isReadable != 0) {
      socket.send(new byte[1]);
    } else if (Thread.currentThread() instanceof ProgramThread thread) {
      thread.drain(file.handle());
    }
  }

  static long command(long file, ByteBuffer args) {
    RdmaCmCommand command = RdmaCmCommand.of(args);
    try {
      return command.runOn(Handles.get(file, RdmaCmFile.class));
    } finally {
      Args.setSlot(args, 1, ProgramThread.current().takeDrained());
    }
  }

  /** Connection manager of the host, shared by all programs; created by the first call. */
  private static synchronized RdmaCm rdmaCm() {
    if (rdmaCm == null) {
      Emulator emulator = ServiceDevices.emulator();
      if (emulator == null) {
        throw new VerbsException(Errno.ENODEV, "rdma_cm", "this process has no device");
      }
      List<EmulatedDevice> devices = emulator.devices();
      rdmaCm =
          emulator.rdmaCm(
              devices.get(0), devices.subList(1, devices.size()).toArray(EmulatedDevice[]::new));
      if (Refusals.areExplained()) {
        ((CProgramHost) rdmaCm).explainRefusals(Refusals::explain);
      }
    }
    return rdmaCm;
  }
}
