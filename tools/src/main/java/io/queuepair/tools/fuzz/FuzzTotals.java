package io.queuepair.tools.fuzz;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageAspect;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** What became of all datagrams of a run. */
public final class FuzzTotals {
  /** What is printed, and must be met by a run of some length. */
  private static final List<CoverageAspect> SHOWN =
      List.of(
          CoverageAspect.DROP,
          CoverageAspect.CHECK,
          CoverageAspect.MEMORY_CHECK,
          CoverageAspect.NAK_SENT,
          CoverageAspect.NAK_RECEIVED);

  private final List<Finding> findings = new ArrayList<>();
  private Coverage coverage = new Coverage();
  private long datagrams;
  private long near;
  private long frames;

  /** Creates totals of nothing. */
  public FuzzTotals() {}

  void add(Episode episode) {
    datagrams += episode.fired();
    near += episode.near();
    frames += episode.frames();
    coverage = coverage.plus(episode.coverage());
  }

  void add(Finding finding) {
    findings.add(finding);
  }

  /** {@return what must not have happened and did} */
  public List<Finding> findings() {
    return List.copyOf(findings);
  }

  /** {@return datagrams so far} */
  public long datagrams() {
    return datagrams;
  }

  /** {@return the share with a valid ICRC, a live queue pair and a PSN near the expected one} */
  public double nearShare() {
    return share(near);
  }

  /** {@return the share that was neither dropped nor answered with a NAK} */
  public double acceptedShare() {
    return share(accepted());
  }

  private double share(long part) {
    return datagrams == 0 ? 0 : (double) part / datagrams;
  }

  /** What leaves while its address is gone is dropped too, but was not fired. */
  private long dropped() {
    return sum(CoverageAspect.DROP) - coverage.hits(CoverageAspect.DROP).get("NOT_OUR_ADDRESS");
  }

  /** What was refused with a NAK; what follows a gap is dropped besides. */
  private long refused() {
    Map<String, Long> naks = coverage.hits(CoverageAspect.NAK_SENT);
    return sum(CoverageAspect.NAK_SENT) - naks.get("PSN_SEQUENCE_ERROR");
  }

  private long sum(CoverageAspect aspect) {
    return coverage.hits(aspect).values().stream().mapToLong(Long::longValue).sum();
  }

  /** Frames are counted as they come: what no flow leads anywhere is not counted as dropped. */
  private long accepted() {
    return datagrams - frames - dropped() - refused();
  }

  /** {@return reasons, checks and codes that were never met, and could have been} */
  public List<String> missing() {
    List<String> missing = new ArrayList<>();
    for (CoverageAspect aspect : coverage.isEmpty() ? List.<CoverageAspect>of() : SHOWN) {
      coverage.missing(aspect).forEach(name -> missing.add(aspect.text() + ": " + name));
    }
    return missing;
  }

  /** {@return what the devices came across} */
  public Coverage coverage() {
    return coverage;
  }

  /** {@return how often each reason, check and code was met, for people} */
  public List<String> hits() {
    List<String> lines = new ArrayList<>();
    for (CoverageAspect aspect : SHOWN) {
      StringJoiner line = new StringJoiner(", ", aspect.text() + ": ", "");
      Map<String, Long> hits = coverage.hits(aspect);
      coverage.possible(aspect).forEach(name -> line.add(name + " " + hits.get(name)));
      lines.add(line.toString());
    }
    return lines;
  }

  /** {@return the shares, as a sentence for people} */
  public String shares() {
    return String.format(
        Locale.ROOT,
        "%.1f %% with valid ICRC, live QPN and PSN near the window; %.1f %% accepted,"
            + " %.1f %% refused with a NAK; %d of the datagrams are Ethernet frames",
        100 * nearShare(),
        100 * acceptedShare(),
        100 * share(refused()),
        frames);
  }

  /** {@return the numbers, for programs} */
  public String line() {
    return String.format(
        Locale.ROOT,
        "datagrams=%d accepted=%d dropped=%d violations=%d",
        datagrams,
        accepted(),
        dropped(),
        findings.size());
  }
}
