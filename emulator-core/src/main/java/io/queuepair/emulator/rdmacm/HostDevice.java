// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.device.CmMadAgent;
import io.queuepair.emulator.device.HcaDevice;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceAttr;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.XrcDomain;
import io.queuepair.verbs.XrcdInitAttr;
import org.jspecify.annotations.Nullable;

/** Device of a host, opened once for all ids. Guarded by the lock of the host. */
final class HostDevice {
  /** Code of the ACK delay of Linux Soft-RoCE: 134 ms. */
  private static final int LOCAL_CA_ACK_DELAY = 15;

  private final int index;
  private final CmMadAgent agent;
  private @Nullable Context context;
  private @Nullable DeviceAttr attributes;
  private @Nullable ProtectionDomain defaultPd;
  private @Nullable XrcDomain xrcd;
  private boolean isRemoved;

  HostDevice(int index, HcaDevice device, HostDriver driver) {
    this.index = index;
    agent =
        device.registerCm(
            (from, message) -> driver.queue(this, from, message),
            event -> driver.queue(this, event));
  }

  /** Index of the device on the host, from 0. */
  int index() {
    return index;
  }

  CmMadAgent agent() {
    return agent;
  }

  long guid() {
    return agent.device().guid();
  }

  Context context() {
    if (context == null) {
      context = agent.device().open();
      attributes = context.queryDevice();
    }
    return context;
  }

  /** Maximum number of READs and atomics of the peer that a queue pair answers at a time. */
  int maxResponderResources() {
    return limit(DeviceLimit.MAX_QP_RD_ATOM);
  }

  /** Maximum number of READs and atomics that a queue pair has outstanding. */
  int maxInitiatorDepth() {
    return limit(DeviceLimit.MAX_QP_INIT_RD_ATOM);
  }

  private int limit(DeviceLimit limit) {
    context();
    return (int) Math.min(attributes.limit(limit), 0xff);
  }

  /** Code of the longest delay of an acknowledgement, for a REP. */
  int caAckDelay() {
    return LOCAL_CA_ACK_DELAY;
  }

  ProtectionDomain defaultPd() {
    if (defaultPd == null) {
      defaultPd = context().allocPd();
    }
    return defaultPd;
  }

  XrcDomain xrcd() {
    if (xrcd == null) {
      xrcd = context().openXrcd(XrcdInitAttr.PRIVATE);
    }
    return xrcd;
  }

  boolean isRemoved() {
    return isRemoved || agent.isGone();
  }

  void markRemoved() {
    isRemoved = true;
  }

  void close() {
    if (context == null || agent.isGone()) {
      return;
    }
    closeUnlessUsed(defaultPd == null ? null : defaultPd::close);
    closeUnlessUsed(xrcd == null ? null : xrcd::close);
    context.close();
  }

  /** Closes an object, unless the program has left objects open that use it (EBUSY). */
  private static void closeUnlessUsed(@Nullable Runnable close) {
    if (close == null) {
      return;
    }
    try {
      close.run();
    } catch (VerbsException e) {
      assert e.errno() == Errno.EBUSY : e;
    }
  }
}
