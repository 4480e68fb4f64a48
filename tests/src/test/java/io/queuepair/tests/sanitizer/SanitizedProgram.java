// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.sanitizer;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.SanitizerFinding;
import io.queuepair.emulator.profile.SanitizerFindingKind;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.nio.ByteBuffer;
import java.util.List;

/** A program on one sanitized device: two queue pairs of it, connected to each other. */
final class SanitizedProgram implements AutoCloseable {
  static final int SEND_WRS = 4;
  static final int RECV_WRS = 4;

  static final int REGION_BYTES = 16 * 1024;

  final InMemoryFabric fabric = InMemoryFabric.virtualTime();
  final Emulator emulator = Emulator.on(fabric);
  final EmulatedDevice device =
      emulator.addDevice(DeviceProfile.standard().sanitized(), "10.0.0.1");
  final Context context = device.open();
  final ProtectionDomain pd = context.allocPd();
  final CompletionChannel channel = context.createCompChannel();
  final CompletionQueue cq;
  final MemoryRegion source;
  final MemoryRegion target;
  final QueuePair a;
  final QueuePair b;

  SanitizedProgram() {
    this(2 * (SEND_WRS + RECV_WRS));
  }

  SanitizedProgram(int cqe) {
    cq = context.createCq(cqe, channel);
    source = register();
    target = register();
    a = pd.createQp(QpInitAttr.rc(cq, new QpCap(SEND_WRS, RECV_WRS, 2, 2, 64)));
    b = pd.createQp(QpInitAttr.rc(cq, new QpCap(SEND_WRS, RECV_WRS, 2, 2, 64)));
    Emulator.connect(a, b);
  }

  private MemoryRegion register() {
    return pd.regMr(
        ByteBuffer.allocateDirect(REGION_BYTES),
        AccessFlag.LOCAL_WRITE,
        AccessFlag.REMOTE_READ,
        AccessFlag.REMOTE_WRITE);
  }

  void receive(long wrId) {
    b.postRecv(RecvWr.of(wrId, target.sge(0, 64)));
  }

  void send(long wrId) {
    a.postSend(SendWr.send(wrId, source.sge(0, 64)));
  }

  SendWr write(long wrId, int bytes) {
    return SendWr.rdmaWrite(wrId, target.addr(), target.rkey(), source.sge(0, bytes));
  }

  /** The application changes the first byte of a region. */
  static void change(MemoryRegion region) {
    region.buffer().put(0, (byte) 1);
  }

  void assertFinds(SanitizerFindingKind... kinds) {
    assertThat(findings()).extracting(SanitizerFinding::kind).containsExactly(kinds);
  }

  /** Takes so many completions, waiting for them. */
  void takeCompletions(int count) {
    for (int i = 0; i < count; i++) {
      emulator.await(cq);
    }
  }

  List<SanitizerFinding> findings() {
    return device.sanitizerFindings();
  }

  /** Closes all it has made, in order. */
  void closeAll() {
    a.close();
    b.close();
    cq.close();
    channel.close();
    source.close();
    target.close();
    pd.close();
    context.close();
  }

  @Override
  public void close() {
    emulator.close();
  }
}
