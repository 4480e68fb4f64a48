package io.queuepair.emulator.device;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.qp.OptionalVerbs;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.XrcdInitAttr;
import io.queuepair.verbs.XrcdInitAttr.OpenFlag;
import java.util.Map;
import java.util.TreeMap;

/** The verbs on domains: protection, thread and extended reliable connection. */
final class Domains {
  private final DeviceProfile profile;
  private final Allowance allowance;

  /** The XRC domains that contexts share, by name. */
  private final Map<String, XrcShare> shared = new TreeMap<>();

  /** Which context each protection domain belongs to, by number. */
  private final Map<Integer, EmulatedContext> contexts = new TreeMap<>();

  private int nextDomain;

  Domains(DeviceProfile profile) {
    this.profile = profile;
    allowance = new Allowance(profile);
  }

  /** An XRC domain, and how many handles of it are open. */
  static final class XrcShare {
    private final int number;
    private final String name;
    private int handles;

    private XrcShare(int number, String name) {
      this.number = number;
      this.name = name;
    }

    int number() {
      return number;
    }
  }

  /** Takes one of the protection domains for a context; returns its number. */
  int alloc(EmulatedContext context) {
    allowance.check("ibv_alloc_pd", DeviceLimit.MAX_PD, contexts.size());
    contexts.put(nextDomain, context);
    return nextDomain++;
  }

  void free(int number) {
    contexts.remove(number);
  }

  /** Whether two protection domains belong to one context. */
  @SuppressWarnings("ReferenceEquality") // A context is equal to itself only.
  boolean areOfOneContext(int domain, int other) {
    return contexts.get(domain) == contexts.get(other);
  }

  /** Thread domains and parent domains are nothing to the adapter but a promise. */
  void checkPromise(String verb) {
    OptionalVerbs.check(verb, profile);
  }

  XrcShare openXrc(XrcdInitAttr attr) {
    String verb = "ibv_open_xrcd";
    if (!profile.can(DeviceCapFlag.XRC)) {
      throw new VerbsException(
          Errno.EOPNOTSUPP, verb, "extended reliable connections are not offered by this device");
    }
    XrcShare share = attr.name() == null ? null : shared.get(attr.name());
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

  private XrcShare create(String verb, XrcdInitAttr attr) {
    if (!attr.oflags().contains(OpenFlag.CREAT)) {
      throw new VerbsException(
          Errno.EAGAIN, verb, "there is no domain to share, and CREAT is missing to create one");
    }
    XrcShare created = new XrcShare(nextDomain++, attr.name());
    if (attr.name() != null) {
      shared.put(attr.name(), created);
    }
    return created;
  }

  void closeXrc(XrcShare share) {
    share.handles--;
    if (share.handles == 0 && share.name != null) {
      shared.remove(share.name);
    }
  }
}
