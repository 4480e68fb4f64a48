// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.verbs.Errno;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Parses statements about devices. */
final class DeviceFaultParser {
  private final Tokenizer tokenizer;
  private final ValueParser values;

  DeviceFaultParser(Tokenizer tokenizer, ValueParser values) {
    this.tokenizer = tokenizer;
    this.values = values;
  }

  FaultStatement port() {
    tokenizer.advance();
    InetAddress host = values.host();
    expect("down");
    return new DeviceStatement.PortDown(host, values.during());
  }

  FaultStatement kill() {
    tokenizer.advance();
    InetAddress host = values.host();
    expect("at");
    return new DeviceStatement.Kill(host, values.nanos());
  }

  FaultStatement exhaust() {
    tokenizer.advance();
    if (tokenizer.accept(DeviceStatement.ExhaustSpace.NAME)) {
      return new DeviceStatement.ExhaustSpace(hostOf(), values.during());
    }
    for (Resource resource : Resource.values()) {
      if (tokenizer.accept(resource.toString())) {
        return new DeviceStatement.Exhaust(hostOf(), resource, values.during());
      }
    }
    String names =
        Arrays.stream(Resource.values()).map(Resource::toString).collect(Collectors.joining(", "));
    throw tokenizer.unexpected(names + ", " + DeviceStatement.ExhaustSpace.NAME);
  }

  private InetAddress hostOf() {
    expect("of");
    return values.host();
  }

  FaultStatement fail() {
    tokenizer.advance();
    tokenizer.accept("the");
    MatchCount matchCount = values.matchCount();
    tokenizer.accept("of");
    String verb = tokenizer.word();
    if (!FallibleVerbs.have(verb)) {
      throw tokenizer.unexpected("an amount such as 3rd or 1%, or a verb that can fail");
    }
    tokenizer.advance();
    InetAddress host = tokenizer.accept("of") ? values.host() : null;
    expect("with");
    Errno errno = errno();
    return new DeviceStatement.VerbFault(matchCount, verb, host, errno, values.during());
  }

  private Errno errno() {
    for (Errno errno : Errno.values()) {
      if (tokenizer.accept(errno.name().toLowerCase(Locale.ROOT))) {
        return errno;
      }
    }
    throw tokenizer.unexpected(
        Arrays.stream(Errno.values()).map(Errno::name).collect(Collectors.joining(", ")));
  }

  private void expect(String word) {
    if (!tokenizer.accept(word)) {
      throw tokenizer.unexpected(word);
    }
  }
}
