// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.interop;

import static io.queuepair.tests.interop.IntegrityStep.GUARD;

import io.queuepair.emulator.Emulator;
import io.queuepair.tests.conformance.Attributes;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WorkCompletion;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** One RC queue pair with one registered region, as the integrity protocol needs it. */
final class IntegrityEndpoint {
  private static final int REGION_BYTES = 2 << 20;

  private final Emulator emulator;
  private final Mtu mtu;
  private final MemoryRegion region;
  private final CompletionQueue sendCq;
  private final CompletionQueue recvCq;
  private final QueuePair qp;
  private final Gid gid;
  private final int psn = new Random().nextInt(1 << 24);
  private long remoteAddr;
  private int remoteRkey;

  IntegrityEndpoint(Emulator emulator, String bind, Mtu mtu) {
    this.emulator = emulator;
    this.mtu = mtu;
    Context context = emulator.addDevice(bind).open();
    ProtectionDomain pd = context.allocPd();
    region =
        pd.regMr(
            ByteBuffer.allocateDirect(REGION_BYTES),
            AccessFlag.LOCAL_WRITE,
            AccessFlag.REMOTE_READ,
            AccessFlag.REMOTE_WRITE);
    sendCq = context.createCq(16);
    recvCq = context.createCq(16);
    qp = pd.createQp(new QpInitAttr(QpType.RC, sendCq, recvCq, null, QpCap.of(4), true));
    gid = context.queryGid(1, 0);
  }

  String hello() {
    return String.format(
        "hello queuepair-integrity 2 gid=%s qpn=%d psn=%d mtu=%d rkey=%d addr=%d length=%d",
        gid,
        qp.qpNum(),
        psn,
        mtu.bytes(),
        Integer.toUnsignedLong(region.rkey()),
        region.addr(),
        REGION_BYTES);
  }

  void connect(String hello) throws IOException {
    if (!hello.startsWith("hello queuepair-integrity 2 ")) {
      throw new IOException("expected a hello, got '" + hello + "'");
    }
    Map<String, String> remote = new HashMap<>();
    for (String word : hello.split(" ", -1)) {
      String[] parts = word.split("=", 2);
      remote.put(parts[0], parts[parts.length - 1]);
    }
    remoteAddr = Long.parseUnsignedLong(remote.get("addr"));
    remoteRkey = Integer.parseUnsignedInt(remote.get("rkey"));
    int pathMtu = Math.min(mtu.bytes(), Integer.parseInt(remote.get("mtu")));
    Gid peer = Gid.of(InetAddress.getByName(remote.get("gid")));
    int qpn = Integer.parseInt(remote.get("qpn"));
    int rqPsn = Integer.parseInt(remote.get("psn"));
    qp.modify(Attributes.init(QpType.RC));
    qp.modify(
        Attributes.rtr(QpType.RC, peer, qpn, rqPsn)
            .pathMtu(Mtu.ofBytes(pathMtu))
            .maxDestRdAtomic(1));
    qp.modify(
        Attributes.rts(QpType.RC, psn)
            .timeout(ackTimeout())
            .retryCnt(6)
            .rnrRetry(6)
            .maxRdAtomic(1));
  }

  /** None in a run that counts every retry: a slow guest would be asked again for no reason. */
  private static int ackTimeout() {
    return Integer.parseInt(System.getenv().getOrDefault("QUEUEPAIR_ACK_TIMEOUT", "18"));
  }

  /** Puts the pattern where it is to be taken from. */
  void fill(IntegrityStep step) {
    region.buffer().put(step.offset(), step.pattern());
  }

  /** Makes every byte of the target wrong, so that one not written is seen; sets the guards. */
  void prepare(IntegrityStep step) {
    byte[] wrong = withGuards(step.pattern());
    for (int i = GUARD; i < wrong.length - GUARD; i++) {
      wrong[i] = (byte) ~wrong[i];
    }
    region.buffer().put(step.offset() - GUARD, wrong);
  }

  private static byte[] withGuards(byte[] message) {
    byte[] guarded = new byte[message.length + 2 * GUARD];
    Arrays.fill(guarded, (byte) 0xa5);
    System.arraycopy(message, 0, guarded, GUARD, message.length);
    return guarded;
  }

  /** Compares message and guards: "ok STEP" or "bad STEP first difference at ...". */
  String verdict(IntegrityStep step) {
    byte[] expected = withGuards(step.pattern());
    byte[] got = new byte[expected.length];
    region.buffer().get(step.offset() - GUARD, got);
    int at = Arrays.mismatch(got, expected);
    return at < 0
        ? "ok " + step.number()
        : String.format(
            "bad %d first difference at %d: got %02x expected %02x",
            step.number(), at - GUARD, got[at], expected[at]);
  }

  void postReceive(IntegrityStep step) {
    int room = step.operation().isSend() ? step.size() : 0;
    qp.postRecv(new RecvWr(step.number(), sges(step.offset(), room)));
  }

  private List<Sge> sges(int offset, int size) {
    return size == 0 ? List.of() : List.of(region.sge(offset, size));
  }

  void post(IntegrityStep step) {
    Sge[] sges = sges(step.offset(), step.size()).toArray(new Sge[0]);
    long remote = remoteAddr + step.offset();
    int id = step.number();
    int immediate = step.immediate();
    qp.postSend(
        switch (step.operation()) {
          case SEND -> SendWr.send(id, sges);
          case SEND_IMM -> SendWr.sendWithImm(id, immediate, sges);
          case WRITE -> SendWr.rdmaWrite(id, remote, remoteRkey, sges);
          case WRITE_IMM -> SendWr.rdmaWriteWithImm(id, remote, remoteRkey, immediate, sges);
          case READ -> SendWr.rdmaRead(id, remote, remoteRkey, sges);
        });
  }

  void awaitSent(IntegrityStep step) throws IOException {
    WcOpcode opcode =
        switch (step.operation()) {
          case SEND, SEND_IMM -> WcOpcode.SEND;
          case WRITE, WRITE_IMM -> WcOpcode.RDMA_WRITE;
          case READ -> WcOpcode.RDMA_READ;
        };
    await(sendCq, step, opcode);
  }

  void awaitReceived(IntegrityStep step) throws IOException {
    boolean isSend = step.operation().isSend();
    WorkCompletion wc = await(recvCq, step, isSend ? WcOpcode.RECV : WcOpcode.RECV_RDMA_WITH_IMM);
    boolean hasImmediate = wc.wcFlags().contains(WcFlag.WITH_IMM);
    boolean isRight =
        wc.byteLen() == step.size()
            && hasImmediate == step.operation().hasImmediate()
            && (!hasImmediate || wc.immData() == step.immediate());
    if (!isRight) {
      throw new IOException("the receive completed with " + wc);
    }
  }

  private WorkCompletion await(CompletionQueue cq, IntegrityStep step, WcOpcode opcode)
      throws IOException {
    WorkCompletion wc = emulator.await(cq);
    if (!wc.isSuccess() || wc.wrId() != step.number() || wc.opcode() != opcode) {
      throw new IOException("completion " + wc + ", expected " + opcode);
    }
    return wc;
  }
}
