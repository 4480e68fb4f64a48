package io.queuepair.tools.bench.load;

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
final class Couple implements AutoCloseable {
  /** On a busy machine a thread may wait for a processor longer than an ACK timeout. */
  private static final DeviceProfile PATIENT =
      DeviceProfile.standard().withPacing(DeviceProfile.standard().pacing().patient());

  private final Emulator[] emulators;
  private final Executor second;
  private final ProtectionDomain[] domains = new ProtectionDomain[2];

  /** Two devices for one thread, or for any. */
  Couple(Network network) {
    this(network, Runnable::run);
  }

  /**
   * Two devices.
   *
   * @param second runs what makes the second device and takes it away, and returns when that is
   *     done: a thread of its own, if devices belong to threads
   */
  Couple(Network network, Executor second) {
    emulators = network.open();
    this.second = second;
    domains[0] = open(0);
    second.execute(() -> domains[1] = open(1));
  }

  private ProtectionDomain open(int device) {
    return emulators[device].addDevice(PATIENT, Network.address(device)).open().allocPd();
  }

  ProtectionDomain domain(int device) {
    return domains[device];
  }

  Context context(int device) {
    return domains[device].context();
  }

  /** Memory of a device that the other may write to. */
  MemoryRegion memory(int device, int bytes) {
    return domains[device].regMr(
        ByteBuffer.allocateDirect(bytes), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
  }

  /** Waits for the next completion of a queue of one of the devices, which must be a success. */
  WorkCompletion await(int device, CompletionQueue cq) {
    WorkCompletion completion = emulators[device].await(cq);
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
