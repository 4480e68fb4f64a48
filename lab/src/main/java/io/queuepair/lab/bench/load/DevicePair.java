// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench.load;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.HwCounter;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;

/** Two devices of the default profile with a network between them. */
final class DevicePair implements AutoCloseable {
  /** On a busy machine a thread may wait for a processor longer than an ACK timeout. */
  private static final DeviceProfile LONG_ACK_TIMEOUT =
      DeviceProfile.standard()
          .withPacing(DeviceProfile.standard().sendWindow().withLongAckTimeout());

  private final Emulator[] emulators;
  private final Executor second;
  private final ProtectionDomain[] domains = new ProtectionDomain[2];

  /** Two devices for one thread, or for any. */
  DevicePair(BenchmarkNetwork network) {
    this(network, Runnable::run, 0);
  }

  /**
   * The same with other addresses, for a second load of the process.
   *
   * @param number of the first device
   */
  DevicePair(BenchmarkNetwork network, int number) {
    this(network, Runnable::run, number);
  }

  /**
   * Two devices.
   *
   * @param second runs what makes the second device and takes it away, and returns when that is
   *     done: a thread of its own, if devices belong to threads
   */
  DevicePair(BenchmarkNetwork network, Executor second) {
    this(network, second, 0);
  }

  private DevicePair(BenchmarkNetwork network, Executor second, int number) {
    emulators = network.open();
    this.second = second;
    domains[0] = open(emulators[0], number);
    second.execute(() -> domains[1] = open(emulators[1], number + 1));
  }

  /** A device of its own for a load, with the number of its address. */
  static ProtectionDomain open(Emulator emulator, int device) {
    return emulator.addDevice(LONG_ACK_TIMEOUT, BenchmarkNetwork.address(device)).open().allocPd();
  }

  ProtectionDomain domain(int device) {
    return domains[device];
  }

  Context context(int device) {
    return domains[device].context();
  }

  /** Memory of a device that others may read and write. */
  MemoryRegion memory(int device, int bytes) {
    return memory(domains[device], bytes);
  }

  static MemoryRegion memory(ProtectionDomain domain, int bytes) {
    return domain.regMr(
        ByteBuffer.allocateDirect(bytes),
        AccessFlag.LOCAL_WRITE,
        AccessFlag.REMOTE_READ,
        AccessFlag.REMOTE_WRITE);
  }

  /** Waits for the next completion of a queue of one of the devices, which must be a success. */
  WorkCompletion await(int device, CompletionQueue cq) {
    return await(emulators[device], cq);
  }

  static WorkCompletion await(Emulator emulator, CompletionQueue cq) {
    return requireSuccess(emulator.await(cq));
  }

  static WorkCompletion requireSuccess(WorkCompletion completion) {
    if (!completion.isSuccess()) {
      throw new IllegalStateException(completion.status() + ": " + completion.explain());
    }
    return completion;
  }

  /** Packets that both devices have sent so far. */
  long packets() {
    long packets = 0;
    for (ProtectionDomain domain : domains) {
      packets += domain.context().hwCounters(1).get(HwCounter.SENT_PKTS);
    }
    return packets;
  }

  @Override
  public void close() {
    emulators[0].close();
    second.execute(emulators[1]::close);
  }
}
