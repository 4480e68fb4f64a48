package io.queuepair.emulator.faults;

import java.net.InetAddress;
import java.util.List;

/** What a host sends, and what is sent to it, waits for a while; nothing is lost. */
record Pause(InetAddress host, Condition.During during) implements PacketStatement {
  @Override
  public Effect effect() {
    return new Effect.Wait(during.endNanos());
  }

  @Override
  public boolean matches(Passing passing) {
    return during.holds(passing)
        && (host.equals(passing.source()) || host.equals(passing.destination()));
  }

  @Override
  public List<InetAddress> hosts() {
    return List.of(host);
  }

  @Override
  public long longestDelayNanos() {
    return during.forNanos();
  }

  @Override
  public String toString() {
    return "pause " + host.getHostAddress() + " " + during;
  }
}
