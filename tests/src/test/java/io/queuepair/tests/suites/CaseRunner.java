// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.tests.conformance.Errnos;
import io.queuepair.tests.conformance.Outcomes;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.tests.conformance.Window;
import io.queuepair.verbs.AdviseMrAdvice;
import io.queuepair.verbs.AdviseMrFlag;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.BindMwWr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.MwBind;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.SrqAttrMask;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs the steps of a case on a {@link ConnectedPair}, whose sides are a and b, with the regions
 * {@code local} of a and {@code remote} of b. Requests are posted by a and receives by b, unless
 * {@code a:} or {@code b:} stands before them. {@code 0..31} before a step repeats it for each
 * number in place of {@code #}.
 */
final class CaseRunner {
  private static final Pattern RANGE = Pattern.compile("(\\d+)\\.\\.(\\d+) (.*)");

  private static final Set<SendFlag> SIGNALED = Set.of(SendFlag.SIGNALED);

  /** All that reliable connections have. */
  private static final Set<SendOpsFlag> OPERATIONS =
      EnumSet.complementOf(EnumSet.of(SendOpsFlag.WITH_TSO));

  private static final MwBindInfo NOTHING = new MwBindInfo(null, 0, 0, Set.of());

  private final ConnectedPair bed;
  private final CaseMemory memory;
  private final Map<String, Window> windows = new TreeMap<>();

  private CaseRunner(ConnectedPair bed) {
    this.bed = bed;
    memory = new CaseMemory(bed, windows);
  }

  /** Runs it between two new devices of a network. */
  static void run(Script script, Pair.Builder network) {
    Pair.Builder builder;
    if (script.has("xrc")) {
      builder = network.types(QpType.XRC_SEND, QpType.XRC_RECV).access(Window.ALL_REMOTE);
    } else if (script.has("UD")) {
      builder = ConnectedPair.datagrams(network);
    } else {
      builder = ConnectedPair.reliable(network);
    }
    configure(script, builder);
    Pair pair = script.has("unconnected") ? builder.create() : builder.connect();
    try (ConnectedPair bed =
        new ConnectedPair(pair, Integer.parseInt(script.option("bytes", "4096")))) {
      CaseRunner runner = new CaseRunner(bed);
      script.steps().forEach(runner::runStep);
    }
  }

  private static void configure(Script script, Pair.Builder builder) {
    script
        .options()
        .forEach(
            (option, value) -> {
              switch (option) {
                case "UD", "xrc", "unconnected", "bytes", "virtual" -> {}
                case "mtu" -> builder.mtu(Mtu.valueOf("MTU_" + value));
                case "rd_atomic" -> {
                  int depth = Integer.parseInt(value);
                  builder.rtr(attr -> attr.maxDestRdAtomic(depth));
                  builder.rts(attr -> attr.maxRdAtomic(depth));
                }
                case "rnr_retry" -> builder.rts(attr -> attr.rnrRetry(Integer.parseInt(value)));
                case "rnr_timer" -> builder.rtr(attr -> attr.minRnrTimer(Integer.parseInt(value)));
                case "access" -> builder.access(CaseMemory.rights(value));
                case "ex" -> builder.sendOps(OPERATIONS);
                case "srq" -> builder.srq(SrqAttr.of(Integer.parseInt(value), 2));
                case "shared_cq" -> builder.sharedCq();
                case "few_in_flight" ->
                    builder.profile(
                        DeviceProfile.standard().withPacing(SendWindowConfig.softRoce()));
                default -> throw new IllegalArgumentException("no option " + option);
              }
            });
  }

  private void runStep(String step) {
    try {
      runAll(step);
    } catch (AssertionError | VerbsException e) {
      throw new AssertionError(step + ": " + e.getMessage(), e);
    }
  }

  private void runAll(String step) {
    Matcher range = RANGE.matcher(step);
    if (!range.matches()) {
      run(step);
      return;
    }
    for (int i = Integer.parseInt(range.group(1)); i <= Integer.parseInt(range.group(2)); i++) {
      run(range.group(3).replace("#", "" + i));
    }
  }

  private void run(String step) {
    List<String> words = new ArrayList<>(List.of(step.split(" ")));
    String side = words.get(0).matches("[ab]:") ? words.remove(0).substring(0, 1) : "";
    String verb = words.remove(0);
    switch (verb) {
      case "refused" -> {
        String refused = step.substring(step.indexOf(words.get(1)));
        assertThat(Errnos.of(() -> run(refused))).isEqualTo(Errno.valueOf(words.get(0)));
      }
      case "expect" -> expect(step.substring("expect".length()));
      case "recv" -> side(side.isEmpty() ? "b" : side).postRecv(receive(words));
      case "own_recv" -> bed.b().qp().postRecv(receive(words));
      case "ex" -> {
        SendWr request = request(bed.a(), words.remove(0), words);
        ExtendedPosting.post(bed.a().qp(), request, memory);
      }
      case "window" -> {
        Window window = bind(words);
        assertThat(Outcomes.of(bed.pair().await(side(words.get(1)).sendCq())))
            .isEqualTo(Window.BIND + " BIND_MW");
        windows.put(words.get(0), window);
      }
      case "bind" -> windows.put(words.get(0), bind(words));
      case "rebind" -> rebind(side(side), words);
      case "unbind" -> {
        Window window = windows.get(words.get(0));
        side(side).qp().bindMw(window.mw(), new MwBind(Window.BIND, SIGNALED, NOTHING));
        windows.put(words.get(0), new Window(window.mw(), window.mw().rkey()));
      }
      case "free" -> windows.get(words.get(0)).mw().close();
      case "region", "rereg", "close", "fill", "full", "words", "have" -> memory.run(verb, words);
      default -> {
        if (!verify(verb, side, words)) {
          side(side).qp().postSend(request(side(side), verb, words));
        }
      }
    }
  }

  /** Steps that look at the queue pairs, or change their state; whether it is one. */
  private boolean verify(String verb, String side, List<String> words) {
    TestEndpoint acting = side(side);
    switch (verb) {
      case "states" ->
          bed.assertStates(QpState.valueOf(words.get(0)), QpState.valueOf(words.get(1)));
      case "modify" -> acting.qp().modify(QpAttr.to(QpState.valueOf(words.get(0))));
      case "to" -> toward(acting, words.get(0));
      case "connect" -> bed.pair().connect();
      case "run" -> bed.pair().run(Duration.parse(words.get(0)));
      case "drain" -> bed.pair().drain();
      case "await" ->
          assertThat(Outcomes.of(bed.pair().await(cq(acting, words.get(0)))))
              .isEqualTo(String.join(" ", words.subList(1, words.size())));
      case "invalidated" -> {
        WorkCompletion wc = bed.pair().await(acting.recvCq());
        assertThat(Outcomes.of(wc)).isEqualTo("0 RECV " + words.get(1) + " [WITH_INV]");
        assertThat(wc.wcFlags()).containsExactly(WcFlag.WITH_INV);
        assertThat(wc.invalidatedRkey()).isEqualTo(windows.get(words.get(0)).rkey());
      }
      case "notify" -> cq(acting, words.get(0)).reqNotify(words.get(1).equals("solicited"));
      case "announced" -> {
        CompletionQueue cq = cq(acting, words.get(0));
        assertThat(acting.channel().getCqEvent(Duration.ofSeconds(5))).containsSame(cq);
        cq.ackEvents(1);
      }
      case "silent" -> assertThat(acting.channel().getCqEvent(Duration.ZERO)).isEmpty();
      case "events" -> assertThat(acting.events()).extracting(EventType::name).isEqualTo(words);
      case "srq" -> {
        int value = Integer.parseInt(words.get(1));
        SrqAttrMask changed = SrqAttrMask.valueOf(words.get(0));
        boolean isLimit = changed == SrqAttrMask.LIMIT;
        bed.b()
            .srq()
            .modify(new SrqAttr(isLimit ? 0 : value, 2, isLimit ? value : 0), EnumSet.of(changed));
      }
      case "srq_limit" ->
          assertThat(acting.srq().query().srqLimit()).isEqualTo(Integer.parseInt(words.get(0)));
      case "advise" -> {
        Set<AdviseMrFlag> flags =
            words.get(1).equals("NONE") ? Set.of() : Set.of(AdviseMrFlag.valueOf(words.get(1)));
        List<Sge> sges = List.of(memory.sges(words.subList(2, words.size())));
        acting.pd().adviseMr(AdviseMrAdvice.valueOf(words.get(0)), flags, sges);
      }
      case "event" -> {
        AsyncEvent event = acting.context().getAsyncEvent(Duration.ZERO).orElseThrow();
        assertThat(event).isEqualTo(AsyncEvent.of(EventType.valueOf(words.get(0)), acting.qp()));
        acting.context().ackAsyncEvent(event);
        assertThat(acting.events()).isEmpty();
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void toward(TestEndpoint side, String state) {
    switch (QpState.valueOf(state)) {
      case INIT -> side.toInit();
      case RTR -> side.toReadyToReceive(side == bed.a() ? bed.b() : bed.a());
      case RTS -> side.toReadyToSend();
      default -> throw new IllegalArgumentException(state);
    }
  }

  private TestEndpoint side(String name) {
    return name.equals("b") ? bed.b() : bed.a();
  }

  private static CompletionQueue cq(TestEndpoint side, String queue) {
    return queue.equals("send") ? side.sendCq() : side.recvCq();
  }

  /** Completions of a, and behind a slash those of b; nothing else may complete. */
  private void expect(String outcomes) {
    String[] both = (outcomes + " / ").split("/", -1);
    bed.expect(list(both[0]), list(both[1]));
  }

  private static List<String> list(String outcomes) {
    List<String> list = new ArrayList<>();
    for (String outcome : outcomes.strip().split(", ", -1)) {
      Matcher range = RANGE.matcher(outcome);
      if (range.matches()) {
        for (int i = Integer.parseInt(range.group(1)); i <= Integer.parseInt(range.group(2)); i++) {
          list.add(i + " " + range.group(3));
        }
      } else if (!outcome.isEmpty()) {
        list.add(outcome);
      }
    }
    return list;
  }

  private RecvWr receive(List<String> words) {
    return RecvWr.of(Long.parseLong(words.get(0)), memory.sges(words.subList(1, words.size())));
  }

  /** NAME SIDE TYPE REGION RIGHTS; a type with {@code @} is of another domain. */
  private Window bind(List<String> words) {
    TestEndpoint side = side(words.get(1));
    boolean isForeign = words.get(2).contains("@");
    MwType type = MwType.valueOf(words.get(2).replaceFirst("@.*", ""));
    MemoryWindow mw = (isForeign ? memory.otherPd(side) : side.pd()).allocMw(type);
    MwBindInfo binding = memory.binding(words.get(3), words.get(4));
    if (!words.contains("unsignaled")) {
      return Window.posted(side.qp(), mw, binding);
    }
    BindMwWr request = Window.request(mw, 1, binding);
    side.qp().postSend(request.withFlags());
    return new Window(mw, request.rkey());
  }

  /** WINDOW REGION: binds again, under the next key. */
  private void rebind(TestEndpoint side, List<String> words) {
    Window window = windows.get(words.get(0));
    side.qp()
        .postSend(
            Window.request(
                window.mw(), window.rkey() + 1, memory.binding(words.get(1), "ALL_REMOTE")));
  }

  private SendWr request(TestEndpoint side, String verb, List<String> words) {
    List<SendFlag> flags = new ArrayList<>();
    if (!words.remove("unsignaled")) {
      flags.add(SendFlag.SIGNALED);
    }
    if (words.remove("solicited")) {
      flags.add(SendFlag.SOLICITED);
    }
    if (words.remove("inline")) {
      flags.add(SendFlag.INLINE);
    }
    Integer qpn = decoded("qpn=", words);
    Integer qkey = decoded("qkey=", words);
    SendWr request =
        verb.equals("inv")
            ? invalidation(words.get(0))
            : memory.request(verb, Long.parseLong(words.get(0)), words.subList(1, words.size()));
    SendWr addressed =
        qpn == null && qkey == null
            ? side.toPeer(request)
            : request.to(
                side.ah(),
                qpn == null ? bed.b().qp().qpNum() : qpn,
                qkey == null ? TestEndpoint.QKEY : qkey);
    return addressed.withFlags(flags.toArray(SendFlag[]::new));
  }

  private SendWr invalidation(String word) {
    Window window = windows.get(word.replace("!other", ""));
    int rkey = window.rkey() + (word.endsWith("!other") ? 1 : 0);
    return new Window(window.mw(), rkey).invalidation();
  }

  /** The number behind such a word, which is taken away; null if there is none. */
  private static Integer decoded(String prefix, List<String> words) {
    for (String word : List.copyOf(words)) {
      if (word.startsWith(prefix)) {
        words.remove(word);
        return Long.decode(word.substring(prefix.length())).intValue();
      }
    }
    return null;
  }
}
