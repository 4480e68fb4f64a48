// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.unix.Errors;
import java.net.InetAddress;
import java.nio.channels.ClosedChannelException;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs unsent datagrams: the first error of a kind at WARN, others at DEBUG. */
final class SendErrorLog {
  private static final Logger LOG = LoggerFactory.getLogger(SendErrorLog.class);
  private static final int KINDS_SAID = 32;

  // Errnos of Linux, negative as Netty returns them.
  private static final int EIO_NEGATIVE = -5;
  private static final int EMSGSIZE_NEGATIVE = -90;

  private final Set<String> kinds = new HashSet<>();

  void report(InetAddress address, BurstBuffer buffer, Throwable cause) {
    if (cause instanceof ClosedChannelException) {
      LOG.debug("{} is closed; what it had not sent is lost", address.getHostAddress());
      return;
    }
    String kind = SocketErrors.reasonOf(cause);
    if (kinds.size() < KINDS_SAID && kinds.add(kind)) {
      LOG.warn(
          "{}: {} datagrams of {} bytes were not sent and are lost: {}{} (said once)",
          address.getHostAddress(),
          buffer.segments(),
          buffer.segmentBytes(),
          kind,
          advice(cause));
    } else {
      LOG.debug("{}: {} datagrams not sent", address.getHostAddress(), buffer.segments(), cause);
    }
  }

  /** Advice for the log. The kernel learns the path MTU from ICMP messages of routers. */
  static String advice(Throwable cause) {
    boolean isTooLong =
        cause instanceof Errors.NativeIoException error
            ? error.expectedErr() == EMSGSIZE_NEGATIVE
            : String.valueOf(cause.getMessage()).contains("Message too long");
    return isTooLong ? "; a link on the way carries less: use a smaller path MTU" : "";
  }

  /**
   * Whether an error shows that the interface cannot cut a burst into datagrams: EIO. EINVAL does
   * not: an unreachable destination gives it, too.
   */
  static boolean showsMissingOffload(Throwable cause) {
    return cause instanceof Errors.NativeIoException error && error.expectedErr() == EIO_NEGATIVE;
  }
}
