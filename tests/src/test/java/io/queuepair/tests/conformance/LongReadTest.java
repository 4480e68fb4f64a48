// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A device that answers long READs over UDP serves its other connections meanwhile. */
@Timeout(120)
final class LongReadTest {
  private static final int READS = 4;

  /** Of a connection that has time for a busy machine. */
  private static final int LONG_TIMEOUT = 17;

  /** Of the specification's examples, and of most programs: 67 milliseconds. */
  private static final int USUAL_TIMEOUT = 14;

  private final UdpOptions options = UdpOptions.defaults().withPort(FreePort.of("127.0.0.90"));

  @AutoClose private final Emulator server = Emulator.on(UdpFabric.open(options));
  @AutoClose private final Emulator clients = Emulator.on(UdpFabric.open(options));

  private final ProtectionDomain pd = server.addDevice("127.0.0.90").open().allocPd();
  private final ProtectionDomain readerPd = clients.addDevice("127.0.0.91").open().allocPd();
  private final ProtectionDomain writerPd = clients.addDevice("127.0.0.92").open().allocPd();
  private final CompletionQueue reads = readerPd.context().createCq(READS);
  private final CompletionQueue writes = writerPd.context().createCq(1);

  private static QueuePair queuePair(ProtectionDomain pd, CompletionQueue cq) {
    return pd.createQp(QpInitAttr.rc(cq, QpCap.of(READS)));
  }

  /** With the smallest packets, of which a READ takes most. */
  private static void connect(QueuePair qp, QueuePair peer, int timeout) {
    Gid gid = peer.pd().context().queryGid(1, 0);
    qp.modify(Attributes.init(QpType.RC));
    qp.modify(Attributes.rtr(QpType.RC, gid, peer.qpNum(), 0).pathMtu(Mtu.MTU_256));
    qp.modify(Attributes.rts(QpType.RC, 0).timeout(timeout).retryCnt(7));
  }

  private QueuePair connected(ProtectionDomain clientPd, CompletionQueue cq, int timeout) {
    QueuePair serving = queuePair(pd, pd.context().createCq(READS));
    QueuePair client = queuePair(clientPd, cq);
    connect(client, serving, timeout);
    connect(serving, client, timeout);
    return client;
  }

  /** Posts READs, and writes beside them until they are done. */
  private void assertBothGoOn(QueuePair reader, QueuePair writer, int count, int bytes) {
    MemoryRegion much = pd.regMr(ByteBuffer.allocateDirect(bytes), AccessFlag.REMOTE_READ);
    MemoryRegion target =
        pd.regMr(ByteBuffer.allocateDirect(64), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    MemoryRegion local = readerPd.regMr(ByteBuffer.allocateDirect(bytes), AccessFlag.LOCAL_WRITE);
    MemoryRegion small = writerPd.regMr(ByteBuffer.allocateDirect(64));
    much.buffer().putLong(bytes - Long.BYTES, 0x5eed);

    for (int i = 0; i < count; i++) {
      reader.postSend(SendWr.rdmaRead(i, much.addr(), much.rkey(), local.sge()));
    }
    int readsDone = 0;
    while (readsDone < count) {
      writer.postSend(SendWr.rdmaWrite(9, target.addr(), target.rkey(), small.sge()));
      assertThat(clients.await(writes).status()).isEqualTo(WcStatus.SUCCESS);
      for (WorkCompletion read : reads.poll(READS)) {
        assertThat(read.status()).as(read.explain()).isEqualTo(WcStatus.SUCCESS);
        readsDone++;
      }
    }

    assertThat(local.buffer().getLong(bytes - Long.BYTES)).isEqualTo(0x5eed);
  }

  @Test
  void anotherConnectionGoesOnBesideLongReads() {
    QueuePair reader = connected(readerPd, reads, LONG_TIMEOUT);
    QueuePair writer = connected(writerPd, writes, LONG_TIMEOUT);
    assertBothGoOn(reader, writer, READS, 64 << 20);
  }

  /**
   * Packets are lost, as the response is more than the socket of the reader holds; but the reader
   * loses none of the time that it has for each; nor does the other connection. It takes long on a
   * busy machine, so that the usual build leaves it out: {@code mvn test -Dgroups=large
   * -DexcludedGroups=none}.
   */
  @Test
  @Tag("large")
  void aReadThatIsLongerThanItsTimeoutSucceeds() {
    QueuePair reader = connected(readerPd, reads, USUAL_TIMEOUT);
    QueuePair writer = connected(writerPd, writes, USUAL_TIMEOUT);
    assertBothGoOn(reader, writer, 1, 256 << 20);
  }
}
