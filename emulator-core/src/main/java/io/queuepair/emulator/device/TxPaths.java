// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Link;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The transmit paths of a device, one for each address. The first one is never removed. */
final class TxPaths {
  /** Paths in order of addition. The list is replaced, never changed: readers need no lock. */
  private volatile List<TxPath> txPaths;

  TxPaths(List<TxPath> txPaths) {
    this.txPaths = List.copyOf(txPaths);
  }

  TxPath first() {
    return txPaths.get(0);
  }

  /** Path of an address; null if the device does not have it. */
  @Nullable TxPath of(InetAddress address) {
    List<TxPath> paths = txPaths;
    for (int i = 0; i < paths.size(); i++) {
      if (paths.get(i).address().equals(address)) {
        return paths.get(i);
      }
    }
    return null;
  }

  /** Replaces the links; only between transmit loops of the driver. */
  void replaceLinks(BiFunction<InetAddress, Link, Link> replacement) {
    List<TxPath> newPaths = new ArrayList<>();
    for (TxPath txPath : txPaths) {
      newPaths.add(txPath.by(replacement.apply(txPath.address(), txPath.link())));
    }
    txPaths = List.copyOf(newPaths);
  }

  void add(TxPath txPath) {
    List<TxPath> newPaths = new ArrayList<>(txPaths);
    newPaths.add(txPath);
    txPaths = List.copyOf(newPaths);
  }

  void remove(@Nullable TxPath txPath) {
    List<TxPath> newPaths = new ArrayList<>(txPaths);
    newPaths.remove(txPath);
    txPaths = List.copyOf(newPaths);
  }

  /** Link that joins a group: one of the same IP version, not all, as the device needs one copy. */
  Link linkOfFamily(InetAddress group) {
    for (TxPath txPath : txPaths) {
      if (txPath.address().getClass() == group.getClass()) {
        return txPath.link();
      }
    }
    throw new FabricException(
        "No address of the device is of the family of the group " + group.getHostAddress() + ".",
        null);
  }

  /** Whether packets may leave right away, without {@link #ringDoorbell}. */
  boolean allowInlineTransmit() {
    List<TxPath> paths = txPaths;
    for (int i = 0; i < paths.size(); i++) {
      if (!paths.get(i).allowsInlineTransmit()) {
        return false;
      }
    }
    return true;
  }

  void ringDoorbell() {
    List<TxPath> paths = txPaths;
    for (int i = 0; i < paths.size(); i++) {
      paths.get(i).link().ringDoorbell();
    }
  }

  boolean areWritable() {
    List<TxPath> paths = txPaths;
    for (int i = 0; i < paths.size(); i++) {
      if (!paths.get(i).link().isWritable()) {
        return false;
      }
    }
    return true;
  }

  boolean haveRoom() {
    List<TxPath> paths = txPaths;
    for (int i = 0; i < paths.size(); i++) {
      if (!paths.get(i).link().hasRoom()) {
        return false;
      }
    }
    return true;
  }

  /** Lets packets in flight copy their payload, as memory goes back to the application. */
  void ownPayloads() {
    List<TxPath> paths = txPaths;
    for (int i = 0; i < paths.size(); i++) {
      paths.get(i).link().ownPayloads();
    }
  }

  /** Sends the packets gathered so far; called at the end of each transmit loop of the driver. */
  void endTurn() {
    List<TxPath> paths = txPaths;
    for (int i = 0; i < paths.size(); i++) {
      paths.get(i).endTurn();
    }
  }

  void close() {
    for (TxPath txPath : txPaths) {
      txPath.link().close();
    }
  }
}
