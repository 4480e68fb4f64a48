// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The network of a host: packets between its devices pass by reference, all others by another
 * network, such as UDP. That one is opened by the first of them, unless the devices are to be
 * reached by others from the beginning.
 */
public final class HostFabric implements Fabric {
  /** Receive buffer of a socket by default on Linux (net.core.rmem_max). */
  private static final long USUAL_BUFFER_BYTES = 212_992;

  private final InMemoryFabric inside;
  private final Outside outside;
  private @Nullable Fabric outsideFabric;
  private boolean isClosed;

  /**
   * The network to other hosts.
   *
   * @param port UDP port that its datagrams leave from
   * @param bindsAtOnce whether each device is attached there from the beginning, and not with the
   *     first packet that it sends there
   * @param open opens it, with the record of what was lost
   */
  public record Outside(
      int port, boolean bindsAtOnce, Function<LostPackets, ? extends Fabric> open) {}

  /**
   * A network without stations.
   *
   * @param inside between the devices, with packets as objects; its time is that of all
   * @param outside to all other addresses, with packets as bytes
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

  /** {@inheritDoc} What leaves the host is encoded by the link. */
  @Override
  public PacketForm form() {
    return PacketForm.OBJECTS;
  }

  /**
   * {@inheritDoc} It is not called by the thread of the outside network, nor with a lock that the
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
   * The network to other hosts, which is opened if it was not.
   *
   * @throws FabricException if the host lacks what it needs
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

  /** {@inheritDoc} A host that is not attached yet is taken to be like most. */
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
