// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.HeaderField;
import io.queuepair.emulator.wire.MadField;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.PacketField;
import io.queuepair.verbs.Errno;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Any plan gives a text that gives the plan. */
final class FaultPlanPropertyTest {
  private static final List<String> HOSTS = List.of("10.0.0.1", "10.0.0.2", "fd00::1");

  @Provide
  Arbitrary<FaultPlan> plans() {
    return Combinators.combine(Arbitraries.longs(), statements().list().ofMaxSize(6))
        .as(
            (seed, statements) -> {
              FaultPlanBuilder builder = FaultPlan.builder().seed(seed);
              for (UnaryOperator<FaultPlanBuilder> statement : statements) {
                builder = statement.apply(builder);
              }
              return builder.build();
            });
  }

  private static Arbitrary<UnaryOperator<FaultPlanBuilder>> statements() {
    return Arbitraries.oneOf(List.of(ofPackets(), ofValues(), ofDevices()));
  }

  private static Arbitrary<UnaryOperator<FaultPlanBuilder>> ofPackets() {
    return packetSelector()
        .flatMap(
            some ->
                Arbitraries.of(
                    List.of(
                        plan -> plan.drop(some),
                        plan -> plan.duplicate(some),
                        plan -> plan.reorder(some),
                        plan -> plan.corrupt(some),
                        plan -> plan.corruptIcrc(some),
                        plan -> plan.forgeAck(some),
                        plan -> plan.forgeNak(some, "remote_access_error"))));
  }

  private static Arbitrary<UnaryOperator<FaultPlanBuilder>> ofValues() {
    Arbitrary<PacketField> fields =
        Arbitraries.oneOf(Arbitraries.of(HeaderField.values()), Arbitraries.of(MadField.all()));
    return Combinators.combine(packetSelector(), fields, Arbitraries.longs(), times())
        .flatAs(
            (some, field, number, time) ->
                Arbitraries.of(
                    List.of(
                        plan -> plan.delay(some, time.plusNanos(1)),
                        plan -> plan.delayUpTo(some, time.plusNanos(1)),
                        plan -> plan.corruptByte(some, (int) (number & 0xfff)),
                        plan -> plan.corruptField(some, field.toString()),
                        plan -> plan.set(some, field.toString(), number & field.mask()),
                        plan -> plan.change(some, field.toString(), -(number & field.mask() >>> 1)),
                        plan -> plan.forgeRnrNak(some, (int) (number & 31)))));
  }

  private static Arbitrary<UnaryOperator<FaultPlanBuilder>> ofDevices() {
    Arbitrary<Resource> resources = Arbitraries.of(Resource.values());
    Arbitrary<String> verbs = Arbitraries.of(FallibleVerbs.names());
    Arbitrary<Errno> errnos = Arbitraries.of(Errno.values());
    Arbitrary<VerbSelector> calls =
        Combinators.combine(verbs, errnos, times())
            .as(
                (verb, errno, time) ->
                    VerbSelector.of(verb, errno).nth(3).at(FaultWindow.from(time)));
    return Combinators.combine(hosts(), resources, calls, times())
        .flatAs(
            (host, resource, call, time) ->
                Arbitraries.of(
                    List.of(
                        plan -> plan.partition(FaultWindow.from(time), host),
                        plan -> plan.pause(host, FaultWindow.during(time, time.plusNanos(1))),
                        plan -> plan.portDown(host, FaultWindow.from(time)),
                        plan -> plan.kill(host, time),
                        plan -> plan.exhaust(resource.toString(), host, FaultWindow.from(time)),
                        plan -> plan.fail(call.on(host)),
                        plan -> plan.fail(call))));
  }

  private static Arbitrary<PacketSelector> packetSelector() {
    Arbitrary<Integer> numbers = Arbitraries.integers().between(0, 0xff_ffff);
    return Combinators.combine(kinds(), amounts(), hosts(), numbers, times())
        .flatAs(
            (kind, amount, host, number, time) ->
                Arbitraries.<UnaryOperator<PacketSelector>>of(
                        List.of(
                            some -> some,
                            some -> some.from(host),
                            some -> some.to(host).qp(number),
                            some -> some.psn(number, 5).at(FaultWindow.from(time)),
                            some -> some.where("psn", "<=", number).where("qpn", "!=", 1)))
                    .map(conditions -> conditions.apply(amount.apply(kind))));
  }

  private static Arbitrary<PacketSelector> kinds() {
    return Arbitraries.oneOf(
        Arbitraries.just(PacketSelector.all()),
        Arbitraries.of(Opcode.values()).map(opcode -> PacketSelector.of(opcode.name())),
        Arbitraries.of("SEND", "ACK", "RNR_NAK", "REQUEST", "UD", "ATOMIC", "MAD", "CM", "SIDR_REQ")
            .map(PacketSelector::of));
  }

  private static Arbitrary<UnaryOperator<PacketSelector>> amounts() {
    return Combinators.combine(
            Arbitraries.longs().between(1, 1_000_000_000_000L),
            Arbitraries.integers().between(0, 100_000))
        .flatAs(
            (number, share) ->
                Arbitraries.of(
                    List.of(
                        some -> some,
                        some -> some.share(share / 100_000.0),
                        some -> some.nth(number),
                        some -> some.nth(number, number + share),
                        some -> some.nthAndLater(number),
                        some -> some.every(number))));
  }

  private static Arbitrary<String> hosts() {
    return Arbitraries.of(HOSTS);
  }

  private static Arbitrary<Duration> times() {
    return Arbitraries.longs().between(0, 1_000_000_000_000L).map(Duration::ofNanos);
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
