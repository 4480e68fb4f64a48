// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.ThreadDomain;

/** A thread domain. */
final class NativeThreadDomain extends NativeObject implements ThreadDomain {
  NativeThreadDomain(NativeContext context, long address) {
    super(context, address);
  }

  @Override
  void destroy(long address) {
    context().functions().deallocTd.status(address);
  }
}
