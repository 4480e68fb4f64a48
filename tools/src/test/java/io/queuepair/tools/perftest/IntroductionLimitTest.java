// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tools.cli.TimeLimit;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.Mtu;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A peer has one limit for all that it says of itself, so a slow one cannot hold the other. */
final class IntroductionLimitTest {
  private final EchoLink link = new EchoLink();
  private final TimeLimit limit = TimeLimit.fromNow(Duration.ofHours(1));
  private final ControlChannel channel = new ControlChannel(link, false, limit);

  /** A peer that repeats each message, and remembers its limits. */
  private static final class EchoLink implements ControlLink {
    private final List<TimeLimit> limits = new ArrayList<>();
    private byte[] latest;

    @Override
    public void send(byte[] message, String trouble) {
      latest = message;
    }

    @Override
    public byte[] read(int length, TimeLimit given, String trouble) {
      limits.add(given);
      return latest;
    }

    @Override
    public byte[] encode(PeerQp qp) {
      return qp.toMessage();
    }

    @Override
    public PeerQp decode(byte[] message) {
      return PeerQp.ofMessage(message);
    }

    @Override
    public void finish(String trouble) {}
  }

  @Test
  void parametersAndAddressesShareOneLimit() throws UnknownHostException {
    Gid gid = Gid.of(InetAddress.getByName("192.0.2.2"));
    PeerQp qp = new PeerQp(16, 0x11, 5, 0x101, 0x1000, gid, 0);

    channel.agree(NegotiatedParameters.proposal(Mtu.MTU_1024));
    assertThat(channel.exchange(List.of(qp, qp))).containsExactly(qp, qp);

    assertThat(link.limits).hasSize(6).containsOnly(limit);
  }
}
