// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.verbs.Errno;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** A statement about a device: its ports, its resources, its verbs. */
sealed interface DeviceStatement extends FaultStatement {
  /** The address of the device; null for every device. */
  @Nullable InetAddress host();

  /** A port is down for a while. */
  record PortDown(InetAddress host, Condition.During during) implements DeviceStatement {
    @Override
    public String toString() {
      return "port " + host.getHostAddress() + " down " + during;
    }
  }

  /** A device fails. */
  record Kill(InetAddress host, long atNanos) implements DeviceStatement {
    @Override
    public String toString() {
      return "kill " + host.getHostAddress() + " at " + DurationFormat.text(atNanos);
    }
  }

  /** Completion queues have no room. */
  record ExhaustSpace(InetAddress host, Condition.During during) implements DeviceStatement {
    static final String NAME = "cq_space";

    @Override
    public String toString() {
      return "exhaust " + NAME + " of " + host.getHostAddress() + " " + during;
    }
  }

  /** Calls of verbs are refused. */
  sealed interface Refusing extends DeviceStatement {
    boolean isAbout(String verb);

    MatchCount matchCount();

    Errno errno();

    Condition.During during();
  }

  /** No more of a kind of objects can be created. */
  record Exhaust(InetAddress host, Resource resource, Condition.During during) implements Refusing {
    @Override
    public boolean isAbout(String verb) {
      return resource.verbs().contains(verb);
    }

    @Override
    public MatchCount matchCount() {
      return new MatchCount.All();
    }

    /** ENOMEM, as at each limit of a device. */
    @Override
    public Errno errno() {
      return Errno.ENOMEM;
    }

    @Override
    public String toString() {
      return "exhaust " + resource + " of " + host.getHostAddress() + " " + during;
    }
  }

  /** A verb fails. */
  record VerbFault(
      MatchCount matchCount,
      String verb,
      @Nullable InetAddress host,
      Errno errno,
      Condition.During during)
      implements Refusing {
    @Override
    public boolean isAbout(String called) {
      return verb.equals(called);
    }

    @Override
    public String toString() {
      String count = matchCount + (matchCount.toString().isEmpty() ? "" : " ");
      String of = host == null ? "" : " of " + host.getHostAddress();
      String time = during.isAlways() ? "" : " " + during;
      return "fail " + count + verb + of + " with " + errno + time;
    }
  }
}
