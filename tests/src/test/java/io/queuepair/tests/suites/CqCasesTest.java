// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Making and destroying completion queues and channels. */
final class CqCasesTest {
  @AutoClose private final Emulator emulator = Emulator.inMemory();
  private final Context context = emulator.addDevice("10.0.0.1").open();
  private final int maxCqe = (int) context.queryDevice().limit(DeviceLimit.MAX_CQE);

  private static Errno errnoOf(ThrowingCallable call) {
    VerbsException refusal = catchThrowableOfType(VerbsException.class, call);
    return refusal == null ? null : refusal.errno();
  }

  @Test
  @Tag("GUT-comp_channel_test-CompChannelTest.CreateDestroy")
  void aChannelBelongsToItsContext() {
    CompletionChannel channel = context.createCompChannel();

    assertThat(channel.context()).isSameAs(context);
    channel.close();
  }

  @Test
  @Tag("GUT-comp_channel_test-CompChannelTest.DestroyChannelWithCqRef")
  void aChannelIsBusyWhileAQueueUsesIt() {
    CompletionChannel channel = context.createCompChannel();
    CompletionQueue cq = context.createCq(10, channel);

    assertThat(errnoOf(channel::close)).isEqualTo(Errno.EBUSY);

    cq.close();
    channel.close();
  }

  @Test
  @Tag("GUT-cq_test-CqTest.Basic")
  void aQueueBelongsToItsContextAndHoldsWhatWasAskedFor() {
    CompletionQueue cq = context.createCq(10);

    assertThat(cq.context()).isSameAs(context);
    assertThat(cq.cqe()).isGreaterThanOrEqualTo(10);
    cq.close();
  }

  @Test
  @Tag("GUT-cq_test-CqTest.NegativeCqe")
  void aNegativeSizeIsRefused() {
    assertThat(errnoOf(() -> context.createCq(-1))).isEqualTo(Errno.EINVAL);
  }

  @Test
  @Tag("GUT-cq_test-CqTest.NegativeCompVector")
  void aNegativeVectorIsRefused() {
    assertThat(errnoOf(() -> context.createCq(10, null, -1))).isEqualTo(Errno.EINVAL);
  }

  @Test
  @Tag("GUT-cq_ex_test-CqExTest.ZeroCompVector")
  @Tag("GUT-cq_ex_test-CqExTest.LargeCompVector")
  void theFirstAndTheLastVectorCanBeHad() {
    CqInitAttrEx attr = CqInitAttrEx.of(10);

    assertThat(errnoOf(() -> context.createCqEx(attr.withCompVector(0)).close())).isNull();
    assertThat(
            errnoOf(
                () ->
                    context.createCqEx(attr.withCompVector(context.numCompVectors() - 1)).close()))
        .isNull();
  }

  @Test
  @Tag("GUT-cq_ex_test-CqExTest.AboveMaxCompVector")
  @Tag("test_cqex.CQEXAPITest.test_create_cq_ex_bad_flow")
  void aVectorBehindTheLastIsRefused() {
    CqInitAttrEx attr = CqInitAttrEx.of(10).withCompVector(context.numCompVectors());

    assertThat(errnoOf(() -> context.createCqEx(attr))).isEqualTo(Errno.EINVAL);
    assertThat(errnoOf(() -> context.createCqEx(CqInitAttrEx.of(maxCqe + 1))))
        .isEqualTo(Errno.EINVAL);
  }

  @Test
  @Tag("GUT-cq_test-CqTest.MaxCqe")
  @Tag("PYV-cq-CQAPITest.create_cq_bad_flow")
  void theLargestQueueCanBeHadAndNoLarger() {
    context.createCq(maxCqe).close();

    assertThat(errnoOf(() -> context.createCq(maxCqe + 1))).isEqualTo(Errno.EINVAL);
  }

  @Test
  @Tag("GUT-cq_test-CqTest.ShareChannel")
  void twoQueuesShareAChannel() {
    CompletionChannel channel = context.createCompChannel();
    CompletionQueue one = context.createCq(10, channel);
    CompletionQueue two = context.createCq(10, channel);

    assertThat(errnoOf(channel::close)).isEqualTo(Errno.EBUSY);
    one.close();
    assertThat(errnoOf(channel::close)).isEqualTo(Errno.EBUSY);
    two.close();
    assertThat(errnoOf(channel::close)).isNull();
  }

  @Test
  @Tag("GUT-device_test-DeviceLimitTest.MaxCqMixed")
  void bothKindsOfQueuesCountAgainstOneLimit() {
    Context limited =
        emulator
            .addDevice(DeviceProfile.standard().withLimit(DeviceLimit.MAX_CQ, 50), "10.0.0.2")
            .open();
    for (int i = 0; i < 25; i++) {
      limited.createCq(10);
      limited.createCqEx(CqInitAttrEx.of(10));
    }

    assertThat(errnoOf(() -> limited.createCq(10))).isEqualTo(Errno.ENOMEM);
    assertThat(errnoOf(() -> limited.createCqEx(CqInitAttrEx.of(10)))).isEqualTo(Errno.ENOMEM);
  }

  @Test
  @Tag("PYV-cq-CQAPITest.create_cq")
  void everySizeCanBeHad() {
    for (int cqe : new int[] {1, maxCqe / 2, maxCqe}) {
      try (CompletionQueue cq = context.createCq(cqe)) {
        assertThat(cq.cqe()).isGreaterThanOrEqualTo(cqe);
      }
    }
  }

  @Test
  @Tag("PYV-cq-CQAPITest.create_cq_with_comp_channel")
  void everySizeCanBeHadOnAChannel() {
    CompletionChannel channel = context.createCompChannel();
    for (int cqe : new int[] {1, maxCqe / 2, maxCqe}) {
      CompletionQueue cq = context.createCq(cqe, channel);
      assertThat(errnoOf(channel::close)).isEqualTo(Errno.EBUSY);
      cq.close();
    }
    channel.close();
  }
}
