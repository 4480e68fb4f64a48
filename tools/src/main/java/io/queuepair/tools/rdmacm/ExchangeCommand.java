// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.UdpDevice;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.VerbsException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What ucmatose, udaddy and mckey do: open the device, run, and say how it ended. */
abstract class ExchangeCommand implements Callable<Integer> {
  /** What a call of librdmacm returns that fails. */
  private static final int REFUSED = -1;

  private static final int EXIT_CODE_MASK = 0xff;

  @Spec private CommandSpec spec;
  @Mixin private DeviceOptions device = new DeviceOptions();
  @Mixin private MessageOptions messages = new MessageOptions();

  /**
   * Runs the program.
   *
   * @return the exit code: the lowest 8 bits of the status, as of every process
   */
  @Override
  public final Integer call() {
    messages.check(command());
    checkOptions(command());
    try (UdpDevice opened = openDevice()) {
      return call(DeviceOptions.rdmaCm(opened));
    }
  }

  /** Runs the program on a device that is open. */
  final int call(RdmaCm host) {
    int status = statusOf(host);
    say("test complete");
    say("return status " + status);
    return status & EXIT_CODE_MASK;
  }

  private UdpDevice openDevice() {
    InetAddress own = ownAddress() == null ? null : Addresses.resolve(ownAddress());
    boolean isChosen = own != null && !own.isAnyLocalAddress();
    PrintWriter err = command().getErr();
    if (isChosen || peer() == null) {
      return device.openToListen(isChosen ? own : Gid.ZERO.toAddress(), err);
    }
    return device.openToReach(Addresses.resolve(peer()), err);
  }

  private int statusOf(RdmaCm host) {
    try {
      return run(host);
    } catch (VerbsException refused) {
      complain(refused.getMessage());
      return REFUSED;
    } catch (CommandFailure failed) {
      command().getErr().println(failed.getMessage());
      return REFUSED;
    }
  }

  /** Refuses values out of range of the options that this program has. */
  abstract void checkOptions(CommandLine command);

  /** The address that the program binds to, or null. */
  abstract String ownAddress();

  /** The host that the program connects to, or null. */
  abstract String peer();

  /**
   * Runs.
   *
   * @return 0, or the status of the event that ended it
   */
  abstract int run(RdmaCm host);

  final MessageOptions messages() {
    return messages;
  }

  final CommandLine command() {
    return spec.commandLine();
  }

  /** The word that the original begins its own lines with. */
  abstract String prefix();

  final void say(String line) {
    command().getOut().println(line);
  }

  final void complain(String sentence) {
    command().getErr().println(spec.qualifiedName() + ": " + sentence);
  }

  /**
   * Refuses messages that are longer than a packet.
   *
   * @param id bound to the device
   * @return 0 if they are not, otherwise the negative errno
   */
  final int checkSize(RdmaCmId id) {
    int mtuBytes = id.verbs().queryPort(id.portNum()).activeMtu().bytes();
    if (messages.count() == 0 || messages.size <= mtuBytes) {
      return 0;
    }
    say(
        prefix()
            + (": message_size " + messages.size)
            + (" is larger than active mtu " + mtuBytes));
    return -Errno.EINVAL.code();
  }

  /**
   * Reports an event that ends a connection before it began.
   *
   * @return its status
   */
  final int failed(RdmaCmEvent event) {
    say(prefix() + ": event: " + event.event().text() + ", error: " + event.status());
    if (!event.explain().isEmpty()) {
      complain(event.explain());
    }
    return event.status();
  }
}
