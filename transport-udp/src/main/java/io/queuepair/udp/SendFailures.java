package io.queuepair.udp;

import io.netty.channel.unix.Errors;
import java.net.InetAddress;
import java.nio.channels.ClosedChannelException;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says what the kernel did not send: the first of a kind aloud, the others for those who ask. */
final class SendFailures {
  private static final Logger LOG = LoggerFactory.getLogger(SendFailures.class);
  private static final int KINDS_SAID = 32;

  /** As {@code <asm-generic/errno-base.h>} numbers it and Netty returns it. */
  private static final int EIO_NEGATIVE = -5;

  private final Set<String> kinds = new HashSet<>();

  void report(InetAddress address, BurstBuffer buffer, Throwable cause) {
    if (cause instanceof ClosedChannelException) {
      LOG.debug("{} is closed; what it had not sent is lost", address.getHostAddress());
      return;
    }
    String kind = String.valueOf(cause.getMessage());
    if (kinds.size() < KINDS_SAID && kinds.add(kind)) {
      LOG.warn(
          "{}: {} datagrams of {} bytes were not sent and are lost: {} (said once)",
          address.getHostAddress(),
          buffer.segments(),
          buffer.segmentBytes(),
          kind);
    } else {
      LOG.debug("{}: {} datagrams not sent", address.getHostAddress(), buffer.segments(), cause);
    }
  }

  /**
   * Whether an interface says by this that it cannot cut a burst into datagrams. EINVAL does not
   * say so: a destination that cannot be reached from the address bound gives it too.
   */
  static boolean showsMissingOffload(Throwable cause) {
    return cause instanceof Errors.NativeIoException error && error.expectedErr() == EIO_NEGATIVE;
  }
}
