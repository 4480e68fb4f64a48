// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.ThreadDomain;
import io.queuepair.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates parent domains. */
final class ParentDomainFactory {
  private final OwningContext context;
  private final Step step;

  ParentDomainFactory(OwningContext context, Step step) {
    this.context = context;
    this.step = step;
  }

  ProtectionDomain make(ProtectionDomain pd, @Nullable ThreadDomain td) {
    if (pd == null || pd.context() != context || (td != null && td.context() != context)) {
      throw refusal("the domains must be of this context, and a protection domain must be there");
    }
    EmulatedProtectionDomain real = (EmulatedProtectionDomain) pd;
    if (real.isParent()) {
      throw refusal("a parent domain cannot stand for another parent domain");
    }
    List<ObjectLifecycle> needs = new ArrayList<>(List.of(real.lifecycle()));
    EmulatedThreadDomain thread = (EmulatedThreadDomain) td;
    if (thread != null) {
      needs.add(thread.lifecycle());
    }
    step.hca().domains().checkPromise(step.verb());
    needs.forEach(step::check);
    needs.forEach(ObjectLifecycle::addUser);
    return context.adopt(step, new EmulatedProtectionDomain(real, thread, needs));
  }

  private VerbsException refusal(String message) {
    return step.refusal(Errno.EINVAL, message);
  }
}
