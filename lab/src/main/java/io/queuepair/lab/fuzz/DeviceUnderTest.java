// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.WorkCompletion;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** The device under fire: its memory, its queue pairs under test, and what they complete. */
final class DeviceUnderTest {
  /** Far more than all queue pairs under test can have posted. */
  private static final int CQE = 4_096;

  private static final int BATCH = 64;

  private final Device device;
  private final Context context;
  private final ProtectionDomain pd;
  private final ProtectionDomain foreignPd;
  private final CompletionQueue sendCq;
  private final CompletionQueue recvCq;
  private final GuardedMemory guardedMemory;
  private final Windows windows;
  private final QpsUnderTest subjects;
  private final Map<Integer, PostedWork> works = new TreeMap<>();
  private final WorkCompletion[] batch = new WorkCompletion[BATCH];

  /**
   * Prepares a device for being fired at.
   *
   * @param phantom the peer of all queue pairs under test
   */
  DeviceUnderTest(Device device, Gid phantom, Random random, RegionFactory regionFactory) {
    this.device = device;
    context = device.open();
    pd = context.allocPd();
    foreignPd = context.allocPd();
    sendCq = context.createCq(CQE);
    recvCq = context.createCq(CQE);
    guardedMemory = new GuardedMemory(pd, foreignPd, regionFactory);
    windows = new Windows(pd, guardedMemory.windowed());
    subjects = new QpsUnderTest(this, phantom, random);
  }

  Device device() {
    return device;
  }

  Context context() {
    return context;
  }

  ProtectionDomain pd() {
    return pd;
  }

  CompletionQueue sendCq() {
    return sendCq;
  }

  CompletionQueue recvCq() {
    return recvCq;
  }

  GuardedMemory guardedMemory() {
    return guardedMemory;
  }

  Windows windows() {
    return windows;
  }

  List<QpUnderTest> subjects() {
    return subjects.all();
  }

  QpsUnderTest roles() {
    return subjects;
  }

  void add(int qpNum, PostedWork work) {
    works.put(qpNum, work);
  }

  /** Takes all completions; those of receives make room for others. */
  void poll() {
    for (int count = sendCq.poll(batch); count > 0; count = sendCq.poll(batch)) {
      for (int i = 0; i < count; i++) {
        works.get(batch[i].qpNum()).sends().completed();
      }
    }
    for (int count = recvCq.poll(batch); count > 0; count = recvCq.poll(batch)) {
      for (int i = 0; i < count; i++) {
        works.get(batch[i].qpNum()).receives().completed(batch[i]);
      }
    }
  }
}
