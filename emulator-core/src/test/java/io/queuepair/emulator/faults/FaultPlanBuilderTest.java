// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.verbs.Errno;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is built is what the text says. */
final class FaultPlanBuilderTest {
  private static final Duration US = Duration.ofNanos(1_000);
  private static final PacketSelector ACK = PacketSelector.of("ack");

  private static Arguments same(UnaryOperator<FaultPlanBuilder> built, String text) {
    return Arguments.of(text, built.apply(FaultPlan.builder()).build());
  }

  static Stream<Arguments> ofPackets() {
    return Stream.of(
        same(plan -> plan, ""),
        same(plan -> plan.seed(-7).drop(PacketSelector.all().share(0.005)), "seed -7; drop 0.5%"),
        same(plan -> plan.drop(PacketSelector.all()), "drop"),
        same(
            plan -> plan.drop(PacketSelector.of("RDMA_WRITE_MIDDLE").nth(3).to("10.0.0.2").qp(17)),
            "drop 3rd RDMA_WRITE_MIDDLE to 10.0.0.2 qp 17"),
        same(plan -> plan.duplicate(ACK.nth(2, 5)), "duplicate 2nd..5th ACK"),
        same(plan -> plan.duplicate(ACK.nthAndLater(11)), "duplicate 11th.. ACK"),
        same(plan -> plan.reorder(PacketSelector.all().every(3)), "reorder every 3rd packet"),
        same(plan -> plan.delay(ACK.from("fd00::1"), US), "delay 1us ACK from fd00::1"),
        same(plan -> plan.delayUpTo(ACK, US.multipliedBy(20)), "delay up to 20us ACK"),
        same(plan -> plan.corrupt(PacketSelector.all().psn(5)), "corrupt packet psn 5"),
        same(plan -> plan.corruptByte(ACK, 12), "corrupt byte 12 ACK"),
        same(plan -> plan.corruptIcrc(PacketSelector.of("NAK")), "corrupt icrc NAK"),
        same(plan -> plan.corruptField(ACK.nth(1), "psn"), "corrupt psn 1st ACK"),
        same(plan -> plan.set(ACK, "MSN", 9), "set msn 9 ACK"),
        same(plan -> plan.change(ACK, "psn", 2), "set psn +2 ACK"),
        same(plan -> plan.change(ACK, "psn", -2), "set psn -2 ACK"),
        same(plan -> plan.forgeAck(PacketSelector.of("SEND")), "forge ack SEND"),
        same(
            plan -> plan.forgeNak(PacketSelector.of("SEND"), "invalid_request"),
            "forge nak invalid_request SEND"),
        same(plan -> plan.forgeRnrNak(PacketSelector.of("SEND"), 14), "forge rnr_nak 14 SEND"),
        same(
            plan ->
                plan.drop(
                    ACK.psn(9, 3)
                        .where("msn", ">=", 1)
                        .at(FaultWindow.during(US, US))
                        .where("pkey", "!=", 0xffff)),
            "drop ACK psn 9..3 at 1us for 1us where msn >= 1 and pkey != 65535"));
  }

  static Stream<Arguments> ofHostsAndDevices() {
    return Stream.of(
        same(
            plan -> plan.partition(FaultWindow.from(US), "10.0.0.1", "10.0.0.2"),
            "partition 10.0.0.1, 10.0.0.2 at 1us"),
        same(
            plan -> plan.partition(FaultWindow.always(), List.of("10.0.0.1"), List.of("fd00::1")),
            "partition 10.0.0.1 from fd00::1"),
        same(
            plan -> plan.pause("10.0.0.1", FaultWindow.during(US, US)),
            "pause 10.0.0.1 at 1us for 1us"),
        same(plan -> plan.portDown("10.0.0.1", FaultWindow.from(US)), "port 10.0.0.1 down at 1us"),
        same(plan -> plan.kill("10.0.0.1", US), "kill 10.0.0.1 at 1us"),
        same(
            plan -> plan.exhaust("qps", "10.0.0.1", FaultWindow.always()),
            "exhaust qps of 10.0.0.1"),
        same(
            plan -> plan.exhaust("cq_space", "10.0.0.1", FaultWindow.from(US)),
            "exhaust cq_space of 10.0.0.1 at 1us"),
        same(
            plan -> plan.fail(VerbSelector.of("ibv_reg_mr", Errno.ENOMEM).nth(3).on("10.0.0.1")),
            "fail 3rd ibv_reg_mr of 10.0.0.1 with ENOMEM"),
        same(
            plan ->
                plan.fail(
                    VerbSelector.of("ibv_post_send", Errno.EAGAIN)
                        .share(0.01)
                        .at(FaultWindow.from(US))),
            "fail 1% ibv_post_send with EAGAIN at 1us"),
        same(
            plan -> plan.fail(VerbSelector.of("ibv_poll_cq", Errno.EINVAL).every(2)),
            "fail every 2nd ibv_poll_cq with EINVAL"));
  }

  @ParameterizedTest
  @MethodSource({"ofPackets", "ofHostsAndDevices"})
  void thePlanIsThatOfTheText(String text, FaultPlan plan) {
    assertThat(plan).isEqualTo(FaultPlan.parse(text));
    assertThat(FaultPlan.parse(plan.toString())).isEqualTo(plan);
  }

  static Stream<Arguments> wrong() {
    FaultPlanBuilder plan = FaultPlan.builder();
    PacketSelector all = PacketSelector.all();
    return Stream.<ThrowingCallable>of(
            () -> PacketSelector.of("ACKS"),
            () -> PacketSelector.all().from("host"),
            () -> all.where("nothing", "=", 1),
            () -> all.where("psn", "~", 1),
            () -> FaultWindow.during(US, Duration.ZERO),
            () -> plan.drop(all.share(1.5)),
            () -> plan.drop(all.nth(0)),
            () -> plan.drop(all.nth(3, 2)),
            () -> plan.drop(all.every(0)),
            () -> plan.drop(all.qp(1 << 24)),
            () -> plan.drop(all.psn(-1)),
            () -> plan.drop(all.qp(1).qp(2)),
            () -> plan.drop(all.at(FaultWindow.from(Duration.ofDays(101)))),
            () -> plan.delay(all, Duration.ZERO),
            () -> plan.delay(all, Duration.ofNanos(-1)),
            () -> plan.corruptByte(all, -1),
            () -> plan.set(all, "ackreq", 2),
            () -> plan.forgeNak(all, "remote_boredom"),
            () -> plan.forgeRnrNak(all, 32),
            () -> plan.pause("10.0.0.1", FaultWindow.always()),
            () -> plan.exhaust("cats", "10.0.0.1", FaultWindow.always()),
            () -> plan.delay(ACK, Duration.ofSeconds(Long.MAX_VALUE)),
            () ->
                plan.exhaust(
                    "qps", "10.0.0.1", FaultWindow.from(Duration.ofSeconds(Long.MAX_VALUE))),
            () -> plan.fail(VerbSelector.of("ibv_get_device_name", Errno.EINVAL)))
        .map(Arguments::of);
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void whatTheLanguageDoesNotHaveIsRefused(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aRefusedStatementIsNotInThePlan() {
    FaultPlanBuilder builder = FaultPlan.builder().drop(ACK);

    assertThatThrownBy(() -> builder.forgeRnrNak(ACK, 99))
        .isInstanceOf(FaultSyntaxException.class)
        .hasMessageContaining("a number of 0 to 31");
    assertThat(builder.build()).hasToString("drop ACK");
  }
}
