// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.ForwardingLink;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.lab.simulation.Violation;
import io.queuepair.verbs.Gid;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A network on which the fuzzer reaches each device at once, and sees what devices send. */
final class FuzzFabric extends ForwardingFabric {
  /** Address of the fuzzer, which plays a peer. Over IPv6 the ICRC covers nothing invisible. */
  static final InetAddress PEER = address(2);

  private static final int MAX_EVENTS = 100_000;

  private final Map<InetAddress, Station> stations = new HashMap<>();
  private final Consumer<DatagramBurst> observer;

  /** Creates a network; datagrams are lent to the observer for the time of the call. */
  FuzzFabric(Consumer<DatagramBurst> observer) {
    super(
        InMemoryFabric.create(
            InMemoryOptions.virtualTime().withWireExact(true).withPollRunsEvents(false)));
    this.observer = observer;
    super.attach(PEER, new SilentStation());
  }

  static InetAddress address(int last) {
    return new Gid(0xfd00_0000_0000_0000L, last).toAddress();
  }

  /** Hands traffic to the device with that address. */
  void fire(InetAddress address, List<? extends Traffic> traffic) {
    stations.get(address).receive(traffic);
  }

  /** Lets time go by. */
  void pass(long nanos) {
    Scheduler scheduler = scheduler();
    long endNanos = scheduler.nowNanos() + nanos;
    scheduler.timer(() -> {}).arm(endNanos);
    for (int events = 0; scheduler.nowNanos() - endNanos < 0; events++) {
      scheduler.runNext();
      Violation.unless(events < MAX_EVENTS, "the network does not come to rest");
    }
  }

  @Override
  public Link attach(InetAddress address, Station station) {
    stations.put(address, station);
    return new ForwardingLink(super.attach(address, station)) {
      @Override
      public void send(Traffic traffic, String note) {
        if (traffic instanceof DatagramBurst burst && burst.bytes().hasRemaining()) {
          observer.accept(burst);
        }
        super.send(traffic, note);
      }
    };
  }

  /** Takes nothing and sends nothing: all traffic to the peer was seen when it was sent. */
  private static final class SilentStation implements Station {
    @Override
    public void receive(List<? extends Traffic> traffic) {}

    @Override
    public void transmit() {}
  }
}
