package io.queuepair.emulator.faults;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Hosts cannot reach others for a while.
 *
 * @param others whom they cannot reach; empty for all others
 */
record Partition(List<InetAddress> hosts, List<InetAddress> others, Condition.During during)
    implements PacketStatement {
  public Partition {
    hosts = List.copyOf(hosts);
    others = List.copyOf(others);
  }

  @Override
  public Effect effect() {
    return new Effect.Drop();
  }

  @Override
  public boolean matches(Passing passing) {
    return during.holds(passing)
        && (separates(passing.source(), passing.destination())
            || separates(passing.destination(), passing.source()));
  }

  private boolean separates(InetAddress one, InetAddress other) {
    boolean isBeyond = others.isEmpty() ? !hosts.contains(other) : others.contains(other);
    return hosts.contains(one) && isBeyond;
  }

  private static String words(List<InetAddress> list) {
    return list.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    String from = others.isEmpty() ? "" : " from " + words(others);
    return "partition " + words(hosts) + from + " " + during;
  }
}
