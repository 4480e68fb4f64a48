// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.run;

import io.queuepair.tools.cli.IpAddressConverter;
import picocli.CommandLine.ITypeConverter;

/** Converts the comma-separated addresses of one device. */
final class AddressesConverter implements ITypeConverter<String> {
  @Override
  public String convert(String text) {
    for (String address : text.split(",", -1)) {
      new IpAddressConverter().convert(address);
    }
    return text;
  }
}
