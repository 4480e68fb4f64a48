// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.MrInitAttr;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Requests and attributes are values: they never change, and flags are sets as in C. */
final class RequestRecordsTest {
  private static final Sge SGE = new Sge(0x1000, 8, 7);

  @Test
  void aRequestKeepsTheEntriesThatItWasMadeOf() {
    List<Sge> entries = new ArrayList<>(List.of(SGE));
    Set<SendFlag> flags = EnumSet.of(SendFlag.SIGNALED);
    SendWr send = new SendWr.Send(1, entries, flags);
    RecvWr receive = new RecvWr(1, entries);

    entries.clear();
    flags.clear();

    assertThat(send.sgList()).containsExactly(SGE);
    assertThat(send.flags()).containsExactly(SendFlag.SIGNALED);
    assertThat(receive.sgList()).containsExactly(SGE);
    assertThatThrownBy(() -> send.sgList().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> send.flags().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void attributesKeepTheFlagsThatTheyWereMadeOf() {
    Set<AccessFlag> rights = EnumSet.of(AccessFlag.REMOTE_READ);
    Set<WcFlag> flags = EnumSet.of(WcFlag.WITH_IMM);
    List<FlowSpec> specs = new ArrayList<>();
    MwBindInfo binding = new MwBindInfo(null, 0, 0, rights);
    WorkCompletion completion =
        new WorkCompletion(1, WcStatus.SUCCESS, WcOpcode.RECV, 0, 0, 0, 0, 0, flags, null);
    FlowAttr flow = FlowAttr.normal();
    FlowAttr same = new FlowAttr(flow.type(), flow.priority(), flow.portNum(), flow.flags(), specs);

    rights.clear();
    flags.clear();
    specs.add(null);

    assertThat(binding.access()).containsExactly(AccessFlag.REMOTE_READ);
    assertThat(completion.wcFlags()).containsExactly(WcFlag.WITH_IMM);
    assertThat(same).isEqualTo(flow);
  }

  @Test
  void aFlagThatIsGivenTwiceCountsOnce() {
    SendWr send = SendWr.send(1).withFlags(SendFlag.FENCE, SendFlag.SIGNALED, SendFlag.FENCE);
    MrInitAttr attr = MrInitAttr.of(AccessFlag.LOCAL_WRITE, AccessFlag.LOCAL_WRITE);

    assertThat(send.flags()).containsExactly(SendFlag.FENCE, SendFlag.SIGNALED);
    assertThat(send.flags()).isEqualTo(EnumSet.of(SendFlag.FENCE, SendFlag.SIGNALED));
    assertThat(attr.access()).containsExactly(AccessFlag.LOCAL_WRITE);
  }

  @Test
  void plusFlagsKeepsWhatThereWas() {
    SendWr send = SendWr.send(1, SGE);

    assertThat(send.plusFlags(SendFlag.FENCE))
        .isEqualTo(send.withFlags(SendFlag.SIGNALED, SendFlag.FENCE));
    assertThat(send.plusFlags(SendFlag.SIGNALED)).isEqualTo(send);
    assertThat(send.toSrq(4).plusFlags(SendFlag.SOLICITED).flags())
        .containsExactly(SendFlag.SIGNALED, SendFlag.SOLICITED);
  }

  @Test
  void unsignaledTakesNothingElseAway() {
    SendWr fenced = SendWr.send(1, SGE).plusFlags(SendFlag.FENCE);

    assertThat(fenced.unsignaled()).isEqualTo(fenced.withFlags(SendFlag.FENCE));
    assertThat(fenced.unsignaled().unsignaled()).isEqualTo(fenced.unsignaled());
  }

  private static void assertNamed(String name, ThrowingCallable call) {
    assertThatNullPointerException().isThrownBy(call).withMessage(name);
  }

  @Test
  void whatIsMissingIsNamedWhereTheRequestIsMade() {
    assertNamed("sgList", () -> new SendWr.Send(1, null, Set.of()));
    assertNamed("sgList", () -> new RecvWr(1, Arrays.asList(SGE, null)));
    assertNamed("flags", () -> new SendWr.Send(1, List.of(), null));
    assertNamed("sges", () -> SendWr.send(1, (Sge) null));
    assertNamed("sges", () -> RecvWr.of(1, (Sge[]) null));
    assertNamed("newFlags", () -> SendWr.send(1).withFlags((SendFlag) null));
    assertNamed("more", () -> SendWr.send(1).plusFlags((SendFlag[]) null));
    assertNamed("access", () -> new MwBindInfo(null, 0, 0, null));
    assertNamed("specs", () -> FlowAttr.normal((FlowSpec) null));
    assertNamed("access", () -> new QpAttr().qpAccessFlags((Set<AccessFlag>) null));
  }

  @Test
  void noAccessIsAnAttributeThatIsSet() {
    QpAttr attr = QpAttr.to(QpState.INIT).noAccess();

    assertThat(attr.mask()).containsExactlyInAnyOrder(QpAttrMask.STATE, QpAttrMask.ACCESS_FLAGS);
    assertThat(attr.qpAccessFlags()).isEmpty();
  }

  @Test
  void eachAttributeIsSetAndReadByOneName() {
    List<Method> methods =
        Arrays.stream(QpAttr.class.getMethods())
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .toList();
    List<String> getters =
        methods.stream()
            .filter(method -> method.getParameterCount() == 0)
            .map(Method::getName)
            .toList();

    assertThat(methods)
        .filteredOn(method -> method.getReturnType() == QpAttr.class)
        .filteredOn(method -> method.getParameterCount() > 0)
        .hasSizeGreaterThan(QpAttrMask.values().length / 2)
        .extracting(Method::getName)
        .isSubsetOf(getters);
  }
}
