// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Records a simulation as statements of a scenario that repeats it: the same calls between the same
 * events of the network. Only memory that is used is registered.
 */
final class ScenarioJournal implements SimulationListener {
  private static final String[] UNITS = {"ns", "us", "ms", "s"};

  private final WorkText works = new WorkText();
  private final List<String> queuePairs = new ArrayList<>();
  private final List<String> body = new ArrayList<>();

  /** Names to poll and to wipe in the next statements, after the pending run of the network. */
  private final Set<String> polls = new LinkedHashSet<>();

  private final Set<String> wipes = new LinkedHashSet<>();
  private long events;
  private long waitedNanos;

  @Override
  public void registered(SimulatedHost host, String name, MemoryRegion region, boolean isFilled) {
    works.add(host, name, region, isFilled);
  }

  @Override
  public void created(SimulatedQp side) {
    if (side.srq != null) {
      queuePairs.add(
          String.format(
              "create_srq %s max_wr=%d max_sge=%d",
              srq(side), SimulatedQp.QUEUE, WorkSpec.MAX_PIECES));
    }
    queuePairs.add(
        String.format(
            "create_qp %s type=%s%s scq=%4$s.sent rcq=%4$s.received max_send_wr=%5$d"
                + " max_recv_wr=%5$d max_send_sge=%6$d max_recv_sge=%6$d max_inline_data=%7$d",
            name(side),
            side.config.type(),
            side.srq == null ? "" : " srq=" + srq(side),
            side.host.name(),
            SimulatedQp.QUEUE,
            WorkSpec.MAX_PIECES,
            WorkSpec.MAX_INLINE));
  }

  private static String srq(SimulatedQp side) {
    return name(side) + "_srq";
  }

  static String name(SimulatedQp side) {
    return side.host.name() + ".qp" + side.number / 2;
  }

  @Override
  public void connecting(SimulatedQp even, SimulatedQp odd, int psn) {
    String psns =
        String.format(
            " %s.sq_psn=%d %s.sq_psn=%d",
            even.host.name(),
            ConnectionConfig.psn(psn, 0),
            odd.host.name(),
            ConnectionConfig.psn(psn, 1));
    if (even.config.type() == QpType.UD) {
      add(ready(even, ConnectionConfig.psn(psn, 0)));
      add(ready(odd, ConnectionConfig.psn(psn, 1)));
      return;
    }
    if (even.config.traits().contains(Trait.STAYS_IN_RTR)) {
      receiving(even, ConnectionConfig.psn(psn, 1));
      sending(even, ConnectionConfig.psn(psn, 0));
      receiving(odd, ConnectionConfig.psn(psn, 0));
      return;
    }
    String connect =
        "connect " + name(even) + " " + name(odd) + " path_mtu=" + even.config.mtu().bytes() + psns;
    if (even.config.membership() != Membership.DEFAULT) {
      connect +=
          String.format(
              " %s.pkey_index=%d %s.pkey_index=%d",
              even.host.name(), even.pkeyIndex(), odd.host.name(), odd.pkeyIndex());
    }
    add(even.isReliable() ? connect + ofReliable(even) : connect);
  }

  /** Writes the transitions from RESET to RTR. */
  private void receiving(SimulatedQp side, int psn) {
    add(
        String.format(
            "modify_qp %s state=INIT port=1 pkey_index=%d access=%s",
            name(side), side.pkeyIndex(), rights(side)));
    String connected =
        String.format(
            "modify_qp %s state=RTR av=%s.gid0 path_mtu=%d dest_qp_num=%s.num rq_psn=%d",
            name(side), side.peer().host.name(), side.config.mtu().bytes(), name(side.peer()), psn);
    String reliable =
        String.format(
            " max_dest_rd_atomic=%d min_rnr_timer=%d",
            side.config.reads(), side.config.retry().minRnrTimer());
    add(side.isReliable() ? connected + reliable : connected);
  }

  @Override
  public void sending(SimulatedQp side, int psn) {
    RetryAttributes retry = side.config.retry();
    String ready = "modify_qp " + name(side) + " state=RTS sq_psn=" + psn;
    String reliable =
        String.format(
            " timeout=%d retry_cnt=%d rnr_retry=%d max_rd_atomic=%d",
            retry.timeout(), retry.retryCnt(), retry.rnrRetry(), side.config.reads());
    add(side.isReliable() ? ready + reliable : ready);
  }

  private static String ready(SimulatedQp side, int psn) {
    String index = side.pkeyIndex() == 0 ? "" : " pkey_index=" + side.pkeyIndex();
    String qkey = " qkey=0x" + Integer.toHexString(SimulatedQp.QKEY);
    return "ready " + name(side) + qkey + index + " sq_psn=" + psn;
  }

  private static String rights(SimulatedQp side) {
    return side.rights().stream().map(AccessFlag::name).collect(Collectors.joining("|"));
  }

  private static String ofReliable(SimulatedQp side) {
    RetryAttributes retry = side.config.retry();
    return String.format(
        " access=%1$s min_rnr_timer=%2$d timeout=%3$d retry_cnt=%4$d rnr_retry=%5$d"
            + " max_rd_atomic=%6$d max_dest_rd_atomic=%6$d",
        rights(side),
        retry.minRnrTimer(),
        retry.timeout(),
        retry.retryCnt(),
        retry.rnrRetry(),
        side.config.reads());
  }

  @Override
  public void modifying(SimulatedQp side, QpState state) {
    add("modify_qp " + name(side) + " state=" + state);
  }

  @Override
  public void posting(SimulatedQp side, SendWr wr) {
    add("post_send " + name(side) + " " + works.of(side, wr));
  }

  @Override
  public void posting(SimulatedQp side, RecvWr wr) {
    String call = side.srq == null ? "post_recv " + name(side) : "post_srq_recv " + srq(side);
    add(call + " " + works.of(side, wr));
  }

  @Override
  public void writing(MemoryRegion region, int offset, byte[] bytes) {
    if (bytes.length > 0) {
      add("fill " + works.place(region, offset) + " 0x" + HexFormat.of().formatHex(bytes));
    }
  }

  @Override
  public void wiping(MemoryRegion region, int offset, int bytes) {
    String fill = "0x" + HexFormat.of().toHexDigits(MemoryPool.FILL);
    wipes.add("fill " + works.place(region, offset) + ":" + bytes + " " + fill);
  }

  @Override
  public void polled(SimulatedHost host, boolean ofSends) {
    polls.add("poll_cq " + host.name() + (ofSends ? ".sent" : ".received"));
  }

  @Override
  public void event() {
    events++;
  }

  @Override
  public void waiting() {
    catchUp();
  }

  @Override
  public void waited(long nanos) {
    events = 0;
    waitedNanos = nanos;
    catchUp();
  }

  private void add(String statement) {
    catchUp();
    body.addAll(wipes);
    wipes.clear();
    body.add(statement);
  }

  /** Writes the pending run of the network since the last statement, and the polls. */
  private void catchUp() {
    if (waitedNanos > 0) {
      body.add("run " + time(waitedNanos));
    } else if (events > 0) {
      body.add("run " + events + " events");
    }
    waitedNanos = 0;
    events = 0;
    body.addAll(polls);
    polls.clear();
  }

  /** Formats a time in the largest unit that divides it. */
  private static String time(long nanos) {
    long value = nanos;
    int unit = 0;
    while (unit < UNITS.length - 1 && value % 1_000 == 0) {
      value /= 1_000;
      unit++;
    }
    return value + UNITS[unit];
  }

  /** All statements; the last ones show the memory that was used, before it is wiped. */
  List<String> statements() {
    catchUp();
    List<String> all = new ArrayList<>();
    String pkeys =
        Arrays.stream(Membership.PKEYS)
            .mapToObj(key -> "0x" + HexFormat.of().toHexDigits((short) key))
            .collect(Collectors.joining(",", " pkeys=", ""));
    for (String[] device : new String[][] {{"a", Simulation.LEFT}, {"b", Simulation.RIGHT}}) {
      all.add("device " + device[0] + " address=" + device[1] + " with=AUTO_PATH_MIG" + pkeys);
      all.add("create_cq " + device[0] + ".sent cqe=" + SimulatedHost.CQE);
      all.add("create_cq " + device[0] + ".received cqe=" + SimulatedHost.CQE);
    }
    all.addAll(works.preparations());
    all.addAll(queuePairs);
    all.addAll(body);
    all.addAll(works.looks());
    return all;
  }
}
