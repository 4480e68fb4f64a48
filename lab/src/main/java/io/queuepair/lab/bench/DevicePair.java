// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;

/** Two devices of the default profile with a network between them. */
final class DevicePair implements AutoCloseable {
  /** A profile for busy machines, where a thread may wait longer than an ACK timeout. */
  private static final DeviceProfile LONG_ACK_TIMEOUT =
      DeviceProfile.standard()
          .withPacing(DeviceProfile.standard().sendWindow().withLongAckTimeout());

  private final Emulator[] emulators;
  private final ProtectionDomain[] domains = new ProtectionDomain[2];

  DevicePair(BenchmarkNetwork network) {
    emulators = network.open();
  }

  /** Returns a device's protection domain; the first call opens it, for the calling thread. */
  ProtectionDomain domain(int device) {
    if (domains[device] == null) {
      String address = BenchmarkNetwork.address(device);
      domains[device] = emulators[device].addDevice(LONG_ACK_TIMEOUT, address).open().allocPd();
    }
    return domains[device];
  }

  Context context(int device) {
    return domain(device).context();
  }

  /** Registers memory that the peer may read and write. */
  MemoryRegion memory(int device, int bytes) {
    return domain(device)
        .regMr(
            ByteBuffer.allocateDirect(bytes),
            AccessFlag.LOCAL_WRITE,
            AccessFlag.REMOTE_READ,
            AccessFlag.REMOTE_WRITE);
  }

  /** Waits for the next completion of a device's queue, which must be a success. */
  WorkCompletion await(int device, CompletionQueue cq) {
    return requireSuccess(emulators[device].await(cq));
  }

  static WorkCompletion requireSuccess(WorkCompletion completion) {
    if (!completion.isSuccess()) {
      throw new IllegalStateException(completion.status() + ": " + completion.explain());
    }
    return completion;
  }

  @Override
  public void close() {
    emulators[0].close();
    emulators[1].close();
  }
}
