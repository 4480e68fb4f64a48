// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.XrcdInitAttr;
import io.queuepair.verbs.XrcdInitAttr.OpenFlag;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The verbs on protection domains, thread domains and XRC domains. */
public final class DomainVerbs {
  private final DeviceProfile profile;

  /** The XRC domains that contexts share, by name. */
  private final Map<String, SharedXrcDomain> shared = new TreeMap<>();

  /** Contexts of the protection domains, by number of the domain. */
  private final Map<Integer, Context> contexts = new TreeMap<>();

  private int nextDomain;

  DomainVerbs(DeviceProfile profile) {
    this.profile = profile;
  }

  /** An XRC domain, and the number of its open handles. */
  public static final class SharedXrcDomain {
    private final int number;
    private final @Nullable String name;
    private int handles;

    private SharedXrcDomain(int number, @Nullable String name) {
      this.number = number;
      this.name = name;
    }

    public int number() {
      return number;
    }
  }

  /** Allocates a protection domain for a context; returns its number. */
  public int alloc(String verb, Context context) {
    CreationRules.checkRoom(verb, profile, DeviceLimit.MAX_PD, contexts.size());
    contexts.put(nextDomain, context);
    return nextDomain++;
  }

  public void free(int number) {
    contexts.remove(number);
  }

  @SuppressWarnings("ReferenceEquality") // A context is equal to itself only.
  boolean areOfOneContext(int domain, int other) {
    return contexts.get(domain) == contexts.get(other);
  }

  public SharedXrcDomain openXrc(String verb, XrcdInitAttr attr) {
    if (!profile.can(DeviceCapFlag.XRC)) {
      throw new VerbsException(
          Errno.EOPNOTSUPP, verb, "extended reliable connections are not offered by this device");
    }
    SharedXrcDomain share = attr.name() == null ? null : shared.get(attr.name());
    if (share != null && attr.oflags().contains(OpenFlag.EXCL)) {
      throw new VerbsException(
          Errno.EINVAL, verb, "the domain " + attr.name() + " exists, which EXCL forbids");
    }
    if (share == null) {
      share = create(verb, attr);
    }
    share.handles++;
    return share;
  }

  private SharedXrcDomain create(String verb, XrcdInitAttr attr) {
    if (!attr.oflags().contains(OpenFlag.CREAT)) {
      throw new VerbsException(
          Errno.EAGAIN, verb, "there is no domain to share, and CREAT is missing to create one");
    }
    SharedXrcDomain domain = new SharedXrcDomain(nextDomain++, attr.name());
    if (attr.name() != null) {
      shared.put(attr.name(), domain);
    }
    return domain;
  }

  public void closeXrc(SharedXrcDomain share) {
    share.handles--;
    if (share.handles == 0 && share.name != null) {
      shared.remove(share.name);
    }
  }
}
