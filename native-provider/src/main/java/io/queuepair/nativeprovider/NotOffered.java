// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;

/** Verbs that this provider does not pass on. */
final class NotOffered {
  private NotOffered() {}

  static VerbsException refusal(String verb) {
    return new VerbsException(Errno.EOPNOTSUPP, verb, "the native provider does not offer it");
  }
}
