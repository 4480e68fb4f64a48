// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.HeaderField;
import io.queuepair.emulator.wire.MadField;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.PacketField;
import io.queuepair.verbs.Errno;
import java.math.BigDecimal;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Any plan gives a text that gives the plan. */
final class FaultPlanPropertyTest {
  @Provide
  Arbitrary<FaultPlan> plans() {
    return Combinators.combine(Arbitraries.longs(), statements().list().ofMaxSize(6))
        .as((seed, lines) -> FaultPlan.parse("seed " + seed + "\n" + String.join("\n", lines)));
  }

  private static Arbitrary<String> statements() {
    return Arbitraries.oneOf(List.of(ofPackets(), ofValues(), ofDevices()));
  }

  private static Arbitrary<String> ofPackets() {
    Arbitrary<String> actions =
        Arbitraries.of(
            "drop",
            "duplicate",
            "reorder",
            "corrupt",
            "corrupt icrc",
            "forge ack",
            "forge nak remote_access_error");
    return Combinators.combine(actions, packets()).as((action, some) -> action + " " + some);
  }

  private static Arbitrary<String> ofValues() {
    Arbitrary<PacketField> fields =
        Arbitraries.oneOf(Arbitraries.of(HeaderField.values()), Arbitraries.of(MadField.all()));
    return Combinators.combine(packets(), fields, Arbitraries.longs(), nanos())
        .flatAs(
            (some, field, number, time) ->
                Arbitraries.of(
                        "delay " + (time + 1) + "ns",
                        "delay up to " + (time + 1) + "ns",
                        "corrupt byte " + (number & 0xfff),
                        "corrupt " + field,
                        "set " + field + " " + (number & field.mask()),
                        "set " + field + " -" + (number & field.mask() >>> 1),
                        "forge rnr_nak " + (number & 31))
                    .map(action -> action + " " + some));
  }

  private static Arbitrary<String> ofDevices() {
    Arbitrary<String> verbs = Arbitraries.of(FallibleVerbs.names());
    Arbitrary<Errno> errnos = Arbitraries.of(Errno.values());
    Arbitrary<Resource> resources = Arbitraries.of(Resource.values());
    return Combinators.combine(hosts(), resources, verbs, errnos, nanos())
        .flatAs(
            (host, resource, verb, errno, time) ->
                Arbitraries.of(
                    "partition " + host + " at " + time + "ns",
                    "pause " + host + " at " + time + "ns for " + (time + 1) + "ns",
                    "port " + host + " down at " + time + "ns",
                    "kill " + host + " at " + time + "ns",
                    "exhaust " + resource + " of " + host + " at " + time + "ns",
                    "fail 3rd " + verb + " of " + host + " with " + errno + " at " + time + "ns",
                    "fail 3rd " + verb + " with " + errno + " at " + time + "ns"));
  }

  private static Arbitrary<String> packets() {
    Arbitrary<Integer> numbers = Arbitraries.integers().between(0, 0xff_ffff);
    return Combinators.combine(amounts(), kinds(), hosts(), numbers, nanos())
        .flatAs(
            (amount, kind, host, number, time) ->
                Arbitraries.of(
                        "",
                        "from " + host,
                        "to " + host + " qp " + number,
                        "psn " + number + "..5 at " + time + "ns",
                        "where psn <= " + number + " and qpn != 1")
                    .map(conditions -> amount + " " + kind + " " + conditions));
  }

  private static Arbitrary<String> kinds() {
    return Arbitraries.oneOf(
        Arbitraries.just("packet"),
        Arbitraries.of(Opcode.values()).map(Opcode::name),
        Arbitraries.of(
            "SEND", "ACK", "RNR_NAK", "REQUEST", "UD", "ATOMIC", "MAD", "CM", "SIDR_REQ"));
  }

  private static Arbitrary<String> amounts() {
    return Combinators.combine(
            Arbitraries.longs().between(1, 1_000_000_000_000L),
            Arbitraries.integers().between(0, 100_000))
        .flatAs(
            (number, share) ->
                Arbitraries.of(
                    "",
                    BigDecimal.valueOf(share, 3).toPlainString() + "%",
                    number + "th",
                    number + "th.." + (number + share) + "th",
                    number + "th..",
                    "every " + number + "th"));
  }

  private static Arbitrary<String> hosts() {
    return Arbitraries.of("10.0.0.1", "10.0.0.2", "fd00::1");
  }

  private static Arbitrary<Long> nanos() {
    return Arbitraries.longs().between(0, 1_000_000_000_000L);
  }

  @Property(tries = 500, seed = "21", edgeCases = EdgeCasesMode.NONE)
  void aPlanGivesATextThatGivesThePlan(@ForAll("plans") FaultPlan plan) {
    assertThat(FaultPlan.parse(plan.toString())).isEqualTo(plan).hasSameHashCodeAs(plan);
  }

  @Property(tries = 100, seed = "22", edgeCases = EdgeCasesMode.NONE)
  void aPlanIsTheSumOfItsStatements(@ForAll("plans") FaultPlan plan) {
    FaultPlan sum = plan.each().stream().reduce(FaultPlan.none(), FaultPlan::plus);

    assertThat(sum.withSeed(plan.seed())).isEqualTo(plan);
    assertThat(plan.ofPackets().each().size() + plan.ofDevices().each().size())
        .isEqualTo(plan.each().size());
  }
}
