// SPDX-License-Identifier: Apache-2.0
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;

/** What post_poll.c does, on a device like that of a C program: ADDRESS ROUNDS OPERATIONS. */
final class PostPoll {
  public static void main(String[] args) {
    DeviceProfile profile =
        DeviceProfile.standard()
            .withPorts(1)
            .withRawLoopback()
            .withLimit(DeviceLimit.MAX_MR_SIZE, Long.MAX_VALUE);
    profile = profile.withPacing(profile.sendWindow().withLongAckTimeout());
    try (Emulator emulator = Emulator.on(UdpFabric.open(UdpOptions.defaults()))) {
      ProtectionDomain pd = emulator.addDevice(profile, args[0]).open().allocPd();
      CompletionQueue cq = pd.context().createCq(8);
      QueuePair qp = pd.createQp(QpInitAttr.rc(cq, QpCap.of(8)));
      Emulator.connect(qp, pd.createQp(QpInitAttr.rc(cq, QpCap.of(8))));
      MemoryRegion from = pd.regMr(ByteBuffer.allocateDirect(64));
      MemoryRegion to =
          pd.regMr(
              ByteBuffer.allocateDirect(64), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
      SendWr write = SendWr.rdmaWrite(1, to.addr(), to.rkey(), from.sge(0, 64));
      int operations = Integer.parseInt(args[2]);
      for (int round = Integer.parseInt(args[1]); round > 0; round--) {
        System.out.println(nanosOfEach(operations, qp, cq, write));
      }
    }
  }

  private static long nanosOfEach(
      int operations, QueuePair qp, CompletionQueue cq, SendWr write) {
    WorkCompletion[] taken = new WorkCompletion[1];
    long begin = System.nanoTime();
    for (int i = 0; i < operations; i++) {
      qp.postSend(write);
      while (cq.poll(taken) == 0) {
        continue;
      }
      if (taken[0].status() != WcStatus.SUCCESS) {
        throw new IllegalStateException(taken[0].toString());
      }
    }
    return (System.nanoTime() - begin) / operations;
  }
}
