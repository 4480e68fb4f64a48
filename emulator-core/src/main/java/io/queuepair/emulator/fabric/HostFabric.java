// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Network of a host. Packets between its devices pass by reference, all others through another
 * network, such as UDP. The first packet that leaves the host opens the other network, unless other
 * hosts have to reach the devices from the beginning.
 */
public final class HostFabric implements Fabric {
  /** Usual receive buffer of a socket on Linux (net.core.rmem_max). */
  private static final long USUAL_BUFFER_BYTES = 212_992;

  private final InMemoryFabric inside;
  private final Outside outside;
  private @Nullable Fabric outsideFabric;
  private boolean isClosed;

  /**
   * Network to other hosts.
   *
   * @param port UDP source port of its datagrams
   * @param bindsAtOnce whether each device is attached to it from the beginning, and not only with
   *     the first packet that the device sends to another host
   * @param open opens the network with the record of lost packets
   */
  public record Outside(
      int port, boolean bindsAtOnce, Function<LostPackets, ? extends Fabric> open) {}

  /**
   * Creates a network without stations.
   *
   * @param inside network between the devices, with packets as objects; its time is that of all
   *     devices
   * @param outside network to all other addresses, with packets as bytes
   */
  public HostFabric(InMemoryFabric inside, Outside outside) {
    if (inside.form() != PacketForm.OBJECTS) {
      throw new FabricException("The devices of a host exchange packets as objects.", null);
    }
    this.inside = inside;
    this.outside = outside;
  }

  @Override
  public Scheduler scheduler() {
    return inside.scheduler();
  }

  /** {@inheritDoc} The link encodes packets that leave the host. */
  @Override
  public PacketForm form() {
    return PacketForm.OBJECTS;
  }

  /**
   * {@inheritDoc} The caller is not the thread of the outside network, and holds no lock that the
   * station takes.
   */
  @Override
  public Link attach(InetAddress address, Station station) {
    HostLink link = new HostLink(this, inside, address, station);
    if (outside.bindsAtOnce()) {
      try {
        link.bind();
      } catch (FabricException e) {
        link.close();
        throw e;
      }
    }
    return link;
  }

  /**
   * Network to other hosts, opened by the first call.
   *
   * @throws FabricException if the host lacks what the network needs
   */
  synchronized Fabric outside() {
    if (isClosed) {
      throw new FabricException("The network is closed.", null);
    }
    if (outsideFabric == null) {
      outsideFabric = outside.open().apply(lostPackets());
    }
    return outsideFabric;
  }

  @Override
  public int mtuBytes(InetAddress own) {
    return outside.bindsAtOnce()
        ? Math.min(inside.mtuBytes(own), outside().mtuBytes(own))
        : inside.mtuBytes(own);
  }

  @Override
  public int sourcePort() {
    return outside.port();
  }

  /**
   * {@inheritDoc} For another host it is the usual size on Linux, unless devices are attached
   * outside from the beginning.
   */
  @Override
  public long receiveBufferBytes(InetAddress own, InetAddress peer) {
    if (inside.reaches(peer)) {
      return inside.receiveBufferBytes(own);
    }
    return outside.bindsAtOnce() ? outside().receiveBufferBytes(own) : USUAL_BUFFER_BYTES;
  }

  @Override
  public boolean hasRoute(InetAddress source, InetAddress destination) {
    return inside.reaches(destination) || outside().hasRoute(source, destination);
  }

  @Override
  public LostPackets lostPackets() {
    return inside.lostPackets();
  }

  @Override
  public ResponderResources responderResources() {
    return inside.responderResources();
  }

  @Override
  public void close() {
    Fabric other;
    synchronized (this) {
      isClosed = true;
      other = outsideFabric;
    }
    inside.close();
    if (other != null) {
      other.close();
    }
  }
}
