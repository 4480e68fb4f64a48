// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.unix.Errors;
import io.queuepair.emulator.fabric.AddressInUseException;
import io.queuepair.emulator.fabric.FabricException;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;

/** Messages for sockets that could not be bound. */
final class BindErrors {
  // Errnos of Linux, negative as Netty returns them.
  private static final int EACCES_NEGATIVE = -13;
  private static final int EADDRINUSE_NEGATIVE = -98;

  private BindErrors() {}

  static FabricException noSocket(InetAddress address, Exception cause) {
    return new FabricException(
        "No UDP socket could be made for "
            + address.getHostAddress()
            + ": "
            + SocketErrors.reasonOf(cause),
        cause);
  }

  static FabricException busy(InetAddress address) {
    return new FabricException(
        "The network's thread is busy: it did not open the socket of "
            + address.getHostAddress()
            + " in time",
        null);
  }

  static FabricException of(InetAddress address, int port, Throwable cause) {
    String host = address.getHostAddress();
    // Computed first: without a free file descriptor, classes that it needs cannot be loaded later.
    String reason = SocketErrors.reasonOf(cause);
    if (!isLocal(address)) {
      return new FabricException(host + " is not an address of this host", cause);
    }
    String socket = "UDP port " + port + " on " + host;
    if (isOfKind(cause, EADDRINUSE_NEGATIVE, "in use")) {
      return new AddressInUseException(
          socket + " is already in use: by another device, another program or Linux Soft-RoCE",
          cause);
    }
    if (isOfKind(cause, EACCES_NEGATIVE, "denied")) {
      return new FabricException(socket + " is not allowed to this user", cause);
    }
    return new FabricException(socket + " cannot be bound: " + reason, cause);
  }

  /** Binds a probe socket, as Linux owns addresses that no interface lists, such as 127.0.0.2. */
  private static boolean isLocal(InetAddress address) {
    var family =
        address instanceof Inet6Address
            ? StandardProtocolFamily.INET6
            : StandardProtocolFamily.INET;
    try (DatagramChannel probe = DatagramChannel.open(family)) {
      probe.bind(new InetSocketAddress(address, 0));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isOfKind(Throwable cause, int errnoNegative, String words) {
    if (cause instanceof Errors.NativeIoException error) {
      return error.expectedErr() == errnoNegative;
    }
    return String.valueOf(cause.getMessage()).contains(words);
  }
}
