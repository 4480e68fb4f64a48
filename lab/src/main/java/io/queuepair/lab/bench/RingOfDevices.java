// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** RDMA WRITEs in memory, one after the other: each of many devices to the next one. */
final class RingOfDevices implements Load {
  private static final int MESSAGE_BYTES = 8;
  private static final int DEVICES_IN_SUBNET = 250;

  private final Emulator emulator = BenchmarkNetwork.MEMORY.open()[0];
  private final List<Member> members = new ArrayList<>();
  private final List<List<SendWr>> writes = new ArrayList<>();
  private int next;

  private record Member(CompletionQueue cq, QueuePair out, QueuePair in, MemoryRegion memory) {}

  RingOfDevices(int devices) {
    for (int i = 0; i < devices; i++) {
      String address = "10.0." + i / DEVICES_IN_SUBNET + "." + (1 + i % DEVICES_IN_SUBNET);
      ProtectionDomain domain = emulator.addDevice(address).open().allocPd();
      CompletionQueue cq = domain.context().createCq(1);
      QpInitAttr attr = QpInitAttr.rc(cq, QpCap.of(1));
      ByteBuffer bytes = ByteBuffer.allocateDirect(MESSAGE_BYTES);
      MemoryRegion memory = domain.regMr(bytes, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
      members.add(new Member(cq, domain.createQp(attr), domain.createQp(attr), memory));
    }
    for (int i = 0; i < devices; i++) {
      Member member = members.get(i);
      Member following = members.get((i + 1) % devices);
      MemoryRegion target = following.memory();
      Emulator.connect(member.out(), following.in());
      writes.add(List.of(SendWr.rdmaWrite(0, target.addr(), target.rkey(), member.memory().sge())));
    }
  }

  @Override
  public long run(long nanos) {
    long end = System.nanoTime() + nanos;
    long messages = 0;
    while (System.nanoTime() - end < 0) {
      Member member = members.get(next);
      member.out().postSend(writes.get(next));
      DevicePair.requireSuccess(emulator.await(member.cq()));
      next = (next + 1) % members.size();
      messages++;
    }
    return messages;
  }

  @Override
  public void close() {
    emulator.close();
  }
}
