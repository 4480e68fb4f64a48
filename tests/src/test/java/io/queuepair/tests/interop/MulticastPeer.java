// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.interop;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * One member of a multicast group: says {@code ready} when it is attached, and receives one copy of
 * one message, of which it checks every byte. With {@code --send} it also sends it, which comes
 * back to itself. Exits 0 only if the message was right.
 */
@CommandLine.Command(name = "multicast-peer", mixinStandardHelpOptions = true)
final class MulticastPeer implements Callable<Integer> {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration QUIET = Duration.ofMillis(300);
  private static final int QKEY = 0x0123_4567;
  private static final int GROUP_QPN = 0xff_ffff;
  private static final int GRH_BYTES = 40;
  private static final int MESSAGE_BYTES = 1_000;

  @Option(names = "--bind", required = true, description = "address of the device")
  private String bind;

  @Option(names = "--group", required = true, description = "address of the group")
  private InetAddress group;

  @Option(names = "--transport", defaultValue = "AUTO", description = "kind of sockets")
  private UdpOptions.Transport transport;

  @Option(names = "--send", description = "send the message")
  private boolean sends;

  private MulticastPeer() {}

  /** Runs the program. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new MulticastPeer())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .execute(args));
  }

  @Override
  public Integer call() throws UnknownHostException {
    UdpOptions options = UdpOptions.defaults().withTransport(transport);
    try (Emulator emulator = Emulator.on(UdpFabric.open(options))) {
      return run(emulator.addDevice(bind).open());
    } catch (FabricException | VerbsException failure) {
      System.out.println("error: " + failure.getMessage());
      return 1;
    }
  }

  private int run(Context context) throws UnknownHostException {
    ProtectionDomain pd = context.allocPd();
    CompletionChannel channel = context.createCompChannel();
    CompletionQueue received = context.createCq(4, channel);
    CompletionQueue sent = context.createCq(4, null);
    MemoryRegion region = register(pd);
    QueuePair qp = pd.createQp(new QpInitAttr(QpType.UD, sent, received, null, QpCap.of(4), false));
    qp.modify(QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qkey(QKEY));
    qp.modify(QpAttr.to(QpState.RTR));
    qp.modify(QpAttr.to(QpState.RTS).sqPsn(0));
    qp.attachMcast(Gid.of(group));
    // The second receive would show a second copy.
    qp.postRecv(RecvWr.of(1, region.sge(0, GRH_BYTES + MESSAGE_BYTES)));
    qp.postRecv(RecvWr.of(2, region.sge(0, GRH_BYTES + MESSAGE_BYTES)));
    received.reqNotify(false);
    System.out.println("ready");
    if (sends) {
      AddressHandle ah = pd.createAh(AhAttr.to(Gid.of(group)));
      int at = GRH_BYTES + MESSAGE_BYTES;
      qp.postSend(SendWr.send(2, region.sge(at, MESSAGE_BYTES)).to(ah, GROUP_QPN, QKEY));
    }
    String verdict = verdict(channel, region.buffer());
    System.out.println(verdict);
    return verdict.startsWith("received") ? 0 : 1;
  }

  /** Room for one message behind its GRH, and the message to send. */
  private static MemoryRegion register(ProtectionDomain pd) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(GRH_BYTES + 2 * MESSAGE_BYTES);
    for (int i = 0; i < MESSAGE_BYTES; i++) {
      buffer.put(GRH_BYTES + MESSAGE_BYTES + i, expected(i));
    }
    return pd.regMr(buffer, EnumSet.of(AccessFlag.LOCAL_WRITE));
  }

  private static byte expected(int index) {
    return (byte) (7 * index + (index >> 8));
  }

  private static String verdict(CompletionChannel channel, ByteBuffer memory)
      throws UnknownHostException {
    var announced = channel.getCqEvent(TIMEOUT);
    if (announced.isEmpty()) {
      return "nothing arrived within " + TIMEOUT.toSeconds() + " s";
    }
    announced.get().reqNotify(false);
    WorkCompletion completion = announced.get().poll(1).get(0);
    if (!completion.isSuccess() || completion.byteLen() != GRH_BYTES + MESSAGE_BYTES) {
      return "bad completion: " + completion;
    }
    for (int i = 0; i < MESSAGE_BYTES; i++) {
      if (memory.get(GRH_BYTES + i) != expected(i)) {
        return "byte " + i + " is wrong";
      }
    }
    if (channel.getCqEvent(QUIET).isPresent()) {
      return "the message arrived twice";
    }
    return "received " + MESSAGE_BYTES + " bytes to " + destination(memory);
  }

  /** The destination address in the GRH, whose version is in its first byte. */
  private static String destination(ByteBuffer grh) throws UnknownHostException {
    boolean isIpv6 = grh.get(0) >>> 4 == 6;
    byte[] address = new byte[isIpv6 ? 16 : 4];
    grh.get(GRH_BYTES - address.length, address);
    return InetAddress.getByAddress(address).getHostAddress();
  }
}
