// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** With which number a verb is refused. */
public final class Errnos {
  private Errnos() {}

  /** The number, or null if the verb succeeds. */
  public static Errno of(ThrowingCallable verb) {
    VerbsException refusal = catchThrowableOfType(VerbsException.class, verb);
    return refusal == null ? null : refusal.errno();
  }

  public static void assertEinval(ThrowingCallable verb) {
    assertRefused(Errno.EINVAL, verb);
  }

  public static void assertRefused(Errno errno, ThrowingCallable verb) {
    assertThat(of(verb)).isEqualTo(errno);
  }

  /** Refused with a number, and a message that has the reason in it. */
  public static void assertRefused(Errno errno, String reason, ThrowingCallable verb) {
    VerbsException refusal = catchThrowableOfType(VerbsException.class, verb);
    assertThat(refusal).hasMessageContaining(reason);
    assertThat(refusal.errno()).isEqualTo(errno);
  }
}
