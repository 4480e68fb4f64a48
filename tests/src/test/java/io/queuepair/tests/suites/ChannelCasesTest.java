// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Outcomes;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.tests.conformance.Window;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Completions that announce themselves on a channel. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class ChannelCasesTest {
  private static final boolean ANY = false;
  private static final boolean SOLICITED_ONLY = true;
  private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);

  @Parameter private LinkForm form;

  private ConnectedPair connected() {
    return new ConnectedPair(
        ConnectedPair.reliable(Pair.on(form)).sharedCq().connect(), ConnectedPair.PAGE);
  }

  private static Optional<CompletionQueue> event(TestEndpoint side) {
    return side.channel().getCqEvent(Duration.ZERO);
  }

  /** One event, of that queue, and no other. */
  private static void assertOneEvent(TestEndpoint side, CompletionQueue cq) {
    assertThat(event(side)).containsSame(cq);
    assertThat(event(side)).isEmpty();
    cq.ackEvents(1);
  }

  private static void sendWith(ConnectedPair bed, SendFlag... flags) {
    bed.receive(0, bed.remote().sge());
    bed.post(SendWr.send(1, bed.local().sge()).withFlags(flags));
    bed.expect(List.of("1 SEND"), List.of("0 RECV 4096"));
  }

  @Test
  @Tag("GUT-comp_channel_test-CompChannelTest.Atomic")
  void anArmedQueueAnnouncesAnAtomic() {
    try (ConnectedPair bed = connected()) {
      bed.a().sendCq().reqNotify(ANY);
      assertThat(event(bed.a())).isEmpty();

      bed.post(
          SendWr.fetchAndAdd(
              1,
              new SendWr.RemoteTarget(bed.remote().addr(), bed.remote().rkey()),
              0,
              bed.local().sge(0, 8)));

      bed.expect(List.of("1 FETCH_ADD"), List.of());
      assertOneEvent(bed.a(), bed.a().sendCq());
    }
  }

  @Test
  @Tag("GUT-comp_channel_test-CompChannelTest.Bind")
  void anArmedQueueAnnouncesABind() {
    try (ConnectedPair bed = connected()) {
      bed.a().sendCq().reqNotify(ANY);

      bed.post(
          Window.request(
              bed.a().pd().allocMw(MwType.TYPE_2),
              17,
              Window.over(bed.local(), EnumSet.of(AccessFlag.REMOTE_READ))));

      bed.expect(List.of(Window.BIND + " BIND_MW"), List.of());
      assertOneEvent(bed.a(), bed.a().sendCq());
    }
  }

  @Test
  @Tag("GUT-comp_channel_test-CompChannelTest.Write")
  void anArmedQueueAnnouncesAWrite() {
    try (ConnectedPair bed = connected()) {
      bed.a().sendCq().reqNotify(ANY);

      bed.post(bed.write(1));

      bed.expect(List.of("1 RDMA_WRITE"), List.of());
      assertOneEvent(bed.a(), bed.a().sendCq());
    }
  }

  @Test
  @Tag("GUT-comp_channel_test-CompChannelTest.RecvSolicitedNofityAny")
  void onlyTheArmedSideAnnouncesASolicitedReceive() {
    try (ConnectedPair bed = connected()) {
      bed.b().recvCq().reqNotify(ANY);

      sendWith(bed, SendFlag.SIGNALED, SendFlag.SOLICITED);

      assertThat(event(bed.a())).isEmpty();
      assertOneEvent(bed.b(), bed.b().recvCq());
    }
  }

  @Test
  @Tag("GUT-comp_channel_test-CompChannelTest.RecvUnsolicitedNofitySolicited")
  void anUnsolicitedReceiveIsNotAnnouncedIfOnlySolicitedOnesAre() {
    try (ConnectedPair bed = connected()) {
      bed.b().recvCq().reqNotify(SOLICITED_ONLY);

      sendWith(bed, SendFlag.SIGNALED);

      assertThat(event(bed.a())).isEmpty();
      assertThat(event(bed.b())).isEmpty();
    }
  }

  @Test
  @Tag("GUT-comp_channel_test-CompChannelTest.UpgradeRequest")
  void armingForAnyAfterSolicitedWidensTheRequest() {
    try (ConnectedPair bed = connected()) {
      bed.b().recvCq().reqNotify(SOLICITED_ONLY);
      bed.b().recvCq().reqNotify(ANY);

      sendWith(bed, SendFlag.SIGNALED);

      assertOneEvent(bed.b(), bed.b().recvCq());
    }
  }

  @Test
  @Tag("GUT-comp_channel_test-CompChannelTest.SameQueueMultipleOutstanding")
  void aQueueArmedTwiceAnnouncesItself() {
    try (ConnectedPair bed = connected()) {
      for (int i = 0; i < 2; i++) {
        bed.a().sendCq().reqNotify(ANY);
        bed.post(bed.write(i));
        bed.expect(List.of(i + " RDMA_WRITE"), List.of());
      }

      assertThat(event(bed.a())).containsSame(bed.a().sendCq());
      int others = event(bed.a()).isPresent() ? 1 : 0;
      bed.a().sendCq().ackEvents(1 + others);
      assertThat(event(bed.a())).isEmpty();
    }
  }

  @Test
  @Tag("GUT-comp_channel_test-CompChannelTest.MuxOntoSingleChannel")
  void manyQueuesShareAChannel() {
    try (SuiteHost host = new SuiteHost(form.fabric())) {
      List<CompletionQueue> armed = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        CompletionQueue near = host.createCq(10);
        SuiteHost.HostLink link = host.link(near, host.createCq(10));
        near.reqNotify(ANY);
        armed.add(near);
        link.near().postSend(host.write(i, 0, 1024));
      }
      host.drain();

      List<CompletionQueue> announced = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        CompletionQueue cq = host.channel().getCqEvent(Duration.ZERO).orElseThrow();
        cq.ackEvents(1);
        announced.add(cq);
      }

      assertThat(announced).containsExactlyInAnyOrderElementsOf(armed);
      assertThat(host.channel().getCqEvent(Duration.ZERO)).isEmpty();
      for (int i = 0; i < 20; i++) {
        assertThat(Outcomes.of(armed.get(i).poll(10))).containsExactly(i + " RDMA_WRITE");
      }
    }
  }

  /** Takes one event, acknowledges it, arms the queue again and empties it. */
  private static List<String> nextByEvent(TestEndpoint side) {
    CompletionQueue cq = side.channel().getCqEvent(FIVE_SECONDS).orElseThrow();
    cq.ackEvents(1);
    cq.reqNotify(ANY);
    return Outcomes.of(cq.poll(10));
  }

  @Test
  @Tag("GUT-event_driven_completion_test-EventDrivenCompletionsTest.OneOpIsSuccessful")
  void oneDatagramIsAnnouncedAtBothSides() {
    try (ConnectedPair bed =
        new ConnectedPair(ConnectedPair.datagrams(Pair.on(form)).connect(), ConnectedPair.PAGE)) {
      bed.a().sendCq().reqNotify(ANY);
      bed.b().recvCq().reqNotify(ANY);
      bed.receive(0, bed.remote().sge(0, 40 + 32));

      bed.post(bed.send(1, bed.local().sge(0, 32)));

      assertThat(nextByEvent(bed.a())).containsExactly("1 SEND");
      assertThat(nextByEvent(bed.b())).containsExactly("0 RECV 72 [GRH]");
    }
  }

  @Test
  @Tag("PYV-cq_events-CqEventsTestCase.ud")
  @Tag("test_cq_events.CqEventsTestCase.test_cq_events_ud")
  void aHundredDatagramsGoBackAndForthByEvents() {
    try (ConnectedPair bed =
        new ConnectedPair(ConnectedPair.datagrams(Pair.on(form)).connect(), ConnectedPair.PAGE)) {
      bed.a().recvCq().reqNotify(ANY);
      bed.b().recvCq().reqNotify(ANY);
      for (int i = 0; i < 100; i++) {
        exchange(bed.a(), bed.b(), i);
        exchange(bed.b(), bed.a(), i);
      }
    }
  }

  @Test
  @Tag("test_cq_events.CqEventsTestCase.test_cq_events_rc")
  void aHundredMessagesGoBackAndForthByEvents() {
    try (ConnectedPair bed =
        new ConnectedPair(ConnectedPair.reliable(Pair.on(form)).connect(), ConnectedPair.PAGE)) {
      bed.a().recvCq().reqNotify(ANY);
      bed.b().recvCq().reqNotify(ANY);
      for (int i = 0; i < 100; i++) {
        exchangeConnected(bed.a(), bed.b(), i);
        exchangeConnected(bed.b(), bed.a(), i);
      }
    }
  }

  private static void exchangeConnected(TestEndpoint from, TestEndpoint to, int seed) {
    byte[] message = Bytes.pattern(1024, seed);
    Bytes.into(from.region(), 0, message);
    to.qp().postRecv(RecvWr.of(seed, to.region().sge(4096, 1024)));
    from.qp().postSend(SendWr.send(seed, from.region().sge(0, 1024)));

    assertThat(nextByEvent(to)).containsExactly(seed + " RECV 1024");
    assertThat(Bytes.in(to.region(), 4096, 1024)).isEqualTo(message);
  }

  private static void exchange(TestEndpoint from, TestEndpoint to, int seed) {
    byte[] message = Bytes.pattern(1024, seed);
    Bytes.into(from.region(), 0, message);
    to.qp().postRecv(RecvWr.of(seed, to.region().sge(4096, 40 + 1024)));
    from.qp()
        .postSend(
            SendWr.send(seed, from.region().sge(0, 1024))
                .to(from.ah(), to.qp().qpNum(), TestEndpoint.QKEY));

    assertThat(nextByEvent(to)).containsExactly(seed + " RECV 1064 [GRH]");
    assertThat(Bytes.in(to.region(), 4096 + 40, 1024)).isEqualTo(message);
    assertThat(from.sends()).containsExactly(seed + " SEND");
  }
}
