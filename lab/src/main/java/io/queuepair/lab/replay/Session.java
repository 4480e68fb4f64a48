// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.tools.recording.CallResults;
import io.queuepair.tools.recording.MissingObjectException;
import io.queuepair.tools.recording.Op;
import io.queuepair.tools.recording.RecordedArgs;
import io.queuepair.tools.recording.RecordedDevice;
import io.queuepair.tools.recording.Symbols;
import io.queuepair.tools.recording.UnmappedValueException;
import io.queuepair.tools.recording.VerbCalls;
import io.queuepair.tools.recording.VirtualClock;
import io.queuepair.tools.recording.WrongCallException;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Run of one scenario: the recorded devices on an Ethernet of MTU 1500, in virtual time. */
final class Session implements AutoCloseable {
  private static final int ETHERNET_MTU = 1_500;

  /** Approximate duration of a call of the recording program, for which the network runs. */
  private static final long NANOS_PER_CALL = 200_000;

  /** Last byte of the addresses of machine A. */
  static final int ID_OF_A = 5;

  private static final int ID_OF_B = 6;

  /** Result of a call whose arguments the API cannot express, unless EINVAL was recorded. */
  static final String INEXPRESSIBLE = "inexpressible";

  private static final int GIDS = 3;
  private static final int NUMBERS_APART = 32;

  /** Address of a machine of the network without an RDMA device. */
  private static final String OTHER_HOST = "192.0.2.1";

  private static final Map<String, Op> VERBS = VerbCalls.all();

  /** Operations by name, for each side. */
  private static final Map<String, Map<String, Op>> OPS =
      Map.of(
          "A", VERBS, "B", VERBS, PyverbsOps.SIDE, PyverbsOps.all(), LinkOps.SIDE, LinkOps.all());

  private final Symbols symbols = new Symbols();
  private final Map<String, RecordedDevice> sides = new LinkedHashMap<>();
  private final Emulator emulator;
  private final VirtualClock clock;
  private final Device a;

  private Session(String mode, DeviceProfile profile, UnaryOperator<Fabric> fabricWrapper) {
    InMemoryOptions options =
        InMemoryOptions.virtualTime().withMtuBytes(ETHERNET_MTU).withPollRunsEvents(false);
    Fabric fabric = fabricWrapper.apply(InMemoryFabric.create(options));
    emulator = Emulator.on(fabric);
    clock = new VirtualClock(fabric.scheduler());
    a = emulator.addDevice(profile, addresses(ID_OF_A));
    Device b =
        switch (mode) {
          case "loopback" -> a;
          case "wire" -> withOtherNumbers(emulator.addDevice(profile, addresses(ID_OF_B)));
          default -> throw new WrongCallException("mode '" + mode + "' is not known");
        };
    emulator.addDevice(profile, OTHER_HOST);
    addSide("A", a);
    addSide("B", b);
  }

  /** Uses up some queue pair numbers of a device, so that no number is used by both devices. */
  private static Device withOtherNumbers(Device device) {
    try (Context context = device.open()) {
      ProtectionDomain pd = context.allocPd();
      CompletionQueue cq = context.createCq(1);
      for (int i = 0; i < NUMBERS_APART; i++) {
        pd.createQp(QpInitAttr.rc(cq, QpCap.of(1)));
      }
    }
    return device;
  }

  /** Addresses of the recorded GID table: link-local, IPv4, IPv6. */
  private static String[] addresses(int id) {
    return new String[] {"fe80::5054:ff:fe00:" + id, "192.0.2." + id, "fd00:99::" + id};
  }

  private void addSide(String name, Device device) {
    RecordedDevice side = new RecordedDevice(name, device.open(), symbols, clock);
    sides.put(name, side);
    for (int index = 0; index < GIDS; index++) {
      Gid gid = side.context().queryGid(1, index);
      symbols.define("$" + name + ".gid" + index, gid);
    }
  }

  /** Runs a scenario and returns the result of each step. */
  static List<ObjectNode> run(
      Scenario scenario, DeviceProfile profile, UnaryOperator<Fabric> fabricWrapper) {
    for (Step step : scenario.steps()) {
      checkKnown(step);
    }
    List<ObjectNode> answers = new ArrayList<>();
    try (Session session = new Session(scenario.mode(), profile, fabricWrapper)) {
      for (Step step : scenario.steps()) {
        answers.add(session.run(step));
      }
    }
    return answers;
  }

  private static void checkKnown(Step step) {
    boolean isPause = step.op().equals("sleep") || step.op().equals("finish");
    if (!isPause && !OPS.containsKey(step.side())) {
      throw new WrongCallException("side '" + step.side() + "' is not known");
    }
    if (!isPause && !OPS.get(step.side()).containsKey(step.op())) {
      throw new WrongCallException("operation " + step.op() + " is not offered");
    }
  }

  private ObjectNode run(Step step) {
    RecordedArgs args = new RecordedArgs(step.op(), step.args(), symbols);
    switch (step.op()) {
      case "finish" -> {
        return CallResults.empty();
      }
      case "sleep" -> {
        clock.run(args.allow("s").nanos("s", 0));
        return CallResults.empty();
      }
      default -> {
        ObjectNode answer = call(step, args);
        clock.run(NANOS_PER_CALL);
        return answer;
      }
    }
  }

  /** Returns a recorded side; others than A and B join the device of A at their first call. */
  private RecordedDevice side(String name) {
    if (!sides.containsKey(name)) {
      addSide(name, a);
    }
    return sides.get(name);
  }

  private ObjectNode call(Step step, RecordedArgs args) {
    try {
      ObjectNode answer =
          OPS.get(step.side()).get(step.op()).run(side(step.side()), args, step.result());
      answer.remove(CallResults.WHY);
      return answer;
    } catch (UnmappedValueException value) {
      return inexpressible(step);
    } catch (MissingObjectException missing) {
      return CallResults.empty().put(CallResults.RET, missing.getMessage());
    }
  }

  /**
   * Result of a call that cannot be made: EINVAL if that was recorded; otherwise a text which says
   * that the API, not the device, causes the difference.
   */
  private static ObjectNode inexpressible(Step step) {
    ObjectNode answer = CallResults.empty().put(CallResults.RET, INEXPRESSIBLE);
    ObjectNode recorded = step.result();
    if (recorded != null && recorded.path(CallResults.RET).asText().equals(Errno.EINVAL.name())) {
      answer.put(CallResults.RET, Errno.EINVAL.name());
      if (recorded.has(CallResults.BAD_WR)) {
        answer.set(CallResults.BAD_WR, recorded.get(CallResults.BAD_WR));
      }
    }
    return answer;
  }

  @Override
  public void close() {
    emulator.close();
  }
}
