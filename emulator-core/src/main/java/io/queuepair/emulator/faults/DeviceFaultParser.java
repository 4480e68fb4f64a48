// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.verbs.Errno;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Parses statements about devices. */
final class DeviceFaultParser {
  private final Tokenizer tokens;
  private final ValueParser values;

  DeviceFaultParser(Tokenizer tokens, ValueParser values) {
    this.tokens = tokens;
    this.values = values;
  }

  FaultStatement port() {
    tokens.advance();
    InetAddress host = values.host();
    expect("down");
    return new DeviceStatement.PortDown(host, values.during());
  }

  FaultStatement kill() {
    tokens.advance();
    InetAddress host = values.host();
    expect("at");
    return new DeviceStatement.Kill(host, values.nanos());
  }

  FaultStatement exhaust() {
    tokens.advance();
    if (tokens.accept(DeviceStatement.ExhaustSpace.NAME)) {
      return new DeviceStatement.ExhaustSpace(hostOf(), values.during());
    }
    for (Resource resource : Resource.values()) {
      if (tokens.accept(resource.toString())) {
        return new DeviceStatement.Exhaust(hostOf(), resource, values.during());
      }
    }
    String names =
        Arrays.stream(Resource.values()).map(Resource::toString).collect(Collectors.joining(", "));
    throw tokens.unexpected(names + ", " + DeviceStatement.ExhaustSpace.NAME);
  }

  private InetAddress hostOf() {
    expect("of");
    return values.host();
  }

  FaultStatement fail() {
    tokens.advance();
    tokens.accept("the");
    MatchCount amount = values.amount();
    tokens.accept("of");
    String verb = tokens.word();
    if (!FallibleVerbs.have(verb)) {
      throw tokens.unexpected("an amount such as 3rd or 1%, or a verb that can fail");
    }
    tokens.advance();
    InetAddress host = tokens.accept("of") ? values.host() : null;
    expect("with");
    Errno errno = errno();
    return new DeviceStatement.VerbFault(amount, verb, host, errno, values.during());
  }

  private Errno errno() {
    for (Errno errno : Errno.values()) {
      if (tokens.accept(errno.name().toLowerCase(Locale.ROOT))) {
        return errno;
      }
    }
    throw tokens.unexpected(
        Arrays.stream(Errno.values()).map(Errno::name).collect(Collectors.joining(", ")));
  }

  private void expect(String word) {
    if (!tokens.accept(word)) {
      throw tokens.unexpected(word);
    }
  }
}
