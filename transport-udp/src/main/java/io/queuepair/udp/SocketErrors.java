// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.unix.Errors;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsConstant;
import java.net.InetAddress;
import java.util.List;

/** Explains errors of the kernel to readers who do not know Netty. */
final class SocketErrors {
  /** Texts of the system for EINVAL, ENETUNREACH and EHOSTUNREACH. */
  private static final List<String> UNREACHABLE =
      List.of("Invalid argument", "Network is unreachable", "No route to host");

  private SocketErrors() {}

  /** Name and text of the errno, or the message of an exception without one. */
  static String reasonOf(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    if (!(cause instanceof Errors.NativeIoException error)) {
      return message;
    }
    int code = -error.expectedErr();
    String name =
        VerbsConstant.of(Errno.class, code).map(Errno::name).orElseGet(() -> "errno " + code);
    return name + " (" + message.substring(message.lastIndexOf(": ") + 2) + ")";
  }

  /** Explains why a datagram was not sent. Linux gives EINVAL for a loopback address as source. */
  static String ofSend(InetAddress source, InetAddress destination, Throwable cause) {
    String reason = reasonOf(cause);
    boolean isUnreachable = UNREACHABLE.stream().anyMatch(reason::contains);
    return "not sent by "
        + source.getHostAddress()
        + " to "
        + destination.getHostAddress()
        + ": "
        + reason
        + (isUnreachable ? ", as this host has no route from the one to the other" : "");
  }
}
