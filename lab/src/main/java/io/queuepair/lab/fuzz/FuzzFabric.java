// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.ForwardingLink;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The network of the device under fire: the fuzzer reaches each station at once, and sees what is
 * sent to the simulated peer.
 */
final class FuzzFabric extends ForwardingFabric {
  /** What captures say of packets that do not cross the network. */
  private static final String FIRED = "fired at the device";

  private static final String ANSWERED = "to the simulated peer";

  private final InetAddress simulatedPeer;
  private final Map<InetAddress, Station> stations = new LinkedHashMap<>();
  private Consumer<ByteBuffer> output = bytes -> {};
  private Consumer<DatagramBurst> others = burst -> {};

  /**
   * Taps a network.
   *
   * @param phantom address of the simulated peer
   */
  FuzzFabric(Fabric fabric, InetAddress phantom) {
    super(fabric);
    this.simulatedPeer = phantom;
    fabric.attach(phantom, new SilentStation());
  }

  /** Takes all datagrams to the phantom from now on, lent for the time of the call. */
  void outputTo(Consumer<ByteBuffer> newOutput) {
    output = newOutput;
  }

  /** Lets all other datagrams be seen from now on, lent for the time of the call. */
  void othersTo(Consumer<DatagramBurst> newOthers) {
    others = newOthers;
  }

  /** Hands traffic to the device with that address. */
  void fire(InetAddress address, List<Traffic> traffic) {
    inner().handOver(address, stations.get(address), traffic, FIRED);
  }

  @Override
  public Link attach(InetAddress address, Station station) {
    Link link = super.attach(address, station);
    stations.put(address, station);
    return new ForwardingLink(link) {
      @Override
      public void send(Traffic traffic, String note) {
        if (traffic instanceof DatagramBurst burst && burst.destination().equals(simulatedPeer)) {
          annotate(NoteSubject.LOST, burst, 0, ANSWERED);
          output.accept(burst.bytes());
          // Without bytes it only gives its buffer back.
          ByteBuffer empty = burst.bytes().position(burst.bytes().limit());
          super.send(
              new DatagramBurst(
                  burst.source(),
                  burst.sourcePort(),
                  burst.destination(),
                  empty,
                  burst.segmentBytes()),
              note);
        } else {
          if (traffic instanceof DatagramBurst burst) {
            others.accept(burst);
          }
          super.send(traffic, note);
        }
      }
    };
  }

  /** Takes nothing and sends nothing. */
  private static final class SilentStation implements Station {
    @Override
    public void receive(List<? extends Traffic> traffic) {
      // Everything to the phantom was seen when it was sent.
    }

    @Override
    public void transmit() {
      // There is nothing to send.
    }
  }
}
