// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendWr;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** An address handle is checked like the address of a connection, but may name a group. */
final class AddressHandleRefusalTest {
  @AutoClose private final QpFixture bench = QpFixture.standard();

  @Test
  void mayNameAMulticastGroup() {
    AhAttr group = AhAttr.to(new Gid(0, 0xffff_ef01_0203L));

    try (AddressHandle ah = bench.pd().createAh(group)) {
      assertThat(ah.attr()).isEqualTo(group);
    }
  }

  @Test
  void isRefusedWithoutAValue() {
    assertThatThrownBy(() -> bench.pd().createAh(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("attr");
  }

  @Test
  void isRefusedForEverythingThatIsWrong() {
    AhAttr wrong = new AhAttr(new GlobalRoute(Gid.ZERO, 0, 3, 64, 256), 16, 2);

    assertThatThrownBy(() -> bench.pd().createAh(wrong))
        .hasMessage(
            "ibv_create_ah: EINVAL: address service level 16 is not 0 to 15;"
                + " address GID index 3 is an empty slot of port 2;"
                + " address has no destination GID; address traffic class 256 is not 0 to 255");
  }

  @Test
  void isOfOneDevice() {
    try (Pair pair = Pair.on(LinkForm.OBJECTS).type(QpType.UD).connect()) {
      AddressHandle foreign = pair.b().pd().createAh(AhAttr.to(pair.b().context().queryGid(1, 0)));
      SendWr send = SendWr.send(1).to(foreign, pair.b().qp().qpNum(), TestEndpoint.QKEY);

      Errnos.assertRefused(
          Errno.EINVAL,
          "the address handle belongs to another device",
          () -> pair.a().qp().postSend(send));
    }
  }

  @Test
  void ofAnotherDomainIsALocalOperationError() {
    try (Pair pair = Pair.on(LinkForm.OBJECTS).type(QpType.UD).connect()) {
      Context context = pair.a().context();
      AddressHandle foreign = context.allocPd().createAh(AhAttr.to(context.queryGid(1, 0)));

      pair.a().qp().postSend(SendWr.send(1).to(foreign, 1, TestEndpoint.QKEY));
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("1 LOC_QP_OP_ERR");
      assertThat(pair.a().state()).isEqualTo(QpState.SQE);
    }
  }
}
