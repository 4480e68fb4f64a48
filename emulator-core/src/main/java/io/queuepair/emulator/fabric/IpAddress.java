package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Reads IP addresses, and never asks a name server. */
public final class IpAddress {
  private IpAddress() {}

  /**
   * The address of a text.
   *
   * @param text an IPv4 or IPv6 address, maybe with a scope
   * @return the address
   * @throws IllegalArgumentException if it is not an IP address
   */
  public static InetAddress parse(String text) {
    // Host names would be looked up on the network; addresses start with a digit or hold a colon.
    if (!text.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(%.+)?")) {
      throw new IllegalArgumentException(text + " is not an IP address");
    }
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException malformed) {
      throw new IllegalArgumentException(text + " is not an IP address", malformed);
    }
  }
}
