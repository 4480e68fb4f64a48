// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowAttrType;
import io.queuepair.verbs.FlowFlag;
import io.queuepair.verbs.VerbsException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Flows, which decide the queue pairs that get a frame ({@code ibv_create_flow(3)}). */
public final class FlowTable {
  /** Maximum number of flows; no device attribute reports it. */
  private static final int MAX_FLOWS = 1 << 16;

  /** Flows in order of their priority number, older ones first among equals. */
  private final List<Rule> rules = new ArrayList<>();

  /** Number of sniffer flows, kept because every packet asks for it. */
  private int sniffers;

  /** One flow; compared by identity. */
  public static final class Rule {
    private final QpEngine qpEngine;
    private final FlowAttr attr;

    private final List<CounterSet.CounterBinding> counters = new ArrayList<>();

    private Rule(QpEngine qpEngine, FlowAttr attr) {
      this.qpEngine = qpEngine;
      this.attr = attr;
    }

    public void attach(CounterSet.CounterBinding counter) {
      counters.add(counter);
    }

    private boolean isSniffer() {
      return attr.type() == FlowAttrType.SNIFFER;
    }

    private boolean isSnifferOf(int portNum) {
      return isSniffer() && attr.portNum() == portNum;
    }

    /** Adds the queue pair to the receivers and counts the frame. */
    private void take(RawFrame frame, Set<QpEngine> receiverQps) {
      receiverQps.add(qpEngine);
      counters.forEach(counter -> counter.count(frame.bytes().length()));
    }

    private boolean matches(FlowAttrType type, RawFrame frame, int portNum) {
      return attr.type() == type
          && attr.portNum() == portNum
          && attr.specs().stream().allMatch(spec -> FlowMatch.matches(spec, frame));
    }
  }

  /** Adds a flow whose attributes were checked; ENOMEM if the table is full. */
  public Rule add(QpEngine qpEngine, FlowAttr attr) {
    if (rules.size() == MAX_FLOWS) {
      throw new VerbsException(
          Errno.ENOMEM, "ibv_create_flow", "all " + MAX_FLOWS + " flows of the device are in use");
    }
    Rule rule = new Rule(qpEngine, attr);
    rules.add(rule);
    rules.sort(Comparator.comparingInt(r -> r.attr.priority()));
    sniffers += rule.isSniffer() ? 1 : 0;
    return rule;
  }

  public void remove(Rule rule) {
    if (rules.remove(rule)) {
      sniffers -= rule.isSniffer() ? 1 : 0;
    }
  }

  public boolean hasSniffer(int portNum) {
    return sniffers > 0 && rules.stream().anyMatch(rule -> rule.isSnifferOf(portNum));
  }

  /** Queue pairs with a sniffer flow at a port; counts the frame for each flow. */
  public Set<QpEngine> sniffers(RawFrame frame, int portNum) {
    Set<QpEngine> watchingQps = new LinkedHashSet<>();
    for (Rule rule : rules) {
      if (rule.isSnifferOf(portNum)) {
        rule.take(frame, watchingQps);
      }
    }
    return watchingQps;
  }

  /**
   * Queue pairs that get a frame, each once.
   *
   * @param portNum port of arrival
   * @param isOurs whether the destination address is that of the port or of a group that it joined;
   *     other frames reach only flows of type ALL_DEFAULT and SNIFFER
   */
  public Set<QpEngine> receiversOf(RawFrame frame, int portNum, boolean isOurs) {
    Set<QpEngine> receiverQps = new LinkedHashSet<>();
    if (isOurs) {
      addSteered(frame, portNum, receiverQps);
    }
    if (receiverQps.isEmpty()) {
      addFirst(FlowAttrType.ALL_DEFAULT, frame, portNum, receiverQps);
    }
    receiverQps.addAll(sniffers(frame, portNum));
    return receiverQps;
  }

  private void addSteered(RawFrame frame, int portNum, Set<QpEngine> receiverQps) {
    for (Rule rule : rules) {
      if (rule.matches(FlowAttrType.NORMAL, frame, portNum)) {
        rule.take(frame, receiverQps);
        if (!rule.attr.flags().contains(FlowFlag.DONT_TRAP)) {
          return;
        }
      }
    }
    if (receiverQps.isEmpty() && frame.destination().isMulticast()) {
      addFirst(FlowAttrType.MC_DEFAULT, frame, portNum, receiverQps);
    }
  }

  private void addFirst(FlowAttrType type, RawFrame frame, int portNum, Set<QpEngine> receiverQps) {
    for (Rule rule : rules) {
      if (rule.matches(type, frame, portNum)) {
        rule.take(frame, receiverQps);
        return;
      }
    }
  }
}
