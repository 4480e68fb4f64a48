// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.demo;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** One of the two programs of the demo: its device, memory, completion queue and queue pair. */
record DemoEndpoint(
    String name,
    Context context,
    MemoryRegion memory,
    CompletionQueue cq,
    QueuePair qp,
    int firstPsn) {
  private static final int MEMORY_BYTES = 8192;
  private static final int QUEUE_DEPTH = 16;

  static DemoEndpoint on(Device device, String name, int firstPsn) {
    Context context = device.open();
    ProtectionDomain pd = context.allocPd();
    MemoryRegion memory =
        pd.regMr(
            ByteBuffer.allocateDirect(MEMORY_BYTES),
            AccessFlag.LOCAL_WRITE,
            AccessFlag.REMOTE_WRITE,
            AccessFlag.REMOTE_READ);
    CompletionQueue cq = context.createCq(QUEUE_DEPTH);
    QueuePair qp = pd.createQp(QpInitAttr.rc(cq, QpCap.of(QUEUE_DEPTH)));
    return new DemoEndpoint(name, context, memory, cq, qp, firstPsn);
  }

  QpState state() {
    return qp.query().qpState();
  }

  void write(int offset, byte[] bytes) {
    memory.buffer().put(offset, bytes);
  }

  byte[] read(int offset, int length) {
    byte[] bytes = new byte[length];
    memory.buffer().get(offset, bytes);
    return bytes;
  }

  String readText(int offset, int length) {
    return new String(read(offset, length), StandardCharsets.UTF_8);
  }
}
