// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.tools.cli.CommandFailure;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Names and addresses on command lines. */
final class Addresses {
  private Addresses() {}

  static InetAddress resolve(String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException unknown) {
      throw new CommandFailure("invalid hostname or IP address " + host, unknown);
    }
  }
}
