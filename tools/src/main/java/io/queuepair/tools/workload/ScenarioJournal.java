package io.queuepair.tools.workload;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes a simulation down as statements of a scenario, which lets the same happen: the same calls
 * between the same events of the network. Only what is used is registered.
 */
final class ScenarioJournal implements Journal {
  private static final String[] UNITS = {"ns", "us", "ms", "s"};

  private final WorkText works = new WorkText();
  private final List<String> queuePairs = new ArrayList<>();
  private final List<String> body = new ArrayList<>();

  /** What there is to be polled and wiped, once the network has run as far as now. */
  private final Set<String> polls = new LinkedHashSet<>();

  private final Set<String> wipes = new LinkedHashSet<>();
  private long events;
  private long waitedNanos;

  @Override
  public void registered(Host host, String name, MemoryRegion region, boolean isFilled) {
    works.add(host, name, region, isFilled);
  }

  @Override
  public void created(Side side) {
    queuePairs.add(
        "create_qp "
            + name(side)
            + " type="
            + side.plan().type()
            + String.format(
                " scq=%1$s.sent rcq=%1$s.received max_send_wr=%2$d max_recv_wr=%2$d"
                    + " max_send_sge=%3$d max_recv_sge=%3$d max_inline_data=%4$d",
                side.host().name(), Side.QUEUE, Workload.MAX_PIECES, Workload.MAX_INLINE));
  }

  /** What a queue pair is called. */
  static String name(Side side) {
    return side.host().name() + ".qp" + side.number() / 2;
  }

  @Override
  public void connecting(Side even, Side odd, int psn) {
    String psns =
        String.format(
            " %s.sq_psn=%d %s.sq_psn=%d",
            even.host().name(), Plan.psn(psn, 0), odd.host().name(), Plan.psn(psn, 1));
    if (even.plan().type() == QpType.UD) {
      add(ready(even, Plan.psn(psn, 0)));
      add(ready(odd, Plan.psn(psn, 1)));
      return;
    }
    String connect =
        "connect " + name(even) + " " + name(odd) + " path_mtu=" + even.plan().mtu().bytes() + psns;
    add(even.isReliable() ? connect + ofReliable(even) : connect);
  }

  private static String ready(Side side, int psn) {
    return "ready " + name(side) + " qkey=0x" + Integer.toHexString(Side.QKEY) + " sq_psn=" + psn;
  }

  private static String ofReliable(Side side) {
    String rights = side.rights().stream().map(AccessFlag::name).collect(Collectors.joining("|"));
    return String.format(
        " access=%1$s min_rnr_timer=%2$d timeout=%3$d retry_cnt=%4$d rnr_retry=%4$d"
            + " max_rd_atomic=%5$d max_dest_rd_atomic=%5$d",
        rights, Side.RNR_TIMER_CODE, Side.TIMEOUT_CODE, Side.RETRIES, side.plan().reads());
  }

  @Override
  public void modifying(Side side, QpState state) {
    add("modify_qp " + name(side) + " state=" + state);
  }

  @Override
  public void posting(Side side, SendWr wr) {
    add("post_send " + name(side) + " " + works.of(side, wr));
  }

  @Override
  public void posting(Side side, RecvWr wr) {
    add("post_recv " + name(side) + " " + works.of(side, wr));
  }

  @Override
  public void writing(MemoryRegion region, int offset, byte[] bytes) {
    if (bytes.length > 0) {
      add("fill " + works.place(region, offset) + " 0x" + HexFormat.of().formatHex(bytes));
    }
  }

  @Override
  public void wiping(MemoryRegion region, int offset) {
    String fill = "0x" + HexFormat.of().toHexDigits(Arena.FILL);
    wipes.add("fill " + works.place(region, offset) + ":" + Arena.STRIDE + " " + fill);
  }

  @Override
  public void polled(Host host, boolean ofSends) {
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

  /** Lets the network come as far as it is now, and looks. */
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

  /** In the largest unit of which it is a whole number. */
  private static String time(long nanos) {
    long value = nanos;
    int unit = 0;
    while (unit < UNITS.length - 1 && value % 1_000 == 0) {
      value /= 1_000;
      unit++;
    }
    return value + UNITS[unit];
  }

  /** Everything so far; in the end all memory that was used is shown, before it is wiped. */
  List<String> statements() {
    catchUp();
    List<String> all = new ArrayList<>();
    for (String[] device : new String[][] {{"a", Simulation.LEFT}, {"b", Simulation.RIGHT}}) {
      all.add("device " + device[0] + " address=" + device[1] + " with=AUTO_PATH_MIG");
      all.add("create_cq " + device[0] + ".sent cqe=" + Host.CQE);
      all.add("create_cq " + device[0] + ".received cqe=" + Host.CQE);
    }
    all.addAll(works.preparations());
    all.addAll(queuePairs);
    all.addAll(body);
    all.addAll(works.looks());
    return all;
  }
}
